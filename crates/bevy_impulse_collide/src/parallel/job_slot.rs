//! How threads share a job that lives on one thread's stack: the only `unsafe` code of the crate. `tests/worker_pool.rs` runs this
//! file in every order that the memory model allows.

use super::sync::{
    AtomicBool, AtomicPtr, AtomicU64,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
    is_panicking, spin,
};

/// A job is the same function on every thread: it takes chunk after chunk until there are no more.
pub(super) type Job<'a> = dyn Fn() + Sync + 'a;

/// One job in [`JobSlot::state`].
const JOB: u64 = 1 << 16;

/// A place for one job at a time, which one owner puts there and other threads join.
pub(super) struct JobSlot {
    /// Whether a caller owns the slot.
    is_taken: AtomicBool,
    /// The number of the present job times [`JOB`], plus the number of threads that have joined it. Odd numbers are pauses.
    state: AtomicU64,
    /// Number of these threads that have finished the present job.
    done: AtomicU64,
    /// Whether one of them has panicked.
    has_panicked: AtomicBool,
    /// Points at a `&Job` on the owner's stack while there is a job.
    job: AtomicPtr<()>,
}

impl JobSlot {
    pub fn new() -> Self {
        Self {
            is_taken: AtomicBool::new(false),
            state: AtomicU64::new(JOB),
            done: AtomicU64::new(0),
            has_panicked: AtomicBool::new(false),
            job: AtomicPtr::new(std::ptr::null_mut()),
        }
    }

    /// Makes the caller the owner, unless there is one.
    pub fn try_acquire(&self) -> Option<SlotGuard<'_>> {
        let is_free = !self.is_taken.swap(true, Acquire);
        // Not `then_some`: a guard that is made and dropped would end another caller's ownership.
        is_free.then(|| SlotGuard(self))
    }

    /// Joins the present job and runs it to its end, if there is one and it is not number `last_job`. Returns its number.
    pub fn try_join(&self, last_job: u64) -> Option<u64> {
        let state = self.state.load(Acquire);
        let number = state / JOB;
        let is_pause = number % 2 == 1;
        if is_pause || number == last_job {
            return None;
        }
        self.state
            .compare_exchange(state, state + 1, Acquire, Relaxed)
            .ok()?;
        let _share = JobShare(self);
        let job = self.job.load(Relaxed).cast::<&Job>();
        // SAFETY: the owner stored the pointer before the job number that the exchange found. Its target lives until all threads
        // that joined have dropped their `JobShare`: `JobEnd` waits for that.
        unsafe { (*job)() };
        Some(number)
    }
}

/// Ownership of a slot, until dropped.
pub(super) struct SlotGuard<'a>(&'a JobSlot);

impl SlotGuard<'_> {
    /// Runs a job on this thread and on all that join before it is done here.
    pub fn run(&self, job: &Job) {
        let slot = self.0;
        let number = slot.state.load(Relaxed) / JOB + 1;
        slot.done.store(0, Relaxed);
        slot.job.store((&raw const job).cast_mut().cast(), Relaxed);
        slot.state.store(number * JOB, Release);
        let end = JobEnd {
            slot,
            pause: (number + 1) * JOB,
        };
        job();
        drop(end);
        // A panic is passed on, as in a scope of the pool.
        assert!(
            !slot.has_panicked.swap(false, Relaxed),
            "a worker thread of this step has panicked"
        );
    }
}

impl Drop for SlotGuard<'_> {
    fn drop(&mut self) {
        self.0.is_taken.store(false, Release);
    }
}

/// A thread's share of a job: counted as finished when dropped, also by a panic.
struct JobShare<'a>(&'a JobSlot);

impl Drop for JobShare<'_> {
    fn drop(&mut self) {
        if is_panicking() {
            self.0.has_panicked.store(true, Relaxed);
        }
        self.0.done.fetch_add(1, Release);
    }
}

/// Ends a job when dropped: no thread can join any more, and the owner waits for the threads that have joined.
struct JobEnd<'a> {
    slot: &'a JobSlot,
    pause: u64,
}

impl Drop for JobEnd<'_> {
    fn drop(&mut self) {
        let joined = self.slot.state.swap(self.pause, AcqRel) % JOB;
        let mut polls = 0u32;
        while self.slot.done.load(Acquire) < joined {
            polls = polls.wrapping_add(1);
            spin(polls);
        }
    }
}
