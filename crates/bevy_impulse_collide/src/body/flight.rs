//! The place of a body inside a substep, on its parabola.

use bevy::prelude::*;

use super::{columns::turned_on, growing::Growing, motion::Accelerations, store::Bodies};
use crate::{
    kernel::{compose, free_rotation, stretch, turn},
    shape::Shape,
};

/// Fraction by which an upper limit is raised: more than its rounding.
const ROUNDING: f32 = 1e-5;

/// Position, axis, rotation and velocities of a body at some moment inside the substep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flight {
    pub x: Vec3,
    pub rotation: Quat,
    pub axis: Vec3,
    pub v: Vec3,
    pub w: Vec3,
}

impl Bodies {
    /// Where the flight of this substep starts, in m: see `flight_shift`.
    pub(crate) fn flight_origin(&self, i: usize) -> Vec3 {
        self.position[i].as_vec3() + self.flight_shift[i]
    }

    /// Axis at the start of the flight, with `flight_rotation`.
    pub(crate) fn flight_axis(&self, i: usize) -> Vec3 {
        self.shape[i].axis_at(self.flight_rotation[i], self.local_axis[i])
    }

    /// Acceleration of the flight in the jolt stage: the fields', plus those of the contacts and the joints in the last substep.
    pub(crate) fn flight_acceleration(&self, i: usize) -> Vec3 {
        Accelerations::of(self, i).linear
    }

    /// The body at `s` seconds into the substep, on its present parabola: x(s) = x + v·s + a·s²/2.
    pub(crate) fn fly(&self, i: usize, s: f32) -> Flight {
        if self.is_aside(i) {
            return self.part_at(i, &self.fly(self.whole_of(i), s));
        }
        let a = self.flight_acceleration(i);
        let x = self.flight_origin(i) + self.velocity[i].as_vec3() * s + a * (0.5 * s * s);
        let v = self.velocity[i].as_vec3() + a * s;
        // The rotation of a ball changes nothing that an impact depends on.
        match self.is_static(i) || self.is_plain_ball(i) {
            false => {
                let (rotation, w) = free_rotation(
                    self.flight_rotation[i],
                    self.angular_velocity[i],
                    &self.inverse_inertia[i],
                    s,
                );
                Flight {
                    x,
                    rotation,
                    axis: self.shape[i].axis_at(rotation, self.local_axis[i]),
                    v,
                    w: w.as_vec3(),
                }
            }
            true => Flight {
                x,
                rotation: self.flight_rotation[i],
                axis: self.axis[i],
                v,
                w: self.angular_velocity[i].as_vec3() + Accelerations::of(self, i).angular * s,
            },
        }
    }

    /// Velocity in 1/s of a plane's normal, ω × n. Its length stays the same while the plane turns.
    pub(crate) fn tilting(&self, plane: usize) -> Vec3 {
        self.angular_velocity[plane]
            .as_vec3()
            .cross(self.axis[plane])
    }

    /// Whether a plane's normal turns by more than rounding. It does not where the plane turns about its own normal.
    pub(crate) fn tilts(&self, plane: usize) -> bool {
        let w = self.angular_velocity[plane].as_vec3();
        self.tilting(plane).length_squared() > 1e-12 * w.length_squared()
    }

    /// Changes velocity and angular velocity at `s` seconds into the substep, and shifts the start of its flight to match: the body
    /// then is where it was at s, and flies on from there with the new velocities.
    pub(crate) fn jolt(&mut self, i: usize, at: &Flight, s: f32, dv: Vec3, dw: Vec3) {
        if !self.is_dynamic(i) {
            return;
        }
        self.velocity[i] += dv.as_dvec3();
        self.flight_shift[i] -= dv * s;
        let w = at.w + dw;
        if self.inverse_inertia[i].is_isotropic() {
            let rotation = compose(turn(at.w, s), self.flight_rotation[i]);
            self.flight_rotation[i] = compose(turn(w, -s), rotation);
            self.angular_velocity[i] = turned_on(self.angular_velocity[i], dw);
        } else {
            let inertia = &self.inverse_inertia[i];
            (self.flight_rotation[i], self.angular_velocity[i]) =
                free_rotation(at.rotation, w.as_dvec3(), inertia, -s);
        }
    }

    /// Whether the body is a ball about its centre of mass whose inertia is the same about every axis: its rotation decides nothing.
    #[inline]
    pub(crate) fn is_plain_ball(&self, i: usize) -> bool {
        let is_ball = self.shape[i].is_ball() && !self.is_aside(i);
        (is_ball || self.is_one_ball(i)) && self.inverse_inertia[i].is_isotropic()
    }

    /// Upper limit, in rad/s, of the angular velocity of a body that turns freely.
    ///
    /// That of a symmetric top turns about L, and its magnitude stays. For another body, ω² = Σ L²/I² is at most max(1/I)·Σ L²/I, and
    /// the sum is twice the energy.
    pub(crate) fn fastest_turn(&self, i: usize) -> f32 {
        let (inertia, w) = (&self.inverse_inertia[i], self.angular_velocity[i].as_vec3());
        if inertia.is_symmetric() {
            return w.length();
        }
        let energy = w.dot(inertia.inverse_mul(self.flight_rotation[i], w));
        (energy * inertia.greatest()).sqrt() * (1.0 + ROUNDING)
    }

    /// Velocity of the point of a body that is at `arm` from its centre: v + ω × r, plus the velocity by growth.
    #[inline]
    pub(crate) fn point_velocity(&self, i: usize, arm: Vec3) -> Vec3 {
        self.velocity[i].as_vec3()
            + self.angular_velocity[i].as_vec3().cross(arm)
            + self.stretch(i, arm) * self.growth[i].speed
    }

    /// Velocity of the point of a body at a place: see [`point_velocity`](Self::point_velocity).
    #[inline]
    pub(crate) fn velocity_at(&self, i: usize, place: Vec3) -> Vec3 {
        let i = self.whole_of(i);
        self.point_velocity(i, place - self.position[i].as_vec3())
    }

    /// Velocity of the point at `arm` for a unit of growth speed; zero for a body that does not grow.
    #[inline]
    pub(crate) fn stretch(&self, i: usize, arm: Vec3) -> Vec3 {
        if self.growth[i] == Growing::NONE {
            return Vec3::ZERO;
        }
        match self.shape[i] {
            Shape::Capsule { half_length, .. } => stretch(self.axis[i], half_length, arm),
            Shape::Particle { .. } | Shape::Plane | Shape::Collider | Shape::Compound { .. } => {
                Vec3::ZERO
            }
        }
    }
}
