//! A ball dropped on a plane, four times side by side: three simple [steppers](impulse_lab::stepper::one_dimension), and a body of the physics, whose impacts
//! happen at their own time inside the step. All are held against the exact solution.

mod balls;
mod plot;
mod view;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use scene_kit::{app::steps_now, has_window};

pub use self::balls::{BounceOptions, BounceReport, bounce_report};
use self::balls::{Fall, GRAVITY, drop_balls, spawn_floor, step_balls, tick, watch_body};

/// The scene: drops the balls at start-up, and shows them if there is a window.
pub struct BouncePlugin(pub BounceOptions);

impl Plugin for BouncePlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(self.0.clone())
            .insert_resource(Gravity(GRAVITY * Vec3::NEG_Y))
            .init_resource::<Fall>()
            .add_systems(Startup, (spawn_floor, drop_balls))
            .add_systems(FixedUpdate, (tick, step_balls).chain().run_if(steps_now))
            .add_systems(FixedLast, watch_body.run_if(resource_changed::<Fall>));
        if has_window(app) {
            app.add_plugins((view::BounceViewPlugin, plot::BouncePlotPlugin));
        }
    }
}
