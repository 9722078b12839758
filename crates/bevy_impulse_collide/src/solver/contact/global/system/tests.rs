//! The rows of the global system against its definition.

use glam::{DMat3, DVec3};
use proptest::prelude::*;

use super::*;
use crate::solver::impact::Unresolved;
use crate::{
    body::{BodyFlags, Growing},
    collision::{ManifoldPoint, manifold},
    solver::contact::handle::{LaneIndex, Store},
};

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
    for (i, &(mass, radius, over_all, growth_inertia, place, rotation)) in cells.iter().enumerate()
    {
        bodies.position[i] = place.as_dvec3();

        bodies.rotation[i] = rotation;
        bodies.axis[i] = rotation * Vec3::Y;
        bodies.flags[i].insert(BodyFlags::ROD_INERTIA);
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
    // The main axis is the first axis of the local frame.
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

/// A contact point without friction.
fn contact(bodies: &Bodies, a: usize, b: usize, point: &ManifoldPoint) -> ContactPoint {
    ContactPoint {
        pair: 0,
        feature: 0,
        at: LaneIndex {
            store: Store::Points,
            group: 0,
            lane: 0,
        },
        a: a as u32,
        b: b as u32,
        slots: (1, 2),
        normal: point.normal,
        arm_a: point.point - bodies.position[a].as_vec3(),
        depth: point.depth,
        closing_allowed: 0.0,
        friction: 0.0,
        normal_impulse: 0.0,
        friction_impulse: Vec3::ZERO,
        couple: Vec3::ZERO,
    }
}

proptest! {
    /// W^(1/2)·NᵀN·W^(1/2) is the matrix MᵀM, whose 7×7 blocks are Σ M_kiᵀ·M_kj over the contacts k of the cells i and j.
    #[test]
    fn products_are_those_with_the_blocks_written_out(
        cells in prop::collection::vec(cell(), CELLS),
        momenta in prop::collection::vec(prop::array::uniform7(-1.0..1.0f32), CELLS),
    ) {
        let bodies = bodies(&cells);
        let poses: Vec<_> = (0..CELLS).map(|i| SolverPose::of(&bodies, i, Unresolved::ToContacts)).collect();
        let mut points = Vec::new();
        for a in 0..CELLS {
            for b in a + 1..CELLS {
                for point in &manifold(&bodies.placed(a), &bodies.placed(b), f32::INFINITY) {
                    points.push((0, contact(&bodies, a, b, point)));
                }
            }
        }
        let mut system = System::default();
        let solver = GlobalSolver { regularisation: 0.0, ..default() };
        system.build(&bodies, &solver, &poses, &points);

        let weigh = |i: usize, p: [f32; 7]| {
            let mobility = mobility(&bodies, i);
            let [x, y, z, u, v, w, g] = p;
            let linear = Vec3::new(x, y, z) * mobility.inverse_mass.sqrt();
            let root = mobility.inverse_inertia.square_root();
            let angular = root.mul(mobility.rotation, Vec3::new(u, v, w));
            let growth = g * mobility.inverse_growth_inertia.sqrt();
            [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z, growth]
        };
        let q: Vec<Seven> = (0..CELLS)
            .map(|i| {
                let [x, y, z, u, v, w, g] = weigh(i, momenta[i]);
                [Vec4::from_array([x, y, z, u]), Vec4::from_array([v, w, g, 0.0])]
            })
            .collect();
        // N·q. The rows of N are scaled, and so are the columns of Nᵀ.
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
            let (_, contact) = &points[unknown.point as usize];
            let point = contact.point(&poses).point.as_dvec3();
            let n = contact.normal.as_dvec3();
            let [a, b] = halves.bodies.map(|i| i as usize);
            let part = |i: usize, sign: f64| {
                let arm = point - bodies.position[i];
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
