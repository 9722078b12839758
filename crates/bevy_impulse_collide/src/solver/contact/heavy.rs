//! A direct solve, in small worlds, for groups of bodies in which a heavy body presses on a light one.
//!
//! A sweep changes the velocity of a heavy body by a share that is about the ratio of the masses. So sweeps carry the load of a
//! heavy body too slowly: it sinks into a light one. For a small group, the normal impulses are found at once instead, and the
//! sweeps start with them.
//!
//! The normal impulses λ of the group solve the linear complementarity problem
//!
//!   A·λ + b ≥ 0,  λ ≥ 0,  λᵀ(A·λ + b) = 0,
//!
//! with A = J·M⁻¹·Jᵀ, and b the approach that is too much without them: normal velocity plus allowed closing speed. An active set
//! of points that press is changed point by point until all conditions hold (Lawson, Hanson: Solving Least Squares Problems, 1974).

use glam::DVec3;
use smallvec::SmallVec;

use super::{entry::StoredImpulse, method::ContactProblem, view::ContactPoint};
use crate::{
    body::{Bodies, HEAVY},
    solver::disjoint_sets::DisjointSets,
};

/// Most contact points of a group. The time of the solve is of the third order in this number.
const MAX_POINTS: usize = 64;

/// Most pairs of a world in which groups are looked for. In larger worlds a group can be jammed between moving walls, and its
/// problem then has no solution.
const MAX_PAIRS: usize = 64;

/// Added to the diagonal of A, as a fraction: points of one body can be redundant.
const REGULARISATION: f64 = 1e-10;

/// Groups with a heavy body, and memory kept between calls.
#[derive(Debug, Default)]
pub(super) struct HeavyGroups {
    /// All active points, each with the number of its cell.
    points: Vec<(usize, ContactPoint)>,
    groups: DisjointSets,
    /// The root of each point's group, and the index of the point; sorted.
    members: Vec<(u32, u32)>,
    /// The roots of groups with a heavy body, sorted.
    heavy: Vec<u32>,
    problem: Complementarity,
}

impl HeavyGroups {
    /// Sets the normal impulses of all small groups in which a heavy body touches a light one.
    pub fn solve(&mut self, problem: &mut ContactProblem) {
        let (graph, bodies) = (&mut *problem.graph, problem.bodies);
        if bodies.mass_ratio < HEAVY || graph.pairs.len() > MAX_PAIRS {
            return;
        }
        graph.collect_active_points(&mut self.points);
        self.find_groups(bodies);
        for group in self.members.chunk_by(|one, other| one.0 == other.0) {
            let root = group[0].0;
            if group.len() > MAX_POINTS || self.heavy.binary_search(&root).is_err() {
                continue;
            }
            let points = group.iter().map(|&(_, k)| self.points[k as usize].1);
            // Impacts that are left unresolved are no load.
            let is_unresolved = |i: u32| graph.poses[i as usize].is_unresolved();
            if (points.clone()).any(|point| is_unresolved(point.a) || is_unresolved(point.b)) {
                continue;
            }
            let rows: SmallVec<[Row; MAX_POINTS]> =
                points.map(|point| Row::new(bodies, &point)).collect();
            for (&(_, k), impulse) in group.iter().zip(self.problem.solve(&rows)) {
                let (cell, point) = &self.points[k as usize];
                let new = StoredImpulse {
                    normal: *impulse as f32,
                    friction: point.friction_impulse,
                    couple: point.couple,
                    ..StoredImpulse::default()
                };
                graph.set_impulse(*cell, point, &new);
            }
        }
    }

    /// Sorts the points by groups: bodies in contact, directly or through other bodies.
    fn find_groups(&mut self, bodies: &Bodies) {
        let Self {
            points,
            groups,
            members,
            heavy,
            ..
        } = self;
        groups.reset(bodies.len());
        heavy.clear();
        for (_, point) in points.iter() {
            let (a, b) = (point.a as usize, point.b as usize);
            if !(bodies.is_held(a) || bodies.is_held(b)) {
                groups.join(a, b);
            }
        }
        members.clear();
        for (k, (_, point)) in (0..).zip(points.iter()) {
            let (a, b) = (point.a as usize, point.b as usize);
            let group = groups.root(if bodies.is_held(a) { b } else { a }) as u32;
            members.push((group, k));
            let (m_a, m_b) = (bodies.mass[a], bodies.mass[b]);
            let is_heavy = m_a.max(m_b) >= HEAVY * m_a.min(m_b);
            if is_heavy && !(bodies.is_held(a) || bodies.is_held(b)) {
                heavy.push(group);
            }
        }
        // The same order whatever the cells.
        members.sort_unstable_by_key(|&(group, k)| {
            let point = &points[k as usize].1;
            (group, point.pair, point.feature)
        });
        heavy.sort_unstable();
        heavy.dedup();
    }
}

/// The normal part of a contact point, as the solve sees it.
#[derive(Clone, Copy, Debug)]
struct Row {
    sides: [Side; 2],
    /// Normal velocity plus allowed closing speed in m/s, without the normal impulses of the group.
    excess: f64,
    /// Normal impulse of the last substep in N·s.
    start: f64,
    friction: [(DVec3, DVec3); 2],
}

/// One body of a point: what a unit of normal impulse does to it.
#[derive(Clone, Copy, Debug)]
struct Side {
    /// `u32::MAX` if no impulse moves the body.
    body: u32,
    linear: DVec3,
    angular: DVec3,
    dv: DVec3,
    dw: DVec3,
}

impl Row {
    fn new(bodies: &Bodies, point: &ContactPoint) -> Self {
        let x = |i: u32| bodies.position[i as usize].as_dvec3();
        let arm_a = point.arm_a.as_dvec3();
        let arm_b = arm_a + x(point.a) - x(point.b);
        let (n, friction) = (point.normal.as_dvec3(), point.friction_impulse.as_dvec3());
        let side = |i: u32, arm: DVec3, sign: f64| {
            let (linear, angular) = (sign * n, sign * arm.cross(n));
            let (dv, dw) = moved(bodies, i as usize, linear, angular);
            Side {
                body: if bodies.is_held(i as usize) {
                    u32::MAX
                } else {
                    i
                },
                linear,
                angular,
                dv,
                dw,
            }
        };
        let rub = |i: u32, arm: DVec3, sign: f64| {
            moved(
                bodies,
                i as usize,
                sign * friction,
                sign * arm.cross(friction),
            )
        };
        let sides = [side(point.a, arm_a, 1.0), side(point.b, arm_b, -1.0)];
        let velocity = |i: u32, side: &Side| {
            let i = i as usize;
            side.linear.dot(bodies.precise_velocity(i))
                + side.angular.dot(bodies.angular_velocity[i].as_dvec3())
        };
        Self {
            excess: velocity(point.a, &sides[0])
                + velocity(point.b, &sides[1])
                + f64::from(point.closing_allowed),
            start: f64::from(point.normal_impulse),
            friction: [rub(point.a, arm_a, 1.0), rub(point.b, arm_b, -1.0)],
            sides,
        }
    }

    /// Change of this row's normal velocity by a change of velocities on the sides of `other`.
    fn felt(&self, other: &Self, change: impl Fn(usize) -> (DVec3, DVec3)) -> f64 {
        let mut sum = 0.0;
        for side in self.sides.iter().filter(|side| side.body != u32::MAX) {
            for (k, its) in other.sides.iter().enumerate() {
                if its.body == side.body {
                    let (dv, dw) = change(k);
                    sum += side.linear.dot(dv) + side.angular.dot(dw);
                }
            }
        }
        sum
    }
}

/// Change of a body's velocities by an impulse and an angular impulse.
fn moved(bodies: &Bodies, i: usize, linear: DVec3, angular: DVec3) -> (DVec3, DVec3) {
    if bodies.is_held(i) {
        return (DVec3::ZERO, DVec3::ZERO);
    }
    let inertia = bodies.inverse_inertia[i];
    let axis = bodies.launch_axis(i).as_dvec3();
    let (axial, transverse) = (f64::from(inertia.axial), f64::from(inertia.transverse));
    let along = axis * axis.dot(angular);
    let dw = angular * transverse + along * (axial - transverse);
    (linear * f64::from(bodies.inverse_mass[i]), dw)
}

/// A linear complementarity problem with a symmetric, positive matrix.
#[derive(Debug, Default)]
struct Complementarity {
    matrix: Vec<f64>,
    excess: Vec<f64>,
    impulses: Vec<f64>,
    presses: Vec<bool>,
    factor: Vec<f64>,
    trial: Vec<f64>,
}

impl Complementarity {
    /// The normal impulses of a group.
    fn solve(&mut self, rows: &[Row]) -> &[f64] {
        self.matrix.clear();
        self.excess.clear();
        for (i, row) in rows.iter().enumerate() {
            let mut excess = row.excess;
            for (j, other) in rows.iter().enumerate() {
                let unit = |k: usize| (other.sides[k].dv, other.sides[k].dw);
                let entry = row.felt(other, unit);
                let stiffer = if i == j { 1.0 + REGULARISATION } else { 1.0 };
                self.matrix.push(entry * stiffer);
                excess += row.felt(other, |k| other.friction[k]);
            }
            self.excess.push(excess);
        }
        self.presses.clear();
        self.presses.extend(rows.iter().map(|row| row.start > 0.0));
        self.change_set();
        &self.impulses
    }

    /// Changes the set of points that press until all conditions hold.
    fn change_set(&mut self) {
        let n = self.excess.len();
        self.impulses.clear();
        self.impulses.resize(n, 0.0);
        let scale = self.excess.iter().fold(0f64, |most, b| most.max(b.abs()));
        // An impulse does nothing at a point whose row is zero.
        let can_press = |matrix: &[f64], i: usize| matrix[i * n + i] > 0.0;
        for i in 0..n {
            self.presses[i] &= can_press(&self.matrix, i);
        }
        for _ in 0..3 * n + 3 {
            self.solve_pressing();
            // A point must not pull: the worst one leaves the set.
            let pulls = |&i: &usize| self.presses[i] && self.trial[i] < 0.0;
            let worst = (0..n)
                .filter(pulls)
                .min_by(|&i, &j| self.trial[i].total_cmp(&self.trial[j]));
            if let Some(worst) = worst {
                self.presses[worst] = false;
                continue;
            }
            self.impulses.clone_from(&self.trial);
            // A point must not approach: the worst one joins the set.
            let approach = |i: usize| {
                let row = &self.matrix[i * n..(i + 1) * n];
                let change: f64 = row.iter().zip(&self.impulses).map(|(a, l)| a * l).sum();
                self.excess[i] + change
            };
            let worst = (0..n)
                .filter(|&i| !self.presses[i] && can_press(&self.matrix, i))
                .map(|i| (approach(i), i))
                .filter(|&(approach, _)| approach < -1e-9 * scale)
                .min_by(|one, other| one.0.total_cmp(&other.0));
            match worst {
                Some((_, i)) => self.presses[i] = true,
                None => break,
            }
        }
    }

    /// Solves A·λ = −b for the points that press, with λ = 0 for the others, by a Cholesky factorisation.
    fn solve_pressing(&mut self) {
        let all = self.excess.len();
        let set: SmallVec<[usize; MAX_POINTS]> = (0..all).filter(|&i| self.presses[i]).collect();
        let n = set.len();
        self.trial.clear();
        self.trial.resize(all, 0.0);
        self.factor.clear();
        self.factor.resize(n * n, 0.0);
        let mut solution: SmallVec<[f64; MAX_POINTS]> = SmallVec::new();
        for (i, &row) in set.iter().enumerate() {
            for j in 0..=i {
                let mut sum = self.matrix[row * all + set[j]];
                for k in 0..j {
                    sum -= self.factor[i * n + k] * self.factor[j * n + k];
                }
                self.factor[i * n + j] = if i == j {
                    let least = REGULARISATION * self.matrix[row * all + row];
                    sum.max(least).sqrt()
                } else {
                    sum / self.factor[j * n + j]
                };
            }
            let known: f64 = (0..i).map(|k| self.factor[i * n + k] * solution[k]).sum();
            solution.push((-self.excess[row] - known) / self.factor[i * n + i]);
        }
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n)
                .map(|k| self.factor[k * n + i] * solution[k])
                .sum();
            solution[i] = (solution[i] - known) / self.factor[i * n + i];
        }
        for (&i, &impulse) in set.iter().zip(&solution) {
            self.trial[i] = impulse;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// A = J·Jᵀ of a random J, with more rows than columns in some cases: some rows are redundant then.
        #[test]
        fn all_conditions_of_the_problem_hold(
            columns in 3..12usize,
            rows in prop::collection::vec((prop::collection::vec(-1.0..1.0f64, 12), -1.0..1.0f64), 1..10),
            presses in prop::collection::vec(any::<bool>(), 10),
        ) {
            let dot = |a: &[f64], b: &[f64]| -> f64 {
                a[..columns].iter().zip(b).map(|(a, b)| a * b).sum()
            };
            // b = J·v: then there are velocities at which nothing approaches, and the problem has a solution.
            let v: Vec<f64> = (0..12).map(|k| (k as f64).sin()).collect();
            let mut problem = Complementarity::default();
            for (one, _) in &rows {
                problem.matrix.extend(rows.iter().map(|(other, _)| dot(one, other)));
                problem.excess.push(dot(one, &v));
            }
            problem.presses.extend_from_slice(&presses[..rows.len()]);
            problem.change_set();
            for i in 0..rows.len() {
                let row = &problem.matrix[i * rows.len()..][..rows.len()];
                let change: f64 = row.iter().zip(&problem.impulses).map(|(a, l)| a * l).sum();
                let (parting, impulse) = (problem.excess[i] + change, problem.impulses[i]);
                prop_assert!(parting > -1e-6 && impulse >= 0.0, "{parting} {impulse}");
                // Nearly redundant rows have large impulses that cancel; the sum rounds, and the regularisation is felt.
                let terms: f64 = row.iter().zip(&problem.impulses).map(|(a, l)| (a * l).abs()).sum();
                let exact = 1e-8 * (problem.excess[i].abs() + terms);
                prop_assert!(impulse == 0.0 || parting.abs() <= exact, "{parting} {impulse} {exact}");
            }
        }
    }
}
