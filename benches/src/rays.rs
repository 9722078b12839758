//! Casts the same rays at the same balls with this plugin and with rapier, checks that both hit the same balls, and prints a table
//! of rays per second.
//!
//! ```sh
//! cargo run --release --manifest-path benches/Cargo.toml --bin rays
//! cargo run --release --manifest-path benches/Cargo.toml --bin rays -- --help
//! ```
//!
//! The balls are anywhere in a cube, and the rays come from a sphere about it, each towards a point of the cube. All trees are made
//! before the clock starts. Rapier gets its best tree: that of its broad phase after some steps, and one that is built anew.

use std::{num::NonZero, process::ExitCode, time::Instant};

use benches::{engine::minimal_app, exit::exit_code};
use bevy::{
    ecs::{entity::EntityHashMap, system::SystemState},
    math::InvalidDirectionError,
    prelude::*,
};
use bevy_impulse_collide::prelude::*;
use clap::Parser;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rapier3d::{
    parry::partitioning::{Bvh, BvhBuildStrategy},
    prelude as rapier,
};

/// Half a side of the cube, in m.
const HALF: f32 = 10.0;
/// In m: every ball is in the sphere from which the rays come.
const RAYS_FROM: f32 = 20.0;
/// Smallest and largest radius of a ball, in m.
const RADII: std::ops::Range<f32> = 0.05..0.25;
const SEED: u64 = 1;
/// Steps after which rapier's broad phase has looked at the whole of its tree.
const STEPS: usize = 20;
/// Difference of two distances to one ball, in m: the roundings of `f32` over the way.
const ROUNDING: f32 = 1e-3;

/// Casts rays at balls with this plugin and with rapier
#[derive(Parser)]
struct Options {
    /// Number of balls
    #[arg(long, default_value = "10000")]
    balls: NonZero<usize>,
    /// Number of rays
    #[arg(long, default_value = "1000000")]
    rays: NonZero<usize>,
    /// Threads [default: one for each processor]
    #[arg(long)]
    threads: Option<NonZero<usize>>,
    /// How often each engine casts all rays; the table has the medians
    #[arg(long, default_value = "7")]
    repeats: NonZero<usize>,
}

/// The ball that a ray hits, and how far from the ray's origin in m.
type Hit = Option<(usize, f32)>;

struct Ball {
    centre: Vec3,
    radius: f32,
}

fn main() -> ExitCode {
    exit_code(Options::parse().compare())
}

impl Options {
    fn compare(&self) -> Result<(), Box<dyn std::error::Error>> {
        let threads = self
            .threads
            .map_or_else(std::thread::available_parallelism, Ok)?
            .get();
        let mut random = ChaCha8Rng::seed_from_u64(SEED);
        let balls: Vec<Ball> = (0..self.balls.get()).map(|_| ball(&mut random)).collect();
        let rays = (0..self.rays.get()).map(|_| ray(&mut random));
        let rays: Vec<Ray3d> = rays.collect::<Result<_, _>>()?;

        let mut app = minimal_app(threads, ImpulseCollidePlugin { interpolate: false });
        let spawned: Vec<Entity> = balls.iter().map(|ball| spawn(&mut app, ball)).collect();
        let mut state = SystemState::<SpatialQuery>::new(app.world_mut());
        let query = state.get(app.world())?;
        let all = SpatialFilter::default();
        // After so many questions, all bodies are read, and the tree is made.
        let asked = rays.iter().cycle().take(self.balls.get() + 200);
        for &ray in asked {
            std::hint::black_box(query.cast_ray(ray, f32::MAX, &all));
        }
        let (own_time, hits) = self.time(|| query.cast_rays(&rays, f32::MAX, &all));
        let indices: EntityHashMap<usize> = spawned.into_iter().zip(0..).collect();
        let own_hit = |hit: &Option<RayHit>| hit.map(|hit| (indices[&hit.entity], hit.distance));
        let own: Vec<Hit> = hits.iter().map(own_hit).collect();

        let world = rapier_world(&balls);
        let boxes = world.colliders.iter().map(|(handle, collider)| {
            let (index, _) = handle.into_raw_parts();
            (index as usize, collider.compute_aabb())
        });
        let new = Bvh::from_iter(BvhBuildStrategy::Binned, boxes);
        let (bodies, colliders) = (&world.bodies, &world.colliders);
        let dispatcher = world.narrow_phase.query_dispatcher();
        let old = world.query_pipeline().bvh;
        let of_collider = |handle: rapier::ColliderHandle| handle.into_raw_parts().0 as usize;
        let rapier_rays: Vec<rapier::Ray> = rays.iter().map(rapier_ray).collect();
        let count = self.rays.get() as f64;
        println!("{} balls, {count} rays, {threads} threads.\n", balls.len());
        println!("| engine | what | million rays a second | our rate over it | other hits |");
        println!("| --- | --- | ---: | ---: | ---: |");
        let row = |engine: &str, what: &str, time: f64, hits: &[Hit]| {
            let rate = 1e-6 * count / time;
            let other = other_hits(&own, hits);
            println!(
                "| {engine} | {what} | {rate:.2} | {:.2} | {other} |",
                time / own_time
            );
        };
        row(
            "bevy_impulse_collide",
            "distance, point, normal",
            own_time,
            &own,
        );
        for (tree, bvh) in [("tree of the broad phase", old), ("tree built anew", &new)] {
            // A filter cannot be shared between threads, so each thread has its own.
            let pipeline = || rapier::QueryPipeline {
                dispatcher,
                bvh,
                bodies,
                colliders,
                filter: rapier::QueryFilter::default(),
            };
            let (time, hits) = self.time(|| {
                share(&rapier_rays, threads, pipeline, |pipeline, ray| {
                    let (handle, hit) = pipeline.cast_ray_and_get_normal(ray, f32::MAX, true)?;
                    Some((of_collider(handle), hit.time_of_impact))
                })
            });
            let what = format!("distance, normal; {tree}");
            row("rapier3d 0.36", &what, time, &hits);
            let (time, hits) = self.time(|| {
                share(&rapier_rays, threads, pipeline, |pipeline, ray| {
                    let (handle, distance) = pipeline.cast_ray(ray, f32::MAX, true)?;
                    Some((of_collider(handle), distance))
                })
            });
            row("rapier3d 0.36", &format!("distance; {tree}"), time, &hits);
        }
        Ok(())
    }

    /// The median time of a call in s, and the last result.
    fn time<T>(&self, cast: impl Fn() -> T) -> (f64, T) {
        let mut last = cast();
        let mut times: Vec<f64> = (0..self.repeats.get())
            .map(|_| {
                let start = Instant::now();
                last = cast();
                start.elapsed().as_secs_f64()
            })
            .collect();
        times.sort_by(f64::total_cmp);
        (times[times.len() / 2], last)
    }
}

fn point(random: &mut ChaCha8Rng) -> Vec3 {
    let mut coordinate = || random.random_range(-HALF..HALF);
    Vec3::new(coordinate(), coordinate(), coordinate())
}

fn ball(random: &mut ChaCha8Rng) -> Ball {
    Ball {
        centre: point(random),
        radius: random.random_range(RADII),
    }
}

fn ray(random: &mut ChaCha8Rng) -> Result<Ray3d, InvalidDirectionError> {
    let origin = point(random).normalize_or(Vec3::X) * RAYS_FROM;
    let direction = Dir3::new(point(random) - origin)?;
    Ok(Ray3d::new(origin, direction))
}

fn spawn(app: &mut App, ball: &Ball) -> Entity {
    let place = Transform::from_translation(ball.centre);
    app.world_mut()
        .spawn((Particle::new(ball.radius), place))
        .id()
}

/// Fixed bodies: they stay where they are while the broad phase improves its tree.
fn rapier_world(balls: &[Ball]) -> rapier::PhysicsWorld {
    let mut world = rapier::PhysicsWorld::default();
    for ball in balls {
        let place = rapier::Vector::from_array(ball.centre.to_array());
        world.insert(
            rapier::RigidBodyBuilder::fixed().translation(place),
            rapier::ColliderBuilder::ball(ball.radius),
        );
    }
    for _ in 0..STEPS {
        world.step();
    }
    world
}

fn rapier_ray(ray: &Ray3d) -> rapier::Ray {
    let vector = |v: Vec3| rapier::Vector::from_array(v.to_array());
    rapier::Ray::new(vector(ray.origin), vector(*ray.direction))
}

/// Casts each ray, on threads with equal shares of them, each with a tool of its own.
fn share<T>(
    rays: &[rapier::Ray],
    threads: usize,
    tool: impl Fn() -> T + Sync,
    cast: impl Fn(&T, &rapier::Ray) -> Hit + Sync,
) -> Vec<Hit> {
    let mut hits = vec![None; rays.len()];
    let share = rays.len().div_ceil(threads);
    std::thread::scope(|scope| {
        for (rays, hits) in rays.chunks(share).zip(hits.chunks_mut(share)) {
            scope.spawn(|| {
                let tool = tool();
                for (ray, hit) in rays.iter().zip(hits) {
                    *hit = cast(&tool, ray);
                }
            });
        }
    });
    hits
}

/// The number of rays that hit another ball, or the same at another distance. A ray that just grazes a ball may hit it or not.
fn other_hits(own: &[Hit], others: &[Hit]) -> usize {
    let is_same = |(own, other): &(&Hit, &Hit)| match (own, other) {
        (None, None) => true,
        (Some((ball, distance)), Some((other, other_distance))) => {
            ball == other && (distance - other_distance).abs() < ROUNDING
        }
        _ => false,
    };
    own.iter().zip(others).filter(|pair| !is_same(pair)).count()
}
