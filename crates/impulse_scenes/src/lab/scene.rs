//! The worlds in which the methods are compared. The window shows them from the front, without perspective.

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use impulse_lab::planet::essay::{G, spawn_planet};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::method::{Method, PLANETS, STEPPERS};

/// A world, before any method.
pub struct Scene {
    /// On the command line and in reports.
    pub name: &'static str,
    /// On the screen.
    pub title: &'static str,
    pub about: &'static str,
    /// Steps per second.
    pub hz: f64,
    /// Simulated time of a headless run, in s.
    pub seconds: f32,
    /// The methods that make sense here.
    pub methods: &'static [Method],
    /// The methods that the window shows first.
    pub first: [&'static str; 6],
    /// The middle of the view, and its width and height, in m.
    pub view: (Vec2, f32),
    /// Whether small errors stay small, so that a run with finer steps is a reference.
    pub has_reference: bool,
    /// The methods that would take minutes a step.
    pub too_slow: &'static [&'static str],
    /// Spawns the bodies about this origin.
    pub spawn: fn(&mut World, Vec3),
}

const BOUNCING: [&str; 6] = [
    "stages",
    "leapfrog",
    "half_step",
    "without_contact",
    "springs",
    "spook",
];
const PILED: [&str; 6] = [
    "stages",
    "gauss_seidel",
    "conjugate_gradient",
    "soft_steps",
    "xpbd",
    "spook",
];
const HELD: [&str; 6] = [
    "stages",
    "springs",
    "impulses",
    "sponge",
    "positions_with_impulses",
    "verlet",
];

pub static SCENES: [Scene; 12] = [
    Scene {
        name: "ball",
        title: "Elastic ball",
        about: "A ball with restitution 1 falls 1 m, and must come back to 1 m for ever.",
        hz: 100.0,
        seconds: 20.0,
        methods: &STEPPERS,
        first: BOUNCING,
        view: (Vec2::new(0.0, 0.65), 1.7),
        has_reference: true,
        too_slow: &[],
        spawn: |world, origin| falling_ball(world, origin, 1.0),
    },
    Scene {
        name: "rest",
        title: "Ball that comes to rest",
        about: "A ball keeps 0.6 of its speed at each impact. It bounces lower and lower, and must then lie still on the floor.",
        hz: 100.0,
        seconds: 20.0,
        methods: &STEPPERS,
        first: BOUNCING,
        view: (Vec2::new(0.0, 0.65), 1.7),
        has_reference: true,
        too_slow: &[],
        spawn: |world, origin| falling_ball(world, origin, 0.6),
    },
    Scene {
        name: "tube",
        title: "Ten balls in a tube",
        about: "Ten balls fall one after another into a narrow tube, and must come to rest on each other.",
        hz: 100.0,
        seconds: 10.0,
        methods: &STEPPERS,
        first: PILED,
        view: (Vec2::new(0.0, 1.9), 4.2),
        has_reference: true,
        too_slow: &[],
        spawn: tube,
    },
    Scene {
        name: "ratios",
        title: "Heavy on light",
        about: "Each ball of 1 kg carries a ball of 10, 100 and 1,000 kg.",
        hz: 100.0,
        seconds: 10.0,
        methods: &STEPPERS,
        first: PILED,
        view: (Vec2::new(0.0, 0.5), 2.0),
        has_reference: true,
        too_slow: &[],
        spawn: mass_ratios,
    },
    Scene {
        name: "ramp",
        title: "Ramp with friction",
        about: "Capsules lie along a slope of 20°. The upper three have enough friction to stay (0.6); the lower three slide (0.2).",
        hz: 100.0,
        seconds: 5.0,
        methods: &STEPPERS,
        first: PILED,
        view: (Vec2::new(0.0, 0.0), 6.0),
        has_reference: true,
        too_slow: &[],
        spawn: ramp,
    },
    Scene {
        name: "overlap",
        title: "Recovery from overlap",
        about: "A block of balls starts with overlaps of half a radius, at rest and without gravity. It should come apart gently.",
        hz: 100.0,
        seconds: 5.0,
        methods: &STEPPERS,
        first: PILED,
        view: (Vec2::ZERO, 4.0),
        has_reference: false,
        too_slow: &[],
        spawn: overlap,
    },
    Scene {
        name: "logs",
        title: "Pyramid of logs",
        about: "Twenty-eight logs lie in seven rows between two stops.",
        hz: 100.0,
        seconds: 10.0,
        methods: &STEPPERS,
        first: PILED,
        view: (Vec2::new(0.0, 0.78), 1.95),
        has_reference: true,
        too_slow: &[],
        spawn: logs,
    },
    Scene {
        name: "cards",
        title: "House of cards",
        about: "Capsules lean on each other in pairs, with others across them, three storeys high. Nothing but friction holds them.",
        hz: 100.0,
        seconds: 10.0,
        methods: &STEPPERS,
        first: PILED,
        view: (Vec2::new(0.0, 0.95), 2.6),
        has_reference: true,
        too_slow: &[],
        spawn: cards,
    },
    Scene {
        name: "column",
        title: "Column that collapses",
        about: "A column of two hundred balls, no longer held by walls, slumps into a heap.",
        hz: 100.0,
        seconds: 5.0,
        methods: &STEPPERS,
        first: PILED,
        view: (Vec2::new(0.0, 0.9), 2.6),
        has_reference: false,
        too_slow: &[],
        spawn: column,
    },
    Scene {
        name: "heap",
        title: "Heap of ten thousand",
        about: "Ten thousand balls fall into a box, and must come to rest. The two direct methods are left out: a step would take \
                minutes.",
        hz: 60.0,
        seconds: 4.0,
        methods: &STEPPERS,
        first: PILED,
        view: (Vec2::new(0.0, 1.35), 3.4),
        has_reference: false,
        too_slow: &["direct", "hybrid"],
        spawn: heap,
    },
    Scene {
        name: "planet",
        title: "Planet",
        about: "Five hundred balls within a circle of radius 100 m attract each other with G = 500 and turn by 0.2 rad/s.",
        hz: 100.0,
        seconds: 30.0,
        methods: &PLANETS,
        first: HELD,
        view: (Vec2::ZERO, 260.0),
        has_reference: false,
        too_slow: &[],
        spawn: |world, origin| planet(world, origin, false),
    },
    Scene {
        name: "comet",
        title: "Planet with a comet",
        about: "The planet, and a heavy ball that falls into it from the left.",
        hz: 100.0,
        seconds: 30.0,
        methods: &PLANETS,
        first: HELD,
        view: (Vec2::ZERO, 260.0),
        has_reference: false,
        too_slow: &[],
        spawn: |world, origin| planet(world, origin, true),
    },
];

const GRAVITY: Gravity = Gravity(Vec3::new(0.0, -9.81, 0.0));

fn floor(world: &mut World, origin: Vec3) {
    world.insert_resource(GRAVITY);
    world.spawn((Plane::new(Vec3::Y), Transform::from_translation(origin)));
}

fn ball(world: &mut World, at: Vec3, radius: f32, mass: f32, restitution: f32, friction: f32) {
    world.spawn((
        Particle::new(radius),
        Mass(mass),
        Restitution(restitution),
        Friction(friction),
        Transform::from_translation(at),
    ));
}

fn falling_ball(world: &mut World, origin: Vec3, restitution: f32) {
    floor(world, origin);
    ball(world, origin + Vec3::Y * 1.1, 0.1, 1.0, restitution, 0.0);
}

fn tube(world: &mut World, origin: Vec3) {
    floor(world, origin);
    for side in [-1.0, 1.0] {
        let wall = Plane::new(Vec3::NEG_X * side);
        let at = origin + Vec3::X * (0.1501 * side);
        world.spawn((wall, Transform::from_translation(at)));
    }
    for k in 0..10 {
        ball(
            world,
            origin + Vec3::Y * (0.2 + 0.4 * k as f32),
            0.15,
            1.0,
            0.5,
            0.0,
        );
    }
}

fn mass_ratios(world: &mut World, origin: Vec3) {
    floor(world, origin);
    for (x, ratio) in [(-0.7, 10.0), (0.0, 100.0), (0.7, 1000.0f32)] {
        ball(world, origin + Vec3::new(x, 0.1, 0.0), 0.1, 1.0, 0.0, 0.3);
        ball(
            world,
            origin + Vec3::new(x, 0.45, 0.0),
            0.25,
            ratio,
            0.0,
            0.3,
        );
    }
}

fn ramp(world: &mut World, origin: Vec3) {
    world.insert_resource(GRAVITY);
    let tilt = Quat::from_rotation_z(-20f32.to_radians());
    world.spawn((
        Plane::new(tilt * Vec3::Y),
        Friction(1.0),
        Transform::from_translation(origin),
    ));
    for k in 0..6 {
        let friction: f32 = if k < 3 { 0.6 } else { 0.2 };
        let along = -2.2 + 0.75 * k as f32;
        world.spawn((
            Capsule::new(0.1, 0.3),
            Restitution(0.0),
            // A pair has the geometric mean of both, and the slope has 1.
            Friction(friction * friction),
            Transform::from_translation(origin + tilt * Vec3::new(along, 0.1, 0.0))
                .with_rotation(tilt * Quat::from_rotation_z(0.25 * TAU)),
        ));
    }
}

fn overlap(world: &mut World, origin: Vec3) {
    world.insert_resource(Gravity::ZERO);
    for k in 0..36 {
        let at = Vec3::new((k % 6) as f32, (k / 6) as f32, 0.0) - Vec3::new(2.5, 2.5, 0.0);
        ball(world, origin + at * 0.3, 0.2, 1.0, 0.0, 0.0);
    }
}

fn logs(world: &mut World, origin: Vec3) {
    const RADIUS: f32 = 0.1;
    const ROWS: usize = 7;
    floor(world, origin);
    // In a flat world a capsule's axis lies in the plane.
    world.resource_mut::<CollisionConfig>().flat = false;
    for side in [-1.0, 1.0] {
        let at = Vec3::X * (side * RADIUS * ROWS as f32);
        let wall = Plane::new(Vec3::NEG_X * side);
        world.spawn((wall, Transform::from_translation(origin + at)));
    }
    for row in 0..ROWS {
        for k in 0..ROWS - row {
            let x = RADIUS * (2.0 * k as f32 - (ROWS - row - 1) as f32);
            let y = RADIUS * (1.0 + 3f32.sqrt() * row as f32);
            world.spawn((
                Capsule::new(RADIUS, 0.5),
                Restitution(0.0),
                Friction(0.5),
                Transform::from_translation(origin + Vec3::new(x, y, 0.0))
                    .with_rotation(Quat::from_rotation_x(0.25 * TAU)),
            ));
        }
    }
}

fn cards(world: &mut World, origin: Vec3) {
    const RADIUS: f32 = 0.03;
    const LENGTH: f32 = 0.44;
    /// Of a card from the vertical.
    const LEAN: f32 = 0.3;
    const STOREYS: usize = 3;
    floor(world, origin);
    let mut card = |middle: Vec2, length: f32, turn: f32| {
        world.spawn((
            Capsule::new(RADIUS, length),
            Restitution(0.0),
            Friction(0.8),
            Transform::from_translation(origin + middle.extend(0.0))
                .with_rotation(Quat::from_rotation_z(turn)),
        ));
    };
    let half = 0.5 * LENGTH * Vec2::new(LEAN.sin(), LEAN.cos());
    // Two that lean on each other touch at their tops.
    let aside = half.x + RADIUS;
    let storey = 2.0 * half.y + 4.0 * RADIUS;
    // A card across reaches from the top of one pair to the top of the next.
    let apart = LENGTH;
    for level in 0..STOREYS {
        let pairs = STOREYS - level;
        let foot = storey * level as f32;
        let x = |k: usize| apart * (k as f32 - 0.5 * (pairs - 1) as f32);
        for k in 0..pairs {
            let middle = foot + RADIUS + half.y;
            card(Vec2::new(x(k) - aside, middle), LENGTH, -LEAN);
            card(Vec2::new(x(k) + aside, middle), LENGTH, LEAN);
        }
        let across = foot + storey - RADIUS;
        for k in 1..pairs {
            let middle = Vec2::new(0.5 * (x(k - 1) + x(k)), across);
            card(middle, apart - 2.0 * RADIUS, 0.25 * TAU);
        }
    }
}

fn column(world: &mut World, origin: Vec3) {
    const RADIUS: f32 = 0.05;
    floor(world, origin);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for k in 0..200 {
        let x = 2.02 * RADIUS * ((k % 10) as f32 - 4.5) + rng.random_range(-1e-3..1e-3f32);
        let y = RADIUS * (1.0 + 2.02 * (k / 10) as f32);
        ball(world, origin + Vec3::new(x, y, 0.0), RADIUS, 1.0, 0.2, 0.4);
    }
}

fn heap(world: &mut World, origin: Vec3) {
    const RADIUS: f32 = 0.05;
    const SIDE: usize = 20;
    floor(world, origin);
    world.resource_mut::<CollisionConfig>().flat = false;
    for inwards in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
        let at = origin - inwards * RADIUS * (SIDE as f32 + 1.0);
        world.spawn((Plane::new(inwards), Transform::from_translation(at)));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for k in 0..10_000 {
        let cell = [k % SIDE, k / (SIDE * SIDE), k / SIDE % SIDE];
        let [x, y, z] = cell.map(|k| 2.05 * k as f32 + rng.random_range(0.0..0.04f32));
        let middle = 1.025 * (SIDE - 1) as f32;
        let at = RADIUS * Vec3::new(x - middle, y + 1.0, z - middle);
        ball(world, origin + at, RADIUS, 1.0, 0.2, 0.4);
    }
}

/// The planet of the essay after which the methods were made.
fn planet(world: &mut World, origin: Vec3, with_comet: bool) {
    world.insert_resource(Gravity::ZERO);
    world.insert_resource(SelfGravity {
        constant: G,
        method: GravityMethod::Direct,
        ..default()
    });
    spawn_planet(world, origin, 0.2);
    if with_comet {
        world.spawn((
            Particle::new(6.0),
            Mass(40.0),
            Restitution(0.25),
            Friction(0.0),
            LinearVelocity(Vec3::X * 60.0),
            Transform::from_translation(origin + Vec3::new(-400.0, 60.0, 0.0)),
        ));
    }
}
