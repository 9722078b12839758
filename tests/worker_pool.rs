//! How threads share a job, in every order in which their loads and stores can happen: the only `unsafe` code of the physics crate,
//! run as a model by `loom`.

use std::sync::atomic::Ordering::Relaxed;

use job_slot::JobSlot;
use loom::{
    cell::UnsafeCell,
    model::Builder,
    sync::{Arc, atomic::AtomicUsize},
    thread,
};

#[path = "../crates/bevy_impulse_collide/src/parallel/job_slot.rs"]
mod job_slot;

/// The model's atomics, in place of the processor's.
mod sync {
    pub(super) use loom::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};

    pub(super) fn is_panicking() -> bool {
        std::thread::panicking()
    }

    pub(super) fn spin(_: u32) {
        loom::thread::yield_now();
    }
}

/// The data of a job. The owner of the slot may touch it before and after the job. During the job, only the thread that took the
/// chunk first may touch it. Any other access is a data race, which the model finds.
struct Chunk {
    taken: AtomicUsize,
    value: UnsafeCell<u32>,
}

// SAFETY: the model checks every access to `value`.
unsafe impl Sync for Chunk {}

impl Chunk {
    fn new(value: u32) -> Self {
        Self {
            taken: AtomicUsize::new(0),
            value: UnsafeCell::new(value),
        }
    }
}

/// One owner has `jobs` jobs of two chunks each, and each of the `workers` polls for a job `polls` times. A poll can come at any
/// time, so a few polls stand for all.
fn share(jobs: u32, workers: usize, polls: usize) {
    let slot = Arc::new(JobSlot::new());
    let workers: Vec<_> = (0..workers)
        .map(|_| {
            let slot = slot.clone();
            thread::spawn(move || {
                let mut last_job = 0;
                for _ in 0..polls {
                    last_job = slot.try_join(last_job).unwrap_or(last_job);
                }
            })
        })
        .collect();
    let guard = slot.try_acquire().expect("nobody else asks");
    for job in 0..jobs {
        // On the owner's stack, as in a step: gone as soon as the job is done.
        let chunks = [Chunk::new(job), Chunk::new(job)];
        guard.run(&|| {
            for chunk in &chunks {
                if chunk.taken.swap(1, Relaxed) == 0 {
                    // SAFETY: the swap gives the chunk to one thread.
                    chunk.value.with_mut(|value| unsafe { *value += 1 });
                }
            }
        });
        for chunk in &chunks {
            // SAFETY: the job is done.
            let value = chunk.value.with(|value| unsafe { *value });
            assert_eq!(value, job + 1, "each chunk is worked on once");
        }
    }
    for worker in workers {
        worker.join().expect("a worker ends");
    }
}

fn in_every_order(preemptions: usize, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(model);
}

#[test]
fn one_worker_joins_two_jobs() {
    in_every_order(3, || share(2, 1, 3));
}

#[test]
fn two_workers_join_a_job() {
    in_every_order(2, || share(1, 2, 1));
}

/// Of two callers that ask at once, one owns the slot; the next owner sees the writes of the last owner.
#[test]
fn two_callers_own_the_slot_by_turns() {
    in_every_order(3, || {
        let shared = Arc::new((JobSlot::new(), Chunk::new(0)));
        let ask = |(slot, chunk): &(JobSlot, Chunk)| {
            if let Some(guard) = slot.try_acquire() {
                // SAFETY: the chunk is the owner's.
                guard.run(&|| chunk.value.with_mut(|value| unsafe { *value += 1 }));
            }
        };
        let other = {
            let shared = shared.clone();
            thread::spawn(move || ask(&shared))
        };
        ask(&shared);
        other.join().expect("the other caller ends");
    });
}
