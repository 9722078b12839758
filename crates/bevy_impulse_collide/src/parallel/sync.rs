//! What [`job_slot`](super::job_slot) needs of the threads' world. The model of `tests/worker_pool.rs` has its own.

pub(super) use std::{
    sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering},
    thread::panicking as is_panicking,
};

/// Polls between two offers of the core to another thread.
pub(super) const POLLS_PER_YIELD: u32 = 64;

/// Passes a moment, after so many polls for something that another thread does.
pub(super) fn spin(polls: u32) {
    std::hint::spin_loop();
    if polls.is_multiple_of(POLLS_PER_YIELD) {
        // Where there are more threads than cores, the one to wait for may be off its core.
        std::thread::yield_now();
    }
}
