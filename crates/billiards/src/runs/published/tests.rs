//! The game holds what was measured and what is exact.

use super::Subject;

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
fn a_ball_rolls_off_a_cushion_as_fast_as_measured_up_to_two_metres_a_second() {
    let square_on = &Subject::Cushions.compare()[0].curves[0];
    let slow: Vec<_> = square_on.points.iter().filter(|it| it.at < 2.1).collect();
    assert_eq!(slow.len(), 4, "{square_on:?}");
    for point in slow {
        let off = point.ours / point.published - 1.0;
        assert!(off.abs() < 0.05, "{point:?}");
    }
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
