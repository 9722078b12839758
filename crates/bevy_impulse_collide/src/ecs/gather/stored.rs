//! A gathered body in the packed arrays, and a body that resumes from the step before.

use bevy::prelude::*;
use glam::DVec3;

use super::gathered::{Gathered, is_too_far};
use crate::body::{BodyFlags, Columns, Growing, Switch};

/// What the reading of a body has found.
pub(super) struct Set {
    /// Whether anything that a step treats as constant has changed.
    pub has_changed: bool,
    /// How its loads or velocities have changed.
    pub switch: Option<Switch>,
}

impl Columns<'_> {
    /// Puts a body in its place.
    pub(super) fn set(&mut self, i: usize, body: &Gathered) -> Set {
        let mut has_changed = false;
        let is_another = self.entity[i] != body.entity || self.is_unread(i);
        let touches_nothing = self.is_sensor(i) && body.flags.contains(BodyFlags::SENSOR);
        // A reading that was broken off has set the body already.
        let is_part = body.flags.contains(BodyFlags::PART);
        let is_own = !is_another && !self.is_switched(i) && (is_part || self.goes_on(i, body));
        // A ball that spins on the spot sleeps, until a user gives it another spin.
        let asleep = body.flags.contains(BodyFlags::ASLEEP)
            && (is_own || body.angular_velocity == Vec3::ZERO);
        let was_moved = body.was_asleep && !asleep;
        let kept = BodyFlags::CHANGED | BodyFlags::APPEARED | BodyFlags::FRESH;
        let before = self.flags[i];
        self.flags[i] = body.flags | before & kept;
        self.flags[i].set(BodyFlags::ASLEEP, asleep);
        if self.is_unread(i) {
            self.flags[i].insert(BodyFlags::APPEARED);
        }
        let constant = BodyFlags::SENSOR | BodyFlags::HOOKS;
        has_changed |= before & constant != body.flags & constant;
        macro_rules! set_constant {
            ($($name:ident),*) => {
                $(if self.$name[i] != body.$name {
                    self.$name[i].clone_from(&body.$name);
                    has_changed = true;
                })*
            };
        }
        let is_dynamic = self.is_dynamic(i);
        // Of a body that turns about another point than its origin, the place of that point is kept: from the origin it would be
        // found with a rounding error in each step.
        let keeps_centre = body.centre != Vec3::ZERO
            && body.centre == self.centre[i]
            && (self.shown_position(i), self.rotation[i]) == body.origin;
        // A kinematic body goes just where its velocity takes it: its place is known to more digits than its component has.
        let keeps_digits = !is_dynamic && self.position[i].as_vec3() == body.position;
        let position = if !is_another && (body.is_carried || keeps_centre || keeps_digits) {
            self.position[i]
        } else {
            body.position.as_dvec3()
        };
        // Made a unit quaternion once more, a rotation would be rounded once more: that turns the body.
        let is_same = !body.is_moved && self.rotation[i] == body.origin.1;
        let rotation = if !is_another && (body.is_carried || is_same) {
            self.rotation[i]
        } else if asleep {
            body.origin.1
        } else {
            body.rotation
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
            whole,
            offset,
            part_rotation
        );
        if body.inverse_mass == 0.0 {
            has_changed |= self.position[i] != position;
            has_changed |= self.rotation[i] != rotation || self.axis[i] != body.axis;
        }
        self.centre[i] = body.centre;
        self.position[i] = position;
        self.rotation[i] = rotation;
        self.axis[i] = body.shape.axis_at(rotation, body.local_axis);
        self.local_axis[i] = body.local_axis;
        let has_other_velocity = (
            self.velocity[i].as_vec3(),
            self.angular_velocity[i].as_vec3(),
        ) != (body.velocity, body.angular_velocity);
        // A kinematic body that turns has contacts of another kind.
        let turns = |w: Vec3| w != Vec3::ZERO;
        has_changed |= !is_dynamic
            && body.shape.is_round()
            && turns(self.angular_velocity[i].as_vec3()) != turns(body.angular_velocity);
        // A motion that the component still shows keeps its digits.
        if is_another || self.velocity[i].as_vec3() != body.velocity {
            self.velocity[i] = body.velocity.as_dvec3();
        }
        if is_another || self.angular_velocity[i].as_vec3() != body.angular_velocity {
            self.angular_velocity[i] = body.angular_velocity.as_dvec3();
        }
        // A body that grows has contacts of another kind.
        has_changed |= (self.growth[i] == Growing::NONE) != (body.growth == Growing::NONE);
        self.growth[i] = body.growth;
        self.linear_damping[i] = body.linear_damping;
        self.angular_damping[i] = body.angular_damping;
        let belt_before = std::mem::replace(&mut self.surface_velocity[i], body.surface_velocity);
        // A belt has contacts of another kind.
        has_changed |= (belt_before == Vec3::ZERO) != (body.surface_velocity == Vec3::ZERO);
        self.gravity_scale[i] = body.gravity_scale;
        let loads_before = (self.external_force[i], self.external_torque[i]);
        self.external_force[i] = body.external_force;
        self.external_torque[i] = body.external_torque;
        // A motion that a user has written, or a load that he has switched, starts anew: what the last step knows of the body has
        // ended.
        self.round_motion(i);
        if !is_own {
            self.acceleration[i] = DVec3::ZERO;
            self.angular_acceleration[i] = Vec3::ZERO;
            self.start_anew(i);
        }
        self.flight_shift[i] = Vec3::ZERO;
        self.flight_rotation[i] = rotation;
        self.quiet_for[i] = if was_moved { 0.0 } else { body.quiet_for };
        self.scale[i] = body.scale;
        let is_disturbed =
            has_changed || (is_moved && !is_dynamic) || belt_before != body.surface_velocity;
        self.flags[i].set(
            BodyFlags::DISTURBED,
            was_moved || (is_disturbed && !is_another && !touches_nothing),
        );
        let has_other_slide = belt_before != body.surface_velocity;
        let is_sampled = body.is_moved || body.switch_before.is_some();
        let is_switched = match is_dynamic {
            true => has_changed || !is_own,
            false => {
                let has_other_motion = has_other_velocity || has_other_slide;
                has_changed || is_moved || (has_other_motion && !is_sampled)
            }
        };
        self.flags[i].set(
            BodyFlags::SWITCHED,
            is_switched && !is_another && !touches_nothing,
        );
        if is_dynamic && self.is_switched(i) {
            self.start_anew(i);
        }
        let switch = if is_dynamic {
            let before = (!is_another).then_some(loads_before);
            self.sample(i, body, before, is_own)
        } else {
            let is_other = (has_other_velocity && !body.is_moved) || has_other_slide;
            (is_other && !is_another).then_some(Switch::of(body.entity))
        };
        Set {
            has_changed,
            switch,
        }
    }

    /// Notes the loads of a dynamic body if they are written. If they were written before the last step too, they are samples, and
    /// v(t) gets half of their change. Stage 2 of the first substep gives its own part of that. A new body has had no loads `before`.
    fn sample(
        &mut self,
        i: usize,
        body: &Gathered,
        before: Option<(Vec3, Vec3)>,
        is_own: bool,
    ) -> Option<Switch> {
        let now = (body.external_force, body.external_torque);
        let is_new = before.is_none();
        let before = before.unwrap_or_default();
        let change = (now.0 - before.0, now.1 - before.1);
        let is_other = change != (Vec3::ZERO, Vec3::ZERO);
        if body.is_loaded {
            return Some(Switch {
                is_applied: true,
                ..Switch::of(body.entity)
            });
        }
        if !body.is_written && (is_new || !is_other) {
            return None;
        }
        let last = body.switch_before.filter(|_| !is_new);
        match last {
            // After a step with applied forces it is not known what has changed.
            Some(last) if last.is_applied => None,
            Some(last) if !is_other => Some(last),
            Some(last) if is_own => {
                let (half_step, half) = body.halves;
                // The first load of a new body has acted from its start on. If it was a pulse, it ends in the same way.
                let is_owed = !last.is_new || now == (Vec3::ZERO, Vec3::ZERO);
                let owed = if is_owed { half_step } else { 0.0 };
                let force = last.force * owed + change.0 * (half_step - half);
                let torque = last.torque * owed + change.1 * (half_step - half);
                self.velocity[i] += (force * self.inverse_mass[i]).as_dvec3();
                let turned = self.inverse_inertia[i].mul(self.rotation[i], torque);
                self.add_spin(i, turned);
                Some(Switch::of(body.entity))
            }
            _ => Some(Switch {
                force: change.0,
                torque: change.1,
                is_new,
                ..Switch::of(body.entity)
            }),
        }
    }

    /// Whether the components of a dynamic body hold the motion that the last step has written, and the loads that it has read. Loads
    /// that change in every step count as samples of the same load.
    fn goes_on(&self, i: usize, body: &Gathered) -> bool {
        // After the first reading of its components, the rotation is that of a unit quaternion.
        let rotation = self.rotation[i] == body.origin.1 || self.rotation[i] == body.rotation;
        let motion = rotation
            && self.shown_position(i) == body.origin.0
            && self.velocity[i].as_vec3() == body.velocity
            && self.angular_velocity[i].as_vec3() == body.angular_velocity
            && self.gravity_scale[i] == body.gravity_scale
            && self.inverse_mass[i] == body.inverse_mass;
        let loads = self.external_force[i] == body.external_force
            && self.external_torque[i] == body.external_torque;
        body.flags.contains(BodyFlags::DYNAMIC) && motion && (loads || body.is_sampled)
    }

    /// Whether the body was never read.
    pub(super) fn is_unread(&self, i: usize) -> bool {
        self.scale[i] == Vec3::ZERO
    }

    /// Whether all numbers of the body's motion are finite, and its position is not too far from the origin.
    pub(super) fn is_sound(&self, i: usize) -> bool {
        self.position[i].as_vec3().is_finite()
            && !is_too_far(self.position[i].as_vec3(), &self.shape[i])
            && self.rotation[i].is_finite()
            && self.velocity[i].as_vec3().is_finite()
            && self.angular_velocity[i].as_vec3().is_finite()
    }

    /// Has the effect of [`set`](Self::set) with the components that the last step has written. The effect is the same to the bit,
    /// so it makes no difference which bodies are read.
    pub(super) fn resume(&mut self, i: usize) {
        let rotation = self.rotation[i];
        self.round_motion(i);
        if !self.is_static(i) {
            self.axis[i] = self.shape[i].axis_at(rotation, self.local_axis[i]);
        }
        self.flight_shift[i] = Vec3::ZERO;
        self.flight_rotation[i] = rotation;
        self.flags[i].remove(BodyFlags::DISTURBED);
        self.flags[i].remove(BodyFlags::SWITCHED);
    }
}
