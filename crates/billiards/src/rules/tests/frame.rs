//! Laws of all games: refusals, concession, stalemate, the free table.

use super::*;
use crate::rules::{Choice, Ending, RuleError};
use Player::{One, Two};

#[test]
fn a_record_of_a_ball_that_is_not_on_the_table_is_refused() {
    let mut frame = Frame::new(Discipline::NineBall, One);
    let before = frame.clone();
    for (shot, ball) in [
        (hit(10), 10),
        (open_break().pot(10), 10),
        (open_break().off(12), 12),
        (hit(0), 0),
    ] {
        let refused = frame.shoot(&shot);
        assert_eq!(refused, Err(RuleError::NotOnTable(Ball(ball))));
    }
    let twice = frame.shoot(&open_break().pot(3).off(3));
    assert_eq!(twice, Err(RuleError::GoneTwice(Ball(3))));
    assert_eq!(frame, before);
}

#[test]
fn a_choice_comes_before_the_next_shot_and_has_to_be_offered() {
    let mut frame = Frame::new(EIGHT_ONLY, One);
    assert_eq!(frame.cue_ball(), Some(KITCHEN));
    assert_eq!(frame.choose(Choice::Break), Err(RuleError::NothingToChoose));
    frame.shoot(&hit(1)).unwrap();
    assert_eq!(frame.shoot(&hit(1)), Err(RuleError::ChoiceFirst));
    let refused = frame.choose(Choice::HandBack);
    assert_eq!(refused, Err(RuleError::NotAnOption(Choice::HandBack)));
    assert!(frame.targets().is_empty());
    assert_eq!(frame.cue_ball(), None);
}

#[test]
fn who_concedes_loses_and_nothing_moves_a_frame_that_is_over() {
    let mut frame = broken(EIGHT_ONLY);
    frame.concede(One).unwrap();
    let expected = Turn::Over {
        winner: Two,
        ending: Ending::Conceded,
    };
    assert_eq!(*frame.turn(), expected);
    assert_eq!(frame.shoot(&hit(1)), Err(RuleError::FrameOver));
    assert_eq!(frame.choose(Choice::Break), Err(RuleError::FrameOver));
    assert_eq!(frame.concede(Two), Err(RuleError::FrameOver));
    assert_eq!(frame.stalemate(), Err(RuleError::FrameOver));
    assert_eq!(*frame.turn(), expected);
}

#[test]
fn after_a_stalemate_whoever_broke_this_rack_breaks_again() {
    let mut frame = Frame::new(EIGHT_ONLY, One);
    frame.shoot(&hit(1)).unwrap();
    frame.choose(Choice::Break).unwrap();
    frame.shoot(&open_break().pot(3)).unwrap();
    frame.shoot(&hit(4).pot(4)).unwrap();
    assert!(frame.stalemate().unwrap().racked);
    assert_eq!(frame, Frame::new(EIGHT_ONLY, Two));
}

#[test]
fn on_the_free_table_the_cue_ball_is_always_in_hand_and_an_empty_table_is_racked() {
    let mut frame = Frame::new(Discipline::FreeTable, One);
    let anyone = shoot(One, IN_HAND);
    for shot in [ShotRecord::default(), hit(9).scratch().off(8)] {
        let ruling = frame.shoot(&shot).unwrap();
        assert_eq!((&ruling.turn, ruling.fouls.len()), (&anyone, 0));
    }
    let left = frame.balls().iter().map(|ball| ball.0);
    let ruling = frame.shoot(&hit(1).pot_all(left)).unwrap();
    assert!(ruling.racked);
    assert_eq!(frame, Frame::new(Discipline::FreeTable, One));
}
