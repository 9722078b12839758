//! A drum that turns about Z, seen from inside of it: see [`pile`](super) for the equations.

use std::f64::consts::{PI, TAU};

use bevy::{math::DVec3, prelude::*};
use bevy_impulse_collide::prelude::*;

/// Centrifugal acceleration at the wall over gravity's, at which the surface of a heap avalanches: between slumping in
/// bouts, under about 0.001, and balls that fly, above about 0.1 (Mellmann 2001).
const FROUDE: f64 = 0.05;

/// Angular acceleration of the motor in rad/s².
const MOTOR: f64 = 0.5;

/// How the drum has turned, and how it turns.
#[derive(Resource, Clone, Copy, Debug)]
pub(super) struct Drum {
    /// In rad, from −π to π, counter-clockwise seen from +Z.
    angle: f64,
    /// In rad/s.
    speed: f64,
    /// Target speed of the motor, in rad/s.
    target: f64,
    /// Speed at which a heap avalanches, in rad/s.
    avalanching: f64,
}

impl Drum {
    /// At rest. It will turn with `speed` rad/s, or as fast as makes a heap avalanche.
    pub fn new(radius: f32, speed: Option<f32>) -> Self {
        let gravity = f64::from(Gravity::default().length());
        let avalanching = (FROUDE * gravity / f64::from(radius)).sqrt();
        let mut drum = Self {
            angle: 0.0,
            speed: 0.0,
            target: 0.0,
            avalanching,
        };
        drum.set_speed(speed);
        drum
    }

    pub fn set_speed(&mut self, speed: Option<f32>) {
        self.target = speed.map_or(self.avalanching, f64::from);
    }

    /// Target speed of the motor, in rad/s.
    pub fn target(&self) -> f64 {
        self.target
    }

    /// Angular acceleration in the substep of `h` seconds that begins now, in rad/s².
    fn angular_acceleration(&self, h: f64) -> f64 {
        ((self.target - self.speed) / h).clamp(-MOTOR, MOTOR)
    }

    /// From the drum's frame to the onlooker's.
    pub fn rotation(&self) -> Quat {
        Quat::from_rotation_z(self.angle as f32)
    }

    /// Place, velocity and angular velocity in the drum's frame of a body with this place and velocity, and no spin, in the
    /// onlooker's frame.
    pub fn seen_inside(&self, position: Vec3, velocity: Vec3) -> (Vec3, Vec3, Vec3) {
        let back = self.rotation().inverse();
        let omega = self.angular_velocity();
        let velocity = velocity - omega.cross(position);
        (back * position, back * velocity, -omega)
    }

    /// In rad/s; the same in both frames.
    pub fn angular_velocity(&self) -> Vec3 {
        self.speed as f32 * Vec3::Z
    }
}

/// Adds the inertial accelerations of the turning frame.
///
/// The terms that depend on velocities are solved for v(t) as stage 2 will correct it, by half of the change of a.
pub(super) fn push(mut bodies: ResMut<Bodies>, drum: Res<Drum>) {
    let h = f64::from(bodies.substep());
    let omega = drum.speed * DVec3::Z;
    let omega_rate = drum.angular_acceleration(h) * DVec3::Z;
    bodies.for_each(|mut body| {
        let half = if body.is_new() { 0.0 } else { 0.5 * h };
        let x = body.position().as_dvec3();
        let pull = -omega.cross(omega.cross(x)) - omega_rate.cross(x);
        let a = body.acceleration().as_dvec3() + pull;
        let kick = (a - body.last_acceleration().as_dvec3()) * half;
        let v = unturned(body.velocity().as_dvec3() + kick, 2.0 * half * omega);
        body.accelerate(pull - 2.0 * omega.cross(v));

        let b = body.angular_acceleration().as_dvec3() - omega_rate;
        let kick = (b - body.last_angular_acceleration().as_dvec3()) * half;
        let w = unturned(body.angular_velocity().as_dvec3() + kick, half * omega);
        body.accelerate_rotation((-omega_rate - omega.cross(w)).as_vec3());
    });
}

/// The y of y + q × y = u.
fn unturned(u: DVec3, q: DVec3) -> DVec3 {
    (u - q.cross(u) + q * q.dot(u)) / (1.0 + q.length_squared())
}

/// Turns the drum by a substep, and gravity against it.
pub(super) fn turn(mut drum: ResMut<Drum>, mut gravity: ResMut<Gravity>, bodies: Res<Bodies>) {
    let h = f64::from(bodies.substep());
    let acceleration = drum.angular_acceleration(h);
    let turned = (drum.speed + 0.5 * acceleration * h) * h;
    drum.angle = (drum.angle + turned + PI).rem_euclid(TAU) - PI;
    drum.speed += acceleration * h;
    gravity.0 = drum.rotation().inverse() * Gravity::default().0;
}
