//! The computer's shots.

use super::*;
use crate::{
    opponent::think::Thinker,
    play::{
        ahead::{Ahead, Laws, Until},
        cue::Cue,
        matches::Skill,
        snapshot::{Lying, Snapshot},
    },
    rules::{Discipline, Ending, Frame, Player, Potted, ShotRecord, Turn},
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

#[test]
fn an_expert_sinks_cuts_that_friction_would_throw_off_the_pocket() {
    let mut app = table();
    let laws = Laws::of(app.world());
    let table = app.world().resource::<Table>().clone();
    let start = Snapshot::take(app.world_mut());
    for (number, (cue, nine)) in [
        ((-0.2, 0.1), (0.7, 0.35)),
        ((0.2, -0.3), (0.9, 0.2)),
        ((0.6, 0.3), (-0.2, -0.3)),
    ]
    .into_iter()
    .enumerate()
    {
        let lying = |ball, (x, y): (f32, f32)| Lying {
            ball,
            at: lying(Vec2::new(x, y)).to_array(),
            turned: Quat::IDENTITY.to_array(),
        };
        let before = Snapshot {
            rack: crate::table::rack::Rack::NineBall,
            lying: vec![lying(Ball::CUE, cue), lying(Ball(9), nine)],
            pocketed: (1..9).map(Ball).collect(),
            frame: Some(last_ball()),
            ..start.clone()
        };
        let ahead = Ahead::new(&table, &laws);
        let rng = RunOptions::default().rng(number as u64);
        let mut thinker = Thinker::new(ahead, table.clone(), laws.clone(), Skill::Expert, rng);
        let decision = thinker.decide(&before).unwrap();
        let held = Cue {
            direction: decision.direction,
            tip: decision.tip,
            ..default()
        };
        let blow = held.blow(Vec2::from(cue), &table, decision.back);
        let outcome = thinker
            .ahead
            .play(&laws, &before, blow, Until::Rest)
            .unwrap();
        let won = Turn::Over {
            winner: Player::One,
            ending: Ending::NinePocketed,
        };
        assert_eq!(outcome.ruling.unwrap().turn, won, "shot {number}");
    }
}
