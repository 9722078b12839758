//! A pool of workers: compute threads that wait for the next job by spinning. A step is a hundred short jobs, and to wake a thread
//! for each would take longer than most of them.

use std::{
    sync::{
        LazyLock,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

use bevy::{platform::time::Instant, tasks::TaskPool};

use super::{
    compute_pool::compute_pool,
    job_slot::{Job, JobSlot},
    sync::{POLLS_PER_YIELD, spin},
};

/// Time for which a worker waits for another job before it gives its thread back to the task pool.
const IDLE_TIMEOUT: Duration = Duration::from_micros(100);

/// Workers on threads of the compute pool. One caller at a time owns them.
struct WorkerPool {
    slot: JobSlot,
    /// Number of workers, including workers for which the compute pool has no thread yet.
    worker_count: AtomicUsize,
}

/// The workers that all apps of the process share.
static WORKER_POOL: LazyLock<WorkerPool> = LazyLock::new(|| WorkerPool {
    slot: JobSlot::new(),
    worker_count: AtomicUsize::new(0),
});

/// Runs a job on this thread and on the threads of `pool`.
pub(super) fn share(pool: &TaskPool, job: &Job) {
    let workers = &*WORKER_POOL;
    if std::ptr::eq(pool, compute_pool())
        && let Some(guard) = workers.slot.try_acquire()
    {
        workers.hire(pool);
        guard.run(job);
    } else {
        pool.scope(|scope| {
            for _ in 0..=pool.thread_num() {
                scope.spawn(async { job() });
            }
        });
    }
}

impl WorkerPool {
    /// Asks for a worker on every thread of `pool` that has none.
    fn hire(&'static self, pool: &TaskPool) {
        while self.worker_count.load(Relaxed) < pool.thread_num() {
            self.worker_count.fetch_add(1, Relaxed);
            let worker = Worker(self);
            pool.spawn(async move { worker.work() }).detach();
        }
    }
}

/// A worker. It is counted out when dropped: also if a job panics, or the task pool ends.
struct Worker(&'static WorkerPool);

impl Worker {
    /// Waits for jobs, and ends when there has been no job for a while.
    fn work(&self) {
        let mut last_job = 0;
        let mut waiting_since = Instant::now();
        let mut polls = 0u32;
        loop {
            if let Some(number) = self.0.slot.try_join(last_job) {
                last_job = number;
                waiting_since = Instant::now();
                continue;
            }
            polls = polls.wrapping_add(1);
            spin(polls);
            if polls.is_multiple_of(POLLS_PER_YIELD) && waiting_since.elapsed() > IDLE_TIMEOUT {
                return;
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.0.worker_count.fetch_sub(1, Relaxed);
    }
}
