//! Makes the runs of a sweep on all cores, and gathers them in the table.

use std::{
    io::{self, Write},
    num::NonZero,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
};

use serde::Serialize;

use super::{
    child::{self, program_hash},
    grid::{Grid, Run},
    journal::{Journal, Line, Outcome},
    table,
};
use crate::{child::program, console, headless::progress_bar};

/// All runs, and where their table goes.
pub struct Sweep {
    /// The options and their values.
    pub grid: Grid,
    /// The runs of the grid.
    pub runs: Vec<Run>,
    /// File of the table.
    pub table: PathBuf,
}

/// A run that is still to be made.
#[derive(Serialize)]
struct Listed<'a> {
    /// Its number, from 1.
    run: usize,
    arguments: &'a [String],
}

impl Sweep {
    /// Makes all runs that have no report, and writes the table. Returns whether all runs have a report now.
    pub fn make_all(&self, jobs: Option<NonZero<usize>>) -> Result<bool, String> {
        let mut journal = self.journal()?;
        self.make_missing(&mut journal, jobs)?;
        let rows: Vec<_> = self
            .runs
            .iter()
            .filter_map(|run| Some((run, journal.outcome(&run.arguments)?)))
            .collect();
        table::write(&self.table, &self.grid, &rows)?;
        let table = self.table.display();
        let failed = |(_, outcome): &&(_, &Outcome)| matches!(outcome, Outcome::Error(_));
        let failures = rows.iter().filter(failed).count();
        let Some((run, Outcome::Error(error))) = rows.iter().find(failed) else {
            println!("{table}: {} runs", rows.len());
            journal.remove()?;
            return Ok(true);
        };
        eprintln!(
            "{table}: {} runs, of which {failures} failed; the same command makes these again.\n\
             The first of them: {}{} --headless {}\n  {error}",
            rows.len(),
            std::env::args().next().unwrap_or_default(),
            console::scene().map_or_else(String::new, |scene| format!(" {scene}")),
            run.arguments.join(" "),
        );
        Ok(false)
    }

    fn make_missing(
        &self,
        journal: &mut Journal,
        jobs: Option<NonZero<usize>>,
    ) -> Result<(), String> {
        let missing: Vec<&Run> = self.missing(journal).map(|(_, run)| run).collect();
        let jobs = jobs.map_or_else(thread::available_parallelism, Ok);
        let jobs = jobs.map_or(1, NonZero::get).min(missing.len());
        let program = program()?;
        let progress = progress_bar(self.runs.len() as u64, "runs");
        // Of the time left, this process knows only by the runs that it makes itself.
        progress.set_position((self.runs.len() - missing.len()) as u64);
        progress.reset_eta();
        let (next, journal) = (AtomicUsize::new(0), Mutex::new(journal));
        let work = || {
            while let Some(run) = missing.get(next.fetch_add(1, Relaxed)) {
                let line = make(&program, run);
                let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
                // A journal that cannot be written ends the sweep.
                journal
                    .add(line)
                    .inspect_err(|_| next.store(missing.len(), Relaxed))?;
                progress.inc(1);
            }
            Ok(())
        };
        let done: Result<(), String> = thread::scope(|scope| {
            let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
            let done = workers.into_iter().map(|worker| {
                let panicked = |_| Err("a thread of the sweep panicked".to_owned());
                worker.join().unwrap_or_else(panicked)
            });
            done.collect()
        });
        progress.finish_and_clear();
        done
    }

    /// Prints the runs that have no report.
    pub fn list(&self) -> Result<(), String> {
        let journal = self.journal()?;
        let mut out = io::stdout().lock();
        self.missing(&journal)
            .try_for_each(|(run, Run { arguments, .. })| {
                print_json(&mut out, &Listed { run, arguments })
            })
    }

    /// Makes the run with this number, and prints its line of the journal.
    pub fn make_one(&self, number: usize) -> Result<(), String> {
        let run = number.checked_sub(1).and_then(|index| self.runs.get(index));
        let run = run.ok_or_else(|| {
            format!(
                "--sweep-run {number}: the runs have the numbers 1 to {}",
                self.runs.len()
            )
        })?;
        print_json(&mut io::stdout().lock(), &make(&program()?, run))
    }

    fn journal(&self) -> Result<Journal, String> {
        let mut path = self.table.as_os_str().to_owned();
        path.push(".partial");
        Journal::open(Path::new(&path), &program_hash()?)
    }

    /// Numbers, from 1, and runs that have no report.
    fn missing<'a>(&'a self, journal: &Journal) -> impl Iterator<Item = (usize, &'a Run)> {
        let numbered = (1..).zip(&self.runs);
        numbered.filter(|(_, run)| !journal.has_report(&run.arguments))
    }
}

fn make(program: &Path, run: &Run) -> Line {
    let arguments = run.arguments.clone();
    let outcome = child::make(program, &arguments);
    Line { arguments, outcome }
}

fn print_json(out: &mut impl Write, line: &impl Serialize) -> Result<(), String> {
    let written = serde_json::to_writer(&mut *out, line).map_err(io::Error::from);
    written
        .and_then(|()| writeln!(out))
        .map_err(|problem| format!("cannot write to standard output: {problem}"))
}
