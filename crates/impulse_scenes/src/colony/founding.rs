//! The first cell.

use bevy::prelude::*;
use scene_kit::RunOptions;

use super::{cell, course::Course, options::ColonyOptions, walls};

/// Puts up the walls, and the first cell between them.
pub(super) fn found(
    mut commands: Commands,
    mut course: ResMut<Course>,
    options: Res<ColonyOptions>,
    run: Res<RunOptions>,
) {
    *course = Course::default();
    for wall in walls::planes(&options) {
        commands.spawn(wall);
    }
    commands.spawn(cell::founder(&run, course.next_id(), options.inertia));
}
