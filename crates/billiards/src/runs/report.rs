//! The game's part of a headless run's report, and the reports of the runs beside the game.

use std::io::Write;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use scene_kit::{console, report::write_json};
use serde::Serialize;

use crate::{
    play::{leaving::Pocketed, state::Game},
    rules::Ball,
};

/// Where the game stands at the end of a run.
#[derive(Serialize, Debug)]
pub struct GameReport {
    /// Numbers of the object balls that fell, in order.
    pub pocketed: Vec<u8>,
    /// All sixteen balls by number; the cue ball's is 0.
    pub balls: Vec<BallReport>,
}

/// A ball at the end of the run, or as it was when it fell.
#[derive(Serialize, Debug)]
pub struct BallReport {
    /// Its number.
    pub id: u8,
    /// Its centre in metres; the cloth is at y = 0, the table's middle at x = z = 0.
    pub position: [f32; 3],
    /// Its velocity in m/s.
    pub velocity: [f32; 3],
}

/// Writes the report of a run beside the game as JSON, or prints it if no file was asked for.
pub(super) fn write_report(
    report: &impl Serialize,
    to: Option<Box<dyn Write>>,
) -> Result<(), String> {
    let mut to = to.unwrap_or_else(|| Box::new(console::output()));
    write_json(report, &mut to).map_err(|problem| format!("cannot write the report: {problem}"))
}

/// Reads the game of `world`.
pub fn game_report(world: &mut World) -> GameReport {
    let pocketed = world
        .resource::<Game>()
        .pocketed
        .iter()
        .map(|ball| ball.0)
        .collect();
    let mut query = world.query::<(
        &Ball,
        &Transform,
        Option<&LinearVelocity>,
        Option<&Pocketed>,
    )>();
    let mut balls: Vec<_> = query
        .iter(world)
        .map(|(ball, transform, velocity, pocketed)| {
            let (position, velocity) = match pocketed {
                Some(pocketed) => (pocketed.position, pocketed.velocity),
                None => (
                    transform.translation,
                    velocity.map_or(Vec3::ZERO, |velocity| velocity.0),
                ),
            };
            BallReport {
                id: ball.0,
                position: position.to_array(),
                velocity: velocity.to_array(),
            }
        })
        .collect();
    balls.sort_by_key(|ball| ball.id);
    GameReport { pocketed, balls }
}
