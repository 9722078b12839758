//! A comet: one ball of the planet's rock, thrown so that it strikes at four times the escape speed.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::{
    options::{Dimensions, PlanetOptions},
    rock::rock,
};
use crate::gathering::{
    comet::{Comet, Throw},
    heap::HeapShape,
};

const THROW: Throw = Throw {
    mass: 0.1,
    speed: 4.0,
    off_center: 0.4,
};

/// A comet that comes from the first of two directions and passes the centre on the side of the second.
pub(super) fn comet(
    planet: &HeapShape,
    options: &PlanetOptions,
    course: (Vec3, Vec3),
    time: f64,
) -> Comet {
    let mass = THROW.mass * planet.mass;
    let radius = match options.dim {
        Dimensions::Two => mass.sqrt(),
        Dimensions::Three => mass.cbrt(),
    };
    Comet::new(planet, options.g, (THROW, radius), course, time)
}

pub(super) fn spawn_comet(commands: &mut Commands, comet: &Comet) -> Entity {
    commands
        .spawn((
            rock(comet.radius as f32, comet.mass as f32, comet.position),
            LinearVelocity(comet.velocity),
        ))
        .id()
}
