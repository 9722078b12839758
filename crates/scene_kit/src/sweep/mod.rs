//! Thousands of runs: `--sweep FILE` makes a headless run for each combination of a scene's options, on all cores, and
//! writes one table.
//!
//! FILE lists options and their values:
//!
//! ```toml
//! [grid]
//! balls = [1000, 3000]                           # a list
//! friction = { from = 0.1, to = 0.5, count = 5 } # 0.1, 0.2, 0.3, 0.4, 0.5
//! spin = { from = 0.0, to = 0.3, step = 0.1 }    # 0, 0.1, 0.2, 0.3
//! seed = { from = 1, to = 20 }                   # whole numbers
//! drum = [false, true]                           # an option without a value: not given, given
//! seconds = 2                                    # the same for all runs
//! ```
//!
//! The runs are nested loops: the last option changes from run to run. All of them are parsed before the first one starts, so
//! that a wrong option is told at once.
//!
//! # The table
//!
//! A row is a run, in the order of the grid. Its columns are the options (`option.seed`), `error`, and the values of the report
//! (`energy.end`, `momentum.end.0`). Times of the machine are not in it ([`MACHINE_KEYS`](crate::report::MACHINE_KEYS)). So the
//! same build writes the same bytes, on any number of cores, and whether it was interrupted or not.
//!
//! # Interruption
//!
//! Each finished run is one line of a journal beside the table, `TABLE.partial`. The same command reads it, and makes the runs that
//! are not in it. A run that failed is a row with an `error`; it is made again next time. The journal is removed when all runs have
//! succeeded.
//!
//! # Processes
//!
//! Each run is a child process with one thread. Bevy's task pool belongs to a whole process: runs that share a process would wait
//! for each other, and a crash would end them all. A child stops when this process ends.
//!
//! `--sweep-list` and `--sweep-run` let another program share the runs out to several machines: `benches/sweep_on_ray.py` does.

mod child;
mod flat;
mod grid;
mod journal;
mod table;
mod values;
mod work;

use std::{
    fs, iter,
    num::NonZero,
    path::{Path, PathBuf},
    process,
};

use clap::{
    ArgMatches, Args, Command, FromArgMatches, Id, Parser, error::ErrorKind, parser::ValueSource,
};

use self::{
    grid::{Grid, Run},
    work::Sweep,
};
use crate::console;

// The options with which every scene makes a sweep. Clap would show a documentation comment in place of the scene's own.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Thousands of runs")]
struct SweepOptions {
    /// Make a headless run for each combination of the options in FILE, and write one table. If it is interrupted, the same command
    /// goes on where it stopped
    #[arg(long, value_name = "FILE")]
    sweep: Option<PathBuf>,
    /// File for the table, as CSV [default: the name of the sweep's file with the ending .csv, in this folder]
    #[arg(long, value_name = "TABLE", requires = "sweep")]
    sweep_table: Option<PathBuf>,
    /// Runs at the same time [default: one on each core]
    #[arg(long, value_name = "N", requires = "sweep")]
    jobs: Option<NonZero<usize>>,
    /// Make no run, but print a line for each run that has no report yet: its number and its arguments, as JSON
    #[arg(long, requires = "sweep", conflicts_with = "sweep_run")]
    sweep_list: bool,
    /// Make run N only, and print its line of the journal
    #[arg(long, value_name = "N", requires = "sweep")]
    sweep_run: Option<usize>,
    /// End when standard input ends
    #[arg(long = child::STOP_WITH_STDIN, hide = true)]
    stop_with_stdin: bool,
}

/// The command line of a scene. With `--sweep` it makes the runs instead, and ends the program.
pub fn parse<O: Parser>() -> O {
    let command = SweepOptions::augment_args(O::command());
    let mut matches = (command.clone())
        .try_get_matches_from(console::arguments())
        .unwrap_or_else(|problem| console::exit_with(&problem));
    let options = SweepOptions::from_arg_matches(&matches)
        .unwrap_or_else(|problem| console::exit_with(&problem));
    if options.stop_with_stdin {
        crate::child::stop_with_stdin();
    }
    let Some(file) = &options.sweep else {
        return O::from_arg_matches_mut(&mut matches)
            .unwrap_or_else(|problem| console::exit_with(&problem.format(&mut command.clone())));
    };
    if let Some(name) = stray_option(&command, &matches) {
        let message =
            format!("--{name} belongs in the sweep's file, as it is an option of its runs");
        let problem = command.clone().error(ErrorKind::ArgumentConflict, message);
        problem.exit();
    }
    let check = |run: &Run| {
        let program = iter::once(command.get_name());
        let words = program.chain(run.arguments.iter().map(String::as_str));
        O::try_parse_from(words.chain(["--headless"])).map(drop)
    };
    match run(file, &options, check) {
        Ok(true) => process::exit(0),
        Ok(false) => process::exit(1),
        Err(problem) => {
            eprintln!("error: {problem}");
            process::exit(2)
        }
    }
}

/// An option beside `--sweep` that its runs could have, and so would be overlooked.
fn stray_option<'a>(command: &'a Command, matches: &ArgMatches) -> Option<&'a str> {
    let own = SweepOptions::augment_args(Command::new("sweep"));
    let is_own = |id: &Id| id == "headless" || own.get_arguments().any(|own| own.get_id() == id);
    let is_given = |id: &Id| matches.value_source(id.as_str()) == Some(ValueSource::CommandLine);
    let stray = command
        .get_arguments()
        .find(|argument| is_given(argument.get_id()) && !is_own(argument.get_id()))?;
    Some(stray.get_long().unwrap_or(stray.get_id().as_str()))
}

/// Whether all runs succeeded.
fn run(
    file: &Path,
    options: &SweepOptions,
    check: impl Fn(&Run) -> Result<(), clap::Error>,
) -> Result<bool, String> {
    let grid = Grid::read(file)?;
    let runs = grid.runs();
    for (number, run) in (1..).zip(&runs) {
        check(run).map_err(|problem| {
            format!("{}: run {number}: {}", file.display(), in_line(&problem))
        })?;
    }
    let default = || Some(Path::new(file.file_name()?).with_extension("csv"));
    let table = options.sweep_table.clone().or_else(default);
    let table = table.ok_or_else(|| format!("{} is no file", file.display()))?;
    if is_same_file(&table, file) {
        return Err(format!(
            "the table would replace {}; name it with --sweep-table",
            file.display()
        ));
    }
    let sweep = Sweep { grid, runs, table };
    match options.sweep_run {
        Some(number) => sweep.make_one(number).map(|()| true),
        None if options.sweep_list => sweep.list().map(|()| true),
        None => sweep.make_all(options.jobs),
    }
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

/// The message of clap in one line, without the usage.
fn in_line(problem: &clap::Error) -> String {
    let text = problem.to_string();
    let lines = text.lines().map(str::trim);
    let lines =
        lines.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"));
    let lines: Vec<_> = lines.filter(|line| !line.is_empty()).collect();
    lines.join("; ").trim_start_matches("error: ").to_owned()
}
