//! The physics of a game's level: bodies thrown about on a mesh, movers, sensors, rays, and bodies that come and go.
//!
//! ```sh
//! cargo run --release --manifest-path benches/Cargo.toml --bin game
//! cargo run --release --manifest-path benches/Cargo.toml --bin game -- --help
//! ```
//!
//! The same level runs without each of these parts too, and all are timed in turn, so that a busy machine slows them alike. A step is
//! a whole update of the app, less that of an app without bodies.

use std::{f32::consts::TAU, thread::available_parallelism, time::Instant};

use benches::{engine::minimal_app, scene::GRAVITY};
use bevy::{
    diagnostic::{Diagnostic, DiagnosticsStore},
    ecs::system::SystemState,
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_impulse_collide::prelude::*;
use clap::Parser;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Half a side of the level, in m.
const HALF: f32 = 30.0;
/// Cells along a side of its mesh; each has two triangles.
const CELLS: u32 = 60;

/// Times a game's level, and the same without each of its parts.
#[derive(Clone, Parser)]
struct Options {
    /// Balls; each is thrown.
    #[arg(long, default_value_t = 800)]
    balls: usize,
    /// Capsules; each is thrown.
    #[arg(long, default_value_t = 200)]
    capsules: usize,
    /// Boxes that a system moves by their `Transform`.
    #[arg(long, default_value_t = 50)]
    movers: usize,
    /// Sensors.
    #[arg(long, default_value_t = 20)]
    sensors: usize,
    /// Rays in each step.
    #[arg(long, default_value_t = 30)]
    rays: usize,
    /// Bodies that are despawned, and thrown in anew, in each step.
    #[arg(long, default_value_t = 10)]
    churn: usize,
    /// Steps before the first that is timed.
    #[arg(long, default_value_t = 120)]
    settling: usize,
    /// Steps that are timed.
    #[arg(long, default_value_t = 600)]
    steps: usize,
    /// Runs the whole level alone, and prints the mean times of the parts of a step.
    #[arg(long)]
    parts: bool,
}

fn main() {
    let options = Options::parse();
    let mut levels = vec![("all", Level::new(&options))];
    if !options.parts {
        let mut without = |name, change: fn(&mut Options)| {
            let mut options = options.clone();
            change(&mut options);
            levels.push((name, Level::new(&options)));
        };
        without("no movers", |it| it.movers = 0);
        without("no sensors", |it| it.sensors = 0);
        without("no rays", |it| it.rays = 0);
        without("none come and go", |it| it.churn = 0);
        without("balls alone", |it| it.capsules = 0);
    }
    let mut empty = app();
    for _ in 0..options.settling {
        empty.update();
        for (_, level) in &mut levels {
            level.step();
        }
    }
    let mut times = vec![Vec::new(); levels.len()];
    for _ in 0..options.steps {
        let nothing = time(|| empty.update());
        for ((_, level), times) in levels.iter_mut().zip(&mut times) {
            times.push(time(|| level.step()) - nothing);
        }
    }
    println!("| level | ms a step, median | 99 of 100 under | worst |");
    println!("| --- | ---: | ---: | ---: |");
    for ((name, _), mut times) in levels.iter().zip(times) {
        times.sort_by(f64::total_cmp);
        let at = |part: f64| times[(part * (times.len() - 1) as f64) as usize];
        println!(
            "| {name} | {:.2} | {:.2} | {:.2} |",
            at(0.5),
            at(0.99),
            at(1.0)
        );
    }
    if options.parts {
        println!("\n| part, mean of the last steps in ms | |");
        println!("| --- | ---: |");
        let store = levels[0].1.app.world().resource::<DiagnosticsStore>();
        for diagnostic in store.iter() {
            let mean = diagnostic.average().unwrap_or_default();
            println!("| {} | {mean:.3} |", diagnostic.path());
        }
        let _: Option<&Diagnostic> = None;
    }
}

fn time(update: impl FnOnce()) -> f64 {
    let start = Instant::now();
    update();
    1e3 * start.elapsed().as_secs_f64()
}

fn app() -> App {
    let threads = available_parallelism().map_or(1, usize::from);
    let mut app = minimal_app(threads, ImpulseCollidePlugin { interpolate: false });
    app.insert_resource(Gravity(Vec3::NEG_Y * GRAVITY))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app
}

/// The height of the ground in m.
fn ground(x: f32, z: f32) -> f32 {
    1.5 * (0.3 * x).sin() * (0.25 * z).cos() + 0.02 * (x * x + z * z) / HALF
}

/// A box that swings about the place where it starts.
#[derive(Component)]
struct Mover(Vec3);

struct Level {
    app: App,
    random: ChaCha8Rng,
    /// From the one that has been there for the longest time.
    bodies: std::collections::VecDeque<Entity>,
    next: usize,
    rays: usize,
    churn: usize,
    capsules: usize,
    all: usize,
    queries: SystemState<SpatialQuery<'static, 'static>>,
}

impl Level {
    fn new(options: &Options) -> Self {
        let mut app = app();
        if options.parts {
            app.init_resource::<DiagnosticsStore>();
            // The app is finished already: `add_plugins` would not do.
            ImpulseDiagnosticsPlugin.build(&mut app);
        }
        let move_movers = |mut movers: Query<(&Mover, &mut Transform)>, time: Res<Time>| {
            for (Mover(middle), mut place) in &mut movers {
                let angle = time.elapsed_secs() + middle.x;
                place.translation = middle + 2.0 * Vec3::new(angle.cos(), 0.2 * angle.sin(), 0.0);
                place.rotation = Quat::from_rotation_y(angle);
            }
        };
        app.add_systems(FixedUpdate, move_movers);
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let world = app.world_mut();
        world.spawn(terrain());
        for i in 0..options.movers {
            let middle = on_a_spiral(i, options.movers);
            let middle = middle + 0.5 * Vec3::Y;
            world.spawn((
                Mover(middle),
                Collider::cuboid(3.0, 0.5, 1.5),
                RigidBody::Kinematic,
                MovedByTransform::default(),
                Transform::from_translation(middle),
            ));
        }
        for i in 0..options.sensors {
            let middle = on_a_spiral(i, options.sensors);
            world.spawn((
                Particle::new(2.0),
                RigidBody::Static,
                Sensor,
                Transform::from_translation(middle),
            ));
        }
        let queries = SystemState::new(world);
        let all = options.balls + options.capsules;
        let mut level = Self {
            app,
            random: ChaCha8Rng::from_rng(&mut random),
            bodies: default(),
            next: 0,
            rays: options.rays,
            churn: options.churn,
            capsules: options.capsules,
            all,
            queries,
        };
        for _ in 0..all {
            level.throw();
        }
        level
    }

    /// A body is thrown in from above.
    fn throw(&mut self) {
        let random = &mut self.random;
        let mut within = |most: f32| random.random_range(-most..most);
        let (x, z) = (within(0.7 * HALF), within(0.7 * HALF));
        let place = Vec3::new(x, ground(x, z) + 3.0 + within(2.0), z);
        let common = (
            Transform::from_translation(place).with_rotation(Quat::from_euler(
                EulerRot::XYZ,
                within(TAU),
                within(TAU),
                0.0,
            )),
            LinearVelocity(Vec3::new(within(8.0), within(4.0), within(8.0))),
            AngularVelocity(Vec3::new(within(5.0), within(5.0), within(5.0))),
            Restitution(0.4),
            Friction(0.4),
        );
        let world = self.app.world_mut();
        let body = if self.next * self.capsules % self.all < self.capsules {
            world.spawn((Capsule::new(0.25, 0.6), common))
        } else {
            world.spawn((Particle::new(0.3), common))
        };
        self.bodies.push_back(body.id());
        self.next += 1;
    }

    fn step(&mut self) {
        for _ in 0..self.churn {
            if let Some(body) = self.bodies.pop_front() {
                self.app.world_mut().despawn(body);
            }
            self.throw();
        }
        if self.rays > 0 {
            let query = self.queries.get(self.app.world());
            let query = query.expect("the world has the plugin");
            let random = &mut self.random;
            let mut within = |most: f32| random.random_range(-most..most);
            for _ in 0..self.rays {
                let from = Vec3::new(within(HALF), 4.0, within(HALF));
                let to = Vec3::new(within(HALF), 0.0, within(HALF));
                let Ok(direction) = Dir3::new(to - from) else {
                    continue;
                };
                let ray = Ray3d::new(from, direction);
                std::hint::black_box(query.cast_ray(ray, 100.0, &SpatialFilter::default()));
            }
        }
        self.app.update();
    }
}

/// One of `count` places over the level, about as far from each other.
fn on_a_spiral(i: usize, count: usize) -> Vec3 {
    let part = (i as f32 + 0.5) / count as f32;
    let (distance, angle) = (0.7 * HALF * part.sqrt(), 2.4 * i as f32);
    let (x, z) = (distance * angle.cos(), distance * angle.sin());
    Vec3::new(x, ground(x, z) + 0.5, z)
}

fn terrain() -> Collider {
    let at = |i: u32| HALF * (2.0 * i as f32 / CELLS as f32 - 1.0);
    let corners = (0..=CELLS).flat_map(|j| (0..=CELLS).map(move |i| (at(i), at(j))));
    let vertices: Vec<Vec3> = corners
        .map(|(x, z)| Vec3::new(x, ground(x, z), z))
        .collect();
    let mut triangles = Vec::new();
    for j in 0..CELLS {
        for i in 0..CELLS {
            let a = j * (CELLS + 1) + i;
            let (b, c, d) = (a + 1, a + CELLS + 1, a + CELLS + 2);
            triangles.extend([[a, c, b], [b, c, d]]);
        }
    }
    Collider::trimesh(vertices, triangles, MeshSides::One)
}
