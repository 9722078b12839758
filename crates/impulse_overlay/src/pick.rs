//! What lies under the cursor: the shapes of bodies, and the points of joints.

use bevy::{
    math::bounding::{BoundingSphere, RayCast3d},
    prelude::*,
};

use crate::body::{Body, IsBody, Shape};

/// The ray under the cursor, and one beside it: what lies between them is near enough to be picked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beam {
    pub ray: Ray3d,
    /// As far from the ray as a point may be.
    pub edge: Ray3d,
}

impl Beam {
    /// The distance along the ray to a point that is near it.
    pub fn to_point(self, point: Vec3) -> Option<f32> {
        let distance = (point - self.ray.origin).dot(*self.ray.direction);
        let [on_ray, on_edge] = [self.ray, self.edge].map(|ray| ray.get_point(distance));
        let is_near = point.distance(on_ray) <= on_edge.distance(on_ray);
        (distance >= 0.0 && is_near).then_some(distance)
    }
}

/// The body that a ray enters first, among those that count, and the distance.
pub(crate) fn nearest_body(
    ray: Ray3d,
    bodies: &Query<Body, IsBody>,
    counts: impl Fn(Entity) -> bool,
) -> Option<(Entity, f32)> {
    let hits = bodies
        .iter()
        .filter_map(|body| Some((body.entity, ray_distance(ray, body.shape()?)?)));
    nearest(hits.filter(|(entity, _)| counts(*entity)))
}

pub(crate) fn nearest(hits: impl Iterator<Item = (Entity, f32)>) -> Option<(Entity, f32)> {
    hits.min_by(|(_, a), (_, b)| a.total_cmp(b))
}

/// Distance along the ray to the surface it enters first. A plane is seen from its open side only.
fn ray_distance(ray: Ray3d, shape: Shape) -> Option<f32> {
    match shape {
        Shape::Ball { centre, radius } => ray_ball(ray, centre, radius),
        // A capsule is two balls and the wall between them, so where the ray enters one of the three first, it enters it.
        Shape::Capsule {
            centre,
            half_axis,
            radius,
        } => [
            ray_ball(ray, centre + half_axis, radius),
            ray_ball(ray, centre - half_axis, radius),
            ray_cylinder_wall(ray, centre, half_axis, radius),
        ]
        .into_iter()
        .flatten()
        .min_by(f32::total_cmp),
        Shape::Plane { point, normal } => (ray.direction.dot(*normal) < 0.0)
            .then(|| ray.intersect_plane(point, InfinitePlane3d { normal }))
            .flatten(),
        Shape::Collider { collider, place } => collider.cast_ray(place, ray),
    }
}

fn ray_ball(ray: Ray3d, centre: Vec3, radius: f32) -> Option<f32> {
    RayCast3d::from_ray(ray, f32::MAX).sphere_intersection_at(&BoundingSphere::new(centre, radius))
}

fn ray_cylinder_wall(ray: Ray3d, centre: Vec3, half_axis: Vec3, radius: f32) -> Option<f32> {
    let axis = half_axis.try_normalize()?;
    let offset = ray.origin - centre;
    // In the plane across the axis the wall is a circle: solve a·t² + 2b·t + c = 0 there.
    let across_offset = offset.reject_from_normalized(axis);
    let across_direction = ray.direction.reject_from_normalized(axis);
    let a = across_direction.length_squared();
    let b = across_offset.dot(across_direction);
    let c = across_offset.length_squared() - radius * radius;
    let discriminant = b * b - a * c;
    if a == 0.0 || discriminant < 0.0 {
        return None;
    }
    let distance = (-b - discriminant.sqrt()) / a;
    let height = (offset + *ray.direction * distance).dot(axis);
    (distance >= 0.0 && height.abs() <= half_axis.length()).then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn down_from(x: f32, y: f32, z: f32) -> Ray3d {
        Ray3d::new(Vec3::new(x, y, z), Dir3::NEG_Y)
    }

    const LYING: Shape<'_> = Shape::Capsule {
        centre: Vec3::new(0.0, 1.0, 0.0),
        half_axis: Vec3::new(2.0, 0.0, 0.0),
        radius: 0.5,
    };

    #[test]
    fn a_point_is_hit_within_the_edge_of_the_beam() {
        let ray = down_from(0.0, 10.0, 0.0);
        let edge = Ray3d::new(ray.origin, Dir3::new(Vec3::new(0.1, -1.0, 0.0)).unwrap());
        let beam = Beam { ray, edge };
        // The beam is 0.1 m wide for each metre of its length.
        let to = |x: f32, y: f32| beam.to_point(Vec3::new(x, y, 0.0));
        assert_eq!(to(0.4, 5.0), Some(5.0));
        assert_eq!(to(-0.4, 5.0), Some(5.0));
        assert_eq!(to(0.6, 5.0), None);
        assert_eq!(to(0.0, 11.0), None);
        assert_eq!(to(f32::NAN, 5.0), None);
    }

    #[test]
    fn ball_is_hit_on_its_near_side() {
        let ball = Shape::Ball {
            centre: Vec3::ZERO,
            radius: 2.0,
        };
        assert_eq!(ray_distance(down_from(0.0, 5.0, 0.0), ball), Some(3.0));
        assert_eq!(ray_distance(down_from(2.1, 5.0, 0.0), ball), None);
    }

    #[test]
    fn capsule_is_hit_on_wall_and_ends() {
        let hit = |x: f32, z: f32| ray_distance(down_from(x, 5.0, z), LYING);
        assert!((hit(1.0, 0.0).unwrap() - 3.5).abs() < 1e-5);
        assert!((hit(2.3, 0.0).unwrap() - 3.6).abs() < 1e-5);
        assert_eq!(hit(2.6, 0.0), None);
        assert_eq!(hit(0.0, 0.6), None);
    }

    #[test]
    fn capsule_is_hit_along_its_axis() {
        let ray = Ray3d::new(Vec3::new(10.0, 1.0, 0.0), Dir3::NEG_X);
        assert_eq!(ray_distance(ray, LYING), Some(7.5));
    }

    #[test]
    fn plane_is_hit_from_its_open_side_only() {
        let floor = |normal| Shape::Plane {
            point: Vec3::ZERO,
            normal,
        };
        let ray = down_from(3.0, 5.0, 1.0);
        assert_eq!(ray_distance(ray, floor(Dir3::Y)), Some(5.0));
        assert_eq!(ray_distance(ray, floor(Dir3::NEG_Y)), None);
    }
}
