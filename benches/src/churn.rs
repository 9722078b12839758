//! What it costs that bodies come and go: a heap of balls in which some are despawned and as many are spawned in each step.
//!
//! ```sh
//! cargo run --release --manifest-path benches/Cargo.toml --bin churn
//! ```
//!
//! The same heap runs beside it without that; both are timed in turn, so a busy machine slows both.

use std::{thread::available_parallelism, time::Instant};

use benches::{
    engine::impulse,
    scene::{Scene, SceneKind},
};
use bevy::{
    diagnostic::{Diagnostic, DiagnosticsStore},
    prelude::*,
};
use bevy_impulse_collide::prelude::*;
use clap::Parser;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

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
    let threads = available_parallelism().map_or(1, usize::from);
    let heap = || {
        let mut app =
            impulse::spawn(&Scene::new(options.bodies, SceneKind::default()), threads).app;
        if options.parts {
            app.init_resource::<DiagnosticsStore>();
            // The app is finished already: `add_plugins` would not do.
            ImpulseDiagnosticsPlugin.build(&mut app);
        }
        app
    };
    let (mut still, mut churned) = (heap(), heap());
    for _ in 0..options.settling {
        still.update();
        churned.update();
    }
    let mut heap = Heap::of(churned.world_mut());
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..options.steps {
        times[0].push(time(&mut still, |_| ()));
        times[1].push(time(&mut churned, |world| {
            heap.churn(world, options.churn, options.fall);
        }));
    }
    println!("| balls that come and go in a step | ms a step, median | worst |");
    println!("| ---: | ---: | ---: |");
    let mut medians = [0.0; 2];
    for ((number, times), median) in [0, options.churn].iter().zip(&mut times).zip(&mut medians) {
        times.sort_by(f64::total_cmp);
        *median = times[times.len() / 2];
        println!("| {number} | {median:.2} | {:.2} |", times[times.len() - 1]);
    }
    println!("\nratio of the medians: {:.3}", medians[1] / medians[0]);
    if options.parts {
        println!("\n| part, mean of the last steps in ms | without | with |");
        println!("| --- | ---: | ---: |");
        let [still, churned] =
            [&still, &churned].map(|app| app.world().resource::<DiagnosticsStore>());
        for diagnostic in still.iter() {
            let path = diagnostic.path();
            let mean = |store: &DiagnosticsStore| store.get(path).and_then(Diagnostic::average);
            let [without, with] = [still, churned].map(|store| mean(store).unwrap_or_default());
            println!("| {path} | {without:.2} | {with:.2} |");
        }
    }
}

/// The time in ms of a change and an update.
fn time(app: &mut App, change: impl FnOnce(&mut World)) -> f64 {
    let start = Instant::now();
    change(app.world_mut());
    app.update();
    1e3 * start.elapsed().as_secs_f64()
}

/// The balls of a heap, and the height in m above all of them.
struct Heap {
    balls: Vec<Entity>,
    top: f32,
    random: ChaCha8Rng,
}

impl Heap {
    fn of(world: &mut World) -> Self {
        let mut all = world.query_filtered::<(Entity, &Transform), With<Particle>>();
        let balls: Vec<_> = all
            .iter(world)
            .map(|(ball, place)| (ball, place.translation.y))
            .collect();
        Self {
            top: balls.iter().fold(0.0_f32, |top, (_, y)| top.max(*y)) + 1.0,
            balls: balls.into_iter().map(|(ball, _)| ball).collect(),
            random: ChaCha8Rng::seed_from_u64(1),
        }
    }

    /// Takes balls out, and puts as many in their places, or lets them fall from above.
    fn churn(&mut self, world: &mut World, number: usize, fall: bool) {
        for _ in 0..number {
            let k = self.random.random_range(0..self.balls.len());
            let ball = world.entity(self.balls[k]);
            let (Some(&particle), Some(&density), Some(&place)) = (
                ball.get::<Particle>(),
                ball.get::<Density>(),
                ball.get::<Transform>(),
            ) else {
                continue;
            };
            world.despawn(self.balls[k]);
            let y = if fall { self.top } else { place.translation.y };
            let place = Transform::from_translation(place.translation.with_y(y));
            self.balls[k] = world.spawn((particle, density, place)).id();
        }
    }
}
