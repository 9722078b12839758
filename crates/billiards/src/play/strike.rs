//! The cue strikes.

use bevy::prelude::*;
use bevy_impulse_collide::{forget_past, prelude::*};

use super::{
    account::{self, Motion},
    blow::Blow,
    record,
    state::{Game, Phase},
};
use crate::{rules::Ball, table::bed::Table};

/// Strikes the cue ball; false if the tip slips off.
pub(super) fn strike(world: &mut World, blow: Blow, phase: Phase) -> bool {
    let spec = world.resource::<Table>().spec;
    let Ok(struck) = blow.strike(&spec.cue, &spec.ball) else {
        world.resource_mut::<Game>().note = "Miscue: the tip slipped off the ball.".to_owned();
        return false;
    };
    // The state that the physics keeps from step to step came from other shots.
    forget_past(world);
    record::start(world);
    let start = Motion {
        velocity: struck.velocity.xz(),
        spin: struck.spin,
    };
    if phase == Phase::Roll {
        account::begin(world, start);
    }
    let mut balls = world.query::<(&Ball, &mut LinearVelocity, &mut AngularVelocity)>();
    for (ball, mut velocity, mut spin) in balls.iter_mut(world) {
        if *ball == Ball::CUE {
            (velocity.0, spin.0) = (struck.velocity, struck.spin);
        }
    }
    let mut game = world.resource_mut::<Game>();
    game.phase = phase;
    game.shots += 1;
    game.note.clear();
    true
}
