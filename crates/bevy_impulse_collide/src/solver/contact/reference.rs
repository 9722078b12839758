//! The contact laws written out in f64, one point at a time: the kernels are compared with them.

use glam::{DMat3, DVec3, Vec3};

use super::view::ContactPoint;
use crate::body::Bodies;

/// Velocities of a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReferenceMotion {
    pub v: DVec3,
    pub w: DVec3,
    pub growth: f64,
}

impl ReferenceMotion {
    pub fn of(bodies: &Bodies, i: usize) -> Self {
        Self {
            v: bodies.velocity[i],
            w: bodies.angular_velocity[i],
            growth: f64::from(bodies.growth[i].speed),
        }
    }
}

/// One side of a contact.
#[derive(Clone, Copy, Debug)]
struct Side {
    inverse_mass: f64,
    inverse_inertia: DMat3,
    /// Largest inverse moment of inertia.
    easiest_turn: f64,
    arm: DVec3,
    stretch: DVec3,
    inverse_growth_inertia: f64,
}

impl Side {
    fn new(bodies: &Bodies, i: usize, point: Vec3) -> Self {
        let arm = point - bodies.position[i].as_vec3();
        let inertia = bodies.inverse_inertia[i];
        Self {
            inverse_mass: f64::from(bodies.inverse_mass[i]),
            inverse_inertia: inertia.precise_matrix(bodies.flight_rotation[i]),
            easiest_turn: f64::from(inertia.greatest()),
            arm: arm.as_dvec3(),
            stretch: bodies.stretch(i, arm).as_dvec3(),
            inverse_growth_inertia: f64::from(bodies.growth[i].inverse_inertia),
        }
    }

    fn velocity(&self, motion: &ReferenceMotion) -> DVec3 {
        motion.v + motion.w.cross(self.arm) + self.stretch * motion.growth
    }

    fn push(&self, motion: &mut ReferenceMotion, impulse: DVec3) {
        motion.v += impulse * self.inverse_mass;
        motion.w += self.inverse_inertia * self.arm.cross(impulse);
        motion.growth += self.stretch.dot(impulse) * self.inverse_growth_inertia;
    }

    /// ⟨u, K·v⟩.
    fn k(&self, u: DVec3, v: DVec3) -> f64 {
        let turned = self
            .arm
            .cross(u)
            .dot(self.inverse_inertia * self.arm.cross(v));
        let grown = self.stretch.dot(u) * self.stretch.dot(v) * self.inverse_growth_inertia;
        u.dot(v) * self.inverse_mass + turned + grown
    }
}

/// One contact point.
pub(super) struct ReferencePoint {
    sides: [Side; 2],
    normal: DVec3,
    closing_allowed: f64,
    friction: f64,
    /// Largest rolling and spinning couples for a unit of normal impulse.
    rolling_arm: f64,
    spinning_arm: f64,
    /// Impulse that would stop the sliding at the start.
    sliding: f64,
    pub normal_impulse: f64,
    pub friction_impulse: DVec3,
    pub couple: DVec3,
}

impl ReferencePoint {
    /// The point of a prepared `contact` of the bodies 0 and 1, which start with these `motions` and without impulses.
    pub fn new(
        bodies: &Bodies,
        contact: &ContactPoint,
        motions: &[ReferenceMotion; 2],
        (rolling_friction, spinning_friction): (f32, f32),
    ) -> Self {
        let point = bodies.position[0].as_vec3() + contact.arm_a;
        let sides = [0, 1].map(|i| Side::new(bodies, i, point));
        let radius = f64::from(bodies.shape[0].radius().min(bodies.shape[1].radius()));
        let turn: f64 = sides.iter().map(|side| side.easiest_turn).sum();
        let inverse_mass: f64 = sides.iter().map(|side| side.inverse_mass).sum();
        let roll = 1.0 + inverse_mass / (turn * radius * radius);
        let mut point = Self {
            sides,
            normal: contact.normal.as_dvec3(),
            closing_allowed: f64::from(contact.closing_allowed),
            friction: f64::from(contact.friction),
            rolling_arm: radius * roll * f64::from(rolling_friction),
            spinning_arm: radius * f64::from(spinning_friction),
            sliding: 0.0,
            normal_impulse: 0.0,
            friction_impulse: DVec3::ZERO,
            couple: DVec3::ZERO,
        };
        point.sliding = point.stop(point.velocity(motions)).length();
        point
    }

    fn velocity(&self, motions: &[ReferenceMotion; 2]) -> DVec3 {
        self.sides[0].velocity(&motions[0]) - self.sides[1].velocity(&motions[1])
    }

    fn k(&self, u: DVec3, v: DVec3) -> f64 {
        self.sides.iter().map(|side| side.k(u, v)).sum()
    }

    /// The impulse across the normal that stops the sliding.
    fn stop(&self, velocity: DVec3) -> DVec3 {
        let (t, s) = self.normal.any_orthonormal_pair();
        let (tt, ts, ss) = (self.k(t, t), self.k(t, s), self.k(s, s));
        let (v_t, v_s) = (velocity.dot(t), velocity.dot(s));
        (t * (ts * v_s - ss * v_t) + s * (ts * v_t - tt * v_s)) / (tt * ss - ts * ts)
    }

    fn push(&self, motions: &mut [ReferenceMotion; 2], impulse: DVec3) {
        self.sides[0].push(&mut motions[0], impulse);
        self.sides[1].push(&mut motions[1], -impulse);
    }

    /// Friction, then couples, then the normal impulse.
    pub fn solve(&mut self, motions: &mut [ReferenceMotion; 2]) {
        let n = self.normal;
        let wanted = self.friction_impulse + self.stop(self.velocity(motions));
        let friction = wanted.clamp_length_max(self.friction * self.normal_impulse);
        self.push(motions, friction - self.friction_impulse);
        self.friction_impulse = friction;

        if self.rolling_arm > 0.0 || self.spinning_arm > 0.0 {
            let turn: f64 = self.sides.iter().map(|side| side.easiest_turn).sum();
            let wanted = self.couple - (motions[0].w - motions[1].w) / turn;
            let spin = wanted.dot(n);
            let spin_limit = self.spinning_arm * self.normal_impulse;
            let rolling_part = (self.normal_impulse - self.sliding / self.friction).max(0.0);
            let roll = (wanted - n * spin).clamp_length_max(self.rolling_arm * rolling_part);
            let couple = roll + n * spin.clamp(-spin_limit, spin_limit);
            let change = couple - self.couple;
            self.couple = couple;
            motions[0].w += self.sides[0].inverse_inertia * change;
            motions[1].w -= self.sides[1].inverse_inertia * change;
        }

        let closing = self.velocity(motions).dot(n) + self.closing_allowed;
        let normal = (self.normal_impulse - closing / self.k(n, n)).max(0.0);
        self.push(motions, n * (normal - self.normal_impulse));
        self.normal_impulse = normal;
    }
}
