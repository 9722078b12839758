//! Bodies for unit tests.

use bevy::prelude::*;

use super::{flags::BodyFlags, store::Bodies};
use crate::{kernel::IMMOVABLE, shape::Shape};

impl Bodies {
    /// Adds a body that never turns.
    pub(crate) fn push_for_test(&mut self, shape: Shape, x: Vec3, v: Vec3, inverse_mass: f32) {
        let i = self.len();
        self.resize(i + 1);
        self.set_for_test(i, shape, x, v, inverse_mass);
    }

    /// Makes a body another one.
    pub(crate) fn set_for_test(
        &mut self,
        i: usize,
        shape: Shape,
        x: Vec3,
        v: Vec3,
        inverse_mass: f32,
    ) {
        self.flags[i] = match inverse_mass {
            0.0 => BodyFlags::empty(),
            IMMOVABLE => BodyFlags::KINEMATIC,
            _ => BodyFlags::DYNAMIC,
        };
        self.shape[i] = shape;
        self.position[i] = x.as_dvec3();
        self.velocity[i] = v.as_dvec3();
        self.inverse_mass[i] = inverse_mass;
    }
}
