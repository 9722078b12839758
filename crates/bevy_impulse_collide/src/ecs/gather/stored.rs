//! A gathered body in the packed arrays, and a body that goes on from the step before.

use bevy::prelude::*;
use glam::DVec3;

use super::gathered::{Gathered, is_too_far};
use crate::{
    body::{Accelerations, Columns, Growing, IMMOVABLE, Velocities},
    kernel::unit,
};

impl Columns<'_> {
    /// Puts a body in its place. Returns whether anything that a step treats as constant has changed.
    pub(super) fn set(&mut self, i: usize, body: &Gathered) -> bool {
        let mut has_changed = false;
        let is_another = self.entity[i] != body.entity || self.scale[i] == Vec3::ZERO;
        macro_rules! set_constant {
            ($($name:ident),*) => {
                $(if self.$name[i] != body.$name {
                    self.$name[i].clone_from(&body.$name);
                    has_changed = true;
                })*
            };
        }
        let is_pushed = body.inverse_mass > IMMOVABLE;
        let touches_nothing = self.is_sensor[i] && body.is_sensor;
        // Of a body that turns about another point than its origin, the place of that point is kept: from the origin it would be
        // found with a rounding error in each step.
        let keeps_centre = body.centre != Vec3::ZERO
            && body.centre == self.centre[i]
            && (self.shown_position(i), self.rotation[i]) == body.origin;
        let (position, rotation) = if is_another {
            (body.position, body.rotation)
        } else if body.is_carried {
            (self.position[i], self.rotation[i])
        } else if keeps_centre {
            (self.position[i], body.rotation)
        } else {
            (body.position, body.rotation)
        };
        let is_moved =
            self.position[i] != position || !self.rotation[i].abs_diff_eq(rotation, 1e-6);
        set_constant!(
            entity,
            shape,
            geometry,
            mass,
            inverse_mass,
            inverse_inertia,
            material,
            layers,
            is_sensor,
            has_hooks
        );
        if body.inverse_mass == 0.0 {
            set_constant!(position, rotation, axis);
        }
        self.centre[i] = body.centre;
        // The rounding error of a kinematic body belongs to its place.
        if is_pushed || is_another || self.position[i] != position {
            self.position_rest[i] = Vec3::ZERO;
        }
        self.position[i] = position;
        self.rotation[i] = rotation;
        self.axis[i] = body.axis;
        self.local_axis[i] = body.local_axis;
        self.velocity[i] = body.velocity;
        self.velocity_rest[i] = Vec3::ZERO;
        self.angular_velocity[i] = body.angular_velocity;
        // A body that grows has contacts of another kind.
        has_changed |= (self.growth[i] == Growing::NONE) != (body.growth == Growing::NONE);
        self.has_rod_inertia[i] = body.has_rod_inertia;
        self.has_locked_rotation[i] = body.has_locked_rotation;
        self.growth[i] = body.growth;
        self.linear_damping[i] = body.linear_damping;
        self.angular_damping[i] = body.angular_damping;
        let belt_before = std::mem::replace(&mut self.surface_velocity[i], body.surface_velocity);
        // A belt has contacts of another kind.
        has_changed |= (belt_before == Vec3::ZERO) != (body.surface_velocity == Vec3::ZERO);
        self.gravity_scale[i] = body.gravity_scale;
        self.external_force[i] = body.external_force;
        self.external_torque[i] = body.external_torque;
        self.acceleration[i] = DVec3::ZERO;
        self.angular_acceleration[i] = Vec3::ZERO;
        self.contact_acceleration[i] = body.contact_acceleration;
        self.contact_angular_acceleration[i] = body.contact_angular_acceleration;
        self.launch_position[i] = position;
        self.launch_rotation[i] = rotation;
        self.steps[i] = body.steps;
        self.asleep[i] = body.asleep;
        self.quiet_for[i] = body.quiet_for;
        self.scale[i] = body.scale;
        let is_disturbed =
            has_changed || (is_moved && !is_pushed) || belt_before != body.surface_velocity;
        self.disturbed[i] = body.was_moved || (is_disturbed && !is_another && !touches_nothing);
        has_changed
    }

    /// Whether all numbers of the body's motion are finite, and its position is not too far from the origin.
    pub(super) fn is_sound(&self, i: usize) -> bool {
        self.position[i].is_finite()
            && !is_too_far(self.position[i], &self.shape[i])
            && self.rotation[i].is_finite()
            && self.velocity[i].is_finite()
            && self.angular_velocity[i].is_finite()
    }

    /// Has the effect of [`set`](Self::set) with the components that the last step has written, with `half_before` for half a
    /// substep in seconds. The effect is the same to the bit, so it makes no difference which bodies are read.
    pub(super) fn go_on(&mut self, i: usize, half_before: f32, half: f32) {
        let rotation = match self.asleep[i] {
            true => self.rotation[i],
            false => unit(self.rotation[i]),
        };
        self.rotation[i] = rotation;
        if self.is_pushed(i) {
            self.position_rest[i] = Vec3::ZERO;
        }
        self.velocity_rest[i] = Vec3::ZERO;
        if self.is_free(i) {
            let last = Accelerations::of_run(self, i);
            let stored_before = Velocities {
                linear: self.velocity[i],
                angular: self.angular_velocity[i],
            };
            let shown = stored_before.shown(last, half_before);
            let stored = shown.stored(last, half, self.steps[i] == 0);
            self.velocity[i] = stored.linear;
            self.angular_velocity[i] = stored.angular;
            self.axis[i] = self.shape[i].axis_at(rotation, self.local_axis[i]);
        }
        self.acceleration[i] = DVec3::ZERO;
        self.angular_acceleration[i] = Vec3::ZERO;
        self.launch_position[i] = self.position[i];
        self.launch_rotation[i] = rotation;
        self.disturbed[i] = false;
    }
}
