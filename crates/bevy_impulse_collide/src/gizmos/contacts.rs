//! Draws contacts and their impulses.

use bevy::prelude::*;

use super::{
    ImpulseGizmos,
    arrow::arrow,
    body::{DrawnBody, IsBody},
};
use crate::{components::Mass, config::CollisionConfig, solver::contact::Contacts};

/// Gravity in m/s² that weighs impulses when they are drawn; a world's own may be zero.
const STANDARD_GRAVITY: f32 = 9.81;

/// Longest impulse arrow, in radii: a hard hit is many thousand times a resting contact.
const LONGEST_IMPULSE: f32 = 8.0;

pub(super) fn draw_contacts(
    mut gizmos: Gizmos<ImpulseGizmos>,
    contacts: Res<Contacts>,
    bodies: Query<(DrawnBody, Option<&Mass>), IsBody>,
    time: Res<Time<Fixed>>,
    config: Res<CollisionConfig>,
) {
    let &ImpulseGizmos {
        contacts: draws_contacts,
        impulses: draws_impulses,
        contact_color,
        impulse_color,
        ..
    } = gizmos.config_ext;
    if !(draws_contacts || draws_impulses) {
        return;
    }
    let substep = time.timestep().as_secs_f32() / config.substeps.max(1) as f32;
    for contact in contacts.iter() {
        if !(gizmos.config_ext.shows(contact.a) || gizmos.config_ext.shows(contact.b)) {
            continue;
        }
        let pair = [contact.a, contact.b].map(|entity| bodies.get(entity).ok());
        let pair = || pair.iter().flatten();
        let radii = pair().filter_map(|(body, _)| body.radius());
        let Some(radius) = radii.reduce(f32::min) else {
            continue;
        };
        let point = contact.point;
        if draws_contacts {
            let facing = Quat::from_rotation_arc(Vec3::Z, contact.normal);
            gizmos
                .circle(Isometry3d::new(point, facing), 0.2 * radius, contact_color)
                .resolution(12);
            gizmos
                .arrow(point, point + contact.normal * radius, contact_color)
                .with_tip_length(0.15 * radius);
        }
        let masses = pair().filter_map(|(_, mass)| Some(mass.as_deref()?.0));
        if draws_impulses && let Some(mass) = masses.reduce(f32::min) {
            let in_radii = 2.0 * contact.impulse / (mass * STANDARD_GRAVITY * substep);
            let vector = in_radii.clamp_length_max(LONGEST_IMPULSE) * radius;
            arrow(&mut gizmos, point, vector, radius, impulse_color);
        }
    }
}
