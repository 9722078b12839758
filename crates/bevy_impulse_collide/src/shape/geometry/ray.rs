//! Rays against a surface.

use bevy::prelude::*;
use glam::DVec3;

use super::{
    box_entry::BoxEntry,
    core::Core,
    course::Course,
    surface::{Geometry, Part},
};

/// Radius in m of a point: so small that no other length is near it.
pub(super) const POINT: f32 = 1e-20;

/// Where a ray meets a surface: the distance in m, and the unit vector from the surface to the side from which the ray comes.
pub(crate) type SurfaceHit = (f32, Vec3);

impl Geometry {
    /// The distance in m along a ray, in the frame of the surface, at which it meets the surface first. A mesh with one side is met
    /// from its outside only. Lines have no width, so no ray meets them.
    pub fn cast_ray(&self, ray: Ray3d) -> Option<f32> {
        let direction = ray.direction.as_dvec3().normalize();
        let (distance, _) = self.ray_hit(ray.origin.as_dvec3(), direction, f32::MAX)?;
        Some(distance)
    }

    /// Where a ray from `origin` along the unit vector `direction` meets the surface first, up to the distance `limit`.
    pub(crate) fn ray_hit(
        &self,
        origin: DVec3,
        direction: DVec3,
        limit: f32,
    ) -> Option<SurfaceHit> {
        let boxes = BoxEntry::new(origin, direction, Vec3::ZERO);
        let point = Core {
            x: origin,
            half: Vec3::ZERO,
            radius: POINT,
        };
        let course = Course::straight(origin, direction);
        self.first_hit(limit, boxes, |part, limit| match part {
            Part::Triangle(triangle) if self.patch(triangle).is_none() => {
                self.ray_meets_triangle(triangle, origin, direction)
            }
            Part::Line(_) => None,
            Part::Triangle(_) | Part::Solid(_) => {
                let way = self.way_to(part, &point, &course, limit);
                let (distance, touch) = self.touch(part, &point, &course, way, |_, _| false)?;
                Some((distance as f32, touch.normal))
            }
        })
    }

    /// The first of the hits with single parts, up to the distance `limit`.
    pub(super) fn first_hit<T>(
        &self,
        limit: f32,
        boxes: BoxEntry,
        hit: impl Fn(Part, f32) -> Option<(f32, T)>,
    ) -> Option<(f32, T)> {
        let first = self.tree.find_best(
            limit.next_up(),
            |node, _| boxes.entry(node.mins().into(), node.maxs().into()),
            |leaf, limit| hit(self.part(leaf), limit),
        );
        first.map(|(_, hit)| hit)
    }

    /// The triple product d·(a × b) tells on which side a ray passes an edge from a to b. Seen from the triangle across the edge,
    /// it is the same number with another sign, to the bit: no ray slips through between two triangles.
    fn ray_meets_triangle(
        &self,
        triangle: usize,
        origin: DVec3,
        direction: DVec3,
    ) -> Option<SurfaceHit> {
        let corners = self.triangles[triangle].map(|i| self.vertices[i as usize]);
        let [a, b, c] = corners.map(|corner| corner.as_dvec3() - origin);
        let sides = [(a, b), (b, c), (c, a)].map(|(one, other)| direction.dot(one.cross(other)));
        let is_in_front = sides.iter().all(|&side| side <= 0.0);
        let is_behind = sides.iter().all(|&side| side >= 0.0);
        if !(is_in_front || is_behind && self.has_two_sides(triangle)) {
            return None;
        }
        let out = (b - a).cross(c - a);
        let distance = out.dot(a) / out.dot(direction);
        // Not a number for a ray in the plane of the triangle: it meets an edge at most.
        let side = if is_in_front { 1.0 } else { -1.0 };
        (distance >= 0.0).then(|| (distance as f32, self.normals[triangle] * side))
    }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::TAU;

    use crate::{components::Collider, shape::MeshSides};

    use super::*;

    fn distance(collider: &Collider, from: Vec3, direction: Vec3) -> Option<f32> {
        let ray = Ray3d::new(from, Dir3::new(direction).unwrap());
        collider.geometry().unwrap().cast_ray(ray)
    }

    #[test]
    fn ray_meets_a_box_and_a_cylinder_at_their_sides() {
        let x = Vec3::new(-5.0, 0.2, 0.1);
        let cuboid = Collider::cuboid(2.0, 1.0, 1.0);
        assert!((distance(&cuboid, x, Vec3::X).unwrap() - 4.0).abs() < 1e-5);
        assert_eq!(distance(&cuboid, x, Vec3::NEG_X), None);
        assert_eq!(distance(&cuboid, x + Vec3::Y, Vec3::X), None);
        let cylinder = Collider::cylinder(0.5, 1.0);
        let expected = 5.0 - (0.25f32 - 0.01).sqrt();
        assert!((distance(&cylinder, x, Vec3::X).unwrap() - expected).abs() < 1e-4);
    }

    /// Eight flat facets would be wrong by 7 % of the radius.
    #[test]
    fn ray_meets_the_curved_surface_of_normals() {
        let ring = |k: u32, y: f32| {
            let (sin, cos) = (TAU * (k % 8) as f32 / 8.0).sin_cos();
            let out = Vec3::new(cos, 0.0, sin);
            (out + Vec3::Y * y, out)
        };
        let vertices = (0..=8).flat_map(|k| [ring(k, -1.0), ring(k, 1.0)]);
        let triangles = (0..8u32).flat_map(|k| {
            let a = 2 * k;
            [[a, a + 1, a + 2], [a + 1, a + 3, a + 2]]
        });
        let pipe = Collider::smooth_trimesh(vertices, triangles, MeshSides::One);
        for k in 0..40 {
            let angle = TAU * k as f32 / 40.0 + 0.01;
            let out = Vec3::new(angle.cos(), 0.0, angle.sin());
            let hit = distance(&pipe, out * 3.0, -out).unwrap();
            assert!((hit - 2.0).abs() < 2e-3, "{angle}: {hit}");
        }
        // From inside, the mesh has no front.
        assert_eq!(distance(&pipe, Vec3::ZERO, Vec3::X), None);
    }
}
