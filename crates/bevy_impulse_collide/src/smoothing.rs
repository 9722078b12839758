//! Smooth transforms between fixed steps, by `bevy_transform_interpolation`.
//!
//! By default every transform is interpolated: a frame shows a moment between the last two steps, up to one step late. A body with
//! [`TransformExtrapolation`] is extrapolated: a frame shows where its velocity leads it from the last step. It is not late. But
//! for up to one step it may be shown inside a wall that it is about to hit.
//!
//! ```
//! # use bevy::prelude::*;
//! # use bevy_impulse_collide::{prelude::*, smoothing::TransformExtrapolation};
//! fn spawn_player(mut commands: Commands) {
//!     commands.spawn((Particle::new(0.5), TransformExtrapolation));
//! }
//! # bevy::ecs::system::assert_is_system(spawn_player);
//! ```
//!
//! Do not extrapolate a body with a [`Pivot`](crate::components::Pivot), nor a child of an entity that is turned or scaled: its
//! velocity is that of another point, or in other axes.
//!
//! Both smooth what is drawn. The fixed schedules always see the true transform, and a step ends in the same bits.
//!
//! # Jumps
//!
//! A jump is shown at once, and not as a streak from the old place to the new one:
//!
//! - [`TeleportTo`](crate::teleport::TeleportTo) works for all bodies, for any distance, and from any schedule.
//! - A `Transform` that you write in `Update`, or in another schedule that runs once a frame, is a jump.
//! - A `Transform` that you write in a fixed schedule (`FixedUpdate`, `FixedLast`, …) is a jump if it takes a ball or a capsule
//!   farther than its bounding radius. A shorter way is smoothed, as it may be a step of a motion. In `FixedFirst`, write after
//!   `TransformEasingSystems::UpdateStart` of `bevy_transform_interpolation`: before it, the smoothing still stands in the
//!   `Transform`.

use bevy::{
    app::{FixedMainScheduleOrder, RunFixedMainLoop, RunFixedMainLoopSystems},
    ecs::{
        query::QueryData,
        schedule::{ScheduleLabel, SingleThreadedExecutor},
        system::SystemChangeTick,
    },
    prelude::*,
};
use bevy_transform_interpolation::{
    LastEasingTick, RotationEasingState, ScaleEasingState, TranslationEasingState, VelocitySource,
    prelude::{
        RotationExtrapolation, RotationInterpolation, TransformExtrapolationPlugin,
        TransformInterpolationPlugin, TranslationExtrapolation, TranslationInterpolation,
    },
    reset_easing_states_on_transform_change,
};

pub use bevy_transform_interpolation::{
    NoTransformEasing,
    prelude::{TransformExtrapolation, TransformInterpolation},
};

use crate::{
    body::Bodies,
    components::{AngularVelocity, Capsule, LinearVelocity, MovedByTransform, Particle},
    schedule::Gather,
};

/// Tells the extrapolation the velocity of a body.
#[derive(QueryData)]
pub struct LinearSource;

impl VelocitySource for LinearSource {
    type Previous = LinearVelocity;
    type Current = LinearVelocity;

    fn previous(velocity: &LinearVelocity) -> Vec3 {
        velocity.0
    }

    fn current(velocity: &LinearVelocity) -> Vec3 {
        velocity.0
    }
}

/// Tells the extrapolation the angular velocity of a body.
#[derive(QueryData)]
pub struct AngularSource;

impl VelocitySource for AngularSource {
    type Previous = AngularVelocity;
    type Current = AngularVelocity;

    fn previous(velocity: &AngularVelocity) -> Vec3 {
        velocity.0
    }

    fn current(velocity: &AngularVelocity) -> Vec3 {
        velocity.0
    }
}

/// Smooths all transforms between steps.
///
/// The next fixed step replaces a smoothed `Transform` by the true one. A `Transform` that a user sets outside the fixed schedules
/// must not be replaced. So the library's own check for such changes runs once more, before the step.
pub(crate) fn add_smoothing(app: &mut App) {
    if !app.is_plugin_added::<TransformInterpolationPlugin>() {
        app.add_plugins(TransformInterpolationPlugin::interpolate_all());
    }
    type Extrapolation = TransformExtrapolationPlugin<LinearSource, AngularSource>;
    if !app.is_plugin_added::<Extrapolation>() {
        app.add_plugins(Extrapolation::default());
    }
    // What is extrapolated is not interpolated too.
    app.add_observer(replace::<TranslationExtrapolation, TranslationInterpolation>)
        .add_observer(replace::<RotationExtrapolation, RotationInterpolation>)
        .add_systems(
            RunFixedMainLoop,
            reset_easing_states_on_transform_change
                .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop)
                .run_if(resource_exists::<LastEasingTick>),
        )
        .add_systems(Gather, show_jumps_before_step)
        .init_schedule(AfterFixedLast)
        .edit_schedule(AfterFixedLast, |schedule| {
            schedule.set_executor(SingleThreadedExecutor::new());
        })
        .add_systems(AfterFixedLast, show_jumps_after_step);
    app.world_mut()
        .get_resource_or_init::<FixedMainScheduleOrder>()
        .insert_after(FixedLast, AfterFixedLast);
}

/// Runs after [`FixedLast`]: no `Transform` changes any more in this fixed step.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct AfterFixedLast;

/// The states of a body's smoothing.
#[derive(QueryData)]
#[query_data(mutable)]
struct Easing {
    translation: &'static mut TranslationEasingState,
    rotation: Option<&'static mut RotationEasingState>,
    scale: Option<&'static mut ScaleEasingState>,
}

impl EasingItem<'_, '_> {
    /// Shows the body where its `Transform` is.
    fn end(&mut self) {
        *self.translation = default();
        if let Some(rotation) = &mut self.rotation {
            **rotation = default();
        }
        if let Some(scale) = &mut self.scale {
            **scale = default();
        }
    }
}

/// The size of a ball or a capsule.
type Size = (Option<&'static Particle>, Option<&'static Capsule>);

/// Whether it has moved by more than its bounding radius.
fn is_jump((ball, capsule): (Option<&Particle>, Option<&Capsule>), way: Vec3, scale: f32) -> bool {
    let of_ball = ball.map_or(0.0, |ball| ball.radius);
    let of_capsule = capsule.map_or(0.0, |capsule| capsule.radius + 0.5 * capsule.length);
    way.length_squared() > (of_ball.max(of_capsule) * scale).powi(2)
}

/// What is smoothed, and does not follow its `Transform`.
type Jumps = (
    Or<(With<Particle>, With<Capsule>)>,
    Without<MovedByTransform>,
);

/// Before the step: shows at once what a user has moved since the start of the fixed schedules.
fn show_jumps_before_step(mut query: Query<(&Transform, Size, Easing), Jumps>) {
    for (transform, size, mut easing) in &mut query {
        if let Some(start) = easing.translation.start
            && is_jump(size, transform.translation - start, transform.scale.x)
        {
            easing.end();
        }
    }
}

/// After the fixed schedules: shows at once what a user has moved since the step.
fn show_jumps_after_step(
    mut query: Query<(Entity, Ref<Transform>, Size, Easing), (Jumps, Without<ChildOf>)>,
    bodies: Res<Bodies>,
    tick: SystemChangeTick,
) {
    for (entity, transform, size, mut easing) in &mut query {
        let changed = transform.last_changed();
        if !changed.is_newer_than(bodies.written_at, tick.this_run()) {
            continue;
        }
        let Some(i) = bodies.index_of(entity) else {
            continue;
        };
        let mut way = transform.translation - bodies.shown_position(i);
        if bodies.flat {
            // The z of a flat world is for drawing.
            way.z = 0.0;
        }
        if is_jump(size, way, transform.scale.x) {
            easing.end();
        }
    }
}

/// Shows an entity where its `Transform` is.
pub(crate) fn end_easing(entity: &mut EntityWorldMut) {
    if let Some(mut easing) = entity.get_mut::<TranslationEasingState>() {
        *easing = default();
    }
    if let Some(mut easing) = entity.get_mut::<RotationEasingState>() {
        *easing = default();
    }
    if let Some(mut easing) = entity.get_mut::<ScaleEasingState>() {
        *easing = default();
    }
}

/// Takes the smoothing out of the `Transform` of an entity. Between two fixed steps it is the end of an interpolation, or the start
/// of an extrapolation, that is true. What a user has written since the last frame was smoothed is true as it is.
pub(crate) fn undo_easing(world: &World, entity: EntityRef, transform: &mut Transform) {
    let Some(time) = world.get_resource::<Time<Fixed>>() else {
        return;
    };
    let part = time.overstep_fraction();
    if let Some(&TranslationEasingState { start, end }) = entity.get()
        && let (Some(start), Some(end)) = (start, end)
        && transform.translation == start.lerp(end, part)
    {
        let is_extrapolated = entity.contains::<TranslationExtrapolation>();
        transform.translation = if is_extrapolated { start } else { end };
    }
    if let Some(&RotationEasingState { start, end }) = entity.get()
        && let (Some(start), Some(end)) = (start, end)
        && transform.rotation == start.slerp(end, part)
    {
        let is_extrapolated = entity.contains::<RotationExtrapolation>();
        transform.rotation = if is_extrapolated { start } else { end };
    }
    if let Some(&ScaleEasingState { start, end }) = entity.get()
        && let (Some(start), Some(end)) = (start, end)
        && transform.scale == start.lerp(end, part)
    {
        transform.scale = end;
    }
}

fn replace<New: Component, Old: Component>(added: On<Add, New>, mut commands: Commands) {
    commands.entity(added.entity).try_remove::<Old>();
}
