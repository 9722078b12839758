//! Pots.

use super::*;

#[test]
fn from_the_ghost_ball_the_line_of_centres_is_the_way_into_the_pocket() {
    let planner = planner();
    let balls = scattered();
    let pots = planner.pots(&position((-0.1, 0.2), &balls), ALL);
    assert!(pots.len() > 4, "{}", pots.len());
    for pot in pots {
        let Aim::Pot { pocket } = pot.aim else {
            panic!("{pot:?}")
        };
        let ball = balls.iter().find(|(ball, _)| *ball == pot.ball).unwrap().1;
        assert!((ball.distance(pot.ghost) - 2.0 * RADIUS).abs() < 1e-5);
        let way = (ball - pot.ghost).normalize();
        let mouth = planner.layout.pockets[pocket];
        let aside = |place: Vec2| way.perp_dot(place - ball);
        assert!(aside(mouth.center).abs() < mouth.hole);
        assert!(aside(mouth.tips[0]) * aside(mouth.tips[1]) < 0.0);
        assert!(pot.direction.distance((pot.ghost - pot.cue).normalize()) < 1e-5);
        assert!((path::turn(pot.direction, way).abs() - pot.cut).abs() < 1e-4);
    }
}

#[test]
fn within_its_tolerance_a_turned_pot_still_runs_into_the_pocket() {
    let planner = planner();
    let balls = scattered();
    for pot in planner.pots(&position((-0.1, 0.2), &balls), ALL) {
        let Aim::Pot { pocket } = pot.aim else {
            panic!("{pot:?}")
        };
        let ball = balls.iter().find(|(ball, _)| *ball == pot.ball).unwrap().1;
        let window = planner.layout.pockets[pocket].window(ball, RADIUS).unwrap();
        // The tolerance is linear in the error, so a tenth of it is tried to both sides.
        let [right, left] = [-0.1, 0.1].map(|part| {
            let direction = Vec2::from_angle(part * pot.tolerance).rotate(pot.direction);
            let target = std::iter::once((pot.ball, ball));
            let (_, run) = path::first_met(pot.cue, direction, RADIUS, target).unwrap();
            ball - pot.cue - direction * run
        });
        let (found, expected) = (path::turn(right, left).abs(), 0.2 * window.half_width);
        assert!(
            (found - expected).abs() < 0.05 * expected,
            "{found} {expected}"
        );
    }
}

#[test]
fn a_ball_in_the_way_of_either_ball_blocks_the_pot() {
    let planner = planner();
    let target = at(1, 0.0, 0.2);
    let pot = |balls: &[(Ball, Vec2)]| {
        let pot = planner.pot(&position((0.0, -0.3), balls), target, 4);
        pot.map(|pot| pot.cut)
    };
    assert!(pot(&[target]).unwrap() < 1e-3);
    for (y, aside) in [(0.0, 0.05), (-0.1, -0.05), (0.35, 0.05)] {
        assert_eq!(
            pot(&[target, at(2, aside, y)]),
            Err(NoPot::Blocked(Ball(2)))
        );
        assert!(pot(&[target, at(2, 1.3 * aside, y)]).is_ok());
    }
    // Behind the cue ball, and frozen to the target beside its way, a ball blocks nothing.
    assert!(pot(&[target, at(2, 0.0, -0.4), at(3, 2.0 * RADIUS, 0.2)]).is_ok());
    // A ball that it would only graze because of rounding does not block either.
    let graze = 2.0 * RADIUS - 5e-6;
    assert!(pot(&[target, at(2, graze, 0.35)]).is_ok());
}

#[test]
fn a_pot_needs_the_cue_ball_behind_the_ball_and_room_for_it() {
    let planner = planner();
    let ahead = [at(1, 0.0, 0.0)];
    let pot = planner.pot(&position((0.0, 0.3), &ahead), ahead[0], 4);
    assert_eq!(pot, Err(NoPot::TooThin));
    let frozen = [at(1, 0.0, -planner.layout.reach().y)];
    let pot = planner.pot(&position((0.0, 0.3), &frozen), frozen[0], 4);
    assert_eq!(pot, Err(NoPot::NoRoom));
}

#[test]
fn pots_come_first_and_the_easiest_of_them_first() {
    let balls = [at(1, 0.8, 0.35), at(2, -0.3, 0.1)];
    let shots = planner().candidates(&position((0.5, 0.1), &balls), ALL);
    assert_eq!(shots[0].ball, Ball(1));
    let pots = shots
        .iter()
        .filter(|shot| matches!(shot.aim, Aim::Pot { .. }))
        .count();
    assert!(pots > 1 && shots[pots..].iter().all(|shot| shot.aim == Aim::Safety));
    assert!(shots[..pots].is_sorted_by(|a, b| a.tolerance >= b.tolerance));
    assert!(shots.iter().all(|shot| shot.direction.is_normalized()));
}

#[test]
fn a_cue_ball_in_hand_is_put_on_a_free_place_where_it_pots() {
    let planner = planner();
    let balls = scattered();
    for area in [Area::Table, Area::BehindHeadString] {
        let shots = planner.in_hand(&balls, ALL, area);
        assert!(!shots.is_empty());
        for shot in shots {
            assert!(planner.layout.holds(shot.cue));
            let apart = |(_, at): &(Ball, Vec2)| at.distance(shot.cue) > 2.0 * RADIUS;
            assert!(balls.iter().all(apart));
            assert!(matches!(shot.aim, Aim::Pot { .. }));
            assert!(area == Area::Table || shot.cue.x < planner.layout.head_string);
        }
    }
    let only = BallSet::one(Ball(1));
    let hidden = planner.in_hand(&hooked(), only, Area::BehindHeadString);
    assert!(!hidden.is_empty());
}

#[test]
fn a_cue_ball_in_hand_fits_neither_onto_a_ball_nor_into_a_cushion() {
    let planner = planner();
    let balls = [at(1, 0.5, 0.2)];
    let free = |x, y| planner.is_free(Vec2::new(x, y), &balls, Area::Table);
    assert!(free(0.5, 0.2 + 2.1 * RADIUS) && !free(0.5, 0.2 + 1.9 * RADIUS));
    assert!(free(0.0, 0.5 - RADIUS) && !free(0.0, 0.5 - 0.9 * RADIUS));
}
