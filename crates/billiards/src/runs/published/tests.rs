//! The game holds what was measured and what is exact.

use bevy::math::Vec2;

use super::{
    Subject,
    arena::{Arena, Flight},
};
use crate::table::spec::{POOL_9, TableSpec};

#[test]
fn a_masse_ends_where_coriolis_says() {
    for comparison in Subject::Masse.compare() {
        for curve in comparison.curves {
            for point in curve.points {
                let off = point.ours - point.published;
                assert!(off.abs() < 1.0, "{}: {point:?}", curve.name);
            }
        }
    }
}

/// The published values of the equations have three digits.
#[test]
fn cushions_do_what_mathavan_jackson_and_parkin_computed() {
    let comparisons = Subject::Cushions.compare();
    for comparison in &comparisons[1..3] {
        for curve in &comparison.curves {
            assert!(curve.worst < 0.01, "{}: {curve:?}", comparison.title);
        }
    }
}

#[test]
fn a_ball_rolls_off_a_cushion_as_fast_as_measured() {
    for point in &Subject::Cushions.compare()[0].curves[0].points {
        let off = point.ours / point.published - 1.0;
        assert!(off.abs() < 0.05, "{point:?}");
    }
}

/// The greatest speed with which a ball comes back along the table after it has crossed it once and met both long cushions. It was
/// hit across the table with several side spins.
fn twice_across(table: &'static TableSpec) -> f32 {
    let mut arena = Arena::new(table, 240.0);
    let radius = table.ball.radius;
    let flights: Vec<Flight> = (0..60)
        .map(|k| {
            let start = Vec2::new(0.4 * table.half.x, 0.0);
            let mut ball = Flight::on_bed(start, Vec2::new(1.0, 5.0), 0.0, radius);
            ball.spin.y = 0.05 * k as f32 / radius;
            ball
        })
        .collect();
    arena.throw(&flights);
    let mut before = flights;
    // Speed along the table after each cushion.
    let mut along = vec![Vec::new(); before.len()];
    for _ in 0..200 {
        let after = arena.step();
        for ((along, before), after) in along.iter_mut().zip(&before).zip(&after) {
            if before.velocity.z * after.velocity.z < 0.0 {
                along.push(after.velocity.x);
            }
        }
        before = after;
    }
    let back = along.iter().filter_map(|along| match along[..] {
        [first, second, ..] if first > 0.01 => Some(-second),
        _ => None,
    });
    back.fold(0.0, f32::max)
}

#[test]
fn only_soft_cushions_send_a_ball_twice_across() {
    let mut rigid = POOL_9;
    rigid.cushion.tangential_restitution = 0.0;
    let (soft, rigid) = (
        twice_across(&POOL_9),
        twice_across(Box::leak(Box::new(rigid))),
    );
    assert!(soft > 0.01, "{soft} m/s");
    assert!(rigid < 0.5 * soft, "{rigid} m/s, and {soft} m/s");
}

#[test]
fn a_middle_pocket_takes_slow_balls_within_the_published_width() {
    let pockets = Subject::Pockets.compare();
    let slow = &pockets[0].curves[0];
    assert!(slow.worst < 0.1, "{slow:?}");
    // The faster the ball and the flatter its way, the less.
    for kind in &pockets {
        let [slow, fast] = [0, 1].map(|k| &kind.curves[k].points);
        for (slow, fast) in slow.iter().zip(fast) {
            assert!(fast.ours < slow.ours + 1.0, "{slow:?} and {fast:?}");
        }
    }
}
