use bevy::prelude::*;

use super::{reader::BodyReader, watch::Watch};
use crate::{
    body::Bodies, config::CollisionConfig, ecs::bad_input::Reports, messages::BadInput,
    solver::impact::Impacts,
};

/// Fills the packed arrays for this fixed step.
pub(crate) fn gather(
    reader: BodyReader,
    mut watch: Watch,
    config: Res<CollisionConfig>,
    time: Res<Time>,
    names: Query<NameOrEntity>,
    mut bodies: ResMut<Bodies>,
    mut impacts: ResMut<Impacts>,
    mut reports: ResMut<Reports>,
    mut messages: MessageWriter<BadInput>,
) {
    impacts.resolved.clear();
    let half_before = 0.5 * bodies.h;
    bodies.h = time.delta_secs() / config.substeps.max(1) as f32;
    bodies.time = 0.0;
    bodies.begin_step();
    bodies.sort_in_space();
    let are_others = watch.mark_changed(&mut bodies);
    let are_known = std::mem::take(&mut bodies.are_written);
    if are_others || !are_known {
        reader.enlist(&mut bodies);
    }
    if !are_known {
        bodies.mark_all_changed();
    }
    reports.begin();
    reader.read_changed(&mut bodies, half_before, |entity, problem| {
        reports.report(entity, problem, &names, &mut messages);
    });
    reports.forget_mended();
}
