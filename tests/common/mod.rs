//! Shared by the tests: an app that makes exactly one fixed step per update, without window or clock.

#![allow(missing_docs, reason = "only the tests beside it use it")]

use bevy::{
    ecs::system::SystemState,
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;

/// An app with the physics at `hz`, without gravity.
pub fn app(hz: f64) -> App {
    let mut app = App::new();
    // Between steps, smoothed transforms lag behind: tests look at the true ones.
    app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
        .insert_resource(Time::<Fixed>::from_hz(hz))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(Gravity::ZERO);
    // The clock starts with this one: no time passes in it, and no step is made.
    app.update();
    app
}

/// An app with the physics at `hz` and the earth's gravity along −Y.
pub fn app_with_gravity(hz: f64) -> App {
    let mut app = app(hz);
    app.insert_resource(Gravity::default());
    app
}

/// The same, and no body sleeps.
pub fn awake(hz: f64) -> App {
    let mut app = app_with_gravity(hz);
    app.insert_resource(CollisionConfig {
        sleep_speed: 0.0,
        ..default()
    });
    app
}

pub fn steps(app: &mut App, n: usize) {
    for _ in 0..n {
        app.update();
    }
}

pub fn measure(app: &mut App) -> Measurement {
    let mut state = SystemState::<Measure>::new(app.world_mut());
    state
        .get(app.world())
        .expect("the plugin is there")
        .measure()
}

pub fn get<C: Component + Clone>(app: &App, entity: Entity) -> C {
    app.world()
        .get::<C>(entity)
        .expect("the component is there")
        .clone()
}

pub fn position(app: &App, entity: Entity) -> Vec3 {
    get::<Transform>(app, entity).translation
}

pub fn velocity(app: &App, entity: Entity) -> Vec3 {
    get::<LinearVelocity>(app, entity).0
}

pub fn spin(app: &App, entity: Entity) -> Vec3 {
    get::<AngularVelocity>(app, entity).0
}

/// All messages of a kind that are still kept: the messages of the last two updates.
pub fn messages<M: Message + Clone>(app: &App) -> Vec<M> {
    let messages = app.world().resource::<Messages<M>>();
    messages.iter_current_update_messages().cloned().collect()
}

/// Asserts that `actual` is within `tolerance` of `expected`, and says which law broke if it is not.
#[track_caller]
pub fn assert_near(law: &str, actual: f64, expected: f64, tolerance: f64) {
    assert!(
        (actual - expected).abs() <= tolerance,
        "{law}: {actual} is not within {tolerance} of {expected}"
    );
}
