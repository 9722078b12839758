//! The scene's part of a headless run's report.

use bevy::prelude::*;
use serde::Serialize;

use super::machine::{play::Game, search::Search, watch::Watch};

/// The games so far.
#[derive(Serialize, Debug)]
pub struct PinballReport {
    /// Games that came to their end.
    pub games: u32,
    /// Balls that drained for good.
    pub balls: u32,
    /// Points of the game on the table.
    pub score: u64,
    /// The best score.
    pub best: u64,
    /// Balls that left the table.
    pub escaped: u32,
    /// Balls that lay still for good.
    pub stuck: u32,
    /// Kicks of the ball search.
    pub ball_searches: u32,
    /// Highest speed of the ball in m/s.
    pub top_speed: f32,
}

/// Reads the game of `world`.
pub fn pinball_report(world: &mut World) -> PinballReport {
    let (game, watch) = (world.resource::<Game>(), world.resource::<Watch>());
    PinballReport {
        games: game.games,
        balls: game.balls,
        score: game.rules.score,
        best: game.best,
        escaped: watch.escapes,
        stuck: watch.stuck,
        ball_searches: world.resource::<Search>().kicks,
        top_speed: watch.top_speed,
    }
}
