//! Laws that hold in any sequence of shots and choices. The shots are drawn at random; the seeds are fixed.

use std::num::NonZeroU32;

use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::rules::{Call, Choice, Contact, Foul, Group, RuleError, Ruling};

const GAMES: [Discipline; 8] = [
    EIGHT_ONLY,
    EVERY_SHOT,
    Discipline::NineBall,
    Discipline::TenBall,
    Discipline::StraightPool(NonZeroU32::MIN.saturating_add(39)),
    Discipline::Snooker,
    Discipline::ThreeCushion,
    Discipline::FreeTable,
];

/// How often a ball is called. In straight pool whoever seldom sinks a called ball loses more points than the game gives.
fn eagerness(frame: &Frame) -> f64 {
    match frame.discipline() {
        Discipline::StraightPool(_) => 0.95,
        _ => 0.5,
    }
}

/// The called ball falls, in straight pool. The balls lie anywhere afterwards.
fn as_called(frame: &Frame, rng: &mut ChaCha8Rng) -> Option<ShotRecord> {
    let Some(Call::Pot { ball, pocket }) = frame.called() else {
        return None;
    };
    if !matches!(frame.discipline(), Discipline::StraightPool(_)) || rng.random_bool(0.1) {
        return None;
    }
    let mut some = || -> BallSet {
        let all = frame.balls().iter().chain([Ball::CUE]);
        all.filter(|_| rng.random_bool(0.3)).collect()
    };
    Some(ShotRecord {
        in_rack: some(),
        at_head_spot: some(),
        behind_head_string: some(),
        ..hit(ball.0).pot_into(ball.0, pocket)
    })
}

/// Any shot that the balls on the table allow, legal or not.
fn any_shot(frame: &Frame, rng: &mut ChaCha8Rng) -> ShotRecord {
    if let Some(shot) = as_called(frame, rng) {
        return shot;
    }
    let balls: Vec<Ball> = frame.balls().iter().collect();
    let targets: Vec<Ball> = frame.targets().iter().collect();
    let any = if rng.random_bool(0.7) {
        targets
    } else {
        balls.clone()
    };
    let mut shot = ShotRecord {
        first_hit: any.choose(rng).copied().filter(|_| rng.random_bool(0.95)),
        in_sight: frame.balls(),
        full_ways: balls
            .iter()
            .filter(|_| rng.random_bool(0.3))
            .map(|ball| (*ball, BallSet::EMPTY))
            .collect(),
        touching: balls
            .iter()
            .copied()
            .filter(|_| rng.random_bool(0.01))
            .collect(),
        cushion_after_contact: rng.random_bool(0.9),
        past_head_string: rng.random_bool(0.9),
        ..ShotRecord::default()
    };
    if frame.discipline() == Discipline::ThreeCushion {
        let met = (0..6).map(|_| match rng.random_range(0..3) {
            0 => Contact::Cushion,
            number => Contact::Ball(Ball(number)),
        });
        shot.cue_ball_met = met.collect();
        if rng.random_bool(0.05) {
            shot = shot.off(rng.random_range(0..3));
        }
        return shot;
    }
    for ball in balls.into_iter().chain([Ball::CUE]) {
        match rng.random_range(0..100) {
            0..8 => shot = shot.pot_into(ball.0, rng.random_range(0..6)),
            8..10 => shot = shot.off(ball.0),
            10..40 => shot.to_cushion.insert(ball),
            _ => {}
        }
    }
    shot
}

fn any_call(frame: &Frame, rng: &mut ChaCha8Rng) -> Option<Call> {
    let calls = frame
        .balls()
        .iter()
        .flat_map(|ball| (0..6).map(move |pocket| Call::Pot { ball, pocket }));
    let calls: Vec<Call> = calls
        .chain([Call::Safety, Call::PushOut])
        .filter(|call| frame.may_call(*call))
        .collect();
    calls.choose(rng).copied()
}

/// One step of a game, and the balls that its ruling says are on the table.
fn step(frame: &mut Frame, rng: &mut ChaCha8Rng) -> (Ruling, ShotRecord) {
    if let Turn::Choose { options, .. } = frame.turn() {
        assert!(options.len() > 1, "no choice: {options:?}");
        let choice = *options.choose(rng).unwrap();
        return (frame.choose(choice).unwrap(), ShotRecord::default());
    }
    assert!(!frame.targets().is_empty());
    assert!(frame.targets().difference(frame.balls()).is_empty());
    let call = any_call(frame, rng).filter(|_| rng.random_bool(eagerness(frame)));
    frame.call(call).unwrap();
    let shot = any_shot(frame, rng);
    (frame.shoot(&shot).unwrap(), shot)
}

/// Plays `discipline` for some steps and holds each against `law`.
fn play(discipline: Discipline, law: impl Fn(&Frame, &Frame, &Ruling, &ShotRecord)) -> usize {
    let mut finished = 0;
    for seed in 0..200 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut frame = Frame::new(discipline, Player::One);
        // Snooker is the longest game.
        for _ in 0..3000 {
            let before = frame.clone();
            let (ruling, shot) = step(&mut frame, &mut rng);
            law(&before, &frame, &ruling, &shot);
            if frame.turn().player().is_none() {
                finished += 1;
                break;
            }
        }
    }
    finished
}

#[test]
fn someone_is_always_to_play_and_games_come_to_an_end() {
    for discipline in GAMES {
        let finished = play(discipline, |_, after, ruling, _| {
            assert_eq!(*after.turn(), ruling.turn);
            let over = matches!(after.turn(), Turn::Over { .. });
            assert_eq!(after.turn().player().is_none(), over);
        });
        let expected = if discipline == Discipline::FreeTable {
            0
        } else {
            200
        };
        assert_eq!(finished, expected, "{discipline:?}");
    }
}

#[test]
fn a_ball_is_on_the_table_unless_it_left_it_and_was_not_spotted() {
    for discipline in GAMES {
        let rack = Frame::new(discipline, Player::One).balls();
        play(discipline, |before, after, ruling, shot| {
            let stayed = before.balls().difference(shot.gone());
            let back: BallSet = ruling.spotted.iter().copied().collect();
            assert!(back.intersection(stayed).is_empty(), "{back:?} never left");
            if ruling.put_back {
                assert!(before.balls().difference(after.balls()).is_empty());
                return;
            }
            let expected = if ruling.racked || ruling.new_rack.is_some() {
                rack
            } else {
                stayed.union(back)
            };
            assert_eq!(after.balls(), expected);
        });
    }
}

#[test]
fn a_cue_ball_that_left_the_table_is_in_hand() {
    // On a carom table it comes back to a spot.
    let has_pockets = |game: &Discipline| *game != Discipline::ThreeCushion;
    for discipline in GAMES.into_iter().filter(has_pockets) {
        play(discipline, |_, after, _, shot| {
            let lies = match after.turn() {
                Turn::Shoot { cue, .. } => *cue == CueBall::AsItLies,
                Turn::Choose { options, .. } => options.iter().any(|option| {
                    let cue = CueBall::AsItLies;
                    matches!(option, Choice::Play { cue: at, .. } if *at == cue)
                        || *option == Choice::HandBack
                }),
                Turn::Break(_) | Turn::Over { .. } => false,
            };
            assert!(!(lies && shot.cue_ball_gone()), "{:?}", after.turn());
        });
    }
}

#[test]
fn groups_are_opposite_and_stay_until_the_next_rack() {
    for discipline in [EIGHT_ONLY, EVERY_SHOT] {
        play(discipline, |before, after, ruling, _| {
            let of = |frame: &Frame| [Player::One, Player::Two].map(|player| frame.group(player));
            let [one, two] = of(after);
            assert_eq!(one, two.map(Group::other));
            let decided = of(before)[0].is_none() && ruling.group.is_some();
            if ruling.racked {
                assert_eq!(one, None);
            } else if decided {
                assert_eq!(after.group(ruling.player), ruling.group);
            } else {
                assert_eq!((of(after), ruling.group), (of(before), None));
            }
        });
    }
}

#[test]
fn a_frame_ends_once() {
    for discipline in GAMES {
        play(discipline, |_, after, _, _| {
            if let Turn::Over { .. } = after.turn() {
                let mut over = after.clone();
                assert_eq!(
                    over.shoot(&ShotRecord::default()),
                    Err(RuleError::FrameOver)
                );
                assert_eq!(over, *after);
            }
        });
    }
}

#[test]
fn a_foul_never_keeps_the_turn() {
    for discipline in GAMES {
        if discipline == Discipline::FreeTable {
            continue;
        }
        play(discipline, |_, after, ruling, _| match after.turn() {
            Turn::Over { winner, .. } if !ruling.fouls.is_empty() => {
                // In snooker the loser of a frame may foul at the black and still have fewer points: never more.
                let leads = after.points(ruling.player) > after.points(ruling.player.other());
                assert!(*winner != ruling.player || leads);
            }
            // In straight pool, the third foul in a row has the offender break again.
            Turn::Break(_) if ruling.fouls.contains(&Foul::ThirdInARow) => {}
            turn if !ruling.fouls.is_empty() => {
                assert_eq!(turn.player(), Some(ruling.player.other()));
            }
            _ => {}
        });
    }
}
