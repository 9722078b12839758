//! Platforms that a system moves by their `Transform`, with a ball on each.
//!
//! ```sh
//! cargo run --release --manifest-path benches/Cargo.toml --bin platforms
//! ```
//!
//! A step is a whole update of the app, less that of an app without bodies, which is timed in turn.

use std::{thread::available_parallelism, time::Instant};

use benches::{engine::minimal_app, scene::GRAVITY};
use bevy::{diagnostic::DiagnosticsStore, prelude::*, time::TimeUpdateStrategy};
use bevy_impulse_collide::prelude::*;
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

#[derive(Component)]
struct Platform(Vec3);

fn main() {
    let options = Options::parse();
    println!("| platforms | ms a step, median | worst |");
    println!("| ---: | ---: | ---: |");
    let mut empty = app();
    for &count in &options.platforms {
        let mut moved = platforms(count, options.parts);
        for _ in 0..options.settling {
            empty.update();
            moved.update();
        }
        let mut times: Vec<f64> = (0..options.steps)
            .map(|_| {
                let nothing = time(&mut empty);
                time(&mut moved) - nothing
            })
            .collect();
        times.sort_by(f64::total_cmp);
        let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
        println!("| {count} | {median:.2} | {worst:.2} |");
        if options.parts {
            for diagnostic in moved.world().resource::<DiagnosticsStore>().iter() {
                let mean = diagnostic.average().unwrap_or_default();
                println!("  {} {mean:.3}", diagnostic.path());
            }
        }
    }
}

fn time(app: &mut App) -> f64 {
    let start = Instant::now();
    app.update();
    1e3 * start.elapsed().as_secs_f64()
}

fn app() -> App {
    let threads = available_parallelism().map_or(1, usize::from);
    let mut app = minimal_app(threads, ImpulseCollidePlugin { interpolate: false });
    app.insert_resource(Gravity(Vec3::NEG_Y * GRAVITY))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app
}

fn platforms(count: usize, parts: bool) -> App {
    let mut app = app();
    if parts {
        app.init_resource::<DiagnosticsStore>();
        // The app is finished already: `add_plugins` would not do.
        ImpulseDiagnosticsPlugin.build(&mut app);
    }
    app.add_systems(
        FixedUpdate,
        |mut platforms: Query<(&Platform, &mut Transform)>, time: Res<Time>| {
            for (Platform(middle), mut place) in &mut platforms {
                let angle = time.elapsed_secs() + middle.x;
                place.translation = middle + 0.5 * Vec3::new(angle.cos(), angle.sin(), 0.0);
            }
        },
    );
    let side = (count as f32).sqrt().ceil() as usize;
    let shape = Collider::cuboid(1.5, 0.2, 1.5);
    for i in 0..count {
        let middle = 4.0 * Vec3::new((i % side) as f32, 0.0, (i / side) as f32);
        let world = app.world_mut();
        world.spawn((
            Platform(middle),
            shape.clone(),
            RigidBody::Kinematic,
            MovedByTransform::default(),
            Transform::from_translation(middle),
        ));
        let on_it = middle + Vec3::new(0.5 * middle.x.cos(), 0.4 + 0.5 * middle.x.sin(), 0.0);
        world.spawn((
            Particle::new(0.25),
            Friction(0.5),
            Transform::from_translation(on_it),
        ));
    }
    app
}
