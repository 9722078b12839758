//! Makes a failing world smaller, as long as it breaks the same law.

use std::time::{Duration, Instant};

use bevy::{prelude::*, reflect::structs::Struct};
use bevy_impulse_collide::prelude::*;

use crate::{
    failure::Failure,
    run::run,
    tie::{Drives, Tie},
    world::{Action, Body, Material, Round, Start, World},
};

/// A world that fails, and its failure.
#[derive(Clone, Debug)]
pub struct Failing {
    /// The world.
    pub world: World,
    /// Its first failure.
    pub failure: Failure,
}

/// A change that makes a world simpler, or gives nothing if there is nothing to simplify.
type Change = Box<dyn Fn(&World) -> Option<World>>;

/// Tries changes for about `limit`, and keeps each one after which the world still breaks the same law.
pub fn shrink(mut failing: Failing, limit: Duration) -> Failing {
    let end = Instant::now() + limit;
    loop {
        let before = text(&failing.world);
        for changes in [
            fewer_events,
            fewer_ties,
            fewer_bodies,
            fewer_walls,
            plainer_world,
            fewer_bodies,
            fewer_walls,
            fewer_ties,
            plainer_ties,
            plainer_bodies,
        ] {
            try_all(&mut failing, changes, end);
        }
        if text(&failing.world) == before || Instant::now() > end {
            return failing;
        }
    }
}

/// The whole world as text: two worlds are the same if their texts are.
fn text(world: &World) -> String {
    format!("{world:?}")
}

/// Tries each change once. The changes are listed anew after a success.
fn try_all(failing: &mut Failing, changes: fn(&World) -> Vec<Change>, end: Instant) {
    let mut next = 0;
    loop {
        let changes = changes(&failing.world);
        let Some(at) =
            (next..changes.len()).find(|&i| Instant::now() > end || try_one(failing, &changes[i]))
        else {
            return;
        };
        if Instant::now() > end {
            return;
        }
        // What comes after the change has moved up if a thing was removed.
        next = at;
    }
}

/// Makes one change, if the world then still breaks the same law.
fn try_one(failing: &mut Failing, change: &Change) -> bool {
    let Some(world) = change(&failing.world) else {
        return false;
    };
    // A clear world stays clear: with overlaps it would be another case.
    if world.start == Start::Clear && !world.is_clear() {
        return false;
    }
    match run(&world, failing.failure.step + 1) {
        Some(failure) if failure.law.name() == failing.failure.law.name() => {
            *failing = Failing { world, failure };
            true
        }
        _ => false,
    }
}

/// The parts of a list that can be left out: halves, quarters, and so on down to single items.
fn parts(len: usize) -> Vec<std::ops::Range<usize>> {
    let mut parts = Vec::new();
    let mut size = len;
    while size > 0 {
        let starts = (0..len).step_by(size);
        parts.extend(starts.map(|start| start..(start + size).min(len)));
        size /= 2;
    }
    parts
}

fn fewer_events(world: &World) -> Vec<Change> {
    without_parts(world.events.len(), |world| &mut world.events)
}

fn fewer_bodies(world: &World) -> Vec<Change> {
    let fewer = without_parts(world.bodies.len(), |world| &mut world.bodies);
    // What joins a body that is not there is no joint.
    let without_ties = |change: Change| -> Change {
        Box::new(move |world| {
            let mut world = change(world)?;
            let ids: Vec<u32> = world.bodies.iter().map(|body| body.id).collect();
            let is_there = |id: u32| ids.contains(&id);
            (world.ties).retain(|tie| is_there(tie.b) && tie.a.is_none_or(is_there));
            Some(world)
        })
    };
    fewer.into_iter().map(without_ties).collect()
}

fn fewer_ties(world: &World) -> Vec<Change> {
    without_parts(world.ties.len(), |world| &mut world.ties)
}

fn fewer_walls(world: &World) -> Vec<Change> {
    // The index of a wall in a failure is that in the smaller world: a run finds it again.
    without_parts(world.walls.len(), |world| &mut world.walls)
}

fn without_parts<T: 'static>(len: usize, list: fn(&mut World) -> &mut Vec<T>) -> Vec<Change> {
    let change = |part: std::ops::Range<usize>| -> Change {
        Box::new(move |world| {
            let mut world = world.clone();
            let list = list(&mut world);
            if part.end > list.len() {
                return None;
            }
            list.drain(part.clone());
            Some(world)
        })
    };
    parts(len).into_iter().map(change).collect()
}

/// A change that counts only if it makes a difference.
fn change(make: impl Fn(&mut World) + 'static) -> Change {
    Box::new(move |world| {
        let mut simpler = world.clone();
        make(&mut simpler);
        (text(&simpler) != text(world)).then_some(simpler)
    })
}

fn plainer_world(world: &World) -> Vec<Change> {
    let mut changes = vec![
        change(|world| world.config = default()),
        change(|world| world.gravity = Vec3::ZERO),
        change(|world| {
            // A world without fields stays without them.
            if world.gravity != Vec3::ZERO {
                world.gravity = Vec3::NEG_Y * 10.0;
            }
        }),
        change(|world| world.gravity = round(world.gravity, 2)),
        change(|world| world.hz = 60.0),
    ];
    changes.extend(
        (0..world.config.field_len())
            .map(|i| change(move |world| set_default(&mut world.config, i))),
    );
    changes.extend((0..world.walls.len()).flat_map(|i| {
        [
            change(move |world| world.walls[i].material = Material::default()),
            change(move |world| world.walls[i].velocity = Vec3::ZERO),
            change(move |world| world.walls[i].spin = Vec3::ZERO),
            change(move |world| world.walls[i].belt = Vec3::ZERO),
            change(move |world| world.walls[i].motion = RigidBody::Static),
            change(move |world| world.walls[i].point = round(world.walls[i].point, 3)),
        ]
    }));
    changes.extend((0..world.events.len()).map(|i| {
        change(move |world| {
            if let Action::Teleport(_, position, velocity) = &mut world.events[i].action {
                (*position, *velocity) = (round(*position, 3), round(*velocity, 3));
            }
        })
    }));
    changes
}

/// Gives one field of the configuration its default.
fn set_default(config: &mut CollisionConfig, i: usize) {
    let default = CollisionConfig::default();
    if let (Some(field), Some(value)) = (config.field_at_mut(i), default.field_at(i)) {
        // Both have the same type: there is no error.
        let _ = field.try_apply(value);
    }
}

fn plainer_bodies(world: &World) -> Vec<Change> {
    let of_body: [fn(&mut Body); 22] = [
        |body| {
            if let Round::Dumbbell(length) = body.shape {
                body.shape = Round::Capsule(length);
            }
        },
        |body| body.layers = None,
        |body| body.is_sensor = false,
        |body| body.is_sleepless = false,
        |body| body.spin = Vec3::ZERO,
        |body| body.velocity = Vec3::ZERO,
        |body| body.material = Material::default(),
        |body| body.material.rolling = None,
        |body| body.material.spinning = None,
        |body| body.material.friction = None,
        |body| body.material.restitution = None,
        |body| body.motion = RigidBody::Dynamic,
        |body| body.shape = Round::Ball,
        |body| body.rotation = Quat::IDENTITY,
        |body| body.mass = 1.0,
        |body| body.mass = round_to(body.mass, 2),
        |body| body.radius = round_to(body.radius, 2),
        |body| body.position = round(body.position, 3),
        |body| body.velocity = round(body.velocity, 2),
        |body| body.spin = round(body.spin, 2),
        |body| {
            if let Round::Capsule(length) | Round::Dumbbell(length) = &mut body.shape {
                *length = round_to(*length, 2);
            }
        },
        |body| {
            body.material.restitution = body.material.restitution.map(|e| round_to(e, 1));
            body.material.friction = body.material.friction.map(|mu| round_to(mu, 1));
        },
    ];
    let bodies = 0..world.bodies.len();
    let at_start =
        bodies.flat_map(|i| of_body.map(|make| change(move |world| make(&mut world.bodies[i]))));
    let events = 0..world.events.len();
    let spawned = events.flat_map(|i| {
        of_body.map(|make| {
            change(move |world| {
                if let Action::Spawn(body) = &mut world.events[i].action {
                    make(body);
                }
            })
        })
    });
    at_start.chain(spawned).collect()
}

fn plainer_ties(world: &World) -> Vec<Change> {
    let of_tie: [fn(&mut Tie); 13] = [
        |tie| tie.drives = Drives::default(),
        |tie| tie.drives.limits = None,
        |tie| tie.drives.swing = None,
        |tie| tie.drives.motor = None,
        |tie| tie.drives.spring = None,
        |tie| tie.strength = None,
        |tie| tie.is_on_parts = false,
        |tie| tie.bodies_collide = false,
        |tie| tie.point = tie.point.map(|point| round(point, 3)),
        |tie| {
            if tie.a.is_some() {
                tie.point = None;
            }
        },
        |tie| {
            if let JointKind::Wheel { steering } = &mut tie.kind {
                *steering = 0.0;
            }
        },
        |tie| (tie.axis, tie.across) = (Vec3::X, Vec3::Y),
        |tie| {
            let has_no_drives = tie.drives == Drives::default();
            if has_no_drives && !matches!(tie.kind, JointKind::Distance(_)) {
                tie.kind = JointKind::Spherical;
            }
        },
    ];
    let ties = 0..world.ties.len();
    let at_start =
        ties.flat_map(|i| of_tie.map(|make| change(move |world| make(&mut world.ties[i]))));
    let events = 0..world.events.len();
    let spawned = events.flat_map(|i| {
        of_tie.map(|make| {
            change(move |world| {
                if let Action::SpawnTie(tie) = &mut world.events[i].action {
                    make(tie);
                }
            })
        })
    });
    at_start.chain(spawned).collect()
}

fn round(vector: Vec3, digits: i32) -> Vec3 {
    Vec3::from_array(vector.to_array().map(|x| round_to(x, digits)))
}

/// The number with so many significant digits.
fn round_to(x: f32, digits: i32) -> f32 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let place = digits - 1 - x.abs().log10().floor() as i32;
    let scale = 10f64.powi(place);
    ((f64::from(x) * scale).round() / scale) as f32
}
