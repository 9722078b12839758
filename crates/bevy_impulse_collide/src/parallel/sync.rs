//! Thread primitives of [`job_slot`](super::job_slot). The model of `tests/worker_pool.rs` has its own.

pub(super) use std::{
    sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering},
    thread::panicking as is_panicking,
};

/// Polls between two offers of the core to another thread.
pub(super) const POLLS_PER_YIELD: u32 = 64;

/// Waits for a moment, after `polls` polls for another thread's work.
pub(super) fn spin(polls: u32) {
    std::hint::spin_loop();
    if polls.is_multiple_of(POLLS_PER_YIELD) {
        // If there are more threads than cores, the awaited thread may have no core.
        std::thread::yield_now();
    }
}
