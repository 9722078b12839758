//! What recording costs a step: a heap of balls that is dug in each step, without the recorder and with it, by turns.
//!
//! ```sh
//! cargo run --example recorder_cost -- 1000 10000
//! ```

use std::time::{Duration, Instant};

use bevy::{prelude::*, time::TimePlugin};
use bevy_impulse_collide::prelude::*;
use bevy_impulse_recorder::{RecorderPlugin, recording_of};

const STEP: Duration = Duration::from_nanos(16_666_667);

/// Steps in which the heap falls together, and steps that are timed.
const STEPS: [usize; 2] = [120, 360];

fn main() {
    let counts: Vec<usize> = std::env::args()
        .skip(1)
        .filter_map(|count| count.parse().ok())
        .collect();
    let counts = if counts.is_empty() {
        vec![1000, 10_000]
    } else {
        counts
    };
    println!(
        "{:>7} {:>9} {:>11} {:>11}",
        "balls", "recorder", "median ms", "worst ms"
    );
    for count in counts {
        let mut worlds = [heap(count, false), heap(count, true)];
        let mut times = [Vec::new(), Vec::new()];
        for step in 0..STEPS[0] + STEPS[1] {
            for (app, times) in worlds.iter_mut().zip(&mut times) {
                dig(app, step);
                let start = Instant::now();
                bevy_impulse_collide::step(app.world_mut(), STEP);
                let time = start.elapsed();
                app.world_mut().clear_trackers();
                if step >= STEPS[0] {
                    times.push(time);
                }
            }
        }
        for (name, times) in ["without", "with"].iter().zip(&mut times) {
            times.sort_unstable();
            let ms = |time: Duration| 1e3 * time.as_secs_f64();
            let (median, worst) = (ms(times[times.len() / 2]), ms(times[times.len() - 1]));
            println!("{count:>7} {name:>9} {median:>11.2} {worst:>11.2}");
        }
        let start = Instant::now();
        let recording = recording_of(worlds[1].world_mut(), "a measurement");
        let text = recording.as_ref().map(|recording| recording.to_text());
        if let (Some(recording), Some(Ok(text))) = (recording, text) {
            println!(
                "{count:>7} a file of {:.1} s: {:.1} MB, written in {:.2} s",
                recording.seconds(),
                1e-6 * text.len() as f64,
                start.elapsed().as_secs_f64()
            );
        }
    }
}

fn heap(count: usize, is_recorded: bool) -> App {
    let mut app = App::new();
    app.add_plugins((
        TaskPoolPlugin::default(),
        TimePlugin,
        ImpulseCollidePlugin { interpolate: false },
    ));
    if is_recorded {
        app.add_plugins(RecorderPlugin {
            key: None,
            on_bad_input: false,
            ..default()
        });
    }
    let world = app.world_mut();
    world.spawn(Plane::new(Vec3::Y));
    let side = (count as f32 / 4.0).cbrt().ceil();
    for wall in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
        world.spawn((
            Plane::new(wall),
            Transform::from_translation(-0.13 * side * wall),
        ));
    }
    for k in 0..count {
        let (layer, row, column) = (
            k as f32 / (side * side),
            (k as f32 / side) % side,
            k as f32 % side,
        );
        let place = Vec3::new(
            column.floor() - 0.5 * side,
            layer.floor() + 1.0,
            row.floor() - 0.5 * side,
        );
        let jitter = 0.01 * Vec3::new((7 * k % 11) as f32, 0.0, (5 * k % 13) as f32);
        let place = Transform::from_translation(0.22 * place + jitter);
        world.spawn((Particle::new(0.1), Friction(0.4), place));
    }
    app
}

/// What a game does: it pushes a ball in a hundred in each step.
fn dig(app: &mut App, step: usize) {
    let world = app.world_mut();
    let mut balls = world.query_filtered::<&mut LinearVelocity, With<Particle>>();
    for mut velocity in balls.iter_mut(world).skip(step % 100).step_by(100) {
        velocity.y += 0.2;
    }
}
