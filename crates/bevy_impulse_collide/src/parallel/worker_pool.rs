//! Compute threads that stand by for the next job: a step is a hundred short ones, and to wake a thread for each would take
//! longer than most of them.

use std::{
    sync::atomic::{
        AtomicBool, AtomicPtr, AtomicU64, AtomicUsize,
        Ordering::{AcqRel, Acquire, Relaxed, Release},
    },
    time::{Duration, Instant},
};

use bevy::tasks::TaskPool;

/// What every thread that takes part in some work does: it takes chunk after chunk until there are no more.
type Job<'a> = dyn Fn() + Sync + 'a;

/// How long a helper waits for another job before it gives its thread back to the pool.
const PATIENCE: Duration = Duration::from_micros(100);

/// Looks for a job between two looks at the clock.
const LOOKS: u32 = 64;

/// Threads of the compute pool that help whoever leads them.
pub(super) struct Crew {
    /// Whether someone leads. Only one app can at a time.
    is_led: AtomicBool,
    /// How many helpers there are, or will be as soon as the pool has a thread for them.
    helpers: AtomicUsize,
    /// The number of the present job times [`JOB`], and how many helpers have joined in it. Odd numbers are pauses.
    pub(super) state: AtomicU64,
    /// How many helpers have done their part of the present job.
    done: AtomicU64,
    /// Whether one of them has panicked in it.
    has_panicked: AtomicBool,
    /// Points at a `&Job` on the leader's stack while there is a job.
    job: AtomicPtr<()>,
}

pub(super) const JOB: u64 = 1 << 16;

pub(super) static CREW: Crew = Crew::new(0);

impl Crew {
    /// A pool that counts so many helpers already.
    pub const fn new(helpers: usize) -> Self {
        Self {
            is_led: AtomicBool::new(false),
            helpers: AtomicUsize::new(helpers),
            state: AtomicU64::new(JOB),
            done: AtomicU64::new(0),
            has_panicked: AtomicBool::new(false),
            job: AtomicPtr::new(std::ptr::null_mut()),
        }
    }

    /// Makes the caller the leader, unless there is one.
    pub fn lead(&'static self) -> Option<Leader> {
        let is_free = !self.is_led.swap(true, Acquire);
        // Not `then_some`: a leader that is made and dropped gives up what is another's.
        is_free.then(|| Leader(self))
    }

    /// Joins in the job of which `state` tells, if that still runs.
    fn join(&self, state: u64) -> bool {
        self.state
            .compare_exchange(state, state + 1, Acquire, Relaxed)
            .is_ok()
    }

    /// Does a part of the job that this thread has joined in.
    fn do_part(&self) {
        let _part = Part(self);
        let job = self.job.load(Relaxed).cast::<&Job>();
        // SAFETY: the leader put the pointer there before the number that `join` found. What it points at stays until all who
        // joined have dropped their `Part`: `End` waits for that.
        unsafe { (*job)() };
    }
}

/// The right to give the crew jobs, until dropped.
pub(super) struct Leader(&'static Crew);

impl Leader {
    /// Runs a job on this thread and on all threads of `pool` that come to help.
    pub fn share(&self, pool: &TaskPool, job: &Job) {
        let crew = self.0;
        while crew.helpers.load(Relaxed) < pool.thread_num() {
            crew.helpers.fetch_add(1, Relaxed);
            let helper = Helper(crew);
            pool.spawn(async move { helper.help() }).detach();
        }
        let number = crew.state.load(Relaxed) / JOB + 1;
        crew.done.store(0, Relaxed);
        crew.job.store((&raw const job).cast_mut().cast(), Relaxed);
        crew.state.store(number * JOB, Release);
        let end = End {
            crew,
            pause: (number + 1) * JOB,
        };
        job();
        drop(end);
        // As a task's panic would, in a scope of the pool.
        assert!(
            !crew.has_panicked.swap(false, Relaxed),
            "a thread that helped with this step has panicked"
        );
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        self.0.is_led.store(false, Release);
    }
}

/// A helper, until dropped: also if a job panics, or the pool ends.
struct Helper(&'static Crew);

impl Helper {
    /// Waits for jobs, and leaves when there has been none for a while.
    fn help(&self) {
        let crew = self.0;
        let mut helped_with = 0;
        let mut waiting_since = Instant::now();
        let mut looks = 0;
        loop {
            let state = crew.state.load(Acquire);
            let number = state / JOB;
            let is_pause = number % 2 == 1;
            if !is_pause && number != helped_with && crew.join(state) {
                helped_with = number;
                crew.do_part();
                waiting_since = Instant::now();
                continue;
            }
            std::hint::spin_loop();
            looks += 1;
            if looks % LOOKS == 0 {
                if waiting_since.elapsed() > PATIENCE {
                    return;
                }
                // Where there are more threads than cores, the one to wait for may be off its core.
                std::thread::yield_now();
            }
        }
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.0.helpers.fetch_sub(1, Relaxed);
    }
}

/// A helper's part of a job: done when dropped, also by a panic.
struct Part<'a>(&'a Crew);

impl Drop for Part<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.has_panicked.store(true, Relaxed);
        }
        self.0.done.fetch_add(1, Release);
    }
}

/// Ends a job when dropped: nobody joins any more, and those who have are waited for.
struct End {
    crew: &'static Crew,
    pause: u64,
}

impl Drop for End {
    fn drop(&mut self) {
        let joined = self.crew.state.swap(self.pause, AcqRel) % JOB;
        let mut looks = 0;
        while self.crew.done.load(Acquire) < joined {
            std::hint::spin_loop();
            looks += 1;
            if looks % LOOKS == 0 {
                std::thread::yield_now();
            }
        }
    }
}
