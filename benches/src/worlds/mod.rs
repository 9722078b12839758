//! Worlds for this plugin alone, in apps of their own.

pub mod churn;
pub mod level;
pub mod platforms;

use bevy::{
    diagnostic::{Diagnostic, DiagnosticsStore},
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_impulse_collide::prelude::*;

use crate::{
    engine::{all_threads, minimal_app},
    scene::GRAVITY,
};

/// An app without bodies, which makes one fixed step in each update, on all threads.
pub fn empty_app() -> App {
    let mut app = minimal_app(all_threads(), ImpulseCollidePlugin { interpolate: false });
    app.insert_resource(Gravity(Vec3::NEG_Y * GRAVITY))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app
}

/// Lets an app measure the parts of its steps.
pub fn measure_parts(app: &mut App) {
    app.init_resource::<DiagnosticsStore>();
    // The app is finished already: `add_plugins` would not do.
    ImpulseDiagnosticsPlugin.build(app);
}

/// The means of what the app has measured in the last steps.
pub fn parts(app: &App) -> impl Iterator<Item = (String, f64)> {
    let store = app.world().resource::<DiagnosticsStore>();
    store.iter().map(|diagnostic| {
        let mean = diagnostic.average().unwrap_or_default();
        (diagnostic.path().to_string(), mean)
    })
}

/// What is counted in a step: these names begin with "impulse/count/".
pub const COUNTS: [&str; 3] = ["pairs", "impacts", "contacts"];

/// The [`COUNTS`] of the last step.
pub fn counts(app: &App) -> [f64; COUNTS.len()] {
    let store = app.world().resource::<DiagnosticsStore>();
    COUNTS.map(|name| {
        let path = format!("impulse/count/{name}");
        let found = store.iter().find(|it| it.path().as_str() == path);
        let last = found.and_then(Diagnostic::measurement);
        last.map_or(0.0, |measurement| measurement.value)
    })
}
