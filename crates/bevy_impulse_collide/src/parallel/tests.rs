//! Laws of the worker pool.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::{
    chunks::for_each,
    compute_pool::compute_pool,
    worker_pool::{Crew, JOB},
};

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

/// A crew has one leader at a time, however often others ask.
#[test]
fn one_leads() {
    let crew = crew_without_helpers();
    let leader = crew.lead();
    assert!(leader.is_some());
    assert!(crew.lead().is_none());
    assert!(crew.lead().is_none());
    drop(leader);
    assert!(crew.lead().is_some());
}

/// One thread has the crew, the others do without it.
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

fn crew_without_helpers() -> &'static Crew {
    Box::leak(Box::new(Crew::new(usize::MAX / 2)))
}

/// A panic of the leader ends its job, and the crew can be led again.
#[test]
fn panic_of_the_leader_frees_the_crew() {
    let crew = crew_without_helpers();
    let result = std::panic::catch_unwind(|| {
        let leader = crew.lead().expect("nobody leads");
        leader.share(compute_pool(), &|| panic!("as it should"));
    });
    assert!(result.is_err());
    assert!(crew.lead().is_some());
    assert_eq!(crew.state.load(Relaxed) / JOB % 2, 1);
}
