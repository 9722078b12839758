//! A boulder that is thrown at the pile, so fast that it may break it.

use bevy::prelude::*;
use rand::Rng;

use super::{
    boulder::{DENSITY, Motion, spawn_boulder},
    options::RubbleOptions,
    sphere::Sphere,
    stone::{BALLS, Stone},
};
use crate::gathering::{
    comet::{Comet, Throw},
    heap::HeapShape,
};

const THROW: Throw = Throw {
    mass: 0.05,
    speed: 6.0,
    off_center: 0.3,
};

/// A boulder that came from outside.
#[derive(Component)]
pub(super) struct FromOutside;

/// Throws a boulder that comes from the first of two directions and passes the centre of the pile on the side of the second.
pub(super) fn throw(
    commands: &mut Commands,
    rng: &mut impl Rng,
    (pile, options): (&HeapShape, &RubbleOptions),
    course: (Vec3, Vec3),
    time: f64,
) -> (Entity, Comet) {
    let sphere = Sphere::new(3);
    let unit = Stone::random(rng, 1.0, *BALLS.end(), &sphere);
    let stone = unit.with_volume(THROW.mass * pile.mass / DENSITY);
    let throw = (THROW, f64::from(stone.reach()));
    let comet = Comet::new(pile, options.g, throw, course, time);
    let motion = Motion {
        place: Transform::from_translation(comet.position),
        velocity: comet.velocity,
        ..default()
    };
    let entity = spawn_boulder(commands, &stone, motion);
    commands.entity(entity).insert(FromOutside);
    (entity, comet)
}
