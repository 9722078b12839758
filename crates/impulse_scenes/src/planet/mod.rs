//! A planet: a turning cloud of balls falls together under its own gravity.
//!
//! The cloud is uniform, so all of it arrives at about the same time; a ball of radius R and mass M takes t = π/2·√(R³/2GM). It
//! turns, and turns faster as it shrinks: the planet ends up flattened at its poles.

mod cloud;
mod comet;
mod options;
mod report;
mod rock;
mod view;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use scene_kit::has_window;

use self::{
    cloud::{Clouds, scatter},
    rock::grow,
};
pub use self::{
    options::{Dimensions, GravitySum, PlanetOptions, Projection},
    report::{PlanetReport, planet_report},
};

/// The scene: scatters the cloud at start-up, and shows it if there is a window.
pub struct PlanetPlugin(pub PlanetOptions);

impl Plugin for PlanetPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(self.0.clone())
            .init_resource::<Clouds>()
            .insert_resource(Gravity::ZERO)
            .add_plugins(report::plugin)
            .add_systems(Startup, scatter)
            .add_systems(FixedPostUpdate, grow.after(ImpulseSystems::WriteBack))
            .add_systems(
                PreUpdate,
                set_laws.run_if(resource_exists_and_changed::<PlanetOptions>),
            );
        if has_window(app) {
            app.add_plugins(view::PlanetViewPlugin);
        }
    }
}

/// Sets the physics by the options.
fn set_laws(mut commands: Commands, options: Res<PlanetOptions>) {
    commands.insert_resource(SelfGravity {
        constant: options.g,
        method: match options.gravity {
            GravitySum::Direct => GravityMethod::Direct,
            GravitySum::Tree => GravityMethod::Tree {
                opening_angle: options.theta,
            },
        },
        ..default()
    });
    commands.insert_resource(CollisionConfig {
        restitution: MaterialRule::new(CombineRule::GeometricMean, options.restitution),
        ..options.projection.config()
    });
    if options.accretion {
        commands.insert_resource(Accretion::Bound);
    } else {
        commands.remove_resource::<Accretion>();
    }
}
