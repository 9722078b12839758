//! A billiards table to play at: 8-ball balls, six pockets, and a cue for the mouse.
//!
//! The table, the balls and the rules of the house run in any app, with a window or without:
//!
//! - [`table`]: measures, and the cloth (a plane) and cushions (capsules) that balls meet
//! - [`balls`]: the sixteen balls and their rack
//! - [`game`]: shots, racks, and when the player may shoot
//! - [`pockets`]: balls that fall or fly off, and what becomes of them
//! - [`report`](mod@report): what a headless run adds to its report
//!
//! A window adds the player's side:
//!
//! - [`cue`]: mouse and keys aim, pull back and shoot
//! - [`sight`]: where the cue ball will go
//! - [`look`]: meshes, textures, lights and texts

pub mod balls;
pub mod cue;
pub mod game;
pub mod look;
pub mod pockets;
pub mod report;
pub mod rules;
pub mod sight;
pub mod table;
#[cfg(test)]
mod tests;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use clap::Args;

pub use report::{BilliardsReport, report};

use crate::has_window;

/// What the command line says about the game.
#[derive(Args, Clone, Copy, Debug)]
pub struct BilliardsOptions {
    /// Speed of the cue ball in the break of a headless run, in m/s; the seed picks its exact aim
    #[arg(long, value_name = "V", default_value_t = 9.0, value_parser = break_speed, allow_negative_numbers = true)]
    pub speed: f32,
}

fn break_speed(text: &str) -> Result<f32, String> {
    let speed: f32 = text
        .parse()
        .map_err(|_| format!("`{text}` is not a number"))?;
    (0.0..=20.0)
        .contains(&speed)
        .then_some(speed)
        .ok_or_else(|| "give a speed from 0 to 20 m/s".to_owned())
}

/// The billiards scene. Without a window the break is shot at once; with one it waits for the player.
pub struct BilliardsPlugin(pub BilliardsOptions);

/// The fixed rate that suits the scene, in Hz.
pub const RATE: f64 = 240.0;

impl Plugin for BilliardsPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<balls::Ball>()
            .init_resource::<game::Game>()
            .insert_resource(materials())
            .add_message::<game::Shot>()
            .add_message::<game::Rerack>()
            .add_systems(Startup, (table::spawn_table, balls::spawn_balls))
            .add_systems(
                FixedUpdate,
                (
                    (
                        pockets::catch_balls,
                        pockets::drop_balls,
                        pockets::roll_into_tray,
                        game::settle,
                    )
                        .chain()
                        .run_if(not_paused),
                    game::rerack,
                    game::shoot,
                )
                    .chain(),
            );
        if has_window(app) {
            app.add_plugins((cue::CuePlugin, look::LookPlugin));
        } else {
            app.add_systems(PostStartup, game::break_rack(self.0.speed));
        }
    }
}

/// Of two bodies the deader bounce and the rougher surface count; so each surface states its own values.
fn materials() -> CollisionConfig {
    let standard = CollisionConfig::default();
    CollisionConfig {
        restitution: MaterialRule::new(CombineRule::Min, standard.restitution.default),
        friction: MaterialRule::new(CombineRule::Max, standard.friction.default),
        ..standard
    }
}

fn not_paused(control: Res<StepControl>) -> bool {
    !control.paused || control.pending_steps > 0
}
