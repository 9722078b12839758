//! The ways into pockets.

use super::*;
use crate::table::{
    cushion::cushions,
    pocket::POCKETS,
    spec::{HEAD_SPOT, POOL_9},
};

#[test]
fn on_a_pockets_axis_the_ball_is_aimed_through_its_centre() {
    for mouth in planner().layout.pockets {
        let middle = mouth.tips[0].midpoint(mouth.tips[1]);
        let out = (middle - mouth.center).normalize();
        let from = mouth.center + 0.4 * out;
        let window = mouth.window(from, RADIUS).unwrap();
        assert!(window.direction.distance(-out) < 1e-5);
        assert!((window.distance - 0.4).abs() < 1e-5);
    }
}

#[test]
fn a_window_ends_where_the_ball_touches_a_tip_or_the_rim() {
    let planner = planner();
    let mut windows = 0;
    for (_, from) in scattered() {
        for mouth in &planner.layout.pockets {
            let Some(window) = mouth.window(from, RADIUS) else {
                continue;
            };
            windows += 1;
            for end in [-window.half_width, window.half_width] {
                let way = Vec2::from_angle(end).rotate(window.direction);
                let aside = |place: Vec2| way.perp_dot(place - from).abs();
                let spare = mouth.tips.map(|tip| aside(tip) - RADIUS);
                let ends = [spare[0], spare[1], mouth.hole - aside(mouth.center)];
                let least = ends.into_iter().fold(f32::INFINITY, f32::min);
                assert!(least.abs() < 1e-5, "{ends:?}");
            }
        }
    }
    assert!(windows > 20, "{windows}");
}

#[test]
fn the_nearer_the_ball_the_wider_the_window() {
    let mouth = planner().layout.pockets[0];
    let width = |away: f32| {
        let from = mouth.center + away * Vec2::new(0.8, 0.6);
        mouth.window(from, RADIUS).unwrap().half_width
    };
    assert!(width(0.2) > width(0.4) && width(0.4) > width(0.8));
}

#[test]
fn no_window_leads_into_a_side_pocket_along_its_cushion() {
    let planner = planner();
    let along = Vec2::new(0.6, planner.layout.reach().y);
    assert_eq!(planner.layout.pockets[4].window(along, RADIUS), None);
    // But one leads along the cushion into the corner.
    assert!(planner.layout.pockets[5].window(along, RADIUS).is_some());
}

#[test]
fn the_tables_own_layout_has_six_pockets_that_take_balls() {
    let layout = Layout::new(&POOL_9, &POCKETS, &cushions());
    assert_eq!(layout.head_string, HEAD_SPOT.x);
    assert_eq!(layout.pockets.len(), 6);
    for mouth in &layout.pockets {
        assert!(mouth.window(Vec2::ZERO, layout.radius).is_some());
        let [a, b] = mouth.tips;
        assert!(a.distance(b) > 4.0 * layout.radius);
        let aside = (a.midpoint(b) - mouth.center).perp_dot(b - a).abs();
        assert!((aside - (a.midpoint(b) - mouth.center).length() * a.distance(b)).abs() < 1e-6);
    }
}
