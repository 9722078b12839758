use bevy::prelude::*;
use glam::Vec4;

use crate::body::{Bodies, Columns};

/// What projection has changed of a body's position and velocity. The changes are so small against the position and velocity
/// themselves that in f32 they do not round a turning heap's momenta away.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Shift {
    /// Of the position; beside it the body's inverse mass.
    pub x: Vec4,
    /// Of the velocity; beside it 1 if anything of the body has changed.
    pub v: Vec4,
}

impl Shift {
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
        run.set_position(i, run.precise_position(i) + self.x().as_dvec3());
        run.add_velocity(i, self.v().as_dvec3());
        run.launch_position[i] = run.position[i];
    }
}
