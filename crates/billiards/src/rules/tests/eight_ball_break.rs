//! The break of eight-ball (WPA 4.3).

use super::*;
use crate::rules::{Choice, Dilemma, Foul, Ruling};
use CueBall::AsItLies;
use Player::{One, Two};

const ACCEPT: Choice = Choice::Play {
    cue: AsItLies,
    spot: None,
};
const BEHIND: Choice = Choice::Play {
    cue: KITCHEN,
    spot: None,
};

/// Player one breaks.
fn after(shot: ShotRecord) -> (Frame, Ruling) {
    let mut frame = Frame::new(EIGHT_ONLY, One);
    let ruling = frame.shoot(&shot).unwrap();
    (frame, ruling)
}

fn options(frame: &Frame) -> (Player, Dilemma, Vec<Choice>) {
    match frame.turn() {
        Turn::Choose {
            player,
            about,
            options,
        } => (*player, *about, options.clone()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn any_ball_may_be_hit_first_on_the_break() {
    for first in 1..=15 {
        let shot = ShotRecord {
            first_hit: Some(Ball(first)),
            ..open_break()
        };
        assert_eq!(after(shot).1.fouls, []);
    }
}

#[test]
fn a_ball_on_the_break_keeps_the_turn_and_leaves_the_table_open() {
    let (frame, _) = after(open_break().pot(3).pot(12));
    assert_eq!(*frame.turn(), shoot(One, AsItLies));
    assert_eq!(frame.group(One), None);
    assert_eq!(
        frame.targets(),
        frame.balls().difference(BallSet::one(Ball(8)))
    );
}

#[test]
fn one_ball_pocketed_makes_a_break_legal_without_four_to_a_rail() {
    assert_eq!(*after(hit(1).pot(3)).0.turn(), shoot(One, AsItLies));
}

#[test]
fn four_balls_to_a_rail_make_a_break_legal_and_three_do_not() {
    assert_eq!(*after(open_break()).0.turn(), shoot(Two, AsItLies));
    let three = ShotRecord {
        to_cushion: BallSet::numbers(0, 3),
        ..hit(1)
    };
    let (frame, ruling) = after(three);
    assert_eq!(ruling.fouls, []);
    let about = (Two, Dilemma::IllegalBreak);
    let choices = vec![ACCEPT, Choice::Break, Choice::LetBreak];
    assert_eq!(options(&frame), (about.0, about.1, choices));
}

#[test]
fn after_an_illegal_break_the_opponent_may_accept_or_break_or_let_break() {
    let (frame, _) = after(hit(1));
    let mut accepted = frame.clone();
    accepted.choose(ACCEPT).unwrap();
    assert_eq!(*accepted.turn(), shoot(Two, AsItLies));
    for (choice, breaker) in [(Choice::Break, Two), (Choice::LetBreak, One)] {
        let mut frame = frame.clone();
        assert!(frame.choose(choice).unwrap().racked);
        assert_eq!(*frame.turn(), Turn::Break(breaker));
    }
}

#[test]
fn a_scratch_on_the_break_gives_the_cue_ball_behind_the_head_string() {
    let (frame, ruling) = after(open_break().pot(3).scratch());
    assert_eq!(ruling.fouls, [Foul::Scratch]);
    assert_eq!(*frame.turn(), shoot(Two, KITCHEN));
    assert!(!frame.balls().contains(Ball(3)));
}

#[test]
fn a_ball_off_the_table_on_the_break_stays_out_and_the_opponent_chooses() {
    let (frame, ruling) = after(open_break().off(5));
    assert_eq!(ruling.fouls, [Foul::BallOffTable(Ball(5))]);
    assert_eq!(ruling.spotted, []);
    let choices = vec![ACCEPT, BEHIND];
    assert_eq!(options(&frame), (Two, Dilemma::FoulOnBreak, choices));
    assert!(!frame.balls().contains(Ball(5)));
}

#[test]
fn an_illegal_break_with_a_foul_gives_the_options_of_both() {
    let (frame, _) = after(ShotRecord::default());
    let all = vec![ACCEPT, BEHIND, Choice::Break, Choice::LetBreak];
    assert_eq!(options(&frame), (Two, Dilemma::IllegalBreak, all));
    let (frame, _) = after(hit(1).scratch());
    let no_cue_ball = vec![BEHIND, Choice::Break, Choice::LetBreak];
    assert_eq!(options(&frame).2, no_cue_ball);
}

#[test]
fn the_eight_on_a_legal_break_lets_the_breaker_spot_it_or_break_again() {
    let (mut frame, _) = after(open_break().pot(8));
    let spot = Choice::Play {
        cue: AsItLies,
        spot: Some(Ball(8)),
    };
    let expected = (One, Dilemma::EightOnBreak, vec![spot, Choice::Break]);
    assert_eq!(options(&frame), expected);
    assert!(!frame.balls().contains(Ball(8)));
    let mut again = frame.clone();
    again.choose(Choice::Break).unwrap();
    assert_eq!(*again.turn(), Turn::Break(One));
    assert_eq!(frame.choose(spot).unwrap().spotted, [Ball(8)]);
    assert_eq!(*frame.turn(), shoot(One, AsItLies));
    assert!(frame.balls().contains(Ball(8)));
}

#[test]
fn the_eight_on_a_foul_break_lets_the_opponent_spot_it_or_break() {
    for shot in [open_break().pot(8).scratch(), open_break().pot(8).off(2)] {
        let (frame, _) = after(shot);
        let spot = Choice::Play {
            cue: KITCHEN,
            spot: Some(Ball(8)),
        };
        let expected = (Two, Dilemma::EightOnBreak, vec![spot, Choice::Break]);
        assert_eq!(options(&frame), expected);
    }
}

#[test]
fn the_eight_off_the_table_on_the_break_is_spotted() {
    let (frame, ruling) = after(open_break().off(8));
    assert_eq!(ruling.spotted, [Ball(8)]);
    assert_eq!(frame.balls(), BallSet::numbers(1, 15));
}

#[test]
fn from_behind_the_head_string_the_cue_ball_has_to_play_past_it() {
    let (mut frame, _) = after(open_break().pot(3).scratch());
    let short = ShotRecord {
        past_head_string: false,
        ..hit(4)
    };
    let mut other = frame.clone();
    assert_eq!(
        frame.shoot(&short).unwrap().fouls,
        [Foul::NotPastHeadString]
    );
    assert_eq!(other.shoot(&hit(4)).unwrap().fouls, []);
    // With the cue ball anywhere in hand the head string does not matter.
    assert_eq!(*frame.turn(), shoot(One, IN_HAND));
    assert_eq!(frame.shoot(&short).unwrap().fouls, []);
}
