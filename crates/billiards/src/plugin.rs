//! The game as a plugin.

use bevy::prelude::*;
use scene_kit::has_window;

#[cfg(feature = "sound")]
use crate::sound;
use crate::{
    look, opponent,
    options::Options,
    play::{account, cue, game, history, referee},
    player,
    table::bed::Table,
};

/// The billiards scene. Without a window the break is shot at once; with one it waits for the player.
pub struct BilliardsPlugin(pub Options);

/// The fixed rate that suits the scene, in Hz.
pub const RATE: f64 = 120.0;

impl Plugin for BilliardsPlugin {
    fn build(&self, app: &mut App) {
        let Self(options) = self;
        let table = options.table.unwrap_or(options.rack.table());
        app.add_plugins((
            game::GamePlugin {
                table: Table::new(table.spec()),
                rack: options.rack,
                template: options.template,
            },
            referee::RefereePlugin,
            account::AccountPlugin,
            history::HistoryPlugin,
            cue::CuePlugin,
            opponent::OpponentPlugin,
        ));
        if has_window(app) {
            app.add_plugins((player::PlayerPlugin(options.rack), look::LookPlugin));
            #[cfg(feature = "sound")]
            app.add_plugins(sound::SoundPlugin);
        } else if options.shot.is_none() && options.host.is_none() {
            app.add_systems(PostStartup, game::break_rack(options.speed));
        }
    }
}
