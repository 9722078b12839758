//! Laws of the contacts with surfaces.

use std::f32::consts::TAU;

use approx::assert_relative_eq;
use glam::{DVec3, Vec2, Vec3};
use proptest::prelude::*;

use super::{Builder, Core, Geometry, MeshSides, Part, part::Nearest};
use crate::components::Collider;

fn vector(size: f32) -> impl Strategy<Value = Vec3> {
    let axis = move || -size..size;
    (axis(), axis(), axis()).prop_map(Vec3::from)
}

fn core(x: Vec3, half: Vec3, radius: f32) -> Core {
    Core {
        x: x.as_dvec3(),
        half,
        radius,
    }
}

fn mesh(vertices: &[Vec3], triangles: &[[u32; 3]], sides: MeshSides) -> Geometry {
    let mut builder = Builder::default();
    builder.mesh(vertices.iter().copied(), triangles.iter().copied(), sides);
    builder.build().0.expect("the data is sound")
}

/// A level floor of 2 m × 2 m, whose vertices are shifted along it at random.
fn floor(shifts: &[f32]) -> Geometry {
    const N: u32 = 9;
    let step = 2.0 / (N - 1) as f32;
    let vertices: Vec<Vec3> = (0..N * N)
        .map(|k| {
            let shift = |n: usize| 0.2 * step * shifts[(k as usize * 2 + n) % shifts.len()];
            let (x, z) = ((k % N) as f32 * step, (k / N) as f32 * step);
            Vec3::new(x - 1.0 + shift(0), 0.0, z - 1.0 + shift(1))
        })
        .collect();
    let triangles: Vec<_> = super::grid_triangles(N, N).collect();
    mesh(&vertices, &triangles, MeshSides::One)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// A ball outside a box has one contact, at its distance from the box.
    #[test]
    fn ball_by_a_box(x in vector(1.0), half in vector(0.5), radius in 0.05..1.0f32) {
        let half = half.abs() + 0.1;
        let collider = Collider::cuboid(2.0 * half.x, 2.0 * half.y, 2.0 * half.z);
        let way = x - x.clamp(-half, half);
        prop_assume!(way.length() > 1e-3);
        let geometry = collider.geometry().expect("a box is sound");
        let contacts = geometry.contacts(&core(x, Vec3::ZERO, radius), 2.0);
        prop_assert_eq!(contacts.len(), 1);
        assert_relative_eq!(contacts[0].depth(), radius - way.length(), epsilon = 1e-5);
        prop_assert!(contacts[0].normal.distance(way.normalize()) < 1e-3);
    }

    /// A ball whose centre is in a box is pushed out through the nearest face.
    #[test]
    fn ball_in_a_box(x in vector(1.0), half in vector(0.5)) {
        let half = half.abs() + 0.1;
        let x = x * half;
        let collider = Collider::cuboid(2.0 * half.x, 2.0 * half.y, 2.0 * half.z);
        let geometry = collider.geometry().expect("a box is sound");
        let depths = half - x.abs();
        let nearest = depths.min_element();
        let contacts = geometry.contacts(&core(x, Vec3::ZERO, 0.6), 0.0);
        prop_assert_eq!(contacts.len(), 1);
        assert_relative_eq!(contacts[0].depth(), 0.6 + nearest, epsilon = 1e-5);
        let axis = depths.min_position();
        prop_assert!((contacts[0].normal[axis].abs() - 1.0).abs() < 1e-5);
    }

    /// A level floor of many triangles is one plane, for a ball and for a capsule.
    #[test]
    fn a_flat_mesh_is_a_plane(
        shifts in prop::collection::vec(-1.0..1.0f32, 40),
        (x, z) in (-0.4..0.4f32, -0.4..0.4f32),
        depth in -0.01..0.02f32,
        yaw in 0.0..6.3f32,
        length in prop::sample::select(vec![0.0, 0.05, 0.3]),
    ) {
        let geometry = floor(&shifts);
        let half = Vec3::new(yaw.cos(), 0.0, yaw.sin()) * length;
        let contacts = geometry.contacts(&core(Vec3::new(x, 0.1 - depth, z), half, 0.1), 0.011);
        prop_assert_eq!(contacts.len(), 1, "{:?}", contacts);
        prop_assert_eq!(contacts[0].normal, Vec3::Y);
        let points = &contacts[0].points;
        prop_assert_eq!(points.len(), if length > 0.0 { 2 } else { 1 });
        for point in points {
            assert_relative_eq!(point.depth, depth, epsilon = 1e-6);
            prop_assert_eq!(point.t.abs(), if length > 0.0 { 1.0 } else { 0.0 });
        }
    }

    /// The deepest contact of a capsule with a triangle has the distance of the segment from the triangle.
    #[test]
    fn capsule_by_a_triangle(
        corners in [vector(1.0), vector(1.0), vector(1.0)],
        x in vector(1.0),
        half in vector(0.7),
    ) {
        let [a, b, c] = corners;
        prop_assume!((b - a).cross(c - a).length() > 0.1);
        let geometry = mesh(&corners, &[[0, 1, 2]], MeshSides::Two);
        let mut least = f32::INFINITY;
        for k in 0..=4000 {
            let p = x + half * (k as f32 / 2000.0 - 1.0);
            let [p, b, c] = [p - a, b - a, c - a].map(|x| x.as_dvec3());
            let (q, _) = super::triangle::closest_on_triangle(p, b, c);
            least = least.min(q.distance(p) as f32);
        }
        prop_assume!(least > 0.02);
        let contacts = geometry.contacts(&core(x, half, 0.1), 5.0);
        let depth = contacts[0].depth();
        prop_assert!(0.1 - depth <= least + 1e-5, "{} {least}", 0.1 - depth);
        prop_assert!(0.1 - depth >= least - 5e-4, "{} {least}", 0.1 - depth);
    }

    /// On a sheet with two sides, a ball has the same contact from both.
    #[test]
    fn a_sheet_has_two_sides(x in vector(0.5), radius in 0.05..0.5f32) {
        let corners = [Vec3::new(-1.0, 0.0, -1.0), Vec3::new(1.0, 0.0, -1.0), Vec3::new(0.0, 0.0, 1.0)];
        let geometry = mesh(&corners, &[[0, 1, 2]], MeshSides::Two);
        let above = geometry.contacts(&core(x, Vec3::ZERO, radius), 1.0);
        let below = geometry.contacts(&core(x * Vec3::new(1.0, -1.0, 1.0), Vec3::ZERO, radius), 1.0);
        prop_assert_eq!(above.len(), 1);
        prop_assert_eq!(below.len(), 1);
        prop_assert_eq!(above[0].depth(), below[0].depth());
    }
}

/// A ball in the corner of a room of one mesh touches its three faces.
#[test]
fn a_corner_has_three_contacts() {
    let room = Collider::cuboid(2.0, 2.0, 2.0);
    let room = room.geometry().expect("a box is sound");
    // Seen from inside.
    let triangles: Vec<_> = room
        .triangles()
        .iter()
        .map(|&[a, b, c]| [a, c, b])
        .collect();
    let room = mesh(room.vertices(), &triangles, MeshSides::One);
    let contacts = room.contacts(&core(Vec3::splat(0.901), Vec3::ZERO, 0.1), 0.01);
    assert_eq!(contacts.len(), 3);
    for contact in contacts {
        assert_relative_eq!(contact.depth(), 0.001, epsilon = 1e-6);
        assert_relative_eq!(contact.normal.min_element(), -1.0, epsilon = 1e-6);
    }
}

#[test]
fn a_height_field_is_a_mesh_with_its_front_up() {
    let heights = [0.0; 12];
    let field = Collider::height_field(&heights, 4, Vec2::new(3.0, 2.0));
    let geometry = field.geometry().expect("the heights are sound");
    assert_eq!(geometry.triangles().len(), 12);
    assert_eq!(
        geometry.bounds(),
        (Vec3::new(-1.5, 0.0, -1.0), Vec3::new(1.5, 0.0, 1.0))
    );
    let above = geometry.contacts(&core(Vec3::new(0.2, 0.05, 0.1), Vec3::ZERO, 0.1), 0.0);
    assert_eq!(above[0].normal, Vec3::Y);
}

/// A cylinder or a cone as a mesh with many sides.
fn faceted(radius: f32, half: f32, is_cone: bool) -> Geometry {
    const SIDES: u32 = 512;
    let on = |k: u32, r: f32, y: f32| {
        let angle = std::f32::consts::TAU * k as f32 / SIDES as f32;
        Vec3::new(r * angle.cos(), y, r * angle.sin())
    };
    let top = if is_cone { 0.0 } else { radius };
    let ring = (0..SIDES).flat_map(|k| [on(k, radius, -half), on(k, top, half)]);
    let vertices: Vec<Vec3> = ring.chain([Vec3::NEG_Y * half, Vec3::Y * half]).collect();
    let triangles: Vec<[u32; 3]> = (0..SIDES)
        .flat_map(|k| {
            let next = (k + 1) % SIDES;
            let (a, b, c, d) = (2 * k, 2 * k + 1, 2 * next, 2 * next + 1);
            let (bottom, top) = (2 * SIDES, 2 * SIDES + 1);
            [[a, b, c], [b, d, c], [bottom, a, c], [top, d, b]]
        })
        .collect();
    mesh(&vertices, &triangles, MeshSides::Solid)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// A cylinder, or a cone, has the contact of a mesh with many sides.
    #[test]
    fn solids_are_round(
        x in vector(1.0),
        half in vector(0.4),
        is_ball in any::<bool>(),
        is_cone in any::<bool>(),
        (radius, height) in (0.2..0.6f32, 0.2..0.6f32),
    ) {
        let solid = match is_cone {
            true => Collider::cone(radius, 2.0 * height),
            false => Collider::cylinder(radius, 2.0 * height),
        };
        let solid = solid.geometry().expect("the measures are sound");
        let many = faceted(radius, height, is_cone);
        let core = core(x, if is_ball { Vec3::ZERO } else { half }, 0.1);
        let [found, expected] = [solid, &many].map(|surface| surface.contacts(&core, 3.0));
        let distance = 0.1 - expected[0].depth();
        prop_assume!(distance > 0.02);
        assert_relative_eq!(found[0].depth(), expected[0].depth(), epsilon = 2e-4);
    }
}

/// A cone of this slope that is open at its tip, with few and long triangles; with a slope of 0 they are flat.
fn curved_cone(columns: u32, slope: f32) -> Geometry {
    let point = |k: u32, r: f32| {
        let (sin, cos) = (TAU * (k % columns) as f32 / columns as f32).sin_cos();
        let (x, n) = (
            Vec3::new(r * cos, slope * r, -r * sin),
            Vec3::new(-slope * cos, 1.0, slope * sin),
        );
        (x, n.normalize())
    };
    let vertices = (0..=columns).flat_map(|k| [point(k, 1.0), point(k, 0.06)]);
    let triangles = (0..columns).flat_map(|k| {
        let a = 2 * k;
        [[a, a + 2, a + 1], [a + 1, a + 2, a + 3]]
    });
    let collider = Collider::smooth_trimesh(vertices, triangles, MeshSides::One);
    collider.geometry().cloned().unwrap()
}

proptest! {
    /// On a clear way, no part gives a contact.
    #[test]
    fn a_clear_way_has_no_contact(
        columns in 5..64u32,
        slope in prop_oneof![Just(0.0f32), 0.0..1.0f32],
        angle in 0.0..TAU,
        r in 0.05..1.0f32,
        height in -0.05..0.05f32,
        half in prop_oneof![Just(Vec3::ZERO), vector(0.03)],
        ahead in vector(1.0),
    ) {
        let geometry = curved_cone(columns, slope);
        let x = Vec3::new(r * angle.cos(), slope * r + height, r * angle.sin());
        let core = core(x, half, 0.02);
        let most = 0.022;
        // A metre above the whole surface, the way is nearly a metre.
        let high = Core { x: DVec3::new(x.x.into(), 2.0, x.z.into()), ..core };
        let is_curved = slope > 0.0;
        prop_assert!(!is_curved || geometry.glance(Part::Triangle(0), &high, most).unwrap().clear_way > 0.8);
        for k in 0..geometry.triangles().len() {
            let part = Part::Triangle(k);
            let Some(glance) = geometry.glance(part, &core, most) else {
                continue;
            };
            let after = |length: f32| {
                let x = core.x + (ahead.normalize_or_zero() * length).as_dvec3();
                geometry.nearest_points(part, &Core { x, ..core }, most)
            };
            for length in [0.0, 0.999 * glance.clear_way] {
                let contacts = after(length);
                let counts = contacts.iter().any(|nearest| !nearest.is_ghost(&geometry));
                prop_assert!(glance.clear_way <= 0.0 || !counts, "triangle {k} after {length} m: {contacts:?}");
            }
            for length in [0.0, 0.999 * glance.way_behind] {
                let contacts = after(length);
                let is_behind = contacts.iter().all(Nearest::is_behind);
                prop_assert!(glance.way_behind <= 0.0 || is_behind, "triangle {k} after {length} m: {contacts:?}");
            }
            for nearest in after(0.0) {
                prop_assert!(nearest.distance.abs() >= glance.least_distance - 1e-6, "triangle {k}: {nearest:?}");
            }
        }
    }
}
