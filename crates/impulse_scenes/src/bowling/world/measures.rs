//! The measures of lane, pins and ball, in m and kg.
//!
//! The axes: x to the right, y up, z towards the bowler. The origin is in the middle of the foul line, on the lane. The lane and the
//! ball have the measures of the United States Bowling Congress (USBC), Equipment Specifications and Certifications Manual.

use bevy::math::Vec3;

/// An inch in m.
pub const INCH: f32 = 0.0254;

/// From the foul line to the middle of the head pin: 60 ft.
pub const TO_PINS: f32 = 18.288;
/// Width of the lane: 41½ inches.
pub const WIDTH: f32 = 1.0541;
/// A lane has 39 boards. Bowlers count them from the right, so the middle of the lane is the middle of board 20.
pub const BOARDS: f32 = 39.0;
/// Width of a board.
pub const BOARD: f32 = WIDTH / BOARDS;
/// Width of a gutter: 9¼ inches.
pub const GUTTER: f32 = 9.25 * INCH;
/// Depth of a gutter: 3½ inches, as beside the pins.
pub const GUTTER_DEPTH: f32 = 3.5 * INCH;
/// From the middle of the head pin to the end of the lane, where the pit begins: 34 3⁄16 inches.
pub const DECK: f32 = 34.1875 * INCH;
/// Length of the pit.
pub const PIT: f32 = 0.9;
/// How far the floor of the pit is under the lane.
pub const PIT_DEPTH: f32 = 0.35;
/// A pin whose base is so deep, or a ball, has left the lane.
pub const IN_PIT: f32 = -0.15;
/// On the floor of the pit, the machine takes pins and ball away.
pub const TAKEN: f32 = -0.22;

/// Radius of the ball: 8½ inches across.
pub const BALL_RADIUS: f32 = 0.108;
/// Mass of the ball: 15 pounds. A ball weighs at most 16.
pub const BALL_MASS: f32 = 6.8;

/// Distance of two neighbouring pins: 12 inches.
pub const SPACING: f32 = 12.0 * INCH;
/// The pins.
pub const PINS: usize = 10;

/// Where pin 1 to 10 stands, by its index 0 to 9: the head pin first, then row after row from the left.
pub fn spot(index: usize) -> Vec3 {
    let row = [0, 1, 1, 2, 2, 2, 3, 3, 3, 3][index];
    let first = row * (row + 1) / 2;
    let (row, place) = (row as f32, (index - first) as f32);
    // Rows of equilateral triangles.
    let depth = 0.75_f32.sqrt() * SPACING * row;
    Vec3::new(SPACING * (place - 0.5 * row), 0.0, -TO_PINS - depth)
}

/// The place across the lane, in m to the right of its middle, of a board. Board 17.5 is at the right of the head pin.
pub fn board(number: f32) -> f32 {
    (20.0 - number) * BOARD
}
