//! Nine-ball (WPA 5).

use super::*;
use crate::rules::{Call, Choice, Dilemma, Ending, Foul, RuleError};
use CueBall::AsItLies;
use Player::{One, Two};

/// A nine-ball frame after player one's break.
fn after(shot: ShotRecord) -> Frame {
    let mut frame = Frame::new(Discipline::NineBall, One);
    frame.shoot(&shot).unwrap();
    frame
}

/// Player two pushes out.
fn push_out(shot: &ShotRecord) -> Frame {
    let mut frame = broken(Discipline::NineBall);
    frame.call(Some(Call::PushOut)).unwrap();
    frame.shoot(shot).unwrap();
    frame
}

const NINE_DOWN: Turn = Turn::Over {
    winner: One,
    ending: Ending::NinePocketed,
};

#[test]
fn the_lowest_ball_has_to_be_hit_first_on_the_break_too() {
    let shot = ShotRecord {
        first_hit: Some(Ball(2)),
        ..open_break()
    };
    let mut frame = Frame::new(Discipline::NineBall, One);
    let ruling = frame.shoot(&shot).unwrap();
    assert_eq!(ruling.fouls, [Foul::WrongBallFirst(Ball(2))]);
    let mut frame = after(open_break().pot(1));
    assert_eq!(frame.targets(), BallSet::one(Ball(2)));
    let ruling = frame.shoot(&hit(3)).unwrap();
    assert_eq!(ruling.fouls, [Foul::WrongBallFirst(Ball(3))]);
}

#[test]
fn a_break_of_fewer_than_four_to_a_rail_is_a_foul() {
    let mut frame = Frame::new(Discipline::NineBall, One);
    assert_eq!(frame.shoot(&hit(1)).unwrap().fouls, [Foul::WeakBreak]);
    assert_eq!(*frame.turn(), shoot(Two, IN_HAND));
}

#[test]
fn the_four_balls_of_the_break_count_object_balls_that_left_the_table() {
    let shot = ShotRecord {
        to_cushion: BallSet::numbers(0, 3),
        ..hit(1)
    };
    let mut frame = Frame::new(Discipline::NineBall, One);
    let ruling = frame.shoot(&shot.off(4)).unwrap();
    assert_eq!(ruling.fouls, [Foul::BallOffTable(Ball(4))]);
}

#[test]
fn any_ball_legally_pocketed_keeps_the_turn() {
    let mut frame = after(open_break().pot(5));
    assert_eq!(*frame.turn(), shoot(One, AsItLies));
    frame.shoot(&hit(1).pot(7)).unwrap();
    assert_eq!(*frame.turn(), shoot(One, AsItLies));
    frame.shoot(&hit(1)).unwrap();
    assert_eq!(*frame.turn(), shoot(Two, AsItLies));
}

#[test]
fn the_nine_wins_on_any_legal_shot_even_on_the_break() {
    assert_eq!(*after(open_break().pot(9)).turn(), NINE_DOWN);
    let mut frame = after(open_break().pot(5));
    frame.shoot(&hit(1).pot(9)).unwrap();
    assert_eq!(*frame.turn(), NINE_DOWN);
}

#[test]
fn the_nine_on_a_foul_is_spotted_and_no_other_ball_is() {
    let mut frame = after(open_break());
    let ruling = frame.shoot(&hit(2).pot(9).pot(3)).unwrap();
    assert_eq!(ruling.spotted, [Ball(9)]);
    assert_eq!(*frame.turn(), shoot(One, IN_HAND));
    assert!(frame.balls().contains(Ball(9)) && !frame.balls().contains(Ball(3)));
}

#[test]
fn the_nine_off_the_table_is_spotted() {
    let mut frame = after(open_break());
    assert_eq!(
        frame.shoot(&hit(1).off(9).off(2)).unwrap().spotted,
        [Ball(9)]
    );
    assert!(!frame.balls().contains(Ball(2)));
}

#[test]
fn a_scratch_gives_the_cue_ball_anywhere_after_the_break_too() {
    assert_eq!(*after(open_break().scratch()).turn(), shoot(Two, IN_HAND));
}

#[test]
fn a_push_out_need_hit_neither_ball_nor_rail() {
    for shot in [ShotRecord::default(), hit(5)] {
        let frame = push_out(&shot);
        let play = Choice::Play {
            cue: AsItLies,
            spot: None,
        };
        let expected = Turn::Choose {
            player: One,
            about: Dilemma::PushOut,
            options: vec![play, Choice::HandBack],
        };
        assert_eq!(*frame.turn(), expected);
        for (choice, player) in [(play, One), (Choice::HandBack, Two)] {
            let mut frame = frame.clone();
            frame.choose(choice).unwrap();
            assert_eq!(*frame.turn(), shoot(player, AsItLies));
        }
    }
}

#[test]
fn a_scratch_on_a_push_out_is_a_foul() {
    let frame = push_out(&ShotRecord::default().scratch());
    assert_eq!(*frame.turn(), shoot(One, IN_HAND));
}

#[test]
fn the_nine_on_a_push_out_is_spotted_and_other_balls_stay_down() {
    let frame = push_out(&hit(1).pot(9).pot(4));
    assert!(matches!(frame.turn(), Turn::Choose { player: One, .. }));
    assert!(frame.balls().contains(Ball(9)) && !frame.balls().contains(Ball(4)));
}

#[test]
fn only_the_shot_after_a_break_without_foul_may_be_a_push_out() {
    let may = |frame: &Frame| frame.may_call(Call::PushOut);
    assert!(!may(&Frame::new(Discipline::NineBall, One)));
    assert!(!may(&after(open_break().scratch())));
    let mut frame = after(open_break().pot(2));
    assert!(may(&frame));
    frame.shoot(&hit(1).pot(1)).unwrap();
    assert!(!may(&frame));
    let mut handed_back = push_out(&hit(5));
    handed_back.choose(Choice::HandBack).unwrap();
    let refused = handed_back.call(Some(Call::PushOut));
    assert_eq!(refused, Err(RuleError::MayNotCall(Call::PushOut)));
}

#[test]
fn three_fouls_in_a_row_lose() {
    let mut frame = broken(Discipline::NineBall);
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

#[test]
fn a_legal_shot_wipes_the_count_of_fouls() {
    let mut frame = broken(Discipline::NineBall);
    for shot in [ShotRecord::default(), hit(1), ShotRecord::default()] {
        frame.shoot(&shot).unwrap();
        frame.shoot(&hit(1)).unwrap();
    }
    assert_eq!(frame.consecutive_fouls(Two), 1);
}

#[test]
fn fouls_count_within_one_rack() {
    let mut frame = broken(Discipline::NineBall);
    frame.shoot(&ShotRecord::default()).unwrap();
    frame.stalemate().unwrap();
    assert_eq!(frame.consecutive_fouls(Two), 0);
    assert_eq!(frame, Frame::new(Discipline::NineBall, One));
}
