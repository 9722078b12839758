//! Two balls and a wall that count the digits of π (G. Galperin, Playing pool with π, 2003).
//!
//! A heavy ball comes in, a light one bounces to and fro between it and the wall until it has turned the heavy one round.
//! With a mass ratio of 100^(D−1), the elastic impacts on the way are the first D digits of π.

mod count;
mod view;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use scene_kit::has_window;

use self::count::{Collisions, count, set_up};
pub use self::count::{PiOptions, PiReport, pi_report};

/// The scene: two balls and a wall, and the count of their impacts; it shows them if there is a window.
pub struct PiPlugin(pub PiOptions);

impl Plugin for PiPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(self.0.clone())
            .insert_resource(Gravity::ZERO)
            .insert_resource(CollisionConfig {
                // However slowly two of them meet, they bounce.
                resting_speed: 0.0,
                // All but a few of the impacts happen within one step.
                impacts_per_body: u32::MAX,
                impacts_per_substep: f32::MAX,
                ..default()
            })
            .init_resource::<Collisions>()
            .add_systems(Startup, set_up)
            .add_systems(FixedLast, count);
        if has_window(app) {
            app.add_plugins(view::PiViewPlugin);
        }
    }
}
