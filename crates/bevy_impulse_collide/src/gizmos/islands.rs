//! Draws islands, and the boxes of the broad phase.

use bevy::{gizmos::color_from_entity, math::bounding::Aabb3d, prelude::*};

use super::{ImpulseGizmos, body::Place};
use crate::{
    body::Bodies,
    collision::BroadPhase,
    solver::{contact::Contacts, islands::Islands},
};

pub(super) fn draw_islands(
    mut gizmos: Gizmos<ImpulseGizmos>,
    mut islands: Local<Islands>,
    bodies: Res<Bodies>,
    contacts: Res<Contacts>,
    places: Query<Place>,
) {
    if !gizmos.config_ext.islands {
        return;
    }
    let asleep_color = gizmos.config_ext.asleep_color;
    islands.for_each_link(&bodies, &contacts, |pair, root| {
        let entities = pair.map(|i| bodies.entity[i]);
        let Ok([start, end]) = places.get_many(entities) else {
            return;
        };
        let color = if pair.iter().all(|&i| bodies.is_asleep(i)) {
            asleep_color
        } else {
            color_from_entity(bodies.entity[root])
        };
        gizmos.line(start.get().translation, end.get().translation, color);
    });
}

pub(super) fn draw_bounds(
    mut gizmos: Gizmos<ImpulseGizmos>,
    bodies: Res<Bodies>,
    broad_phase: Res<BroadPhase>,
) {
    if !gizmos.config_ext.bounds {
        return;
    }
    let color = gizmos.config_ext.bounds_color;
    for (shape, bounds) in bodies.shape.iter().zip(broad_phase.fat_aabbs()) {
        // A plane has no end.
        if !shape.is_plane() && bounds.min.is_finite() && bounds.max.is_finite() {
            let bounds = Aabb3d {
                min: bounds.min,
                max: bounds.max,
            };
            gizmos.aabb_3d(bounds, Transform::IDENTITY, color);
        }
    }
}
