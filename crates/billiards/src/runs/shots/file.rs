//! Shots and their results, as JSON. All values are in SI units. The z axis points up.

use std::collections::BTreeMap;

use bevy::prelude::*;
use serde::{Deserialize, Serialize};

/// Shots to play.
#[derive(Deserialize, Clone, Debug)]
pub struct ShotFile {
    /// The balls and the cloth.
    pub ball: BallLaws,
    /// Height of the cushion's nose above the cloth, in m.
    pub cushion_height: f32,
    /// The shots.
    pub shots: Vec<Shot>,
}

/// A ball, the cloth and the cushion. Balls are smooth and elastic among themselves.
#[derive(Deserialize, Clone, Copy, Debug)]
pub struct BallLaws {
    /// Mass in kg.
    pub m: f32,
    /// Radius in m.
    #[serde(rename = "R")]
    pub r: f32,
    /// Sliding friction on the cloth.
    pub u_s: f32,
    /// Rolling friction on the cloth.
    pub u_r: f32,
    /// Spinning friction on the cloth, over the radius, in 1/m.
    pub u_sp_proportionality: f32,
    /// Restitution on the cushion.
    pub e_c: f32,
    /// Friction on the cushion.
    pub f_c: f32,
    /// Gravity in m/s².
    pub g: f32,
}

/// The kind of a shot.
#[derive(Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A ball alone on the cloth.
    Slide,
    /// A ball and another at rest.
    Pair,
    /// A ball and a cushion.
    Cushion,
}

/// A shot.
#[derive(Deserialize, Clone, Debug)]
pub struct Shot {
    /// Kind of the shot.
    pub kind: Kind,
    /// The balls just after the cue has struck.
    pub init: BTreeMap<String, BallState>,
}

/// A ball at some moment.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, Default, PartialEq)]
pub struct BallState {
    /// Its centre in m.
    pub x: [f32; 3],
    /// Its velocity in m/s.
    pub v: [f32; 3],
    /// Its angular velocity in rad/s.
    pub w: [f32; 3],
}

/// Results of the shots, in their order.
#[derive(Serialize, Clone, Debug)]
pub struct ShotReports {
    /// Fixed steps per second that they were played with.
    pub hz: f64,
    /// One report a shot.
    pub shots: Vec<ShotReport>,
}

/// Result of a shot, by ball.
#[derive(Serialize, Clone, Debug, Default)]
pub struct ShotReport {
    /// The end.
    pub end: BTreeMap<String, End>,
    /// Just after the first impact with another ball.
    pub after_ball: BTreeMap<String, BallState>,
    /// Just after the first impact with the cushion.
    pub after_cushion: BTreeMap<String, BallState>,
    /// Seconds at which it ceased to slide.
    pub rolling_at: BTreeMap<String, Vec<f64>>,
}

/// A ball at the end of a shot.
#[derive(Serialize, Clone, Copy, Debug)]
pub struct End {
    /// Where it is, and its motion, if any is left.
    #[serde(flatten)]
    pub state: BallState,
    /// Seconds until it came to rest; null if it never did.
    pub t: Option<f64>,
}

/// From the file's axes to the world's, in which y points up.
pub fn to_world([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(x, z, -y)
}

/// The way back.
pub fn from_world(vector: Vec3) -> [f32; 3] {
    [vector.x, -vector.z, vector.y]
}

impl ShotFile {
    /// Checks whether it can be played. The error names the problem.
    pub fn check(&self) -> Result<(), String> {
        let ball = &self.ball;
        for (name, value) in [("m", ball.m), ("R", ball.r), ("g", ball.g)] {
            if !(value.is_finite() && value > 0.0) {
                return Err(format!("ball.{name} is {value}: give a number above 0"));
            }
        }
        for (name, value) in [
            ("u_s", ball.u_s),
            ("u_r", ball.u_r),
            ("u_sp_proportionality", ball.u_sp_proportionality),
            ("f_c", ball.f_c),
        ] {
            if !(value.is_finite() && value >= 0.0) {
                return Err(format!(
                    "ball.{name} is {value}: give a number of 0 or more"
                ));
            }
        }
        if !(0.0..=1.0).contains(&ball.e_c) {
            return Err(format!(
                "ball.e_c is {}: give a number from 0 to 1",
                ball.e_c
            ));
        }
        if !(0.0..2.0 * ball.r).contains(&self.cushion_height) {
            return Err(format!(
                "cushion_height is {}: a nose meets a ball between 0 and {}",
                self.cushion_height,
                2.0 * ball.r
            ));
        }
        for (number, shot) in self.shots.iter().enumerate() {
            for (id, BallState { x, v, w }) in &shot.init {
                if ![x, v, w]
                    .into_iter()
                    .flatten()
                    .all(|value| value.is_finite())
                {
                    return Err(format!(
                        "shots[{number}]: ball {id} has a number that is none"
                    ));
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_go_over_and_back_as_a_rotation() {
        let vector = [1.0, 2.0, 3.0];
        assert_eq!(from_world(to_world(vector)), vector);
        let [x, y, z] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(to_world);
        assert_eq!(x.cross(y), z);
        assert_eq!(z, Vec3::Y);
    }

    #[test]
    fn what_cannot_be_played_is_named() {
        let file = |e_c: &str, x: &str| {
            let text = format!(
                r#"{{"ball": {{"m": 0.17, "R": 0.03, "u_s": 0.2, "u_r": 0.01, "u_sp_proportionality": 0.4,
                "e_c": {e_c}, "f_c": 0.2, "g": 9.81}}, "cushion_height": 0.036,
                "shots": [{{"kind": "slide", "init": {{"cue": {{"x": [{x}, 0, 0], "v": [0, 0, 0], "w": [0, 0, 0]}}}}}}]}}"#
            );
            serde_json::from_str::<ShotFile>(&text).unwrap().check()
        };
        assert_eq!(file("0.8", "0"), Ok(()));
        assert!(file("1.1", "0").unwrap_err().contains("ball.e_c is 1.1"));
        assert!(file("0.8", "1e60").unwrap_err().contains("ball cue"));
    }
}
