//! The rules of the games: who shoots, what is a foul, who wins. No ECS and no physics in here.
//!
//! A [`Frame`] knows whose turn it is and which balls are on the table. A program that simulates a shot fills in a [`ShotRecord`]
//! and hands it to [`Frame::shoot`]; the [`Ruling`] gives the consequence. If a player has a choice, the turn is [`Turn::Choose`],
//! and [`Frame::choose`] answers it. Nothing else moves the frame on.
//!
//! From the bottom up, each file only imports from files above it:
//!
//! - [`ball`]: a ball by its number; [`ball_set`]: a set of balls
//! - [`call`]: a player's announcement before a shot
//! - [`group`]: the groups of eight-ball
//! - [`record`]: the events of a shot
//! - [`foul`]: the fouls
//! - [`ending`]: why a frame is over
//! - [`turn`]: players, whose turn it is, and the choices they have
//! - [`ruling`]: the consequence of a shot or a choice
//! - [`game`]: the interface of a game
//! - `rotation`: what nine-ball and ten-ball have in common
//! - [`eight_ball`], [`nine_ball`], [`ten_ball`], [`straight_pool`], [`snooker`], [`three_cushion`], [`free_table`]: one game each
//! - [`discipline`]: the games
//! - [`frame`]: the course of one frame, for all games
//! - [`race`]: the score over several frames
//! - [`spot`]: where a ball comes back to
//!
//! A game is a file that implements the trait `Rules` of [`game`], and a variant of [`Discipline`].
//!
//! Unless a file says otherwise, rule numbers are from the World Pool Association's Rules of Play, effective 15 September 2025
//! (<https://wpapool.com/rules/>), as
//! in "WPA 4.3(d)". There are no rules for events that a program cannot see or does not let happen: feet on the floor, touched
//! balls, pushes and double hits, a cue ball badly placed, playing out of turn, slow play (WPA 3.4, 3.6 to 3.10, 3.12, 3.14 to
//! 3.16), a ball on the foot spot on request (1.6), and the three-ball rule of nine-ball's break, which organisers may ask for
//! (5.3(c)).

pub mod ball;
pub mod ball_set;
pub mod call;
pub mod discipline;
pub mod eight_ball;
pub mod ending;
pub mod foul;
pub mod frame;
pub mod free_table;
pub mod game;
pub mod group;
pub mod nine_ball;
pub mod race;
pub mod record;
mod rotation;
pub mod ruling;
pub mod snooker;
pub mod spot;
pub mod straight_pool;
pub mod ten_ball;
#[cfg(test)]
mod tests;
pub mod three_cushion;
pub mod turn;

pub use ball::{Ball, Kind};
pub use ball_set::BallSet;
pub use call::{Call, Calls};
pub use discipline::Discipline;
pub use ending::Ending;
pub use foul::Foul;
pub use frame::Frame;
pub use group::Group;
pub use race::{BreakOrder, Race};
pub use record::{Contact, Potted, ShotRecord};
pub use ruling::{NewRack, RuleError, Ruling, Spot};
pub use turn::{Area, Choice, CueBall, Dilemma, Player, Turn};
