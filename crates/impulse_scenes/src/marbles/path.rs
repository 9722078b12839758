//! The middle line of a track: straights, bends and loops, one after another.

use bevy::prelude::*;

/// A rotation about an axis by an angle in rad. Bevy's own has the sine of the system's library, and the run would not be the same
/// on every system.
pub(super) fn turned(axis: Vec3, angle: f32) -> Quat {
    let (sin, cos) = libm::sincosf(0.5 * angle);
    Quat::from_vec4((sin * axis).extend(cos))
}

/// Metres between two frames of a path, at most.
const STEP: f32 = 0.012;

/// A point of a path, with its directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frame {
    pub at: Vec3,
    /// Unit vector along the path.
    pub forward: Vec3,
    /// Unit vector out of the track, towards the marbles on it.
    pub up: Vec3,
}

impl Frame {
    /// Unit vector to the right, for someone who looks along the path.
    pub fn right(&self) -> Vec3 {
        self.forward.cross(self.up)
    }

    fn rotated(self, axis: Vec3, angle: f32) -> Self {
        let rotation = turned(axis, angle);
        Self {
            at: self.at,
            forward: (rotation * self.forward).normalize(),
            up: (rotation * self.up).normalize(),
        }
    }

    fn moved(self, way: Vec3) -> Self {
        Self {
            at: self.at + way,
            ..self
        }
    }
}

/// A line without corners. Each part starts at the end of the part before it.
#[derive(Clone, Debug)]
pub(super) struct Path {
    frames: Vec<Frame>,
    /// From the start to each frame, in m.
    distances: Vec<f32>,
}

impl Path {
    /// A path that starts at a point, along `heading`. It is level across.
    pub fn new(at: Vec3, heading: Vec3) -> Self {
        let forward = heading.normalize();
        let right = forward.cross(Vec3::Y).normalize();
        let start = Frame {
            at,
            forward,
            up: right.cross(forward),
        };
        Self {
            frames: vec![start],
            distances: vec![0.0],
        }
    }

    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    pub fn end(&self) -> Frame {
        self.frames[self.frames.len() - 1]
    }

    /// Length in m.
    pub fn length(&self) -> f32 {
        self.distances[self.distances.len() - 1]
    }

    /// The point at a distance in m from the start.
    pub fn at(&self, distance: f32) -> Vec3 {
        let next = self.distances.partition_point(|&d| d <= distance);
        let (Some(a), Some(b)) = (next.checked_sub(1), self.frames.get(next)) else {
            return if next == 0 {
                self.frames[0].at
            } else {
                self.end().at
            };
        };
        let part = (distance - self.distances[a]) / (self.distances[next] - self.distances[a]);
        self.frames[a].at.lerp(b.at, part)
    }

    fn push(&mut self, frame: Frame) {
        let length = self.length() + frame.at.distance(self.end().at);
        self.frames.push(frame);
        self.distances.push(length);
    }

    /// The path that is `distance` metres below this one, as its own up says.
    pub fn lowered(&self, distance: f32) -> Self {
        let frames = self
            .frames
            .iter()
            .map(|frame| frame.moved(-distance * frame.up));
        Self {
            frames: frames.collect(),
            distances: self.distances.clone(),
        }
    }

    /// Straight ahead for `length` metres.
    pub fn straight(mut self, length: f32) -> Self {
        let start = self.end();
        let steps = (length / STEP).ceil();
        for k in 1..=steps as u32 {
            self.push(start.moved(start.forward * (length * k as f32 / steps)));
        }
        self
    }

    /// An arc upwards with this radius in m, by an angle in rad; downwards if the angle is negative.
    pub fn climb(mut self, radius: f32, angle: f32) -> Self {
        let right = self.end().right();
        let steps = (radius * angle.abs() / STEP).ceil();
        let part = angle / steps;
        for _ in 0..steps as u32 {
            let half = self.end().rotated(right, 0.5 * part);
            let chord = 2.0 * radius * libm::sinf(0.5 * part.abs());
            let next = half.moved(half.forward * chord);
            self.push(next.rotated(right, 0.5 * part));
        }
        self
    }

    /// A bend to the left with this horizontal radius in m, by an angle in rad; to the right if the angle is negative. The slope
    /// stays, so the bend is a helix.
    pub fn turn(mut self, radius: f32, angle: f32) -> Self {
        let level = self.end().forward.xz().length();
        let steps = (radius * angle.abs() / (level * STEP)).ceil();
        let part = angle / steps;
        for _ in 0..steps as u32 {
            let half = self.end().rotated(Vec3::Y, 0.5 * part);
            let across =
                2.0 * radius * libm::sinf(0.5 * part.abs()) * half.forward.with_y(0.0) / level;
            let rise = radius * part.abs() * half.forward.y / level * Vec3::Y;
            let next = half.moved(across + rise);
            self.push(next.rotated(Vec3::Y, 0.5 * part));
        }
        self
    }

    /// A loop upwards with this radius in m. It ends `shift` metres to the right of its start.
    pub fn loop_round(mut self, radius: f32, shift: f32) -> Self {
        let start = self.end();
        let right = start.right();
        let steps = (std::f32::consts::TAU * radius / (0.5 * STEP)).ceil();
        for k in 1..=steps as u32 {
            let angle = std::f32::consts::TAU * k as f32 / steps;
            let (sin, cos) = libm::sincosf(angle);
            // Without a corner at either end.
            let (across, change) = (
                shift * (angle - sin) / std::f32::consts::TAU,
                shift * (1.0 - cos) / std::f32::consts::TAU,
            );
            let way = radius * (sin * start.forward + (1.0 - cos) * start.up) + across * right;
            let turned = start.rotated(right, angle);
            let forward = (radius * turned.forward + change * right).normalize();
            self.push(Frame {
                at: start.at + way,
                forward,
                up: turned.up,
            });
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::{PI, TAU};

    use super::*;

    fn start() -> Path {
        Path::new(Vec3::ZERO, Vec3::X)
    }

    #[test]
    fn a_full_circle_ends_where_it_began() {
        let ends = [
            start().turn(0.3, TAU).end(),
            start().turn(0.3, -TAU).end(),
            start().climb(0.3, TAU).end(),
            start().loop_round(0.3, 0.0).end(),
        ];
        for end in ends {
            assert!(
                end.at.length() < 1e-5 && end.forward.distance(Vec3::X) < 1e-5,
                "{end:?}"
            );
        }
    }

    #[test]
    fn a_helix_keeps_its_slope() {
        let path = start().climb(0.2, -0.1).turn(0.2, 3.0 * PI);
        assert!((path.end().forward.y - (-0.1f32).sin()).abs() < 1e-5);
        let arc = 0.2 * 3.0 * PI;
        let fall = arc * 0.1f32.tan() + 0.2 * (1.0 - 0.1f32.cos());
        assert!((path.end().at.y + fall).abs() < 1e-4, "{}", path.end().at);
    }

    #[test]
    fn every_path_has_no_corner_and_right_angles() {
        let path = start()
            .straight(0.1)
            .climb(0.1, -0.4)
            .turn(0.2, 2.0)
            .climb(0.1, 0.4)
            .loop_round(0.1, 0.05)
            .straight(0.1);
        for pair in path.frames().windows(2) {
            assert!(pair[0].forward.dot(pair[1].forward) > 0.99);
            let way = (pair[1].at - pair[0].at).normalize();
            assert!(way.dot(pair[0].forward) > 0.99);
            assert!(pair[1].forward.dot(pair[1].up).abs() < 1e-4);
        }
        let middle = path.at(0.5 * path.length());
        assert!(
            path.frames()
                .iter()
                .any(|frame| frame.at.distance(middle) < STEP)
        );
    }
}
