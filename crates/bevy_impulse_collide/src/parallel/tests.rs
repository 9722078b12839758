//! Laws of the worker pool.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::{chunks::for_each, job_slot::JobSlot};

/// Every chunk of every job is worked on once, and a job is over before the next begins.
#[test]
fn every_chunk_is_done_once() {
    let mut numbers = vec![0; 1000];
    for round in 1..=2000 {
        for_each(numbers.chunks_mut(10), |chunk| {
            for n in chunk {
                assert_eq!(*n, round - 1);
                *n += 1;
            }
        });
    }
    assert!(numbers.iter().all(|&n| n == 2000));
}

/// A slot has one owner at a time, however often others ask.
#[test]
fn one_owner_at_a_time() {
    let slot = JobSlot::new();
    let guard = slot.try_acquire();
    assert!(guard.is_some());
    assert!(slot.try_acquire().is_none());
    assert!(slot.try_acquire().is_none());
    drop(guard);
    assert!(slot.try_acquire().is_some());
}

/// One thread owns the workers, the others do without them.
#[test]
fn several_threads_share_out_work() {
    let total = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..100 {
                    for_each(0..50, |k| {
                        total.fetch_add(k, Relaxed);
                    });
                }
            });
        }
    });
    assert_eq!(total.into_inner(), 4 * 100 * (49 * 50 / 2));
}

/// A panic of the owner ends its job: nobody can join it any more, and the slot can be owned again.
#[test]
fn panic_of_the_owner_frees_the_slot() {
    let slot = JobSlot::new();
    let result = std::panic::catch_unwind(|| {
        let guard = slot.try_acquire().expect("nobody owns the slot");
        guard.run(&|| panic!("as it should"));
    });
    assert!(result.is_err());
    assert!(slot.try_acquire().is_some());
    assert_eq!(slot.try_join(0), None);
}
