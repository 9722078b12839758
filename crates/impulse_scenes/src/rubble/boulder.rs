//! A boulder: one rigid body of many balls.

use bevy::{
    ecs::query::QueryData,
    math::{DMat3, DVec3},
    prelude::*,
};
use bevy_impulse_collide::prelude::*;

use super::stone::Stone;
use crate::gathering::heap::Rock;

/// Density of a boulder in kg/m³: stony meteorites have 3,000 to 3,700 (Consolmagno et al. 2008).
pub(super) const DENSITY: f64 = 3000.0;

/// A boulder. Its balls are its children.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Boulder {
    /// Of the solid, in m³.
    pub volume: f64,
    /// About the centre of mass, in its own axes, in kg·m².
    inertia: DMat3,
}

/// Place and motion of a boulder.
#[derive(QueryData)]
pub(super) struct Body {
    boulder: &'static Boulder,
    transform: &'static Transform,
    velocity: &'static LinearVelocity,
    spin: &'static AngularVelocity,
}

impl From<BodyItem<'_, '_>> for Rock {
    fn from(body: BodyItem) -> Self {
        let axes = DMat3::from_quat(body.transform.rotation.as_dquat());
        Self {
            mass: DENSITY * body.boulder.volume,
            position: body.transform.translation.as_dvec3(),
            velocity: body.velocity.as_dvec3(),
            spin: body.spin.as_dvec3(),
            inertia: axes * body.boulder.inertia * axes.transpose(),
        }
    }
}

/// A place with a rotation, and a motion.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Motion {
    pub place: Transform,
    pub velocity: Vec3,
    pub spin: Vec3,
}

/// Spawns a stone as a boulder with this motion.
pub(super) fn spawn_boulder(commands: &mut Commands, stone: &Stone, motion: Motion) -> Entity {
    let boulder = Boulder {
        volume: stone.volume,
        inertia: stone.inertia(DENSITY),
    };
    let whole = (
        boulder,
        Compound,
        motion.place,
        LinearVelocity(motion.velocity),
        AngularVelocity(motion.spin),
        Visibility::default(),
    );
    let balls = stone.balls.iter().zip(stone.masses(DENSITY));
    let mut whole = commands.spawn(whole);
    whole.with_children(|whole| {
        for (&(center, radius), mass) in balls {
            let place = Transform::from_translation(center);
            whole.spawn((Particle::new(radius), Mass(mass as f32), place));
        }
    });
    whole.id()
}

/// The balls of a boulder in the world: centres, relative to an origin, and radii.
pub(super) fn balls_in_world<'a>(
    transform: &Transform,
    balls: impl Iterator<Item = (&'a Particle, &'a Transform)>,
    origin: DVec3,
) -> impl Iterator<Item = (Vec3, f32)> {
    let origin = origin.as_vec3();
    balls.map(move |(ball, place)| {
        let center = transform.transform_point(place.translation) - origin;
        (center, ball.radius)
    })
}
