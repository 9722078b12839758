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
//! In these rounds, s is μ·P of the round before. Near the solution s = μ·P of the same velocity takes their place: the function is
//! no gradient then, and the matrix has no symmetry, but Newton's method with a sparse LU factorisation ends in a few steps where the
//! rounds would need dozens. If it does not, its steps are taken back, and the rounds go on.
//!
//! Sources: P. Alart and A. Curnier, "A mixed formulation for frictional contact problems prone to Newton like solution methods",
//! Comput. Methods Appl. Mech. Eng. 92 (1991) 353; J. Júdice and F. Pires, "A block principal pivoting algorithm for large-scale strictly monotone linear complementarity
//! problems", Comput. Oper. Res. 21 (1994) 587; R. Rockafellar, "Augmented Lagrangians and applications of the proximal point
//! algorithm in convex programming", Math. Oper. Res. 1 (1976) 97; A. Castro, F. Permenter, X. Han, "An unconstrained convex
//! formulation of compliant contact", IEEE Trans. Robot. 39 (2023) 1301.

mod contact;
mod pattern;

use std::collections::HashMap;

use bevy::{math::DVec3, prelude::*};
use bevy_impulse_collide::prelude::*;

use self::{
    contact::{Contact, Friction, Softness, root_of_inverse_inertia},
    pattern::{Block, DOFS, Pattern, Symmetry},
};
use super::rows::Row;

/// 1/k over a contact's own inverse mass, in the first round and in the last ones. Each round is stiffer by the factor. Soft contacts
/// need few steps from a bad guess, and stiff ones leave less to the multipliers.
const SOFTEST: f64 = 0.1;
const STIFFEST: f64 = 1e-5;
const STIFFER: f64 = 0.2;

/// Each round has this part of the barrier of the round before, and those below the last one, over the first one, have none.
const SHARPER: f64 = 0.4;
const LAST_BARRIER: f64 = 1e-10;

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

/// Rounds with s = μ·P of the same velocity: how stiff they are, how many, and most steps of each. Stiffer ones find no root more often,
/// softer ones leave more to the multipliers.
const COULOMB_COMPLIANCE: f64 = 1e-4;
const MAX_COULOMB_ROUNDS: usize = 6;
const MAX_COULOMB_STEPS: usize = 30;

/// Most times that such a step is halved.
const MAX_HALVINGS: u32 = 12;

/// Sharp rounds from one try with s = μ·P of the same velocity to the next.
const ROUNDS_BETWEEN: u32 = 4;

/// Gradient, over the greatest impulse, that is rounding.
const CONVERGED: f64 = 1e-10;

/// Gain of a step, over the energy of all impulses, that is rounding. After such a step the search ends.
const LEAST_GAIN: f64 = 1e-14;

/// The rows of a substep as one system.
pub(super) struct ContactSystem {
    contacts: Vec<Contact>,
    /// The body of each block.
    bodies: Vec<usize>,
    /// The scaled velocity changes of all bodies.
    y: Vec<f64>,
    pattern: Pattern,
    /// For matrices without symmetry, once one was needed.
    general: Option<Pattern>,
    softness: Softness,
    /// The barrier of the first round, in J.
    first_barrier: f64,
    /// Matrices that were factorised so far.
    pub factorized: u32,
}

fn norm(numbers: &[f64]) -> f64 {
    numbers.iter().map(|x| x * x).sum::<f64>().sqrt()
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
    /// The system of these rows. Their impulses so far are the first guess; the bodies have them already. If there is no memory for
    /// the matrix, it is told once, and the contacts do nothing.
    pub fn new(bodies: &Bodies, rows: &[Row]) -> Option<Self> {
        let mut moving: Vec<usize> = rows
            .iter()
            .flat_map(|row| [row.point.a, row.point.b])
            .filter(|&i| bodies.get(i).is_dynamic())
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
        let Some(pattern) = Pattern::new(moving.len(), &contacts, Symmetry::Symmetric) else {
            error_once!(
                "no memory for the matrix of {} contacts: they do nothing",
                contacts.len()
            );
            return None;
        };
        let mut system = Self {
            contacts,
            bodies: moving,
            y,
            pattern,
            general: None,
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

    /// The impulses that fulfil all rows, with friction of at most μ·P: when no speed is wrong by more than `tolerance` m/s, or after
    /// `rounds` rounds from a bad guess.
    pub fn solve(&mut self, rounds: u32, tolerance: f64) {
        self.search(rounds, Contact::limit_friction, |system, round| {
            let is_due = round % ROUNDS_BETWEEN == ROUNDS_BETWEEN - 1;
            system.residual() <= tolerance || is_due && system.finish_with_coulomb(tolerance)
        });
    }

    /// The normal impulses that fulfil all rows, with friction as it is.
    pub fn solve_normals(&mut self, rounds: u32, tolerance: f64) {
        self.search(rounds, |_| {}, |system, _| system.approach() <= tolerance);
    }

    /// Rounds until `is_done` after a sharp one. It is told the number of the round. Before each round, `limit` is set for each contact.
    fn search(
        &mut self,
        rounds: u32,
        limit: fn(&mut Contact),
        mut is_done: impl FnMut(&mut Self, u32) -> bool,
    ) {
        let start = self.multipliers();
        self.soften(STIFFEST, 0.0);
        for round in 0..GUESS_ROUNDS.min(rounds) {
            let before = self.factorized;
            let is_sharp = self.round(limit);
            let steps = self.factorized - before;
            if is_sharp && is_done(self, round) {
                return;
            }
            if steps as usize > MAX_GUESS_STEPS {
                break;
            }
        }
        // The guess is far off.
        self.set_multipliers(&start);
        self.soften(SOFTEST, self.first_barrier);
        for round in 0..rounds {
            if self.round(limit) && is_done(self, round) {
                return;
            }
        }
    }

    fn multipliers(&self) -> Vec<DVec3> {
        self.contacts.iter().map(|it| it.multiplier).collect()
    }

    fn set_multipliers(&mut self, multipliers: &[DVec3]) {
        for (contact, multiplier) in self.contacts.iter_mut().zip(multipliers) {
            contact.multiplier = *multiplier;
        }
    }

    /// Rounds with s = μ·P of the same velocity. Whether no speed is wrong by more than `tolerance` m/s then; otherwise all is as
    /// before.
    fn finish_with_coulomb(&mut self, tolerance: f64) -> bool {
        if self.general.is_none() {
            let blocks = self.bodies.len();
            self.general = Pattern::new(blocks, &self.contacts, Symmetry::General);
        }
        let (y, multipliers, softness) = (self.y.clone(), self.multipliers(), self.softness);
        let frictions: Vec<Friction> = self.contacts.iter().map(|it| it.friction).collect();
        self.softness = Softness {
            compliance: COULOMB_COMPLIANCE,
            barrier: 0.0,
        };
        for contact in &mut self.contacts {
            contact.friction = Friction::Coulomb;
        }
        for _ in 0..MAX_COULOMB_ROUNDS {
            if !self.find_root() {
                break;
            }
            self.take_multipliers();
            if self.residual() <= tolerance {
                return true;
            }
        }
        (self.y, self.softness) = (y, softness);
        self.set_multipliers(&multipliers);
        for (contact, friction) in self.contacts.iter_mut().zip(frictions) {
            contact.friction = friction;
        }
        false
    }

    /// Newton's method for y with friction by Coulomb's law. Whether it found a y.
    fn find_root(&mut self) -> bool {
        for _ in 0..MAX_COULOMB_STEPS {
            let Some(pattern) = &self.general else {
                return false;
            };
            let Some((mut step, matrix)) = self.equations(pattern, CONVERGED) else {
                return true;
            };
            self.factorized += 1;
            let is_solved = pattern.solve(&matrix, &mut step).is_some();
            if !is_solved || !self.walk_down(&step) {
                return false;
            }
        }
        false
    }

    /// Goes along a step as far as the gradient gets smaller. Whether it does.
    fn walk_down(&mut self, step: &[f64]) -> bool {
        let start = self.y.clone();
        let before = norm(&self.downhill().0);
        let mut part = 1.0;
        for _ in 0..MAX_HALVINGS {
            for ((y, start), step) in self.y.iter_mut().zip(&start).zip(step) {
                *y = start + part * step;
            }
            if norm(&self.downhill().0) < before {
                return true;
            }
            part *= 0.5;
        }
        self.y = start;
        false
    }

    /// The gradient with its sign turned, and the greatest impulse.
    fn downhill(&self) -> (Vec<f64>, f64) {
        let mut downhill: Vec<f64> = self.y.iter().map(|y| -y).collect();
        let mut greatest = f64::MIN_POSITIVE;
        for contact in &self.contacts {
            let response = contact.response(contact.velocity(&self.y), self.softness);
            contact.push(response.impulse, 1.0, &mut downhill);
            greatest = greatest.max(response.impulse.length());
        }
        (downhill, greatest)
    }

    /// What Newton's method solves: the gradient with its sign turned, and the matrix. `None` if the gradient over the greatest impulse
    /// is at most `level`.
    fn equations(&self, pattern: &Pattern, level: f64) -> Option<(Vec<f64>, Vec<Block>)> {
        let (downhill, greatest) = self.downhill();
        let size = downhill.iter().fold(0.0f64, |size, g| size.max(g.abs()));
        let scale = self.y.iter().fold(greatest, |size, y| size.max(y.abs()));
        if size <= level * scale {
            return None;
        }
        let mut matrix = pattern.identity();
        for contact in &self.contacts {
            let response = contact.response(contact.velocity(&self.y), self.softness);
            pattern.add(contact, &response.slope, &mut matrix);
        }
        Some((downhill, matrix))
    }

    /// Makes the impulses the multipliers.
    fn take_multipliers(&mut self) {
        for contact in &mut self.contacts {
            let u = contact.velocity(&self.y);
            contact.multiplier = contact.response(u, self.softness).impulse;
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
    fn round(&mut self, limit: fn(&mut Contact)) -> bool {
        self.contacts.iter_mut().for_each(limit);
        self.descend();
        self.take_multipliers();
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
            let level = if self.softness.barrier > 0.0 {
                NEAR
            } else {
                CONVERGED
            };
            let Some((downhill, matrix)) = self.equations(&self.pattern, level) else {
                return;
            };
            let mut step = downhill.clone();
            self.factorized += 1;
            if self.pattern.solve(&matrix, &mut step).is_none() {
                return;
            }
            let descent: f64 = -downhill.iter().zip(&step).map(|(g, s)| g * s).sum::<f64>();
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
            let v = change(0) * f64::from(bodies.get(i).inverse_mass()).sqrt();
            let turn = root_of_inverse_inertia(bodies.get(i)) * change(3);
            let mut body = bodies.get_mut(i);
            body.add_velocity(v.as_vec3());
            body.add_angular_velocity(turn.as_vec3());
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
