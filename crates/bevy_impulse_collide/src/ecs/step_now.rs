//! A step at a moment that the caller chooses.

use std::time::Duration;

use bevy::prelude::*;

use crate::{
    config::StepControl,
    plugin::{run_gather, run_substeps, run_write_back},
};

/// Makes one step of the physics now, of this length: for rollback, for tools, and for worlds without a clock. A length of zero
/// makes no step.
///
/// Set [`StepControl::paused`] first, if the physics shall not step by itself in [`FixedPostUpdate`] too. A world without the
/// physics stays as it is. Do not call it inside [`FixedPostUpdate`], nor in a system of the step.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// # use std::time::Duration;
/// fn look_ahead(world: &mut World) {
///     for _ in 0..10 {
///         bevy_impulse_collide::step(world, Duration::from_secs_f64(1.0 / 60.0));
///     }
/// }
/// # bevy::ecs::system::assert_is_system(look_ahead);
/// ```
pub fn step(world: &mut World, length: Duration) {
    if length.is_zero() {
        return;
    }
    let Some(mut control) = world.get_resource_mut::<StepControl>() else {
        return;
    };
    // A paused world counts its steps down.
    if control.paused {
        control.pending_steps = control.pending_steps.saturating_add(1);
    }
    let mut clock = world.get_resource_or_init::<Time>();
    let before = *clock;
    clock.advance_by(length);
    run_gather(world);
    run_substeps(world);
    run_write_back(world);
    world.insert_resource(before);
}
