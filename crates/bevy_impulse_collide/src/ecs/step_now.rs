//! The parts of a step, and a step at a moment that the caller chooses.

use std::time::Duration;

use bevy::{ecs::system::ScheduleSystem, prelude::*};

use crate::{
    body::Bodies,
    config::{CollisionConfig, StepControl},
    schedule::{AfterStep, BeforeStep, Gather, ImpulseStep, PairHooks, WriteBack},
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

/// Reads the components.
pub(crate) fn run_gather(world: &mut World) {
    // No schedule, no watcher.
    let _ = world.try_run_schedule(BeforeStep);
    world.run_schedule(Gather);
}

/// Writes the components and the messages.
pub(crate) fn run_write_back(world: &mut World) {
    world.run_schedule(WriteBack);
}

/// Tells the watchers that a step is over.
pub(crate) fn tell_after_step(world: &mut World) {
    let _ = world.try_run_schedule(AfterStep);
}

/// The number of the crate's own systems in [`ImpulseStep`].
#[derive(Resource, Default)]
struct OwnSystems(usize);

/// Adds one system to [`ImpulseStep`] that does not count as a user's: it leaves sleeping bodies alone.
pub(crate) fn add_own_system<M>(
    app: &mut App,
    system: impl IntoScheduleConfigs<ScheduleSystem, M>,
) {
    app.add_systems(ImpulseStep, system);
    app.world_mut().get_resource_or_init::<OwnSystems>().0 += 1;
}

/// The systems that are there now are the crate's own.
pub(crate) fn count_own_systems(app: &mut App) {
    let own = count_systems(app.world().resource::<Schedules>());
    app.insert_resource(OwnSystems(own));
}

fn count_systems(schedules: &Schedules) -> usize {
    let step = schedules.get(ImpulseStep);
    step.map_or(0, Schedule::systems_len)
}

/// Whether the step runs systems of a user's: fields, or others in [`ImpulseStep`] or [`PairHooks`].
///
/// What these do is in no saved world: another app steps to the same bits only with the same systems.
pub fn runs_users_systems(world: &World) -> bool {
    let hooks = world.resource::<Schedules>().get(PairHooks);
    has_users_systems(world) || hooks.is_some_and(|hooks| hooks.systems_len() > 0)
}

/// Whether [`ImpulseStep`] has systems of a user's.
fn has_users_systems(world: &World) -> bool {
    let own = world.get_resource::<OwnSystems>().map_or(0, |own| own.0);
    count_systems(world.resource::<Schedules>()) > own
}

/// Runs the substeps.
pub(crate) fn run_substeps(world: &mut World) {
    // A user's system may read and change sleeping bodies.
    let has_others = has_users_systems(world);
    for _ in 0..world.resource::<CollisionConfig>().substeps {
        let mut bodies = world.resource_mut::<Bodies>();
        bodies.begin_substep();
        if has_others {
            bodies.activate_all();
        }
        world.run_schedule(ImpulseStep);
    }
    world.resource_mut::<Bodies>().arrive();
}
