//! The selected body, and how a click in the 3D view selects one.

use bevy::{
    math::bounding::{BoundingSphere, RayCast3d},
    prelude::*,
    window::PrimaryWindow,
};

use crate::{
    body::{Body, IsBody, Shape},
    input::OverlayPointer,
};

/// The body that the overlay outlines and inspects.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Deref, DerefMut)]
pub struct Selection(pub Option<Entity>);

/// A press and a release further apart than this, in logical pixels, are a drag: most cameras orbit by one.
const CLICK_SLOP: f32 = 4.0;

pub(crate) fn select_clicked(
    mouse: Res<ButtonInput<MouseButton>>,
    pointer: OverlayPointer,
    window: Single<&Window, With<PrimaryWindow>>,
    cameras: Query<(&Camera, &GlobalTransform), With<Camera3d>>,
    bodies: Query<Body, IsBody>,
    mut selection: ResMut<Selection>,
    mut pressed_at: Local<Option<Vec2>>,
) {
    let cursor = window.cursor_position();
    if mouse.just_pressed(MouseButton::Left) {
        *pressed_at = cursor.filter(|_| !pointer.is_over());
    }
    if !mouse.just_released(MouseButton::Left) {
        return;
    }
    let (Some(pressed), Some(cursor)) = (pressed_at.take(), cursor) else {
        return;
    };
    if pressed.distance(cursor) > CLICK_SLOP {
        return;
    }
    let topmost = cameras
        .iter()
        .filter(|(camera, _)| camera.is_active)
        .filter(|(camera, _)| {
            camera
                .logical_viewport_rect()
                .is_some_and(|view| view.contains(cursor))
        })
        .max_by_key(|(camera, _)| camera.order);
    let Some(ray) =
        topmost.and_then(|(camera, transform)| camera.viewport_to_world(transform, cursor).ok())
    else {
        return;
    };
    let nearest = bodies
        .iter()
        .filter_map(|body| Some((body.entity, ray_distance(ray, body.shape()?)?)))
        .min_by(|(_, a), (_, b)| a.total_cmp(b));
    selection.0 = nearest.map(|(entity, _)| entity);
}

/// A body that is gone, or is none any more, is no longer selected.
pub(crate) fn forget_despawned(mut selection: ResMut<Selection>, bodies: Query<(), IsBody>) {
    if selection.is_some_and(|entity| !bodies.contains(entity)) {
        selection.0 = None;
    }
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
