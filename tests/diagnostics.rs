//! The numbers in Bevy's `DiagnosticsStore` agree with the world and with each other.

use std::time::Duration;

use bevy::{
    diagnostic::{Diagnostic, DiagnosticPath, DiagnosticsStore},
    platform::time::Instant,
    prelude::*,
};
use bevy_impulse_collide::{collision::BroadPhase, prelude::*};
use laws::*;

type Paths = ImpulseDiagnosticsPlugin;

const STAGES: [DiagnosticPath; 6] = [
    Paths::GRAVITY,
    Paths::HALF_STEP_CORRECTION,
    Paths::IMPULSE_JOLT,
    Paths::CONTACT,
    Paths::INTEGRATE,
    Paths::PROJECTION,
];
const COUNTS: [DiagnosticPath; 5] = [
    Paths::BODIES,
    Paths::SLEEPING,
    Paths::PAIRS,
    Paths::CONTACTS,
    Paths::IMPACTS,
];

fn diagnostic(app: &App, path: DiagnosticPath) -> &Diagnostic {
    let store = app.world().resource::<DiagnosticsStore>();
    store.get(&path).expect("the plugin registers it")
}

fn value(app: &App, path: DiagnosticPath) -> f64 {
    diagnostic(app, path).value().expect("a step was made")
}

/// Balls of several heights fall on a floor with the earth's gravity, in `substeps` substeps.
fn falling_balls(substeps: u32) -> App {
    let mut app = app_with_gravity(60.0);
    app.add_plugins(ImpulseDiagnosticsPlugin);
    app.world_mut().resource_mut::<CollisionConfig>().substeps = substeps;
    app.world_mut().spawn(Plane::new(Vec3::Y));
    for i in 0..40 {
        let place = Vec3::new((i % 3) as f32, 0.5 + 0.7 * i as f32, 0.0);
        let place = Transform::from_translation(place);
        app.world_mut()
            .spawn((Particle::new(0.3), Friction(0.3), place));
    }
    app
}

#[test]
fn the_parts_of_a_step_take_no_longer_than_the_step() {
    for substeps in [1, 3] {
        let mut app = falling_balls(substeps);
        for _ in 0..60 {
            app.update();
            let stages = STAGES.map(|path| value(&app, path));
            let [gather, write_back] =
                [Paths::GATHER, Paths::WRITE_BACK].map(|path| value(&app, path));
            assert!(stages.iter().all(|&time| time > 0.0));
            assert!(gather > 0.0 && write_back > 0.0);
            let parts = gather + stages.iter().sum::<f64>() + write_back;
            // The sum of nine numbers is rounded.
            assert!(parts <= value(&app, Paths::STEP) * (1.0 + 1e-12));
        }
    }
}

#[test]
fn a_stage_takes_as_long_as_its_systems_in_all_substeps() {
    /// How long the system below took in this step.
    #[derive(Resource, Default)]
    struct Taken(Duration);

    fn work(mut taken: ResMut<Taken>) {
        let start = Instant::now();
        std::thread::sleep(Duration::from_millis(1));
        taken.0 += start.elapsed();
    }

    let mut app = falling_balls(4);
    app.init_resource::<Taken>()
        .add_systems(ImpulseStep, work.in_set(StepSystems::Fields));
    for _ in 0..5 {
        app.world_mut().resource_mut::<Taken>().0 = Duration::ZERO;
        app.update();
        let taken = 1e3 * app.world().resource::<Taken>().0.as_secs_f64();
        let gravity = value(&app, Paths::GRAVITY);
        assert!(gravity >= taken, "{gravity} ms hold {taken} ms");
        let others: f64 = STAGES[1..]
            .iter()
            .map(|path| value(&app, path.clone()))
            .sum();
        assert!(gravity + others <= value(&app, Paths::STEP) * (1.0 + 1e-12));
    }
}

#[test]
fn the_counts_are_those_of_the_world() {
    let mut app = falling_balls(2);
    let mut most = [0.0f64; 5];
    for _ in 0..900 {
        app.update();
        let sleeping = {
            let mut sleep = app.world_mut().query::<&Sleep>();
            sleep.iter(app.world()).filter(|s| s.is_asleep()).count()
        };
        let world = app.world();
        let counted = [
            world.resource::<Bodies>().len(),
            sleeping,
            world.resource::<BroadPhase>().pairs().count(),
            world.resource::<Contacts>().iter().count(),
            messages::<Impact>(&app).len(),
        ];
        for ((path, counted), most) in COUNTS.into_iter().zip(counted).zip(&mut most) {
            let shown = value(&app, path.clone());
            assert_eq!(shown, counted as f64, "{path}");
            *most = most.max(shown);
        }
    }
    // Otherwise the law was not put to the test.
    assert!(most.iter().all(|&most| most > 0.0), "{most:?}");
}

#[test]
fn a_world_that_is_paused_is_not_measured() {
    let mut app = falling_balls(1);
    let measured = |app: &App| {
        let all = STAGES.into_iter().chain(COUNTS).chain([Paths::STEP]);
        all.map(|path| diagnostic(app, path).history_len())
            .collect::<Vec<_>>()
    };
    steps(&mut app, 5);
    let before = measured(&app);
    assert!(before.iter().all(|&len| len == 5));
    app.world_mut().resource_mut::<StepControl>().paused = true;
    steps(&mut app, 5);
    assert_eq!(measured(&app), before);
    app.world_mut().resource_mut::<StepControl>().pending_steps = 2;
    steps(&mut app, 5);
    assert!(measured(&app).iter().all(|&len| len == 7));
}

/// A stage that visits a sleeping body with a velocity wakes it.
#[test]
fn measuring_does_not_make_a_step_visit_sleeping_bodies() {
    fn mark(mut bodies: ResMut<Bodies>) {
        bodies.for_each(|mut body| {
            if body.is_asleep() {
                body.set_velocity(Vec3::X);
            }
        });
    }
    let sleeps_after_a_step = |add: fn(&mut App)| {
        let mut app = app_with_gravity(60.0);
        app.world_mut().spawn(Plane::new(Vec3::Y));
        let ball = (Particle::new(0.5), Transform::from_xyz(0.0, 0.5, 0.0));
        let ball = app.world_mut().spawn(ball).id();
        add(&mut app);
        steps(&mut app, 300);
        assert!(get::<Sleep>(&app, ball).is_asleep());
        let between = mark
            .after(ImpulseSystems::Gather)
            .before(ImpulseSystems::Step);
        app.add_systems(FixedPostUpdate, between);
        steps(&mut app, 2);
        get::<Sleep>(&app, ball).is_asleep()
    };
    assert!(sleeps_after_a_step(|_| {}));
    assert!(sleeps_after_a_step(|app| {
        app.add_plugins(ImpulseDiagnosticsPlugin);
    }));
    assert!(!sleeps_after_a_step(|app| {
        app.add_systems(ImpulseStep, (|| {}).after(StepSystems::Contact));
    }));
}

#[test]
fn the_plugins_may_be_added_in_any_order() {
    use bevy::time::{TimePlugin, TimeUpdateStrategy};

    let mut app = App::new();
    app.add_plugins((
        ImpulseDiagnosticsPlugin,
        TimePlugin,
        ImpulseCollidePlugin { interpolate: false },
    ))
    .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.world_mut().spawn(Particle::new(0.5));
    steps(&mut app, 3);
    assert_eq!(value(&app, Paths::BODIES), 1.0);
    assert!(value(&app, Paths::CONTACT) < value(&app, Paths::STEP));
}
