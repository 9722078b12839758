//! Capsules that overlap others are pushed apart.

use bevy::prelude::*;

use super::{shift::Shift, turning::Turning};
use crate::{
    body::{Bodies, IMMOVABLE},
    collision::manifold,
    config::{CollisionConfig, ProjectionLaw},
    kernel::{InverseInertia, projection_velocity_change, reduced_mass, reduced_mass_ratio},
    shape::{Shape, smaller_radius},
};

/// A point at which a pair overlaps. Place and normal stay as they were when the stage began: pushes are small.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    /// Where the bodies are among the part's; what nothing moves has the place that is no body's.
    places: [u32; 2],
    n: Vec3,
    /// By how much they overlap more than they may.
    overlap: f32,
    /// How they stood and moved against each other.
    x_ab: Vec3,
    v_ab: Vec3,
    levers: [Lever; 2],
    inverse_masses: [f32; 2],
    /// How far a unit of positional impulse moves the surfaces apart.
    ease: f32,
}

/// How a push at the point turns a body.
#[derive(Clone, Copy, Debug)]
struct Lever {
    /// r × n
    torque: Vec3,
    /// I⁻¹·(r × n)
    turn: Vec3,
    inverse_inertia: InverseInertia,
}

/// The points at which a pair overlaps by more than it may.
pub(super) fn points(
    bodies: &Bodies,
    config: &CollisionConfig,
    (a, b): (usize, usize),
    places: [u32; 2],
) -> impl Iterator<Item = Point> {
    let slop = config.overlap_slop * smaller_radius(&bodies.shape[a], &bodies.shape[b]);
    let found = manifold(&bodies.placed(a), &bodies.placed(b)).into_iter();
    let deep = found.filter(move |point| point.depth > slop);
    deep.map(move |point| {
        let n = point.normal;
        let lever = |i: usize| {
            let inverse_inertia = bodies.inverse_inertia[i];
            // A ball's normal goes through its centre: nothing turns it.
            let torque = match bodies.shape[i] {
                Shape::Capsule { .. } => (point.point - bodies.position[i]).cross(n),
                Shape::Particle { .. } | Shape::Plane => Vec3::ZERO,
            };
            Lever {
                torque,
                turn: inverse_inertia.mul(bodies.axis[i], torque),
                inverse_inertia,
            }
        };
        let levers = [lever(a), lever(b)];
        let inverse_masses = [a, b].map(|i| bodies.inverse_mass[i]);
        let turning: f32 = levers
            .iter()
            .map(|lever| lever.torque.dot(lever.turn))
            .sum();
        Point {
            places,
            n,
            overlap: point.depth - slop,
            x_ab: (bodies.precise_position(a) - bodies.precise_position(b)).as_vec3(),
            v_ab: (bodies.precise_velocity(a) - bodies.precise_velocity(b)).as_vec3(),
            ease: inverse_masses.iter().sum::<f32>() + turning,
            levers,
            inverse_masses,
        }
    })
}

impl Point {
    /// Moves and turns the pair by a positional impulse p along the normal, if it still overlaps there: Δx = p·n/m,
    /// Δθ = p·I⁻¹·(r × n). Whether it did.
    ///
    /// The velocities change as [`projection_velocity_change`] says. What they cannot take of the angular momentum goes to the
    /// spins: to each body in proportion to its inertia, so both change their spin alike.
    pub fn push_apart(
        &self,
        config: &CollisionConfig,
        h: f32,
        shifts: &mut [Shift],
        turnings: &mut [Turning],
    ) -> bool {
        let places = self.places.map(|place| place as usize);
        let (Ok([a, b]), Ok([turning_a, turning_b])) = (
            shifts.get_disjoint_mut(places),
            turnings.get_disjoint_mut(places),
        ) else {
            return false;
        };
        let [lever_a, lever_b] = &self.levers;
        let shift = a.x() - b.x();
        let turned = lever_a.torque.dot(turning_a.angle) - lever_b.torque.dot(turning_b.angle);
        let opened = self.n.dot(shift) + turned;
        let overlap = self.overlap - opened;
        if overlap <= 0.0 {
            return false;
        }
        let p = config.projection.factor(self.ease, h) * overlap / self.ease;
        let [w_a, w_b] = self.inverse_masses;
        let mut change = Vec3::ZERO;
        if w_a.min(w_b) > IMMOVABLE && config.projection_law == ProjectionLaw::Conserving {
            let (x, v) = (self.x_ab + shift, self.v_ab + (a.v() - b.v()));
            let push = self.n * (p * (w_a + w_b));
            change = projection_velocity_change(x, v, push);
            // x × v less (x + Δ) × (v + δv)
            let lack = -(push.cross(v) + (x + push).cross(change)) * reduced_mass(w_a, w_b);
            let (of_a, of_b) = (lever_a.inverse_inertia, lever_b.inverse_inertia);
            let share_a = of_b.transverse / (of_a.transverse + of_b.transverse);
            let (turn_a, turn_b) = (&mut turning_a.turn, &mut turning_b.turn);
            turn_a.w += of_a.mul(turn_a.axis, lack * share_a);
            turn_b.w += of_b.mul(turn_b.axis, lack * (1.0 - share_a));
        }
        let (ratio_a, ratio_b) = (reduced_mass_ratio(w_a, w_b), reduced_mass_ratio(w_b, w_a));
        a.add(self.n * (p * w_a), change * ratio_a);
        b.add(-self.n * (p * w_b), -change * ratio_b);
        turning_a.angle += lever_a.turn * p;
        turning_b.angle -= lever_b.turn * p;
        true
    }
}
