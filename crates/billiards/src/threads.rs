//! Work shared out to threads. A job takes milliseconds to seconds, so a thread is started anew each time.

use std::{
    num::NonZero,
    panic::resume_unwind,
    sync::atomic::{AtomicUsize, Ordering},
    thread::{self, available_parallelism},
};

#[cfg(not(target_arch = "wasm32"))]
use bevy::tasks::block_on;

/// The number of the machine's cores.
pub fn cores() -> NonZero<usize> {
    available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

/// Does `work` for each number below `count`, on so many threads: each takes the next number when it is done. The results are in the
/// order of the numbers.
pub fn for_all<T: Send>(
    threads: NonZero<usize>,
    count: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let take_all = || {
        let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let numbers = numbers.take_while(|i| *i < count);
        numbers.map(|i| (i, work(i))).collect::<Vec<_>>()
    };
    let mut results = thread::scope(|scope| {
        // This thread is one of them.
        let others = threads.get().min(count.max(1)) - 1;
        let others: Vec<_> = (0..others).map(|_| scope.spawn(take_all)).collect();
        let mut results = take_all();
        for worker in others {
            results.extend(worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        results
    });
    results.sort_by_key(|(i, _)| *i);
    results.into_iter().map(|(_, result)| result).collect()
}

/// [`for_all`], with work that lets frames pass.
#[cfg(not(target_arch = "wasm32"))]
pub async fn for_all_beside<T: Send>(
    threads: NonZero<usize>,
    count: usize,
    work: impl AsyncFn(usize) -> T + Sync,
) -> Vec<T> {
    for_all(threads, count, |i| block_on(work(i)))
}

/// [`for_all`], with work that lets frames pass: a page has one thread.
#[cfg(target_arch = "wasm32")]
pub async fn for_all_beside<T>(
    _threads: NonZero<usize>,
    count: usize,
    work: impl AsyncFn(usize) -> T,
) -> Vec<T> {
    let mut results = Vec::with_capacity(count);
    for i in 0..count {
        results.push(work(i).await);
    }
    results
}
