//! The row of balls, and its collisions.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use clap::Args;
use serde::Serialize;

/// Command line options of the cradle.
#[derive(Args, Resource, Clone, Debug)]
pub struct CradleOptions {
    /// Balls to pull aside and let go
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=4))]
    pub balls: u8,
}

/// Balls in the row.
pub(super) const BALLS: usize = 5;
/// Of a ball, in metres.
pub(super) const RADIUS: f32 = 0.05;
/// Of the strings, from the ball's centre straight up, in metres.
pub(super) const LENGTH: f32 = 0.6;
/// Metres that the first balls are pulled aside.
const PULL: f32 = 0.3;
/// m/s².
const GRAVITY: f32 = 9.81;

/// A ball that hangs at `rest` on the X axis.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Pendulum {
    pub rest: f32,
}

/// Of all strings together, in J. The physics knows nothing of them.
pub(super) fn potential_energy(world: &mut World) -> f64 {
    let mut balls = world.query::<(&Pendulum, &Transform, &Mass)>();
    let energy = |(pendulum, transform, mass): (&Pendulum, &Transform, &Mass)| {
        let x = f64::from(transform.translation.x - pendulum.rest);
        0.5 * f64::from(mass.0) * f64::from(GRAVITY / LENGTH) * x * x
    };
    balls.iter(world).map(energy).sum()
}

/// Five new balls, the first ones pulled aside.
pub(super) fn let_go(
    mut commands: Commands,
    options: Res<CradleOptions>,
    mut collisions: ResMut<Collisions>,
) {
    *collisions = Collisions::default();
    for i in 0..BALLS {
        let rest = 2.0 * RADIUS * (i as f32 - 0.5 * (BALLS - 1) as f32);
        let is_pulled = i < usize::from(options.balls);
        let x = if is_pulled { rest - PULL } else { rest };
        commands.spawn((
            Name::new(format!("Ball {}", i + 1)),
            Pendulum { rest },
            Particle::new(RADIUS),
            Restitution(1.0),
            Friction(0.0),
            Transform::from_xyz(x, 0.0, 0.0),
        ));
    }
}

/// Half of a step's pull of the strings: v += −g/L·x·h/2. Before a step and after it, the two make the velocity Verlet method.
///
/// A force would bend the flight within the step by the pull at its start. Here two balls exchange their velocities in the middle
/// of a step, and the pull of each is another one by then: they would gain energy of the order of (h²·g/L)/6 in each collision.
/// Kicks leave the flight between them to the impacts alone. Such a step keeps the energy for any time: Leimkuhler and Reich,
/// Simulating Hamiltonian Dynamics, 2004, chapter 7.
pub(super) fn pull_back(
    mut balls: Query<(&Pendulum, &Transform, &mut LinearVelocity)>,
    time: Res<Time>,
) {
    for (pendulum, transform, mut velocity) in &mut balls {
        let x = transform.translation.x - pendulum.rest;
        if x != 0.0 {
            velocity.x -= GRAVITY / LENGTH * x * 0.5 * time.delta_secs();
        }
    }
}

/// The collisions since the balls were let go, in order.
#[derive(Resource, Default, Debug)]
pub(super) struct Collisions {
    pub all: Vec<Collision>,
    /// There were impacts in the last step, so the next ones belong to the same collision.
    pub is_on: bool,
}

/// Result of a collision of the row, relative to the incoming speed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Collision {
    /// Speed at which the balls came in, in m/s.
    pub incoming: f32,
    /// Velocities along the line after it over that speed.
    pub speeds: [f32; BALLS],
    /// The largest of them, without sign, of the balls that should stay.
    pub stray: f32,
    /// How far a ball has swung out since, in metres.
    pub swing: f32,
}

pub(super) fn watch_collisions(
    mut collisions: ResMut<Collisions>,
    mut impacts: MessageReader<Impact>,
    balls: Query<(&Pendulum, &Transform, &LinearVelocity)>,
    options: Res<CradleOptions>,
) {
    let away = |(pendulum, transform, _): (&Pendulum, &Transform, _)| {
        (transform.translation.x - pendulum.rest).abs()
    };
    if let Some(last) = collisions.all.last_mut() {
        last.swing = balls.iter().map(away).fold(last.swing, f32::max);
    }
    let fastest = impacts.read().map(|impact| impact.approach_speed);
    let Some(approach) = fastest.reduce(f32::max) else {
        collisions.is_on = false;
        return;
    };
    let last = collisions.all.last().filter(|_| collisions.is_on).copied();
    let incoming = last.map_or(approach, |collision| collision.incoming);
    let mut row: Vec<_> = balls.iter().collect();
    row.sort_by(|(a, ..), (b, ..)| a.rest.total_cmp(&b.rest));
    let mut speeds = [0.0; BALLS];
    for (speed, (.., velocity)) in speeds.iter_mut().zip(row) {
        *speed = velocity.x / incoming;
    }
    // As many leave as came, on the side to which they go.
    let staying = BALLS - usize::from(options.balls);
    let goes_right = speeds.iter().sum::<f32>() > 0.0;
    let stay = if goes_right {
        &speeds[..staying]
    } else {
        &speeds[BALLS - staying..]
    };
    let collision = Collision {
        incoming,
        speeds,
        stray: stay.iter().fold(0.0, |most, speed| most.max(speed.abs())),
        swing: 0.0,
    };
    if last.is_some() {
        collisions.all.pop();
    }
    collisions.all.push(collision);
    collisions.is_on = true;
}

/// The scene's part of the report.
#[derive(Serialize, Debug)]
pub struct CradleReport {
    /// How often the row was hit.
    collisions: usize,
    /// Velocities along the line right after the first collision, over the speed that came in. Empty: there was none.
    speeds: Vec<f32>,
    /// The largest of these, without sign, of the balls that should stay.
    stray: Option<f32>,
    /// The largest of all collisions.
    stray_max: Option<f32>,
    /// How far the first balls were pulled aside, in metres.
    pull: f32,
    /// How far a ball swings out after the last collision but one, in metres. None: there was none.
    swing: Option<f32>,
}

/// Measures how well the row passes on the incoming speed.
pub fn cradle_report(world: &mut World) -> CradleReport {
    let collisions = &world.resource::<Collisions>().all;
    let first = collisions.first();
    CradleReport {
        collisions: collisions.len(),
        speeds: first.map_or_else(Vec::new, |first| first.speeds.to_vec()),
        stray: first.map(|first| first.stray),
        stray_max: collisions
            .iter()
            .map(|collision| collision.stray)
            .reduce(f32::max),
        pull: PULL,
        swing: collisions.iter().rev().nth(1).map(|one| one.swing),
    }
}

#[cfg(test)]
mod tests {
    use scene_kit::{RunOptions, headless::start, scene_app};

    use super::*;
    use crate::cradle::CradlePlugin;

    /// The cradle after so many seconds.
    fn cradle(balls: u8, hz: f64, seconds: f64) -> App {
        let run = RunOptions {
            headless: true,
            ..default()
        };
        let mut app = scene_app("Cradle", &run.or_hz(hz));
        app.add_plugins(CradlePlugin(CradleOptions { balls }));
        start(&mut app);
        for _ in 0..(hz * seconds) as u32 {
            app.update();
        }
        app
    }

    /// A quarter of a period to the first collision, then half a period from one to the next.
    fn half_period() -> f32 {
        std::f32::consts::PI * (LENGTH / GRAVITY).sqrt()
    }

    #[test]
    fn as_many_leave_as_come_in() {
        for balls in 1..=4 {
            let report = cradle_report(cradle(balls, 240.0, 3.0).world_mut());
            assert_eq!(report.collisions, (3.0 / half_period() + 0.5) as usize);
            assert!(report.stray_max < Some(1e-3), "{report:?}");
            let (stay, leave) = report.speeds.split_at(BALLS - usize::from(balls));
            assert!(
                stay.iter().all(|speed| speed.abs() < 1e-3),
                "{balls}: {stay:?}"
            );
            assert!(
                leave.iter().all(|speed| (speed - 1.0).abs() < 1e-3),
                "{balls}: {leave:?}"
            );
        }
    }

    #[test]
    fn the_thousandth_collision_is_as_the_first() {
        for hz in [30.0, 60.0, 120.0, 240.0] {
            for balls in 1..=4 {
                let seconds = 1000.6 * half_period();
                let mut app = cradle(balls, hz, seconds.into());
                let report = cradle_report(app.world_mut());
                let case = format!("{balls} balls at {hz} Hz: {report:?}");
                assert!(report.collisions.abs_diff(1000) <= 3, "{case}");
                // The swing is seen once a step: between two steps a ball may swing on by x·(g/L)·(h/2)²/2.
                let step = 1.0 / hz as f32;
                let unseen = 0.125 * GRAVITY / LENGTH * step * step;
                let swing = report.swing.unwrap_or_default() / PULL;
                assert!((swing - 1.0).abs() < 2e-3 + unseen, "{case}");
                assert!(report.stray_max < Some(2e-3), "{case}");
            }
        }
    }
}
