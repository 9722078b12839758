//! How a scene runs: in its window, or without one as fast as it can, and then it reports.

use std::time::Duration;

use bevy::{
    app::PluginsState,
    ecs::schedule::{Schedules, SingleThreadedExecutor},
    math::DVec3,
    platform::time::Instant,
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_impulse_collide::prelude::*;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::{
    app::{NoWindow, StepsMade},
    console,
    options::RunOptions,
    report::{Report, StepMs, open_report},
};

/// A scene inserts this in a step of a headless run in which it brought something into the world from outside. The report's `start`
/// then describes the end of that step.
#[derive(Resource, Default)]
pub struct MeasureStart;

/// Energy in J that the physics does not know of, such as that of a scene's springs. The report adds it to the energy.
#[derive(Resource, Clone, Copy)]
pub struct PotentialEnergy(pub fn(&mut World) -> f64);

/// Runs a scene: in its window until that is closed, or headless for `--seconds` and then reports. A headless scene that
/// exits with success before then is reported as well. Where no window can open, it prints one line that names `--headless`, and
/// fails. A film whose file cannot be written is such a line too.
///
/// `extra` makes the scene's own measurements; they are flattened into the report.
pub fn run_scene<E: Serialize>(
    mut app: App,
    scene: &str,
    options: &RunOptions,
    extra: impl FnOnce(&mut World) -> E,
) -> AppExit {
    let done = match app.world().get_resource::<NoWindow>() {
        Some(NoWindow(problem)) => Err(problem.clone()),
        None if !options.headless => return app.run(),
        None => run_headless(&mut app, scene, options, extra),
    };
    done.unwrap_or_else(|problem| {
        console::tell_error(&problem);
        AppExit::error()
    })
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
    let progress = progress_bar(most, "steps");
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
        None => report.summarize(&mut console::output()),
    };
    written.map_err(|problem| format!("cannot write the report: {problem}"))?;
    Ok(AppExit::Success)
}

/// Starts an app that has no window: from then on each update is one fixed step.
///
/// Startup runs in an update in which no time passes: the world is as it was spawned.
pub fn start(app: &mut App) {
    while app.plugins_state() == PluginsState::Adding {
        // A page has no threads that wait for this one.
        #[cfg(not(target_arch = "wasm32"))]
        bevy::tasks::tick_global_task_pools_on_main_thread();
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
    let mut measured = world
        .run_system_cached(|measure: Measure| measure.measure())
        .map_err(|problem| format!("cannot measure the world: {problem}"))?;
    if let Some(PotentialEnergy(of)) = world.get_resource().copied() {
        measured.potential_energy += of(world);
    }
    Ok(measured)
}

/// [`Measurement::angular_momentum_scale`], cheap enough for each step.
fn angular_momentum_scale(
    bodies: Query<
        (
            Entity,
            &RigidBody,
            &Mass,
            &Transform,
            &LinearVelocity,
            Has<ChildOf>,
        ),
        Or<(With<Particle>, With<Capsule>, With<Compound>)>,
    >,
    parents: Query<&ChildOf>,
    compounds: Query<(), With<Compound>>,
) -> f64 {
    let (mut mass, mut center, mut drift) = (0.0, DVec3::ZERO, DVec3::ZERO);
    let moving = || {
        // Not `kind.is_dynamic()`: of a reference, that is the method of Bevy's reflection.
        let dynamic = bodies
            .iter()
            .filter(|(_, kind, ..)| matches!(kind, RigidBody::Dynamic));
        let wholes = dynamic.filter(|&(entity, .., has_parent)| {
            // A part counts in its compound.
            let mut above = parents.iter_ancestors(entity);
            !has_parent || !above.any(|parent| compounds.contains(parent))
        });
        wholes.map(|(_, _, mass, transform, velocity, _)| {
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

/// A progress bar of so many `steps`, or whatever is done. It draws on a terminal only.
pub fn progress_bar(count: u64, what: &'static str) -> ProgressBar {
    let bar = ProgressBar::new(count).with_message(what);
    if let Ok(style) =
        ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg}, {per_sec}, {eta} left")
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
    use crate::app::{has_window, scene_app};

    #[derive(Serialize)]
    struct Height {
        height: f32,
    }

    #[test]
    fn headless_run_makes_the_steps_asked_for_and_reports() -> Result<(), Box<dyn Error>> {
        let path =
            std::env::temp_dir().join(format!("scene_kit_report_{}.json", std::process::id()));
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

    #[test]
    fn the_energy_that_a_scene_states_is_in_the_report() {
        let options = RunOptions {
            headless: true,
            ..default()
        };
        let mut app = scene_app("Springs", &options);
        app.insert_resource(PotentialEnergy(|_| 3.0));
        start(&mut app);
        assert_eq!(measure(app.world_mut()).unwrap().energy(), 3.0);
    }

    /// Two bodies of 1 kg at 1 m from their centre of mass, with 1 m/s across: Σ m·|x|·|v| = 2 kg·m²/s.
    #[test]
    fn the_scale_of_the_angular_momentum_is_that_of_the_moving_bodies() {
        let options = RunOptions {
            headless: true,
            hz: Some(1000.0),
            ..default()
        };
        let mut app = scene_app("Two balls", &options);
        app.insert_resource(Gravity::ZERO)
            .add_systems(Startup, |mut commands: Commands| {
                let place = |side: f32| {
                    (
                        LinearVelocity(Vec3::Z * side),
                        Transform::from_xyz(side, 0.0, 0.0),
                    )
                };
                commands.spawn((Particle::new(0.1), place(-1.0)));
                commands.spawn((
                    Compound,
                    place(1.0),
                    children![
                        (
                            Particle::new(0.1),
                            Mass(0.5),
                            Transform::from_xyz(0.0, 0.2, 0.0)
                        ),
                        (
                            Particle::new(0.1),
                            Mass(0.5),
                            Transform::from_xyz(0.0, -0.2, 0.0)
                        ),
                    ],
                ));
                let belt = (RigidBody::Kinematic, LinearVelocity(Vec3::X));
                commands.spawn((Particle::new(0.1), belt, Transform::from_xyz(0.0, 9.0, 0.0)));
            });
        start(&mut app);
        app.update();
        let world = app.world_mut();
        let scale = world.run_system_cached(angular_momentum_scale).unwrap();
        let measured = measure(world).unwrap().angular_momentum_scale;
        for scale in [scale, measured] {
            assert!((scale - 2.0).abs() < 1e-5, "{scale}");
        }
    }

    #[test]
    fn a_scene_that_cannot_open_its_window_fails_and_names_the_way_out() {
        // No event loop starts outside of the main thread, with a display or without one.
        let without_window = || {
            let options = RunOptions::default();
            let app = scene_app("Nowhere", &options);
            assert!(!has_window(&app));
            let problem = app.world().get_resource::<NoWindow>().cloned();
            (problem, run_scene(app, "nowhere", &options, |_| ()))
        };
        let (problem, exit) = std::thread::spawn(without_window).join().unwrap();
        let line = problem.unwrap().0;
        assert!(line.contains("--headless"), "{line}");
        assert_eq!(line.lines().count(), 1, "{line}");
        assert!(exit.is_error());
    }
}
