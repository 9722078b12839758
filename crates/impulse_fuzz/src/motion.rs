//! Energy and momentum, from formulas of its own: no code of the engine checks itself here.

use bevy::math::DVec3;
use bevy_impulse_collide::prelude::*;

use crate::world::{Body, Round};

/// Energy and momentum of the dynamic bodies.
#[derive(Clone, Copy, Debug, Default)]
pub struct Motion {
    /// Mass in kg.
    pub mass: f64,
    /// Kinetic energy in J, with the rotation.
    pub energy: f64,
    /// Momentum in kg·m/s.
    pub momentum: DVec3,
}

impl Motion {
    /// Adds a body with the velocities that its components show, or with those of the leapfrog.
    pub fn add(&mut self, body: &Body, velocity: DVec3, spin: DVec3) {
        let mass = f64::from(body.mass);
        let (axial, transverse) = inertia(body);
        let axis = (body.rotation.as_dquat().normalize() * DVec3::Y).normalize();
        let along = spin.dot(axis);
        let across = (spin - axis * along).length_squared();
        self.mass += mass;
        self.momentum += mass * velocity;
        self.energy +=
            0.5 * (mass * velocity.length_squared() + axial * along * along + transverse * across);
    }

    /// √(2·E·M): the momentum of the whole mass with this energy.
    pub fn momentum_scale(&self) -> f64 {
        (2.0 * self.energy * self.mass).sqrt()
    }
}

/// Moments of inertia in kg·m² about the axis and across it.
///
/// A capsule is a cylinder and a ball that is cut in two halves. The halves lie at the ends of the cylinder. The centre of mass
/// of a half-ball is 3/8·r away from its flat side. The balls of a dumbbell are half of its length away from its centre.
fn inertia(body: &Body) -> (f64, f64) {
    let (m, r) = (f64::from(body.mass), f64::from(body.radius));
    let of_balls = 0.4 * m * r * r;
    let l = match body.shape {
        Round::Ball => return (of_balls, of_balls),
        Round::Dumbbell(length) => {
            let l = f64::from(length);
            return (of_balls, of_balls + 0.25 * m * l * l);
        }
        Round::Capsule(length) => f64::from(length),
    };
    // Volumes over π·r².
    let (cylinder, ball) = (l, 4.0 / 3.0 * r);
    let m_cylinder = m * cylinder / (cylinder + ball);
    let m_ball = m * ball / (cylinder + ball);
    let about_own_centre = (0.4 - 9.0 / 64.0) * r * r;
    let distance = 0.5 * l + 0.375 * r;
    let axial = m_cylinder * r * r / 2.0 + m_ball * 0.4 * r * r;
    let transverse = m_cylinder * (r * r / 4.0 + l * l / 12.0)
        + m_ball * (about_own_centre + distance * distance);
    (axial, transverse)
}

/// The velocities v(t+h/2) that the leapfrog holds, without the half kick of the contacts in the components.
///
/// In a world without fields the contacts alone accelerate.
pub fn leapfrog(
    velocity: DVec3,
    spin: DVec3,
    acceleration: &Acceleration,
    half: f64,
) -> (DVec3, DVec3) {
    (
        velocity - acceleration.contact.as_dvec3() * half,
        spin - acceleration.angular_contact.as_dvec3() * half,
    )
}
