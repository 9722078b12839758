//! A player at this machine: mouse and keys, the look ahead, and saved shots.
//!
//! - [`hands`]: mouse and keys aim, pull back and shoot
//! - `calling`: the call that a click means
//! - [`sight`]: where the balls will go
//! - [`menu`]: the choice of a game and of an opponent
//! - [`view`]: the place from which the player sees the table
//! - `pad`: the cue on a gamepad
//! - `swing`: a stroke by the mouse
//! - [`files`]: shots that a player saves and opens

mod calling;
pub mod files;
pub mod hands;
pub mod menu;
mod pad;
pub mod sight;
mod swing;
pub mod view;

use bevy::prelude::*;

use crate::table::rack::Rack;

/// Everything in this module.
pub(crate) struct PlayerPlugin(pub Rack);

impl Plugin for PlayerPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((
            hands::HandsPlugin,
            sight::SightPlugin,
            files::FilesPlugin,
            view::ViewPlugin,
            menu::MenuPlugin(self.0),
        ));
    }
}
