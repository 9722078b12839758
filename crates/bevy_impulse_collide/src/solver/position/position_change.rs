//! The change of a body's place and velocity by the projection.

use bevy::prelude::*;
use glam::Vec4;

use crate::body::{Bodies, Columns};

/// The change of a body's position and velocity by the projection. The small changes are summed up separately. Added to f32
/// positions and velocities, they would be rounded, and a turning heap would lose its momenta.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct PositionChange {
    /// Change of the position in m; in w the body's inverse mass.
    pub x: Vec4,
    /// Change of the velocity in m/s; in w 1 if the projection has moved or turned the body.
    pub v: Vec4,
}

impl PositionChange {
    /// The change at solver indices that belong to no body.
    pub const NOBODY: Self = Self {
        x: Vec4::ZERO,
        v: Vec4::ZERO,
    };

    pub fn of(bodies: &Bodies, i: usize) -> Self {
        Self {
            x: Vec3::ZERO.extend(bodies.inverse_mass[i]),
            v: Vec4::ZERO,
        }
    }

    pub fn x(&self) -> Vec3 {
        self.x.truncate()
    }

    pub fn v(&self) -> Vec3 {
        self.v.truncate()
    }

    pub fn has_moved(&self) -> bool {
        self.v.w > 0.0
    }

    pub fn set(&mut self, x: Vec3, v: Vec3) {
        self.x = x.extend(self.x.w);
        self.v = v.extend(1.0);
    }

    pub fn add(&mut self, x: Vec3, v: Vec3) {
        self.set(self.x() + x, self.v() + v);
    }

    pub fn write(&self, run: &mut Columns, i: usize) {
        run.position[i] += self.x().as_dvec3();
        run.velocity[i] += self.v().as_dvec3();
        run.flight_shift[i] = Vec3::ZERO;
    }
}
