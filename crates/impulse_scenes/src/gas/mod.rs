//! A gas of hard balls in a box: elastic, without friction or gravity, so that all it does is statistics.
//!
//! From any initial velocities it comes to the Maxwell–Boltzmann distribution, shares its kinetic energy evenly between the three
//! directions, and presses on its walls by the equation of state of hard spheres.

mod filling;
mod options;
mod statistics;
mod view;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use scene_kit::has_window;

use self::{
    filling::{Fillings, fill},
    statistics::{GasStatistics, observe},
};
pub use self::{
    options::GasOptions,
    statistics::{GasReport, gas_report},
};

/// The scene: fills the box at start-up and keeps statistics, and shows both if there is a window.
pub struct GasPlugin(pub GasOptions);

impl Plugin for GasPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(self.0.clone())
            .insert_resource(Gravity::ZERO)
            // However slowly two balls meet, they bounce: nothing rests in a gas.
            .insert_resource(CollisionConfig {
                resting_speed: 0.0,
                // No impact may be left out: those above the default number would not bounce, and a dense gas has more in a step.
                impacts_per_substep: 16.0,
                ..default()
            })
            .init_resource::<Fillings>()
            .init_resource::<GasStatistics>()
            .add_systems(Startup, fill)
            // The physics rewrites its contacts in each step that it makes; paused, it makes none.
            .add_systems(FixedLast, observe.run_if(resource_changed::<Contacts>));
        if has_window(app) {
            app.add_plugins(view::GasViewPlugin);
        }
    }
}
