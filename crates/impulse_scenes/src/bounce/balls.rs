//! The balls, one for each restitution, and what is reported of them.

use std::collections::BTreeMap;

use bevy::{platform::collections::HashMap, prelude::*};
use bevy_impulse_collide::prelude::*;
use clap::Args;
use scene_kit::number::coefficient;
use serde::Serialize;

/// Command line options of the balls.
#[derive(Args, Resource, Clone, Debug)]
pub struct BounceOptions {
    /// Part of its speed that a bounce gives back, 0 to 1, for each ball
    #[arg(
        long,
        value_name = "E,…",
        value_delimiter = ',',
        default_value = "1,0.9,0.8,0.6,0.3",
        value_parser = coefficient,
        allow_negative_numbers = true
    )]
    pub restitution: Vec<f32>,
}

/// m/s², downward.
pub(super) const GRAVITY: f32 = 9.81;
/// Metres that the balls fall.
pub(super) const DROP: f32 = 2.0;
/// Of the balls, in metres.
pub(super) const RADIUS: f32 = 0.14;

/// A ball, by its number from the left.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Lane(pub usize);

/// Where a ball of so many is when it lies on the floor.
pub(super) fn rest_point(Lane(lane): Lane, count: usize) -> Vec3 {
    /// Metres for all lanes.
    const WIDTH: f32 = 5.0;
    let spacing = (WIDTH / count.max(4) as f32).max(2.2 * RADIUS);
    let middle = 0.5 * (count as f32 - 1.0);
    Vec3::new(spacing * (lane as f32 - middle), RADIUS, 0.0)
}

/// Time since the drop. It changes in each fixed step that is made, and in no other.
#[derive(Resource, Default)]
pub(super) struct Fall {
    pub seconds: f64,
}

/// The course of a ball since it was dropped.
#[derive(Component, Serialize, Clone, Debug, Default)]
pub(super) struct Flight {
    /// Impacts on the floor.
    pub bounces: u32,
    /// Height of the apex, over the drop, by number of bounces.
    apex_over_drop: BTreeMap<u32, f64>,
    /// The same after the last bounce, if it is known yet.
    #[serde(skip)]
    pub last_apex: Option<f64>,
    /// Now, above the floor, in metres.
    #[serde(skip)]
    pub height: f64,
}

impl Flight {
    /// Bounces whose apex is reported.
    const REPORTED: [u32; 4] = [1, 10, 100, 1000];

    /// The ball is at `height` with `velocity`, after `impacts` more impacts; `free` if nothing holds it.
    fn follow(&mut self, height: f64, velocity: f64, impacts: u32, free: bool) {
        self.height = height;
        self.bounces += impacts;
        if impacts > 0 {
            self.last_apex = None;
        }
        if free && self.last_apex.is_none() {
            // The top of the parabola that the ball is on.
            let apex = height + velocity * velocity / (2.0 * f64::from(GRAVITY));
            let over_drop = apex / f64::from(DROP);
            self.last_apex = Some(over_drop);
            if Self::REPORTED.contains(&self.bounces) {
                self.apex_over_drop.insert(self.bounces, over_drop);
            }
        }
    }
}

pub(super) fn spawn_floor(mut commands: Commands) {
    // It states no restitution, so that the ball's holds.
    commands.spawn((Name::new("Floor"), Plane::new(Vec3::Y)));
}

/// All balls anew.
pub(super) fn drop_balls(
    mut commands: Commands,
    options: Res<BounceOptions>,
    mut fall: ResMut<Fall>,
) {
    *fall = Fall::default();
    let count = options.restitution.len();
    for (lane, &restitution) in options.restitution.iter().enumerate() {
        let lane = Lane(lane);
        commands.spawn((
            Name::new(format!("Ball of restitution {restitution}")),
            lane,
            Flight::default(),
            Particle::new(RADIUS),
            Restitution(restitution),
            Transform::from_translation(rest_point(lane, count) + DROP * Vec3::Y),
        ));
    }
}

pub(super) fn tick(mut fall: ResMut<Fall>, time: Res<Time<Fixed>>) {
    fall.seconds += time.timestep().as_secs_f64();
}

/// Sees the balls as they are after the step.
pub(super) fn watch_balls(
    mut balls: Query<(
        Entity,
        &Transform,
        &LinearVelocity,
        &Acceleration,
        &mut Flight,
    )>,
    mut impacts: MessageReader<Impact>,
) {
    let mut of_each = HashMap::<Entity, u32>::default();
    for impact in impacts.read() {
        for ball in [impact.a, impact.b] {
            *of_each.entry(ball).or_default() += 1;
        }
    }
    for (ball, transform, velocity, acceleration, mut flight) in &mut balls {
        let impacts = of_each.get(&ball).copied().unwrap_or_default();
        let height = f64::from(transform.translation.y) - f64::from(RADIUS);
        let free = height > 0.0 && acceleration.contact == Vec3::ZERO;
        flight.follow(height, velocity.y.into(), impacts, free);
    }
}

/// The scene's part of the report.
#[derive(Serialize, Debug)]
pub struct BounceReport {
    /// From left to right.
    balls: Vec<BallReport>,
}

#[derive(Serialize, Debug)]
struct BallReport {
    restitution: f32,
    #[serde(flatten)]
    flight: Flight,
}

/// How often each ball bounced, and how high.
pub fn bounce_report(world: &mut World) -> BounceReport {
    let mut balls = world.query::<(&Lane, &Restitution, &Flight)>();
    let balls = balls.iter(world).sort::<&Lane>();
    BounceReport {
        balls: balls
            .map(|(_, restitution, flight)| BallReport {
                restitution: restitution.0,
                flight: flight.clone(),
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use scene_kit::{RunOptions, headless::start, scene_app};

    use super::*;
    use crate::bounce::BouncePlugin;

    #[test]
    fn bounces_keep_what_the_restitution_leaves() {
        let run = RunOptions {
            headless: true,
            ..default()
        };
        let mut app = scene_app("Bounce", &run);
        app.add_plugins(BouncePlugin(BounceOptions {
            restitution: vec![1.0, 0.8],
        }));
        start(&mut app);
        for _ in 0..60 * 14 {
            app.update();
        }
        let BounceReport { balls } = bounce_report(app.world_mut());
        assert_eq!(balls.len(), 2);
        for BallReport {
            restitution,
            flight,
        } in balls
        {
            for bounces in [1, 10] {
                let apex = flight.apex_over_drop.get(&bounces).copied();
                let exact = f64::from(restitution).powi(2 * bounces as i32);
                let off = apex.unwrap_or_default() / exact - 1.0;
                assert!(
                    off.abs() < 1e-3,
                    "{apex:?} instead of {exact} after {bounces}"
                );
            }
        }
    }
}
