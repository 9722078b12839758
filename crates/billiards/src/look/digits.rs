//! Numerals drawn with a round pen, as distances to their strokes.

use bevy::prelude::*;

/// A numeral is 1.6 high and up to 0.8 wide, centred, with y up.
enum Stroke {
    /// From one point to another.
    Line([f32; 2], [f32; 2]),
    /// Part of a circle: centre, radius, and angles in degrees from +x towards +y.
    Arc([f32; 2], f32, [f32; 2]),
}

use Stroke::{Arc, Line};

const ZERO: &[Stroke] = &[
    Line([-0.38, -0.42], [-0.38, 0.42]),
    Line([0.38, -0.42], [0.38, 0.42]),
    Arc([0.0, 0.42], 0.38, [0.0, 180.0]),
    Arc([0.0, -0.42], 0.38, [180.0, 360.0]),
];
const ONE: &[Stroke] = &[
    Line([0.08, -0.8], [0.08, 0.8]),
    Line([0.08, 0.8], [-0.28, 0.48]),
];
const TWO: &[Stroke] = &[
    Arc([0.0, 0.4], 0.4, [-38.0, 170.0]),
    Line([0.315, 0.154], [-0.4, -0.8]),
    Line([-0.4, -0.8], [0.42, -0.8]),
];
const THREE: &[Stroke] = &[
    Arc([-0.02, 0.41], 0.39, [-90.0, 155.0]),
    Arc([-0.02, -0.39], 0.41, [-155.0, 90.0]),
];
const FOUR: &[Stroke] = &[
    Line([0.18, -0.8], [0.18, 0.8]),
    Line([0.18, 0.8], [-0.45, -0.32]),
    Line([-0.45, -0.32], [0.45, -0.32]),
];
const FIVE: &[Stroke] = &[
    Line([0.36, 0.8], [-0.3, 0.8]),
    Line([-0.3, 0.8], [-0.34, 0.0]),
    Arc([0.0, -0.35], 0.45, [-150.0, 138.0]),
];
const SIX: &[Stroke] = &[
    Arc([0.0, -0.4], 0.4, [0.0, 360.0]),
    Arc([0.9, -0.4], 1.3, [114.0, 180.0]),
];
const SEVEN: &[Stroke] = &[
    Line([-0.4, 0.8], [0.4, 0.8]),
    Line([0.4, 0.8], [-0.1, -0.8]),
];
const EIGHT: &[Stroke] = &[
    Arc([0.0, 0.42], 0.38, [0.0, 360.0]),
    Arc([0.0, -0.38], 0.42, [0.0, 360.0]),
];
const NINE: &[Stroke] = &[
    Arc([0.0, 0.4], 0.4, [0.0, 360.0]),
    Arc([-0.9, 0.4], 1.3, [-66.0, 0.0]),
];
/// Under 6 and 9, which are each other's upside-down.
const BAR: &[Stroke] = &[Line([-0.36, -1.2], [0.36, -1.2])];

const NUMERALS: [&[Stroke]; 10] = [ZERO, ONE, TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE];

impl Stroke {
    fn distance(&self, point: Vec2) -> f32 {
        match *self {
            Line(from, to) => Segment2d::new(from.into(), to.into())
                .closest_point(point)
                .distance(point),
            Arc(center, radius, [from, to]) => {
                let center = Vec2::from(center);
                let off = point - center;
                let turned = (off.to_angle().to_degrees() - from).rem_euclid(360.0);
                if turned <= to - from {
                    return (off.length() - radius).abs();
                }
                [from, to]
                    .map(|angle| {
                        (center + radius * Vec2::from_angle(angle.to_radians())).distance(point)
                    })
                    .into_iter()
                    .fold(f32::INFINITY, f32::min)
            }
        }
    }
}

/// Distance from `point` to the strokes of `number`, 0 to 99, which is centred at the origin and 1.6 high.
pub(super) fn distance(number: u8, point: Vec2) -> f32 {
    let far = |strokes: &[Stroke], point: Vec2| {
        strokes
            .iter()
            .map(|stroke| stroke.distance(point))
            .fold(f32::INFINITY, f32::min)
    };
    let numeral = |digit: u8, point: Vec2| far(NUMERALS[usize::from(digit % 10)], point);
    match number {
        6 | 9 => numeral(number, point).min(far(BAR, point)),
        0..10 => numeral(number, point),
        10.. => {
            // A leading 1 is narrow.
            let (left, right) = if number / 10 == 1 {
                (-0.52, 0.4)
            } else {
                (-0.56, 0.56)
            };
            numeral(number / 10, point - left * Vec2::X)
                .min(numeral(number, point - right * Vec2::X))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_eight_has_two_holes() {
        for center in [Vec2::new(0.0, 0.42), Vec2::new(0.0, -0.38)] {
            assert!(distance(8, center) > 0.3);
        }
        assert!(distance(8, Vec2::new(0.0, 0.04)) < 1e-3);
        assert!(distance(0, Vec2::ZERO) > 0.3);
    }

    #[test]
    fn a_nine_is_a_six_turned_round() {
        for point in [
            Vec2::new(0.3, 0.5),
            Vec2::new(-0.2, -0.6),
            Vec2::new(0.1, 0.0),
        ] {
            let strokes = |digit: &[Stroke], at| {
                digit
                    .iter()
                    .map(|s| s.distance(at))
                    .fold(f32::INFINITY, f32::min)
            };
            assert!((strokes(SIX, point) - strokes(NINE, -point)).abs() < 1e-4);
        }
    }
}
