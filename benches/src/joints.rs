//! Runs worlds of bodies with ball joints on this plugin and on other engines, and prints a table: how far the joints are apart, and
//! how long a step takes.
//!
//! ```sh
//! cargo run --release --manifest-path benches/Cargo.toml --features box3d --bin joints
//! cargo run --release --manifest-path benches/Cargo.toml --features box3d --bin joints -- --worlds pendulum,dolls --dolls 160
//! cargo run --release --manifest-path benches/Cargo.toml --bin joints -- --help
//! ```
//!
//! Each engine has the setting that its documentation advises, on as many threads as the others. Two bodies with a joint do not
//! collide. Positions are read by the same function for all: a joint is apart by the distance of its two points.

use std::process::ExitCode;

use benches::{
    engine::{EngineName, all_threads},
    exit::exit_code,
    joined::Joined,
    scene::{Body, HZ, Scene},
    times::{Times, step_ms},
};
use bevy::math::{DVec3, Vec3};
use clap::{Parser, ValueEnum};

/// Compares worlds of bodies with ball joints, on this plugin and on other engines
#[derive(Parser)]
struct Options {
    /// Worlds [default: all]
    #[arg(long, value_delimiter = ',', value_enum)]
    worlds: Vec<Joined>,
    /// Engines [default: all]
    #[arg(long, value_delimiter = ',', value_enum)]
    engines: Vec<EngineName>,
    /// Side of the grid
    #[arg(long, default_value_t = 30)]
    grid: usize,
    /// Number of ragdolls
    #[arg(long, default_value_t = 20)]
    dolls: usize,
    /// Number of links of the pendulum
    #[arg(long, default_value_t = 50)]
    links: usize,
    /// Length of a run in s
    #[arg(long, default_value_t = 10.0)]
    seconds: f64,
    /// Threads [default: all]
    #[arg(long)]
    threads: Option<usize>,
}

fn main() -> ExitCode {
    exit_code(Options::parse().compare())
}

impl Options {
    fn compare(&self) -> Result<(), String> {
        let all = EngineName::value_variants();
        let engines = if self.engines.is_empty() {
            all
        } else {
            &self.engines
        };
        let all = Joined::value_variants();
        let worlds = if self.worlds.is_empty() {
            all
        } else {
            &self.worlds
        };
        println!(
            "| world | engine | apart at most, m | at the end, rms, m | stretch at most | moves at the end, m/s | ms a step, median | worst | at the end |"
        );
        println!("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
        for &world in worlds {
            let size = match world {
                Joined::Dolls => self.dolls,
                Joined::Pendulum => self.links,
                _ => self.grid,
            };
            for &engine in engines {
                let cells = self.run(engine, &world.scene(size))?;
                let name = world.to_possible_value();
                let name = name.map_or_else(String::new, |name| name.get_name().to_owned());
                println!("| {name} | {} |{cells}", engine.title());
            }
        }
        Ok(())
    }

    fn run(&self, engine: EngineName, scene: &Scene) -> Result<String, String> {
        let threads = self.threads.unwrap_or_else(all_threads);
        let mut engine = engine.spawn(scene, threads)?;
        let steps = (self.seconds * HZ) as usize;
        let (mut times, mut apart, mut longest) = (Vec::new(), 0f64, 0f64);
        let length = reach(scene, &scene.bodies);
        for _ in 0..steps {
            times.push(step_ms(&mut || engine.step()));
            let bodies = engine.bodies()?;
            apart = gaps(scene, &bodies).fold(apart, larger);
            longest = larger(longest, reach(scene, &bodies));
        }
        let bodies = engine.bodies()?;
        let count = scene.joints.len() as f64;
        let rms = (gaps(scene, &bodies).map(|gap| gap * gap).sum::<f64>() / count).sqrt();
        let speed = bodies
            .iter()
            .map(|body| body.velocity.length())
            .fold(0.0, f32::max);
        let last = Times::new(times[steps - steps / 5..].to_vec());
        let times = Times::new(times);
        Ok(format!(
            " {apart:.1e} | {rms:.1e} | {:.1e} | {speed:.1e} | {:.2} | {:.2} | {:.2} |",
            longest / length - 1.0,
            times.median(),
            times.worst(),
            last.median(),
        ))
    }
}

/// How far the two points of each joint are apart, in m.
fn gaps(scene: &Scene, bodies: &[Body]) -> impl Iterator<Item = f64> {
    scene.joints.iter().map(|joint| {
        let anchors = joint.anchors(&scene.bodies);
        let sides = joint.sides();
        let point = |k: usize| match sides[k] {
            Some(i) => place(&bodies[i], anchors[k]),
            None => anchors[k].as_dvec3(),
        };
        point(0).distance(point(1))
    })
}

/// From the first joint to the last one, on the last body: of a chain, its length.
fn reach(scene: &Scene, bodies: &[Body]) -> f64 {
    let (Some(first), Some(last)) = (scene.joints.first(), scene.joints.last()) else {
        return 0.0;
    };
    let [_, on_last] = last.anchors(&scene.bodies);
    let end = place(&bodies[last.b], on_last);
    first.point.as_dvec3().distance(end)
}

fn place(body: &Body, point: Vec3) -> DVec3 {
    body.position.as_dvec3() + body.rotation.as_dquat() * point.as_dvec3()
}

/// One that is no number is infinite.
fn larger(a: f64, b: f64) -> f64 {
    if b.is_nan() { f64::INFINITY } else { a.max(b) }
}
