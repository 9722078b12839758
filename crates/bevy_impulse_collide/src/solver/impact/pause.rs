//! Pauses of bodies that have more impacts in a substep than are allowed.

use bevy::prelude::*;
use glam::DVec3;

use crate::{
    body::Bodies,
    kernel::{compose, free_rotation, rotation_vector, turn},
    solver::position::{PoseBefore, StaticPlanes},
};

/// Largest distance of a paused body from its parabola, as a fraction of its radius.
const MAX_BESIDE: f32 = 0.5;

/// Speed, over the speed of a fall of one substep, from which a paused body does not get the velocity of the fall.
const FAST: f64 = 4.0;

/// A body that stays where it is until the end of the substep.
///
/// It loses time: momentum, angular momentum and energy do not depend on how far it flies. The contact stage stops the approach of
/// surfaces that touch it. Its other impacts happen in the next substep.
#[derive(Debug)]
pub(super) struct PausedBody {
    body: u32,
    /// The time in the substep in s.
    time: f32,
    velocity: DVec3,
    angular_velocity: DVec3,
    acceleration: DVec3,
    contact_acceleration: Vec3,
    joint_acceleration: Vec3,
    angular_acceleration: Vec3,
    contact_angular_acceleration: Vec3,
    joint_angular_acceleration: Vec3,
}

impl PausedBody {
    /// Stops a body at `s` seconds into the substep. Until [`release`](Self::release), its flight is at rest.
    ///
    /// The integration moves bodies along straight lines with v(t+h/2), beside their parabolas, and turns them by the angular velocity
    /// of that time. The body stays on its line, which keeps its angular momentum, unless the line is far from the parabola: then it
    /// would stay inside its neighbour.
    pub fn pause(bodies: &mut Bodies, i: usize, s: f32) -> Self {
        let at = bodies.fly(i, s);
        let h = bodies.h;
        let (kick, spin_kick) = bodies.columns().first_half_kick(i, h);
        let line = bodies.velocity[i] + kick;
        let on_line = bodies.position[i] + bodies.flight_shift[i].as_dvec3() + line * f64::from(s);
        let x = if (on_line.as_vec3() - at.x).length() <= MAX_BESIDE * bodies.shape[i].radius() {
            on_line
        } else {
            at.x.as_dvec3()
        };
        let (rotation, angular_velocity) = match bodies.is_plain_ball(i) {
            true => {
                let rotation = compose(turn(at.w, s), bodies.flight_rotation[i]);
                (rotation, bodies.angular_velocity[i])
            }
            false => Self::turned(bodies, i, s, at.rotation, spin_kick),
        };
        let velocity = bodies.velocity[i];
        bodies.velocity[i] = DVec3::ZERO;
        bodies.angular_velocity[i] = DVec3::ZERO;
        let start_rotation = bodies.flight_rotation[i];
        let planes = StaticPlanes::of(bodies);
        let mut run = bodies.columns();
        let before = PoseBefore::of(&run, i);
        run.position[i] = x;
        run.rotation[i] = rotation;
        run.axis[i] = run.shape[i].axis_at(rotation, run.local_axis[i]);
        planes.stop(&mut run, i, &before);
        planes.place_parts_of(bodies, i);
        bodies.flight_shift[i] = Vec3::ZERO;
        bodies.flight_rotation[i] = bodies.rotation[i];
        // The kick turns with the body. About the same axis in the world, it would turn a thin body about its own axis too, where its
        // inertia is small: its energy would grow.
        let turn_along = |a: Vec3| bodies.rotation[i] * (start_rotation.inverse() * a);
        let angular_acceleration = turn_along(bodies.angular_acceleration[i]);
        let contact_angular_acceleration = turn_along(bodies.contact_angular_acceleration[i]);
        bodies.angular_acceleration[i] = Vec3::ZERO;
        bodies.contact_angular_acceleration[i] = Vec3::ZERO;
        Self {
            body: i as u32,
            time: s,
            velocity,
            angular_velocity,
            acceleration: std::mem::take(&mut bodies.acceleration[i]),
            contact_acceleration: std::mem::take(&mut bodies.contact_acceleration[i]),
            joint_acceleration: std::mem::take(&mut bodies.joint_acceleration[i]),
            angular_acceleration,
            contact_angular_acceleration,
            joint_angular_acceleration: std::mem::take(&mut bodies.joint_angular_acceleration[i]),
        }
    }

    /// The rotation of a body at `s` seconds into the substep, and its angular velocity before the half kick. On its parabola it would be
    /// turned to `on_parabola`.
    fn turned(bodies: &Bodies, i: usize, s: f32, on_parabola: Quat, kick: Vec3) -> (Quat, DVec3) {
        let start = bodies.flight_rotation[i];
        let line = bodies.angular_velocity[i] + kick.as_dvec3();
        let (on_line, w) = free_rotation(start, line, &bodies.inverse_inertia[i], s);
        let beside = rotation_vector(on_parabola, on_line).length();
        let shape = &bodies.shape[i];
        let (rotation, w) = if beside * shape.bounding_radius() <= MAX_BESIDE * shape.radius() {
            (on_line, w)
        } else {
            // As fast about each of its own axes.
            let across = on_parabola * on_line.inverse();
            (on_parabola, across.as_dquat() * w)
        };
        // The kick turns with the body.
        let kick = rotation * (start.inverse() * kick);
        (rotation, w - kick.as_dvec3())
    }

    /// Gives the body its velocities and accelerations back. A fast body does not get the velocity that uniform `gravity` gives in
    /// the lost time: a body that does not fall must not gain the energy of a fall, step after step. The contacts of a slow one carry
    /// its weight.
    pub fn release(&self, bodies: &mut Bodies, gravity: Vec3) {
        let i = self.body as usize;
        let (gravity, h) = (gravity * bodies.gravity_scale[i], bodies.h);
        let is_fast = self.velocity.length() > FAST * f64::from(gravity.length() * h);
        let lost = if is_fast {
            gravity * (h - self.time)
        } else {
            Vec3::ZERO
        };
        bodies.velocity[i] = self.velocity - lost.as_dvec3();
        bodies.angular_velocity[i] = self.angular_velocity;
        bodies.acceleration[i] = self.acceleration;
        bodies.contact_acceleration[i] = self.contact_acceleration;
        bodies.joint_acceleration[i] = self.joint_acceleration;
        bodies.angular_acceleration[i] = self.angular_acceleration;
        bodies.contact_angular_acceleration[i] = self.contact_angular_acceleration;
        bodies.joint_angular_acceleration[i] = self.joint_angular_acceleration;
    }

    /// Shifts the start of the body's flight back, which has its final velocities by now: at the end of the substep, it will be where it is.
    pub fn resume(&self, bodies: &mut Bodies) {
        let (i, h) = (self.body as usize, bodies.h);
        bodies.flight_shift[i] = -bodies.velocity[i].as_vec3() * h;
        let (rotation, w) = (bodies.rotation[i], bodies.angular_velocity[i]);
        (bodies.flight_rotation[i], bodies.angular_velocity[i]) =
            free_rotation(rotation, w, &bodies.inverse_inertia[i], -h);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{body::BodyFlags, kernel::InverseInertia, shape::Shape};

    /// A rod of 2 m with the given radius, before its half kick.
    fn rod(radius: f32, w: Vec3, acceleration: Vec3) -> Bodies {
        let mut bodies = Bodies {
            h: 1.0 / 60.0,
            ..default()
        };
        let (half_length, mass) = (1.0, 2.0);
        bodies.push_for_test(
            Shape::Capsule {
                radius,
                half_length,
            },
            Vec3::ZERO,
            Vec3::ZERO,
            1.0 / mass,
        );
        bodies.local_axis[0] = Vec3::Y;
        bodies.flags[0] = BodyFlags::DYNAMIC;
        bodies.inverse_inertia[0] = InverseInertia::capsule(mass, radius, 2.0 * half_length);
        bodies.angular_velocity[0] = w.as_dvec3();
        bodies.contact_angular_acceleration[0] = acceleration;
        bodies
    }

    /// The energy of the rotation and the angular momentum after the half kick.
    fn kicked(bodies: &mut Bodies) -> (f64, DVec3) {
        let h = bodies.h;
        let (_, kick) = bodies.columns().first_half_kick(0, h);
        let w = bodies.angular_velocity[0] + kick.as_dvec3();
        let l = bodies.inverse_inertia[0].precise_momentum(bodies.flight_rotation[0], w);
        (0.5 * w.dot(l), l)
    }

    proptest! {
        /// A pause costs no energy, however thin the body is and however fast it turns. If the kick turns it little, it costs no
        /// angular momentum either.
        #[test]
        fn a_pause_keeps_energy_and_angular_momentum(
            radius in prop_oneof![Just(1e-3f32), 1e-3..0.5f32],
            w in prop::array::uniform3(-60.0..60.0f32).prop_map(Vec3::from),
            acceleration in prop::array::uniform3(-6000.0..6000.0f32).prop_map(Vec3::from),
            is_weak in any::<bool>(),
            part in 0.0..1.0f32,
        ) {
            let axis = Vec3::Y;
            // The contacts of a thin rod give it little about its axis.
            let across = acceleration.reject_from(axis) * if is_weak { 1e-4 } else { 1.0 };
            let mut bodies = rod(radius, w, across + acceleration.project_onto(axis) * 1e-3);
            let (energy, l) = kicked(&mut bodies);
            let s = part * bodies.h;
            PausedBody::pause(&mut bodies, 0, s).release(&mut bodies, Vec3::ZERO);
            let (energy_now, l_now) = kicked(&mut bodies);
            prop_assert!((energy_now - energy).abs() < 1e-3 * energy, "{energy_now} J of {energy} J");
            if is_weak && radius > 0.01 {
                prop_assert!(l_now.distance(l) < 1e-4 * l.length(), "{l_now}, not {l}");
            }
        }
    }
}
