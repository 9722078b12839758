//! A contact in its own frame, and the impulse that it answers a relative velocity with.

use std::collections::HashMap;

use bevy::{
    math::{DMat2, DMat3, DVec2, DVec3},
    prelude::*,
};
use bevy_impulse_collide::prelude::*;
use nalgebra::Matrix3;

use super::pattern::DOFS;
use crate::solver::rows::Row;

/// Most places that are tried for the size of a friction impulse.
const MAX_PLACES: usize = 40;

/// Part of the change that a limit of friction makes in a round. A whole change may go to and fro for ever.
const LIMIT_CHANGE: f64 = 0.6;

/// What happens along the tangents.
#[derive(Clone, Copy, Debug)]
pub enum Friction {
    /// The impulse stays.
    Fixed,
    /// At most this impulse in N·s.
    Within(f64),
    /// At most μ·P, with P of the same velocity.
    Coulomb,
}

/// A contact in its own frame: the normal and two tangents.
pub struct Contact {
    pub frame: DMat3,
    /// The blocks of both bodies, if they can move, and J·L: the relative velocity that each scaled velocity gives.
    pub ends: [Option<(usize, [[f64; DOFS]; 3])>; 2],
    /// u without impulses, in m/s.
    pub free: DVec3,
    /// Wanted normal speed in m/s.
    pub target: f64,
    /// 1/m along the normal and along the tangents, in 1/kg.
    pub inverse_mass: [f64; 2],
    /// μ.
    pub coefficient: f64,
    /// P₀ and F₀ in N·s.
    pub multiplier: DVec3,
    pub friction: Friction,
}

/// The impulse λ of a contact, and −∂λ/∂u.
pub struct Response {
    pub impulse: DVec3,
    pub slope: DMat3,
}

/// How far a round is from rigid contacts and from sharp limits.
#[derive(Clone, Copy, Debug)]
pub struct Softness {
    /// 1/k over a contact's own inverse mass.
    pub compliance: f64,
    /// τ in J: the barrier that rounds off the limits of the impulses.
    pub barrier: f64,
}

/// The R of I⁻¹ = R·Rᵀ (Cholesky).
pub(super) fn root_of_inverse_inertia(body: BodyRef) -> DMat3 {
    let column = |axis: Vec3| body.turn_by(axis).as_dvec3();
    let inverse = DMat3::from_cols(column(Vec3::X), column(Vec3::Y), column(Vec3::Z));
    let root = Matrix3::from_column_slice(&inverse.to_cols_array()).cholesky();
    root.map_or(DMat3::ZERO, |root| {
        DMat3::from_cols_slice(root.l().as_slice())
    })
}

impl Contact {
    pub fn new(bodies: &Bodies, row: &Row, blocks: &HashMap<usize, usize>) -> Self {
        let point = &row.point;
        let n = point.normal.as_dvec3().normalize();
        let (one, other) = n.any_orthonormal_pair();
        let axes = [n, one, other];
        let end = |i: usize, arm: Vec3, sign: f64| {
            let &block = blocks.get(&i)?;
            let across = f64::from(bodies.get(i).inverse_mass()).sqrt();
            let (turning, arm) = (root_of_inverse_inertia(bodies.get(i)), arm.as_dvec3());
            let rows = axes.map(|along| {
                let turn = turning.transpose() * arm.cross(along);
                let (v, w) = (sign * across * along, sign * turn);
                [v.x, v.y, v.z, w.x, w.y, w.z]
            });
            Some((block, rows))
        };
        let ends = [
            end(point.a, point.arm_a, 1.0),
            end(point.b, point.arm_b, -1.0),
        ];
        let inverse_mass = |k: usize| {
            let squares = ends.iter().flatten().flat_map(|(_, rows)| rows[k]);
            squares.map(|j| j * j).sum::<f64>()
        };
        let tangential = inverse_mass(1).max(inverse_mass(2));
        let frame = DMat3::from_cols(n, one, other);
        Self {
            free: frame.transpose() * point.velocity(bodies).as_dvec3(),
            multiplier: DVec3::ZERO,
            frame,
            ends,
            target: f64::from(row.target),
            inverse_mass: [inverse_mass(0), tangential],
            coefficient: f64::from(point.friction),
            friction: Friction::Fixed,
        }
    }

    /// The impulse that a row has so far, in the frame of the contact.
    pub fn impulse_of(&self, row: &Row) -> DVec3 {
        self.frame.transpose() * row.impulse().as_dvec3()
    }

    /// The part of the relative velocity that comes from impulses.
    pub fn change(&self, y: &[f64]) -> DVec3 {
        let mut u = [0.0; 3];
        for (block, rows) in self.ends.iter().flatten() {
            for (u, row) in u.iter_mut().zip(rows) {
                let of_body = &y[block * DOFS..][..DOFS];
                *u += row.iter().zip(of_body).map(|(j, y)| j * y).sum::<f64>();
            }
        }
        DVec3::from_array(u)
    }

    pub fn velocity(&self, y: &[f64]) -> DVec3 {
        self.free + self.change(y)
    }

    /// Adds `factor`·(J·L)ᵀ·`impulse`.
    pub fn push(&self, impulse: DVec3, factor: f64, y: &mut [f64]) {
        for (block, rows) in self.ends.iter().flatten() {
            for (row, impulse) in rows.iter().zip(impulse.to_array()) {
                for (y, j) in y[block * DOFS..].iter_mut().zip(row) {
                    *y += factor * j * impulse;
                }
            }
        }
    }

    /// k along the normal and along the tangents, in kg.
    pub fn stiffness(&self, compliance: f64) -> [f64; 2] {
        self.inverse_mass
            .map(|inverse| 1.0 / (compliance * inverse))
    }

    /// Friction of at most μ·P, or nearer to that than before.
    pub fn limit_friction(&mut self) {
        let limit = self.coefficient * self.multiplier.x;
        self.friction = Friction::Within(match self.friction {
            Friction::Fixed | Friction::Coulomb => limit,
            Friction::Within(before) => before + LIMIT_CHANGE * (limit - before),
        });
    }

    /// The impulse at the relative velocity `u`.
    pub fn response(&self, u: DVec3, softness: Softness) -> Response {
        let [k, k_t] = self.stiffness(softness.compliance);
        let wanted = self.multiplier.x + k * (self.target - u.x);
        let (normal, part) = pushed(wanted, k * softness.barrier);
        let along_normal = DVec3::X * (k * part);
        let rubbed = self.multiplier.yz();
        // The limit, and how much it falls with the normal speed.
        let (most, falls) = match self.friction {
            Friction::Within(most) => (most, 0.0),
            Friction::Coulomb => (self.coefficient * normal, self.coefficient * along_normal.x),
            Friction::Fixed => {
                return Response {
                    impulse: DVec3::new(normal, rubbed.x, rubbed.y),
                    slope: DMat3::from_cols(along_normal, DVec3::ZERO, DVec3::ZERO),
                };
            }
        };
        let wanted = rubbed - k_t * u.yz();
        let length = wanted.length();
        let (size, part) = rubbing(length, most, k_t * softness.barrier);
        let along = wanted / length.max(f64::MIN_POSITIVE);
        let turning = if length > 0.0 { size / length } else { part };
        let falls = if length > most {
            falls * along
        } else {
            DVec2::ZERO
        };
        // Sliding: F turns with u, and hardly gets longer.
        let outer = DMat2::from_cols(along * along.x, along * along.y);
        let across = (outer * part + (DMat2::IDENTITY - outer) * turning) * k_t;
        Response {
            impulse: DVec3::new(normal, size * along.x, size * along.y),
            slope: DMat3::from_cols(
                DVec3::new(along_normal.x, falls.x, falls.y),
                DVec3::new(0.0, across.x_axis.x, across.x_axis.y),
                DVec3::new(0.0, across.y_axis.x, across.y_axis.y),
            ),
        }
    }
}

/// The P for which (P − z)/k is the slope of τ·ln(P), and its derivative: max(0, z) without a barrier. `barrier` is k·τ.
fn pushed(z: f64, barrier: f64) -> (f64, f64) {
    let root = (z * z + 4.0 * barrier).sqrt();
    if root == 0.0 {
        return (0.0, 0.0);
    }
    // No digits are lost.
    let pushed = if z > 0.0 {
        0.5 * (z + root)
    } else {
        2.0 * barrier / (root - z)
    };
    (pushed, pushed / root)
}

/// The |F| for which (|F| − z)/k is the slope of τ·ln(s² − |F|²), and its derivative: min(s, z) without a barrier. `barrier` is k·τ.
fn rubbing(z: f64, s: f64, barrier: f64) -> (f64, f64) {
    if s <= 0.0 {
        return (0.0, 0.0);
    }
    if barrier == 0.0 {
        return if z <= s { (z, 1.0) } else { (s, 0.0) };
    }
    let (mut low, mut high) = (0.0, z.min(s));
    let mut f = 0.5 * high;
    for _ in 0..MAX_PLACES {
        let room = s * s - f * f;
        let excess = (z - f) * room - 2.0 * barrier * f;
        if excess > 0.0 {
            low = f;
        } else {
            high = f;
        }
        let slope = -room - 2.0 * f * (z - f) - 2.0 * barrier;
        let next = f - excess / slope;
        let next = if next > low && next < high {
            next
        } else {
            0.5 * (low + high)
        };
        if (next - f).abs() <= 1e-12 * s {
            break;
        }
        f = next;
    }
    let room = (s * s - f * f).max(f64::MIN_POSITIVE);
    let bend = 2.0 * barrier * (s * s + f * f) / (room * room);
    (f, 1.0 / (1.0 + bend))
}
