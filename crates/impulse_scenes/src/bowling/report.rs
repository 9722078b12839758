//! The scene's part of a headless run's report.

use bevy::prelude::*;
use serde::Serialize;

use super::{
    play::Game,
    score::{marks, score},
};

/// The games so far.
#[derive(Serialize, Debug)]
pub struct BowlingReport {
    /// Games that came to their end.
    pub games: u32,
    /// The best score of these.
    pub best: u16,
    /// Pins that fell with each ball of the game on the lane.
    pub balls: Vec<u8>,
    /// Its marks, frame by frame.
    pub marks: String,
    /// Its score after each frame, as far as it is known.
    pub scores: Vec<u16>,
}

/// Reads the game of `world`.
pub fn bowling_report(world: &mut World) -> BowlingReport {
    let game = world.resource::<Game>();
    BowlingReport {
        games: game.games,
        best: game.best,
        balls: game.balls.clone(),
        marks: marks(&game.balls).join(" ").trim_end().to_owned(),
        scores: score(&game.balls).into_iter().flatten().collect(),
    }
}
