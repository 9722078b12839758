//! Balls with different restitutions, dropped side by side on a plane, beside the exact height of each.
//!
//! The laboratory shows how simple steppers fare with such a ball: `lab --scene ball`.

mod balls;
mod plot;
mod view;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use scene_kit::{app::steps_now, has_window};

pub use self::balls::{BounceOptions, BounceReport, bounce_report};
use self::balls::{Fall, GRAVITY, drop_balls, spawn_floor, tick, watch_balls};

/// The scene: drops the balls at start-up, and shows them if there is a window.
pub struct BouncePlugin(pub BounceOptions);

impl Plugin for BouncePlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(self.0.clone())
            .insert_resource(Gravity(GRAVITY * Vec3::NEG_Y))
            .init_resource::<Fall>()
            .add_systems(Startup, (spawn_floor, drop_balls))
            .add_systems(FixedUpdate, tick.run_if(steps_now))
            .add_systems(FixedLast, watch_balls.run_if(resource_changed::<Fall>));
        if has_window(app) {
            app.add_plugins((view::BounceViewPlugin, plot::BouncePlotPlugin));
        }
    }
}
