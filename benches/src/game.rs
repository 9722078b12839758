//! The physics of a game's level: bodies thrown about on a mesh, movers, sensors, rays, and bodies that come and go.
//!
//! ```sh
//! cargo run --release --manifest-path benches/Cargo.toml --bin game
//! cargo run --release --manifest-path benches/Cargo.toml --bin game -- --help
//! ```
//!
//! The same level runs without each of these parts too, and all are timed in turn, so that a busy machine slows them alike. A step is
//! a whole update of the app, less that of an app without bodies.

use benches::{
    times::{Step, in_turn},
    worlds::{
        empty_app,
        level::{Level, LevelKind},
        measure_parts, parts,
    },
};
use clap::Parser;

/// Times a game's level, and the same without each of its parts
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    kind: LevelKind,
    /// Steps before the first that is timed
    #[arg(long, default_value_t = 120)]
    settling: usize,
    /// Steps that are timed
    #[arg(long, default_value_t = 600)]
    steps: usize,
    /// Runs the whole level alone, and prints the mean times of the parts of a step
    #[arg(long)]
    parts: bool,
}

fn main() {
    let options = Options::parse();
    let mut levels = vec![("all", Level::new(options.kind))];
    if options.parts {
        measure_parts(&mut levels[0].1.app);
    } else {
        let mut without = |name, change: fn(&mut LevelKind)| {
            let mut kind = options.kind;
            change(&mut kind);
            levels.push((name, Level::new(kind)));
        };
        without("no movers", |it| it.movers = 0);
        without("no sensors", |it| it.sensors = 0);
        without("no rays", |it| it.rays = 0);
        without("none come and go", |it| it.churn = 0);
        without("balls alone", |it| it.capsules = 0);
    }
    let mut empty = empty_app();
    let mut nothing = || empty.update();
    let mut steps: Vec<_> = levels
        .iter_mut()
        .map(|(_, level)| || level.step())
        .collect();
    let mut steps: Vec<Step> = steps.iter_mut().map(|step| step as Step).collect();
    in_turn(&mut nothing, &mut steps, options.settling);
    let times = in_turn(&mut nothing, &mut steps, options.steps);
    drop(steps);
    println!("| level | ms a step, median | 99 of 100 under | worst |");
    println!("| --- | ---: | ---: | ---: |");
    for ((name, _), times) in levels.iter().zip(&times) {
        let (median, worst) = (times.median(), times.worst());
        println!(
            "| {name} | {median:.2} | {:.2} | {worst:.2} |",
            times.at(0.99)
        );
    }
    if options.parts {
        println!("\n| part, mean of the last steps | |");
        println!("| --- | ---: |");
        for (part, mean) in parts(&levels[0].1.app) {
            println!("| {part} | {mean:.3} |");
        }
    }
}
