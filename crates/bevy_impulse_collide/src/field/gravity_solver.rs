//! The sum of self-gravity over all bodies, directly or by the tree.

use bevy::tasks::TaskPool;
use glam::{DVec3, Vec3};

use super::{
    balance::balance,
    pull::{LANES, PackedBodies, PointMass, pull},
    self_gravity::{GravityMethod, SelfGravity},
    tree::Tree,
    walk::{Walk, WalkLists},
};
use crate::parallel::for_each_on;

/// Number of lanes of bodies that a direct sum adds in f32. Then it adds the result in f64.
const BLOCK: usize = 64;

/// About this many tasks share the sorted bodies, with at least `LEAST` bodies each. The result depends on neither number.
const TASKS: usize = 64;
const LEAST: usize = 256;

/// Sums [`SelfGravity`] over all bodies. It keeps its memory: a second sum over as many bodies allocates for the tasks only.
///
/// The result has the same bits on any number of threads. The order of each sum depends on the bodies alone.
///
/// ```
/// use bevy::{math::DVec3, tasks::TaskPool};
/// use bevy_impulse_collide::field::{GravitySolver, SelfGravity};
///
/// let (position, mass, radius) = ([DVec3::ZERO, DVec3::X * 2.0], [1.0, 1.0], [0.1, 0.1]);
/// let mut solver = GravitySolver::default();
/// solver.solve(&SelfGravity::default(), &position, &mass, &radius, &TaskPool::new());
/// // G·m/d² with G = 1.
/// assert!((solver.accelerations[0].x - 0.25).abs() < 1e-6);
/// ```
#[derive(Debug, Default)]
pub struct GravitySolver {
    /// The accelerations that [`solve`](Self::solve) found, in m/s², in the order of the bodies. Zero for a body without mass.
    pub accelerations: Vec<DVec3>,
    masses: Vec<PointMass>,
    packed: PackedBodies,
    tree: Tree,
    lists: Vec<WalkLists>,
    found: Vec<[f32; 3]>,
    found_direct: Vec<DVec3>,
}

impl GravitySolver {
    /// Finds the accelerations of bodies with these positions in m, masses in kg and radii in m. A body with a mass of zero
    /// takes no part. The shortest of the three arrays sets the number of bodies.
    pub fn solve(
        &mut self,
        field: &SelfGravity,
        position: &[DVec3],
        mass: &[f32],
        radius: &[f32],
        pool: &TaskPool,
    ) {
        self.accelerations.clear();
        self.accelerations.resize(position.len(), DVec3::ZERO);
        let Some(units) = Units::of(position, mass) else {
            return;
        };
        self.masses.clear();
        for (i, ((x, &m), &r)) in position.iter().zip(mass).zip(radius).enumerate() {
            if m > 0.0 {
                let radius = if field.clamp_at_contact { r } else { 0.0 };
                self.masses.push(PointMass {
                    x: (x / units.length).as_vec3().to_array(),
                    mass: (f64::from(m) / units.mass) as f32,
                    // The sum of the radii bounds the distance from below: two bodies at one point cause no division by zero.
                    radius: ((f64::from(radius) / units.length) as f32).max(1e-12),
                    index: i as u32,
                });
            }
        }
        let softening = (f64::from(field.softening) / units.length) as f32;
        let softening_squared = softening * softening;
        let constant = f64::from(field.constant) * units.mass / (units.length * units.length);
        match field.method {
            GravityMethod::Direct => {
                self.solve_direct(softening_squared, pool);
                for (body, &a) in self.masses.iter().zip(&self.found_direct) {
                    self.accelerations[body.index as usize] = a * constant;
                }
            }
            GravityMethod::Tree { opening_angle } => {
                // NaN becomes zero: all is summed directly.
                let opening_angle = if opening_angle > 0.0 {
                    opening_angle.min(0.9)
                } else {
                    0.0
                };
                self.solve_tree(opening_angle, softening_squared, pool);
                for (body, &a) in self.masses.iter().zip(&self.found) {
                    self.accelerations[body.index as usize] = Vec3::from(a).as_dvec3() * constant;
                }
            }
        }
        let bodies = mass.iter().zip(position);
        balance(
            bodies.map(|(&m, x)| (f64::from(m), *x)),
            &mut self.accelerations,
        );
    }

    fn solve_direct(&mut self, softening_squared: f32, pool: &TaskPool) {
        self.packed.fill(&self.masses);
        self.found_direct.clear();
        self.found_direct.resize(self.masses.len(), DVec3::ZERO);
        let lanes = self.masses.len().div_ceil(LANES);
        let (packed, share) = (&self.packed, share(self.masses.len()));
        let tasks = self.found_direct.chunks_mut(share).enumerate();
        for_each_on(pool, tasks, |(task, found)| {
            let first = task * share;
            for start in (0..lanes).step_by(BLOCK) {
                let block = start..lanes.min(start + BLOCK);
                let targets = first..first + found.len();
                pull(packed, &[block], targets, softening_squared, |i, a| {
                    found[i - first] += DVec3::from(a.map(f64::from));
                });
            }
        });
    }

    fn solve_tree(&mut self, opening_angle: f32, softening_squared: f32, pool: &TaskPool) {
        self.tree.build(&mut self.masses, pool);
        self.packed.fill(&self.masses);
        self.found.resize(self.masses.len(), [0.0; 3]);
        self.lists.resize_with(TASKS, WalkLists::default);
        let walk = Walk {
            tree: &self.tree,
            bodies: &self.packed,
            opening_angle,
            softening_squared,
        };
        let share = share(self.masses.len());
        let tasks = self.found.chunks_mut(share).zip(&mut self.lists);
        for_each_on(pool, tasks.enumerate(), |(task, (found, lists))| {
            let first = task * share;
            walk.run(first..first + found.len(), lists, found);
        });
    }
}

/// Number of bodies of a task.
fn share(bodies: usize) -> usize {
    bodies.div_ceil(TASKS).next_multiple_of(LANES).max(LEAST)
}

/// The units of the scene. In them, the length and the mass of the scene are about one. So the powers of distances stay within
/// f32, for atoms and for galaxies. Units are powers of two, so no digit is lost.
struct Units {
    /// Length in m.
    length: f64,
    /// Mass in kg.
    mass: f64,
}

impl Units {
    /// `None` if no body has mass.
    fn of(position: &[DVec3], mass: &[f32]) -> Option<Self> {
        let (mut min, mut max, mut total) = (DVec3::INFINITY, DVec3::NEG_INFINITY, 0.0);
        for (&x, &m) in position.iter().zip(mass).filter(|(_, m)| **m > 0.0) {
            min = min.min(x);
            max = max.max(x);
            total += f64::from(m);
        }
        let extent = (max - min).max_element();
        // The least power of two that is not below x: x = m·2ᵉ with m from ½ to 1.
        let unit = |x: f64| match libm::frexp(x) {
            _ if x <= 0.0 => 1.0,
            (0.5, e) => libm::ldexp(0.5, e),
            (_, e) => libm::ldexp(1.0, e),
        };
        (total > 0.0).then(|| Self {
            length: unit(extent),
            mass: unit(total),
        })
    }
}
