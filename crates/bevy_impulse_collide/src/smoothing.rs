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

use bevy::{
    app::{RunFixedMainLoop, RunFixedMainLoopSystems},
    ecs::query::QueryData,
    prelude::*,
};
use bevy_transform_interpolation::{
    LastEasingTick, VelocitySource,
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

use crate::components::{AngularVelocity, LinearVelocity};

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
        );
}

fn replace<New: Component, Old: Component>(added: On<Add, New>, mut commands: Commands) {
    commands.entity(added.entity).try_remove::<Old>();
}
