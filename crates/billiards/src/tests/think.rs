//! The computer's shots.

use std::{num::NonZero, sync::Arc};

use bevy::tasks::block_on;

use super::*;
use crate::{
    opponent::think::{Decision, Thinker},
    play::{
        ahead::{Ahead, Laws, Until},
        blow::Blow,
        cue::Cue,
        matches::Skill,
        snapshot::{Lying, Snapshot},
        trials::Trials,
    },
    rules::{Calls, Discipline, Ending, Frame, Player, Potted, ShotRecord, Turn},
};

/// A frame of nine-ball in which only the 9 is left.
fn last_ball() -> Frame {
    let mut frame = Frame::new(Discipline::NineBall, Player::One);
    let potted = (1..9).map(|ball| Potted {
        ball: Ball(ball),
        pocket: 0,
    });
    let shot = ShotRecord {
        first_hit: Some(Ball(1)),
        potted: potted.collect(),
        cushion_after_contact: true,
        past_head_string: true,
        ..default()
    };
    frame.shoot(&shot).unwrap();
    frame
}

/// Only the cue ball and the 9 are left, here on the bed of the table that `start` is of.
fn cue_ball_and_nine(start: &Snapshot, cue: Vec2, nine: Vec2) -> Snapshot {
    let lying = |ball, at| Lying {
        ball,
        at: lying(at).to_array(),
        turned: Quat::IDENTITY.to_array(),
    };
    Snapshot {
        rack: crate::table::rack::Rack::NineBall,
        lying: vec![lying(Ball::CUE, cue), lying(Ball(9), nine)],
        pocketed: (1..9).map(Ball).collect(),
        frame: Some(last_ball()),
        ..start.clone()
    }
}

/// Someone who plays on the table of `app`.
fn thinker(app: &App, trials: &Arc<Trials>, skill: Skill, seed: u64) -> Thinker {
    let (table, laws) = (
        app.world().resource::<Table>().clone(),
        Laws::of(app.world()),
    );
    let rng = RunOptions::default().rng(seed);
    Thinker::new(trials.clone(), table, laws, skill, rng)
}

/// The blow that someone has decided on.
fn blow_of(decision: &Decision, before: &Snapshot, table: &Table) -> Blow {
    let held = Cue {
        direction: decision.direction,
        tip: decision.tip,
        ..default()
    };
    held.blow_in(before, table, decision.back).unwrap()
}

fn trials(threads: usize) -> Arc<Trials> {
    Arc::new(Trials::new(NonZero::new(threads).unwrap()))
}

#[test]
fn an_expert_sinks_cuts_that_friction_would_throw_off_the_pocket() {
    let mut app = table();
    let laws = Laws::of(app.world());
    let table = app.world().resource::<Table>().clone();
    let start = Snapshot::take(app.world_mut());
    let (trials, mut ahead) = (trials(2), Ahead::new(&table, &laws));
    for (number, (cue, nine)) in [
        ((-0.2, 0.1), (0.7, 0.35)),
        ((0.2, -0.3), (0.9, 0.2)),
        ((0.6, 0.3), (-0.2, -0.3)),
    ]
    .into_iter()
    .enumerate()
    {
        let before = cue_ball_and_nine(&start, cue.into(), nine.into());
        let mut thinker = thinker(&app, &trials, Skill::Expert, number as u64);
        let decision = block_on(thinker.decide(&before)).unwrap();
        let blow = blow_of(&decision, &before, &table);
        let outcome = block_on(ahead.play(&laws, &before, blow, Until::Rest)).unwrap();
        let won = Turn::Over {
            winner: Player::One,
            ending: Ending::NinePocketed,
        };
        assert_eq!(outcome.ruling.unwrap().turn, won, "shot {number}");
    }
}

/// The threads share the shots out as they like, and play them in games that have played others before.
#[test]
fn the_computer_decides_the_same_on_any_number_of_threads() {
    let mut app = table();
    let start = Snapshot::take(app.world_mut());
    let before = cue_ball_and_nine(&start, Vec2::new(0.6, 0.3), Vec2::new(-0.2, -0.3));
    let decide = |trials: &Arc<Trials>, seed| {
        block_on(thinker(&app, trials, Skill::Club, seed).decide(&before))
    };
    let (alone, three) = (trials(1), trials(3));
    for seed in 0..4 {
        let decided = decide(&alone, seed);
        assert!(decided.is_some());
        assert_eq!(decide(&three, seed), decided);
        assert_eq!(decide(&trials(1), seed), decided);
    }
}

/// After a breaking foul the other player may have the cue ball in hand before an unbroken rack. There a gentle shot is a foul, as no
/// ball comes to a rail.
#[test]
fn a_full_rack_is_hit_hard_enough_to_be_no_foul() {
    let mut app = table();
    let laws = Laws::of(app.world());
    let table = app.world().resource::<Table>().clone();
    let (trials, mut ahead) = (trials(2), Ahead::new(&table, &laws));
    let mut frame = Frame::new(Discipline::EightBall(Calls::EightOnly), Player::One);
    // The cue ball fell, and nothing else happened.
    let scratch = ShotRecord {
        first_hit: Some(Ball(1)),
        potted: vec![Potted {
            ball: Ball::CUE,
            pocket: 0,
        }],
        past_head_string: true,
        ..default()
    };
    frame.shoot(&scratch).unwrap();
    if let Turn::Choose { options, .. } = frame.turn().clone() {
        let in_hand = options.iter().find(|choice| choice.is_in_hand()).unwrap();
        frame.choose(*in_hand).unwrap();
    }
    let before = Snapshot {
        frame: Some(frame),
        ..Snapshot::take(app.world_mut())
    };
    assert_eq!(before.rack, crate::table::rack::Rack::EightBall);
    for skill in [Skill::Beginner, Skill::Club, Skill::Expert] {
        let mut thinker = thinker(&app, &trials, skill, 1);
        let decision = block_on(thinker.decide(&before)).unwrap();
        let mut before = before.clone();
        before.place_cue_ball(decision.place.unwrap());
        let blow = blow_of(&decision, &before, &table);
        let outcome = block_on(ahead.play(&laws, &before, blow, Until::Rest)).unwrap();
        let fouls = outcome.ruling.unwrap().fouls;
        assert!(fouls.is_empty(), "{skill:?}: {fouls:?}");
    }
}
