//! Draws velocities.

use bevy::prelude::*;

use super::{
    ImpulseGizmos,
    arrow::arrow,
    body::{DrawnBody, IsBody},
};
use crate::components::LinearVelocity;

pub(super) fn draw_velocities(
    mut gizmos: Gizmos<ImpulseGizmos>,
    bodies: Query<(DrawnBody, &LinearVelocity), IsBody>,
) {
    let &ImpulseGizmos {
        velocities,
        velocity_seconds,
        velocity_color,
        ..
    } = gizmos.config_ext;
    if !velocities {
        return;
    }
    for (body, velocity) in &bodies {
        if let Some(radius) = body.radius()
            && gizmos.config_ext.shows(body.entity)
        {
            let (start, way) = (body.place().translation, velocity.0 * velocity_seconds);
            arrow(&mut gizmos, start, way, radius, velocity_color);
        }
    }
}
