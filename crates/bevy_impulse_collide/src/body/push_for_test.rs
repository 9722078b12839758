//! Bodies for unit tests.

use bevy::prelude::*;
use glam::DVec3;

use super::{
    flags::BodyFlags,
    material::Material,
    store::{Bodies, IMMOVABLE},
};
use crate::{kernel::InverseInertia, shape::Shape};

impl Bodies {
    pub(crate) fn push_for_test(&mut self, shape: Shape, x: Vec3, v: Vec3, inverse_mass: f32) {
        self.entity.push(Entity::PLACEHOLDER);
        self.flags.push(match inverse_mass {
            0.0 => BodyFlags::empty(),
            IMMOVABLE => BodyFlags::KINEMATIC,
            _ => BodyFlags::DYNAMIC,
        });
        self.shape.push(shape);
        self.axis.push(Vec3::Y);
        self.local_axis.push(Vec3::Y);
        self.position.push(x.as_dvec3());
        self.flight_shift.push(Vec3::ZERO);
        self.velocity.push(v.as_dvec3());
        self.angular_velocity.push(DVec3::ZERO);
        self.inverse_mass.push(inverse_mass);
        self.inverse_inertia.push(InverseInertia::ZERO);
        self.material.push(Material::default());
        self.acceleration.push(default());
        self.contact_acceleration.push(Vec3::ZERO);
    }
}
