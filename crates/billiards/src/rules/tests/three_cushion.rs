//! Three-cushion.

use Player::{One, Two};

use super::*;
use crate::rules::{
    Contact, Ending,
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
    let first_hit = met.iter().find_map(|contact| match contact {
        Contact::Ball(ball) => Some(*ball),
        Contact::Cushion => None,
    });
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
        assert_eq!(frame.points(One), Some(1 + u32::from(counts)), "{text}");
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

#[test]
fn the_first_with_all_points_wins() {
    let mut frame = begun();
    for _ in 1..GOAL {
        frame.shoot(&way("r|||o")).unwrap();
    }
    let (winner, ending) = (One, Ending::GoalReached);
    assert_eq!(*frame.turn(), Turn::Over { winner, ending });
}
