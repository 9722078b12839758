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

/// A direct sum goes over to f64 after so many lanes of bodies.
const BLOCK: usize = 64;

/// The sorted bodies are shared out to about so many tasks, of at least `LEAST` bodies each. The result depends on neither.
const TASKS: usize = 64;
const LEAST: usize = 256;

/// Sums [`SelfGravity`] over all bodies. Keeps its scratch space: a second sum over as many bodies needs no new memory but
/// for the tasks.
///
/// The result has the same bits on any number of threads: what a body gets is summed in an order that depends on the bodies
/// alone.
#[derive(Debug, Default)]
pub struct GravitySolver {
    /// What [`solve`](Self::solve) found, in m/s², in the order of the bodies; zero for those without mass.
    pub accelerations: Vec<DVec3>,
    masses: Vec<PointMass>,
    packed: PackedBodies,
    tree: Tree,
    lists: Vec<WalkLists>,
    found: Vec<[f32; 3]>,
    found_direct: Vec<DVec3>,
}

impl GravitySolver {
    /// Finds the accelerations of bodies with these positions in m, masses in kg and radii in m. Bodies with a mass of zero
    /// have no part in it. Only as many bodies count as all three arrays tell of.
    pub fn solve(
        &mut self,
        field: &SelfGravity,
        position: &[Vec3],
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
                    x: (x.as_dvec3() / units.length).as_vec3().to_array(),
                    mass: (f64::from(m) / units.mass) as f32,
                    // Bodies at one place are a distance apart that can be divided by.
                    radius: ((f64::from(radius) / units.length) as f32).max(1e-12),
                    index: i as u32,
                });
            }
        }
        let softening = (f64::from(field.softening) / units.length) as f32;
        let softening_squared = softening * softening;
        let constant = f64::from(field.constant) * units.mass / units.length.powi(2);
        match field.method {
            GravityMethod::Direct => {
                self.solve_direct(softening_squared, pool);
                for (body, &a) in self.masses.iter().zip(&self.found_direct) {
                    self.accelerations[body.index as usize] = a * constant;
                }
            }
            GravityMethod::Tree { opening_angle } => {
                // Nothing is near enough for NaN: all is summed directly.
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
            bodies.map(|(&m, x)| (f64::from(m), x.as_dvec3())),
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

/// How many bodies a task gets.
fn share(bodies: usize) -> usize {
    bodies.div_ceil(TASKS).next_multiple_of(LANES).max(LEAST)
}

/// The scene's own units, powers of two so that no digit is lost: in them, the scene is about one long and one heavy, and
/// the powers of distances stay within f32 for atoms and galaxies alike.
struct Units {
    /// In m.
    length: f64,
    /// In kg.
    mass: f64,
}

impl Units {
    /// `None` if nothing has mass.
    fn of(position: &[Vec3], mass: &[f32]) -> Option<Self> {
        let (mut min, mut max, mut total) = (Vec3::INFINITY, Vec3::NEG_INFINITY, 0.0);
        for (&x, &m) in position.iter().zip(mass).filter(|(_, m)| **m > 0.0) {
            min = min.min(x);
            max = max.max(x);
            total += f64::from(m);
        }
        let extent = (max.as_dvec3() - min.as_dvec3()).max_element();
        let unit = |x: f64| if x > 0.0 { x.log2().ceil().exp2() } else { 1.0 };
        (total > 0.0).then(|| Self {
            length: unit(extent),
            mass: unit(total),
        })
    }
}
