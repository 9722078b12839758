//! Machines of joints: a crane with a wrecking ball, a hanging bridge, ragdolls on stairs, a car to drive.
//!
//! Each machine is a file that spawns bodies and joints, as a game would. `parts` has what they share, and `view` how they look.

mod bridge;
mod car;
mod crane;
mod dolls;
mod parts;
mod report;
#[cfg(test)]
mod tests;
mod view;

use bevy::prelude::*;
use clap::{Args, ValueEnum};
use scene_kit::has_window;

pub use self::report::{MachinesReport, machines_report};

/// Steps per second that suit the scene.
pub const RATE: f64 = 120.0;

/// Command line options of the machines.
#[derive(Args, Clone, Debug, Default)]
pub struct MachinesOptions {
    /// The machine to begin with
    #[arg(long, value_enum, default_value_t)]
    pub machine: Machine,
}

/// The machine that is set up.
#[derive(Resource, ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Machine {
    /// A wrecking ball on a chain, and a stack of logs
    #[default]
    Crane,
    /// A bridge of planks that hangs between two banks, with a heavy ball on it
    Bridge,
    /// Ragdolls that fall down stairs
    Dolls,
    /// A car with balls for wheels on hills
    Car,
}

/// The scene: sets the machine up at start-up, and again when another one is asked for.
pub struct MachinesPlugin(pub MachinesOptions);

impl Plugin for MachinesPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(self.0.machine)
            .init_resource::<car::Wheel>()
            .add_systems(
                PreUpdate,
                (clear, set_up)
                    .chain()
                    .run_if(resource_exists_and_changed::<Machine>),
            )
            .add_systems(FixedUpdate, car::drive);
        if has_window(app) {
            app.add_plugins(view::plugin);
        }
    }
}

fn clear(mut commands: Commands, things: Query<Entity, With<parts::Thing>>) {
    for thing in &things {
        commands.entity(thing).despawn();
    }
}

fn set_up(mut commands: Commands, machine: Res<Machine>) {
    let mut yard = parts::Yard(&mut commands);
    match *machine {
        Machine::Crane => crane::set_up(&mut yard),
        Machine::Bridge => bridge::set_up(&mut yard),
        Machine::Dolls => dolls::set_up(&mut yard),
        Machine::Car => car::set_up(&mut yard),
    }
}
