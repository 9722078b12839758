//! Laws of the plan's geometry.

use bevy::math::Vec2;

use super::*;
use crate::rules::{Area, Ball, BallSet};

mod hit;
mod pace;
mod pot;
mod window;

const RADIUS: f32 = 0.03;

/// A table of 2 × 1 whose pockets have square corners and lie symmetrically.
fn planner() -> Planner {
    let half = Vec2::new(1.0, 0.5);
    let corner = |x: f32, y: f32| {
        let sign = Vec2::new(x, y);
        Mouth {
            center: sign * (half + 0.03),
            hole: 0.065,
            tips: [Vec2::new(0.92, 0.5) * sign, Vec2::new(1.0, 0.42) * sign],
        }
    };
    let side = |y: f32| Mouth {
        center: Vec2::new(0.0, 0.57 * y),
        hole: 0.065,
        tips: [Vec2::new(-0.07, 0.5 * y), Vec2::new(0.07, 0.5 * y)],
    };
    let row = |y| [corner(-1.0, y), side(y), corner(1.0, y)];
    Planner {
        layout: Layout {
            half,
            radius: RADIUS,
            head_string: -0.5,
            baulk: Vec2::ZERO,
            pockets: [row(-1.0), row(1.0)].concat(),
        },
        pace: Pace::default(),
    }
}

fn at(number: u8, x: f32, y: f32) -> (Ball, Vec2) {
    (Ball(number), Vec2::new(x, y))
}

fn position(cue: (f32, f32), balls: &[(Ball, Vec2)]) -> Position<'_> {
    Position {
        cue: cue.into(),
        balls,
    }
}

const ALL: BallSet = BallSet::numbers(1, 15);

/// Balls spread over the table. No two of them touch.
fn scattered() -> Vec<(Ball, Vec2)> {
    vec![
        at(1, 0.61, 0.23),
        at(2, -0.33, -0.31),
        at(3, 0.14, 0.02),
        at(4, 0.78, -0.4),
        at(5, -0.7, 0.36),
        at(6, 0.4, -0.12),
        at(7, 0.97, 0.1),
    ]
}

/// The 1 hidden behind a row of others, as seen from the head of the table.
fn hooked() -> [(Ball, Vec2); 4] {
    [
        at(2, -0.4, -0.06),
        at(3, -0.4, 0.0),
        at(4, -0.4, 0.06),
        at(1, -0.1, 0.0),
    ]
}
