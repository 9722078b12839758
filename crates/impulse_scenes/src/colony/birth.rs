//! Daughters get their ids and their divisions.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use scene_kit::RunOptions;

use super::{cell::Cell, course::Course};

/// Gives daughters their ids and their divisions. Mothers are sorted by their ids, so that the order of the messages does not
/// matter.
pub(super) fn name_daughters(
    mut divided: MessageReader<Divided>,
    mut cells: Query<(&mut Cell, &mut Division)>,
    mut course: ResMut<Course>,
    run: Res<RunOptions>,
) {
    let mut mothers: Vec<_> = divided
        .read()
        .filter_map(|&daughters| Some((*cells.get(daughters.first).ok()?.0, daughters)))
        .collect();
    mothers.sort_by_key(|(mother, _)| mother.id);
    for (mother, Divided { first, second }) in mothers {
        course.divisions += 1;
        for (entity, is_second) in [(first, false), (second, true)] {
            let daughter = mother.daughter(course.next_id(), is_second);
            if let Ok((mut cell, mut division)) = cells.get_mut(entity) {
                *cell = daughter;
                *division = daughter.division(&run);
            }
        }
    }
}
