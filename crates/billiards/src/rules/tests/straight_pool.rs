//! Straight pool (WPA 7).

use std::num::NonZeroU32;

use super::*;
use crate::rules::{Call, Choice, Contact, Dilemma, Ending, Foul, NewRack, Ruling, Spot};
use CueBall::AsItLies;
use Player::{One, Two};

const GAME: Discipline = Discipline::StraightPool(NonZeroU32::MIN.saturating_add(29));

/// An opening break that pockets nothing, after which player two is to shoot.
fn opening() -> ShotRecord {
    ShotRecord {
        cue_ball_met: vec![Contact::Ball(Ball(1)), Contact::Cushion],
        to_cushion: BallSet::numbers(0, 2),
        ..hit(1)
    }
}

fn opened() -> Frame {
    let mut frame = Frame::new(GAME, One);
    frame.shoot(&opening()).unwrap();
    assert_eq!(*frame.turn(), shoot(Two, AsItLies));
    frame
}

/// Calls a ball in pocket 0 and shoots.
fn call_and_shoot(frame: &mut Frame, ball: u8, shot: &ShotRecord) -> Ruling {
    let (ball, pocket) = (Ball(ball), 0);
    frame.call(Some(Call::Pot { ball, pocket })).unwrap();
    frame.shoot(shot).unwrap()
}

fn points(frame: &Frame) -> [i32; 2] {
    [One, Two].map(|player| frame.points(player).unwrap())
}

/// Player two has sunk all balls up to this one.
fn sunk_to(last: u8) -> Frame {
    let mut frame = opened();
    call_and_shoot(&mut frame, 1, &hit(1).pot_all(1..=last));
    frame
}

#[test]
fn an_opening_break_sends_the_cue_ball_and_two_others_to_a_rail() {
    let mut frame = opened();
    assert_eq!(points(&frame), [0, 0]);
    assert!(frame.must_call());
    frame.stalemate().unwrap();
    assert_eq!(*frame.turn(), Turn::Break(One));
}

#[test]
fn a_poor_opening_break_costs_two_points_and_the_opponent_chooses() {
    let one_ball = ShotRecord {
        to_cushion: BallSet::numbers(0, 1),
        ..opening()
    };
    let no_cue_ball = ShotRecord {
        cue_ball_met: vec![Contact::Cushion, Contact::Ball(Ball(1))],
        ..opening()
    };
    for (shot, cue) in [
        (one_ball, AsItLies),
        (no_cue_ball, AsItLies),
        (hit(1).scratch(), KITCHEN),
        (ShotRecord::default(), AsItLies),
    ] {
        let mut frame = Frame::new(GAME, One);
        let ruling = frame.shoot(&shot).unwrap();
        assert_eq!(ruling.fouls.last(), Some(&Foul::BreakingFoul));
        assert_eq!(points(&frame), [-2, 0]);
        assert_eq!(frame.consecutive_fouls(One), 0);
        let play = Choice::Play { cue, spot: None };
        let expected = Turn::Choose {
            player: Two,
            about: Dilemma::BreakingFoul,
            options: vec![play, Choice::LetBreak],
        };
        assert_eq!(*frame.turn(), expected);
        let mut again = frame.clone();
        assert!(again.choose(Choice::LetBreak).unwrap().racked);
        assert_eq!(*again.turn(), Turn::Break(One));
        again.shoot(&shot).unwrap();
        assert_eq!(points(&again), [-4, 0]);
        frame.choose(play).unwrap();
        assert_eq!(*frame.turn(), shoot(Two, cue));
    }
}

#[test]
fn a_ball_that_falls_on_a_poor_opening_break_comes_back() {
    let mut frame = Frame::new(GAME, One);
    let ruling = frame.shoot(&hit(1).pot(4)).unwrap();
    assert_eq!(ruling.spotted, [Ball(4)]);
    assert_eq!(points(&frame), [-2, 0]);
}

#[test]
fn a_called_ball_on_the_opening_break_counts() {
    let mut frame = Frame::new(GAME, One);
    call_and_shoot(&mut frame, 4, &hit(1).pot(4));
    assert_eq!(points(&frame), [1, 0]);
    assert_eq!(*frame.turn(), shoot(One, AsItLies));
}

#[test]
fn a_scratch_on_a_good_opening_break_costs_one_point() {
    let mut frame = Frame::new(GAME, One);
    let ruling = frame.shoot(&opening().scratch()).unwrap();
    assert_eq!(ruling.fouls, [Foul::Scratch]);
    assert_eq!(points(&frame), [-1, 0]);
    assert_eq!(frame.consecutive_fouls(One), 1);
    assert_eq!(*frame.turn(), shoot(Two, KITCHEN));
}

#[test]
fn every_ball_that_falls_with_the_called_one_counts() {
    let mut frame = opened();
    let ruling = call_and_shoot(&mut frame, 7, &hit(3).pot_into(2, 5).pot(7));
    assert_eq!(ruling.points, Some((Two, 2)));
    assert_eq!(points(&frame), [0, 2]);
    assert_eq!(*frame.turn(), shoot(Two, AsItLies));
    assert_eq!(frame.balls().len(), 13);
}

#[test]
fn balls_that_fall_without_the_called_one_come_back() {
    for shot in [hit(3).pot_into(7, 1), hit(3).pot(9), hit(3)] {
        let mut frame = opened();
        let down: Vec<Ball> = shot.down().iter().collect();
        let ruling = call_and_shoot(&mut frame, 7, &shot);
        assert_eq!((ruling.spotted, ruling.points), (down, None));
        assert_eq!(*frame.turn(), shoot(One, AsItLies));
        assert_eq!(frame.balls(), BallSet::numbers(1, 15));
    }
}

#[test]
fn a_safety_passes_the_turn_even_if_a_ball_falls() {
    let mut frame = opened();
    frame.call(Some(Call::Safety)).unwrap();
    let ruling = frame.shoot(&hit(3).pot(3)).unwrap();
    assert_eq!(ruling.spotted, [Ball(3)]);
    assert!(ruling.fouls.is_empty());
    assert_eq!(points(&frame), [0, 0]);
    assert_eq!(*frame.turn(), shoot(One, AsItLies));
}

#[test]
fn a_foul_costs_a_point_and_leaves_the_cue_ball_where_it_lies() {
    let no_rail = ShotRecord {
        cushion_after_contact: false,
        ..hit(3)
    };
    for (shot, cue, spotted) in [
        (no_rail, AsItLies, vec![]),
        (ShotRecord::default(), AsItLies, vec![]),
        (
            hit(3).pot(7).off(2).off(9),
            AsItLies,
            vec![Ball(2), Ball(7), Ball(9)],
        ),
        (hit(3).pot(7).scratch(), KITCHEN, vec![Ball(7)]),
        (hit(3).off(0), KITCHEN, vec![]),
    ] {
        let mut frame = opened();
        let ruling = call_and_shoot(&mut frame, 7, &shot);
        assert_eq!(ruling.points, Some((Two, -1)));
        assert_eq!(ruling.spotted, spotted);
        assert_eq!(points(&frame), [0, -1]);
        assert_eq!(*frame.turn(), shoot(One, cue));
    }
}

#[test]
fn a_cue_ball_in_hand_has_to_pass_the_head_string() {
    let mut frame = opened();
    frame.shoot(&hit(3).scratch()).unwrap();
    let short = ShotRecord {
        past_head_string: false,
        ..hit(3)
    };
    let ruling = frame.shoot(&short).unwrap();
    assert_eq!(ruling.fouls, [Foul::NotPastHeadString]);
    assert_eq!(*frame.turn(), shoot(Two, KITCHEN));
}

#[test]
fn the_third_foul_in_a_row_costs_fifteen_more_and_the_offender_breaks() {
    let mut frame = opened();
    for fouls in 1..=2 {
        frame.shoot(&ShotRecord::default()).unwrap();
        assert_eq!(frame.consecutive_fouls(Two), fouls);
        frame.shoot(&hit(3)).unwrap();
    }
    let ruling = frame.shoot(&ShotRecord::default()).unwrap();
    assert_eq!(ruling.fouls, [Foul::NoBallHit, Foul::ThirdInARow]);
    assert!(ruling.racked);
    assert_eq!(ruling.points, Some((Two, -16)));
    assert_eq!(points(&frame), [0, -18]);
    assert_eq!(*frame.turn(), Turn::Break(Two));
    assert_eq!(frame.consecutive_fouls(Two), 0);
    assert_eq!(frame.balls(), BallSet::numbers(1, 15));
}

#[test]
fn a_legal_shot_wipes_the_count_of_fouls() {
    let mut frame = opened();
    for shot in [ShotRecord::default(), hit(3), ShotRecord::default()] {
        frame.shoot(&shot).unwrap();
        frame.shoot(&hit(3)).unwrap();
    }
    assert_eq!(frame.consecutive_fouls(Two), 1);
}

#[test]
fn with_one_ball_left_fourteen_are_racked_and_the_player_goes_on() {
    let mut frame = sunk_to(13);
    assert_eq!(points(&frame), [0, 13]);
    let ruling = call_and_shoot(&mut frame, 14, &hit(14).pot(14));
    let rack = NewRack {
        left_out: Some(Ball(15)),
        moved: None,
    };
    assert_eq!(ruling.new_rack, Some(rack));
    assert_eq!(frame.balls(), BallSet::numbers(1, 15));
    assert_eq!(points(&frame), [0, 14]);
    assert_eq!(*frame.turn(), shoot(Two, AsItLies));
    assert!(frame.must_call(), "this is no opening break");
}

#[test]
fn without_a_point_no_balls_are_racked() {
    let mut frame = sunk_to(13);
    let ruling = call_and_shoot(&mut frame, 14, &hit(14).pot_into(14, 2));
    assert_eq!(ruling.new_rack, None);
    assert_eq!(frame.balls(), BallSet::numbers(14, 15));
}

/// Where the balls lie when the fourteenth is down: the cue ball, and the fifteenth unless it fell too.
#[derive(Clone, Copy, PartialEq)]
enum Lies {
    InRack,
    AtHeadSpot,
    Kitchen,
    Elsewhere,
    Down,
}

/// The ruling when the fourteenth ball falls, and the cue ball and the fifteenth one lie like this.
fn rack_again(cue: Lies, last: Lies) -> Ruling {
    let mut frame = sunk_to(13);
    let mut shot = hit(14).pot(14);
    if last == Lies::Down {
        shot = shot.pot_into(15, 3);
    }
    for (ball, lies) in [(Ball::CUE, cue), (Ball(15), last)] {
        let one = BallSet::one(ball);
        match lies {
            Lies::InRack => shot.in_rack = shot.in_rack.union(one),
            Lies::AtHeadSpot => shot.at_head_spot = shot.at_head_spot.union(one),
            Lies::Kitchen => shot.behind_head_string = shot.behind_head_string.union(one),
            Lies::Elsewhere | Lies::Down => {}
        }
    }
    let ruling = call_and_shoot(&mut frame, 14, &shot);
    assert_eq!(frame.balls(), BallSet::numbers(1, 15));
    ruling
}

#[test]
fn balls_in_the_way_of_the_rack_make_room() {
    use Lies::{AtHeadSpot, Down, Elsewhere, InRack, Kitchen};
    let out = Some(Ball(15));
    let cue_ball = |spot| Some((Ball::CUE, spot));
    let last_ball = |spot| Some((Ball(15), spot));
    for (cue, last, left_out, moved, from) in [
        (Elsewhere, Elsewhere, out, None, AsItLies),
        (Elsewhere, Kitchen, out, None, AsItLies),
        (AtHeadSpot, Elsewhere, out, None, AsItLies),
        (Elsewhere, InRack, out, last_ball(Spot::Head), AsItLies),
        (Kitchen, InRack, out, last_ball(Spot::Head), AsItLies),
        (AtHeadSpot, InRack, out, last_ball(Spot::Center), AsItLies),
        (InRack, Elsewhere, out, cue_ball(Spot::Head), KITCHEN),
        (InRack, AtHeadSpot, out, cue_ball(Spot::Head), KITCHEN),
        (InRack, Kitchen, out, cue_ball(Spot::Head), AsItLies),
        (InRack, InRack, None, cue_ball(Spot::Head), KITCHEN),
        (InRack, Down, None, cue_ball(Spot::Head), KITCHEN),
        (Elsewhere, Down, None, None, AsItLies),
        (AtHeadSpot, Down, None, None, AsItLies),
    ] {
        let ruling = rack_again(cue, last);
        assert_eq!(ruling.new_rack, Some(NewRack { left_out, moved }));
        assert_eq!(ruling.turn, shoot(Two, from));
    }
}

#[test]
fn a_last_ball_behind_the_head_string_that_blocks_the_spot_sends_the_cue_ball_to_the_centre() {
    let mut frame = sunk_to(13);
    let shot = ShotRecord {
        in_rack: BallSet::one(Ball::CUE),
        at_head_spot: BallSet::one(Ball(15)),
        behind_head_string: BallSet::one(Ball(15)),
        ..hit(14).pot(14)
    };
    let ruling = call_and_shoot(&mut frame, 14, &shot);
    let rack = NewRack {
        left_out: Some(Ball(15)),
        moved: Some((Ball::CUE, Spot::Center)),
    };
    assert_eq!(ruling.new_rack, Some(rack));
    assert_eq!(*frame.turn(), shoot(Two, AsItLies));
}

#[test]
fn the_points_of_the_goal_win_at_once() {
    let mut frame = sunk_to(13);
    call_and_shoot(&mut frame, 14, &hit(14).pot(14));
    call_and_shoot(&mut frame, 1, &hit(1).pot_all(1..=14));
    assert_eq!(points(&frame), [0, 28]);
    let ruling = call_and_shoot(&mut frame, 1, &hit(1).pot_all(1..=3));
    assert_eq!(ruling.new_rack, None);
    let expected = Turn::Over {
        winner: Two,
        ending: Ending::GoalReached,
    };
    assert_eq!((frame.goal(), frame.turn()), (Some(30), &expected));
}

#[test]
fn a_stalemate_keeps_the_points() {
    let mut frame = sunk_to(5);
    frame.shoot(&hit(6).scratch()).unwrap();
    frame.stalemate().unwrap();
    assert_eq!(points(&frame), [0, 4]);
    assert_eq!(frame.consecutive_fouls(Two), 0);
    assert_eq!(*frame.turn(), Turn::Break(One));
}
