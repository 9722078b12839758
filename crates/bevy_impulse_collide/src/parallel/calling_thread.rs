//! Replaces the worker pool where there are no threads: the calling thread does all the work.

use bevy::tasks::TaskPool;

/// Runs a job on this thread.
pub(super) fn share(_: &TaskPool, job: &dyn Fn()) {
    job();
}
