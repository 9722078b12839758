//! Makes a world from a seed.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use clap::ValueEnum;
use rand::{Rng, SeedableRng, seq::IndexedRandom};

use crate::{
    dice::{Dice, direction, in_cube, log_uniform, maybe, rotation},
    extras,
    settings::{any_config, sound_config},
    world::{Action, BadValue, Body, Event, Kind, Material, Round, Start, Wall, World},
};

/// Part of the inner ball of the box that bodies may fill, so that all of them find a place.
const FILL: f32 = 0.2;

/// Places that are tried for one body.
const TRIES: usize = 100;

/// Steps in which events happen.
const EVENT_STEPS: u32 = 200;

/// The kind and the start of the world with this seed.
pub fn kind_and_start(seed: u64) -> (Kind, Start) {
    roll_kind_and_start(&mut Dice::seed_from_u64(seed))
}

fn roll_kind_and_start(dice: &mut Dice) -> (Kind, Start) {
    let kind = Kind::value_variants().choose(dice).copied();
    let start = Start::value_variants().choose(dice).copied();
    (
        kind.unwrap_or(Kind::Chaos),
        start.unwrap_or(Start::Overlapping),
    )
}

/// Makes the world with this seed.
pub fn world(seed: u64) -> World {
    let mut dice = Dice::seed_from_u64(seed);
    let (kind, start) = roll_kind_and_start(&mut dice);
    let size = log_uniform(&mut dice, 0.5, 30.0);
    let has_fields = !matches!(kind, Kind::Bodies | Kind::Energy);
    let gravity = maybe(&mut dice, 0.6, |dice| {
        direction(dice) * log_uniform(dice, 0.1, 100.0)
    });
    let config = match kind {
        Kind::Bodies => any_config(&mut dice, false),
        Kind::Chaos => any_config(&mut dice, true),
        Kind::Walls | Kind::Energy | Kind::Events => sound_config(&mut dice),
    };
    let mut world = World {
        seed,
        kind,
        start,
        hz: f64::from(dice.random_range(30..=240u32)),
        gravity: gravity.filter(|_| has_fields).unwrap_or_default(),
        config,
        walls: Vec::new(),
        bodies: Vec::new(),
        ties: Vec::new(),
        events: Vec::new(),
    };
    if kind == Kind::Energy {
        world.config.impact_law = default();
    }
    let speeds = Speeds::roll(&mut dice);
    if kind != Kind::Bodies {
        world.walls = walls(&mut dice, kind, size, &speeds);
    }
    let mut maker = Maker {
        size,
        largest: size * dice.random_range(0.02..0.25),
        spread: match start {
            Start::Clear => 2.0,
            Start::Overlapping => dice.random_range(0.1..2.0),
        },
        speeds,
        next_id: 0,
    };
    let count = log_uniform(&mut dice, 2.0, 120.0).round();
    let mut room = FILL * Particle::new(size).volume();
    for _ in 0..count as usize {
        let Some(body) = maker.body(&mut dice, &world, true) else {
            continue;
        };
        room -= body.volume();
        if room < 0.0 && world.bodies.len() >= 2 {
            break;
        }
        world.bodies.push(body);
    }
    if matches!(kind, Kind::Events | Kind::Chaos) {
        world.events = events(&mut dice, &world, &mut maker);
    }
    extras::add(&mut world);
    world
}

/// The fastest speeds of a world.
struct Speeds {
    /// In m/s.
    linear: f32,
    /// In rad/s.
    angular: f32,
}

impl Speeds {
    fn roll(dice: &mut Dice) -> Self {
        Self {
            linear: log_uniform(dice, 0.01, 1000.0),
            angular: log_uniform(dice, 0.01, 1000.0),
        }
    }

    fn velocity(&self, dice: &mut Dice) -> Vec3 {
        direction(dice) * dice.random_range(0.0..=self.linear)
    }

    fn spin(&self, dice: &mut Dice) -> Vec3 {
        direction(dice) * dice.random_range(0.0..=self.angular)
    }
}

/// A closed box of 6 axis planes, or a polytope of 4 to 10 planes, around the origin. Its inner radius is at least `size`.
fn walls(dice: &mut Dice, kind: Kind, size: f32, speeds: &Speeds) -> Vec<Wall> {
    let mut normals: Vec<Vec3> = if dice.random() {
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        axes.into_iter().flat_map(|axis| [axis, -axis]).collect()
    } else {
        // A tetrahedron stays closed if its normals are only a little off.
        let turn = rotation(dice);
        let corners = [(1.0, 1.0), (-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0)];
        let off = |(x, y): (f32, f32), dice: &mut Dice| {
            turn * (Vec3::new(x, y, x * y).normalize() + 0.15 * in_cube(dice)).normalize()
        };
        corners.map(|corner| off(corner, dice)).into()
    };
    if normals.len() == 4 {
        let more = dice.random_range(0..=6);
        normals.extend((0..more).map(|_| direction(dice)));
    }
    let is_moving = kind == Kind::Chaos && dice.random_bool(0.3);
    let wall = |normal: Vec3| {
        let moves = is_moving && dice.random_bool(0.3);
        let slow = Speeds {
            linear: speeds.linear.min(0.2 * size),
            angular: speeds.angular.min(0.2),
        };
        let (velocity, spin) = (slow.velocity(dice), slow.spin(dice));
        Wall {
            normal,
            point: -normal * size * dice.random_range(1.0..2.0),
            motion: if moves {
                RigidBody::Kinematic
            } else {
                RigidBody::Static
            },
            velocity: if moves { velocity } else { Vec3::ZERO },
            spin: if moves { spin } else { Vec3::ZERO },
            material: material(dice),
            belt: Vec3::ZERO,
        }
    };
    normals.into_iter().map(wall).collect()
}

fn material(dice: &mut Dice) -> Material {
    Material {
        restitution: maybe(dice, 0.6, |dice| match dice.random_range(0..4) {
            0 => 0.0,
            1 => 1.0,
            _ => dice.random_range(0.0..=1.0),
        }),
        friction: maybe(dice, 0.6, |dice| match dice.random_range(0..4) {
            0 => 0.0,
            1 => log_uniform(dice, 1.0, 100.0),
            _ => dice.random_range(0.0..=1.0),
        }),
        rolling: maybe(dice, 0.2, |dice| dice.random_range(0.0..=0.5)),
        spinning: maybe(dice, 0.2, |dice| dice.random_range(0.0..=0.5)),
    }
}

/// Makes the bodies of a world.
struct Maker {
    /// Inner radius of the box in m.
    size: f32,
    /// The largest radius in m. The smallest one is a hundredth of it.
    largest: f32,
    /// Half the side of the cube for the centres, as a multiple of `size`.
    spread: f32,
    speeds: Speeds,
    next_id: u32,
}

impl Maker {
    /// A body in the box, or nothing if no place is found. If `may_be_fixed` is false, the body is dynamic.
    fn body(&mut self, dice: &mut Dice, world: &World, may_be_fixed: bool) -> Option<Body> {
        let radius = self.largest * log_uniform(dice, 0.01, 1.0);
        let shape = maybe(dice, 0.4, |dice| {
            let length = radius * dice.random_range(0.0..=40.0);
            let is_short = dice.random_bool(0.1);
            Round::Capsule(if is_short { 0.0 } else { length.min(self.size) })
        });
        let motion = match (world.kind, world.start) {
            (Kind::Chaos, _) if may_be_fixed => *[
                RigidBody::Dynamic,
                RigidBody::Dynamic,
                RigidBody::Dynamic,
                RigidBody::Kinematic,
                RigidBody::Static,
            ]
            .choose(dice)?,
            // Between a static body and a wall, an overlapping body may have no place to go.
            (Kind::Walls | Kind::Energy | Kind::Events, Start::Clear)
                if may_be_fixed && dice.random_bool(0.1) =>
            {
                RigidBody::Static
            }
            _ => RigidBody::Dynamic,
        };
        let (velocity, spin) = (self.speeds.velocity(dice), self.speeds.spin(dice));
        let is_static = motion.is_static();
        let mut body = Body {
            id: self.next_id,
            shape: shape.unwrap_or(Round::Ball),
            radius,
            motion,
            mass: log_uniform(dice, 1e-3, 1e3),
            position: Vec3::ZERO,
            rotation: rotation(dice),
            velocity: if is_static { Vec3::ZERO } else { velocity },
            spin: if is_static { Vec3::ZERO } else { spin },
            material: material(dice),
            layers: None,
            is_sensor: false,
            is_sleepless: false,
        };
        self.next_id += 1;
        let has_place = (0..TRIES).any(|_| {
            body.position = in_cube(dice) * self.size * self.spread;
            match world.start {
                Start::Clear => {
                    let room = 0.01 * body.radius;
                    let mut others = world.bodies.iter();
                    body.is_over(&world.walls, 1.01) && others.all(|other| body.gap(other) > room)
                }
                Start::Overlapping => body.is_over(&world.walls, 0.1),
            }
        });
        has_place.then_some(body)
    }
}

/// Up to eight events. A spoiled body may be mended later.
fn events(dice: &mut Dice, world: &World, maker: &mut Maker) -> Vec<Event> {
    let mut events = Vec::new();
    let ids: Vec<u32> = world.bodies.iter().map(|body| body.id).collect();
    for _ in 0..dice.random_range(1..=8) {
        let step = dice.random_range(1..EVENT_STEPS);
        let Some(&id) = ids.choose(dice) else {
            break;
        };
        let action = match dice.random_range(0..10) {
            0 | 1 => maker.body(dice, world, false).map(Action::Spawn),
            2 => Some(Action::Despawn(id)),
            3 | 4 => maker.body(dice, world, false).and_then(|place| {
                let body = world.bodies.iter().find(|body| body.id == id)?;
                let there = Body {
                    position: place.position,
                    ..body.clone()
                };
                let is_inside = there.is_over(&world.walls, 1.0);
                is_inside.then_some(Action::Teleport(id, place.position, place.velocity))
            }),
            5 => Some(Action::SpawnBadPlane),
            _ => {
                if dice.random() {
                    let step = step + dice.random_range(1..50);
                    let action = Action::Mend(id);
                    events.push(Event { step, action });
                }
                let bad = BadValue::value_variants().choose(dice).copied();
                bad.map(|bad| Action::Spoil(id, bad))
            }
        };
        events.extend(action.map(|action| Event { step, action }));
    }
    events.sort_by_key(|event| event.step);
    events
}
