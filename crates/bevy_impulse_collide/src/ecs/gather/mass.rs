//! The mass of bodies that state a density.

use bevy::prelude::*;

use crate::{
    components::{Capsule, Density, Growth, Mass, Particle},
    ecs::bad_input::Reports,
    messages::{BadInput, InputProblem},
};

/// Keeps the mass of bodies with a [`Density`] at density times volume. A growing body follows its own uptake instead.
pub(crate) fn mass_from_density(
    mut query: Query<
        (
            Entity,
            &Density,
            &Transform,
            Option<&Particle>,
            Option<&Capsule>,
            &mut Mass,
        ),
        Without<Growth>,
    >,
    mut reports: ResMut<Reports>,
    mut messages: MessageWriter<BadInput>,
    names: Query<NameOrEntity>,
) {
    for (entity, density, transform, particle, capsule, mut mass) in &mut query {
        if !(density.0.is_finite() && density.0 > 0.0) {
            reports.report(
                entity,
                InputProblem::Density(density.0),
                &names,
                &mut messages,
            );
            continue;
        }
        let volume = match (particle, capsule) {
            (Some(particle), None) => particle.volume(),
            (None, Some(capsule)) => capsule.volume(),
            _ => continue,
        };
        let scaled = density.0 * volume * transform.scale.x.powi(3);
        // Without a sound volume there is no sound mass; the shape's own problem is reported by the gathering.
        if scaled.is_finite() && scaled > 0.0 {
            mass.set_if_neq(Mass(scaled));
        }
    }
}
