//! Boulders that the player throws.

use bevy::prelude::*;
use scene_kit::RunOptions;

use crate::{
    gathering::view::{
        measured::Measured,
        tail::{Aim, TailLook},
    },
    rubble::{cloud::Clouds, comet::throw, options::RubbleOptions},
};

/// Throws a boulder at the pile from the side on which the pointer is.
pub(super) fn throw_boulder(
    mut commands: Commands,
    mut clouds: ResMut<Clouds>,
    aim: Aim,
    heap: Res<Measured>,
    (options, run): (Res<RubbleOptions>, Res<RunOptions>),
    tail: Res<TailLook>,
    time: Res<Time>,
) {
    if heap.core.radius90 <= 0.0 {
        return;
    }
    let course = aim.course(heap.core.center.as_vec3(), false);
    let mut rng = clouds.rng(&run);
    let pile = (&heap.core, &*options);
    let now = time.elapsed_secs_f64();
    let (boulder, comet) = throw(&mut commands, &mut rng, pile, course, now);
    // A boulder is not as thick as it is long.
    commands.spawn(tail.tail(boulder, 0.7 * comet.radius as f32));
}
