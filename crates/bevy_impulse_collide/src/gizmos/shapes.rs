//! Draws the shapes of bodies.

use bevy::prelude::*;

use super::{
    ImpulseGizmos,
    body::{DrawnBody, DrawnBodyItem, DrawnShape, IsBody},
};

/// The outline of a selected body is this many times as large as the body, so that the lines do not sink into its silhouette.
const AROUND: f32 = 1.03;

/// Side of a cell of a plane's grid, as a fraction of the distance from the camera: a plane has no size of its own.
const CELL: f32 = 0.1;

/// The distance in m without a camera.
const WITHOUT_CAMERA: f32 = 10.0;

pub(super) type Cameras<'w, 's> =
    Query<'w, 's, (&'static Camera, &'static GlobalTransform), With<Camera3d>>;

pub(super) fn draw_bodies(
    mut gizmos: Gizmos<ImpulseGizmos>,
    bodies: Query<DrawnBody, IsBody>,
    cameras: Cameras,
) {
    let (draws_bodies, draws_colliders) = (gizmos.config_ext.bodies, gizmos.config_ext.colliders);
    if !(draws_bodies || draws_colliders) {
        return;
    }
    for body in &bodies {
        let is_drawn = match body.shape() {
            Some(DrawnShape::Collider(_)) => draws_colliders,
            Some(_) => draws_bodies,
            None => false,
        };
        if is_drawn {
            let color = match body.is_sensor {
                true => gizmos.config_ext.sensor_color,
                false => gizmos.config_ext.color_of(body.kind(), body.is_asleep()),
            };
            draw(&mut gizmos, &body, &cameras, color, 1.0);
        }
    }
}

pub(super) fn draw_selected(
    mut gizmos: Gizmos<ImpulseGizmos>,
    bodies: Query<DrawnBody, IsBody>,
    cameras: Cameras,
) {
    let selected = gizmos.config_ext.selected;
    if let Some(body) = selected.and_then(|entity| bodies.get(entity).ok()) {
        let color = gizmos.config_ext.selected_color;
        draw(&mut gizmos, &body, &cameras, color, AROUND);
    }
}

/// Draws the lines of a body. Those of a ball or a capsule are `larger` times as far out as its surface.
fn draw(
    gizmos: &mut Gizmos<ImpulseGizmos>,
    body: &DrawnBodyItem,
    cameras: &Cameras,
    color: Color,
    larger: f32,
) {
    let place = body.isometry();
    match body.shape() {
        Some(DrawnShape::Ball(ball)) => {
            gizmos.sphere(place, larger * ball.radius, color);
        }
        Some(DrawnShape::Capsule(capsule)) => {
            let capsule = Capsule3d {
                radius: larger * capsule.radius,
                ..capsule
            };
            gizmos.primitive_3d(&capsule, place, color).resolution(8);
        }
        Some(DrawnShape::Plane(normal)) => {
            if let Ok(normal) = Dir3::new(place.rotation * normal) {
                let point = body.place().translation;
                draw_plane(gizmos, point, normal, distance(cameras, point), color);
            }
        }
        Some(DrawnShape::Collider(collider)) => {
            let edges = collider
                .geometry()
                .into_iter()
                .flat_map(|surface| surface.edges());
            for ends in edges {
                let [start, end] = ends.map(|x| body.place().transform_point(x));
                gizmos.line(start, end, color);
            }
        }
        None => {}
    }
}

/// The distance from the nearest active camera.
pub(super) fn distance(cameras: &Cameras, point: Vec3) -> f32 {
    let active = cameras.iter().filter(|(camera, _)| camera.is_active);
    active
        .map(|(_, eye)| eye.translation().distance(point))
        .reduce(f32::min)
        .unwrap_or(WITHOUT_CAMERA)
}

fn draw_plane(
    gizmos: &mut Gizmos<ImpulseGizmos>,
    point: Vec3,
    normal: Dir3,
    distance: f32,
    color: Color,
) {
    let cell = CELL * distance;
    let across = Quat::from_rotation_arc(Vec3::Z, *normal);
    gizmos
        .grid(
            Isometry3d::new(point, across),
            UVec2::splat(10),
            Vec2::splat(cell),
            color.with_alpha(0.5),
        )
        .outer_edges();
    gizmos.arrow(point, point + normal * (2.0 * cell), color);
}
