//! Pushes never create energy.
//!
//! A push keeps momentum and angular momentum. Where a deep overlap turns a capsule, joined bodies come together from far apart, or angular
//! momentum goes to the spins, the kinetic energy may grow all the same. Of a group of bodies that push each other, the part of the motion that is no rigid motion
//! then slows down: with the velocity V + Ω × (x − X) of the rigid motion that has the group's momentum and angular momentum,
//!
//!   v → V + Ω × (x − X) + s·(v − V − Ω × (x − X)),  ω → Ω + s·(ω − Ω),  E(s) = E_rigid + s²·(E − E_rigid).
//!
//! E_rigid is the least energy for these momenta. The factor s gives the group the energy that it had before the pushes. A group
//! beside a body that nothing pushes, and whose rigid motion has too much energy, slows down as a whole.

use bevy::prelude::*;
use glam::{DMat3, DVec3};

use crate::{
    body::Bodies,
    collision::BroadPhase,
    parallel::fill_chunks,
    solver::{contact::PositionError, disjoint_sets::DisjointSets, energy_growth::EnergyGrowth},
};

/// Growth of the kinetic energy, as a fraction of it, that is rounding.
const ROUNDING: f64 = 1e-6;

/// Bodies whose energies one task finds.
const BODIES_PER_TASK: usize = 1024;

/// Takes away energy that pushes have created.
#[derive(Debug, Default)]
pub(super) struct PushEnergyLimit {
    /// The energy of each body in J before the pushes; `None` if nothing pushes it.
    before: Vec<Option<f64>>,
    growth: EnergyGrowth,
    groups: DisjointSets,
    /// Of each group, at the index of its root.
    motions: Vec<GroupMotion>,
}

/// The motion of a group of bodies.
#[derive(Clone, Copy, Debug)]
struct GroupMotion {
    /// Energy in J before the pushes, and now.
    before: f64,
    now: f64,
    mass: f64,
    /// Σ m·x and Σ m·v.
    moment: DVec3,
    momentum: DVec3,
    /// About the centre of mass, once that is known.
    angular_momentum: DVec3,
    inertia: DMat3,
    /// Whether a body that nothing pushes is near.
    is_near_fixed: bool,
    /// Whether it has a body that pushes turn: between balls, pushes along the line of centres only take energy.
    may_grow: bool,
}

impl GroupMotion {
    /// Of a group without bodies.
    const NONE: Self = Self {
        before: 0.0,
        now: 0.0,
        mass: 0.0,
        moment: DVec3::ZERO,
        momentum: DVec3::ZERO,
        angular_momentum: DVec3::ZERO,
        // The default of a matrix is not zero.
        inertia: DMat3::ZERO,
        is_near_fixed: false,
        may_grow: false,
    };

    fn centre(&self) -> DVec3 {
        self.moment / self.mass
    }

    fn velocity(&self) -> DVec3 {
        self.momentum / self.mass
    }

    fn spin(&self) -> DVec3 {
        let spin = self.inertia.inverse() * self.angular_momentum;
        if spin.is_finite() { spin } else { DVec3::ZERO }
    }

    /// The change of the motion that takes the growth of the energy away.
    fn slowing(&self) -> Slowing {
        let spin = self.spin();
        let rigid = 0.5 * (self.momentum.dot(self.velocity()) + self.angular_momentum.dot(spin));
        let free = Slowing {
            centre: self.centre(),
            velocity: self.velocity(),
            spin,
            factor: ((self.before - rigid) / (self.now - rigid)).max(0.0).sqrt(),
        };
        if self.now <= self.before * (1.0 + ROUNDING) || !self.may_grow {
            Slowing {
                factor: 1.0,
                ..free
            }
        } else if self.is_near_fixed && rigid >= self.before {
            Slowing {
                velocity: DVec3::ZERO,
                spin: DVec3::ZERO,
                factor: (self.before / self.now).sqrt(),
                ..free
            }
        } else {
            free
        }
    }
}

/// A rigid motion, and the part of the motion about it that stays.
struct Slowing {
    centre: DVec3,
    velocity: DVec3,
    spin: DVec3,
    factor: f64,
}

/// I·ω of a body, in kg·m²/s.
fn spin_momentum(bodies: &Bodies, i: usize) -> Vec3 {
    bodies.inverse_inertia[i].inverse_mul(bodies.rotation[i], bodies.angular_velocity[i].as_vec3())
}

/// ½·m·v² + ½·ω·I·ω of a body, in J.
fn energy(bodies: &Bodies, i: usize) -> f64 {
    let turning = bodies.angular_velocity[i];
    let turning = turning.dot(spin_momentum(bodies, i).as_dvec3());
    let moving = f64::from(bodies.mass[i]) * bodies.velocity[i].length_squared();
    0.5 * (moving + turning)
}

impl PushEnergyLimit {
    /// Notes the energies before the pushes of the bodies for which `takes_part` holds.
    pub fn note(&mut self, bodies: &Bodies, takes_part: impl Fn(usize) -> bool + Sync) {
        let (count, before) = (bodies.len(), &mut self.before);
        fill_chunks(count, BODIES_PER_TASK, before, None, |i| {
            let counts = bodies.is_active(i) && bodies.responds(i) && takes_part(i);
            let counts = counts && !bodies.is_part(i);
            counts.then(|| energy(bodies, i))
        });
    }

    /// The bodies that are pushed, and the energy of each in J before the pushes.
    fn pushed(before: &[Option<f64>]) -> impl Iterator<Item = (usize, f64)> {
        let each = before.iter().enumerate();
        each.filter_map(|(i, before)| before.map(|before| (i, before)))
    }

    /// Slows groups down whose energy has grown since [`note`](Self::note). Constraints with `errors` hold bodies together too.
    pub fn apply(
        &mut self,
        bodies: &mut Bodies,
        broad_phase: &BroadPhase,
        errors: &[PositionError],
    ) {
        let (count, before) = (bodies.len(), &self.before);
        let now: &Bodies = bodies;
        let change_of = |i: usize| {
            let before = before[i]?;
            Some((before, energy(now, i) - before))
        };
        if !(self.growth).exceeds(ROUNDING, count, BODIES_PER_TASK, change_of) {
            return;
        }
        self.find_groups(bodies, broad_phase, errors);
        for (i, _) in Self::pushed(&self.before) {
            let slowing = self.motions[self.groups.root(i)].slowing();
            if slowing.factor < 1.0 {
                let arm = bodies.position[i] - slowing.centre;
                let rigid = slowing.velocity + slowing.spin.cross(arm);
                let v = rigid + slowing.factor * (bodies.velocity[i] - rigid);
                bodies.velocity[i] = v;
                let w = bodies.angular_velocity[i];
                let w = slowing.spin + slowing.factor * (w - slowing.spin);
                bodies.angular_velocity[i] = w.as_vec3().as_dvec3();
            }
        }
    }

    /// Finds the groups of pushed bodies that are near each other, and their motions.
    fn find_groups(&mut self, bodies: &Bodies, broad_phase: &BroadPhase, errors: &[PositionError]) {
        let Self {
            before,
            groups,
            motions,
            ..
        } = self;
        motions.clear();
        motions.resize(bodies.len(), GroupMotion::NONE);
        groups.reset(bodies.len());
        let takes_part = |i: usize| before[i].is_some();
        let pairs = || {
            broad_phase
                .pairs
                .iter()
                .map(|&(a, b)| (bodies.whole_of(a as usize), bodies.whole_of(b as usize)))
        };
        for (a, b) in pairs().filter(|&(a, b)| takes_part(a) && takes_part(b)) {
            groups.join(a, b);
        }
        for error in errors {
            let of = error.bodies.map(|i| i.map(|i| bodies.whole_of(i)));
            if let [Some(a), Some(b)] = of
                && takes_part(a)
                && takes_part(b)
            {
                groups.join(a, b);
            }
        }
        for error in errors {
            let of = error.bodies.map(|i| i.map(|i| bodies.whole_of(i)));
            for i in of.into_iter().flatten().filter(|&i| takes_part(i)) {
                let motion = &mut motions[groups.root(i)];
                motion.may_grow = true;
                motion.is_near_fixed |= of
                    .iter()
                    .any(|other| !other.is_some_and(|i| bodies.responds(i)));
            }
        }
        for (a, b) in pairs() {
            for (i, other) in [(a, b), (b, a)] {
                if !bodies.responds(other) && takes_part(i) {
                    motions[groups.root(i)].is_near_fixed = true;
                }
            }
        }
        for (i, before) in Self::pushed(before) {
            let motion = &mut motions[groups.root(i)];
            let mass = f64::from(bodies.mass[i]);
            motion.before += before;
            let shape = &bodies.shape[i];
            motion.may_grow |= shape.is_capsule() || shape.is_compound();
            motion.now += energy(bodies, i);
            motion.mass += mass;
            motion.moment += mass * bodies.position[i];
            motion.momentum += mass * bodies.velocity[i];
        }
        for (i, _) in Self::pushed(before) {
            let motion = &mut motions[groups.root(i)];
            let mass = f64::from(bodies.mass[i]);
            let arm = bodies.position[i] - motion.centre();
            let velocity = bodies.velocity[i] - motion.velocity();
            motion.angular_momentum +=
                mass * arm.cross(velocity) + spin_momentum(bodies, i).as_dvec3();
            motion.inertia += inertia_about(arm, mass) + own_inertia(bodies, i);
        }
    }
}

/// m·(|r|²·1 − r⊗r): the inertia tensor of a mass at a point.
fn inertia_about(arm: DVec3, mass: f64) -> DMat3 {
    let outer = DMat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
    (DMat3::IDENTITY * arm.length_squared() - outer) * mass
}

/// The inertia tensor of a body about its own centre.
fn own_inertia(bodies: &Bodies, i: usize) -> DMat3 {
    let column = |axis: Vec3| {
        let inertia = bodies.inverse_inertia[i];
        inertia.inverse_mul(bodies.rotation[i], axis).as_dvec3()
    };
    DMat3::from_cols(column(Vec3::X), column(Vec3::Y), column(Vec3::Z))
}
