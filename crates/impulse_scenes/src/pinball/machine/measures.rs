//! The measures of the table, in metres, and where its parts are.
//!
//! The axes are the table's: x to the right, y out of the playfield, z to the player, the origin in the middle of the playfield. A
//! place on the playfield is (x, z). The tilt of the table is in the direction of the gravity.

use std::f32::consts::PI;

use bevy::math::{Vec2, Vec3, vec2};

use super::{
    Side,
    outline::{Outline, Path},
};

/// Half the width of the playfield: 20¼ inches across.
pub const HALF_WIDTH: f32 = 0.26;
/// Half its length: 42 inches.
pub const HALF_LENGTH: f32 = 0.535;
/// Angle of the playfield to the level, in rad: 6.5°, the usual one.
pub const TILT: f32 = 6.5 * PI / 180.0;
/// Height of the glass over the playfield. The ball fits under it on top of the ramp.
pub const GLASS: f32 = 0.09;
/// Radius of the ball: 1 1/16 inches across.
pub const BALL_RADIUS: f32 = 0.0135;
/// Mass of the steel ball in kg.
pub const BALL_MASS: f32 = 0.08;

/// g in the table's axes, in m/s².
pub fn gravity() -> Vec3 {
    9.81 * Vec3::new(0.0, -TILT.cos(), TILT.sin())
}

/// Half the thickness of guides and rails.
pub const RAIL: f32 = 0.003;
/// The line between the plunger's lane and the playfield.
pub const DIVIDER: f32 = 0.213;
/// The upper end of the divider.
pub const DIVIDER_TOP: f32 = -0.20;
/// The middle of the plunger's lane.
pub const LANE: f32 = 0.5 * (DIVIDER + RAIL + HALF_WIDTH);
/// Behind this line a ball is out of play.
pub const DRAIN: f32 = 0.475;

/// The middle between the flippers.
pub const MIDDLE: f32 = 0.5 * (DIVIDER - RAIL - HALF_WIDTH);

/// A place by its distance from the middle line, on the one or the other side.
pub fn on(side: Side, distance: f32, z: f32) -> Vec2 {
    vec2(MIDDLE + side.sign() * distance, z)
}

/// The outer wall: up the left side, around the arch and down the right side.
pub fn cabinet() -> Path {
    let arch = vec2(0.0, HALF_WIDTH - HALF_LENGTH);
    Path::start(vec2(-HALF_WIDTH, HALF_LENGTH + 0.01))
        .line(vec2(-HALF_WIDTH, arch.y))
        .arc(arch, PI)
        .line(vec2(HALF_WIDTH, HALF_LENGTH + 0.01))
}

/// The flippers.
pub mod flipper {
    use super::*;

    /// Distance of the pivots from the middle line. Between the tips at rest a ball has 16 mm to spare.
    pub const DISTANCE: f32 = 0.085;
    /// Where the pivots are along the table.
    pub const Z: f32 = 0.395;
    /// From the pivot to the centre of the tip: a bat of 84 mm.
    pub const LENGTH: f32 = 0.066;
    /// Radius at the pivot, and at the tip.
    pub const RADII: [f32; 2] = [0.0115, 0.0065];
    /// Angle below the level at rest, in rad.
    pub const REST: f32 = 30.0 * PI / 180.0;
    /// The angle by which it turns up, in rad.
    pub const STROKE: f32 = 50.0 * PI / 180.0;

    /// Where the pivot is.
    pub fn pivot(side: Side) -> Vec2 {
        on(side, DISTANCE, Z)
    }

    /// The bat with its pivot in the origin, and pointing to the middle of the table.
    pub fn outline(side: Side) -> Outline {
        Outline::hull(&[
            (Vec2::ZERO, RADII[0]),
            (vec2(-side.sign() * LENGTH, 0.0), RADII[1]),
        ])
    }
}

/// The line of the guide that leads to a flipper: from beside its pivot up the slope of the resting flipper, then straight up.
pub fn inlane_guide(side: Side) -> [Vec2; 3] {
    let (sin, cos) = flipper::REST.sin_cos();
    // In these axes: away from the middle, and down the table.
    let (along, up) = (vec2(cos, -sin), vec2(-sin, -cos));
    // A ball that rolls from the guide to the flipper meets no step.
    let step = flipper::RADII[0] - RAIL;
    let end = vec2(flipper::DISTANCE, flipper::Z) + 0.0155 * along + step * up;
    let distance = 0.199;
    let bend = end + (distance - end.x) / cos * along;
    let top = vec2(distance, 0.165);
    [end, bend, top].map(|point| on(side, point.x, point.y))
}

/// The centres of a slingshot's rounded corners: above outside, below outside, below inside. Its kicker is the side from the third
/// to the first.
pub fn slingshot(side: Side) -> [Vec2; 3] {
    let outside = 0.153;
    let inside = 0.100;
    let below = 0.285;
    [
        on(side, outside, 0.175),
        on(side, outside, below),
        on(
            side,
            inside,
            below + (outside - inside) * flipper::REST.tan(),
        ),
    ]
}

/// Radius of the rubber around the slingshots.
pub const RUBBER: f32 = 0.006;

/// Radius of a bumper's body, and the places of the three.
pub const BUMPER_RADIUS: f32 = 0.028;
/// See [`BUMPER_RADIUS`].
pub const BUMPERS: [Vec2; 3] = [vec2(-0.04, -0.27), vec2(0.075, -0.27), vec2(0.02, -0.175)];

/// The posts between the lanes at the top.
pub const LANE_POSTS: [f32; 4] = [-0.075, -0.025, 0.025, 0.075];
/// Their upper and lower ends.
pub const LANE_ENDS: [f32; 2] = [-0.425, -0.365];
/// Half their thickness.
pub const LANE_POST: f32 = 0.004;

/// The guide that carries the drop targets: its upper and lower ends. Behind it a ball runs up to the arch.
pub const BANK: [Vec2; 2] = [vec2(0.125, -0.20), vec2(0.158, 0.0)];
/// Width of a drop target, and its thickness.
pub const DROP: [f32; 2] = [0.045, 0.006];
/// Drop targets in the bank.
pub const DROPS: usize = 3;

/// Where the middle of a drop target is, and the direction in which it faces.
pub fn drop_target(index: usize) -> (Vec2, Vec2) {
    let way = BANK[1] - BANK[0];
    let facing = way.normalize_or_zero().perp();
    let part = (index as f32 + 0.5) / DROPS as f32;
    // Between the ends, with a margin of a tenth.
    let at = BANK[0] + way * (0.12 + 0.76 * part);
    (at + facing * (RAIL + 0.5 * DROP[1]), facing)
}

/// The ramp: up beside the middle, around, and down to the left inlane.
pub mod ramp {
    use super::*;

    /// The middle of the way up, and of the way down.
    pub const X: [f32; 2] = [-0.2025, -0.105];
    /// Where the ways turn.
    pub const TURN: f32 = -0.17;
    /// The mouth, and the exit.
    pub const ENDS: [f32; 2] = [0.03, 0.09];
    /// Half the clear width.
    pub const HALF: f32 = 0.024;
    /// Height of the road at the top.
    const TOP: f32 = 0.045;
    /// How far the ends of the road are under the playfield: a ball rolls on without a step.
    const SUNK: f32 = 0.002;
    /// Length of each slope.
    const SLOPE: f32 = 0.18;

    /// The middle of the turn.
    pub fn centre() -> Vec2 {
        vec2(0.5 * (X[0] + X[1]), TURN)
    }

    /// Radius of the turn, on the middle of the road.
    pub fn radius() -> f32 {
        0.5 * (X[1] - X[0])
    }

    /// The middle of the road.
    pub fn path() -> Path {
        Path::start(vec2(X[1], ENDS[0]))
            .line(vec2(X[1], TURN))
            .arc(centre(), -PI)
            .line(vec2(X[0], ENDS[1]))
    }

    /// The height of the road after this length of a path as long as `whole`, and its slope: both ends rise as 3t² − 2t³.
    pub fn profile(along: f32, whole: f32) -> (f32, f32) {
        let rise = TOP + SUNK;
        let smooth = |t: f32| (3.0 - 2.0 * t) * t * t;
        let slope = |t: f32| 6.0 * t * (1.0 - t) * rise / SLOPE;
        let (up, down) = (along / SLOPE, (whole - along) / SLOPE);
        if up < 1.0 {
            (rise * smooth(up) - SUNK, slope(up))
        } else if down < 1.0 {
            (rise * smooth(down) - SUNK, -slope(down))
        } else {
            (TOP, 0.0)
        }
    }

    /// The wall around the road.
    pub fn outer_wall() -> Outline {
        let reach = HALF + RAIL;
        Outline::band(
            &Path::start(vec2(X[1] + reach, ENDS[0]))
                .line(vec2(X[1] + reach, TURN))
                .arc(centre(), -PI)
                .line(vec2(X[0] - reach, ENDS[1])),
            RAIL,
        )
    }

    /// The island between the two ways. Its lower side carries the standup targets.
    pub fn island() -> [(Vec2, f32); 3] {
        let inner = radius() - HALF;
        let corner = |x: f32, z: f32| (vec2(x, z), 0.004);
        [
            (centre(), inner),
            corner(X[0] + HALF + 0.004, 0.085),
            corner(X[1] - HALF - 0.004, 0.015),
        ]
    }

    /// The guide over the ramp: from the arch to the right, tangent to the outer wall. A ball rolls down on it to the bumpers.
    pub fn roof() -> [Vec2; 2] {
        let slope = 35.0 * PI / 180.0;
        let down = Vec2::from_angle(slope);
        let end = centre() - (radius() + HALF + RAIL) * down.perp();
        [end - down * (end.x + HALF_WIDTH + 0.01) / down.x, end]
    }

    /// The guide that shuts the gap between the ramp's exit and the left wall.
    pub fn seal() -> [Vec2; 2] {
        let end = vec2(X[0] - HALF - RAIL, ENDS[1]);
        [end, vec2(-HALF_WIDTH - 0.005, end.y - 0.04)]
    }
}

/// Where the standup targets are, and the direction in which they face.
pub fn standup(index: usize) -> (Vec2, Vec2) {
    let [_, (a, radius), (b, _)] = ramp::island();
    let facing = (b - a).normalize_or_zero().perp();
    let part = [0.27, 0.73][index];
    (
        a.lerp(b, part) + (radius + 0.5 * STANDUP[1]) * facing,
        facing,
    )
}
/// Width of a standup target, and its thickness.
pub const STANDUP: [f32; 2] = [0.03, 0.005];

/// The wedge that keeps a ball on the right wall from the outlane: its corners, in order.
pub const WEDGE: [Vec2; 3] = [
    vec2(DIVIDER, 0.01),
    vec2(DIVIDER - 0.037, 0.09),
    vec2(DIVIDER, 0.14),
];

/// The gate at the end of the plunger's lane: from the divider to the arch. A ball on it rolls to the left.
pub const GATE: [Vec2; 2] = [vec2(DIVIDER, DIVIDER_TOP), vec2(0.2655, -0.285)];

/// The plunger.
pub mod plunger {
    use super::*;

    /// Where its tip is at rest.
    pub const TIP: f32 = 0.42;
    /// Longest pull.
    pub const PULL: f32 = 0.055;
    /// Radius of the tip, and length of the rod.
    pub const RADIUS: f32 = 0.011;
    /// See [`RADIUS`].
    pub const LENGTH: f32 = 0.06;
    /// Stiffness of the spring in N/m, and mass of the plunger in kg. With the ball it moves at √(k/(m + m_ball))·pull.
    pub const STIFFNESS: f32 = 950.0;
    /// See [`STIFFNESS`].
    pub const MASS: f32 = 0.12;
    /// Speed of the hand that pulls, in m/s.
    pub const HAND: f32 = 0.06;

    /// Where the ball is served: on the tip.
    pub fn serve() -> Vec3 {
        Vec3::new(LANE, BALL_RADIUS, TIP - BALL_RADIUS - 1e-3)
    }
}
