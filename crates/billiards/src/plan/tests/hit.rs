//! Safeties, kicks and the break; and the laws of all candidates.

use super::*;

#[test]
fn mirrored_tables_have_mirrored_candidates() {
    let planner = planner();
    let balls = scattered();
    let cue = Vec2::new(-0.1, 0.2);
    for mirror in [Vec2::new(1.0, -1.0), Vec2::new(-1.0, 1.0), Vec2::NEG_ONE] {
        let mirrored: Vec<_> = balls
            .iter()
            .map(|(ball, at)| (*ball, *at * mirror))
            .collect();
        let position = Position { cue, balls: &balls };
        let image = Position {
            cue: cue * mirror,
            balls: &mirrored,
        };
        let shots = |position| {
            let mut shots = planner.candidates(position, ALL);
            shots.extend(planner.kicks(position, ALL));
            shots.extend(planner.break_shot(position, ALL));
            shots
        };
        let (shots, images) = (shots(&position), shots(&image));
        assert_eq!(shots.len(), images.len());
        for shot in &shots {
            let found = images.iter().any(|image| {
                image.ball == shot.ball
                    && std::mem::discriminant(&image.aim) == std::mem::discriminant(&shot.aim)
                    && image.direction.distance(shot.direction * mirror) < 1e-3
                    && image.ghost.distance(shot.ghost * mirror) < 1e-3
                    && (image.tolerance - shot.tolerance).abs() < 1e-3
                    && (image.speed - shot.speed).abs() < 1e-3
            });
            assert!(found, "{shot:?}");
        }
    }
}

#[test]
fn only_targets_are_hit_first() {
    let balls = scattered();
    let only = BallSet::one(Ball(3));
    let shots = planner().candidates(&position((-0.1, 0.2), &balls), only);
    assert!(!shots.is_empty() && shots.iter().all(|shot| shot.ball == Ball(3)));
}

#[test]
fn a_hidden_ball_is_reached_by_a_cushion_that_reflects_like_a_mirror() {
    let planner = planner();
    let balls = hooked();
    let position = position((-0.7, 0.0), &balls);
    let shots = planner.candidates(&position, BallSet::one(Ball(1)));
    assert!(shots.len() >= 2);
    for shot in shots {
        let Aim::Kick { bounce } = shot.aim else {
            panic!("{shot:?}")
        };
        let over = planner.layout.reach() - bounce.abs();
        assert!(over.min_element().abs() < 1e-5, "{bounce}");
        let (into, out) = (bounce - shot.cue, balls[3].1 - bounce);
        let (into, out) = (into.normalize(), out.normalize());
        let mirrored = [Vec2::new(-1.0, 1.0), Vec2::new(1.0, -1.0)].map(|mirror| into * mirror);
        assert!(mirrored.iter().any(|way| way.distance(out) < 1e-4));
        assert!((balls[3].1.distance(shot.ghost) - 2.0 * RADIUS).abs() < 1e-5);
    }
}

#[test]
fn a_kick_needs_a_cushion_and_free_ways_to_it_and_from_it() {
    let planner = planner();
    let only = BallSet::one(Ball(1));
    let kicks = |balls: &[(Ball, Vec2)]| planner.kicks(&position((-0.7, 0.0), balls), only).len();
    let target = at(1, -0.1, 0.0);
    assert_eq!(kicks(&[target]), 3);
    // By way of the long cushions the cue ball turns back at x = -0.4, y = ±0.47.
    for (x, y) in [(-0.55, 0.235), (-0.25, 0.235)] {
        assert_eq!(kicks(&[target, at(2, x, y)]), 2);
    }
    // Here they lead into the side pockets.
    let balls = [at(1, 0.7, 0.0)];
    let kicks = planner.kicks(&position((-0.7, 0.0), &balls), ALL);
    assert!(kicks.iter().all(|kick| kick.direction.y.abs() < 1e-6));
}

#[test]
fn a_ball_at_a_cushion_is_hit_on_the_side_that_the_cushion_leaves_open() {
    let planner = planner();
    let ball = Vec2::new(0.5, planner.layout.reach().y);
    let cue = ball - Vec2::new(0.8, 0.02);
    let balls = [(Ball(1), ball)];
    let shot = planner.safeties(&Position { cue, balls: &balls }, ALL)[0];
    for edge in [-1.0, 1.0] {
        let way = Vec2::from_angle(edge * shot.tolerance).rotate(shot.direction);
        let (_, run) = path::first_met(cue, way, RADIUS, balls.into_iter()).unwrap();
        assert!(planner.layout.holds(cue + way * run));
    }
}

#[test]
fn a_half_hidden_ball_is_hit_on_the_side_that_shows() {
    let planner = planner();
    let balls = [at(1, 0.4, 0.0), at(2, 0.1, 0.03)];
    let position = position((-0.3, 0.0), &balls);
    let shots = planner.safeties(&position, BallSet::one(Ball(1)));
    let [shot] = shots[..] else {
        panic!("{shots:?}")
    };
    assert!(shot.direction.y < 0.0 && shot.cut > 0.0);
    for edge in [-1.0, 1.0] {
        let way = Vec2::from_angle(edge * shot.tolerance).rotate(shot.direction);
        let met = path::first_met(position.cue, way, RADIUS, balls.into_iter());
        assert_eq!(met.map(|(ball, _)| ball), Some(Ball(1)));
    }
}

#[test]
fn the_break_hits_the_nearest_ball_full() {
    let balls = [at(9, 0.55, 0.03), at(1, 0.5, 0.0), at(2, 0.55, -0.03)];
    let shot = planner()
        .break_shot(&position((-0.5, 0.1), &balls), ALL)
        .unwrap();
    assert_eq!((shot.ball, shot.aim), (Ball(1), Aim::Break));
    assert!(shot.cut < 0.02, "{}", shot.cut);
}

#[test]
fn the_chance_is_that_of_a_normal_error() {
    let balls = [at(1, 0.3, 0.0)];
    let shot = planner().safeties(&position((-0.3, 0.0), &balls), ALL)[0];
    for (deviations, chance) in [(1.0, 0.6827), (2.0, 0.9545), (3.0, 0.9973)] {
        let found = shot.chance(shot.tolerance / deviations);
        assert!((found - chance).abs() < 1e-3, "{found} {chance}");
    }
    assert_eq!(shot.chance(0.0), 1.0);
    assert!(shot.chance(1e3) < 1e-3);
}
