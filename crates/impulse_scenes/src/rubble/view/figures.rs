//! The figures of the pile: in the line at the top, and for the panel.

use bevy::{prelude::*, time::common_conditions::on_real_timer};
use scene_kit::window::StatusLine;
use std::{f64::consts::TAU, time::Duration};

use crate::{
    gathering::view::measured::Measured,
    rubble::pile::{FindPile, Pile},
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<PileNow>().add_systems(
        Update,
        find.run_if(on_real_timer(Duration::from_millis(400))),
    );
}

/// The largest pile, some moments ago.
#[derive(Resource, Default)]
pub(super) struct PileNow(pub Pile);

fn find(
    find: FindPile,
    heap: Res<Measured>,
    mut now: ResMut<PileNow>,
    mut status: ResMut<StatusLine>,
) {
    now.0 = find.pile();
    let Pile {
        boulders, share, ..
    } = now.0;
    let all = (boulders as f64 / share.max(f64::MIN_POSITIVE)).round();
    let turn = TAU / heap.core.omega.max(f64::MIN_POSITIVE);
    let line = match now.0.is_one() {
        true if turn > 1e4 => format!("{boulders} of {all} boulders lie in one pile"),
        true => {
            format!("{boulders} of {all} boulders lie in one pile, which turns once in {turn:.0} s")
        }
        false => format!("{all} boulders fall together"),
    };
    status.set_if_neq(StatusLine(line));
}
