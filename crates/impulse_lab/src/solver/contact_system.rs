//! All rows of a substep as one sparse system in f64, and its direct solution.
//!
//! With a factor of the inverse mass, M⁻¹ = L·Lᵀ, and the Jacobian J of the contacts, impulses λ change the velocities by L·y with
//! y = Lᵀ·Jᵀ·λ. The impulses of a contact depend on its relative velocity u:
//!
//! P = max(0, P₀ + k·(u_wanted − u_n)) and F = F₀ − k·u_t, cut to |F| ≤ s
//!
//! That is the gradient of a convex function of y. Newton's method finds its least value: each step tells which contacts push, which
//! stick and which slide, and solves all of them at once by a sparse Cholesky factorisation of I + Lᵀ·Jᵀ·K·J·L. So a step of Newton
//! is a block of pivots. Then P₀ and F₀ become P and F, and what each contact lacks shrinks by a factor (the method of
//! multipliers), down to rounding. Contacts that share a load in more than one way, as in every heap, do no harm.
//!
//! The impulses of the substep before are a good guess in most cases. Where they are not, the first rounds are soft, and a barrier
//! rounds off the limits of the impulses. Each round is stiffer and sharper than the one before.
//!
//! Sources: J. Júdice and F. Pires, "A block principal pivoting algorithm for large-scale strictly monotone linear complementarity
//! problems", Comput. Oper. Res. 21 (1994) 587; R. Rockafellar, "Augmented Lagrangians and applications of the proximal point
//! algorithm in convex programming", Math. Oper. Res. 1 (1976) 97; A. Castro, F. Permenter, X. Han, "An unconstrained convex
//! formulation of compliant contact", IEEE Trans. Robot. 39 (2023) 1301.

use std::collections::HashMap;

use bevy::{
    math::{DMat2, DMat3, DVec3},
    prelude::*,
};
use bevy_impulse_collide::prelude::*;
use faer::{
    Side,
    col::ColMut,
    linalg::solvers::Solve,
    sparse::{
        Argsort, Pair, SparseColMat, SymbolicSparseColMat,
        linalg::solvers::{Llt, SymbolicLlt},
    },
};

use super::rows::Row;

/// Velocities of a body: three of its centre, three of its rotation.
const DOFS: usize = 6;

/// 1/k over a contact's own inverse mass, in the first round and in the last ones. Each round is stiffer by the factor. Soft contacts
/// need few steps from a bad guess, and stiff ones leave less to the multipliers.
const SOFTEST: f64 = 0.1;
const STIFFEST: f64 = 1e-5;
const STIFFER: f64 = 0.2;

/// Each round has this part of the barrier of the round before, and those below the last one, over the first one, have none.
const SHARPER: f64 = 0.4;
const LAST_BARRIER: f64 = 1e-10;

/// Part of the change that a limit of friction makes in a round. A whole change may go to and fro for ever.
const LIMIT_CHANGE: f64 = 0.6;

/// Rounds with stiff contacts and sharp limits at once, from the impulses of the substep before.
const GUESS_ROUNDS: u32 = 10;

/// Gradient, over the greatest impulse, at which the next round may begin, while there is a barrier.
const NEAR: f64 = 1e-3;

/// Most steps of Newton's method.
const MAX_STEPS: usize = 40;

/// The same from a guess that should be good.
const MAX_GUESS_STEPS: usize = 10;

/// Most places that are tried along a step, and the slope there, over the slope at its start, that is small enough.
const MAX_PLACES: usize = 40;
const LEVEL: f64 = 1e-3;

/// Gradient, over the greatest impulse, that is rounding.
const CONVERGED: f64 = 1e-10;

/// Gain of a step, over the energy of all impulses, that is rounding. After such a step the search ends.
const LEAST_GAIN: f64 = 1e-14;

type Block = [[f64; DOFS]; DOFS];

/// The rows of a substep as one system.
pub(super) struct ContactSystem {
    contacts: Vec<Contact>,
    /// The body of each block.
    bodies: Vec<usize>,
    /// The scaled velocity changes of all bodies.
    y: Vec<f64>,
    pattern: Pattern,
    softness: Softness,
    /// The barrier of the first round, in J.
    first_barrier: f64,
    /// Matrices that were factorised so far.
    pub factorized: u32,
}

/// What happens along the tangents.
#[derive(Clone, Copy, Debug)]
enum Friction {
    /// The impulse stays.
    Fixed,
    /// At most this impulse in N·s.
    Within(f64),
}

/// A contact in its own frame: the normal and two tangents.
struct Contact {
    frame: DMat3,
    /// The blocks of both bodies, if they can move, and J·L: the relative velocity that each scaled velocity gives.
    ends: [Option<(usize, [[f64; DOFS]; 3])>; 2],
    /// u without impulses, in m/s.
    free: DVec3,
    /// Wanted normal speed in m/s.
    target: f64,
    /// 1/m along the normal and along the tangents, in 1/kg.
    inverse_mass: [f64; 2],
    coefficient: f64,
    /// P₀ and F₀ in N·s.
    multiplier: DVec3,
    friction: Friction,
}

/// The impulse λ of a contact, and −∂λ/∂u.
struct Response {
    impulse: DVec3,
    slope: DMat3,
}

/// How far a round is from rigid contacts and from sharp limits.
#[derive(Clone, Copy, Debug)]
struct Softness {
    /// 1/k over a contact's own inverse mass.
    compliance: f64,
    /// τ in J: the barrier that rounds off the limits of the impulses.
    barrier: f64,
}

impl Contact {
    fn new(bodies: &Bodies, row: &Row, blocks: &HashMap<usize, usize>) -> Self {
        let point = &row.point;
        let n = point.normal.as_dvec3().normalize();
        let (one, other) = n.any_orthonormal_pair();
        let axes = [n, one, other];
        let end = |i: usize, arm: Vec3, sign: f64| {
            let &block = blocks.get(&i)?;
            let across = f64::from(bodies.inverse_mass[i]).sqrt();
            let root = bodies.inverse_inertia[i];
            let (axial, transverse) = (
                f64::from(root.axial).sqrt(),
                f64::from(root.transverse).sqrt(),
            );
            let (axis, arm) = (bodies.axis[i].as_dvec3(), arm.as_dvec3());
            let rows = axes.map(|along| {
                let lever = arm.cross(along);
                let turn = transverse * lever + axis * ((axial - transverse) * axis.dot(lever));
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
    fn impulse_of(&self, row: &Row) -> DVec3 {
        self.frame.transpose() * row.impulse().as_dvec3()
    }

    /// The part of the relative velocity that comes from impulses.
    fn change(&self, y: &[f64]) -> DVec3 {
        let mut u = [0.0; 3];
        for (block, rows) in self.ends.iter().flatten() {
            for (u, row) in u.iter_mut().zip(rows) {
                let of_body = &y[block * DOFS..][..DOFS];
                *u += row.iter().zip(of_body).map(|(j, y)| j * y).sum::<f64>();
            }
        }
        DVec3::from_array(u)
    }

    fn velocity(&self, y: &[f64]) -> DVec3 {
        self.free + self.change(y)
    }

    /// Adds `factor`·(J·L)ᵀ·`impulse`.
    fn push(&self, impulse: DVec3, factor: f64, y: &mut [f64]) {
        for (block, rows) in self.ends.iter().flatten() {
            for (row, impulse) in rows.iter().zip(impulse.to_array()) {
                for (y, j) in y[block * DOFS..].iter_mut().zip(row) {
                    *y += factor * j * impulse;
                }
            }
        }
    }

    /// k along the normal and along the tangents, in kg.
    fn stiffness(&self, compliance: f64) -> [f64; 2] {
        self.inverse_mass
            .map(|inverse| 1.0 / (compliance * inverse))
    }

    /// Friction of at most μ·P, or nearer to that than before.
    fn limit_friction(&mut self) {
        let limit = self.coefficient * self.multiplier.x;
        self.friction = Friction::Within(match self.friction {
            Friction::Fixed => limit,
            Friction::Within(before) => before + LIMIT_CHANGE * (limit - before),
        });
    }

    /// The impulse at the relative velocity `u`.
    fn response(&self, u: DVec3, softness: Softness) -> Response {
        let [k, k_t] = self.stiffness(softness.compliance);
        let wanted = self.multiplier.x + k * (self.target - u.x);
        let (normal, part) = pushed(wanted, k * softness.barrier);
        let along_normal = DVec3::X * (k * part);
        let rubbed = self.multiplier.yz();
        let Friction::Within(most) = self.friction else {
            return Response {
                impulse: DVec3::new(normal, rubbed.x, rubbed.y),
                slope: DMat3::from_cols(along_normal, DVec3::ZERO, DVec3::ZERO),
            };
        };
        let wanted = rubbed - k_t * u.yz();
        let length = wanted.length();
        let (size, part) = rubbing(length, most, k_t * softness.barrier);
        let along = wanted / length.max(f64::MIN_POSITIVE);
        let turning = if length > 0.0 { size / length } else { part };
        // Sliding: F turns with u, and hardly gets longer.
        let outer = DMat2::from_cols(along * along.x, along * along.y);
        let across = (outer * part + (DMat2::IDENTITY - outer) * turning) * k_t;
        Response {
            impulse: DVec3::new(normal, size * along.x, size * along.y),
            slope: DMat3::from_cols(
                along_normal,
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

/// y of the impulses that the rows have so far: `count` numbers.
fn scaled(contacts: &[Contact], rows: &[Row], count: usize) -> Vec<f64> {
    let mut y = vec![0.0; count];
    for (contact, row) in contacts.iter().zip(rows) {
        contact.push(contact.impulse_of(row), 1.0, &mut y);
    }
    y
}

impl ContactSystem {
    /// The system of these rows. Their impulses so far are the first guess; the bodies have them already.
    pub fn new(bodies: &Bodies, rows: &[Row]) -> Option<Self> {
        let mut moving: Vec<usize> = rows
            .iter()
            .flat_map(|row| [row.point.a, row.point.b])
            .filter(|&i| bodies.is_pushed(i))
            .collect();
        moving.sort_unstable();
        moving.dedup();
        let blocks: HashMap<usize, usize> = moving.iter().copied().zip(0..).collect();
        let mut contacts: Vec<Contact> = rows
            .iter()
            .map(|row| Contact::new(bodies, row, &blocks))
            .collect();
        let count = moving.len() * DOFS;
        let y = scaled(&contacts, rows, count);
        for contact in &mut contacts {
            contact.free -= contact.change(&y);
        }
        // The mean energy of an approach, if each contact were alone.
        let energies = contacts.iter().map(|contact| {
            let u = contact.free.with_x(contact.target - contact.free.x);
            u.length_squared() / contact.inverse_mass[0]
        });
        let first_barrier = energies.sum::<f64>() / contacts.len().max(1) as f64;
        let pattern = Pattern::new(moving.len(), &contacts)?;
        let mut system = Self {
            contacts,
            bodies: moving,
            y,
            pattern,
            softness: Softness {
                compliance: STIFFEST,
                barrier: 0.0,
            },
            first_barrier,
            factorized: 0,
        };
        system.start_from(rows);
        Some(system)
    }

    /// Takes the impulses of the rows as the guess.
    pub fn start_from(&mut self, rows: &[Row]) {
        for (contact, row) in self.contacts.iter_mut().zip(rows) {
            contact.multiplier = contact.impulse_of(row);
        }
        self.y = scaled(&self.contacts, rows, self.y.len());
    }

    /// The impulses that fulfil all rows, with friction of at most μ·P: after `rounds` rounds at most, or when no speed is wrong by
    /// more than `tolerance` m/s.
    pub fn solve(&mut self, rounds: u32, tolerance: f64) {
        self.search(rounds, tolerance, Contact::limit_friction, Self::residual);
    }

    /// The normal impulses that fulfil all rows, with friction as it is.
    pub fn solve_normals(&mut self, rounds: u32, tolerance: f64) {
        self.search(rounds, tolerance, |_| {}, Self::approach);
    }

    /// Rounds until nothing is `wrong` by more than the tolerance, with `limit` of each contact before each round.
    fn search(
        &mut self,
        rounds: u32,
        tolerance: f64,
        limit: fn(&mut Contact),
        wrong: fn(&Self) -> f64,
    ) {
        let start: Vec<DVec3> = self.contacts.iter().map(|it| it.multiplier).collect();
        let rounds_of = |system: &mut Self, rounds: u32, steps: usize| {
            for _ in 0..rounds {
                system.contacts.iter_mut().for_each(limit);
                let before = system.factorized;
                let is_sharp = system.round();
                if is_sharp && wrong(system) <= tolerance {
                    return true;
                }
                if (system.factorized - before) as usize > steps {
                    return false;
                }
            }
            false
        };
        self.soften(STIFFEST, 0.0);
        if !rounds_of(self, GUESS_ROUNDS.min(rounds), MAX_GUESS_STEPS) {
            // The guess is far off.
            for (contact, multiplier) in self.contacts.iter_mut().zip(start) {
                contact.multiplier = multiplier;
            }
            self.soften(SOFTEST, self.first_barrier);
            rounds_of(self, rounds, usize::MAX);
        }
    }

    /// How soft the next round is, with friction that has no limit yet.
    fn soften(&mut self, compliance: f64, barrier: f64) {
        self.softness = Softness {
            compliance,
            barrier,
        };
        for contact in &mut self.contacts {
            contact.friction = Friction::Fixed;
        }
    }

    /// Finds the impulses for the multipliers as they are, and makes them the multipliers. Whether the contacts were stiff, and their
    /// limits sharp.
    fn round(&mut self) -> bool {
        self.descend();
        for contact in &mut self.contacts {
            let u = contact.velocity(&self.y);
            contact.multiplier = contact.response(u, self.softness).impulse;
        }
        let Softness {
            compliance,
            barrier,
        } = &mut self.softness;
        let is_sharp = *compliance <= STIFFEST && *barrier == 0.0;
        *compliance = (*compliance * STIFFER).max(STIFFEST);
        *barrier *= SHARPER;
        if *barrier < LAST_BARRIER * self.first_barrier {
            *barrier = 0.0;
        }
        is_sharp
    }

    /// Newton's method for y.
    fn descend(&mut self) {
        for _ in 0..MAX_STEPS {
            let mut gradient = self.y.clone();
            let mut matrix = self.pattern.identity();
            let mut greatest = f64::MIN_POSITIVE;
            for contact in &self.contacts {
                let response = contact.response(contact.velocity(&self.y), self.softness);
                contact.push(response.impulse, -1.0, &mut gradient);
                self.pattern.add(contact, &response.slope, &mut matrix);
                greatest = greatest.max(response.impulse.length());
            }
            let size = gradient.iter().fold(0.0f64, |size, g| size.max(g.abs()));
            let scale = self.y.iter().fold(greatest, |size, y| size.max(y.abs()));
            let near = if self.softness.barrier > 0.0 {
                NEAR
            } else {
                CONVERGED
            };
            if size <= near * scale {
                return;
            }
            let mut step: Vec<f64> = gradient.iter().map(|g| -g).collect();
            self.factorized += 1;
            if self.pattern.solve(&matrix, &mut step).is_none() {
                return;
            }
            let descent: f64 = gradient.iter().zip(&step).map(|(g, s)| g * s).sum();
            let part = self.lowest_place(&step, descent);
            for (y, step) in self.y.iter_mut().zip(&step) {
                *y += part * step;
            }
            let energy: f64 = self.y.iter().map(|y| y * y).sum();
            if -descent <= LEAST_GAIN * energy {
                return;
            }
        }
    }

    /// The part of a step, up to 1, at which the convex function is least. Its slope at the start is below zero.
    fn lowest_place(&self, step: &[f64], at_start: f64) -> f64 {
        let along: f64 = self.y.iter().zip(step).map(|(y, s)| y * s).sum();
        let square: f64 = step.iter().map(|s| s * s).sum();
        let ways: Vec<(DVec3, DVec3)> = self
            .contacts
            .iter()
            .map(|contact| (contact.velocity(&self.y), contact.change(step)))
            .collect();
        let slope = |part: f64| {
            let pushed: f64 = self
                .contacts
                .iter()
                .zip(&ways)
                .map(|(contact, (u, way))| {
                    let response = contact.response(*u + part * *way, self.softness);
                    response.impulse.dot(*way)
                })
                .sum();
            along + part * square - pushed
        };
        let (mut low, mut high) = ((0.0, at_start), (1.0, slope(1.0)));
        if high.1 <= LEVEL * at_start.abs() {
            return 1.0;
        }
        // The slope rises: it is zero between. Half of a side's slope, if the other side moves twice (Illinois).
        let mut side = 0;
        for _ in 0..MAX_PLACES {
            let part = low.0 - low.1 * (high.0 - low.0) / (high.1 - low.1);
            let there = slope(part);
            if there.abs() <= LEVEL * at_start.abs() {
                return part;
            }
            if there < 0.0 {
                low = (part, there);
                if side == -1 {
                    high.1 *= 0.5;
                }
                side = -1;
            } else {
                high = (part, there);
                if side == 1 {
                    low.1 *= 0.5;
                }
                side = 1;
            }
        }
        low.0
    }

    /// Gives the bodies the velocities and the rows the impulses that were found.
    pub fn finish(&self, bodies: &mut Bodies, rows: &mut [Row]) {
        // What the bodies have already.
        let before = scaled(&self.contacts, rows, self.y.len());
        for (block, &i) in self.bodies.iter().enumerate() {
            let of = |y: &[f64], k: usize| DVec3::from_slice(&y[block * DOFS + k..]);
            let change = |k: usize| of(&self.y, k) - of(&before, k);
            let turn = bodies.inverse_inertia[i].square_root();
            let v = change(0) * f64::from(bodies.inverse_mass[i]).sqrt();
            bodies.velocity[i] = (bodies.velocity[i].as_dvec3() + v).as_vec3();
            bodies.angular_velocity[i] += turn.mul(bodies.axis[i], change(3).as_vec3());
        }
        for (row, contact) in rows.iter_mut().zip(&self.contacts) {
            let impulse = contact.multiplier;
            let friction = contact.frame * DVec3::new(0.0, impulse.y, impulse.z);
            row.normal_impulse = impulse.x as f32;
            row.friction_impulse = friction.as_vec3();
        }
    }

    /// How far the impulses are from the laws of contact, in m/s: the greatest speed by which a contact approaches faster than it
    /// should, pushes while it parts, slides below the limit of friction, or slides against it.
    pub fn residual(&self) -> f64 {
        let of = |contact: &Contact| {
            let (u, impulse) = (contact.velocity(&self.y), contact.multiplier);
            let limit = contact.coefficient * impulse.x;
            // Where friction is at its limit, its direction is against the sliding.
            let [_, k_t] = contact.stiffness(STIFFEST);
            let wanted = (impulse.yz() - k_t * u.yz()).clamp_length_max(limit);
            let violation = (impulse.yz().length() - limit).max(0.0);
            (wanted - impulse.yz()).length().max(violation) / k_t
        };
        let of_friction = self.contacts.iter().map(of);
        of_friction.fold(self.approach(), f64::max)
    }

    /// The greatest speed in m/s by which a contact approaches faster than it should, or pushes while it parts.
    fn approach(&self) -> f64 {
        let of = |contact: &Contact| {
            let excess = contact.velocity(&self.y).x - contact.target;
            let pushes = contact.multiplier.x > 0.0;
            if pushes { excess.abs() } else { -excess }
        };
        self.contacts.iter().map(of).fold(0.0, f64::max)
    }
}

/// Where the entries of the matrix are: a block for each body and for each pair of bodies.
struct Pattern {
    /// The pair of blocks, the greater one first, and the number of its entries' block.
    pairs: HashMap<(usize, usize), usize>,
    count: usize,
    /// The block and the place in it of each entry of the lower triangle.
    entries: Vec<(usize, usize, usize)>,
    structure: SymbolicSparseColMat<usize>,
    order: Argsort<usize>,
    factor: SymbolicLlt<usize>,
}

impl Pattern {
    /// `None` if there is no memory for it.
    fn new(count: usize, contacts: &[Contact]) -> Option<Self> {
        let mut pairs: HashMap<(usize, usize), usize> = HashMap::new();
        let mut places: Vec<(usize, usize)> = (0..count).map(|block| (block, block)).collect();
        for contact in contacts {
            if let [Some((a, _)), Some((b, _))] = contact.ends {
                pairs.entry((a.max(b), a.min(b))).or_insert_with(|| {
                    places.push((a.max(b), a.min(b)));
                    places.len() - 1
                });
            }
        }
        let (mut entries, mut indices) = (Vec::new(), Vec::new());
        for (number, &(row, column)) in places.iter().enumerate() {
            for i in 0..DOFS {
                let columns = if row == column { i + 1 } else { DOFS };
                for k in 0..columns {
                    entries.push((number, i, k));
                    indices.push(Pair::new(row * DOFS + i, column * DOFS + k));
                }
            }
        }
        let size = count * DOFS;
        let (structure, order) =
            SymbolicSparseColMat::try_new_from_indices(size, size, &indices).ok()?;
        let factor = SymbolicLlt::try_new(structure.as_ref(), Side::Lower).ok()?;
        Some(Self {
            pairs,
            count: places.len(),
            entries,
            structure,
            order,
            factor,
        })
    }

    /// The blocks of the unit matrix.
    fn identity(&self) -> Vec<Block> {
        let mut blocks = vec![[[0.0; DOFS]; DOFS]; self.count];
        for block in &mut blocks[..self.count - self.pairs.len()] {
            for (k, row) in block.iter_mut().enumerate() {
                row[k] = 1.0;
            }
        }
        blocks
    }

    /// Adds (J·L)ᵀ·`slope`·J·L of a contact.
    fn add(&self, contact: &Contact, slope: &DMat3, blocks: &mut [Block]) {
        if *slope == DMat3::ZERO {
            return;
        }
        let ends = contact.ends.iter().flatten();
        for (k, (one, rows)) in ends.clone().enumerate() {
            // Row i of (J·L)ᵀ·slope.
            let sloped: [DVec3; DOFS] = std::array::from_fn(|i| {
                slope.transpose() * DVec3::new(rows[0][i], rows[1][i], rows[2][i])
            });
            for (l, (other, others)) in ends.clone().enumerate() {
                let number = match (k == l, one > other) {
                    (true, _) => *one,
                    (false, true) => self.pairs[&(*one, *other)],
                    (false, false) => continue,
                };
                for (row, sloped) in blocks[number].iter_mut().zip(sloped) {
                    for (j, entry) in row.iter_mut().enumerate() {
                        let column = DVec3::new(others[0][j], others[1][j], others[2][j]);
                        *entry += sloped.dot(column);
                    }
                }
            }
        }
    }

    /// Solves matrix·x = x. `None` if the matrix has no factor: a value is not finite.
    fn solve(&self, blocks: &[Block], x: &mut [f64]) -> Option<()> {
        let entries = self.entries.iter();
        let values: Vec<f64> = entries.map(|&(block, i, k)| blocks[block][i][k]).collect();
        let matrix =
            SparseColMat::new_from_argsort(self.structure.clone(), &self.order, &values).ok()?;
        let factor =
            Llt::try_new_with_symbolic(self.factor.clone(), matrix.as_ref(), Side::Lower).ok()?;
        factor.solve_in_place(ColMut::from_slice_mut(x));
        Some(())
    }
}
