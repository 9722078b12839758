//! Work in fixed chunks on Bevy's compute threads.
//!
//! The chunks do not depend on the number of threads, and no chunk reads data that another chunk writes. So a step ends in the same
//! bits on any machine.

mod chunks;
mod compute_pool;
#[cfg(all(feature = "multi_threaded", not(target_arch = "wasm32")))]
mod job_slot;
#[cfg(all(feature = "multi_threaded", not(target_arch = "wasm32")))]
mod sync;
#[cfg(all(test, feature = "multi_threaded"))]
mod tests;
#[cfg_attr(
    not(all(feature = "multi_threaded", not(target_arch = "wasm32"))),
    path = "calling_thread.rs"
)]
mod worker_pool;

pub(crate) use chunks::{fill_chunks, for_each, for_each_on, join, map_chunks};
pub(crate) use compute_pool::compute_pool;
