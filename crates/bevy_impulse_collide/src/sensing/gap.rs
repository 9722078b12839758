//! The gap between a body and a sensor.

use bevy::prelude::*;
use glam::DVec3;

use crate::{
    body::{Bodies, Piece},
    kernel::closest_segment_points,
    shape::{Shape, geometry::Core},
};

/// A body and a sensor on their ways.
pub(super) struct Encounter<'a> {
    bodies: &'a Bodies,
    body: usize,
    sensor: usize,
    way: &'a Piece,
    sensor_way: &'a Piece,
}

impl<'a> Encounter<'a> {
    pub fn new(
        bodies: &'a Bodies,
        (body, way): (usize, &'a Piece),
        (sensor, sensor_way): (usize, &'a Piece),
    ) -> Self {
        Self {
            bodies,
            body,
            sensor,
            way,
            sensor_way,
        }
    }

    /// The gap in m at `s` seconds into the substep; zero or less if they overlap. It changes no faster than
    /// [`fastest`](Self::fastest).
    pub fn gap(&self, s: f32) -> f32 {
        let (radius, half) = self.body_core(s);
        let (sensor_x, rotation) = (self.sensor_way.x(s), self.sensor_way.rotation(s));
        let apart = self.way.x(s) - sensor_x;
        let distance = match self.bodies.shape[self.sensor] {
            Shape::Particle { radius } => distance_of_cores(apart, half, Vec3::ZERO) - radius,
            Shape::Capsule {
                radius,
                half_length,
            } => distance_of_cores(apart, half, rotation * Vec3::Y * half_length) - radius,
            Shape::Plane => {
                let axis = rotation * self.bodies.local_axis[self.sensor];
                axis.as_dvec3().dot(apart) as f32 - axis.dot(half).abs()
            }
            Shape::Collider => {
                let core = Core::in_frame((apart, half), radius, (Vec3::ZERO, rotation));
                let geometry = self.bodies.geometry[self.sensor].get();
                geometry.map_or(f32::INFINITY, |geometry| geometry.core_distance(&core))
            }
            // Its parts are sensors of their own.
            Shape::Compound { .. } => f32::INFINITY,
        };
        distance - radius
    }

    /// Upper limit in m/s of the speed at which the gap opens or closes.
    pub fn fastest(&self) -> f32 {
        let (_, half) = self.body_core(self.way.from);
        let half = half.length();
        let speed = self.way.speed() + self.sensor_way.speed() + self.way.spin() * half;
        let spin = match self.bodies.shape[self.sensor] {
            Shape::Particle { .. } | Shape::Compound { .. } => 0.0,
            Shape::Capsule { .. } | Shape::Plane | Shape::Collider => self.sensor_way.spin(),
        };
        let apart = self.way.x(self.way.from) - self.sensor_way.x(self.way.from);
        let arm = apart.length() as f32 + half + speed * (self.way.to - self.way.from);
        speed + spin * arm
    }

    /// A gap in m that counts as none: rounding makes no more of it.
    pub fn tolerance(&self) -> f32 {
        let radius = self.bodies.shape[self.body].radius();
        let apart = self.way.x(self.way.from) - self.sensor_way.x(self.way.from);
        (TOLERANCE * radius).max(ROUNDING * apart.abs().max_element() as f32)
    }

    /// The radius of the body, and from its centre to an end of its core.
    fn body_core(&self, s: f32) -> (f32, Vec3) {
        let shape = self.bodies.shape[self.body];
        let axis = self.way.rotation(s) * Vec3::Y;
        (shape.radius(), shape.core_half(axis))
    }
}

/// Gap, as a fraction of the body's radius, that counts as none.
const TOLERANCE: f32 = 1e-5;

/// The same as a fraction of the distance: the rounding of the distance in `f32`.
const ROUNDING: f32 = 4.0 * f32::EPSILON;

/// The distance in m of two segments about centres that are `apart`.
fn distance_of_cores(apart: DVec3, half: Vec3, sensor_half: Vec3) -> f32 {
    if half == Vec3::ZERO && sensor_half == Vec3::ZERO {
        return apart.length() as f32;
    }
    let (s, t) = closest_segment_points(apart.as_vec3(), half, Vec3::ZERO, sensor_half);
    (apart + (half * s - sensor_half * t).as_dvec3()).length() as f32
}
