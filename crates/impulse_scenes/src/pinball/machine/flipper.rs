//! The flippers.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::{
    Hands, Side,
    measures::flipper::{REST, STROKE, outline, pivot},
    play::Game,
    table::{Stuff, prism},
};

/// A flipper. Its entity's origin is the pivot.
#[derive(Component, Clone, Copy, Debug)]
pub struct Flipper {
    /// On which side it is.
    pub side: Side,
    /// Whether its button was pressed in the last step, and it had power.
    pub is_up: bool,
}

/// Seconds in which a coil turns its flipper through the whole stroke, from rest.
pub const STROKE_TIME: f32 = 0.032;
/// Seconds in which the spring turns it back.
const RETURN_TIME: f32 = 0.06;

impl Flipper {
    /// The rotation that is raised by this angle in rad from rest.
    pub fn rotation(side: Side, raised: f32) -> Quat {
        Quat::from_rotation_y(side.sign() * (REST - raised))
    }

    /// The angle in rad by which it is raised.
    pub fn raised(&self, rotation: Quat) -> f32 {
        let along = rotation * Vec3::X;
        REST - self.side.sign() * (-along.z).atan2(along.x)
    }
}

pub(super) fn spawn_flippers(mut commands: Commands) {
    for side in Side::BOTH {
        let at = pivot(side);
        commands.spawn((
            Flipper { side, is_up: false },
            prism(&outline(side)),
            RigidBody::Kinematic,
            Stuff::Rubber,
            // Flipper rubber is harder than that of the rings.
            Restitution(0.55),
            Friction(0.4),
            Transform::from_xyz(at.x, 0.0, at.y).with_rotation(Flipper::rotation(side, 0.0)),
        ));
    }
}

/// The rate in rad/s at which an arm at `raised` turns in the next step of `dt` seconds, now turning at `rate`.
///
/// A constant torque turns it through the stroke θ in the time T: θ̈ = ±2·θ/T². It stops exactly at the ends: there the rate is
/// the remaining angle over the step.
pub fn next_rate(raised: f32, rate: f32, is_up: bool, dt: f32) -> f32 {
    let acceleration = |time: f32| 2.0 * STROKE / (time * time);
    if is_up {
        let rate = rate.max(0.0) + acceleration(STROKE_TIME) * dt;
        rate.min((STROKE - raised) / dt)
    } else {
        let rate = rate.min(0.0) - acceleration(RETURN_TIME) * dt;
        rate.max(-raised / dt)
    }
}

pub(super) fn turn_flippers(
    mut flippers: Query<(&mut Flipper, &Transform, &mut AngularVelocity)>,
    hands: Res<Hands>,
    mut game: ResMut<Game>,
    time: Res<Time>,
) {
    for (mut flipper, transform, mut velocity) in &mut flippers {
        let side = flipper.side;
        let is_up = hands.flip[side as usize] && game.rules.is_live();
        if is_up && !flipper.is_up {
            game.rules.flip(side);
        }
        if is_up != flipper.is_up {
            flipper.is_up = is_up;
        }
        let raised = flipper.raised(transform.rotation);
        let rate = next_rate(raised, -side.sign() * velocity.y, is_up, time.delta_secs());
        velocity.set_if_neq(AngularVelocity(-side.sign() * rate * Vec3::Y));
    }
}
