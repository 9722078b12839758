//! Runs one scene, balls or capsules that fall into a box and come to rest there, on this plugin and on other engines, and prints a
//! table of the time of a step and the quality of the rest.
//!
//! ```sh
//! cargo run --release --manifest-path benches/Cargo.toml --bin spheres
//! cargo run --release --manifest-path benches/Cargo.toml --bin spheres -- --capsules
//! cargo run --release --manifest-path benches/Cargo.toml --bin spheres -- --sleep --bodies 10000 --from 1200 --to 1300
//! cargo run --release --manifest-path benches/Cargo.toml --features box3d --bin spheres -- --engines impulse,box3d
//! cargo run --release --manifest-path benches/Cargo.toml --bin spheres -- --help
//! ```
//!
//! Each engine has its own defaults and runs in a process of its own, on as many processors as the others. No body may sleep, but
//! with `--sleep`.
//! The other engines get thick boxes for floor and walls: a half-space has no bounds, so they pair it with every body.
//! Overlap and speed are measured from the bodies' positions and velocities by the same function for all.

use std::{
    error::Error,
    fs::File,
    io::{BufWriter, Write},
    num::NonZero,
    ops::Range,
    path::PathBuf,
    process::ExitCode,
};

use benches::{
    engine::EngineName,
    exit::exit_code,
    run::{Outcome, Part, Run},
    scene::SceneKind,
    table,
};
use clap::{Parser, ValueEnum};
use serde::Serialize;

/// Times a step of balls, or capsules, that come to rest in a box, on this plugin and on other engines
#[derive(Parser)]
#[command(args_conflicts_with_subcommands = true)]
struct Options {
    #[command(subcommand)]
    part: Option<Part>,
    /// Numbers of bodies
    #[arg(long, value_delimiter = ',', default_value = "1000,10000,100000")]
    bodies: Vec<NonZero<usize>>,
    /// Engines; the ratios are to the first
    #[arg(
        long,
        value_delimiter = ',',
        value_enum,
        default_value = "impulse,rapier,avian"
    )]
    engines: Vec<EngineName>,
    /// Most bodies that an engine gets, ENGINE=BODIES [default: rapier=10000,avian=10000; with more these take long]
    #[arg(long, value_delimiter = ',', value_parser = parse_limit)]
    skip_above: Vec<(EngineName, usize)>,
    #[command(flatten)]
    kind: SceneKind,
    /// First step that is timed [default: 200, or 0 with --pour]
    #[arg(long)]
    from: Option<usize>,
    /// Step before which timing ends, and the run [default: 400, or 120 with --pour]
    #[arg(long)]
    to: Option<usize>,
    /// Processors for each engine, and threads; fewer than there are need `taskset` [default: all]
    #[arg(long)]
    threads: Option<NonZero<usize>>,
    /// File for all figures, the time of each step among them, as JSON
    #[arg(long)]
    json: Option<PathBuf>,
}

fn parse_limit(text: &str) -> Result<(EngineName, usize), String> {
    let (engine, bodies) = text
        .split_once('=')
        .ok_or("not of the form ENGINE=BODIES")?;
    let bodies = bodies
        .parse()
        .map_err(|problem| format!("{bodies}: {problem}"))?;
    Ok((EngineName::from_str(engine, true)?, bodies))
}

#[derive(Serialize)]
struct Record {
    #[serde(flatten)]
    run: Run,
    #[serde(flatten)]
    outcome: Outcome,
}

fn main() -> ExitCode {
    let options = Options::parse();
    exit_code(match &options.part {
        Some(part) => part.run(),
        None => options.compare(),
    })
}

impl Options {
    fn compare(&self) -> Result<(), Box<dyn Error>> {
        let timed = self.timed_steps()?;
        let threads = self
            .threads
            .map_or_else(std::thread::available_parallelism, Ok)?
            .get();
        // A file that cannot be written should be known before the runs, not after them.
        let file = self.json.as_deref().map(File::create).transpose()?;

        let Range { start, end } = timed;
        println!("Steps {start} to {end} of 1/60 s, {threads} threads.\n");
        println!("{}", table::HEAD);
        let mut records = Vec::new();
        let mut notes = Vec::new();
        for bodies in self.bodies.iter().map(|bodies| bodies.get()) {
            let mut reference = None;
            for &engine in &self.engines {
                let title = engine.title();
                if bodies > self.most_bodies(engine) {
                    notes.push(format!(
                        "{title} left out with {bodies} bodies; see --skip-above."
                    ));
                    continue;
                }
                let run = Run {
                    engine,
                    bodies,
                    kind: self.kind,
                    threads,
                    from: timed.start,
                    steps: timed.end,
                    counts: false,
                };
                match run.apart() {
                    Ok(outcome) => {
                        println!(
                            "{}",
                            table::row(&run, &outcome, timed.clone(), &mut reference)
                        );
                        let outside = outcome.state.outside;
                        if outside > 0 {
                            notes.push(format!("{title} let {outside} of {bodies} bodies out."));
                        }
                        records.push(Record { run, outcome });
                    }
                    Err(problem) => {
                        notes.push(format!("{title} failed with {bodies} bodies: {problem}."));
                    }
                }
            }
        }
        for note in notes {
            println!("\n{note}");
        }
        if let Some(file) = file {
            let mut writer = BufWriter::new(file);
            serde_json::to_writer(&mut writer, &records)?;
            writer.flush()?;
        }
        Ok(())
    }

    fn timed_steps(&self) -> Result<Range<usize>, String> {
        let (from, to) = if self.kind.pour { (0, 120) } else { (200, 400) };
        let (from, to) = (self.from.unwrap_or(from), self.to.unwrap_or(to));
        if from < to {
            Ok(from..to)
        } else {
            Err(format!("--to {to} is not after --from {from}"))
        }
    }

    fn most_bodies(&self, engine: EngineName) -> usize {
        let asked = self.skip_above.iter().find(|(name, _)| *name == engine);
        match (asked, engine) {
            (Some(&(_, most)), _) => most,
            (None, EngineName::Impulse) => usize::MAX,
            (None, EngineName::Rapier | EngineName::RapierMultibody | EngineName::Avian) => 10_000,
            #[cfg(feature = "box3d")]
            (None, EngineName::Box3d) => 10_000,
        }
    }
}
