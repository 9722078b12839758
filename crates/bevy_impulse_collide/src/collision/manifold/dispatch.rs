//! The contact set of a pair, by the two shapes.

use glam::Vec3;
use smallvec::{SmallVec, smallvec};

use super::{
    capsules::{across, capsule_on_capsule},
    contact_set::Manifold,
    round::{round_on_plane, round_on_round},
    surface::round_on_surface,
};
use crate::{
    kernel::closest_on_segment,
    shape::{Placed, Shape},
};

/// The contact set of `a` and `b`, whether they overlap or not. Of a collider, only the points that are nearer than `reach` m.
pub fn manifold(a: &Placed, b: &Placed, reach: f32) -> Manifold {
    use Shape::{Capsule, Collider, Compound, Particle, Plane};
    match (a.shape, b.shape) {
        (Compound { .. }, _) | (_, Compound { .. }) => SmallVec::new(),
        (Plane | Collider, Plane | Collider) => SmallVec::new(),
        (Plane | Collider, Particle { .. } | Capsule { .. }) => flipped(manifold(b, a, reach)),
        (Particle { radius }, Collider) => round_on_surface(a, Vec3::ZERO, radius, b, reach),
        (
            Capsule {
                radius,
                half_length,
            },
            Collider,
        ) => round_on_surface(a, a.axis * half_length, radius, b, reach),
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
            smallvec![round_on_round(a.x, r_a, b.x, r_b, || Vec3::Y)]
        }
        (
            Particle { radius: r_a },
            Capsule {
                radius: r_b,
                half_length,
            },
        ) => {
            let on_b = closest_on_segment(a.x, b.x, b.axis * half_length);
            smallvec![round_on_round(a.x, r_a, on_b, r_b, || across(b.axis))]
        }
        (Capsule { .. }, Particle { .. }) => flipped(manifold(b, a, reach)),
        (
            Capsule {
                radius: r_a,
                half_length: l_a,
            },
            Capsule {
                radius: r_b,
                half_length: l_b,
            },
        ) => capsule_on_capsule((a.x, a.axis * l_a, r_a), (b.x, b.axis * l_b, r_b), || {
            across(a.axis)
        }),
    }
}

fn flipped(mut manifold: Manifold) -> Manifold {
    for point in &mut manifold {
        point.normal = -point.normal;
    }
    manifold
}
