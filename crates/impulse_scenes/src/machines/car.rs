//! A car with balls for wheels, on hills.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::parts::{Stuff, Yard};

/// Radius of a wheel in m.
const WHEEL: f32 = 0.35;

/// What the driver asks for: from −1 to 1 each.
#[derive(Resource, Default, Clone, Copy, Debug, PartialEq)]
pub(super) struct Wheel {
    /// Forwards.
    pub gas: f32,
    /// To the left.
    pub steer: f32,
}

/// Greatest speed of the wheels in rad/s, torque of each in N·m, and steering in rad.
const SPEED: f32 = 30.0;
const TORQUE: f32 = 350.0;
const BRAKE: f32 = 60.0;
const STEERING: f32 = 0.5;

/// The joint of a wheel, and whether it is steered.
#[derive(Component)]
pub(super) struct Axle {
    is_front: bool,
}

/// The car's body, which the camera follows.
#[derive(Component)]
pub(super) struct Chassis;

/// Height of the hills in m.
fn height(at: Vec2) -> f32 {
    let hill = |x: f32, z: f32, size: f32| (-(at - Vec2::new(x, z)).length_squared() / size).exp();
    let waves = 0.25 * (0.45 * at.x).sin() * (0.38 * at.y).cos();
    // A level place to start from.
    let start = (-at.length_squared() / 40.0).exp();
    (waves
        + 3.0 * hill(18.0, 8.0, 60.0)
        + 2.2 * hill(-14.0, -16.0, 40.0)
        + 4.0 * hill(10.0, -24.0, 90.0))
        * (1.0 - start)
}

pub(super) fn set_up(yard: &mut Yard) {
    yard.ground(80.0, 161, height);
    let at = Vec3::new(0.0, 0.75, 0.0);
    let chassis = yard.bar(
        Stuff::Paint,
        [at - 0.95 * Vec3::X, at + 0.95 * Vec3::X],
        0.32,
        900.0,
    );
    yard.give(chassis, Chassis);
    for (x, z) in [(0.8, 0.6), (0.8, -0.6), (-0.8, 0.6), (-0.8, -0.6)] {
        let hub = at + Vec3::new(x, -0.25, z);
        let wheel = yard.ball(Stuff::Rubber, hub, WHEEL, 25.0);
        yard.give(wheel, Friction(1.2));
        let axle = Axle { is_front: x > 0.0 };
        yard.join(
            Joint::wheel(chassis, wheel, Vec3::Y, Vec3::Z),
            (
                axle,
                JointLimits::new(-0.2, 0.2),
                JointSpring::frequency(2.2, 0.5),
                JointMotor::velocity(0.0).with_max_force(BRAKE),
            ),
        );
    }
    for k in 0..24 {
        let angle = 0.26 * k as f32;
        let at = Vec2::from_angle(angle) * 12.0;
        let foot = Vec3::new(at.x, height(at), at.y);
        for row in 0..3 {
            let centre = foot + Vec3::Y * (0.3 + 0.6 * row as f32);
            yard.ball(Stuff::Wood, centre, 0.3, 3.0);
        }
    }
}

/// Gives the wheels what the driver asks for.
pub(super) fn drive(asked: Res<Wheel>, mut axles: Query<(&Axle, &mut Joint, &mut JointMotor)>) {
    for (axle, mut joint, mut motor) in &mut axles {
        // A wheel that rolls along X turns about −Z.
        let speed = JointMotor::velocity(-SPEED * asked.gas);
        let torque = if asked.gas == 0.0 { BRAKE } else { TORQUE };
        motor.set_if_neq(speed.with_max_force(torque));
        if let (true, JointKind::Wheel { steering }) = (axle.is_front, joint.kind) {
            let wanted = STEERING * asked.steer;
            // The hands need a moment.
            let steering = steering + 0.1 * (wanted - steering);
            joint.set_if_neq(Joint {
                kind: JointKind::Wheel { steering },
                ..*joint
            });
        }
    }
}
