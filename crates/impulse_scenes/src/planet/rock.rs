//! A ball of the planet.

use bevy::{ecs::query::QueryData, prelude::*};
use bevy_impulse_collide::prelude::*;

use crate::gathering::heap::Rock;

/// Place and motion of a ball.
#[derive(QueryData)]
pub(super) struct Ball {
    particle: &'static Particle,
    mass: &'static Mass,
    transform: &'static Transform,
    velocity: &'static LinearVelocity,
    spin: &'static AngularVelocity,
}

impl From<BallItem<'_, '_>> for Rock {
    fn from(ball: BallItem) -> Self {
        let mass = f64::from(ball.mass.0);
        let radius = f64::from(ball.particle.radius * ball.transform.scale.x);
        Self {
            mass,
            position: ball.transform.translation.as_dvec3(),
            velocity: ball.velocity.as_dvec3(),
            spin: ball.spin.as_dvec3(),
            inertia: Self::ball_inertia(mass, radius),
        }
    }
}

/// A ball of the planet. Its size is its scale, so that all can share one mesh.
pub(super) fn rock(radius: f32, mass: f32, position: Vec3) -> impl Bundle {
    (
        Particle::new(1.0),
        Mass(mass),
        Transform::from_translation(position).with_scale(Vec3::splat(radius)),
    )
}

/// Gives a ball that has absorbed others its new size: its mesh grows with its transform, and its radius in local units
/// stays 1.
pub(super) fn grow(
    mut merged: MessageReader<Merged>,
    mut balls: Query<(&mut Transform, &mut Particle)>,
) {
    for ball in merged.read() {
        if let Ok((mut transform, mut particle)) = balls.get_mut(ball.survivor) {
            transform.scale = Vec3::splat(ball.radius);
            particle.radius = 1.0;
        }
    }
}
