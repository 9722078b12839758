//! What it costs that bodies come and go: a heap of balls in which some are despawned and as many are spawned in each step.
//!
//! ```sh
//! cargo run --release --manifest-path benches/Cargo.toml --bin churn
//! ```
//!
//! The same heap runs beside it without that; both are timed in turn, so a busy machine slows both.

use benches::{
    times::in_turn,
    worlds::{churn::Churn, measure_parts, parts},
};
use clap::Parser;

/// Times a heap in which bodies come and go, beside one in which they stay.
#[derive(Parser)]
struct Options {
    /// Balls in the heap; all are awake.
    #[arg(long, default_value_t = 10_000)]
    bodies: usize,
    /// Balls that are despawned, and spawned, in each step.
    #[arg(long, default_value_t = 20)]
    churn: usize,
    /// The new balls fall from above the heap. Otherwise each comes to the place of one that has gone, and what is timed is the
    /// coming and going alone.
    #[arg(long)]
    fall: bool,
    /// Prints the mean times of the parts of a step too.
    #[arg(long)]
    parts: bool,
    /// Steps before the first that is timed.
    #[arg(long, default_value_t = 400)]
    settling: usize,
    /// Steps that are timed.
    #[arg(long, default_value_t = 300)]
    steps: usize,
}

fn main() {
    let options = Options::parse();
    let heap = || {
        let mut heap = Churn::new(options.bodies, options.settling);
        if options.parts {
            measure_parts(&mut heap.app);
        }
        heap
    };
    let (mut still, mut churned) = (heap(), heap());
    let times = in_turn(
        &mut || (),
        &mut [&mut || still.step(0, false), &mut || {
            churned.step(options.churn, options.fall);
        }],
        options.steps,
    );
    println!("| balls that come and go in a step | ms a step, median | worst |");
    println!("| ---: | ---: | ---: |");
    for (number, times) in [0, options.churn].iter().zip(&times) {
        println!(
            "| {number} | {:.2} | {:.2} |",
            times.median(),
            times.worst()
        );
    }
    let ratio = times[1].median() / times[0].median();
    println!("\nratio of the medians: {ratio:.3}");
    if options.parts {
        println!("\n| part, mean of the last steps in ms | without | with |");
        println!("| --- | ---: | ---: |");
        for ((part, without), (_, with)) in parts(&still.app).zip(parts(&churned.app)) {
            println!("| {part} | {without:.2} | {with:.2} |");
        }
    }
}
