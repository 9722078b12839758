//! The plunger: a spring that the player pulls, and that shoots the ball.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::{
    Hands,
    measures::{
        BALL_MASS, BALL_RADIUS, LANE,
        plunger::{HAND, LENGTH, MASS, PULL, RADIUS, STIFFNESS, TIP},
    },
};

/// The plunger.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct Plunger {
    /// How far it was pulled when it was let go, in m; zero while it is not on its way back.
    shot: f32,
    /// Seconds since then.
    since: f32,
}

/// Angular frequency in rad/s of the spring with plunger and ball: ω = √(k/m).
pub fn frequency() -> f32 {
    (STIFFNESS / (MASS + BALL_MASS)).sqrt()
}

/// How far it is pulled, in m.
pub fn pulled(transform: &Transform) -> f32 {
    transform.translation.z - TIP - 0.5 * LENGTH
}

pub(super) fn spawn_plunger(mut commands: Commands) {
    commands.spawn((
        Plunger::default(),
        // Lying along the lane, its middle at the height of the ball's centre.
        Collider::cylinder(RADIUS, LENGTH),
        RigidBody::Kinematic,
        // A soft tip: the ball stays on it until the spring is slack.
        Restitution(0.0),
        Friction(0.1),
        Transform::from_xyz(LANE, BALL_RADIUS, TIP + 0.5 * LENGTH)
            .with_rotation(Quat::from_rotation_x(std::f32::consts::FRAC_PI_2)),
    ));
}

pub(super) fn move_plunger(
    plunger: Single<(&mut Plunger, &Transform, &mut LinearVelocity)>,
    hands: Res<Hands>,
    time: Res<Time>,
) {
    let (mut plunger, transform, mut velocity) = plunger.into_inner();
    let (now, dt) = (pulled(transform), time.delta_secs());
    let next = if hands.pull {
        plunger.shot = 0.0;
        (now + HAND * dt).min(PULL)
    } else {
        if plunger.shot == 0.0 {
            (plunger.shot, plunger.since) = (now, 0.0);
        }
        // A harmonic motion from rest, until the stop: x = x₀·cos(ω·t).
        plunger.since += dt;
        let phase = frequency() * plunger.since;
        if phase < std::f32::consts::FRAC_PI_2 {
            plunger.shot * phase.cos()
        } else {
            plunger.shot = 0.0;
            0.0
        }
    };
    velocity.set_if_neq(LinearVelocity((next - now) / dt * Vec3::Z));
}
