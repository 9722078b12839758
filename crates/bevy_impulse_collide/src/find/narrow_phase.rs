//! Where two shapes touch, or are nearest: the contact set of a pair.

use glam::Vec3;
use smallvec::{SmallVec, smallvec};

use crate::{
    bodies::Shape,
    kernel::{closest_on_segment, closest_segment_points, overlap_pair, overlap_plane},
};

/// A shape with its place.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// Shape in world measures.
    pub shape: Shape,
    /// Centre, or a point of a plane's surface, in m.
    pub x: Vec3,
    /// Unit vector along a capsule, or out of a plane.
    pub axis: Vec3,
}

/// One point of a contact set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ManifoldPoint {
    /// The one point at which both bodies feel the impulse. Between two free bodies it divides the overlap in halves, so
    /// that the two lever arms add up to the true distance of the centres; on a plane it is on the round body's surface.
    pub point: Vec3,
    /// Unit vector from `b` to `a`.
    pub normal: Vec3,
    /// Overlap in m; negative across a gap.
    pub depth: f32,
}

/// The contact set of a pair: where two shapes are nearest, one point, or two for a capsule along a plane or another
/// capsule. Empty for two planes.
pub type Manifold = SmallVec<[ManifoldPoint; 2]>;

/// Two capsules within this sine of being parallel touch at two points.
pub(crate) const PARALLEL_SINE: f32 = 0.1;

/// The contact set of `a` and `b`, whether they overlap or not.
pub fn manifold(a: &Placed, b: &Placed) -> Manifold {
    use Shape::{Capsule, Particle, Plane};
    match (a.shape, b.shape) {
        (Plane, Plane) => SmallVec::new(),
        (Plane, _) => flipped(manifold(b, a)),
        (Particle { radius }, Plane) => smallvec![round_on_plane(a.x, radius, b)],
        (
            Capsule {
                radius,
                half_length,
            },
            Plane,
        ) => {
            let half = a.axis * half_length;
            smallvec![
                round_on_plane(a.x - half, radius, b),
                round_on_plane(a.x + half, radius, b)
            ]
        }
        (Particle { radius: r_a }, Particle { radius: r_b }) => {
            smallvec![round_on_round(a.x, r_a, b.x, r_b, Vec3::Y)]
        }
        (
            Particle { radius: r_a },
            Capsule {
                radius: r_b,
                half_length,
            },
        ) => {
            let on_b = closest_on_segment(a.x, b.x, b.axis * half_length);
            smallvec![round_on_round(a.x, r_a, on_b, r_b, across(b.axis))]
        }
        (Capsule { .. }, Particle { .. }) => flipped(manifold(b, a)),
        (
            Capsule {
                radius: r_a,
                half_length: l_a,
            },
            Capsule {
                radius: r_b,
                half_length: l_b,
            },
        ) => capsule_on_capsule(
            (a.x, a.axis * l_a, r_a),
            (b.x, b.axis * l_b, r_b),
            across(a.axis),
        ),
    }
}

fn flipped(mut manifold: Manifold) -> Manifold {
    for point in &mut manifold {
        point.normal = -point.normal;
    }
    manifold
}

fn round_on_plane(x: Vec3, radius: f32, plane: &Placed) -> ManifoldPoint {
    let normal = plane.axis;
    ManifoldPoint {
        point: x - normal * radius,
        normal,
        depth: overlap_plane(x - plane.x, normal, radius),
    }
}

/// `fallback` is the normal of concentric balls, which have none of their own.
fn round_on_round(x_a: Vec3, r_a: f32, x_b: Vec3, r_b: f32, fallback: Vec3) -> ManifoldPoint {
    let x_ab = x_a - x_b;
    let depth = overlap_pair(x_ab, r_a, r_b);
    let normal = x_ab.try_normalize().unwrap_or(fallback);
    ManifoldPoint {
        point: x_b + normal * (r_b - 0.5 * depth),
        normal,
        depth,
    }
}

fn capsule_on_capsule(
    (x_a, half_a, r_a): (Vec3, Vec3, f32),
    (x_b, half_b, r_b): (Vec3, Vec3, f32),
    fallback: Vec3,
) -> Manifold {
    let (s, t) = closest_segment_points(x_a, half_a, x_b, half_b);
    let nearest = round_on_round(x_a + half_a * s, r_a, x_b + half_b * t, r_b, fallback);
    let aa = half_a.length_squared();
    let sine_squared = half_a.cross(half_b).length_squared();
    if aa == 0.0 || sine_squared > PARALLEL_SINE * PARALLEL_SINE * aa * half_b.length_squared() {
        return smallvec![nearest];
    }
    // The stretch of a that lies beside b, from the ends of b seen on a's axis.
    let r = x_b - x_a;
    let (end_1, end_2) = ((r - half_b).dot(half_a) / aa, (r + half_b).dot(half_a) / aa);
    let low = end_1.min(end_2).clamp(-1.0, 1.0);
    let high = end_1.max(end_2).clamp(-1.0, 1.0);
    if (high - low) * aa.sqrt() < 0.1 * (r_a + r_b) {
        return smallvec![nearest];
    }
    [low, high]
        .into_iter()
        .map(|s| {
            let on_a = x_a + half_a * s;
            round_on_round(
                on_a,
                r_a,
                closest_on_segment(on_a, x_b, half_b),
                r_b,
                nearest.normal,
            )
        })
        .collect()
}

/// A unit vector across the axis of a capsule. For one in the x–y plane it is in it, so that a flat scene stays flat.
fn across(axis: Vec3) -> Vec3 {
    Vec3::Z.cross(axis).try_normalize().unwrap_or(Vec3::X)
}
