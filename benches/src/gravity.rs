//! Times self-gravity on a heap of balls, and measures its error against the direct sum.
//!
//! `cargo run --release --manifest-path benches/Cargo.toml --bin gravity -- --help`

use std::{
    fs::File,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
    time::Instant,
};

use bevy::{
    math::{DVec3, Vec3},
    tasks::{TaskPool, TaskPoolBuilder},
};
use bevy_impulse_collide::field::{GravityMethod, GravitySolver, SelfGravity};
use clap::Parser;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Times self-gravity on a heap of balls, and measures its error against the direct sum
#[derive(Parser)]
struct Options {
    /// Numbers of balls
    #[arg(long, value_delimiter = ',', default_values_t = [1_000, 10_000, 100_000])]
    balls: Vec<usize>,
    /// Opening angle of the tree [default: the crate's]
    #[arg(long)]
    opening_angle: Option<f32>,
    /// Threads
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Evaluations of each; their median time is told
    #[arg(long, default_value_t = 25)]
    evaluations: usize,
    /// Folder for the bodies of each run as text, a ball a line: x, y, z, radius, mass
    #[arg(long)]
    write_bodies: Option<PathBuf>,
}

/// Balls that nearly touch, in a large ball of balls: a cloud that falls together under its own gravity ends as such a heap.
#[derive(Default)]
struct Heap {
    position: Vec<Vec3>,
    radius: Vec<f32>,
    mass: Vec<f32>,
}

impl Heap {
    /// Radii of 0.5 to 2 m, mass r³, on the places of a face-centred cubic lattice, shaken a little. The balls fill 0.6 of
    /// the space that they are in.
    fn new(balls: usize) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let radius: Vec<f32> = (0..balls).map(|_| rng.random_range(0.5..2.0)).collect();
        let mass: Vec<f32> = radius.iter().map(|r| r.powi(3)).collect();
        let volume = mass.iter().sum::<f32>() * 4.0 / 3.0 * std::f32::consts::PI / 0.6;
        // Four places a cubic cell.
        let cell = (4.0 * volume / balls as f32).cbrt();
        let reach = (balls as f32).cbrt() as i32 + 2;
        let mut position = Vec::new();
        for i in -reach..=reach {
            for j in -reach..=reach {
                for k in -reach..=reach {
                    if (i + j + k) % 2 == 0 {
                        let place = [i, j, k].map(|n| n as f32 + rng.random_range(-0.1..0.1));
                        position.push(Vec3::from(place) * 0.5 * cell);
                    }
                }
            }
        }
        position.sort_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
        position.truncate(balls);
        Self {
            position,
            radius,
            mass,
        }
    }

    fn write(&self, path: &Path) -> std::io::Result<()> {
        let mut file = BufWriter::new(File::create(path)?);
        for ((x, r), m) in self.position.iter().zip(&self.radius).zip(&self.mass) {
            writeln!(file, "{} {} {} {r} {m}", x.x, x.y, x.z)?;
        }
        file.flush()
    }

    /// Accelerations, and the median time of an evaluation in ms.
    fn solve(
        &self,
        method: GravityMethod,
        pool: &TaskPool,
        evaluations: usize,
    ) -> (Vec<DVec3>, f64) {
        let field = SelfGravity {
            method,
            ..Default::default()
        };
        let position: Vec<DVec3> = self.position.iter().map(|x| x.as_dvec3()).collect();
        let mut solver = GravitySolver::default();
        let mut times: Vec<f64> = (0..evaluations.max(1))
            .map(|_| {
                let start = Instant::now();
                solver.solve(&field, &position, &self.mass, &self.radius, pool);
                1e3 * start.elapsed().as_secs_f64()
            })
            .collect();
        times.sort_by(f64::total_cmp);
        (solver.accelerations, times[times.len() / 2])
    }
}

fn main() -> std::io::Result<()> {
    let options = Options::parse();
    let method = options
        .opening_angle
        .map_or_else(GravityMethod::default, |opening_angle| {
            GravityMethod::Tree { opening_angle }
        });
    // The calling thread does its share.
    let pool = TaskPoolBuilder::new()
        .num_threads(options.threads.saturating_sub(1))
        .build();
    println!("balls tree_ms direct_ms median_error error_99");
    for &balls in &options.balls {
        let heap = Heap::new(balls);
        if let Some(folder) = &options.write_bodies {
            heap.write(&folder.join(format!("bodies_{balls}.txt")))?;
        }
        let (tree, tree_time) = heap.solve(method, &pool, options.evaluations);
        let (direct, direct_time) = heap.solve(GravityMethod::Direct, &pool, 1);
        let error = |(a, b): (&DVec3, &DVec3)| a.distance(*b) / b.length();
        let mut errors: Vec<f64> = tree.iter().zip(&direct).map(error).collect();
        errors.sort_by(f64::total_cmp);
        let at = |share: usize| {
            errors
                .get(errors.len() * share / 100)
                .copied()
                .unwrap_or(0.0)
        };
        println!(
            "{balls} {tree_time:.3} {direct_time:.3} {:.3e} {:.3e}",
            at(50),
            at(99)
        );
    }
    Ok(())
}
