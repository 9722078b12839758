//! Times platforms that a system moves by their `Transform`, with a ball on each.
//!
//! ```sh
//! cargo run --release --manifest-path benches/Cargo.toml --bin platforms
//! ```
//!
//! A step is a whole update of the app, less that of an app without bodies, which is timed in turn.

use benches::{
    times::in_turn,
    worlds::{empty_app, measure_parts, parts, platforms::platforms},
};
use clap::Parser;

/// Times platforms that move by their `Transform`, with a ball on each
#[derive(Parser)]
struct Options {
    /// Numbers of platforms
    #[arg(long, value_delimiter = ',', default_value = "1000,5000")]
    platforms: Vec<usize>,
    /// Steps before the first that is timed
    #[arg(long, default_value_t = 60)]
    settling: usize,
    /// Steps that are timed
    #[arg(long, default_value_t = 200)]
    steps: usize,
    /// Prints the mean times of the parts of a step too
    #[arg(long)]
    parts: bool,
}

fn main() {
    let options = Options::parse();
    println!("| platforms | ms a step, median | worst |");
    println!("| ---: | ---: | ---: |");
    let mut empty = empty_app();
    let mut nothing = || empty.update();
    for &count in &options.platforms {
        let mut app = platforms(count);
        if options.parts {
            measure_parts(&mut app);
        }
        let mut step = || app.update();
        in_turn(&mut nothing, &mut [&mut step], options.settling);
        let times = in_turn(&mut nothing, &mut [&mut step], options.steps);
        let (median, worst) = (times[0].median(), times[0].worst());
        println!("| {count} | {median:.2} | {worst:.2} |");
        if options.parts {
            for (part, mean) in parts(&app) {
                println!("  {part} {mean:.3}");
            }
        }
    }
}
