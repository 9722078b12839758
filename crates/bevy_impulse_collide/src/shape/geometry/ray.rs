//! Rays against a surface.

use bevy::prelude::*;
use glam::DVec3;
use parry3d::query::{Ray, details::local_ray_intersection_with_triangle};

use super::{
    core::Core,
    surface::{Geometry, Part},
};

/// Most steps of a march along a ray.
const MAX_STEPS: usize = 128;

/// Distance to a curved surface at which a march has arrived, over the size of the part.
const ARRIVED: f32 = 1e-5;

impl Geometry {
    /// The distance in m along a ray, in the frame of the surface, at which it meets the surface first. A mesh with one side is met
    /// from its outside only. Lines have no width, so no ray meets them.
    pub fn cast_ray(&self, ray: Ray3d) -> Option<f32> {
        let cast = Ray::new(ray.origin, *ray.direction);
        let first = self.tree.cast_ray(&cast, f32::MAX, |leaf, _| {
            self.ray_meets(self.part(leaf), ray)
        });
        first.map(|(_, distance)| distance)
    }

    fn ray_meets(&self, part: Part, ray: Ray3d) -> Option<f32> {
        match part {
            Part::Triangle(triangle) if self.patch(triangle).is_none() => {
                let [a, b, c] = self.triangles[triangle].map(|i| self.vertices[i as usize]);
                let cast = Ray::new(ray.origin, *ray.direction);
                let (hit, _) = local_ray_intersection_with_triangle(a, b, c, &cast)?;
                let is_in_front = ray.direction.dot(self.normals[triangle]) < 0.0;
                (is_in_front || self.has_two_sides(triangle)).then_some(hit.time_of_impact)
            }
            Part::Line(_) => None,
            Part::Triangle(_) | Part::Solid(_) => self.march(part, ray),
        }
    }

    /// Goes along the ray by the distance to the part, again and again: no such step leads through the part.
    fn march(&self, part: Part, ray: Ray3d) -> Option<f32> {
        let bounds = self.bounds_of_part(part);
        let (middle, size) = (bounds.center(), bounds.half_extents().length());
        let direction = ray.direction.as_dvec3();
        let end = (middle - ray.origin).dot(*ray.direction) + size;
        let mut along = (end - 2.0 * size).max(0.0);
        for _ in 0..MAX_STEPS {
            let core = Core {
                x: ray.origin.as_dvec3() + direction * f64::from(along),
                half: Vec3::ZERO,
                radius: 0.0,
            };
            let nearest = self.nearest_point(part, &core)?;
            if nearest.distance.abs() < ARRIVED * size {
                let n = nearest.normal.as_dvec3();
                return (self.is_seen_along(part, direction, n)).then_some(along);
            }
            along += nearest.distance.abs();
            if along > end {
                return None;
            }
        }
        None
    }

    fn is_seen_along(&self, part: Part, direction: DVec3, normal: DVec3) -> bool {
        match part {
            Part::Triangle(triangle) => {
                let out = self.normals[triangle].as_dvec3();
                self.has_two_sides(triangle) || direction.dot(out) < 0.0
            }
            Part::Line(_) | Part::Solid(_) => direction.dot(normal) < 0.0,
        }
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
