//! An automatic player. It looks at the ball's position and velocity, as a person does, and is not very good.

use bevy::{math::Vec3Swizzles, prelude::*};
use bevy_impulse_collide::prelude::*;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::{
    Hands, Side,
    measures::{
        BALL_RADIUS,
        flipper::{self, LENGTH, REST},
        plunger::{HAND, PULL},
    },
    play::{Ball, Game},
    rules::Phase,
    targets::is_in_lane,
};

/// The player, with its dice.
#[derive(Resource, Clone, Debug)]
pub struct Robot {
    rng: ChaCha8Rng,
    arms: [Arm; 2],
    /// Seconds until the plunger is pulled, and for which it is pulled.
    launch: Option<(f32, f32)>,
}

/// Whether the robot plays, or a person.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct IsOn(pub bool);

/// What it does with a flipper.
#[derive(Clone, Copy, Debug, Default)]
struct Arm {
    /// Where on the flipper the ball should be, in m from the pivot; 0: not yet chosen.
    aim: f32,
    /// Seconds until the button is pressed, once the ball is there.
    delay: Option<f32>,
    /// Seconds for which the button stays pressed.
    hold: f32,
}

/// Seconds for which a button is pressed.
const HOLD: f32 = 0.14;
/// Longest reaction time in seconds.
const DELAY: f32 = 0.03;
/// Pushes a second.
const PUSHES: f64 = 0.05;

impl Robot {
    /// A player with these dice.
    pub fn new(rng: ChaCha8Rng) -> Self {
        Self {
            rng,
            arms: default(),
            launch: None,
        }
    }

    /// Whether the flipper's button is pressed after this step.
    fn flip(&mut self, side: Side, ball: Vec2, velocity: Vec2, dt: f32) -> bool {
        let arm = &mut self.arms[side as usize];
        if arm.aim == 0.0 {
            arm.aim = self.rng.random_range(0.45..1.05) * LENGTH;
        }
        arm.hold -= dt;
        if arm.hold > 0.0 {
            return true;
        }
        if let Some(delay) = &mut arm.delay {
            *delay -= dt;
            if *delay <= 0.0 {
                *arm = Arm {
                    hold: HOLD,
                    ..default()
                };
            }
            return arm.hold > 0.0;
        }
        // In the axes of the resting flipper: to its tip, and off its upper side.
        let inward = -side.sign();
        let tip = Vec2::new(inward * REST.cos(), REST.sin());
        let off = Vec2::new(inward * REST.sin(), -REST.cos());
        let from = ball - flipper::pivot(side);
        let (along, height) = (from.dot(tip), from.dot(off));
        let approach = -velocity.dot(off);
        let reach = BALL_RADIUS + flipper::RADII[0] + 0.005 + 0.03 * approach.max(0.0);
        let is_due = along > arm.aim - 0.02 * velocity.dot(tip).max(0.0)
            && along < 1.5 * LENGTH
            && (-0.01..reach).contains(&height)
            && approach > -0.2;
        if is_due {
            arm.delay = Some(self.rng.random_range(0.0..DELAY));
        }
        false
    }
}

/// Moves the hands.
pub fn play(
    mut robot: ResMut<Robot>,
    mut hands: ResMut<Hands>,
    ball: Single<(&Transform, &LinearVelocity), With<Ball>>,
    game: Res<Game>,
    time: Res<Time>,
) {
    let (transform, velocity) = ball.into_inner();
    let (at, dt) = (transform.translation, time.delta_secs());
    for side in Side::BOTH {
        hands.flip[side as usize] = robot.flip(side, at.xz(), velocity.xz(), dt);
    }

    let waits = is_in_lane(at) && velocity.length() < 0.05;
    hands.pull = false;
    match &mut robot.launch {
        None if waits => {
            let strength = robot.rng.random_range(0.6..1.0);
            let wait = robot.rng.random_range(0.2..0.8);
            robot.launch = Some((wait, strength * PULL / HAND));
        }
        None => {}
        Some((wait, _)) if *wait > 0.0 => *wait -= dt,
        Some((_, pull)) if *pull > 0.0 => {
            *pull -= dt;
            hands.pull = true;
        }
        Some(_) => robot.launch = None,
    }

    hands.new_game = game.rules.phase == Phase::Over;
    if game.rules.phase == Phase::Play && robot.rng.random_bool(PUSHES * f64::from(dt)) {
        let angle = robot.rng.random_range(0.0..std::f32::consts::TAU);
        hands.push = Some(Vec2::from_angle(angle));
    }
}
