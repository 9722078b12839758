//! The physics of a game's level: bodies thrown about on a mesh, movers, sensors, rays, and bodies that come and go.

use std::{collections::VecDeque, f32::consts::TAU};

use bevy::{ecs::system::SystemState, prelude::*};
use bevy_impulse_collide::prelude::*;
use clap::Args;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Half a side of the level, in m.
const HALF: f32 = 30.0;
/// Cells along a side of its mesh; each has two triangles.
const CELLS: u32 = 60;

/// What is in a level.
#[derive(Args, Clone, Copy, Debug)]
pub struct LevelKind {
    /// Balls; each is thrown.
    #[arg(long, default_value_t = 800)]
    pub balls: usize,
    /// Capsules; each is thrown.
    #[arg(long, default_value_t = 200)]
    pub capsules: usize,
    /// Boxes that a system moves by their `Transform`.
    #[arg(long, default_value_t = 50)]
    pub movers: usize,
    /// Sensors.
    #[arg(long, default_value_t = 20)]
    pub sensors: usize,
    /// Rays in each step.
    #[arg(long, default_value_t = 30)]
    pub rays: usize,
    /// Bodies that are despawned, and thrown in anew, in each step.
    #[arg(long, default_value_t = 10)]
    pub churn: usize,
}

impl Default for LevelKind {
    fn default() -> Self {
        Self {
            balls: 800,
            capsules: 200,
            movers: 50,
            sensors: 20,
            rays: 30,
            churn: 10,
        }
    }
}

/// The height of the ground in m.
fn ground(x: f32, z: f32) -> f32 {
    1.5 * (0.3 * x).sin() * (0.25 * z).cos() + 0.02 * (x * x + z * z) / HALF
}

/// A box that swings about the place where it starts.
#[derive(Component)]
struct Mover(Vec3);

/// A level, and who throws its bodies and casts its rays.
pub struct Level {
    /// Its app.
    pub app: App,
    kind: LevelKind,
    random: ChaCha8Rng,
    /// From the one that has been there for the longest time.
    bodies: VecDeque<Entity>,
    thrown: usize,
    queries: SystemState<SpatialQuery<'static, 'static>>,
}

impl Level {
    /// The bodies are in the air.
    pub fn new(kind: LevelKind) -> Self {
        let mut app = super::empty_app();
        let move_movers = |mut movers: Query<(&Mover, &mut Transform)>, time: Res<Time>| {
            for (Mover(middle), mut place) in &mut movers {
                let angle = time.elapsed_secs() + middle.x;
                place.translation = middle + 2.0 * Vec3::new(angle.cos(), 0.2 * angle.sin(), 0.0);
                place.rotation = Quat::from_rotation_y(angle);
            }
        };
        app.add_systems(FixedUpdate, move_movers);
        let random = ChaCha8Rng::seed_from_u64(1);
        let world = app.world_mut();
        world.spawn(terrain());
        for i in 0..kind.movers {
            let middle = on_a_spiral(i, kind.movers);
            let middle = middle + 0.5 * Vec3::Y;
            world.spawn((
                Mover(middle),
                Collider::cuboid(3.0, 0.5, 1.5),
                RigidBody::Kinematic,
                MovedByTransform::default(),
                Transform::from_translation(middle),
            ));
        }
        for i in 0..kind.sensors {
            let middle = on_a_spiral(i, kind.sensors);
            world.spawn((
                Particle::new(2.0),
                RigidBody::Static,
                Sensor,
                Transform::from_translation(middle),
            ));
        }
        let queries = SystemState::new(world);
        let mut level = Self {
            app,
            kind,
            random,
            bodies: default(),
            thrown: 0,
            queries,
        };
        for _ in 0..kind.balls + kind.capsules {
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
        let all = self.kind.balls + self.kind.capsules;
        let world = self.app.world_mut();
        let body = if self.thrown * self.kind.capsules % all < self.kind.capsules {
            world.spawn((Capsule::new(0.25, 0.6), common))
        } else {
            world.spawn((Particle::new(0.3), common))
        };
        self.bodies.push_back(body.id());
        self.thrown += 1;
    }

    /// Bodies come and go, rays are cast, and the app is updated.
    pub fn step(&mut self) {
        for _ in 0..self.kind.churn {
            if let Some(body) = self.bodies.pop_front() {
                self.app.world_mut().despawn(body);
            }
            self.throw();
        }
        if self.kind.rays > 0 {
            let query = self.queries.get(self.app.world());
            let query = query.expect("the world has the plugin");
            let random = &mut self.random;
            let mut within = |most: f32| random.random_range(-most..most);
            for _ in 0..self.kind.rays {
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
