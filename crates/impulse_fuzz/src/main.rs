//! The command line of the fuzzer.

use std::{
    convert::Infallible,
    path::{Path, PathBuf},
    process::ExitCode,
    str::FromStr,
    time::Duration,
};

use bevy_impulse_recorder::{Outcome, Recording, play_headless};
use clap::{Parser, ValueEnum};
use impulse_fuzz::{
    failure::Failure,
    fuzz::on_all_threads,
    generate::{kind_and_start, world},
    print::as_test,
    report::table,
    run::{catch_panics, record, run},
    seeds,
    shrink::{Failing, shrink},
    world::{Kind, Start},
};
use indicatif::{ProgressBar, ProgressStyle};

/// Makes random worlds, steps them, and checks the laws of the physics after every step.
#[derive(Parser)]
struct Options {
    /// Number of worlds
    #[arg(long, default_value_t = 1000)]
    worlds: usize,
    /// Steps of each world
    #[arg(long, default_value_t = 300)]
    steps: u32,
    /// Seed of the first world; the others follow
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Worlds with this start alone
    #[arg(long, value_enum, default_value_t = Starts::Both)]
    start: Starts,
    /// Worlds of this kind alone
    #[arg(long, value_enum)]
    kind: Option<Kind>,
    /// Shrink the first failures of each law, and print each as a test
    #[arg(long)]
    shrink: bool,
    /// How many failures of each law to shrink or to keep
    #[arg(long, default_value_t = 3)]
    each: usize,
    /// Seconds for one shrinking
    #[arg(long, default_value_t = 60)]
    shrink_seconds: u64,
    /// Add the first failing seeds of each law to seeds.txt
    #[arg(long)]
    keep: bool,
    /// Write the first failing worlds of each law as recordings into this folder: the example `replay` shows them
    #[arg(long, value_name = "FOLDER")]
    record: Option<PathBuf>,
    /// Run the world with this seed alone, or play this recording
    #[arg(long, value_name = "SEED|FILE")]
    replay: Option<Replay>,
}

/// What is run again.
#[derive(Clone, Debug)]
enum Replay {
    Seed(u64),
    File(PathBuf),
}

impl FromStr for Replay {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(text
            .parse()
            .map_or_else(|_| Self::File(text.into()), Self::Seed))
    }
}

/// The starts that are wanted.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Starts {
    Clear,
    Overlapping,
    Both,
}

impl Options {
    /// Whether a world with this seed is wanted.
    fn wants(&self, seed: u64) -> bool {
        let (kind, start) = kind_and_start(seed);
        let is_start = match self.start {
            Starts::Clear => start == Start::Clear,
            Starts::Overlapping => start == Start::Overlapping,
            Starts::Both => true,
        };
        is_start && self.kind.is_none_or(|wanted| wanted == kind)
    }

    fn seeds(&self) -> Vec<u64> {
        match self.replay {
            Some(Replay::Seed(seed)) => vec![seed],
            _ => (self.seed..)
                .filter(|&seed| self.wants(seed))
                .take(self.worlds)
                .collect(),
        }
    }
}

fn main() -> ExitCode {
    let options = Options::parse();
    if let Some(Replay::File(file)) = &options.replay {
        return play(file);
    }
    catch_panics();
    let seeds = options.seeds();
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} worlds, {msg}, {eta} left");
    let progress = ProgressBar::new(seeds.len() as u64);
    progress.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let results = on_all_threads(seeds.into_iter(), |seed| {
        let failure = run(&world(seed), options.steps);
        progress.set_message(format!("last seed {seed}"));
        progress.inc(1);
        failure
    });
    progress.finish_and_clear();
    print!("{}", table(&results));
    let first = first_of_each_law(&results, options.each);
    if let Some(Replay::Seed(seed)) = options.replay {
        println!("{:#?}", world(seed));
    }
    for (seed, failure) in &first {
        println!("seed {seed}, {failure}");
    }
    if options.keep
        && let Err(error) = keep(&first)
    {
        eprintln!("error: {}: {error}", seeds::file().display());
        return ExitCode::FAILURE;
    }
    if let Some(folder) = &options.record {
        for (seed, failure) in &first {
            match write(*seed, failure, folder) {
                Ok(path) => println!("seed {seed}: {}", path.display()),
                Err(problem) => eprintln!("error: seed {seed} is not recorded: {problem}"),
            }
        }
    }
    if options.shrink {
        print_tests(&options, &first);
    }
    if first.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Plays a recording, and says whether the bits are the same.
fn play(file: &Path) -> ExitCode {
    let outcome = match Recording::read(file) {
        Ok(recording) => {
            println!("{}", recording.header.why);
            play_headless(recording, None)
        }
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::FAILURE;
        }
    };
    println!("{outcome}");
    match outcome {
        Outcome::SameBits { .. } => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn write(seed: u64, failure: &Failure, folder: &Path) -> Result<PathBuf, String> {
    let recording = record(&world(seed), failure).ok_or("it has made no step")?;
    let written = recording.write_in(folder);
    written.map_err(|error| error.to_string())
}

/// The first failures of each law.
fn first_of_each_law(results: &[(u64, Option<Failure>)], each: usize) -> Vec<(u64, &Failure)> {
    let mut first: Vec<(u64, &Failure)> = Vec::new();
    for (seed, failure) in results {
        let Some(failure) = failure else { continue };
        let is_same = |(_, known): &&(u64, &Failure)| known.law.name() == failure.law.name();
        if first.iter().filter(is_same).count() < each {
            first.push((*seed, failure));
        }
    }
    first.sort_by_key(|(_, failure)| failure.law.name());
    first
}

fn keep(failures: &[(u64, &Failure)]) -> std::io::Result<()> {
    failures
        .iter()
        .try_for_each(|(seed, failure)| seeds::keep(*seed, &failure.to_string()))
}

fn print_tests(options: &Options, failures: &[(u64, &Failure)]) {
    let limit = Duration::from_secs(options.shrink_seconds);
    let tests = on_all_threads(0..failures.len(), |i| {
        let (seed, failure) = failures[i];
        let failing = Failing {
            world: world(seed),
            failure: failure.clone(),
        };
        as_test(&shrink(failing, limit))
    });
    for (_, test) in tests {
        println!("\n{test}");
    }
}
