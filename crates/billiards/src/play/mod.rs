//! The game in any world, with a window or without one: shots and rulings.
//!
//! From the bottom up:
//!
//! - [`blow`]: the velocity and the spin that a blow of the cue gives a ball
//! - [`state`]: racks, shots and phases, and the messages that ask for them
//! - [`matches`](mod@matches): who plays whom, the frame and the race
//! - [`chain`]: racks are elastic when they are hit
//! - [`record`]: the record of a shot for the rules
//! - [`account`]: a shot in numbers
//! - [`leaving`]: balls that fall into a pocket or fly off the table
//! - [`rest`]: whether anything moves
//! - [`racking`]: sets the balls up
//! - [`snapshot`]: all of a game between two shots
//! - [`strike`](mod@strike): the cue strikes
//! - [`history`]: shots taken back and shown once more
//! - [`cue`]: the cue and its way to the ball
//! - [`words`]: the sentences that the game says to its players
//! - [`drill`]: shots to practise
//! - [`practice`]: a drill is set up, tried and judged
//! - [`referee`]: carries the rulings out
//! - [`sheet`]: shots as files
//! - [`game`]: all of this as a plugin
//! - [`ahead`]: the same game in a world of its own, to try a shot
//! - [`trials`]: many shots tried at once

pub mod account;
pub mod ahead;
pub mod blow;
pub mod chain;
pub mod cue;
pub mod drill;
pub mod game;
pub mod history;
pub mod leaving;
pub mod matches;
pub mod practice;
pub mod racking;
pub mod record;
pub mod referee;
pub mod rest;
pub mod sheet;
pub mod snapshot;
pub mod state;
pub mod strike;
pub mod trials;
pub mod words;
