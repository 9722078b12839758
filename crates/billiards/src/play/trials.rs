//! Many shots tried at once: each thread has a game of its own.

use std::{
    num::NonZero,
    sync::{Mutex, MutexGuard, PoisonError},
};

use scene_kit::RunOptions;

use super::ahead::{Ahead, Laws};
use crate::{
    table::bed::Table,
    threads::{cores, for_all},
};

/// Games to try shots in, one for each thread.
pub struct Trials {
    threads: NonZero<usize>,
    /// The games that no thread plays now.
    games: Mutex<Vec<Ahead>>,
}

impl Trials {
    /// Games for so many threads. The results are the same for any number.
    pub fn new(threads: NonZero<usize>) -> Self {
        Self {
            threads,
            games: Mutex::default(),
        }
    }

    /// Games for as many threads as a run may use. A window keeps one core for its frames.
    pub fn of(options: &RunOptions) -> Self {
        Self::new(if options.headless {
            options.threads.unwrap_or(cores())
        } else {
            NonZero::new(cores().get() - 1).unwrap_or(cores())
        })
    }

    /// Does `work` for each job, in a game on `table` by `laws`. The results are in the order of the jobs.
    pub fn for_all<J: Sync, R: Send>(
        &self,
        (table, laws): (&Table, &Laws),
        jobs: &[J],
        work: impl Fn(&mut Ahead, &J) -> R + Sync,
    ) -> Vec<R> {
        for_all(self.threads, jobs.len(), |i| {
            let free = self.lock().pop().filter(|game| game.is_on(table));
            let mut game = free.unwrap_or_else(|| Ahead::new(table, laws));
            let result = work(&mut game, &jobs[i]);
            self.lock().push(game);
            result
        })
    }

    /// A job that panicked took its game with it, so the list of the others is whole.
    fn lock(&self) -> MutexGuard<'_, Vec<Ahead>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
