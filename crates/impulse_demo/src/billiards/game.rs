//! The course of the game: racks, shots, and when the player may shoot.

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use rand::Rng;

use super::{
    balls::{self, Ball, Kind, LastPosition, RADIUS, body},
    pockets::{Falling, Returning},
    rack::Rack,
    strike::Blow,
    table::Table,
};
use crate::RunOptions;

/// Surface speed in m/s, of rolling or spinning, under which a ball counts as lying still.
const STILL: f32 = 1e-3;
/// The aim of a headless break is off the rack's centre by up to this, in turns.
const BREAK_AIM: f32 = 0.001;

/// Whose turn it is: the player's or the balls'.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// All balls lie still: the player may shoot.
    #[default]
    Aim,
    /// Balls move.
    Roll,
}

/// The state of the game.
#[derive(Resource, Clone, Debug, Default)]
pub struct Game {
    /// How the balls are set up.
    pub rack: Rack,
    /// Whose turn it is.
    pub phase: Phase,
    /// Shots since the rack.
    pub shots: u32,
    /// Object balls that fell, in order.
    pub pocketed: Vec<Ball>,
    /// What the player should know about the last shot.
    pub note: String,
}

impl Game {
    /// How many balls of `kind` fell.
    pub fn count(&self, kind: Kind) -> usize {
        self.pocketed
            .iter()
            .filter(|ball| ball.kind() == kind)
            .count()
    }

    /// Notes that `ball` fell into a pocket.
    pub(super) fn pocket(&mut self, ball: Ball) {
        let cleared = self.count(Kind::Solid) == 7 || self.count(Kind::Stripe) == 7;
        match ball.kind() {
            Kind::Cue => {
                self.note = "Scratch: the cue ball comes back to the head string.".to_owned();
                return;
            }
            Kind::Eight if cleared => {
                self.note = format!("The 8 is down: won in {} shots! R racks again.", self.shots)
            }
            Kind::Eight => self.note = "The 8 is down too soon: lost. R racks again.".to_owned(),
            Kind::Solid | Kind::Stripe => {}
        }
        self.pocketed.push(ball);
    }

    /// Notes that `ball` jumped off the table.
    pub(super) fn lose(&mut self, ball: Ball) {
        self.note = match ball {
            Ball::CUE => "Off the table: the cue ball comes back to the head string.".to_owned(),
            Ball(number) => format!("Off the table: the {number} comes back to the foot spot."),
        };
    }
}

/// Asks for a shot; heeded when all balls lie still.
#[derive(Message, Clone, Copy, Debug)]
pub struct Shot(pub Blow);

/// Asks for a new rack.
#[derive(Message, Clone, Copy, Debug)]
pub struct Rerack;

type CueBall<'w, 's> = Query<
    'w,
    's,
    (
        &'static Ball,
        &'static mut LinearVelocity,
        &'static mut AngularVelocity,
    ),
>;

fn strike(Shot(blow): Shot, table: &Table, game: &mut Game, balls: &mut CueBall) {
    let spec = table.spec;
    let Ok(struck) = blow.strike(&spec.cue, &spec.ball) else {
        game.note = "Miscue: the tip slipped off the ball.".to_owned();
        return;
    };
    for (ball, mut velocity, mut spin) in balls {
        if *ball == Ball::CUE {
            (velocity.0, spin.0) = (struck.velocity, struck.spin);
            game.phase = Phase::Roll;
            game.shots += 1;
            game.note.clear();
        }
    }
}

pub(super) fn shoot(
    mut shots: MessageReader<Shot>,
    table: Res<Table>,
    mut game: ResMut<Game>,
    mut balls: CueBall,
) {
    for shot in shots.read() {
        if game.phase == Phase::Aim {
            strike(*shot, &table, &mut game, &mut balls);
        }
    }
}

/// The break of a headless run: `speed` m/s at the first ball of the rack. Its aim depends on the seed: a perfectly
/// straight one would leave the balls mirrored.
pub(super) fn break_rack(
    speed: f32,
) -> impl Fn(Res<RunOptions>, Res<Table>, ResMut<Game>, CueBall, Query<(&Ball, &Transform)>) {
    move |options, table, mut game, mut balls, places| {
        let Some((_, cue_ball)) = places.iter().find(|(ball, _)| **ball == Ball::CUE) else {
            return;
        };
        let off = options.rng(0).random_range(-BREAK_AIM..=BREAK_AIM) * TAU;
        let way = game.rack.target(table.spec) - cue_ball.translation.xz();
        let direction = Vec2::from_angle(off).rotate(way.normalize());
        let blow = Blow::centered(&table.spec.cue, &table.spec.ball, direction, speed);
        strike(Shot(blow), &table, &mut game, &mut balls);
    }
}

pub(super) fn rerack(
    mut commands: Commands,
    mut asked: MessageReader<Rerack>,
    mut game: ResMut<Game>,
    balls: Query<Entity, With<Ball>>,
) {
    if asked.read().count() > 0 {
        for ball in &balls {
            commands.entity(ball).despawn();
        }
        commands.run_system_cached(balls::spawn_balls);
        *game = Game {
            rack: game.rack,
            ..default()
        };
    }
}

/// When all balls lie still, those that left the table come back and the player's turn starts.
pub(super) fn settle(
    mut commands: Commands,
    table: Res<Table>,
    mut game: ResMut<Game>,
    moving: Query<(&Transform, &LinearVelocity, &AngularVelocity), With<Ball>>,
    falling: Query<(), With<Falling>>,
    returning: Query<(Entity, &Ball), With<Returning>>,
) {
    let still = |(_, velocity, spin): (_, &LinearVelocity, &AngularVelocity)| {
        velocity.length() < STILL && spin.length() * RADIUS < STILL
    };
    if game.phase == Phase::Aim || !falling.is_empty() || !moving.iter().all(still) {
        return;
    }
    let mut taken: Vec<Vec2> = moving
        .iter()
        .map(|(transform, ..)| transform.translation.xz())
        .collect();
    for (entity, ball) in &returning {
        let spot = if *ball == Ball::CUE {
            table.spec.head_spot()
        } else {
            table.spec.foot_spot()
        };
        let at = table.free_place(spot, &taken);
        taken.push(at);
        commands.entity(entity).remove::<Returning>().insert((
            body(&table.spec.ball),
            LastPosition(table.lying(at)),
            Transform::from_translation(table.lying(at)),
        ));
    }
    game.phase = Phase::Aim;
}
