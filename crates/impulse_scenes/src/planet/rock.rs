//! A ball of the planet.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

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
