//! Bodies for unit tests.

use bevy::prelude::*;

use super::{material::Material, store::Bodies};
use crate::{kernel::InverseInertia, shape::Shape};

impl Bodies {
    pub(crate) fn push_for_test(&mut self, shape: Shape, x: Vec3, v: Vec3, inverse_mass: f32) {
        self.entity.push(Entity::PLACEHOLDER);
        self.asleep.push(false);
        self.shape.push(shape);
        self.axis.push(Vec3::Y);
        self.local_axis.push(Vec3::Y);
        self.position.push(x);
        self.launch_position.push(x);
        self.velocity.push(v);
        self.angular_velocity.push(Vec3::ZERO);
        self.inverse_mass.push(inverse_mass);
        self.inverse_inertia.push(InverseInertia::ZERO);
        self.material.push(Material::default());
        self.acceleration.push(default());
        self.contact_acceleration.push(Vec3::ZERO);
    }
}
