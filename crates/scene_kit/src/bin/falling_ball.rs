//! The smallest scene: a ball falls on a plane, or does not. The laws of sweeps run it.

use std::{fs, path::PathBuf, process};

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use clap::Parser;
use rand::Rng;
use scene_kit::{RunOptions, run_scene, scene_app};
use serde::Serialize;

/// A ball that falls on a plane.
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    run: RunOptions,
    /// Height of its centre at the start, in metres
    #[arg(long, value_name = "M", default_value_t = 5.0)]
    height: f32,
    /// Read the height from FILE instead
    #[arg(long, value_name = "FILE")]
    height_file: Option<PathBuf>,
    /// End at once, as a program does that crashes
    #[arg(long)]
    crash: bool,
}

#[derive(Serialize)]
struct BallReport {
    height: f32,
    place: [f32; 2],
}

fn main() -> AppExit {
    let Options {
        run,
        height,
        height_file,
        crash,
    } = scene_kit::parse();
    if crash {
        process::abort();
    }
    let height = match height_file.map(read_height).transpose() {
        Ok(read) => read.unwrap_or(height),
        Err(problem) => {
            eprintln!("error: {problem}");
            return AppExit::error();
        }
    };
    let mut rng = run.rng(0);
    let mut place = || rng.random_range(-1.0..1.0);
    let start = Vec3::new(place(), height, place());
    let mut app = scene_app("A ball", &run);
    app.insert_resource(Gravity(Vec3::NEG_Y * 9.81))
        .add_systems(Startup, move |mut commands: Commands| {
            commands.spawn(Plane::new(Vec3::Y));
            let at = Transform::from_translation(start);
            commands.spawn((Particle::new(0.5), Restitution(0.9), at));
        });
    run_scene(app, "falling ball", &run, |world| {
        let mut balls = world.query_filtered::<&Transform, With<Particle>>();
        let at = balls
            .iter(world)
            .next()
            .map_or(Vec3::ZERO, |ball| ball.translation);
        BallReport {
            height: at.y,
            place: [at.x, at.z],
        }
    })
}

fn read_height(file: PathBuf) -> Result<f32, String> {
    let text = fs::read_to_string(file).map_err(|problem| format!("no height: {problem}"))?;
    let height = text.trim().parse();
    height.map_err(|_| format!("`{}` is no height", text.trim()))
}
