//! A pool of workers: compute threads that wait for the next job by spinning. A step is a hundred short jobs, and to wake a thread
//! for each would take longer than most of them.

use std::{
    sync::atomic::{
        AtomicBool, AtomicPtr, AtomicU64, AtomicUsize,
        Ordering::{AcqRel, Acquire, Relaxed, Release},
    },
    time::{Duration, Instant},
};

use bevy::tasks::TaskPool;

/// A job is the same function on every thread: it takes chunk after chunk until there are no more.
type Job<'a> = dyn Fn() + Sync + 'a;

/// Time for which a worker waits for another job before it gives its thread back to the task pool.
const IDLE_TIMEOUT: Duration = Duration::from_micros(100);

/// Polls for a job between two reads of the clock.
const POLLS_PER_CHECK: u32 = 64;

/// Workers on threads of a task pool. One caller at a time owns them.
pub(super) struct WorkerPool {
    /// Whether a caller owns the workers. Only one app can at a time.
    is_taken: AtomicBool,
    /// How many workers there are, or will be as soon as the task pool has a thread for them.
    worker_count: AtomicUsize,
    /// The number of the present job times [`JOB`], plus the number of workers that have joined it. Odd numbers are pauses.
    pub(super) state: AtomicU64,
    /// How many workers have finished the present job.
    done: AtomicU64,
    /// Whether one of them has panicked.
    has_panicked: AtomicBool,
    /// Points at a `&Job` on the owner's stack while there is a job.
    job: AtomicPtr<()>,
}

/// One job in [`WorkerPool::state`].
pub(super) const JOB: u64 = 1 << 16;

/// The workers that all apps of the process share.
pub(super) static WORKER_POOL: WorkerPool = WorkerPool::new(0);

impl WorkerPool {
    /// A pool that counts so many workers already.
    pub const fn new(worker_count: usize) -> Self {
        Self {
            is_taken: AtomicBool::new(false),
            worker_count: AtomicUsize::new(worker_count),
            state: AtomicU64::new(JOB),
            done: AtomicU64::new(0),
            has_panicked: AtomicBool::new(false),
            job: AtomicPtr::new(std::ptr::null_mut()),
        }
    }

    /// Makes the caller the owner, unless there is one.
    pub fn try_acquire(&'static self) -> Option<PoolGuard> {
        let is_free = !self.is_taken.swap(true, Acquire);
        // Not `then_some`: a guard that is made and dropped would end another caller's ownership.
        is_free.then(|| PoolGuard(self))
    }

    /// Joins the job that `state` names, if it still runs.
    fn join(&self, state: u64) -> bool {
        self.state
            .compare_exchange(state, state + 1, Acquire, Relaxed)
            .is_ok()
    }

    /// Runs the job that this thread has joined.
    fn run_share(&self) {
        let _share = JobShare(self);
        let job = self.job.load(Relaxed).cast::<&Job>();
        // SAFETY: the owner stored the pointer before the job number that `join` found. Its target lives until all who
        // joined have dropped their `JobShare`: `JobEnd` waits for that.
        unsafe { (*job)() };
    }
}

/// Ownership of the workers, until dropped.
pub(super) struct PoolGuard(&'static WorkerPool);

impl PoolGuard {
    /// Runs a job on this thread and on the workers, which are threads of `pool`.
    pub fn share(&self, pool: &TaskPool, job: &Job) {
        let workers = self.0;
        while workers.worker_count.load(Relaxed) < pool.thread_num() {
            workers.worker_count.fetch_add(1, Relaxed);
            let worker = Worker(workers);
            pool.spawn(async move { worker.work() }).detach();
        }
        let number = workers.state.load(Relaxed) / JOB + 1;
        workers.done.store(0, Relaxed);
        workers
            .job
            .store((&raw const job).cast_mut().cast(), Relaxed);
        workers.state.store(number * JOB, Release);
        let end = JobEnd {
            workers,
            pause: (number + 1) * JOB,
        };
        job();
        drop(end);
        // As a task's panic would, in a scope of the pool.
        assert!(
            !workers.has_panicked.swap(false, Relaxed),
            "a worker thread of this step has panicked"
        );
    }
}

impl Drop for PoolGuard {
    fn drop(&mut self) {
        self.0.is_taken.store(false, Release);
    }
}

/// A worker. It is counted out when dropped: also if a job panics, or the task pool ends.
struct Worker(&'static WorkerPool);

impl Worker {
    /// Waits for jobs, and leaves when there has been none for a while.
    fn work(&self) {
        let workers = self.0;
        let mut last_job = 0;
        let mut waiting_since = Instant::now();
        let mut polls = 0;
        loop {
            let state = workers.state.load(Acquire);
            let number = state / JOB;
            let is_pause = number % 2 == 1;
            if !is_pause && number != last_job && workers.join(state) {
                last_job = number;
                workers.run_share();
                waiting_since = Instant::now();
                continue;
            }
            std::hint::spin_loop();
            polls += 1;
            if polls % POLLS_PER_CHECK == 0 {
                if waiting_since.elapsed() > IDLE_TIMEOUT {
                    return;
                }
                // Where there are more threads than cores, the one to wait for may be off its core.
                std::thread::yield_now();
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.0.worker_count.fetch_sub(1, Relaxed);
    }
}

/// A worker's share of a job: counted as finished when dropped, also by a panic.
struct JobShare<'a>(&'a WorkerPool);

impl Drop for JobShare<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.has_panicked.store(true, Relaxed);
        }
        self.0.done.fetch_add(1, Release);
    }
}

/// Ends a job when dropped: no worker can join any more, and the owner waits for those that have joined.
struct JobEnd {
    workers: &'static WorkerPool,
    pause: u64,
}

impl Drop for JobEnd {
    fn drop(&mut self) {
        let joined = self.workers.state.swap(self.pause, AcqRel) % JOB;
        let mut polls = 0;
        while self.workers.done.load(Acquire) < joined {
            std::hint::spin_loop();
            polls += 1;
            if polls % POLLS_PER_CHECK == 0 {
                std::thread::yield_now();
            }
        }
    }
}
