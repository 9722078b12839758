//! Pushes one pair of any shapes apart, from its manifold.

use bevy::prelude::*;
use glam::DVec3;

use super::{
    shift::Shift,
    turning::{Turn, Turning},
};
use crate::{
    body::{Bodies, IMMOVABLE},
    collision::{ManifoldPoint, manifold},
    config::{CollisionConfig, ProjectionLaw},
    kernel::{
        InverseInertia, projection_shift, projection_velocity_change, reduced_mass,
        reduced_mass_ratio,
    },
    shape::{Placed, Shape, smaller_radius},
};

/// All that a push may need to know of a body.
#[derive(Clone, Copy, Debug)]
struct Mover {
    x: DVec3,
    v: DVec3,
    mass: f64,
    inverse_mass: f32,
    inverse_inertia: InverseInertia,
    shape: Shape,
    turn: Turn,
}

impl Mover {
    fn of(bodies: &Bodies, i: usize) -> Self {
        Self {
            x: bodies.precise_position(i),
            v: bodies.precise_velocity(i),
            mass: f64::from(bodies.mass[i]),
            inverse_mass: bodies.inverse_mass[i],
            inverse_inertia: bodies.inverse_inertia[i],
            shape: bodies.shape[i],
            turn: Turn::of(bodies, i),
        }
    }

    /// The body after what projection has changed of it.
    fn moved(self, shift: &Shift, turning: &Turning) -> Self {
        Self {
            x: self.x + shift.x().as_dvec3(),
            v: self.v + shift.v().as_dvec3(),
            turn: turning.turn,
            ..self
        }
    }

    fn placed(&self) -> Placed {
        Placed {
            shape: self.shape,
            x: self.x.as_vec3(),
            axis: self.turn.axis,
        }
    }
}

/// Whether two bodies of any shape overlap by more than may be.
pub(super) fn overlap(bodies: &Bodies, config: &CollisionConfig, a: usize, b: usize) -> bool {
    let slop = config.overlap_slop * smaller_radius(&bodies.shape[a], &bodies.shape[b]);
    let points = manifold(&bodies.placed(a), &bodies.placed(b));
    points.iter().any(|point| point.depth > slop)
}

/// Pushes the pair apart; whether it overlapped.
pub(super) fn project_pair(
    bodies: &Bodies,
    config: &CollisionConfig,
    shifts: &mut [Shift],
    turnings: &mut [Turning],
    place: impl Fn(usize) -> usize,
    a: usize,
    b: usize,
) -> bool {
    // What nothing moves has no place among the shifts.
    let mover = |i: usize| {
        let mover = Mover::of(bodies, i);
        match bodies.is_free(i) {
            true => mover.moved(&shifts[place(i)], &turnings[place(i)]),
            false => mover,
        }
    };
    let slop = config.overlap_slop * smaller_radius(&bodies.shape[a], &bodies.shape[b]);
    let (mut mover_a, mut mover_b) = (mover(a), mover(b));
    let mut moved = false;
    for point in &manifold(&mover_a.placed(), &mover_b.placed()) {
        if point.depth > slop {
            let overlap = point.depth - slop;
            push_apart(config, bodies.h, &mut mover_a, &mut mover_b, point, overlap);
            moved = true;
        }
    }
    if moved {
        for (i, mover) in [(a, mover_a), (b, mover_b)] {
            if bodies.is_free(i) {
                let x = (mover.x - bodies.precise_position(i)).as_vec3();
                let v = (mover.v - bodies.precise_velocity(i)).as_vec3();
                shifts[place(i)].set(x, v);
                turnings[place(i)].turn = mover.turn;
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
    a: &mut Mover,
    b: &mut Mover,
    point: &ManifoldPoint,
    overlap: f32,
) {
    let n = point.normal;
    let (w_a, w_b) = (a.inverse_mass, b.inverse_mass);
    let ease = w_a + w_b;
    let k_p = config.projection.factor(ease, h);
    let p = projection_shift(k_p, ease.recip(), overlap);
    let conserves = w_a.min(w_b) > IMMOVABLE && config.projection_law == ProjectionLaw::Conserving;
    let momentum_before = orbital_momentum(a, b);
    if conserves {
        let push = n * (p / reduced_mass(w_a, w_b));
        let (x_ab, v_ab) = ((a.x - b.x).as_vec3(), (a.v - b.v).as_vec3());
        let change = projection_velocity_change(x_ab, v_ab, push).as_dvec3();
        a.v += change * f64::from(reduced_mass_ratio(w_a, w_b));
        b.v -= change * f64::from(reduced_mass_ratio(w_b, w_a));
    }
    for (mover, sign) in [(&mut *a, 1.0), (&mut *b, -1.0)] {
        mover.x += (n * (sign * p)).as_dvec3() * f64::from(mover.inverse_mass);
    }
    if conserves {
        let lack = momentum_before - orbital_momentum(a, b);
        give_to_spins(a, b, lack.as_vec3());
    }
}

/// m_ab·x_ab × v_ab: the pair's angular momentum about its own centre of mass.
fn orbital_momentum(a: &Mover, b: &Mover) -> DVec3 {
    (a.x - b.x).cross(a.v - b.v) * (a.mass * b.mass / (a.mass + b.mass))
}

/// Gives the angular momentum that the velocities could not take, and what rounding of the positions has changed, to the
/// spins: to each body in proportion to its inertia, so both change their spin alike.
fn give_to_spins(a: &mut Mover, b: &mut Mover, lack: Vec3) {
    let (inertia_a, inertia_b) = (a.inverse_inertia, b.inverse_inertia);
    let share_a = inertia_b.transverse / (inertia_a.transverse + inertia_b.transverse);
    a.turn.w += inertia_a.mul(a.turn.axis, lack * share_a);
    b.turn.w += inertia_b.mul(b.turn.axis, lack * (1.0 - share_a));
}
