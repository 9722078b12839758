//! The [`App`] of a scene, with a window or without one, and how it runs.

use std::{
    io::stdout,
    time::{Duration, Instant},
};

use bevy::{
    app::{PluginsState, ScheduleRunnerPlugin},
    diagnostic::DiagnosticsPlugin,
    ecs::schedule::{Schedules, SingleThreadedExecutor},
    input::InputPlugin,
    log::LogPlugin,
    math::DVec3,
    prelude::*,
    tasks::tick_global_task_pools_on_main_thread,
    time::TimeUpdateStrategy,
};
use bevy_impulse_collide::{Fixed, prelude::*};
use bevy_impulse_overlay::ImpulseOverlayPlugin;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::{
    options::RunOptions,
    report::{Report, StepMs, open_report},
    window::WindowedScenePlugin,
};

/// Present if the app has a window. A scene spawns its camera, lights and meshes only then.
#[derive(Resource, Clone, Copy, Debug)]
pub struct Windowed;

/// Whether `app` has a window. As a run condition, use `resource_exists::<Windowed>`.
pub fn has_window(app: &App) -> bool {
    app.world().contains_resource::<Windowed>()
}

/// Steps that the physics made, the one that runs included; a paused world makes none.
#[derive(Resource, Default)]
pub(crate) struct StepsMade(pub u64);

/// What a scene inserts in a step of a headless run whose end the report's `start` shall tell of, because it brought
/// something into the world from outside.
#[derive(Resource, Default)]
pub(crate) struct MeasureStart;

/// The app of a scene: physics at the asked rate and, unless it is headless, a window called `title` with the overlay and
/// everything of [`window`](crate::window).
pub fn scene_app(title: &str, options: &RunOptions) -> App {
    let mut app = App::new();
    let step = Duration::from_secs_f64(1.0 / options.rate());
    if options.headless {
        // Bodies have no parents, and nobody reads a global transform here: to propagate them would wake the other threads.
        app.add_plugins((
            MinimalPlugins.build().disable::<ScheduleRunnerPlugin>(),
            LogPlugin::default(),
            DiagnosticsPlugin,
            InputPlugin,
        ));
    } else {
        let window = Window {
            title: title.to_owned(),
            ..default()
        };
        app.add_plugins(DefaultPlugins.set(WindowPlugin {
            primary_window: Some(window),
            ..default()
        }))
        .insert_resource(Windowed)
        .add_plugins((ImpulseOverlayPlugin::default(), WindowedScenePlugin));
    }
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
    app
}

/// Run condition, before the physics of a fixed step: it makes this step.
pub(crate) fn steps_now(control: Res<StepControl>) -> bool {
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

/// Runs a scene: in its window until that is closed, or headless for `--seconds` and then reports. A headless scene that
/// exits with success before then is reported as well.
///
/// `extra` measures what only this scene knows; it is flattened into the report.
pub fn run_scene<E: Serialize>(
    mut app: App,
    scene: &str,
    options: &RunOptions,
    extra: impl FnOnce(&mut World) -> E,
) -> AppExit {
    if !options.headless {
        return app.run();
    }
    match run_headless(&mut app, scene, options, extra) {
        Ok(exit) => exit,
        Err(problem) => {
            eprintln!("error: {problem}");
            AppExit::error()
        }
    }
}

fn run_headless<E: Serialize>(
    app: &mut App,
    scene: &str,
    options: &RunOptions,
    extra: impl FnOnce(&mut World) -> E,
) -> Result<AppExit, String> {
    let file = open_report(options)?;
    start(app);
    let mut start = measure(app.world_mut())?;
    let most = options.last_step().unwrap_or_default();
    let mut steps = 0;
    let mut step_ms = Vec::new();
    let mut scale = start.angular_momentum_scale;
    let progress = progress_bar(most);
    while steps < most {
        let began = Instant::now();
        app.update();
        step_ms.push(1e3 * began.elapsed().as_secs_f64());
        steps += 1;
        progress.inc(1);
        if app.world_mut().remove_resource::<MeasureStart>().is_some() {
            start = measure(app.world_mut())?;
            scale = start.angular_momentum_scale;
        }
        let scale_now = app
            .world_mut()
            .run_system_cached(angular_momentum_scale)
            .map_err(|problem| format!("cannot measure the world: {problem}"))?;
        scale = scale.max(scale_now);
        match app.should_exit() {
            Some(exit @ AppExit::Error(_)) => return Ok(exit),
            Some(AppExit::Success) => break,
            None => {}
        }
    }
    progress.finish_and_clear();
    let made = app.world().resource::<StepsMade>().0;
    if made != steps {
        return Err(format!(
            "the physics made {made} steps of {steps}: the scene paused it"
        ));
    }

    let end = measure(app.world_mut())?;
    let extra = extra(app.world_mut());
    let dt = app
        .world()
        .resource::<Time<bevy::time::Fixed>>()
        .timestep()
        .as_secs_f64();
    let seconds = steps as f64 / options.rate();
    let step_ms = StepMs::of(step_ms);
    let report = Report::new(scene, seconds, dt, step_ms, &start, &end, scale, extra);
    let written = match file {
        Some(mut file) => report.write(&mut file),
        None => report.summarize(&mut stdout()),
    };
    written.map_err(|problem| format!("cannot write the report: {problem}"))?;
    Ok(AppExit::Success)
}

/// Starts an app that has no window: from then on each update is one fixed step.
///
/// Startup runs in an update in which no time passes: the world is as it was spawned.
pub(crate) fn start(app: &mut App) {
    while app.plugins_state() == PluginsState::Adding {
        tick_global_task_pools_on_main_thread();
    }
    app.finish();
    app.cleanup();
    // A step's systems wait for each other anyway, and the large ones share their work out themselves: to hand each to a thread
    // takes longer than a small scene's step.
    let mut schedules = app.world_mut().resource_mut::<Schedules>();
    for (_, schedule) in schedules.iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    app.update();
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
}

fn measure(world: &mut World) -> Result<Measurement, String> {
    world
        .run_system_cached(|measure: Measure| measure.measure())
        .map_err(|problem| format!("cannot measure the world: {problem}"))
}

/// [`Measurement::angular_momentum_scale`], cheap enough for each step.
fn angular_momentum_scale(
    bodies: Query<(&Mass, &Transform, &LinearVelocity), (Without<Plane>, Without<Fixed>)>,
) -> f64 {
    let (mut mass, mut center, mut drift) = (0.0, DVec3::ZERO, DVec3::ZERO);
    let moving = || {
        bodies.iter().map(|(mass, transform, velocity)| {
            let (x, v) = (transform.translation.as_dvec3(), velocity.as_dvec3());
            (f64::from(mass.0), x, v)
        })
    };
    for (m, x, v) in moving() {
        mass += m;
        center += m * x;
        drift += m * v;
    }
    moving()
        .map(|(m, x, v)| m * (x - center / mass).length() * (v - drift / mass).length())
        .sum()
}

/// On a terminal only; elsewhere it draws nothing.
pub(crate) fn progress_bar(steps: u64) -> ProgressBar {
    let bar = ProgressBar::new(steps);
    if let Ok(style) =
        ProgressStyle::with_template("{wide_bar} {pos}/{len} steps, {per_sec}, {eta} left")
    {
        bar.set_style(style);
    }
    bar
}

#[cfg(test)]
mod tests {
    use std::{error::Error, fs};

    use serde_json::Value;

    use super::*;

    #[derive(Serialize)]
    struct Height {
        height: f32,
    }

    #[test]
    fn headless_run_makes_the_steps_asked_for_and_reports() -> Result<(), Box<dyn Error>> {
        let path =
            std::env::temp_dir().join(format!("impulse_demo_report_{}.json", std::process::id()));
        let options = RunOptions {
            headless: true,
            seconds: Some(0.5),
            hz: Some(50.0),
            report: Some(path.clone()),
            ..default()
        };
        let mut app = scene_app("Two balls", &options);
        app.add_systems(Startup, |mut commands: Commands| {
            commands.spawn((Particle::new(0.5), Transform::from_xyz(0.0, 4.0, 0.0)));
            commands.spawn((Particle::new(0.5), Transform::from_xyz(3.0, 4.0, 0.0)));
        });
        let exit = run_scene(app, "two_balls", &options, |world| {
            let height = world
                .query::<&Transform>()
                .iter(world)
                .map(|transform| transform.translation.y)
                .sum();
            Height { height }
        });
        assert!(exit.is_success());

        let report: Value = serde_json::from_str(&fs::read_to_string(&path)?)?;
        fs::remove_file(&path)?;
        let keys: Vec<_> = report
            .as_object()
            .into_iter()
            .flat_map(|map| map.keys())
            .collect();
        let wanted = [
            "scene",
            "seconds",
            "dt",
            "bodies",
            "step_ms",
            "energy",
            "momentum",
            "angular_momentum",
            "overlap",
            "contacts",
            "state_hash",
            "height",
        ];
        for key in wanted {
            assert!(report.get(key).is_some(), "{key} is missing in {keys:?}");
        }
        assert_eq!(keys.len(), wanted.len());
        assert_eq!(report["seconds"], 0.5);
        assert_eq!(report["bodies"], 2);
        // After exactly 25 steps both have fallen g·t²/2, as leapfrog is exact in a uniform field.
        let fallen = 4.0 - report["height"].as_f64().unwrap_or_default() / 2.0;
        assert!((fallen - 0.5 * 9.81 * 0.25).abs() < 1e-4, "fell {fallen} m");
        Ok(())
    }
}
