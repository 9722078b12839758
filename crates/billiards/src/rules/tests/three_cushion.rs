//! Three-cushion.

use Player::{One, Two};

use super::*;
use crate::rules::{
    Contact, Ending, Ruling,
    three_cushion::{GOAL, OTHER, RED},
};

/// What the cue ball meets: a cushion for each `|`, else the red or the other ball.
fn way(text: &str) -> ShotRecord {
    let met: Vec<Contact> = text
        .chars()
        .map(|letter| match letter {
            '|' => Contact::Cushion,
            'r' => Contact::Ball(RED),
            _ => Contact::Ball(OTHER),
        })
        .collect();
    let first_hit = met.iter().find_map(Contact::ball);
    ShotRecord {
        first_hit,
        cue_ball_met: met,
        ..ShotRecord::default()
    }
}

/// A frame in which player one has made the first point.
fn begun() -> Frame {
    let mut frame = Frame::new(Discipline::ThreeCushion, One);
    frame.shoot(&way("r|||o")).unwrap();
    assert_eq!(frame.points(One), Some(1));
    frame
}

#[test]
fn three_cushions_before_the_second_ball_make_a_point() {
    for (text, counts) in [
        ("r|||o", true),
        ("o|||r", true),
        ("|||ro", true),
        ("|r||o", true),
        ("r||||o", true),
        ("|||r|o", true),
        ("r||o", false),
        ("r||o|", false),
        ("||ro", false),
        ("r|||", false),
        ("r|||r", false),
        ("|||", false),
        ("", false),
    ] {
        let mut frame = begun();
        frame.shoot(&way(text)).unwrap();
        assert_eq!(frame.points(One), Some(1 + i32::from(counts)), "{text}");
        let next = if counts { One } else { Two };
        assert_eq!(*frame.turn(), shoot(next, CueBall::AsItLies), "{text}");
    }
}

#[test]
fn the_first_shot_meets_the_red_first() {
    let mut frame = Frame::new(Discipline::ThreeCushion, One);
    assert_eq!(frame.targets(), BallSet::one(RED));
    let ruling = frame.shoot(&way("o|||r")).unwrap();
    assert_eq!(ruling.fouls.len(), 1);
    assert_eq!(frame.points(One), Some(0));
    assert_eq!(frame.targets().len(), 2);
}

#[test]
fn a_ball_off_the_table_comes_back_and_the_shot_does_not_count() {
    let mut frame = begun();
    let ruling = frame.shoot(&way("r|||o").off(RED.0)).unwrap();
    assert_eq!(ruling.spotted, [RED]);
    assert_eq!(*frame.turn(), shoot(Two, CueBall::AsItLies));
    assert_eq!(frame.points(One), Some(1));
}

/// Player `player` makes all points that are left.
fn complete(frame: &mut Frame, player: Player) -> Ruling {
    loop {
        assert_eq!(*frame.turn(), shoot(player, CueBall::AsItLies));
        let ruling = frame.shoot(&way("r|||o")).unwrap();
        if frame.points(player) == Some(GOAL as i32) {
            return ruling;
        }
    }
}

const MISS: &str = "r|";

#[test]
fn the_second_player_wins_with_all_points() {
    let mut frame = begun();
    frame.shoot(&way(MISS)).unwrap();
    complete(&mut frame, Two);
    let (winner, ending) = (Two, Ending::GoalReached);
    assert_eq!(*frame.turn(), Turn::Over { winner, ending });
}

#[test]
fn who_began_has_to_wait_for_the_equalising_inning() {
    let mut frame = begun();
    let ruling = complete(&mut frame, One);
    assert!(ruling.racked);
    // The position of the opening: the red first.
    assert_eq!(*frame.turn(), shoot(Two, CueBall::AsItLies));
    assert_eq!(frame.targets(), BallSet::one(RED));
    frame.shoot(&way("r|||o")).unwrap();
    frame.shoot(&way(MISS)).unwrap();
    let (winner, ending) = (One, Ending::GoalReached);
    assert_eq!(*frame.turn(), Turn::Over { winner, ending });
}

#[test]
fn equal_players_play_single_innings_until_one_is_better() {
    let mut frame = begun();
    complete(&mut frame, One);
    assert!(complete(&mut frame, Two).racked);
    // Both make a point, then both none, then the second one alone.
    let inning = |frame: &mut Frame, player, points: usize| {
        assert_eq!(*frame.turn(), shoot(player, CueBall::AsItLies));
        assert_eq!(frame.targets(), BallSet::one(RED));
        for _ in 0..points {
            frame.shoot(&way("r|||o")).unwrap();
        }
        if frame.turn().player().is_some() {
            let ruling = frame.shoot(&way(MISS)).unwrap();
            assert!(ruling.racked || frame.turn().player().is_none());
        }
    };
    for points in [1, 0] {
        inning(&mut frame, One, points);
        inning(&mut frame, Two, points);
    }
    let mut other = frame.clone();
    inning(&mut frame, One, 0);
    inning(&mut frame, Two, 1);
    let ending = Ending::GoalReached;
    assert_eq!(
        *frame.turn(),
        Turn::Over {
            winner: Two,
            ending
        }
    );
    inning(&mut other, One, 1);
    inning(&mut other, Two, 0);
    assert_eq!(
        *other.turn(),
        Turn::Over {
            winner: One,
            ending
        }
    );
}
