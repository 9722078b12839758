//! How the machine looks.
//!
//! - `room`: camera, lights, and what the steel ball mirrors
//! - `art`: the painting on the playfield
//! - `cabinet`: playfield, cabinet and spinner
//! - `dress`: the parts that the ball touches
//! - `lamps`: lit inserts, bumpers and slingshots that flash
//! - `display`: the score, and the next action in words

mod art;
mod cabinet;
mod display;
mod dress;
mod lamps;
mod room;

use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_plugins((
        room::plugin,
        cabinet::plugin,
        dress::plugin,
        lamps::plugin,
        display::plugin,
    ));
}
