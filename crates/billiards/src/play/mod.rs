//! The game in any world, with a window or without one: shots, and what the rules make of them.
//!
//! From the bottom up:
//!
//! - [`blow`]: what a blow of the cue makes of a ball
//! - [`state`]: racks, shots and phases, and the messages that ask for them
//! - [`matches`](mod@matches): who plays whom, the frame and the race
//! - [`record`]: what happens in a shot, as far as rules ask
//! - [`leaving`]: balls that fall or fly off, and what becomes of them
//! - [`rest`]: whether anything moves
//! - [`racking`]: sets the balls up
//! - [`snapshot`]: all of a game between two shots
//! - [`strike`](mod@strike): the cue strikes
//! - [`history`]: shots taken back and shown once more
//! - [`cue`]: the cue and its way to the ball
//! - [`words`]: what the game says to its players
//! - [`referee`]: does what the rules say
//! - [`sheet`]: shots as files
//! - [`game`]: all of this as a plugin
//! - [`ahead`]: the same game in a world of its own, to see what a shot would do

pub mod ahead;
pub mod blow;
pub mod cue;
pub mod game;
pub mod history;
pub mod leaving;
pub mod matches;
pub mod racking;
pub mod record;
pub mod referee;
pub mod rest;
pub mod sheet;
pub mod snapshot;
pub mod state;
pub mod strike;
pub mod words;
