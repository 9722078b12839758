//! A hash of the motions of all bodies, and what tells this build's physics from another's.

use bevy::{ecs::query::QueryState, prelude::*, time::TimePlugin};
use bevy_impulse_collide::prelude::*;
use std::time::Duration;

use crate::kinds::AnyBody;

/// Hashes the places and the velocities of all bodies. Neither the entities nor their order count.
pub(crate) struct StateHash(
    QueryState<
        (
            &'static Transform,
            Option<&'static LinearVelocity>,
            Option<&'static AngularVelocity>,
            Option<&'static Sleep>,
        ),
        (AnyBody, Without<InWorld>),
    >,
);

impl StateHash {
    pub fn new(world: &mut World) -> Self {
        Self(QueryState::new(world))
    }

    pub fn of(&mut self, world: &World) -> u64 {
        let of_body = |(transform, v, w, sleep): (
            &Transform,
            Option<&LinearVelocity>,
            Option<&AngularVelocity>,
            Option<&Sleep>,
        )| {
            let numbers = [
                transform.translation.to_array(),
                v.map_or(Vec3::ZERO, |v| v.0).to_array(),
                w.map_or(Vec3::ZERO, |w| w.0).to_array(),
            ];
            let numbers = numbers
                .into_iter()
                .flatten()
                .chain(transform.rotation.to_array());
            let asleep = u64::from(sleep.is_some_and(Sleep::is_asleep));
            numbers.fold(asleep, |hash, number| mix(hash, bits(number)))
        };
        self.0.iter(world).map(of_body).fold(0, u64::wrapping_add)
    }
}

/// The bits of a number. A file does not tell one NaN from another.
fn bits(number: f32) -> u64 {
    u64::from(if number.is_nan() {
        f32::NAN.to_bits()
    } else {
        number.to_bits()
    })
}

/// One round of the hash of the Rust compiler (FxHash), with the high bits mixed into the low ones.
pub(crate) fn mix(hash: u64, word: u64) -> u64 {
    let hash = (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    hash ^ (hash >> 32)
}

/// A number that stands for the physics of this build: the bits in which a small world ends. Another build that steps otherwise has,
/// as good as always, another one.
pub(crate) fn build() -> u64 {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }));
    let world = app.world_mut();
    world.spawn(Plane::new(Vec3::new(0.1, 1.0, 0.0)));
    world.spawn((
        Collider::cuboid(1.0, 0.2, 1.0),
        Transform::from_xyz(0.5, 0.1, 0.3),
    ));
    let mut last = None;
    for k in 0..12 {
        let turn = 0.7 * k as f32;
        let place = Transform::from_xyz(0.3 - 0.05 * turn, 0.4 + 0.3 * k as f32, 0.04 * turn)
            .with_rotation(Quat::from_xyzw(0.6, 0.0, 0.8, 0.0));
        let body = world
            .spawn((
                place,
                Friction(0.1 * k as f32),
                AngularVelocity(Vec3::splat(turn)),
            ))
            .id();
        match k % 3 {
            0 => world.entity_mut(body).insert(Capsule::new(0.1, 0.2)),
            _ => world.entity_mut(body).insert(Particle::new(0.12)),
        };
        if let (3, Some(last)) = (k % 4, last) {
            world.spawn(Joint::distance(last, body));
        }
        last = Some(body);
    }
    let mut hash = StateHash::new(world);
    for _ in 0..90 {
        bevy_impulse_collide::step(world, Duration::from_nanos(16_666_667));
    }
    hash.of(world)
}
