//! Many worlds on all threads.

use std::{
    num::NonZero,
    sync::{Mutex, PoisonError},
    thread::{available_parallelism, scope},
};

/// Calls `work` for each item on all threads. Gives back the results in the order of the items.
pub fn on_all_threads<T: Send + Ord + Copy, R: Send>(
    items: impl Iterator<Item = T> + Send,
    work: impl Fn(T) -> R + Sync,
) -> Vec<(T, R)> {
    let (items, results) = (Mutex::new(items), Mutex::new(Vec::new()));
    let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    let worker = || {
        while let Some(item) = next() {
            let result = (item, work(item));
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            results.push(result);
        }
    };
    scope(|scope| {
        for _ in 0..available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(worker);
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(item, _)| *item);
    results
}
