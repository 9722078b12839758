//! Capsules and boxes that overlap a surface.

use glam::{DQuat, DVec3, Vec3};
use parry3d::{
    math::{Pose, Vector},
    query::details::intersection_test_support_map_support_map,
    shape::{Cuboid, SupportMap},
};

use super::{
    core::Core,
    revolved::Revolved,
    surface::{Geometry, Part},
};

/// Most steps of the search for a common point of a box and a curved triangle.
const MAX_ALTERNATIONS: usize = 64;

/// Distance at which a box touches a curved triangle, over the size of the box.
const TOUCH: f64 = 1e-6;

/// A box in the frame of a collider.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoxInFrame {
    /// Half sides in m.
    pub half: DVec3,
    pub centre: DVec3,
    pub rotation: DQuat,
}

impl BoxInFrame {
    fn to_box(self, x: DVec3) -> DVec3 {
        self.rotation.inverse() * (x - self.centre)
    }

    /// The point of the box that is nearest to a point.
    fn nearest(self, x: DVec3) -> DVec3 {
        let inside = self.to_box(x).clamp(-self.half, self.half);
        self.centre + self.rotation * inside
    }

    /// The corners of the upright box that holds it.
    fn bounds(self) -> (Vec3, Vec3) {
        let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| self.rotation * axis);
        let half =
            axes[0].abs() * self.half.x + axes[1].abs() * self.half.y + axes[2].abs() * self.half.z;
        let half = half + self.centre.abs() * f64::from(f32::EPSILON);
        (
            (self.centre - half).as_vec3(),
            (self.centre + half).as_vec3(),
        )
    }

    /// Whether it has a point in common with the convex hull of up to three points: no axis separates them.
    ///
    /// Source: T. Akenine-Möller, Fast 3D triangle-box overlap testing (2001).
    fn meets_hull(self, points: &[DVec3]) -> bool {
        let local = |i: usize| self.to_box(points[i]);
        let count = points.len();
        let edges = (0..count).map(|i| local((i + 1) % count) - local(i));
        let box_axes = [DVec3::X, DVec3::Y, DVec3::Z];
        let across = edges
            .clone()
            .flat_map(|edge| box_axes.map(|axis| axis.cross(edge)));
        let face = (count == 3).then(|| (local(1) - local(0)).cross(local(2) - local(0)));
        let mut axes = box_axes.into_iter().chain(face).chain(across);
        !axes.any(|axis| {
            let reach = axis.abs().dot(self.half);
            let heights = (0..count).map(|i| axis.dot(local(i)));
            let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
                (low.min(x), high.max(x))
            });
            low > reach || high < -reach
        })
    }
}

impl Geometry {
    /// Whether the capsule around a core touches the surface, or is inside a solid.
    pub(crate) fn overlaps_capsule(&self, core: &Core) -> bool {
        let ends = [core.at(-1.0), core.at(1.0)];
        let is_near = |x: DVec3| {
            let distance = self.signed_distance(x);
            distance.is_some_and(|(distance, _)| distance <= core.radius)
        };
        if ends.into_iter().any(is_near) || self.is_pierced_by(core) {
            return true;
        }
        self.parts_in(core.bounds(0.0)).any(|part| {
            let nearest = self.nearest_point(part, core);
            nearest.is_some_and(|nearest| nearest.distance.abs() <= core.radius)
        })
    }

    /// Whether a core goes through the surface. Its nearest points are then its ends, but a ray finds the face.
    pub(super) fn is_pierced_by(&self, core: &Core) -> bool {
        let ends = [core.at(-1.0), core.at(1.0)];
        let length = 2.0 * core.half.length();
        let crosses = |[from, to]: [DVec3; 2]| {
            let way = (to - from).try_normalize();
            way.is_some_and(|way| self.ray_hit(from, way, length).is_some())
        };
        crosses(ends) || crosses([ends[1], ends[0]])
    }

    /// Whether a box touches the surface, or is inside a solid.
    pub(crate) fn overlaps_box(&self, cuboid: &BoxInFrame) -> bool {
        let inside = || self.signed_distance(cuboid.centre);
        self.parts_in(cuboid.bounds())
            .any(|part| self.part_meets_box(part, cuboid))
            || inside().is_some_and(|(distance, _)| distance <= 0.0)
    }

    fn part_meets_box(&self, part: Part, cuboid: &BoxInFrame) -> bool {
        match part {
            Part::Triangle(triangle) if self.patch(triangle).is_some() => {
                self.patch_meets_box(part, cuboid)
            }
            Part::Triangle(_) | Part::Line(_) => cuboid.meets_hull(&self.corners(part)),
            Part::Solid(solid) => {
                let solid = &self.solids[solid];
                let place = Pose::from_parts(
                    cuboid.to_box(solid.centre.as_dvec3()).as_vec3(),
                    cuboid.rotation.inverse().as_quat() * solid.rotation,
                );
                let shape = Cuboid::new(cuboid.half.as_vec3());
                intersection_test_support_map_support_map(&place, &shape, solid)
            }
        }
    }

    /// Goes to and fro between the nearest points of the box and of the curved triangle, until they are one.
    ///
    /// Source: W. Cheney and A. Goldstein, Proximity maps for convex sets (1959).
    fn patch_meets_box(&self, part: Part, cuboid: &BoxInFrame) -> bool {
        let mut x = cuboid.centre;
        for _ in 0..MAX_ALTERNATIONS {
            let core = Core {
                x,
                half: Vec3::ZERO,
                radius: super::ray::POINT,
            };
            let Some(nearest) = self.nearest_point(part, &core) else {
                return false;
            };
            let on_part = x - nearest.normal.as_dvec3() * f64::from(nearest.distance);
            let next = cuboid.nearest(on_part);
            if next.distance(on_part) <= TOUCH * cuboid.half.max_element() {
                return true;
            }
            x = next;
        }
        false
    }
}

impl SupportMap for Revolved {
    fn local_support_point(&self, direction: Vector) -> Vector {
        self.farthest(direction)
    }
}
