//! Work in fixed chunks.

use std::{
    ops::Range,
    sync::{Mutex, PoisonError},
};

use bevy::tasks::TaskPool;

use super::{compute_pool::compute_pool, worker_pool::share};

/// Calls `work` for each of the `chunks`, on the compute threads, if there are any.
pub(crate) fn for_each<T: Send>(
    chunks: impl IntoIterator<Item = T, IntoIter: Send>,
    work: impl Fn(T) + Sync,
) {
    for_each_on(compute_pool(), chunks, work);
}

/// Calls `work` for each of the `chunks`, on the threads of `pool`.
pub(crate) fn for_each_on<T: Send>(
    pool: &TaskPool,
    chunks: impl IntoIterator<Item = T, IntoIter: Send>,
    work: impl Fn(T) + Sync,
) {
    let mut chunks = chunks.into_iter();
    let Some(first) = chunks.next() else {
        return;
    };
    let Some(second) = chunks.next() else {
        // A separate thread would cost more time than a small scene takes.
        return work(first);
    };
    let chunks = Mutex::new([first, second].into_iter().chain(chunks));
    let next = || chunks.lock().unwrap_or_else(PoisonError::into_inner).next();
    let job = || {
        while let Some(chunk) = next() {
            work(chunk);
        }
    };
    share(pool, &job);
}

/// Calls `first` and `second`, on two threads if there are two, and returns the results of both.
pub(crate) fn join<A: Default + Send, B: Default + Send>(
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B + Send,
) -> (A, B) {
    let (mut a, mut b) = (A::default(), B::default());
    let jobs: [Box<dyn FnOnce() + Send>; 2] = [Box::new(|| a = first()), Box::new(|| b = second())];
    for_each(jobs, |job| job());
    (a, b)
}

/// Cuts `0..items` into chunks of `size`. `work` writes the result of each chunk into a separate output; the outputs are returned
/// in order. `outputs` keeps their memory for the next call, in which `work` finds the old results.
pub(crate) fn map_chunks<O: Default + Send>(
    items: usize,
    size: usize,
    outputs: &mut Vec<O>,
    work: impl Fn(Range<usize>, &mut O) + Sync,
) -> &mut [O] {
    let count = items.div_ceil(size);
    if outputs.len() < count {
        outputs.resize_with(count, O::default);
    }
    let outputs = &mut outputs[..count];
    let chunks = (0..items).step_by(size).zip(outputs.iter_mut());
    for_each(chunks, |(start, output)| {
        work(start..(start + size).min(items), output);
    });
    outputs
}

/// Fills `outputs` with the results of `work` for the numbers `0..items`; `filling` is the value before that.
pub(crate) fn fill_chunks<O: Copy + Send>(
    items: usize,
    size: usize,
    outputs: &mut Vec<O>,
    filling: O,
    work: impl Fn(usize) -> O + Sync,
) {
    outputs.resize(items, filling);
    for_each(outputs.chunks_mut(size).enumerate(), |(k, chunk)| {
        for (i, output) in (k * size..).zip(chunk) {
            *output = work(i);
        }
    });
}
