//! The [`App`] of a scene, with a window or without one.

use std::{any::Any, env, num::NonZero, panic, time::Duration};

use bevy::{
    app::{PanicHandlerPlugin, PluginGroupBuilder, ScheduleRunnerPlugin},
    diagnostic::DiagnosticsPlugin,
    input::InputPlugin,
    log::LogPlugin,
    prelude::*,
};
use bevy_impulse_collide::prelude::*;
use bevy_impulse_overlay::{DragSettings, ImpulseOverlayPlugin};

use clap::{Args, Command, FromArgMatches};

use crate::{
    console,
    film::{self, Film, FilmOptions},
    options::RunOptions,
    way_back,
    window::WindowedScenePlugin,
};

/// Present if the app has a window. A scene spawns its camera, lights and meshes only then.
#[derive(Resource, Clone, Copy, Debug)]
pub struct Windowed;

/// Whether `app` has a window. As a run condition, use `resource_exists::<Windowed>`.
pub fn has_window(app: &App) -> bool {
    app.world().contains_resource::<Windowed>()
}

/// Present if the app should have a window, or be filmed in it, and cannot. It says why in one line.
/// [`run_scene`](crate::run_scene) prints the line and runs nothing.
#[derive(Resource, Clone, Debug)]
pub struct NoWindow(pub String);

/// Present if the run is recorded.
#[derive(Resource, Clone, Copy, Debug)]
pub struct Recorded;

/// Steps that the physics made, the one that runs included; a paused world makes none.
#[derive(Resource, Default)]
pub struct StepsMade(pub u64);

/// The app of a scene: physics at the asked rate and, unless it is headless, a window called `title` with the overlay and
/// everything of [`window`](crate::window). Where no window can open, the app has [`NoWindow`] instead.
pub fn scene_app(title: &str, options: &RunOptions) -> App {
    let step = Duration::from_secs_f64(1.0 / options.rate());
    let mut app = if options.headless {
        let mut app = App::new();
        app.add_plugins(LogPlugin::default());
        add_windowless_plugins(&mut app, options.threads);
        app
    } else {
        windowed_app(title, options).unwrap_or_else(|problem| {
            let mut app = App::new();
            add_windowless_plugins(&mut app, None);
            app.insert_resource(NoWindow(problem));
            app
        })
    };
    // A virtual clock that cuts long frames must not cut the only step of one.
    let mut clock = Time::<Virtual>::default();
    clock.set_max_delta(clock.max_delta().max(step));
    // A headless run reads transforms between steps: they must be the step's own, not smoothed ones.
    let physics = ImpulseCollidePlugin {
        interpolate: !options.headless,
    };
    app.add_plugins(physics)
        .insert_resource(clock)
        .insert_resource(Time::<bevy::time::Fixed>::from_duration(step))
        .insert_resource(options.clone())
        .init_resource::<StepsMade>()
        .add_systems(FixedFirst, count_step.run_if(steps_now))
        .add_systems(
            FixedLast,
            close_when_done.run_if(resource_exists::<Windowed>),
        );
    #[cfg(not(target_arch = "wasm32"))]
    if options.record {
        app.add_plugins(bevy_impulse_recorder::RecorderPlugin::default())
            .insert_resource(Recorded);
    }
    app
}

/// Bodies have no parents, and nobody reads a global transform here: to propagate them would wake the other threads.
fn add_windowless_plugins(app: &mut App, threads: Option<NonZero<usize>>) {
    app.add_plugins((
        MinimalPlugins
            .build()
            .disable::<ScheduleRunnerPlugin>()
            .set(task_pools(threads)),
        DiagnosticsPlugin,
        InputPlugin,
    ));
}

/// Task pools with which a step is made by so many threads. The thread that asks for it is one of them.
pub fn task_pools(threads: Option<NonZero<usize>>) -> TaskPoolPlugin {
    let mut pools = TaskPoolPlugin::default();
    if let Some(threads) = threads {
        let compute = &mut pools.task_pool_options.compute;
        compute.min_threads = threads.get() - 1;
        compute.max_threads = threads.get() - 1;
    }
    pools
}

/// An app with a window, the overlay and everything of [`window`](crate::window), or the reason why there is none.
fn windowed_app(title: &str, options: &RunOptions) -> Result<App, String> {
    let film = Film::of(&options.film)?;
    let mut app = window_app(title, DefaultPlugins.build())
        .map_err(|cause| no_window("; add --headless to run without one", &cause))?;
    app.insert_resource(Windowed)
        .insert_resource(DragSettings {
            while_hidden: true,
            ..default()
        })
        .add_plugins((ImpulseOverlayPlugin::default(), WindowedScenePlugin));
    if let Some(film) = film {
        film::add(&mut app, film);
    }
    Ok(app)
}

fn no_window(way_out: &str, cause: &str) -> String {
    format!("no window can open here{way_out} ({cause})")
}

/// A plain Bevy app with these plugins and a window called `title`. The command line says whether it is filmed. Where no window can
/// open, it prints one line that says why: `None`.
pub fn plain_app(title: &str, plugins: PluginGroupBuilder) -> Option<App> {
    let command = FilmOptions::augment_args(Command::new("scene")).about(title.to_owned());
    let options = command
        .try_get_matches_from(console::arguments())
        .and_then(|matches| FilmOptions::from_arg_matches(&matches))
        .unwrap_or_else(|problem| console::exit_with(&problem));
    let built = Film::of(&options).and_then(|film| {
        let mut app = window_app(title, plugins).map_err(|cause| no_window("", &cause))?;
        if let Some(film) = film {
            film::add(&mut app, film);
        }
        Ok(app)
    });
    built
        .inspect_err(|problem| console::tell_error(problem))
        .ok()
}

/// An app with these plugins and a window, or the cause why none can open.
///
/// Without a display or a GPU, Bevy's plugins panic. Nothing can ask winit beforehand: a process may create one event loop only. A
/// probe that connects to the display would cover one backend of one operating system. So this function catches a panic of any
/// cause, and prints nothing.
fn window_app(title: &str, plugins: PluginGroupBuilder) -> Result<App, String> {
    let mut window = Window {
        title: title.to_owned(),
        // These two are for a browser's page.
        canvas: Some("#scene".to_owned()),
        fit_canvas_to_parent: true,
        ..default()
    };
    if let Some(place) = way_back::place() {
        place.give(&mut window);
    }
    let window = WindowPlugin {
        primary_window: Some(window),
        ..default()
    };
    if cfg!(target_arch = "wasm32") {
        // Nothing catches a panic there: the page tells of it.
        let mut app = App::new();
        app.add_plugins(plugins.set(window));
        return Ok(app);
    }
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let built = panic::catch_unwind(panic::AssertUnwindSafe(|| {
        let mut app = App::new();
        // The panic handler may set a hook of its own, so it waits until ours is gone.
        app.add_plugins(plugins.disable::<PanicHandlerPlugin>().set(window));
        app
    }));
    panic::set_hook(hook);
    let mut app = built.map_err(|panic| cause(&*panic))?;
    app.add_plugins(PanicHandlerPlugin);
    if way_back::place().is_some() {
        app.add_plugins(way_back::plugin);
    }
    Ok(app)
}

/// Why no window can open, in one line, from the message of a panic.
fn cause(panic: &(dyn Any + Send)) -> String {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    let displays = ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"];
    if cfg!(target_os = "linux") && !displays.into_iter().any(is_set) {
        return "neither DISPLAY nor WAYLAND_DISPLAY is set".to_owned();
    }
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    let line = text.and_then(|text| text.lines().next());
    line.unwrap_or("the window's plugins panicked").to_owned()
}

/// Steps a second. The clock counts whole nanoseconds: of a rate that these hold to the last digit, it is the rate itself.
pub fn rate(fixed: &Time<bevy::time::Fixed>) -> f64 {
    let rate = fixed.timestep().as_secs_f64().recip();
    let whole = rate.round();
    let is_whole = whole > 0.0 && Duration::from_secs_f64(whole.recip()) == fixed.timestep();
    if is_whole { whole } else { rate }
}

/// Run condition, before the physics of a fixed step: it makes this step.
pub fn steps_now(control: Res<StepControl>) -> bool {
    !control.paused || control.pending_steps > 0
}

fn count_step(mut steps: ResMut<StepsMade>) {
    steps.0 += 1;
}

fn close_when_done(
    steps: Res<StepsMade>,
    options: Res<RunOptions>,
    mut exit: MessageWriter<AppExit>,
) {
    if options.last_step().is_some_and(|last| steps.0 >= last) {
        exit.write(AppExit::Success);
    }
}

#[cfg(test)]
mod tests {
    use bevy::time::Fixed;

    use super::*;

    #[test]
    fn a_whole_rate_is_told_as_it_was_asked_for() {
        for hz in 1..2000 {
            let hz = f64::from(hz);
            let fixed = Time::<Fixed>::from_duration(Duration::from_secs_f64(1.0 / hz));
            assert_eq!(rate(&fixed), hz);
        }
        assert!((rate(&Time::<Fixed>::from_hz(62.5)) - 62.5).abs() < 1e-6);
    }
}
