//! The laws of the rules.

use super::*;

const ALL: [Switch; 18] = [
    Switch::Launch,
    Switch::Bumper(0),
    Switch::Slingshot(Side::Left),
    Switch::Lane(0),
    Switch::Lane(1),
    Switch::Lane(2),
    Switch::Drop(0),
    Switch::Drop(1),
    Switch::Drop(2),
    Switch::Standup(0),
    Switch::Standup(1),
    Switch::Spinner,
    Switch::RampMouth,
    Switch::Ramp,
    Switch::Orbit,
    Switch::Inlane(Side::Left),
    Switch::Outlane(Side::Right),
    Switch::Drain,
];

/// A game with its ball in play, after the time in which a drained ball comes back.
fn in_play() -> Rules {
    let mut rules = Rules::default();
    launch(&mut rules);
    rules
}

fn launch(rules: &mut Rules) {
    rules.served();
    rules.close(Switch::Launch);
    rules.tick(SAVE);
    assert_eq!(rules.phase, Phase::Play);
}

#[test]
fn a_game_has_three_balls() {
    let mut rules = Rules::default();
    for ball in 1..=BALLS {
        assert_eq!(rules.ball, ball);
        launch(&mut rules);
        rules.close(Switch::Drain);
        rules.tick(PAUSE);
    }
    assert_eq!((rules.phase, rules.drained), (Phase::Over, BALLS));
}

#[test]
fn the_score_never_falls_and_stays_when_the_game_is_over() {
    let mut rules = Rules::default();
    let mut before = 0;
    for round in 0..1000 {
        // Every switch follows every other one.
        rules.served();
        rules.close(ALL[(7 * round + round / ALL.len()) % ALL.len()]);
        rules.tick(0.9);
        assert!(rules.score >= before, "{rules:?}");
        before = rules.score;
    }
    assert_eq!(rules.phase, Phase::Over);
    for switch in ALL {
        rules.close(switch);
    }
    assert_eq!(rules.score, before);
}

#[test]
fn a_ball_that_drains_soon_comes_back_once() {
    let mut rules = Rules::default();
    rules.served();
    rules.close(Switch::Launch);
    rules.close(Switch::Drain);
    assert_eq!((rules.phase, rules.drained), (Phase::Serve, 0));
    launch(&mut rules);
    rules.close(Switch::Drain);
    assert_eq!(rules.drained, 1);
}

#[test]
fn a_tilted_table_scores_nothing_until_the_next_ball() {
    let mut rules = in_play();
    rules.close(Switch::Bumper(0));
    let score = rules.score;
    for _ in 0..4 {
        assert!(rules.is_live());
        rules.nudge();
    }
    assert_eq!(rules.phase, Phase::Tilted);
    assert!(!rules.is_live());
    for switch in ALL {
        rules.close(switch);
    }
    assert_eq!(rules.score, score);
    rules.tick(PAUSE);
    assert!(rules.is_live());
}

#[test]
fn slow_pushes_do_not_tilt() {
    let mut rules = in_play();
    for _ in 0..20 {
        rules.nudge();
        rules.tick(FORGETS);
    }
    assert_eq!(rules.phase, Phase::Play);
}

#[test]
fn all_lanes_raise_the_multiplier_and_it_multiplies_the_bonus() {
    let mut rules = in_play();
    for lane in 0..LANES {
        rules.close(Switch::Lane(lane));
    }
    assert_eq!((rules.multiplier, rules.lanes), (2, [false; LANES]));
    let score = rules.score;
    rules.close(Switch::Drain);
    assert_eq!(rules.score - score, LANES as u64 * points::BONUS * 2);
}

#[test]
fn the_bank_rises_again() {
    let mut rules = in_play();
    for target in 0..DROPS {
        rules.close(Switch::Drop(target));
    }
    assert_eq!(rules.score, DROPS as u64 * points::DROP + points::BANK);
    rules.tick(BANK_PAUSE);
    assert_eq!(rules.drops, [false; DROPS]);
}

#[test]
fn both_standups_double_one_ramp() {
    let mut rules = in_play();
    rules.close(Switch::Standup(0));
    rules.close(Switch::Standup(1));
    let score = rules.score;
    rules.close(Switch::Ramp);
    assert_eq!(rules.score - score, 2 * points::RAMP);
    let score = rules.score;
    rules.close(Switch::Ramp);
    assert_eq!(rules.score - score, points::RAMP + points::RAMP_RISE);
}

#[test]
fn a_flip_moves_the_lit_lanes() {
    let mut rules = in_play();
    rules.close(Switch::Lane(0));
    rules.flip(Side::Right);
    assert_eq!(rules.lanes, [false, true, false]);
    rules.flip(Side::Left);
    assert_eq!(rules.lanes, [true, false, false]);
}
