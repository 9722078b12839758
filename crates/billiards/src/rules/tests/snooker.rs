//! Snooker.

use Player::{One, Two};

use super::*;
use crate::rules::{Choice, Contact, Ending, Foul, Ruling, snooker::value, turn::Dilemma};

const RED: u8 = 1;
const YELLOW: u8 = 16;
const BLUE: u8 = 19;
const BLACK: u8 = 21;
const IN_D: CueBall = CueBall::InHand(Area::D);
const AS_IT_LIES: Choice = Choice::Play {
    cue: CueBall::AsItLies,
    spot: None,
};

fn snooker() -> Frame {
    Frame::new(Discipline::Snooker, One)
}

/// A shot that meets `first` and pots nothing.
fn meets(first: u8) -> ShotRecord {
    ShotRecord {
        first_hit: Some(Ball(first)),
        ..ShotRecord::default()
    }
}

fn points(frame: &Frame) -> [i32; 2] {
    [One, Two].map(|player| frame.points(player).unwrap())
}

/// A frame in which player one has potted all reds, each with the blue, after fouls with these balls.
fn reds_cleared(fouls: impl IntoIterator<Item = u8>) -> Frame {
    let mut frame = snooker();
    for first in fouls {
        frame.shoot(&meets(first)).unwrap();
        frame.choose(Choice::HandBack).unwrap();
    }
    for red in 1..=15 {
        frame.shoot(&meets(red).pot(red)).unwrap();
        frame.shoot(&meets(BLUE).pot(BLUE)).unwrap();
    }
    frame
}

/// The same, with the black alone on the table: player one has 15·(1 + 5) + 2 + 3 + 4 + 5 + 6 = 110 points.
fn black_alone_after(fouls: impl IntoIterator<Item = u8>) -> Frame {
    let mut frame = reds_cleared(fouls);
    for color in YELLOW..BLACK {
        frame.shoot(&meets(color).pot(color)).unwrap();
    }
    assert_eq!(frame.balls(), BallSet::one(Ball(BLACK)));
    frame
}

#[test]
fn the_greatest_break_is_147() {
    let mut frame = snooker();
    for red in 1..=15 {
        frame.shoot(&meets(red).pot(red)).unwrap();
        let ruling = frame.shoot(&meets(BLACK).pot(BLACK)).unwrap();
        assert_eq!(ruling.spotted, [Ball(BLACK)]);
    }
    for color in YELLOW..=BLACK {
        assert_eq!(frame.targets(), BallSet::one(Ball(color)));
        frame.shoot(&meets(color).pot(color)).unwrap();
    }
    assert_eq!(points(&frame), [147, 0]);
    let (winner, ending) = (One, Ending::MorePoints);
    assert_eq!(*frame.turn(), Turn::Over { winner, ending });
}

#[test]
fn a_break_begins_in_the_d_and_a_shot_without_a_pot_passes() {
    let mut frame = snooker();
    assert_eq!(*frame.turn(), Turn::Break(One));
    assert_eq!(frame.cue_ball(), Some(IN_D));
    frame.shoot(&meets(RED)).unwrap();
    assert_eq!(*frame.turn(), shoot(Two, CueBall::AsItLies));
    assert_eq!(points(&frame), [0, 0]);
}

#[test]
fn after_a_red_a_colour_is_on_and_after_a_miss_a_red_again() {
    let mut frame = snooker();
    frame.shoot(&meets(RED).pot(RED)).unwrap();
    assert_eq!(*frame.turn(), shoot(One, CueBall::AsItLies));
    assert_eq!(frame.targets(), BallSet::numbers(YELLOW, BLACK));
    frame.shoot(&meets(YELLOW)).unwrap();
    assert_eq!(*frame.turn(), shoot(Two, CueBall::AsItLies));
    assert_eq!(frame.targets(), BallSet::numbers(2, 15));
}

#[test]
fn several_reds_of_one_shot_count_each() {
    let mut frame = snooker();
    frame.shoot(&meets(RED).pot(1).pot(2).pot(3)).unwrap();
    assert_eq!(points(&frame), [3, 0]);
}

#[test]
fn a_foul_gives_the_highest_value_that_it_concerns_and_at_least_four() {
    let red_on: [(ShotRecord, i32); 6] = [
        (ShotRecord::default(), 4),
        (meets(YELLOW), 4),
        (meets(BLACK), 7),
        (meets(RED).pot(BLUE), 5),
        (meets(RED).pot(RED).pot(BLACK), 7),
        (meets(RED).scratch(), 4),
    ];
    for (shot, penalty) in red_on {
        let mut frame = snooker();
        let ruling = frame.shoot(&shot).unwrap();
        assert_eq!(points(&frame), [0, penalty], "{shot:?}");
        assert_eq!(ruling.points, Some((Two, penalty)));
    }
    // The pink is on: even a miss costs its value.
    let mut frame = reds_cleared([]);
    for color in YELLOW..20 {
        frame.shoot(&meets(color).pot(color)).unwrap();
    }
    frame.shoot(&ShotRecord::default()).unwrap();
    assert_eq!(frame.points(Two), Some(6));
}

#[test]
fn another_colour_that_falls_is_a_foul_and_comes_back() {
    let mut frame = snooker();
    frame.shoot(&meets(RED).pot(RED)).unwrap();
    let Ruling { fouls, spotted, .. } = frame.shoot(&meets(BLUE).pot(BLUE).pot(YELLOW)).unwrap();
    assert_eq!(fouls, [Foul::WrongBallPotted(Ball(YELLOW))]);
    assert_eq!(spotted, [Ball(BLUE), Ball(YELLOW)]);
    assert_eq!(points(&frame), [1, 5 - 1]);
}

#[test]
fn a_red_that_falls_on_a_foul_stays_down() {
    let mut frame = snooker();
    let ruling = frame.shoot(&meets(BLUE).pot(RED)).unwrap();
    assert!(ruling.spotted.is_empty() && !frame.balls().contains(Ball(RED)));
}

#[test]
fn after_a_foul_the_opponent_may_let_the_offender_play_again() {
    let mut frame = snooker();
    frame.shoot(&meets(BLUE)).unwrap();
    let expected = Turn::Choose {
        player: Two,
        about: Dilemma::FoulInSnooker,
        options: vec![AS_IT_LIES, Choice::HandBack],
    };
    assert_eq!(*frame.turn(), expected);
    for (choice, player) in [(AS_IT_LIES, Two), (Choice::HandBack, One)] {
        let mut frame = frame.clone();
        frame.choose(choice).unwrap();
        assert_eq!(*frame.turn(), shoot(player, CueBall::AsItLies));
    }
}

#[test]
fn a_pocketed_cue_ball_is_in_hand_in_the_d() {
    let mut frame = snooker();
    frame.shoot(&meets(RED).scratch()).unwrap();
    assert_eq!(*frame.turn(), shoot(Two, IN_D));
}

/// All reds are hidden by `by` after a foul.
fn hidden_after_foul(by: u8) -> Frame {
    let mut frame = snooker();
    let hidden = BallSet::one(Ball(by));
    let shot = ShotRecord {
        hidden: (1..=15).map(|red| (Ball(red), hidden)).collect(),
        ..meets(BLUE)
    };
    frame.shoot(&shot).unwrap();
    frame
}

#[test]
fn a_snooker_after_a_foul_gives_a_free_ball() {
    let mut frame = hidden_after_foul(BLUE);
    assert!(matches!(
        frame.turn(),
        Turn::Choose {
            about: Dilemma::FreeBall,
            ..
        }
    ));
    frame.choose(AS_IT_LIES).unwrap();
    assert_eq!(frame.targets(), frame.balls());
    // The blue stands for a red: one point, it comes back, and a colour is on.
    let before = frame.points(Two).unwrap();
    let ruling = frame.shoot(&meets(BLUE).pot(BLUE)).unwrap();
    assert_eq!(ruling.spotted, [Ball(BLUE)]);
    assert_eq!(frame.points(Two), Some(before + 1));
    assert_eq!(frame.targets(), BallSet::numbers(YELLOW, BLACK));
}

#[test]
fn reds_hide_no_red() {
    let frame = hidden_after_foul(2);
    assert!(!frame.has_free_ball());
}

#[test]
fn who_hands_the_shot_back_hands_no_free_ball_over() {
    let mut frame = hidden_after_foul(BLUE);
    frame.choose(Choice::HandBack).unwrap();
    assert_eq!(frame.targets(), BallSet::numbers(1, 15));
}

#[test]
fn equal_points_bring_the_black_back_and_it_decides() {
    let mut frame = black_alone_after([BLACK; 15].into_iter().chain([BLUE]));
    assert_eq!(points(&frame), [110, 110]);
    // Player one misses the black, and player two pots it.
    frame.shoot(&meets(BLACK)).unwrap();
    let mut decided = frame.clone();
    decided.shoot(&meets(BLACK).pot(BLACK)).unwrap();
    let ending = Ending::MorePoints;
    assert_eq!(
        *decided.turn(),
        Turn::Over {
            winner: Two,
            ending
        }
    );
    // A frame in which player two has seven points fewer: the black makes them equal, and comes back.
    let mut equal = black_alone_after([BLACK; 14].into_iter().chain([BLUE]));
    assert_eq!(points(&equal), [110, 103]);
    equal.shoot(&meets(BLACK)).unwrap();
    let ruling = equal.shoot(&meets(BLACK).pot(BLACK)).unwrap();
    assert_eq!(points(&equal), [110, 110]);
    assert_eq!(ruling.spotted, [Ball(BLACK)]);
    assert_eq!(*equal.turn(), shoot(One, IN_D));
    equal.shoot(&meets(BLACK).pot(BLACK)).unwrap();
    assert_eq!(
        *equal.turn(),
        Turn::Over {
            winner: One,
            ending
        }
    );
}

#[test]
fn values_rise_from_yellow_to_black() {
    let values: Vec<u32> = (YELLOW..=BLACK).map(|number| value(Ball(number))).collect();
    assert_eq!(values, [2, 3, 4, 5, 6, 7]);
    assert_eq!(value(Ball(RED)), 1);
}

/// A shot that meets nothing, with these balls in full sight.
fn misses(in_sight: u8) -> ShotRecord {
    let seen = BallSet::one(Ball(in_sight));
    ShotRecord {
        in_sight: seen,
        full_ways: vec![(Ball(in_sight), BallSet::EMPTY)],
        ..ShotRecord::default()
    }
}

const AGAIN: Choice = Choice::PlayAgain {
    cue: CueBall::AsItLies,
};

/// The subject of the choice, and whether the shot may be asked for again.
fn asked(frame: &Frame) -> (Dilemma, bool) {
    let Turn::Choose { about, .. } = frame.turn() else {
        panic!("no choice: {:?}", frame.turn());
    };
    (*about, frame.turn().offers_play_again())
}

/// Player one has potted a red: a colour is on.
fn on_a_color() -> Frame {
    let mut frame = snooker();
    frame.shoot(&meets(RED).pot(RED)).unwrap();
    frame
}

#[test]
fn a_ball_on_in_sight_that_is_not_hit_is_a_miss() {
    let mut frame = on_a_color();
    frame.shoot(&misses(BLUE)).unwrap();
    assert_eq!(asked(&frame), (Dilemma::FoulAndMiss, true));
    // Snookered, nobody knows how hard the player tried; nor is a pot of the wrong ball a miss.
    for shot in [misses(RED), meets(BLUE).pot(2)] {
        let mut frame = on_a_color();
        frame.shoot(&shot).unwrap();
        assert_eq!(asked(&frame), (Dilemma::FoulInSnooker, false));
    }
}

#[test]
fn a_shot_played_again_has_the_same_balls_on() {
    let mut frame = on_a_color();
    let (balls, targets) = (frame.balls(), frame.targets());
    // The shot also pots a red, which comes back with all others.
    frame.shoot(&misses(BLUE).pot(2)).unwrap();
    let ruling = frame.choose(AGAIN).unwrap();
    assert!(ruling.put_back);
    assert_eq!(*frame.turn(), shoot(One, CueBall::AsItLies));
    assert_eq!((frame.balls(), frame.targets()), (balls, targets));
    assert_eq!(points(&frame), [1, 4]);
}

#[test]
fn the_third_miss_in_full_sight_loses_the_frame() {
    let mut frame = on_a_color();
    for warned in [false, true] {
        frame.shoot(&misses(BLUE)).unwrap();
        frame.choose(AGAIN).unwrap();
        assert_eq!(frame.misses() == 2, warned);
    }
    let mut hits = frame.clone();
    hits.shoot(&meets(BLUE)).unwrap();
    assert_eq!(hits.misses(), 0);
    frame.shoot(&misses(BLUE)).unwrap();
    let (winner, ending) = (Two, Ending::ThreeMisses);
    assert_eq!(*frame.turn(), Turn::Over { winner, ending });
}

#[test]
fn misses_count_from_one_place_only() {
    let mut frame = on_a_color();
    frame.shoot(&misses(BLUE)).unwrap();
    assert_eq!(frame.misses(), 1);
    frame.choose(Choice::HandBack).unwrap();
    assert_eq!(frame.misses(), 0);
    // Another place and another ball that is on: this is the first miss again.
    frame.shoot(&misses(2)).unwrap();
    assert_eq!(frame.misses(), 1);
    frame.choose(AS_IT_LIES).unwrap();
    assert_eq!(frame.misses(), 0);
}

#[test]
fn there_is_no_miss_where_fouls_decide() {
    // 110 points against none, with the black alone on the table.
    let mut frame = black_alone_after([]);
    frame.shoot(&misses(BLACK)).unwrap();
    assert!(matches!(frame.turn(), Turn::Over { .. }));
    // With pink and black left, player two needs fouls.
    let mut frame = reds_cleared([]);
    frame.shoot(&misses(YELLOW)).unwrap();
    assert_eq!(asked(&frame), (Dilemma::FoulInSnooker, false));
}

#[test]
fn a_touching_ball_that_is_on_counts_as_hit() {
    let touching = |ball| ShotRecord {
        touching: BallSet::one(Ball(ball)),
        ..ShotRecord::default()
    };
    let fouls = |shot: ShotRecord| snooker().shoot(&shot).unwrap().fouls;
    assert_eq!(fouls(touching(RED)), []);
    // Played away from a red on the blue: no foul. Played into the red: a push.
    let onto = |on, met: &[Contact]| ShotRecord {
        first_hit: met.iter().find_map(Contact::ball),
        cue_ball_met: met.to_vec(),
        ..touching(on)
    };
    let [red, blue] = [RED, BLUE].map(|ball| Contact::Ball(Ball(ball)));
    assert_eq!(fouls(onto(RED, &[blue])), []);
    assert_eq!(fouls(onto(RED, &[Contact::Cushion, red])), []);
    assert_eq!(
        fouls(onto(RED, &[red])),
        [Foul::TouchingBallPlayed(Ball(RED))]
    );
    // The blue is not on: it counts for nothing.
    assert_eq!(fouls(touching(BLUE)), [Foul::NoBallHit]);
    assert_eq!(fouls(onto(BLUE, &[red])), []);
    assert_eq!(
        fouls(onto(BLUE, &[blue])),
        [Foul::WrongBallFirst(Ball(BLUE))]
    );
    // A colour that touches is the one that may fall.
    let mut frame = on_a_color();
    let ruling = frame.shoot(&touching(BLUE).pot(BLUE)).unwrap();
    assert_eq!(ruling.fouls, []);
    assert_eq!(points(&frame), [6, 0]);
}

#[test]
fn one_colour_is_nominated() {
    let mut frame = on_a_color();
    let shot = ShotRecord {
        touching: BallSet::one(Ball(BLUE)),
        ..meets(BLACK).pot(BLUE).pot(BLACK)
    };
    let ruling = frame.shoot(&shot).unwrap();
    assert_eq!(ruling.fouls, [Foul::WrongBallPotted(Ball(BLUE))]);
}

#[test]
fn another_ball_that_is_on_does_not_spoil_full_sight() {
    let behind = |by| ShotRecord {
        in_sight: BallSet::one(Ball(3)),
        full_ways: vec![(Ball(2), BallSet::one(Ball(by)))],
        ..ShotRecord::default()
    };
    for (by, counts) in [(3, 1), (BLUE, 0)] {
        let mut frame = snooker();
        frame.shoot(&behind(by)).unwrap();
        assert!(frame.turn().offers_play_again());
        assert_eq!(frame.misses(), counts);
    }
}
