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
pub mod sight;
pub mod table;
#[cfg(test)]
mod tests;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

pub use report::{BilliardsReport, report};

use crate::has_window;

/// The billiards scene. Without a window the break is shot at once; with one it waits for the player.
pub struct BilliardsPlugin {
    /// Speed of the cue ball in the break that a headless run makes, in m/s.
    pub break_speed: f32,
}

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
            let speed = self.break_speed;
            app.add_systems(PostStartup, game::break_rack(speed));
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
