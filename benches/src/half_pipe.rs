//! Lets a ball swing in a half-pipe, on this plugin and on other engines, and prints a table of its heights at the turning points.
//!
//! ```sh
//! cargo run --release --manifest-path benches/Cargo.toml --bin half_pipe
//! cargo run --release --manifest-path benches/Cargo.toml --features box3d --bin half_pipe -- --engines impulse,box3d
//! cargo run --release --manifest-path benches/Cargo.toml --bin half_pipe -- --help
//! ```
//!
//! The pipe is the same mesh for all. There is no friction, and nothing bounces, so the ball should come as high as at the start
//! in each swing. Each engine uses its own means against bumps at the edges between triangles: this plugin follows the normals of
//! the vertices, the others have an option. The rows "plain" are without it.

use std::{num::NonZero, process::ExitCode};

use benches::{
    engine::{Engine, EngineName},
    exit::exit_code,
    pipe::{self, Exit},
    scene::HZ,
};
use clap::Parser;

/// Compares how high a smooth ball comes in a half-pipe, on this plugin and on other engines
#[derive(Parser)]
struct Options {
    /// Engines
    #[arg(
        long,
        value_delimiter = ',',
        value_enum,
        default_value = "impulse,rapier,avian"
    )]
    engines: Vec<EngineName>,
    /// Strips of the half-pipe, each cut in two triangles
    #[arg(long, value_delimiter = ',', default_value = "32,128,1024")]
    facets: Vec<NonZero<u16>>,
    /// Times in whole seconds; the height is the greatest in the swing about each
    #[arg(long, value_delimiter = ',', default_value = "10,30,60")]
    seconds: Vec<u32>,
}

fn main() -> ExitCode {
    exit_code(Options::parse().compare())
}

impl Options {
    fn compare(&self) -> Result<(), String> {
        let times = self.seconds.iter();
        let head: String = times.map(|s| format!(" after {s} s |")).collect();
        println!(
            "Greatest height in a swing, in m; it should stay {:.4}.\n",
            pipe::turning_height()
        );
        println!("| engine | mesh | facets |{head}");
        println!(
            "| --- | --- | ---: |{}",
            " ---: |".repeat(self.seconds.len())
        );
        for &engine in &self.engines {
            for plain in [false, true] {
                for facets in &self.facets {
                    let scene = pipe::scene(facets.get().into(), plain);
                    let cells = self.heights(engine.spawn(&scene, 1)?)?;
                    let mesh = if plain { "plain" } else { engine.edge_help() };
                    println!("| {} | {mesh} | {facets} |{cells}", engine.title());
                }
            }
        }
        Ok(())
    }

    /// The last columns of a row: at each time the greatest height from half a swing before to half a swing after.
    fn heights(&self, mut engine: Box<dyn Engine>) -> Result<String, String> {
        let half_swing = pipe::steps_per_swing() / 2;
        let step = |seconds: &u32| (f64::from(*seconds) * HZ) as usize;
        let last = self.seconds.iter().map(step).max().unwrap_or(0) + half_swing;
        let mut heights = Vec::new();
        let mut exit = None;
        while exit.is_none() && heights.len() <= last {
            let bodies = engine.bodies()?;
            exit = bodies.iter().find_map(pipe::exit);
            heights.extend(bodies.iter().map(pipe::height));
            engine.step();
        }
        let cell = |seconds| {
            let middle = step(seconds);
            let swing = heights.get(middle.saturating_sub(half_swing)..=middle + half_swing);
            match (swing, exit) {
                (Some(swing), _) => {
                    let highest = swing.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                    format!(" {highest:.4} |")
                }
                (None, Some(Exit::End)) => " past the end |".to_owned(),
                (None, _) => " lost |".to_owned(),
            }
        };
        Ok(self.seconds.iter().map(cell).collect())
    }
}
