//! The constants of a table that tracked shots can tell.

use serde::{Deserialize, Serialize};

use crate::table::{
    cushion::NOSE_RADIUS,
    spec::{BallFriction, CAROM, TableSpec},
};

/// How many there are.
pub const COUNT: usize = 10;

/// Constants of the balls, the cloth and the cushions. By default they are those of the carom table.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct Constants {
    /// Sliding friction of a ball on the cloth.
    pub sliding_friction: f64,
    /// Rolling friction of a ball on the cloth.
    pub rolling_friction: f64,
    /// How fast side spin dies, in rad/s².
    pub spin_decay: f64,
    /// Restitution between two balls.
    pub ball_restitution: f64,
    /// Friction between two balls.
    pub ball_friction: f64,
    /// Restitution of a cushion for slow balls.
    pub cushion_restitution: f64,
    /// Speed of approach in m/s above which a cushion's restitution falls; 100 for never.
    pub cushion_yield_speed: f64,
    /// Tangential restitution of a cushion.
    pub cushion_tangential_restitution: f64,
    /// Friction of a cushion.
    pub cushion_friction: f64,
    /// Height of a cushion's nose above the cloth, in ball radii.
    pub nose_height: f64,
}

/// Name, least value, greatest value, and a unit: as changes of so much, all matter alike.
const RANGES: [(&str, f64, f64, f64); COUNT] = [
    ("sliding_friction", 0.02, 1.0, 0.02),
    ("rolling_friction", 1e-4, 0.1, 5e-4),
    ("spin_decay", 0.1, 100.0, 1.5),
    ("ball_restitution", 0.5, 1.0, 0.01),
    ("ball_friction", 0.0, 0.5, 0.01),
    ("cushion_restitution", 0.3, 1.0, 0.015),
    ("cushion_yield_speed", 0.1, 100.0, 0.2),
    ("cushion_tangential_restitution", 0.0, 1.0, 0.05),
    ("cushion_friction", 0.0, 1.0, 0.02),
    ("nose_height", 1.0, 1.5, 0.015),
];

impl Default for Constants {
    fn default() -> Self {
        Self::of(&CAROM)
    }
}

impl Constants {
    /// The constants of a table.
    pub fn of(table: &TableSpec) -> Self {
        let TableSpec {
            ball,
            cloth,
            cushion,
            ..
        } = table;
        Self::from_array(
            [
                cloth.sliding,
                cloth.rolling,
                cloth.spin_decay,
                ball.restitution,
                ball.friction.at(0.0),
                cushion.restitution,
                cushion.yield_speed,
                cushion.tangential_restitution,
                cushion.friction,
                cushion.nose_height / ball.radius,
            ]
            .map(f64::from),
        )
    }

    /// `table` with these constants.
    ///
    /// Tracks tell how far the centres of balls go: up to a radius from the nose line. A nose above the centre lets a ball go
    /// farther, so the nose line moves in by this.
    pub fn on(&self, table: &TableSpec) -> TableSpec {
        let mut table = *table;
        table.cloth.sliding = self.sliding_friction as f32;
        table.cloth.rolling = self.rolling_friction as f32;
        table.cloth.spin_decay = self.spin_decay as f32;
        table.ball.restitution = self.ball_restitution as f32;
        table.ball.friction = BallFriction::constant(self.ball_friction as f32);
        table.cushion.restitution = self.cushion_restitution as f32;
        table.cushion.yield_speed = self.cushion_yield_speed as f32;
        table.cushion.tangential_restitution = self.cushion_tangential_restitution as f32;
        table.cushion.friction = self.cushion_friction as f32;
        table.cushion.nose_height = self.nose_height as f32 * table.ball.radius;
        let farther = NOSE_RADIUS + table.ball.radius - table.nose_distance(NOSE_RADIUS);
        table.half -= farther;
        table
    }

    /// As numbers, in the order of the fields.
    pub fn to_array(self) -> [f64; COUNT] {
        [
            self.sliding_friction,
            self.rolling_friction,
            self.spin_decay,
            self.ball_restitution,
            self.ball_friction,
            self.cushion_restitution,
            self.cushion_yield_speed,
            self.cushion_tangential_restitution,
            self.cushion_friction,
            self.nose_height,
        ]
    }

    /// From numbers, in the order of the fields.
    pub fn from_array(
        [
            sliding_friction,
            rolling_friction,
            spin_decay,
            ball_restitution,
            ball_friction,
            cushion_restitution,
            cushion_yield_speed,
            cushion_tangential_restitution,
            cushion_friction,
            nose_height,
        ]: [f64; COUNT],
    ) -> Self {
        Self {
            sliding_friction,
            rolling_friction,
            spin_decay,
            ball_restitution,
            ball_friction,
            cushion_restitution,
            cushion_yield_speed,
            cushion_tangential_restitution,
            cushion_friction,
            nose_height,
        }
    }

    /// The constants with their numbers changed, in their units and in the order of the fields.
    pub fn changed(self, by: &[f64]) -> Self {
        let mut numbers = self.to_array();
        for ((number, (.., unit)), by) in numbers.iter_mut().zip(RANGES).zip(by) {
            *number += unit * by;
        }
        Self::from_array(numbers)
    }

    /// The nearest possible constants.
    pub fn possible(self) -> Self {
        let mut numbers = self.to_array();
        for (number, (_, least, most, _)) in numbers.iter_mut().zip(RANGES) {
            *number = number.clamp(least, most);
        }
        Self::from_array(numbers)
    }

    /// A change of constant `k` by `step` units that is possible: up, or down if there is no room.
    pub fn room(self, k: usize, step: f64) -> f64 {
        let (_, _, most, unit) = RANGES[k];
        let up = self.to_array()[k] + unit * step <= most;
        if up { step } else { -step }
    }

    /// Checks that every constant is possible. The error names the first one that is not.
    pub fn check(&self) -> Result<(), String> {
        for (value, (name, least, most, _)) in self.to_array().into_iter().zip(RANGES) {
            if !(least..=most).contains(&value) {
                return Err(format!(
                    "{name} is {value}: give a number from {least} to {most}"
                ));
            }
        }
        Ok(())
    }

    /// Reads constants, alone or in a report that this run wrote before.
    pub fn parse(text: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Source {
            Report { constants: Constants },
            Alone(Constants),
        }
        let (Source::Report { constants } | Source::Alone(constants)) = serde_json::from_str(text)
            .map_err(|_| {
                let names = RANGES.map(|(name, ..)| name).join(", ");
                format!("these are no constants: give an object with some of {names}, all numbers")
            })?;
        constants.check().map(|()| constants)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_go_to_a_table_and_back() {
        let changed = Constants::default().changed(&[0.5; COUNT]);
        let there = changed.on(&CAROM);
        let numbers = changed.to_array();
        for (back, number) in Constants::of(&there).to_array().into_iter().zip(numbers) {
            assert!((back / number - 1.0).abs() < 1e-6, "{back} {number}");
        }
    }

    #[test]
    fn constants_are_read_alone_or_from_a_report() {
        let alone = Constants::parse(r#"{"cushion_friction": 0.2}"#).unwrap();
        let expected = Constants {
            cushion_friction: 0.2,
            ..Constants::default()
        };
        assert_eq!(alone, expected);
        let report = r#"{"median_rmse": 0.1, "constants": {"cushion_friction": 0.2}}"#;
        assert_eq!(Constants::parse(report).unwrap(), expected);
        let wrong = Constants::parse(r#"{"ball_restitution": 1.5}"#).unwrap_err();
        assert!(wrong.contains("ball_restitution is 1.5"), "{wrong}");
        assert!(Constants::parse(r#"{"friction": 0.2}"#).is_err());
    }
}
