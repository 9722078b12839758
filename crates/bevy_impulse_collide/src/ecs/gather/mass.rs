//! The mass of bodies that state a density.

use bevy::prelude::*;

use crate::{
    body::Bodies,
    components::{Capsule, Density, Growth, Mass, Particle},
    ecs::{
        bad_input::{Check, Reporter},
        compounds::Compounds,
        hierarchy::Hierarchy,
    },
    messages::ProblemReason,
};

/// Keeps the mass of bodies with a [`Density`] at density times volume. A growing body follows its own uptake instead. Only bodies
/// that have changed are looked at, and bodies whose density was bad in the last step.
pub(crate) fn mass_from_density(
    mut bodies: ResMut<Bodies>,
    mut query: Query<
        (
            &Density,
            &Transform,
            Option<&Particle>,
            Option<&Capsule>,
            &mut Mass,
        ),
        Without<Growth>,
    >,
    (hierarchy, compounds): (Res<Hierarchy>, Res<Compounds>),
    mut bad: Local<Vec<Entity>>,
    mut reporter: Reporter,
) {
    if query.is_empty() {
        return;
    }
    for entity in bad.drain(..) {
        if let Some(i) = bodies.index_of(entity) {
            bodies.mark_changed(i);
        }
    }
    for i in bodies.active().filter(|&i| bodies.must_be_read(i)) {
        let entity = bodies.entity[i];
        let Ok((density, transform, particle, capsule, mut mass)) = query.get_mut(entity) else {
            continue;
        };
        if let Err(problem) = Density::check(ProblemReason::NotPositive, density.0) {
            reporter.report(entity, problem);
            bad.push(entity);
            continue;
        }
        let volume = match (particle, capsule) {
            (Some(particle), None) => particle.volume(),
            (None, Some(capsule)) => capsule.volume(),
            _ => continue,
        };
        let place = hierarchy.get(entity).and_then(|child| child.place.ok());
        let scale = match compounds.part(entity) {
            Some(part) => part.scale.x,
            None => place.as_ref().unwrap_or(transform).scale.x,
        };
        let scaled = density.0 * volume * (scale * scale * scale);
        // Without a sound volume there is no sound mass; the shape's own problem is reported by the gathering.
        if scaled.is_finite() && scaled > 0.0 {
            mass.set_if_neq(Mass(scaled));
        }
    }
}
