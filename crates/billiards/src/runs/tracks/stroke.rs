//! The stroke behind a tracked shot, as the numbers that a search may change.

use bevy::math::{DVec2, DVec3, Vec2};
use serde::Serialize;

use crate::{
    plan::closed_form::Ball,
    play::blow::{Blow, MISCUE},
    table::spec::TableSpec,
};

/// Numbers that make a stroke.
pub const COUNT: usize = 6;
/// The numbers, in these units, change a shot by about as much.
const UNITS: [f64; COUNT] = [0.004, 0.05, 0.04, 0.04, 0.05, 0.004];
/// Elevation of the cue in radians beyond which a shot is a massé.
const STEEPEST: f64 = 0.7;

/// A stroke, and when it was made.
#[derive(Serialize, Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Direction of the cue in radians, counter-clockwise from the file's x axis.
    pub direction: f64,
    /// Speed of the cue in m/s.
    pub speed: f64,
    /// Where the tip meets the ball, as the player sees it along the cue: right of the centre, in ball radii.
    pub tip_right: f64,
    /// The same, up from the centre.
    pub tip_up: f64,
    /// How far the butt is raised, in radians.
    pub elevation: f64,
    /// The moment of the stroke in s, on the file's clock.
    pub time: f64,
}

impl Stroke {
    fn to_array(self) -> [f64; COUNT] {
        [
            self.direction,
            self.speed,
            self.tip_right,
            self.tip_up,
            self.elevation,
            self.time,
        ]
    }

    /// The stroke with its numbers changed, in their units.
    pub fn changed(self, by: &[f64]) -> Self {
        let mut numbers = self.to_array();
        for ((number, unit), by) in numbers.iter_mut().zip(UNITS).zip(by) {
            *number += unit * by;
        }
        let [direction, speed, tip_right, tip_up, elevation, time] = numbers;
        Self {
            direction,
            speed,
            tip_right,
            tip_up,
            elevation,
            time,
        }
    }

    /// Whether two strokes are nearly the same.
    pub fn is_near(self, other: Self) -> bool {
        let (a, b) = (self.to_array(), other.to_array());
        (0..COUNT).all(|k| (a[k] - b[k]).abs() < 0.3 * UNITS[k])
    }

    /// How far it is beyond the possible: the tip slips off the ball, the cue goes through the table or stands too steep.
    pub fn excess(self) -> f64 {
        let off = self.tip_right.hypot(self.tip_up) - f64::from(MISCUE);
        off.max(0.0) + (-self.elevation).max(0.0) + (self.elevation - STEEPEST).max(0.0)
    }

    /// The nearest possible stroke.
    pub fn possible(self) -> Self {
        let most = 0.999 * f64::from(MISCUE);
        let tip = DVec2::new(self.tip_right, self.tip_up).clamp_length_max(most);
        Self {
            tip_right: tip.x,
            tip_up: tip.y,
            elevation: self.elevation.clamp(0.0, STEEPEST),
            speed: self.speed.max(0.01),
            ..self
        }
    }

    /// The blow on a table's bed, whose second axis is the file's −y.
    pub fn blow(self) -> Blow {
        let (sin, cos) = self.direction.sin_cos();
        Blow {
            direction: DVec2::new(cos, -sin).as_vec2(),
            elevation: self.elevation as f32,
            tip: Vec2::new(self.tip_right as f32, self.tip_up as f32),
            speed: self.speed as f32,
        }
    }

    /// The cue ball at `at` on the bed just after a possible stroke, before it meets the cloth.
    pub fn strike(self, table: &TableSpec, at: DVec2) -> Ball {
        let x = DVec3::new(at.x, f64::from(table.ball.radius), at.y);
        let struck = self.blow().strike(&table.cue, &table.ball);
        struck.map_or(
            Ball {
                x,
                ..Ball::default()
            },
            |struck| Ball {
                x,
                v: struck.velocity.as_dvec3(),
                w: struck.spin.as_dvec3(),
            },
        )
    }

    /// The stroke that gives the cue ball of `table` about the speed `speed` m/s in `direction`.
    pub fn of_ball(
        table: &TableSpec,
        direction: f64,
        speed: f64,
        tip: [f64; 2],
        time: f64,
    ) -> Self {
        let centered = Blow::centered(&table.cue, &table.ball, Vec2::X, speed as f32);
        let [tip_right, tip_up] = tip;
        let off = tip_right * tip_right + tip_up * tip_up;
        let heavier = 1.0 + 2.5 * off / (1.0 + f64::from(table.ball.mass / table.cue.mass));
        Self {
            direction,
            speed: f64::from(centered.speed) * heavier,
            tip_right,
            tip_up,
            elevation: 0.0,
            time,
        }
    }
}
