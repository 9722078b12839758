//! The rows of the system, and the product with its matrix.

use bevy::prelude::*;
use glam::Vec4;

use super::super::{pose::SolverPose, view::ContactPoint};
use crate::{
    body::Bodies,
    config::GlobalSolver,
    kernel::{Mobility, tangential_velocity},
    parallel::for_each,
};

/// Unknowns, or bodies, that one task works on.
pub(super) const PER_TASK: usize = 1024;

/// Seven numbers of a body, and one that is zero.
type Seven = [Vec4; 2];

/// Each contact has one unknown for its normal impulse and, with friction, two more for the impulses across the normal. All are
/// scaled so that the matrix has ones on its diagonal.
#[derive(Debug, Default)]
pub(super) struct System {
    unknowns: Vec<Unknown>,
    rows: Vec<MatrixRow>,
    /// Index of each body's first entry. Its entries end where those of the next body start.
    starts: Vec<u32>,
    /// Body by body: the unknowns that act on the body, each with the body's half of the row.
    entries: Vec<MatrixEntry>,
    /// Change of the bodies' momenta.
    momenta: Vec<Seven>,
    /// Velocities v before the solution.
    pub velocities: Vec<f32>,
    /// The impulses, and their bounds.
    pub impulses: Vec<f32>,
    pub bounds: Vec<[f32; 2]>,
    softness: f32,
    /// No eigenvalue of the matrix is larger.
    pub largest_eigenvalue: f32,
}

/// A scaled row N for products with N, unknown by unknown.
#[derive(Clone, Copy, Debug)]
struct MatrixRow {
    bodies: [u32; 2],
    sides: [Seven; 2],
}

/// One half of a row, beside the other halves of its body: products with Nᵀ go through memory from end to end.
#[derive(Clone, Copy, Debug, Default)]
struct MatrixEntry {
    side: Seven,
    unknown: u32,
}

/// The direction and the contact point of an impulse.
#[derive(Clone, Copy, Debug)]
struct Unknown {
    direction: Vec3,
    /// Factor from the scaled impulse to the impulse.
    scale: f32,
    point: u32,
    /// Coefficient of friction; zero for a normal impulse.
    friction: f32,
}

fn dot(a: &Seven, b: &Seven) -> f32 {
    (a[0] * b[0] + a[1] * b[1]).element_sum()
}

impl System {
    /// The number of unknowns.
    pub fn len(&self) -> usize {
        self.unknowns.len()
    }

    pub fn has_friction(&self) -> bool {
        self.unknowns.iter().any(|unknown| unknown.friction > 0.0)
    }

    /// Builds the system of the contact `points` of bodies at these `poses`, with their starting impulses.
    pub fn build(
        &mut self,
        bodies: &Bodies,
        config: &GlobalSolver,
        poses: &[SolverPose],
        points: &[(usize, ContactPoint)],
    ) {
        self.unknowns.clear();
        self.rows.clear();
        self.velocities.clear();
        self.impulses.clear();
        self.softness = config.regularisation;
        for (k, (_, contact)) in points.iter().enumerate() {
            let (a, b) = (contact.a as usize, contact.b as usize);
            let n = contact.normal;
            let point = contact.point(poses).point;
            let velocity = bodies.velocity_at(a, point) - bodies.velocity_at(b, point);
            let mut add = |direction: Vec3, friction: f32, velocity: f32, impulse: f32| {
                let side = |i: usize| {
                    mobility(bodies, i).row(direction, point - bodies.position[i].as_vec3())
                };
                let wholes = [a, b].map(|i| bodies.whole_of(i));
                let (side_a, side_b) = (side(wholes[0]), side(wholes[1]).map(|x| -x));
                let ease: f32 = side_a.iter().chain(&side_b).map(|x| x * x).sum();
                if ease > 0.0 {
                    let scale = ease.sqrt().recip();
                    let scaled = |side: [f32; 8]| {
                        let [x, y, z, u, v, w, growth, none] = side.map(|x| x * scale);
                        [
                            Vec4::from_array([x, y, z, u]),
                            Vec4::from_array([v, w, growth, none]),
                        ]
                    };
                    self.rows.push(MatrixRow {
                        bodies: wholes.map(|i| i as u32),
                        sides: [scaled(side_a), scaled(side_b)],
                    });
                    self.unknowns.push(Unknown {
                        direction,
                        scale,
                        point: k as u32,
                        friction,
                    });
                    self.velocities.push(velocity * scale);
                    self.impulses.push(impulse / scale);
                }
            };
            // Overlapping bodies must also part.
            let parting = config.stabilisation * contact.depth.max(0.0) / bodies.h;
            let v_n = n.dot(velocity) + contact.closing_allowed - parting;
            add(n, 0.0, v_n, contact.normal_impulse);
            if contact.friction > 0.0 {
                // The first is along the sliding, so that the sliding friction is limited by exactly μ·N.
                let sliding = bodies.sliding_of_surfaces((a, b), n, velocity);
                let slide = tangential_velocity(sliding, n);
                let (t, s) = slide
                    .try_normalize()
                    .map_or(tangents(n), |t| (t, n.cross(t)));
                for direction in [t, s] {
                    let impulse = contact.friction_impulse.dot(direction);
                    add(direction, contact.friction, sliding.dot(direction), impulse);
                }
            }
        }
        self.index(bodies.len());
        self.bounds.clear();
        self.bounds.resize(self.len(), [0.0, f32::INFINITY]);
        self.bound_eigenvalues();
    }

    /// Lists the entries of each body.
    fn index(&mut self, bodies: usize) {
        self.starts.clear();
        self.starts.resize(bodies + 2, 0);
        for row in &self.rows {
            for body in row.bodies {
                self.starts[body as usize + 2] += 1;
            }
        }
        for i in 0..bodies {
            self.starts[i + 2] += self.starts[i + 1];
        }
        self.entries.clear();
        self.entries
            .resize(2 * self.rows.len(), MatrixEntry::default());
        for (unknown, row) in (0..).zip(&self.rows) {
            for (side, body) in row.sides.into_iter().zip(row.bodies) {
                // The end of the body's entries so far. In the end it is the start of the next body's entries.
                let end = &mut self.starts[body as usize + 1];
                self.entries[*end as usize] = MatrixEntry { side, unknown };
                *end += 1;
            }
        }
        self.momenta.clear();
        self.momenta.resize(bodies, [Vec4::ZERO; 2]);
    }

    /// With T the sum of the squares of all entries of a body, xᵀNNᵀx = Σ over bodies of |Nᵀx|² is at most Σ T·Σx² (Cauchy and
    /// Schwarz), so no eigenvalue is above the largest T_a + T_b of an unknown.
    fn bound_eigenvalues(&mut self) {
        let trace = |i: usize| -> f32 {
            let squares = self.entries_of(i).iter().map(|e| dot(&e.side, &e.side));
            squares.sum()
        };
        let traces: Vec<f32> = (0..self.momenta.len()).map(trace).collect();
        let bounds = self.rows.iter().map(|row| {
            let [a, b] = row.bodies.map(|i| traces[i as usize]);
            a + b
        });
        self.largest_eigenvalue = bounds.fold(1.0, f32::max) + self.softness;
    }

    fn entries_of(&self, i: usize) -> &[MatrixEntry] {
        &self.entries[self.starts[i] as usize..self.starts[i + 1] as usize]
    }

    /// Sets the bounds of friction from the normal impulses.
    pub fn limit_friction(&mut self) {
        let mut normal = 0.0;
        for (k, unknown) in self.unknowns.iter().enumerate() {
            if unknown.friction == 0.0 {
                normal = self.impulses[k] * unknown.scale;
            } else {
                let limit = unknown.friction * normal / unknown.scale;
                self.bounds[k] = [-limit, limit];
            }
        }
    }

    /// (NNᵀ + ε)·`x` into `product`. For each run of unknowns, `each` gets the index of the first one, the run's part of the
    /// product, and one of the `results`.
    pub fn multiply<R: Send>(
        &mut self,
        x: &[f32],
        product: &mut [f32],
        results: &mut [R],
        each: impl Fn(usize, &mut [f32], &mut R) + Sync,
    ) {
        let mut momenta = std::mem::take(&mut self.momenta);
        let system = &*self;
        for_each(
            momenta.chunks_mut(PER_TASK).enumerate(),
            |(chunk, momenta)| {
                for (i, momenta) in (chunk * PER_TASK..).zip(momenta) {
                    let mut sum = [Vec4::ZERO; 2];
                    for MatrixEntry { side, unknown } in system.entries_of(i) {
                        let x = x[*unknown as usize];
                        sum = [sum[0] + side[0] * x, sum[1] + side[1] * x];
                    }
                    *momenta = sum;
                }
            },
        );
        let of = &momenta;
        let chunks = product.chunks_mut(PER_TASK).zip(results).enumerate();
        for_each(chunks, |(chunk, (product, result))| {
            let first = chunk * PER_TASK;
            for (k, product) in (first..).zip(product.iter_mut()) {
                let MatrixRow { bodies, sides } = &system.rows[k];
                let [a, b] = bodies.map(|i| &of[i as usize]);
                *product = dot(&sides[0], a) + dot(&sides[1], b) + system.softness * x[k];
            }
            each(first, product, result);
        });
        self.momenta = momenta;
    }

    /// Gives the contact points their impulses.
    pub fn write_impulses(&self, points: &mut [(usize, ContactPoint)]) {
        for (unknown, impulse) in self.unknowns.iter().zip(&self.impulses) {
            let (_, contact) = &mut points[unknown.point as usize];
            let impulse = impulse * unknown.scale;
            if unknown.friction == 0.0 {
                contact.normal_impulse = impulse;
                contact.friction_impulse = Vec3::ZERO;
            } else {
                contact.friction_impulse += unknown.direction * impulse;
            }
        }
    }
}

fn mobility(bodies: &Bodies, i: usize) -> Mobility {
    Mobility {
        inverse_mass: bodies.inverse_mass[i],
        inverse_inertia: bodies.inverse_inertia[i],
        inverse_growth_inertia: bodies.growth[i].inverse_inertia,
        rotation: bodies.rotation[i],
        axis: bodies.axis[i],
        half_length: bodies.shape[i].core_reach(),
    }
}

/// Two unit vectors across `n` and each other. For a normal in the x–y plane one is in it and one along z, exactly, so that a
/// flat scene stays flat.
fn tangents(n: Vec3) -> (Vec3, Vec3) {
    let helper = if n.z.abs() < 0.7 { Vec3::Z } else { Vec3::X };
    let s = (helper - n * n.dot(helper)).normalize();
    (s.cross(n), s)
}

#[cfg(test)]
mod tests;
