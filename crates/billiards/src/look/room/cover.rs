//! Covers the view until all that is seen can be drawn: shaders are compiled in the background, and a thing whose shader is not
//! ready is not there yet.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use bevy::{
    prelude::*,
    render::{Render, RenderApp, RenderSystems, render_resource::PipelineCache},
};

/// Frames in a row without a shader that is awaited before the view is shown: a shader may call for the next one.
const QUIET: usize = 3;
/// Seconds in which the cover fades all but 1/e of the way.
const FADE: f32 = 0.15;
/// What it looks like: the room without its lights.
const DARK: Color = Color::srgb(0.035, 0.028, 0.024);

/// Frames in a row in which no shader was awaited. Both worlds hold it.
#[derive(Resource, Clone, Default)]
struct QuietFrames(Arc<AtomicUsize>);

#[derive(Component)]
struct Cover;

pub(super) fn plugin(app: &mut App) {
    let quiet = QuietFrames::default();
    app.insert_resource(quiet.clone())
        .add_systems(Startup, spawn_cover)
        .add_systems(Update, lift_cover);
    if let Some(render) = app.get_sub_app_mut(RenderApp) {
        render
            .insert_resource(quiet)
            .add_systems(Render, count_quiet_frames.in_set(RenderSystems::Cleanup));
    }
}

fn spawn_cover(mut commands: Commands) {
    commands.spawn((
        Name::new("Cover"),
        Cover,
        Node {
            width: percent(100),
            height: percent(100),
            ..default()
        },
        BackgroundColor(DARK),
        GlobalZIndex(-1),
    ));
}

fn count_quiet_frames(quiet: Res<QuietFrames>, pipelines: Res<PipelineCache>) {
    if pipelines.waiting_pipelines().next().is_some() {
        quiet.0.store(0, Ordering::Relaxed);
    } else {
        quiet.0.fetch_add(1, Ordering::Relaxed);
    }
}

fn lift_cover(
    mut commands: Commands,
    quiet: Res<QuietFrames>,
    mut covers: Query<(Entity, &mut BackgroundColor), With<Cover>>,
    time: Res<Time<Real>>,
) {
    for (entity, mut color) in &mut covers {
        if quiet.0.load(Ordering::Relaxed) < QUIET {
            continue;
        }
        let alpha = color.0.alpha() * (-time.delta_secs() / FADE).exp();
        if alpha < 0.02 {
            commands.entity(entity).despawn();
        } else {
            color.0.set_alpha(alpha);
        }
    }
}
