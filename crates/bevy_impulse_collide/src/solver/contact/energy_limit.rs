//! Contacts never create energy.
//!
//! Sweeps over contacts with friction need not converge: with large ratios of the masses, or rods that jam, the impulses can grow
//! from sweep to sweep. With the fraction s of all impulses on an island, its kinetic energy is
//!
//!   E(s) = E₀ + s·b + s²·c,  b = Σ P·v + L·ω,  c = ½·Σ P·Δv + L·Δω,
//!
//! where P and L are the sums on a body, and v and ω its velocities before. Moving surfaces that no impulse moves may do the work W,
//! and so may surfaces that an impact has launched from inside each other: they must part. If E(1) > E₀ + W, the island gets the
//! fraction (W − b)/c, for which E(s) = E₀ + s·W. The fraction is the same for all impulses, so momentum and angular momentum are
//! conserved.
//!
//! Moving surfaces that leave a body no room would do work without end. One surface of velocity u gives an island of mass M no
//! more than ½·M·u²: the contact takes v − u to the nearest velocity that does not close, and −|d|² − 2·d·u ≤ u² for any change −d.
//! Several surfaces together may squeeze a body out at [`SQUEEZE`] times their speed.

use bevy::prelude::*;
use glam::DVec3;

use super::{
    constraints::Constraints,
    entry::StoredImpulse,
    graph::{ContactGraph, PER_TASK},
    rows::Given,
    view::ContactPoint,
};
use crate::{
    body::Bodies,
    solver::{disjoint_sets::DisjointSets, energy_growth::EnergyGrowth, partition::CellLayout},
};

/// Growth of the kinetic energy, as a fraction of it, that is rounding.
const ROUNDING: f64 = 1e-5;

/// The greatest speed that moving surfaces give a body in one substep, over their own.
const SQUEEZE: f64 = 4.0;

/// Reduces impulses that would create energy.
#[derive(Debug, Default)]
pub(super) struct EnergyLimit {
    growth: EnergyGrowth,
    points: Vec<(usize, ContactPoint)>,
    islands: DisjointSets,
    /// Of each island, at the index of its root.
    changes: Vec<EnergyChange>,
}

/// The kinetic energy of bodies before the contact stage, and its change, in J.
#[derive(Clone, Copy, Debug, Default)]
struct EnergyChange {
    /// E₀.
    before: f64,
    /// b.
    linear: f64,
    /// c.
    quadratic: f64,
    /// W.
    work: f64,
    /// M in kg.
    mass: f64,
    /// u of the fastest moving surface that touches the island, in m/s.
    surface_speed: f64,
    /// The fastest speed in m/s at which surfaces inside each other must part.
    parting_speed: f64,
}

impl EnergyChange {
    fn of(bodies: &Bodies, graph: &ContactGraph, layout: &CellLayout, i: usize) -> Self {
        let shift = bodies.flight_shift[i];
        let (p, l) = push_on(graph, layout, i, shift);
        let (v, w) = (bodies.velocity[i], bodies.angular_velocity[i].as_vec3());
        let (inertia, rotation) = (bodies.inverse_inertia[i], bodies.flight_rotation[i]);
        let dw = inertia.mul(rotation, l.as_vec3());
        let turning = f64::from(w.dot(inertia.inverse_mul(rotation, w)));
        let mass = f64::from(bodies.mass[i]);
        Self {
            before: 0.5 * (mass * v.length_squared() + turning),
            linear: p.dot(v) + l.dot(w.as_dvec3()),
            quadratic: 0.5 * (p.length_squared() / mass + l.dot(dw.as_dvec3())),
            mass,
            ..default()
        }
    }

    fn add(&mut self, other: Self) {
        self.before += other.before;
        self.linear += other.linear;
        self.quadratic += other.quadratic;
        self.mass += other.mass;
    }

    /// E(1) − E₀.
    fn growth(&self) -> f64 {
        self.linear + self.quadratic
    }

    /// The fraction of the impulses that does not create energy.
    fn fraction(&self) -> f64 {
        let growth = self.growth() - self.work;
        if growth <= ROUNDING * self.before {
            self.fraction_within_reach()
        } else if growth.is_finite() && self.quadratic > 0.0 {
            let fraction = (self.work - self.linear) / self.quadratic;
            fraction.clamp(0.0, self.fraction_within_reach())
        } else {
            0.0
        }
    }

    /// The fraction with which the island is no faster than moving surfaces can make it: s²·c + s·b = E_max − E₀.
    fn fraction_within_reach(&self) -> f64 {
        if self.surface_speed == 0.0 {
            return 1.0;
        }
        let speed = self.surface_speed.max(self.parting_speed);
        let room = 0.5 * self.mass * (SQUEEZE * speed).powi(2);
        if self.growth() <= room.max(ROUNDING * self.before) {
            return 1.0;
        }
        let (b, c) = (self.linear, self.quadratic);
        (2.0 * room / (b + (b * b + 4.0 * c * room).sqrt())).min(1.0)
    }
}

impl EnergyLimit {
    /// Reduces the impulses on each island whose energy would grow.
    pub fn apply(
        &mut self,
        bodies: &Bodies,
        graph: &mut ContactGraph,
        constraints: &Constraints,
        layout: &CellLayout,
    ) {
        let places = &graph.places;
        if places.are_calm() || graph.sums.is_empty() {
            return;
        }
        let change_of = |i: usize| {
            let may_grow = places.may_diverge(i) && bodies.responds(i) && !bodies.is_part(i);
            let change = may_grow.then(|| EnergyChange::of(bodies, graph, layout, i))?;
            Some((change.before, change.growth()))
        };
        let count = bodies.len();
        if !(self.growth).exceeds(ROUNDING, count, PER_TASK, change_of) {
            return;
        }
        self.find_islands(bodies, graph, constraints, layout);
        for i in 0..bodies.len() {
            if !bodies.responds(i) || bodies.is_part(i) || !graph.places.may_diverge(i) {
                continue;
            }
            let fraction = self.fraction_of(i);
            if fraction < 1.0 {
                graph.sums[layout.solver_index(i)].scale(fraction);
            }
        }
        for half in graph.halves_mut() {
            let fraction = self.fraction_of(half.body);
            if fraction < 1.0 {
                half.scale(fraction);
            }
        }
        for k in 0..self.points.len() {
            let (cell, point) = self.points[k];
            let body = if !bodies.responds(point.a as usize) {
                point.b
            } else {
                point.a
            };
            let fraction = self.fraction_of(bodies.whole_of(body as usize));
            if fraction < 1.0 {
                graph.set_impulse(cell, &point, &scaled(&point, fraction as f32));
            }
        }
    }

    fn fraction_of(&mut self, i: usize) -> f64 {
        self.changes[self.islands.root(i)].fraction()
    }

    /// Finds the change of energy of each island.
    fn find_islands(
        &mut self,
        bodies: &Bodies,
        graph: &ContactGraph,
        constraints: &Constraints,
        layout: &CellLayout,
    ) {
        let Self {
            points,
            islands,
            changes,
            ..
        } = self;
        graph.collect_active_points(points);
        // An island lies in one place.
        let places = &graph.places;
        points.retain(|(_, point)| {
            places.may_diverge(point.a as usize) || places.may_diverge(point.b as usize)
        });
        islands.reset(bodies.len());
        for (_, point) in points.iter() {
            let (a, b) = (point.a as usize, point.b as usize);
            if bodies.responds(a) && bodies.responds(b) {
                islands.join(bodies.whole_of(a), bodies.whole_of(b));
            }
        }
        for of in graph.given.iter().map(|given| given.bodies) {
            if let [Some(a), Some(b)] = of.map(|entity| bodies.index_of(entity))
                && bodies.responds(a)
                && bodies.responds(b)
            {
                islands.join(a, b);
            }
        }
        constraints.for_each_link(bodies, |a, b| {
            if bodies.responds(a) && bodies.responds(b) {
                islands.join(a, b);
            }
        });
        changes.clear();
        changes.resize(bodies.len(), EnergyChange::default());
        let counts = |&i: &usize| places.may_diverge(i) && bodies.responds(i) && !bodies.is_part(i);
        for i in (0..bodies.len()).filter(counts) {
            changes[islands.root(i)].add(EnergyChange::of(bodies, graph, layout, i));
        }
        // What other constraints do is their own affair: a motor may work.
        for (entity, impulse, angular) in graph.given.iter().flat_map(Given::pushes) {
            let found = bodies.index_of(entity);
            if let Some(i) = found.filter(|&i| bodies.responds(i) && places.may_diverge(i)) {
                let push = (impulse.as_dvec3(), angular.as_dvec3());
                let work = work_on(bodies, graph, layout, i, push);
                changes[islands.root(i)].work += work;
            }
        }
        for half in graph.halves() {
            if places.may_diverge(half.body) {
                let push = (half.impulse, half.angular);
                let work = work_on(bodies, graph, layout, half.body, push);
                changes[islands.root(half.body)].work += work;
            }
        }
        for (_, point) in points.iter() {
            // Surfaces that an impact has launched from inside each other must part. Where nothing else is in the way, that takes the
            // momentum of the pair's reduced mass at this speed.
            let parting = f64::from((-point.closing_allowed).max(0.0));
            let (a, b) = (point.a as usize, point.b as usize);
            let mobility = |i: usize| {
                if !bodies.responds(i) {
                    0.0
                } else {
                    bodies.inverse_mass[i]
                }
            };
            let reduced = f64::from(mobility(a) + mobility(b)).recip();
            let impulse = f64::from(point.normal_impulse).min(parting * reduced);
            let body = if !bodies.responds(a) { b } else { a };
            let change = &mut changes[islands.root(bodies.whole_of(body))];
            change.work += parting * impulse;
            change.parting_speed = change.parting_speed.max(parting);
            let place = point.point(&graph.poses).point;
            for (held, other, sign) in [(point.b, point.a, 1.0), (point.a, point.b, -1.0)] {
                let held = held as usize;
                if !bodies.responds(held) && !bodies.is_steady(held) {
                    let v = bodies.velocity_at(held, place)
                        + bodies
                            .belt_velocity(held)
                            .reject_from_normalized(point.normal);
                    let w = bodies.angular_velocity[held].as_vec3();
                    let work = point.impulse().dot(v) + point.couple.dot(w);
                    let other = bodies.whole_of(other as usize);
                    let change = &mut changes[islands.root(other)];
                    change.work += f64::from(sign * work);
                    change.surface_speed = change.surface_speed.max(v.length().into());
                }
            }
        }
    }
}

/// The impulse in N·s on body `i`, and the angular impulse in N·m·s about the start of its flight at `shift`: of the contacts and
/// of constraints that act in halves.
fn push_on(graph: &ContactGraph, layout: &CellLayout, i: usize, shift: Vec3) -> (DVec3, DVec3) {
    let (p, l) = graph.sum_of(layout, i).about(shift);
    match graph.half_of(i) {
        Some(half) => (p + half.impulse, l + half.angular),
        None => (p, l),
    }
}

/// The work in J of an impulse and an angular impulse on body `i`, at the mean of its velocities before and after the contact stage.
fn work_on(
    bodies: &Bodies,
    graph: &ContactGraph,
    layout: &CellLayout,
    i: usize,
    (impulse, angular): (DVec3, DVec3),
) -> f64 {
    let shift = bodies.flight_shift[i];
    let (p, l) = push_on(graph, layout, i, shift);
    let dw = bodies.inverse_inertia[i].mul(bodies.flight_rotation[i], l.as_vec3());
    let v = bodies.velocity[i] + 0.5 * p / f64::from(bodies.mass[i]);
    let w = bodies.angular_velocity[i] + 0.5 * dw.as_dvec3();
    impulse.dot(v) + angular.dot(w)
}

/// A fraction of a point's impulses; nothing of impulses that are not finite.
fn scaled(point: &ContactPoint, fraction: f32) -> StoredImpulse {
    let of = |impulse: Vec3| {
        if fraction > 0.0 {
            impulse * fraction
        } else {
            Vec3::ZERO
        }
    };
    StoredImpulse {
        normal: of(Vec3::X * point.normal_impulse).x,
        friction: of(point.friction_impulse),
        couple: of(point.couple),
        ..StoredImpulse::default()
    }
}
