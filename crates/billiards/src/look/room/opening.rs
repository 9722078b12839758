//! Opens the window when all that is seen can be drawn. Shaders are compiled in the background: in the first frames, things whose
//! shader is not ready are missing.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use bevy::{
    prelude::*,
    render::{Render, RenderApp, RenderSystems, render_resource::PipelineCache},
    window::PrimaryWindow,
};

/// Frames in a row in which no shader is awaited before the window opens: a shader may call for the next one.
const QUIET: usize = 2;
/// The window opens after so many seconds, come what may.
const PATIENCE: f32 = 10.0;

/// Frames in a row in which no shader was awaited. The game's world and the renderer's share it.
#[derive(Resource, Clone, Default)]
struct QuietFrames(Arc<AtomicUsize>);

pub(super) fn plugin(app: &mut App) {
    let world = app.world_mut();
    let mut windows = world.query_filtered::<&mut Window, With<PrimaryWindow>>();
    for mut window in windows.iter_mut(world) {
        window.visible = false;
    }
    let quiet = QuietFrames::default();
    app.insert_resource(quiet.clone())
        .add_systems(Update, open_window.run_if(window_is_closed));
    if let Some(render) = app.get_sub_app_mut(RenderApp) {
        render
            .insert_resource(quiet)
            .add_systems(Render, count_quiet_frames.in_set(RenderSystems::Cleanup));
    }
}

fn count_quiet_frames(quiet: Res<QuietFrames>, shaders: Res<PipelineCache>) {
    if shaders.waiting_pipelines().next().is_some() {
        quiet.0.store(0, Ordering::Relaxed);
    } else {
        quiet.0.fetch_add(1, Ordering::Relaxed);
    }
}

fn window_is_closed(window: Single<&Window, With<PrimaryWindow>>) -> bool {
    !window.visible
}

fn open_window(
    mut window: Single<&mut Window, With<PrimaryWindow>>,
    quiet: Res<QuietFrames>,
    time: Res<Time<Real>>,
) {
    window.visible = quiet.0.load(Ordering::Relaxed) >= QUIET || time.elapsed_secs() > PATIENCE;
}
