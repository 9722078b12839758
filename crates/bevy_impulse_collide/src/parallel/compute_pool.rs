//! Bevy's compute threads.

use bevy::tasks::{ComputeTaskPool, TaskPool};

/// Bevy's compute threads, also in an app that has not set them up.
pub(crate) fn compute_pool() -> &'static TaskPool {
    ComputeTaskPool::get_or_init(TaskPool::default)
}
