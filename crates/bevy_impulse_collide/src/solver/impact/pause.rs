//! Pauses of bodies that have more impacts in a substep than are allowed.

use bevy::prelude::*;
use glam::DVec3;

use crate::{
    body::Bodies,
    kernel::{compose, free_rotation, turn},
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
    angular_acceleration: Vec3,
    contact_angular_acceleration: Vec3,
}

impl PausedBody {
    /// Stops a body at `s` seconds into the substep. Until [`release`](Self::release), its flight is at rest.
    ///
    /// The integration moves bodies along straight lines with v(t+h/2), beside their parabolas. The body stays on its line, which
    /// keeps its angular momentum, unless the line is far from the parabola: then it would stay inside its neighbour.
    pub fn pause(bodies: &mut Bodies, i: usize, s: f32) -> Self {
        let at = bodies.fly(i, s);
        let h = bodies.h;
        let (kick, _) = bodies.columns().first_half_kick(i, h);
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
            false => (at.rotation, at.w.as_dvec3()),
        };
        let velocity = bodies.velocity[i];
        bodies.velocity[i] = DVec3::ZERO;
        bodies.angular_velocity[i] = DVec3::ZERO;
        let (inertia, rotation_before) = (bodies.inverse_inertia[i], bodies.rotation[i]);
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
        // The second half kick gives the same angular momentum about the new axis as about the old one.
        let turned =
            |a: Vec3| inertia.mul(bodies.rotation[i], inertia.inverse_mul(rotation_before, a));
        let angular_acceleration = turned(bodies.angular_acceleration[i]);
        let contact_angular_acceleration = turned(bodies.contact_angular_acceleration[i]);
        bodies.angular_acceleration[i] = Vec3::ZERO;
        bodies.contact_angular_acceleration[i] = Vec3::ZERO;
        Self {
            body: i as u32,
            time: s,
            velocity,
            angular_velocity,
            acceleration: std::mem::take(&mut bodies.acceleration[i]),
            contact_acceleration: std::mem::take(&mut bodies.contact_acceleration[i]),
            angular_acceleration,
            contact_angular_acceleration,
        }
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
        bodies.angular_acceleration[i] = self.angular_acceleration;
        bodies.contact_angular_acceleration[i] = self.contact_angular_acceleration;
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
