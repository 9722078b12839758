//! How hard to shoot.

use super::*;

/// Speed after `distance` of a ball that starts without spin, by small steps of Newton's second law.
fn arrive(pace: &Pace, start: f32, distance: f32) -> f32 {
    let (mut speed, mut turning, mut way) = (f64::from(start), 0.0, 0.0);
    let step = 1e-5;
    while way < f64::from(distance) && speed > 0.0 {
        way += speed * step;
        if turning < speed {
            speed -= f64::from(pace.sliding) * step;
            turning += 2.5 * f64::from(pace.sliding) * step;
        } else {
            speed -= f64::from(pace.rolling) * step;
            turning = speed;
        }
    }
    speed as f32
}

#[test]
fn a_ball_started_at_the_estimated_speed_arrives_as_wanted() {
    let pace = Pace::default();
    for (arrival, distance) in [(0.5, 0.05), (0.5, 1.5), (3.0, 0.3), (3.0, 2.0), (0.1, 2.5)] {
        let found = arrive(&pace, pace.start(arrival, distance), distance);
        assert!((found - arrival).abs() < 2e-3, "{found} {arrival}");
    }
}

#[test]
fn a_thinner_cut_and_a_longer_way_ask_for_more_speed() {
    let pace = Pace::default();
    let shot = |to_ball, cut| pace.shot(to_ball, cut, 1.0, 0.5);
    assert!(shot(1.0, 0.8) > shot(1.0, 0.3) && shot(1.0, 0.3) > shot(0.4, 0.3));
    assert_eq!(shot(1.0, 1.57), pace.hardest);
}

/// Speed with which the ball of `shot` arrives after `onward` metres.
fn played(planner: &Planner, shot: &Candidate, onward: f32) -> f32 {
    let pace = &planner.pace;
    let (start, from) = match shot.aim {
        Aim::Kick { bounce } => {
            let at_bounce = arrive(pace, shot.speed, shot.cue.distance(bounce));
            (pace.cushion * at_bounce, bounce)
        }
        _ => (shot.speed, shot.cue),
    };
    let cue = arrive(pace, start, from.distance(shot.ghost));
    arrive(
        pace,
        0.5 * (1.0 + pace.restitution) * cue * shot.cut.cos(),
        onward,
    )
}

#[test]
fn a_pot_just_reaches_the_pocket_and_other_shots_drive_the_ball_to_a_cushion() {
    let planner = planner();
    let balls = scattered();
    let position = position((-0.1, 0.2), &balls);
    let mut shots = planner.candidates(&position, ALL);
    shots.extend(planner.kicks(&position, ALL));
    let mut kinds = [0; 3];
    for shot in shots
        .iter()
        .filter(|shot| shot.speed < planner.pace.hardest)
    {
        let ball = balls.iter().find(|(ball, _)| *ball == shot.ball).unwrap().1;
        let way = (ball - shot.ghost).normalize();
        let (kind, onward, expected) = match shot.aim {
            Aim::Pot { pocket } => {
                let window = planner.layout.pockets[pocket].window(ball, RADIUS).unwrap();
                (0, window.distance, planner.pace.at_pocket)
            }
            aim => {
                let onward = planner.to_cushion(ball, way);
                let room = planner.layout.reach() - (ball + way * onward).abs();
                assert!(room.min_element().abs() < 1e-5);
                let kick = usize::from(aim != Aim::Safety);
                (1 + kick, onward, planner.pace.at_cushion)
            }
        };
        kinds[kind] += 1;
        let found = played(&planner, shot, onward);
        assert!((found - expected).abs() < 0.01, "{found} {shot:?}");
    }
    assert!(kinds.into_iter().all(|count| count > 2), "{kinds:?}");
}
