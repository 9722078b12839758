//! The rows of the system, and the product with its matrix.

use bevy::prelude::*;
use glam::Vec4;

use super::super::{general::tangents, row::Rows};
use crate::{
    body::Bodies,
    config::GlobalSolver,
    kernel::{Mobility, tangential_velocity},
    parallel::for_each,
    shape::Shape,
};

/// Unknowns, or bodies, that one task works on.
pub(super) const PER_TASK: usize = 1024;

/// Seven numbers of a body, and one that is zero.
type Seven = [Vec4; 2];

/// Of each contact one unknown for its normal impulse, and with friction two more, for those across the normal. All are scaled so
/// that the matrix has ones on its diagonal.
#[derive(Debug, Default)]
pub(super) struct System {
    unknowns: Vec<Unknown>,
    rows: Vec<Row>,
    /// Where the first of a body's entries is; one more than there are bodies.
    starts: Vec<u32>,
    /// Body by body: the unknowns, and its halves of their rows.
    entries: Vec<Entry>,
    /// Change of the bodies' momenta.
    momenta: Vec<Seven>,
    /// Velocities v before the solution.
    pub velocities: Vec<f32>,
    /// The impulses, and between which bounds they may be.
    pub impulses: Vec<f32>,
    pub bounds: Vec<[f32; 2]>,
    softness: f32,
    /// No eigenvalue of the matrix is larger.
    pub largest_eigenvalue: f32,
}

/// A scaled row N: what products read of it, unknown by unknown.
#[derive(Clone, Copy, Debug)]
struct Row {
    bodies: [u32; 2],
    sides: [Seven; 2],
}

/// One half of a row, beside the other ones of its body: products with Nᵀ go through memory from end to end.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    side: Seven,
    unknown: u32,
}

/// Where an impulse comes from and goes to.
#[derive(Clone, Copy, Debug)]
struct Unknown {
    direction: Vec3,
    /// What the scaled impulse is to be multiplied by.
    scale: f32,
    row: u32,
    /// Coefficient of friction; zero for a normal impulse.
    friction: f32,
}

fn dot(a: &Seven, b: &Seven) -> f32 {
    (a[0] * b[0] + a[1] * b[1]).element_sum()
}

impl System {
    /// How many unknowns there are.
    pub fn len(&self) -> usize {
        self.unknowns.len()
    }

    pub fn has_friction(&self) -> bool {
        self.unknowns.iter().any(|unknown| unknown.friction > 0.0)
    }

    /// Takes in the `rows`, with the impulses that they come with.
    pub fn build(&mut self, bodies: &Bodies, config: &GlobalSolver, rows: &Rows) {
        self.unknowns.clear();
        self.rows.clear();
        self.velocities.clear();
        self.impulses.clear();
        self.softness = config.regularisation;
        for (k, row) in rows.rows.iter().enumerate() {
            let (a, b) = (row.a as usize, row.b as usize);
            if bodies.is_at_rest(a) && bodies.is_at_rest(b) {
                continue;
            }
            let n = row.point.normal;
            let velocity = bodies.point_velocity(a, row.point.point - bodies.position[a])
                - bodies.point_velocity(b, row.point.point - bodies.position[b]);
            let mut add = |direction: Vec3, friction: f32, velocity: f32, impulse: f32| {
                let side = |i: usize| {
                    mobility(bodies, i).row(direction, row.point.point - bodies.position[i])
                };
                let (side_a, side_b) = (side(a), side(b).map(|x| -x));
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
                    self.rows.push(Row {
                        bodies: [row.a, row.b],
                        sides: [scaled(side_a), scaled(side_b)],
                    });
                    self.unknowns.push(Unknown {
                        direction,
                        scale,
                        row: k as u32,
                        friction,
                    });
                    self.velocities.push(velocity * scale);
                    self.impulses.push(impulse / scale);
                }
            };
            // What overlaps parts as well.
            let parting = config.stabilisation * row.point.depth.max(0.0) / bodies.h;
            let v_n = n.dot(velocity) + row.closing_allowed - parting;
            add(n, 0.0, v_n, row.normal_impulse);
            if row.friction > 0.0 {
                // The first along the sliding, which then is limited by just μ·N.
                let slide = tangential_velocity(velocity, n);
                let (t, s) = slide
                    .try_normalize()
                    .map_or(tangents(n), |t| (t, n.cross(t)));
                for direction in [t, s] {
                    let impulse = row.friction_impulse.dot(direction);
                    add(direction, row.friction, velocity.dot(direction), impulse);
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
        self.entries.resize(2 * self.rows.len(), Entry::default());
        for (unknown, row) in (0..).zip(&self.rows) {
            for (side, body) in row.sides.into_iter().zip(row.bodies) {
                // This is the body's end so far; it becomes the next one's start.
                let end = &mut self.starts[body as usize + 1];
                self.entries[*end as usize] = Entry { side, unknown };
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

    fn entries_of(&self, i: usize) -> &[Entry] {
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

    /// (NNᵀ + ε)·`x` into `product`. `each` gets the first number of each run of unknowns, its part of the product, and one
    /// of the `results`.
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
                    for Entry { side, unknown } in system.entries_of(i) {
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
                let Row { bodies, sides } = &system.rows[k];
                let [a, b] = bodies.map(|i| &of[i as usize]);
                *product = dot(&sides[0], a) + dot(&sides[1], b) + system.softness * x[k];
            }
            each(first, product, result);
        });
        self.momenta = momenta;
    }

    /// Gives the rows their impulses.
    pub fn write_impulses(&self, rows: &mut Rows) {
        for (unknown, impulse) in self.unknowns.iter().zip(&self.impulses) {
            let (row, impulse) = (
                &mut rows.rows[unknown.row as usize],
                impulse * unknown.scale,
            );
            if unknown.friction == 0.0 {
                row.normal_impulse = impulse;
                row.friction_impulse = Vec3::ZERO;
            } else {
                row.friction_impulse += unknown.direction * impulse;
            }
        }
    }
}

fn mobility(bodies: &Bodies, i: usize) -> Mobility {
    Mobility {
        inverse_mass: bodies.inverse_mass[i],
        inverse_inertia: bodies.inverse_inertia[i],
        inverse_growth_inertia: bodies.growth[i].inverse_inertia,
        axis: bodies.axis[i],
        half_length: match bodies.shape[i] {
            Shape::Capsule { half_length, .. } => half_length,
            _ => 0.0,
        },
    }
}

#[cfg(test)]
mod tests {
    use glam::{DMat3, DVec3};
    use proptest::prelude::*;

    use super::*;
    use crate::{body::Growing, config::CollisionConfig};

    const CELLS: usize = 4;

    /// Mass, radius, length over all, G, place, and rotation.
    type Cell = (f32, f32, f32, f32, Vec3, Quat);

    fn cell() -> impl Strategy<Value = Cell> {
        let number = || -1.0..1.0f32;
        let place = (number(), number(), number()).prop_map(Vec3::from);
        let turn = (number(), number(), number()).prop_map(Vec3::from);
        let rotation = turn.prop_map(|turn| Quat::from_scaled_axis(3.0 * turn));
        (
            0.5..4.0f32,
            0.4..0.6f32,
            1.5..3.0f32,
            0.1..2.0f32,
            place,
            rotation,
        )
    }

    /// Rods that lie across each other.
    fn bodies(cells: &[Cell]) -> Bodies {
        let mut bodies = Bodies {
            h: 0.01,
            ..default()
        };
        bodies.resize(cells.len());
        for (i, &(mass, radius, over_all, growth_inertia, place, rotation)) in
            cells.iter().enumerate()
        {
            bodies.position[i] = place;
            bodies.launch_position[i] = place;
            bodies.rotation[i] = rotation;
            bodies.axis[i] = rotation * Vec3::Y;
            bodies.has_rod_inertia[i] = true;
            bodies.growth[i] = Growing {
                inverse_inertia: growth_inertia.recip(),
                ..Growing::NONE
            };
            let half_length = 0.5 * over_all - radius;
            bodies.columns().set_capsule(i, radius, half_length, mass);
        }
        bodies
    }

    /// A cell's part nᵀM of a row of the least-squares matrix, written out: seven numbers.
    fn written_out(cell: &Cell, n: DVec3, arm: DVec3) -> [f64; 7] {
        let &(mass, radius, over_all, growth_inertia, _, rotation) = cell;
        let (m, r, l) = (f64::from(mass), f64::from(radius), f64::from(over_all));
        // The main axis is the first of the local frame.
        let axis = (rotation * Vec3::Y).as_dvec3();
        let (second, third) = axis.any_orthonormal_pair();
        let to_world = DMat3::from_cols(axis, second, third);
        let across = 12.0 / m / (3.0 * r * r + l * l);
        let local = DMat3::from_diagonal(DVec3::new(12.0 / m / (6.0 * r * r), across, across));
        let inverse_inertia = to_world * local * to_world.transpose();
        let angular = inverse_inertia * arm.cross(n);
        let half_length = 0.5 * l - r;
        let along = (axis.dot(arm)).clamp(-half_length, half_length);
        let growth = axis.dot(n) * along / (2.0 * half_length * f64::from(growth_inertia));
        let linear = n / m;
        [
            linear.x, linear.y, linear.z, angular.x, angular.y, angular.z, growth,
        ]
    }

    proptest! {
        /// W^(1/2)·NᵀN·W^(1/2) is the matrix MᵀM, whose 7×7 blocks are Σ M_kiᵀ·M_kj over the contacts k of the cells i and j.
        #[test]
        fn products_are_those_with_the_blocks_written_out(
            cells in prop::collection::vec(cell(), CELLS),
            momenta in prop::collection::vec(prop::array::uniform7(-1.0..1.0f32), CELLS),
        ) {
            let bodies = bodies(&cells);
            let config = CollisionConfig::default();
            let mut rows = Rows::default();
            for a in 0..CELLS {
                for b in a + 1..CELLS {
                    rows.add_pair(&bodies, &config, a, b, true);
                }
            }
            rows.rows.iter_mut().for_each(|row| row.friction = 0.0);
            let mut system = System::default();
            let solver = GlobalSolver { regularisation: 0.0, ..default() };
            system.build(&bodies, &solver, &rows);

            let weigh = |i: usize, p: [f32; 7]| {
                let mobility = mobility(&bodies, i);
                let [x, y, z, u, v, w, g] = p;
                let linear = Vec3::new(x, y, z) * mobility.inverse_mass.sqrt();
                let root = mobility.inverse_inertia.square_root();
                let angular = root.mul(mobility.axis, Vec3::new(u, v, w));
                let growth = g * mobility.inverse_growth_inertia.sqrt();
                [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z, growth]
            };
            let q: Vec<Seven> = (0..CELLS)
                .map(|i| {
                    let [x, y, z, u, v, w, g] = weigh(i, momenta[i]);
                    [Vec4::from_array([x, y, z, u]), Vec4::from_array([v, w, g, 0.0])]
                })
                .collect();
            // N·q, each row with its scale, which Nᵀ has too.
            let x: Vec<f32> = system
                .rows
                .iter()
                .map(|row| {
                    let [a, b] = row.bodies.map(|i| &q[i as usize]);
                    dot(&row.sides[0], a) + dot(&row.sides[1], b)
                })
                .collect();
            let mut product = vec![0.0; x.len()];
            system.multiply(&x, &mut product, &mut [()], |_, _, _| ());

            let mut expected = vec![[0.0f64; 7]; CELLS];
            for (unknown, halves) in system.unknowns.iter().zip(&system.rows) {
                let row = &rows.rows[unknown.row as usize];
                let point = row.point.point.as_dvec3();
                let n = row.point.normal.as_dvec3();
                let [a, b] = halves.bodies.map(|i| i as usize);
                let part = |i: usize, sign: f64| {
                    let arm = point - bodies.position[i].as_dvec3();
                    written_out(&cells[i], n, arm).map(|x| x * sign * f64::from(unknown.scale))
                };
                let parts = [(a, part(a, 1.0)), (b, part(b, -1.0))];
                for (i, row_part) in &parts {
                    for (j, column_part) in &parts {
                        for (k, sum) in expected[*i].iter_mut().enumerate() {
                            for (l, p) in momenta[*j].iter().enumerate() {
                                *sum += row_part[k] * column_part[l] * f64::from(*p);
                            }
                        }
                    }
                }
            }
            for i in 0..CELLS {
                let [[x, y, z, u], [v, w, g, _]] = system.momenta[i].map(|four| four.to_array());
                let found = weigh(i, [x, y, z, u, v, w, g]);
                for (found, expected) in found.iter().zip(expected[i]) {
                    prop_assert!(
                        (f64::from(*found) - expected).abs() < 1e-4 * (1.0 + expected.abs()),
                        "{found} is not {expected}"
                    );
                }
            }
        }
    }
}
