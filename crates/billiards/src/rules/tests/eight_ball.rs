//! Eight-ball after the break (WPA 4.4 to 4.10).

use super::*;
use crate::rules::{Call, Ending, Foul, Group, RuleError};
use CueBall::AsItLies;
use Player::{One, Two};

/// Player two has solids, player one stripes; player two is to shoot and has pocketed all but `left` of the solids.
fn solids_left(discipline: Discipline, left: u8) -> Frame {
    let mut frame = broken(discipline);
    let call = (discipline == EVERY_SHOT).then_some(Call::Pot {
        ball: Ball(7),
        pocket: 0,
    });
    frame.call(call).unwrap();
    let shot = hit(7).pot_all((left + 1..=7).rev());
    assert_eq!(frame.shoot(&shot).unwrap().group, Some(Group::Solids));
    frame
}

fn call_eight(frame: &mut Frame) {
    let (ball, pocket) = (Ball(8), 3);
    frame.call(Some(Call::Pot { ball, pocket })).unwrap();
}

fn over(winner: Player, ending: Ending) -> Turn {
    Turn::Over { winner, ending }
}

#[test]
fn the_first_ball_pocketed_after_the_break_decides_the_groups() {
    let mut frame = broken(EIGHT_ONLY);
    let ruling = frame.shoot(&hit(3).pot(12).pot(3)).unwrap();
    assert_eq!(ruling.group, Some(Group::Stripes));
    assert_eq!(frame.group(Two), Some(Group::Stripes));
    assert_eq!(frame.group(One), Some(Group::Solids));
    assert_eq!(*frame.turn(), shoot(Two, AsItLies));
}

#[test]
fn when_shots_are_called_only_the_called_ball_decides_the_groups() {
    let mut frame = broken(EVERY_SHOT);
    assert!(frame.must_call());
    let call = Call::Pot {
        ball: Ball(12),
        pocket: 2,
    };
    frame.call(Some(call)).unwrap();
    frame.shoot(&hit(3).pot(3).pot_into(12, 1)).unwrap();
    assert_eq!(frame.group(Two), None);
    assert_eq!(*frame.turn(), shoot(One, AsItLies));

    let (ball, pocket) = (Ball(13), 2);
    frame.call(Some(Call::Pot { ball, pocket })).unwrap();
    frame.shoot(&hit(4).pot(4).pot_into(13, 2)).unwrap();
    assert_eq!(frame.group(One), Some(Group::Stripes));
    assert_eq!(*frame.turn(), shoot(One, AsItLies));
}

#[test]
fn a_ball_pocketed_on_a_foul_decides_nothing_and_stays_down() {
    let mut frame = broken(EIGHT_ONLY);
    frame.shoot(&hit(3).pot(3).scratch()).unwrap();
    assert_eq!(frame.group(Two), None);
    assert!(!frame.balls().contains(Ball(3)));
    assert_eq!(*frame.turn(), shoot(One, IN_HAND));
}

#[test]
fn on_an_open_table_the_eight_may_not_be_hit_first() {
    let mut frame = broken(EIGHT_ONLY);
    let ruling = frame.shoot(&hit(8)).unwrap();
    assert_eq!(ruling.fouls, [Foul::WrongBallFirst(Ball(8))]);
}

#[test]
fn on_an_open_table_a_cleared_group_may_be_claimed_for_the_eight() {
    let mut frame = Frame::new(EIGHT_ONLY, One);
    frame.shoot(&open_break().pot_all(1..=7)).unwrap();
    assert!(frame.targets().contains(Ball(8)));
    let mut unclaimed = frame.clone();
    unclaimed.shoot(&hit(8).pot(8)).unwrap();
    assert_eq!(*unclaimed.turn(), over(Two, Ending::EightNotAsCalled));
    call_eight(&mut frame);
    frame.shoot(&hit(8).pot_into(8, 3)).unwrap();
    assert_eq!(*frame.turn(), over(One, Ending::EightPocketed));
}

#[test]
fn the_shooters_own_group_has_to_be_hit_first() {
    for wrong in [8, 9] {
        let mut frame = solids_left(EIGHT_ONLY, 3);
        let ruling = frame.shoot(&hit(wrong).pot(1)).unwrap();
        assert_eq!(ruling.fouls, [Foul::WrongBallFirst(Ball(wrong))]);
        assert_eq!(*frame.turn(), shoot(One, IN_HAND));
    }
}

#[test]
fn a_shot_without_contact_or_without_a_rail_is_a_foul() {
    let no_rail = ShotRecord {
        cushion_after_contact: false,
        ..hit(1)
    };
    let mut frame = solids_left(EIGHT_ONLY, 3);
    let fouls = frame.clone().shoot(&no_rail).unwrap().fouls;
    assert_eq!(fouls, [Foul::NoRailAfterContact]);
    assert_eq!(frame.clone().shoot(&no_rail.pot(1)).unwrap().fouls, []);
    let ruling = frame.shoot(&ShotRecord::default()).unwrap();
    assert_eq!(ruling.fouls, [Foul::NoBallHit]);
    assert_eq!(*frame.turn(), shoot(One, IN_HAND));
}

#[test]
fn balls_off_the_table_are_fouls_and_are_not_spotted() {
    let mut frame = solids_left(EIGHT_ONLY, 3);
    let ruling = frame.shoot(&hit(1).off(0).off(12)).unwrap();
    let expected = [Foul::CueBallOffTable, Foul::BallOffTable(Ball(12))];
    assert_eq!(ruling.fouls, expected);
    assert_eq!(ruling.spotted, []);
    assert!(!frame.balls().contains(Ball(12)));
}

#[test]
fn a_ball_of_ones_own_keeps_the_turn_and_one_of_the_opponents_does_not() {
    let mut frame = solids_left(EIGHT_ONLY, 3);
    frame.shoot(&hit(1).pot(1)).unwrap();
    assert_eq!(*frame.turn(), shoot(Two, AsItLies));
    frame.shoot(&hit(2).pot(12)).unwrap();
    assert_eq!(*frame.turn(), shoot(One, AsItLies));
}

#[test]
fn when_shots_are_called_an_uncalled_ball_ends_the_turn() {
    let mut frame = solids_left(EVERY_SHOT, 3);
    frame.shoot(&hit(1).pot(1)).unwrap();
    assert_eq!(*frame.turn(), shoot(One, AsItLies));
}

#[test]
fn a_safety_ends_the_turn_whatever_falls() {
    for discipline in [EIGHT_ONLY, EVERY_SHOT] {
        let mut frame = solids_left(discipline, 3);
        frame.call(Some(Call::Safety)).unwrap();
        frame.shoot(&hit(1).pot(1)).unwrap();
        assert_eq!(frame.called(), None);
        assert_eq!(*frame.turn(), shoot(One, AsItLies));
        assert!(!frame.balls().contains(Ball(1)));
    }
}

#[test]
fn only_a_ball_that_one_may_pocket_can_be_called() {
    let call = |ball| Call::Pot {
        ball: Ball(ball),
        pocket: 0,
    };
    let mut frame = solids_left(EVERY_SHOT, 3);
    assert!(frame.may_call(call(1)));
    for wrong in [call(7), call(8), call(12), Call::PushOut] {
        let refused = frame.call(Some(wrong));
        assert_eq!(refused, Err(RuleError::MayNotCall(wrong)));
    }
    assert!(!Frame::new(EVERY_SHOT, One).may_call(Call::Safety));
    assert!(!solids_left(EIGHT_ONLY, 3).must_call());
    assert!(solids_left(EIGHT_ONLY, 0).must_call());
}

#[test]
fn the_eight_as_called_wins_once_the_group_is_cleared() {
    for discipline in [EIGHT_ONLY, EVERY_SHOT] {
        let mut frame = solids_left(discipline, 0);
        assert_eq!(frame.targets(), BallSet::one(Ball(8)));
        call_eight(&mut frame);
        frame.shoot(&hit(8).pot_into(8, 3)).unwrap();
        assert_eq!(*frame.turn(), over(Two, Ending::EightPocketed));
    }
}

#[test]
fn the_eight_in_another_pocket_loses() {
    let mut frame = solids_left(EIGHT_ONLY, 0);
    call_eight(&mut frame);
    frame.shoot(&hit(8).pot_into(8, 2)).unwrap();
    assert_eq!(*frame.turn(), over(One, Ending::EightNotAsCalled));
}

#[test]
fn the_eight_on_a_foul_loses_but_a_foul_alone_does_not() {
    let mut frame = solids_left(EIGHT_ONLY, 0);
    call_eight(&mut frame);
    let mut missed = frame.clone();
    frame.shoot(&hit(8).pot_into(8, 3).scratch()).unwrap();
    assert_eq!(*frame.turn(), over(One, Ending::EightOnFoul));
    missed.shoot(&hit(8).scratch()).unwrap();
    assert_eq!(*missed.turn(), shoot(One, IN_HAND));
}

#[test]
fn the_eight_before_the_group_is_cleared_loses_even_with_the_last_of_the_group() {
    let mut frame = solids_left(EIGHT_ONLY, 1);
    frame.shoot(&hit(1).pot(1).pot(8)).unwrap();
    assert_eq!(*frame.turn(), over(One, Ending::EightTooEarly));
}

#[test]
fn the_eight_off_the_table_loses() {
    let mut frame = solids_left(EIGHT_ONLY, 0);
    frame.shoot(&hit(8).off(8)).unwrap();
    assert_eq!(*frame.turn(), over(One, Ending::EightOffTable));
}

#[test]
fn three_fouls_in_a_row_do_not_lose_at_eight_ball() {
    let mut frame = broken(EIGHT_ONLY);
    for _ in 0..4 {
        frame.shoot(&ShotRecord::default()).unwrap();
        frame.shoot(&hit(1)).unwrap();
    }
    assert_eq!(*frame.turn(), shoot(Two, AsItLies));
}
