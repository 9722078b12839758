//! A pile of rubble: a cloud of boulders falls together under its own gravity, and friction holds what it has become.
//!
//! Most small asteroids are such piles. Each boulder here is one rigid body of 5 to 50 balls; gravity, contacts and friction are
//! all that acts. The measures are those of an asteroid of some fifty metres, and G is a million times nature's: so the scene is a film
//! of the real thing at a thousand times its speed, since all times go with 1/√G.

mod boulder;
mod cloud;
mod comet;
mod options;
mod pile;
mod report;
mod sphere;
mod stone;
#[cfg(test)]
mod tests;
mod view;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use scene_kit::has_window;

use self::cloud::{Clouds, scatter};
pub use self::{
    options::RubbleOptions,
    report::{RubbleReport, rubble_report},
};

/// Steps per second that suit the scene.
pub const RATE: f64 = 60.0;

/// The scene: scatters the cloud at start-up, and shows it if there is a window.
pub struct RubblePlugin(pub RubbleOptions);

impl Plugin for RubblePlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(self.0.clone())
            .init_resource::<Clouds>()
            .insert_resource(Gravity::ZERO)
            .add_plugins(report::plugin)
            .add_systems(Startup, scatter)
            .add_systems(
                PreUpdate,
                set_laws.run_if(resource_exists_and_changed::<RubbleOptions>),
            );
        if has_window(app) {
            app.add_plugins(view::RubbleViewPlugin);
        }
    }
}

/// Sets the physics by the options.
fn set_laws(mut commands: Commands, options: Res<RubbleOptions>) {
    commands.insert_resource(SelfGravity {
        constant: options.g,
        ..default()
    });
    commands.insert_resource(CollisionConfig {
        restitution: MaterialRule::new(CombineRule::GeometricMean, options.restitution),
        friction: MaterialRule::new(CombineRule::GeometricMean, options.friction),
        ..default()
    });
}
