//! A ball.

use std::f32::consts::PI;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::drum::Drum;

pub(super) fn ball_volume(radius: f32) -> f32 {
    4.0 / 3.0 * PI * radius.powi(3)
}

/// A ball. Its size is its scale, so that all can share one mesh.
pub(super) fn ball(radius: f32, density: f32, position: Vec3) -> (Particle, Mass, Transform) {
    (
        Particle::new(1.0),
        Mass(density * ball_volume(radius)),
        Transform::from_translation(position).with_scale(Vec3::splat(radius)),
    )
}

/// A ball that flies without spin, where and how an onlooker sees it.
pub(super) fn flying_ball(
    radius: f32,
    density: f32,
    position: Vec3,
    velocity: Vec3,
    drum: Option<&Drum>,
) -> impl Bundle {
    let (position, velocity, spin) = match drum {
        Some(drum) => drum.seen_inside(position, velocity),
        None => (position, velocity, Vec3::ZERO),
    };
    (
        ball(radius, density, position),
        LinearVelocity(velocity),
        AngularVelocity(spin),
    )
}
