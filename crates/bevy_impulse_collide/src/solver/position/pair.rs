//! Pushes one pair of any shapes apart, from its manifold.

use bevy::prelude::*;
use glam::DVec3;

use super::{
    position_change::PositionChange,
    rotation_change::{Orientation, RotationChange},
};
use crate::{
    body::{Bodies, IMMOVABLE},
    collision::{ManifoldPoint, manifold},
    config::{CollisionConfig, ProjectionLaw},
    kernel::{
        InverseInertia, inertia_share, projection_shift, projection_velocity_change, reduced_mass,
        reduced_mass_ratio,
    },
    shape::{Placed, Shape, smaller_radius},
};

/// The state of one body of the pair.
#[derive(Clone, Copy, Debug)]
struct PairBody {
    x: DVec3,
    v: DVec3,
    mass: f64,
    inverse_mass: f32,
    inverse_inertia: InverseInertia,
    shape: Shape,
    orientation: Orientation,
}

impl PairBody {
    fn of(bodies: &Bodies, i: usize) -> Self {
        // No part comes here but a ball about its compound's centre of mass.
        Self {
            x: bodies.position[i],
            v: bodies.velocity[i],
            mass: f64::from(bodies.mass[i]),
            inverse_mass: bodies.inverse_mass[i],
            inverse_inertia: bodies.inverse_inertia[bodies.whole_of(i)],
            shape: bodies.shape[i],
            orientation: Orientation::of(bodies, bodies.whole_of(i)),
        }
    }

    /// The body after the projection's changes so far.
    fn moved(self, shift: &PositionChange, turning: &RotationChange) -> Self {
        Self {
            x: self.x + shift.x().as_dvec3(),
            v: self.v + shift.v().as_dvec3(),
            orientation: turning.orientation,
            ..self
        }
    }

    fn placed(&self) -> Placed<'_> {
        Placed::new(self.shape, self.x.as_vec3(), self.orientation.axis)
    }
}

/// Whether two bodies of any shape overlap by more than the slop.
pub(super) fn overlap(bodies: &Bodies, config: &CollisionConfig, a: usize, b: usize) -> bool {
    let slop = config.overlap_slop * smaller_radius(&bodies.shape[a], &bodies.shape[b]);
    let points = manifold(&bodies.placed(a), &bodies.placed(b), 0.0);
    points.iter().any(|point| point.depth > slop)
}

/// Pushes the pair apart, and returns whether it overlapped.
pub(super) fn project_pair(
    bodies: &Bodies,
    config: &CollisionConfig,
    position_changes: &mut [PositionChange],
    rotation_changes: &mut [RotationChange],
    solver_index: impl Fn(usize) -> usize,
    a: usize,
    b: usize,
) -> bool {
    // A body at rest has no solver index.
    let body = |i: usize| {
        let body = PairBody::of(bodies, i);
        match bodies.moves(i) {
            true => body.moved(
                &position_changes[solver_index(i)],
                &rotation_changes[solver_index(i)],
            ),
            false => body,
        }
    };
    let slop = config.overlap_slop * smaller_radius(&bodies.shape[a], &bodies.shape[b]);
    let (mut body_a, mut body_b) = (body(a), body(b));
    let mut moved = false;
    for point in &manifold(&body_a.placed(), &body_b.placed(), 0.0) {
        if point.depth > slop {
            let overlap = point.depth - slop;
            push_apart(config, bodies.h, &mut body_a, &mut body_b, point, overlap);
            moved = true;
        }
    }
    if moved {
        for (i, body) in [(a, body_a), (b, body_b)] {
            if bodies.moves(i) {
                let x = (body.x - bodies.position[i]).as_vec3();
                let v = (body.v - bodies.velocity[i]).as_vec3();
                position_changes[solver_index(i)].set(x, v);
                rotation_changes[solver_index(i)].orientation = body.orientation;
            }
        }
    }
    moved
}

/// Moves the pair by a positional impulse P along the normal: Δx = P/m. A ball's normal goes through its centre: nothing turns
/// it.
fn push_apart(
    config: &CollisionConfig,
    h: f32,
    a: &mut PairBody,
    b: &mut PairBody,
    point: &ManifoldPoint,
    overlap: f32,
) {
    let n = point.normal;
    let (w_a, w_b) = (a.inverse_mass, b.inverse_mass);
    let inverse_mass = w_a + w_b;
    let k_p = config.projection.factor(inverse_mass, h);
    let p = projection_shift(k_p, inverse_mass.recip(), overlap);
    let conserves = w_a.min(w_b) > IMMOVABLE && config.projection_law == ProjectionLaw::Conserving;
    let momentum_before = orbital_momentum(a, b);
    if conserves {
        let push = n * (p / reduced_mass(w_a, w_b));
        let (x_ab, v_ab) = ((a.x - b.x).as_vec3(), (a.v - b.v).as_vec3());
        let change = projection_velocity_change(x_ab, v_ab, push).as_dvec3();
        a.v += change * f64::from(reduced_mass_ratio(w_a, w_b));
        b.v -= change * f64::from(reduced_mass_ratio(w_b, w_a));
    }
    for (body, sign) in [(&mut *a, 1.0), (&mut *b, -1.0)] {
        body.x += (n * (sign * p)).as_dvec3() * f64::from(body.inverse_mass);
    }
    if conserves {
        let lack = momentum_before - orbital_momentum(a, b);
        give_to_spins(a, b, lack.as_vec3());
    }
}

/// m_ab·x_ab × v_ab: the pair's angular momentum about its own centre of mass.
fn orbital_momentum(a: &PairBody, b: &PairBody) -> DVec3 {
    (a.x - b.x).cross(a.v - b.v) * (a.mass * b.mass / (a.mass + b.mass))
}

/// Gives the spins the angular momentum that the velocities could not take, and its change by rounding of the positions: to each
/// body in proportion to its inertia, so both angular velocities change equally.
fn give_to_spins(a: &mut PairBody, b: &mut PairBody, lack: Vec3) {
    let (inertia_a, inertia_b) = (a.inverse_inertia, b.inverse_inertia);
    let share_a = inertia_share(inertia_a.across(), inertia_b.across());
    a.orientation.w += inertia_a.mul(a.orientation.rotation, lack * share_a);
    b.orientation.w += inertia_b.mul(b.orientation.rotation, lack * (1.0 - share_a));
}
