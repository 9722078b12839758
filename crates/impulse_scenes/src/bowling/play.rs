//! The game on the lane: who throws, when the pins are counted, and when they are set up again.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::{
    score::{Turn, score, turn},
    world::{
        ball::{Ball, Throw},
        measures::IN_PIT,
        pin::{HEIGHT, Pin, spawn_rack, stands},
    },
};

/// What the bowler does. A player or the robot writes it, the game reads it in each step.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct Hands {
    /// How the ball is held.
    pub throw: Throw,
    /// Let it go. The game takes it.
    pub release: bool,
    /// A new game is wanted. The game takes it.
    pub new_game: bool,
}

/// What happens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// The bowler aims.
    #[default]
    Aim,
    /// The ball is on its way, and pins fall.
    Roll,
    /// The pins were counted. The fallen ones are still there.
    Counted,
    /// The game is over.
    Over,
}

/// The game, and what came before it.
#[derive(Resource, Clone, Debug, Default)]
pub struct Game {
    /// Pins that fell, ball by ball.
    pub balls: Vec<u8>,
    /// What happens.
    pub phase: Phase,
    /// Seconds of this phase.
    pub seconds: f32,
    /// Seconds for which the ball has been out of play.
    since_ball: f32,
    /// Seconds for which all pins have been still.
    still: f32,
    /// Whether all pins were set up at the start of this ball.
    pub is_full_rack: bool,
    /// Games that came to their end.
    pub games: u32,
    /// The best score of these.
    pub best: u16,
}

impl Game {
    /// What the next ball is thrown at; none if the game is over.
    pub fn turn(&self) -> Option<Turn> {
        turn(&self.balls)
    }

    /// The score so far, as far as it is known.
    pub fn score(&self) -> u16 {
        score(&self.balls).into_iter().flatten().last().unwrap_or(0)
    }

    fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.seconds = 0.0;
        self.since_ball = 0.0;
        self.still = 0.0;
    }
}

/// Speed in m/s under which a pin is still. It also counts for the head of a pin that rocks.
const STILL: f32 = 0.03;
/// Seconds for which all pins must be still before they are counted.
const STILL_FOR: f32 = 0.4;
/// Seconds after the ball is out of play, or after the throw, when they are counted in any case.
const PATIENCE: f32 = 3.0;
const LONGEST: f32 = 20.0;
/// Seconds for which the fallen pins lie there after they were counted.
const SHOWN: f32 = 1.2;

/// The systems of the game. They run before each step of the physics.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Play;

/// Sets the first pins up.
pub(super) fn set_up(mut commands: Commands, mut game: ResMut<Game>) {
    spawn_rack(&mut commands, || Vec3::ZERO);
    game.is_full_rack = true;
}

/// Begins again if the player wants to.
pub(super) fn start_again(
    mut commands: Commands,
    mut hands: ResMut<Hands>,
    mut game: ResMut<Game>,
    bodies: Query<Entity, Or<(With<Pin>, With<Ball>)>>,
) {
    if !std::mem::take(&mut hands.new_game) {
        return;
    }
    for body in &bodies {
        commands.entity(body).despawn();
    }
    spawn_rack(&mut commands, || Vec3::ZERO);
    game.balls.clear();
    game.is_full_rack = true;
    game.enter(Phase::Aim);
}

/// Lets the ball go.
pub(super) fn release(mut commands: Commands, mut hands: ResMut<Hands>, mut game: ResMut<Game>) {
    // A wish for later is none.
    if std::mem::take(&mut hands.release) && game.phase == Phase::Aim {
        commands.spawn(hands.throw.clamped().ball());
        game.enter(Phase::Roll);
    }
}

/// Counts the pins once they are at rest, or after a few seconds.
pub(super) fn count(
    mut game: ResMut<Game>,
    balls: Query<(&Transform, &LinearVelocity), With<Ball>>,
    pins: Query<(&Transform, &LinearVelocity, &AngularVelocity), With<Pin>>,
    time: Res<Time>,
) {
    game.seconds += time.delta_secs();
    if game.phase != Phase::Roll {
        return;
    }
    let rolls = balls
        .iter()
        .any(|(at, velocity)| at.translation.y > IN_PIT && velocity.length() > 0.1);
    let all_still = pins
        .iter()
        .filter(|(at, ..)| at.translation.y > IN_PIT)
        .all(|(_, v, w)| v.length() + HEIGHT * w.length() < STILL);
    if !rolls {
        game.since_ball += time.delta_secs();
        game.still = if all_still {
            game.still + time.delta_secs()
        } else {
            0.0
        };
    }
    let is_late = game.since_ball > PATIENCE || game.seconds > LONGEST;
    if game.still < STILL_FOR && !is_late {
        return;
    }
    let Some(turn) = game.turn() else { return };
    let standing = pins.iter().filter(|(at, ..)| stands(at)).count() as u8;
    game.balls.push(turn.standing.saturating_sub(standing));
    game.enter(Phase::Counted);
}

/// Clears the fallen pins and the ball away. The others stay where they are, unless a new rack is due.
pub(super) fn sweep(
    mut commands: Commands,
    mut game: ResMut<Game>,
    balls: Query<Entity, With<Ball>>,
    pins: Query<(Entity, &Transform), With<Pin>>,
) {
    if game.phase != Phase::Counted || game.seconds < SHOWN {
        return;
    }
    let next = game.turn();
    let is_full_rack = next.is_none_or(|next| next.standing == 10 && game.clears_rack(next));
    for ball in &balls {
        commands.entity(ball).despawn();
    }
    for (pin, at) in &pins {
        if is_full_rack || !stands(at) {
            commands.entity(pin).despawn();
        }
    }
    if is_full_rack {
        spawn_rack(&mut commands, || Vec3::ZERO);
    }
    game.is_full_rack = is_full_rack;
    if next.is_none() {
        game.games += 1;
        game.best = game.best.max(game.score());
        game.enter(Phase::Over);
    } else {
        game.enter(Phase::Aim);
    }
}

impl Game {
    /// Whether the rack is set up anew before this ball. After a gutter ball the ten pins stay, wherever they stand.
    fn clears_rack(&self, next: Turn) -> bool {
        next.ball == 0 || self.balls.last().is_some_and(|&pins| pins > 0)
    }
}
