//! Ten-ball (WPA 6).

use super::*;
use crate::rules::{Call, Choice, Dilemma, Ending, Foul, RuleError};
use CueBall::AsItLies;
use Player::{One, Two};

const PLAY: Choice = Choice::Play {
    cue: AsItLies,
    spot: None,
};

/// A ten-ball frame after player one's break.
fn after(shot: ShotRecord) -> Frame {
    let mut frame = Frame::new(Discipline::TenBall, One);
    frame.shoot(&shot).unwrap();
    frame
}

/// Calls a ball in pocket 0 and shoots.
fn call_and_shoot(frame: &mut Frame, ball: u8, shot: &ShotRecord) {
    let (ball, pocket) = (Ball(ball), 0);
    frame.call(Some(Call::Pot { ball, pocket })).unwrap();
    frame.shoot(shot).unwrap();
}

/// A frame in which player one is to shoot and only these balls are left.
fn left(first: u8) -> Frame {
    after(open_break().pot_all(1..first))
}

fn let_choose(player: Player, about: Dilemma) -> Turn {
    Turn::Choose {
        player,
        about,
        options: vec![PLAY, Choice::HandBack],
    }
}

const TEN_DOWN: Turn = Turn::Over {
    winner: One,
    ending: Ending::TenPocketed,
};

#[test]
fn ten_balls_are_racked_and_the_lowest_has_to_be_hit_first() {
    let frame = Frame::new(Discipline::TenBall, One);
    assert_eq!(frame.balls(), BallSet::numbers(1, 10));
    let mut frame = after(open_break().pot(1));
    assert_eq!(frame.targets(), BallSet::one(Ball(2)));
    let ruling = frame.shoot(&hit(3)).unwrap();
    assert_eq!(ruling.fouls, [Foul::WrongBallFirst(Ball(3))]);
    assert_eq!(*frame.turn(), shoot(Two, IN_HAND));
}

#[test]
fn a_break_of_fewer_than_four_to_a_rail_is_a_foul() {
    let mut frame = Frame::new(Discipline::TenBall, One);
    assert_eq!(frame.shoot(&hit(1)).unwrap().fouls, [Foul::WeakBreak]);
    assert_eq!(*frame.turn(), shoot(Two, IN_HAND));
}

#[test]
fn nothing_is_called_on_the_break_and_any_ball_keeps_the_turn() {
    let mut frame = Frame::new(Discipline::TenBall, One);
    assert!(!frame.must_call());
    let call = Call::Pot {
        ball: Ball(1),
        pocket: 0,
    };
    assert_eq!(frame.call(Some(call)), Err(RuleError::MayNotCall(call)));
    assert_eq!(*after(open_break().pot(5)).turn(), shoot(One, AsItLies));
    assert!(after(open_break().pot(5)).must_call());
}

#[test]
fn the_ten_on_the_break_is_spotted_and_the_breaker_goes_on() {
    let mut frame = Frame::new(Discipline::TenBall, One);
    let ruling = frame.shoot(&open_break().pot(10)).unwrap();
    assert_eq!(ruling.spotted, [Ball(10)]);
    assert_eq!(*frame.turn(), shoot(One, AsItLies));
    assert_eq!(frame.balls(), BallSet::numbers(1, 10));
}

#[test]
fn the_called_ball_in_the_called_pocket_keeps_the_turn() {
    let mut frame = left(2);
    call_and_shoot(&mut frame, 2, &hit(2).pot(2).pot_into(7, 3));
    assert_eq!(*frame.turn(), shoot(One, AsItLies));
    assert!(!frame.balls().contains(Ball(7)), "other balls stay down");
    // By way of the lowest ball, any ball may be called.
    call_and_shoot(&mut frame, 6, &hit(3).pot(6));
    assert_eq!(*frame.turn(), shoot(One, AsItLies));
}

#[test]
fn after_a_ball_that_was_not_called_the_opponent_chooses() {
    for (call, shot) in [
        (2, hit(2).pot_into(2, 1)),
        (2, hit(2).pot(3)),
        (3, hit(2).pot(2)),
    ] {
        let mut frame = left(2);
        call_and_shoot(&mut frame, call, &shot);
        assert_eq!(*frame.turn(), let_choose(Two, Dilemma::NotAsCalled));
        for (choice, player) in [(PLAY, Two), (Choice::HandBack, One)] {
            let mut frame = frame.clone();
            frame.choose(choice).unwrap();
            assert_eq!(*frame.turn(), shoot(player, AsItLies));
        }
    }
}

#[test]
fn a_miss_passes_the_turn() {
    let mut frame = left(2);
    call_and_shoot(&mut frame, 2, &hit(2));
    assert_eq!(*frame.turn(), shoot(Two, AsItLies));
}

#[test]
fn a_ball_that_falls_on_a_safety_was_not_called() {
    for (shot, expected) in [
        (hit(2), shoot(Two, AsItLies)),
        (hit(2).pot(2), let_choose(Two, Dilemma::NotAsCalled)),
    ] {
        let mut frame = left(2);
        frame.call(Some(Call::Safety)).unwrap();
        frame.shoot(&shot).unwrap();
        assert_eq!(*frame.turn(), expected);
    }
}

#[test]
fn the_ten_wins_as_the_last_ball_in_the_called_pocket() {
    let mut frame = left(10);
    call_and_shoot(&mut frame, 10, &hit(10).pot(10));
    assert_eq!(*frame.turn(), TEN_DOWN);
}

#[test]
fn the_last_ten_in_another_pocket_is_spotted_and_the_opponent_chooses() {
    let mut frame = left(10);
    call_and_shoot(&mut frame, 10, &hit(10).pot_into(10, 4));
    assert_eq!(*frame.turn(), let_choose(Two, Dilemma::NotAsCalled));
    assert_eq!(frame.balls(), BallSet::one(Ball(10)));
}

#[test]
fn an_early_ten_is_spotted_and_does_not_win() {
    let mut frame = left(8);
    call_and_shoot(&mut frame, 10, &hit(8).pot(10));
    assert_eq!(*frame.turn(), shoot(One, AsItLies));
    assert!(frame.balls().contains(Ball(10)));
    // With the called ball too.
    call_and_shoot(&mut frame, 8, &hit(8).pot(8).pot(10));
    assert_eq!(*frame.turn(), shoot(One, AsItLies));
    // The 9 falls with the called 10: the 10 was not the last ball.
    call_and_shoot(&mut frame, 10, &hit(9).pot_into(9, 1).pot(10));
    assert_eq!(*frame.turn(), shoot(One, AsItLies));
    assert_eq!(frame.balls(), BallSet::one(Ball(10)));
}

#[test]
fn the_ten_on_a_foul_is_spotted_and_no_other_ball_is() {
    let mut frame = left(10);
    call_and_shoot(&mut frame, 10, &hit(10).pot(10).scratch());
    assert_eq!(*frame.turn(), shoot(Two, IN_HAND));
    assert_eq!(frame.balls(), BallSet::one(Ball(10)));
    let mut frame = left(2);
    let ruling = frame.shoot(&hit(2).off(10).off(4).pot(3)).unwrap();
    assert_eq!(ruling.spotted, [Ball(10)]);
    assert!(!frame.balls().contains(Ball(3)) && !frame.balls().contains(Ball(4)));
}

#[test]
fn a_push_out_need_hit_no_ball_and_the_ten_comes_back() {
    for shot in [ShotRecord::default(), hit(5).pot(10)] {
        let mut frame = left(2);
        frame.call(Some(Call::PushOut)).unwrap();
        frame.shoot(&shot).unwrap();
        assert_eq!(*frame.turn(), let_choose(Two, Dilemma::PushOut));
        assert!(frame.balls().contains(Ball(10)));
        frame.choose(Choice::HandBack).unwrap();
        assert!(!frame.may_call(Call::PushOut));
    }
    assert!(!after(open_break().scratch()).may_call(Call::PushOut));
}

#[test]
fn three_fouls_in_a_row_lose() {
    let mut frame = broken(Discipline::TenBall);
    for fouls in 1..=2 {
        frame.shoot(&ShotRecord::default()).unwrap();
        assert_eq!(frame.consecutive_fouls(Two), fouls);
        frame.shoot(&hit(1)).unwrap();
    }
    frame.shoot(&ShotRecord::default()).unwrap();
    let expected = Turn::Over {
        winner: One,
        ending: Ending::ThreeFouls,
    };
    assert_eq!(*frame.turn(), expected);
}
