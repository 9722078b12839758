//! The systems that find the changed bodies and read them.

use bevy::prelude::*;

use super::{reader::BodyReader, watch::Watch};
use crate::{
    body::Bodies,
    components::Acceleration,
    config::CollisionConfig,
    ecs::{
        bad_input::{Check, Reporter},
        hierarchy::Hierarchy,
    },
    messages::{ProblemReason, ProblemValue::Nothing},
    solver::impact::Impacts,
};

/// Lists the bodies of this fixed step, and marks the bodies that someone has changed since the last step.
pub(crate) fn find_changed(
    reader: BodyReader,
    mut watch: Watch,
    config: Res<CollisionConfig>,
    mut bodies: ResMut<Bodies>,
    mut reporter: Reporter,
) {
    reporter.begin();
    if let Some(entity) = bodies.lost_field.take() {
        let problem = Acceleration::problem(ProblemReason::OutsideStep, Nothing);
        reporter.report(entity, problem);
    }
    bodies.begin_step();
    let was_flat = std::mem::replace(&mut bodies.flat, config.flat);
    bodies.sort_in_space();
    let are_others = watch.mark_changed(&mut bodies);
    let are_known = std::mem::take(&mut bodies.are_written);
    // Bodies that were left out may have been mended.
    if are_others || !are_known || !bodies.are_sound {
        reader.enlist(&mut bodies);
    }
    if !are_known || was_flat != config.flat {
        bodies.mark_all_changed();
    }
}

/// Fills the packed arrays for this fixed step.
pub(crate) fn gather(
    reader: BodyReader,
    config: Res<CollisionConfig>,
    time: Res<Time>,
    hierarchy: Res<Hierarchy>,
    mut bodies: ResMut<Bodies>,
    mut impacts: ResMut<Impacts>,
    mut reporter: Reporter,
) {
    impacts.resolved.clear();
    bodies.h = time.delta_secs() / config.substeps.max(1) as f32;
    bodies.step = time.delta_secs();
    bodies.time = 0.0;
    reader.read_changed(&mut bodies, Some(&hierarchy), |entity, problem| {
        reporter.report(entity, problem);
    });
    bodies.is_restored = false;
    bodies.mark_parts();
    bodies.place_parts();
    bodies.list_spinners();
}

/// When all components have been read: forgets the problems that are mended.
pub(crate) fn forget_mended(mut reporter: Reporter) {
    reporter.forget_mended();
}
