//! Many shots tried at once: each thread has a game of its own.

use std::{
    num::NonZero,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use scene_kit::RunOptions;

use super::ahead::{Ahead, Laws};
use crate::{
    table::bed::Table,
    threads::{cores, for_all_beside},
};

/// Games to try shots in, one for each thread.
pub struct Trials {
    threads: NonZero<usize>,
    /// The games that no thread plays now.
    games: Mutex<Vec<Ahead>>,
    /// Nobody waits for the results any more.
    given_up: AtomicBool,
}

impl Trials {
    /// Games for so many threads. The results are the same for any number.
    pub fn new(threads: NonZero<usize>) -> Self {
        Self {
            threads,
            games: Mutex::default(),
            given_up: AtomicBool::new(false),
        }
    }

    /// Games for as many threads as a run may use. A window keeps one core for its frames.
    pub fn of(options: &RunOptions, in_window: bool) -> Self {
        Self::new(if in_window {
            NonZero::new(cores().get() - 1).unwrap_or(cores())
        } else {
            options.threads.unwrap_or(cores())
        })
    }

    /// Nobody waits for the results any more: jobs that have not begun are left out.
    pub fn give_up(&self) {
        self.given_up.store(true, Ordering::Relaxed);
    }

    /// Does `work` for each job, without a game. The results are in the order of the jobs.
    pub async fn look_at_all<J: Sync, R: Send>(
        &self,
        jobs: &[J],
        work: impl AsyncFn(&J) -> R + Sync,
    ) -> Vec<R> {
        let done = for_all_beside(self.threads, jobs.len(), async |i| {
            if self.given_up.load(Ordering::Relaxed) {
                return None;
            }
            Some(work(&jobs[i]).await)
        });
        done.await.into_iter().flatten().collect()
    }

    /// Does `work` for each job, in a game on `table` by `laws`. The results are in the order of the jobs.
    pub async fn for_all<J: Sync, R: Send>(
        &self,
        (table, laws): (&Table, &Laws),
        jobs: &[J],
        work: impl AsyncFn(&mut Ahead, &J) -> R + Sync,
    ) -> Vec<R> {
        self.look_at_all(jobs, async |job| {
            let free = self.lock().pop().filter(|game| game.is_on(table));
            let mut game = free.unwrap_or_else(|| Ahead::new(table, laws));
            let result = work(&mut game, job).await;
            self.lock().push(game);
            result
        })
        .await
    }

    /// A job that panicked took its game with it, so the list of the others is whole.
    fn lock(&self) -> MutexGuard<'_, Vec<Ahead>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
