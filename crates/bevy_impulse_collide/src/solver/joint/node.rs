//! A body that joints move, in one substep.

use glam::{DMat3, DVec3, Mat3};

use super::{
    block::{Block, Values, ZERO, times},
    law::Pose,
};
use crate::{body::Bodies, solver::contact::RowBody};

/// Mass in kg, and moment of inertia in kg·m², of a body that nothing moves.
const NEVER_MOVES: f64 = 1e30;

/// Error of a rotation in rad that is rounding.
pub(super) const ROUNDED_TURN: f64 = 1e-6;

/// The same of an arm, over its length.
const ROUNDED_ARM: f64 = 2.0 * f32::EPSILON as f64;

/// What the equations are solved for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Solved {
    /// The places at the end of the substep.
    Places,
    /// The accelerations that keep what the joints hold.
    Accelerations,
    /// The velocities at the end.
    Rates,
    /// The velocities after an impact, which springs, motors and limits do not change.
    Impact,
}

/// A body that joints move.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub body: RowBody,
    /// Where it is at the start and at the end of the substep.
    pub start: Pose,
    pub end: Pose,
    /// Where it is a part of the substep after its start, and before it, with its velocities as they are.
    pub around: [Pose; 2],
    /// The mass and the inertia, in world axes, where the substep starts.
    pub mass: Block,
    /// Its velocity and angular velocity in the middle.
    pub motion: [DVec3; 2],
    /// What contacts have changed these by in the last sweep.
    pub pushed: [DVec3; 2],
    /// What the joints have changed these by.
    pub given: [DVec3; 2],
    /// The angular impulse in N·m·s by which damping has slowed it in this substep.
    pub damped: DVec3,
    /// The impulse and the angular impulse of half a substep.
    pub impulse: [DVec3; 2],
    /// The moments in N·m·s that the impulses would have if they were across their arms.
    pub moments: f64,
    /// The accelerations by fields.
    pub field: Values,
    /// What the second half changes the velocities by.
    pub second: [DVec3; 2],
    /// By the joints, at the end of the substep.
    pub acceleration: [DVec3; 2],
    /// Its motion and what was given, at the best solution so far.
    pub best: [[DVec3; 2]; 2],
}

impl Node {
    pub fn new(body: RowBody) -> Self {
        let start = (body.position, body.rotation);
        Self {
            body,
            start,
            end: start,
            around: [start; 2],
            mass: ZERO,
            motion: [DVec3::ZERO; 2],
            pushed: [DVec3::ZERO; 2],
            given: [DVec3::ZERO; 2],
            damped: DVec3::ZERO,
            impulse: [DVec3::ZERO; 2],
            moments: 0.0,
            field: [0.0; 6],
            second: [DVec3::ZERO; 2],
            acceleration: [DVec3::ZERO; 2],
            best: [[DVec3::ZERO; 2]; 2],
        }
    }

    /// Puts it where the substep starts.
    pub fn start_at(&mut self, start: Pose) {
        (self.start, self.end) = (start, start);
        self.mass = self.mass_there();
    }

    /// The inertia, in world axes, where the substep starts.
    pub fn inertia(&self) -> DMat3 {
        let column = |k: usize| DVec3::from_slice(&self.mass[3 + k][3..]);
        DMat3::from_cols(column(0), column(1), column(2))
    }

    fn mass_there(&self) -> Block {
        let body = &self.body;
        let mut block = ZERO;
        if !body.moves() {
            (0..6).for_each(|k| block[k][k] = NEVER_MOVES);
            return block;
        }
        let mass = f64::from(body.inverse_mass).recip();
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        let inertia = match body.inverse_inertia == Mat3::ZERO {
            true => axes.map(|axis| axis * NEVER_MOVES),
            false => axes.map(|axis| body.momentum(self.start.1, axis)),
        };
        for k in 0..3 {
            block[k][k] = mass;
            for (l, column) in inertia.iter().enumerate() {
                block[3 + k][3 + l] = column[k];
            }
        }
        block
    }

    /// Σ m·a·b + a·I·b of two motions, in J.
    pub fn product(&self, [v, w]: [DVec3; 2], [other_v, other_w]: [DVec3; 2]) -> f64 {
        match self.body.moves() {
            true => self.mass_of_it() * v.dot(other_v) + w.dot(self.inertia() * other_w),
            false => 0.0,
        }
    }

    /// The energy of a motion in J.
    pub fn energy(&self, motion: [DVec3; 2]) -> f64 {
        0.5 * self.product(motion, motion)
    }

    /// In kg.
    pub fn mass_of_it(&self) -> f64 {
        self.mass[0][0]
    }

    pub fn inverse_mass(&self) -> Block {
        let mut block = ZERO;
        for k in 0..3 {
            block[k][k] = f64::from(self.body.inverse_mass);
            for l in 0..3 {
                block[3 + k][3 + l] = f64::from(self.body.inverse_inertia.col(l)[k]);
            }
        }
        block
    }

    /// 1/m, and a bound of the greatest 1/I.
    pub fn inverse_masses(&self) -> (f64, f64) {
        let inertia = self.body.inverse_inertia;
        let most = [inertia.x_axis, inertia.y_axis, inertia.z_axis];
        let most = most
            .map(|axis| axis.length())
            .into_iter()
            .fold(0.0, f32::max);
        (f64::from(self.body.inverse_mass), f64::from(most))
    }

    /// The velocity of a row that a unit impulse in it gives by this body alone.
    pub fn gives_way(&self, row: &[f64; 6]) -> f64 {
        let [vx, vy, vz, wx, wy, wz] = *row;
        let (linear, angular) = (DVec3::new(vx, vy, vz), DVec3::new(wx, wy, wz));
        let turned = self.body.inverse_inertia.as_dmat3() * angular;
        f64::from(self.body.inverse_mass) * linear.length_squared() + angular.dot(turned)
    }

    /// Whether it gives way in all directions, and about all axes.
    pub fn is_free(&self) -> bool {
        self.body.moves() && self.body.inverse_inertia.determinant() > 0.0
    }

    /// The turn in rad over a time of h that is rounding: of the rotation itself, and of what the impulses give by their arms, which
    /// turn with it.
    pub fn rounded_turn(&self, h: f64) -> f64 {
        ROUNDED_TURN + ROUNDED_ARM * self.moments * self.inverse_masses().1 * h
    }

    /// What the impulses would still change the momenta by, and by how much that would change both velocities.
    pub fn left(&self) -> (Values, f64, f64) {
        let [v, w] = self.given;
        let given = times(&self.mass, &[v.x, v.y, v.z, w.x, w.y, w.z]);
        let [p, l] = self.impulse;
        let wanted = [p.x, p.y, p.z, l.x, l.y, l.z];
        let left: Values = std::array::from_fn(|k| wanted[k] - given[k]);
        let [px, py, pz, lx, ly, lz] = left;
        let off = DVec3::new(px, py, pz).length() * f64::from(self.body.inverse_mass);
        let turned = self.body.inverse_inertia.as_dmat3() * DVec3::new(lx, ly, lz);
        (left, off, turned.length())
    }

    /// The changes of the velocities by the impulses.
    pub fn changes(&self, bodies: &Bodies) -> [DVec3; 2] {
        if !self.body.moves() {
            return [DVec3::ZERO; 2];
        }
        let i = self.body.index();
        let [impulse, angular] = self.impulse;
        [
            impulse / f64::from(bodies.mass[i]),
            bodies.inverse_inertia[i].precise_mul(self.start.1, angular),
        ]
    }
}
