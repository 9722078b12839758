//! Pushes pairs with a capsule apart, point by point.

use bevy::prelude::*;

use super::{position_change::PositionChange, rotation_change::RotationChange};
use crate::{
    body::{Bodies, IMMOVABLE},
    collision::joined_manifold,
    config::{CollisionConfig, ProjectionLaw},
    kernel::{inertia_share, projection_velocity_change, reduced_mass, reduced_mass_ratio},
    shape::{Shape, smaller_radius},
};

/// A point at which a pair overlaps. Position and normal are from the beginning of the stage: pushes are small.
#[derive(Clone, Copy, Debug)]
pub(super) struct CapsuleOverlap {
    /// The bodies' solver indices in the cell's range; 0, which belongs to no body, for an immovable body.
    solver_indices: [u32; 2],
    n: Vec3,
    /// Overlap above the slop, in m.
    overlap: f32,
    /// Overlap that one push leaves at most, in m. Nothing passes a plane: at least the core comes out.
    largest_left: f32,
    /// Relative position and velocity when the stage began.
    x_ab: Vec3,
    v_ab: Vec3,
    levers: [PushLever; 2],
    inverse_masses: [f32; 2],
    /// Part of an angular momentum that goes to the first body: in proportion to its inertia.
    share_of_a: f32,
    /// Distance by which a unit of positional impulse moves the surfaces apart: n·(1/m)·n + (r × n)·I⁻¹·(r × n), in 1/kg.
    inverse_effective_mass: f32,
}

/// The rotation of a body by a push at the point.
#[derive(Clone, Copy, Debug)]
struct PushLever {
    /// r × n
    torque: Vec3,
    /// I⁻¹·(r × n)
    turn: Vec3,
}

/// The points at which a pair overlaps by more than the slop.
pub(super) fn points(
    bodies: &Bodies,
    config: &CollisionConfig,
    (a, b): (usize, usize),
    solver_indices: [u32; 2],
) -> impl Iterator<Item = CapsuleOverlap> {
    let slop = config.overlap_slop * smaller_radius(&bodies.shape[a], &bodies.shape[b]);
    let places = [&bodies.placed(a), &bodies.placed(b)];
    let found = joined_manifold(bodies, (a, b), 0.0, places, 0.0).into_iter();
    let deep = found.filter(move |point| point.depth > slop);
    let is_on_plane = bodies.has_ground(a, b);
    let [whole_a, whole_b] = [a, b].map(|i| bodies.whole_of(i));
    deep.map(move |point| {
        let n = point.normal;
        let lever = |i: usize| {
            let torque = match bodies.shape[i] {
                // A core that must come out of a plane is not turned: the push is exact.
                Shape::Capsule { radius, .. } if !(is_on_plane && point.depth > radius) => {
                    (point.point - bodies.centre_of_mass(i).as_vec3()).cross(n)
                }
                Shape::Particle { radius }
                    if bodies.is_aside(i) && !(is_on_plane && point.depth > radius) =>
                {
                    (point.point - bodies.centre_of_mass(i).as_vec3()).cross(n)
                }
                // A ball's normal goes through its centre: nothing turns it.
                Shape::Capsule { .. }
                | Shape::Particle { .. }
                | Shape::Plane
                | Shape::Collider
                | Shape::Compound { .. } => Vec3::ZERO,
            };
            PushLever {
                torque,
                turn: turn_by(bodies, config, i, torque),
            }
        };
        let levers = [lever(a), lever(b)];
        let inverse_masses = [a, b].map(|i| bodies.inverse_mass[i]);
        let [across_a, across_b] = [whole_a, whole_b].map(|i| bodies.inverse_inertia[i].across());
        let turning: f32 = levers
            .iter()
            .map(|lever| lever.torque.dot(lever.turn))
            .sum();
        CapsuleOverlap {
            solver_indices,
            n,
            overlap: point.depth - slop,
            largest_left: match is_on_plane {
                true => smaller_radius(&bodies.shape[a], &bodies.shape[b]) - slop,
                false => f32::INFINITY,
            },
            x_ab: (bodies.position[whole_a] - bodies.position[whole_b]).as_vec3(),
            v_ab: (bodies.velocity[whole_a] - bodies.velocity[whole_b]).as_vec3(),
            inverse_effective_mass: inverse_masses.iter().sum::<f32>() + turning,
            levers,
            inverse_masses,
            share_of_a: inertia_share(across_a, across_b),
        }
    })
}

/// The turn of body `i` by a unit of positional impulse with this torque.
///
/// A body that spins turns about its angular momentum L alone. As the turn keeps L, it then keeps the energy L·I⁻¹·L/2 too; about
/// any other axis it would not.
fn turn_by(bodies: &Bodies, config: &CollisionConfig, i: usize, torque: Vec3) -> Vec3 {
    let (inertia, rotation) = (bodies.inverse_inertia[i], bodies.rotation[i]);
    let w = bodies.angular_velocity[i].as_vec3();
    let reach = bodies.shape[i].bounding_radius() + bodies.offset[i].length();
    if torque == Vec3::ZERO || w.length() * reach < config.resting_speed {
        return inertia.mul(rotation, torque);
    }
    match inertia.inverse_mul(rotation, w).try_normalize() {
        Some(l) => l * (l.dot(torque) * l.dot(inertia.mul(rotation, l))),
        None => Vec3::ZERO,
    }
}

impl CapsuleOverlap {
    /// Moves and turns the pair by a positional impulse p along the normal, if it still overlaps there: Δx = p·n/m,
    /// Δθ = p·I⁻¹·(r × n). Returns whether it did.
    ///
    /// The velocities change by [`projection_velocity_change`]. The angular momentum that they cannot take goes to the spins: to
    /// each body in proportion to its inertia, so both angular velocities change equally.
    pub fn push_apart(
        &self,
        config: &CollisionConfig,
        h: f32,
        position_changes: &mut [PositionChange],
        rotation_changes: &mut [RotationChange],
    ) -> bool {
        let solver_indices = self
            .solver_indices
            .map(|solver_index| solver_index as usize);
        let (Ok([a, b]), Ok([turning_a, turning_b])) = (
            position_changes.get_disjoint_mut(solver_indices),
            rotation_changes.get_disjoint_mut(solver_indices),
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
        let push = config.projection.factor(self.inverse_effective_mass, h) * overlap;
        let p = push.max(overlap - self.largest_left) / self.inverse_effective_mass;
        let [w_a, w_b] = self.inverse_masses;
        let mut change = Vec3::ZERO;
        if w_a.min(w_b) > IMMOVABLE && config.projection_law == ProjectionLaw::Conserving {
            let (x, v) = (self.x_ab + shift, self.v_ab + (a.v() - b.v()));
            let push = self.n * (p * (w_a + w_b));
            change = projection_velocity_change(x, v, push);
            // x × v less (x + Δ) × (v + δv)
            let lack = -(push.cross(v) + (x + push).cross(change)) * reduced_mass(w_a, w_b);
            turning_a.momentum += lack * self.share_of_a;
            turning_b.momentum += lack * (1.0 - self.share_of_a);
        }
        let (ratio_a, ratio_b) = (reduced_mass_ratio(w_a, w_b), reduced_mass_ratio(w_b, w_a));
        a.add(self.n * (p * w_a), change * ratio_a);
        b.add(-self.n * (p * w_b), -change * ratio_b);
        turning_a.angle += lever_a.turn * p;
        turning_b.angle -= lever_b.turn * p;
        true
    }
}
