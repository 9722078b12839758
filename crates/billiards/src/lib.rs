//! Billiards to play: eight-ball, nine-ball, ten-ball, straight pool, snooker, three-cushion, a free table or drills, for two
//! players or against the computer.
//!
//! Everything that moves is a body of `bevy_impulse_collide`: the cloth is a plane, the cushions are capsules, the cue is a
//! formula for a blow. From the bottom up, each room only uses rooms above it:
//!
//! - [`rules`]: eight-ball, nine-ball, ten-ball, straight pool, snooker, three-cushion and the free table. No ECS in here: a record of
//!   a shot goes in, a ruling comes out.
//! - [`table`]: tables, balls and cues by their published measures; cloth, cushions, pockets and balls as bodies; racks.
//! - [`plan`]: the shots that a player may think of, by geometry alone. No ECS in here either.
//! - [`play`]: the game in any world: shots, rulings, shots taken back, and the game played ahead.
//! - [`opponent`]: the computer as a player.
//! - [`player`]: the player at this machine: mouse and keys, the look ahead, saved shots.
//! - [`look`]: everything that is drawn; with the feature `sound`, `sound` plays the clicks and thuds.
//! - [`net`]: a match over the network: the requests of both players, step by step.
//! - [`options`]: the command line.
//! - [`plugin`]: all of this as one [`BilliardsPlugin`].
//! - [`runs`]: runs without a window, beside the game itself: many breaks, shots from a file, figures beside published ones.
//! - [`scene`]: starts the run that the command line asks for.

pub mod look;
pub mod net;
pub mod opponent;
pub mod options;
pub mod plan;
pub mod play;
pub mod player;
pub mod plugin;
pub mod rules;
pub mod runs;
pub mod scene;
#[cfg(feature = "sound")]
mod sound;
pub mod table;
#[cfg(test)]
mod tests;
mod threads;

pub use options::Options;
pub use plugin::{BilliardsPlugin, RATE};
pub use scene::run;
