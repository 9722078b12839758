//! Newton's cradle: five elastic balls that touch each other.
//!
//! The physics has no strings. Each ball is a pendulum of small angle: it moves along a level line, and −m·g·x/L pulls it to where
//! it hangs. All balls then have the same period, at any amplitude. Only the view draws them on their arcs. The collisions are
//! the physics' own.

mod row;
mod view;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use scene_kit::{PotentialEnergy, has_window};

use self::row::{Collisions, let_go, potential_energy, pull_back, watch_collisions};
pub use self::row::{CradleOptions, CradleReport, cradle_report};

/// The scene: lets the balls go at start-up, and shows them if there is a window.
pub struct CradlePlugin(pub CradleOptions);

impl Plugin for CradlePlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(self.0.clone())
            .insert_resource(Gravity::ZERO)
            .insert_resource(PotentialEnergy(potential_energy))
            .init_resource::<Collisions>()
            .add_systems(Startup, let_go)
            .add_systems(FixedUpdate, pull_back)
            .add_systems(FixedLast, (pull_back, watch_collisions).chain());
        if has_window(app) {
            app.add_plugins(view::CradleViewPlugin);
        }
    }
}
