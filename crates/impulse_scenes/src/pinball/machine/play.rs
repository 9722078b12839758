//! The ball, and the game on the table.

use bevy::{math::Vec3Swizzles, prelude::*};
use bevy_impulse_collide::prelude::*;

use super::{
    Hands,
    measures::{BALL_MASS, BALL_RADIUS, plunger::serve as place},
    rules::{Phase, Rules},
    switches::Closed,
};

/// The ball.
#[derive(Component, Clone, Copy, Debug)]
pub struct Ball {
    /// Where its centre was after the step before.
    pub before: Vec2,
}

/// The game on the table, and what came before it.
#[derive(Resource, Default, Debug)]
pub struct Game {
    /// The game.
    pub rules: Rules,
    /// The best score since the program started.
    pub best: u64,
    /// Games that came to their end.
    pub games: u32,
    /// Balls that drained for good, in all games.
    pub balls: u32,
    /// Seconds since this game began.
    pub seconds: f32,
}

pub(super) fn spawn_ball(mut commands: Commands) {
    commands.spawn((
        Ball {
            before: place().xz(),
        },
        Particle::new(BALL_RADIUS),
        Mass(BALL_MASS),
        Transform::from_translation(place()),
    ));
}

/// Begins a new game when one is wanted.
pub(super) fn start_again(mut hands: ResMut<Hands>, mut game: ResMut<Game>) {
    if hands.new_game {
        hands.new_game = false;
        game.rules = Rules::default();
        game.seconds = 0.0;
    }
}

/// Tells the rules which switches closed, and that time passes.
pub(super) fn score(mut closed: MessageReader<Closed>, mut game: ResMut<Game>, time: Res<Time>) {
    let was = (game.rules.phase, game.rules.drained);
    for Closed(switch) in closed.read() {
        game.rules.close(*switch);
    }
    game.rules.tick(time.delta_secs());
    game.balls += game.rules.drained.saturating_sub(was.1);
    game.best = game.best.max(game.rules.score);
    if game.rules.phase != Phase::Over {
        game.seconds += time.delta_secs();
    } else if was.0 != Phase::Over {
        game.games += 1;
    }
}

/// Puts the ball before the plunger when the rules want one there.
pub(super) fn serve(ball: Single<(Entity, &mut Ball)>, game: Res<Game>, mut commands: Commands) {
    if game.rules.phase != Phase::Serve {
        return;
    }
    let (entity, mut ball) = ball.into_inner();
    ball.before = place().xz();
    let to = TeleportTo::new(place()).with_rotation(Quat::IDENTITY);
    commands.entity(entity).queue(to.stopped());
}

/// Tells the rules that the ball lies before the plunger, once it does.
pub(super) fn note_served(ball: Single<&Transform, With<Ball>>, mut game: ResMut<Game>) {
    if game.rules.phase == Phase::Serve && ball.translation == place() {
        game.rules.served();
    }
}
