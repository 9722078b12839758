//! The report of a headless run of the pile.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use serde::Serialize;

use super::{pour::SpawnSeconds, vessel::Vessel};

/// The scene's part of the report, at the end of the run.
#[derive(Serialize, Clone, Copy, Debug)]
pub struct PileReport {
    /// Balls that have come in.
    pub balls: usize,
    /// Wall-clock seconds in which they were brought into the world, if all were there from the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spawn_seconds: Option<f64>,
    /// Root of the mean square of the balls' speeds in m/s; in a drum, as this sees them.
    pub residual_speed: f64,
    /// Height in m over the lowest point of the vessel, up to which the centres of balls with 99 % of the mass lie.
    pub height: f64,
    /// Of the box's floor, or across the drum, in m.
    pub width: f64,
    /// Balls whose centre is behind a wall.
    pub escaped: usize,
}

/// The scene's part of the report.
pub fn pile_report(world: &mut World) -> PileReport {
    let vessel = *world.resource::<Vessel>();
    let walls = vessel.walls();
    let is_behind = |point: Vec3| {
        walls
            .iter()
            .any(|(wall, normal)| (point - wall).dot(*normal) < 0.0)
    };
    let up = -world.resource::<Gravity>().normalize();
    let mut squares = 0.0;
    let mut escaped = 0;
    let mut heights = Vec::new();
    let mut balls = world.query_filtered::<(&Transform, &LinearVelocity, &Mass), With<Particle>>();
    for (transform, velocity, mass) in balls.iter(world) {
        squares += f64::from(velocity.length_squared());
        escaped += usize::from(is_behind(transform.translation));
        let height = up.dot(transform.translation) + vessel.depth();
        heights.push((height, f64::from(mass.0)));
    }
    let balls = heights.len();
    PileReport {
        balls,
        spawn_seconds: world.get_resource::<SpawnSeconds>().map(|spawn| spawn.0),
        residual_speed: (squares / balls.max(1) as f64).sqrt(),
        height: height_of(heights, 0.99),
        width: f64::from(vessel.width()),
        escaped,
    }
}

/// Up to where the `part` of the mass lies, of pairs of height and mass. Without any, 0.
fn height_of(mut heights: Vec<(f32, f64)>, part: f64) -> f64 {
    heights.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let all: f64 = heights.iter().map(|(_, mass)| mass).sum();
    let mut below = 0.0;
    let reached = heights.iter().find(|(_, mass)| {
        below += mass;
        below >= part * all
    });
    reached.map_or(0.0, |&(height, _)| f64::from(height))
}
