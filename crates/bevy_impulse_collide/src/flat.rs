//! Flat worlds: everything moves in the plane z = 0 and turns about Z.
//!
//! With [`CollisionConfig::flat`](crate::config::CollisionConfig), the step sees every body at z = 0. Velocities, forces and
//! accelerations along Z are zero for it, and so are spins about X and Y. The `Transform` keeps its z, which a 2D game uses to draw
//! one body over another.

use bevy::prelude::*;
use glam::DVec3;

use crate::body::{Bodies, Columns};

/// Largest part of a rotation about X and Y, and largest z of a normal, that counts as rounding.
pub(crate) const OUT_OF_PLANE: f32 = 1e-3;

/// The part of a vector in the plane. A vector in the plane stays to the bit, with a zero below zero too.
pub(crate) fn in_plane(v: Vec3) -> Vec3 {
    if v.z == 0.0 { v } else { v.with_z(0.0) }
}

/// The part of a spin, or of a torque, about Z.
pub(crate) fn about_z(w: Vec3) -> Vec3 {
    if w.x == 0.0 && w.y == 0.0 {
        w
    } else {
        Vec3::Z * w.z
    }
}

/// The turn about Z that is nearest to a rotation.
pub(crate) fn turn_about_z(rotation: Quat) -> Quat {
    if rotation.x == 0.0 && rotation.y == 0.0 {
        return rotation;
    }
    let length = (rotation.z * rotation.z + rotation.w * rotation.w).sqrt();
    if length == 0.0 {
        return Quat::IDENTITY;
    }
    Quat::from_xyzw(0.0, 0.0, rotation.z / length, rotation.w / length)
}

/// Puts the place of a body into the plane. The rotation of a half-space may turn another normal into the plane, so it stays.
pub(crate) fn flatten(place: &mut Transform, is_plane: bool) {
    place.translation = in_plane(place.translation);
    if !is_plane && place.rotation.is_finite() {
        place.rotation = turn_about_z(place.rotation);
    }
}

impl Columns<'_> {
    fn flatten_field(&mut self, i: usize) {
        if self.acceleration[i].z != 0.0 {
            self.acceleration[i].z = 0.0;
        }
        self.angular_acceleration[i] = about_z(self.angular_acceleration[i]);
    }

    fn flatten_motion(&mut self, i: usize) {
        for v in [&mut self.position[i], &mut self.velocity[i]] {
            v.z = 0.0;
        }
        for v in [&mut self.flight_shift[i], &mut self.contact_acceleration[i]] {
            *v = in_plane(*v);
        }
        self.angular_velocity[i] *= DVec3::Z;
        let contact = &mut self.contact_angular_acceleration[i];
        *contact = about_z(*contact);
        let rotation = self.rotation[i];
        // The rotation of a half-space may turn another normal into the plane.
        if !self.shape[i].is_plane() && (rotation.x != 0.0 || rotation.y != 0.0) {
            self.rotation[i] = turn_about_z(rotation);
            self.flight_rotation[i] = self.rotation[i];
            self.axis[i] = self.shape[i].axis_at(self.rotation[i], self.local_axis[i]);
        }
    }
}

/// After the fields: in a flat world, none acts along Z.
pub(crate) fn flatten_fields(mut bodies: ResMut<Bodies>) {
    if bodies.flat {
        bodies.for_each_run(|_, mut run| (0..run.len()).for_each(|i| run.flatten_field(i)));
    }
}

/// At the end of a substep: in a flat world, an impulse that leads out of the plane has moved nothing out of it. A slanting wall
/// may give such an impulse.
pub(crate) fn flatten_motions(mut bodies: ResMut<Bodies>) {
    if bodies.flat {
        bodies.for_each_run(|_, mut run| (0..run.len()).for_each(|i| run.flatten_motion(i)));
        bodies.place_parts();
    }
}
