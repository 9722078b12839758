//! What one joint holds: its rows, and their values.

use std::hash::{DefaultHasher, Hash, Hasher};

use glam::{DQuat, DVec3, Quat};
use smallvec::SmallVec;

use super::drive::{Act, Drive, Stiffness};
use crate::components::JointKind;

/// A body's centre of mass and rotation.
pub(super) type Pose = (DVec3, Quat);

/// A point of a body, from its centre of mass, in its axes in m, and the joint's axes there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LocalFrame {
    pub arm: DVec3,
    pub rotation: DQuat,
}

impl LocalFrame {
    fn placed(&self, (x, rotation): Pose) -> PlacedFrame {
        let rotation = rotation.as_dquat().normalize();
        PlacedFrame {
            point: x + rotation * self.arm,
            rotation: rotation * self.rotation,
        }
    }
}

/// The same in the world.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PlacedFrame {
    point: DVec3,
    rotation: DQuat,
}

impl PlacedFrame {
    /// In the middle of the way to another one.
    pub fn middle(&self, other: &Self) -> Self {
        let (p, q) = (self.rotation, other.rotation);
        let q = if p.dot(q) < 0.0 { -q } else { q };
        Self {
            point: 0.5 * (self.point + other.point),
            rotation: (p + q).normalize(),
        }
    }
}

/// What a joint holds, and where on its bodies.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JointLaw {
    pub kind: JointKind,
    pub frames: [LocalFrame; 2],
    /// What acts along freedoms that the joint leaves, and in place of what it would hold.
    pub driven: SmallVec<[(Freedom, Drive); 2]>,
    /// What acts in each of the rows that it would hold, if it is soft.
    pub soft: Option<Drive>,
    /// How fast the angular velocity of one body about the other decays, in 1/s.
    pub damping: f64,
}

/// A freedom that a joint leaves, and that limits, motors and springs can act on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Freedom {
    /// The angle in rad about the axis.
    Turn,
    /// The way in m along the axis.
    Slide,
    /// The distance in m of the points.
    Length,
    /// The angle about the axle of a wheel.
    Spin,
    /// The angle between the axes of both bodies.
    Swing,
    /// The angle about these axes.
    Twist,
}

impl Freedom {
    pub fn is_angle(self) -> bool {
        !matches!(self, Self::Slide | Self::Length)
    }
}

/// A row: its velocity is ⟨linear, v_b − v_a⟩ + ⟨angular, ω_b − ω_a⟩, with the velocities of both bodies at the joint's point.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Row {
    pub linear: DVec3,
    pub angular: DVec3,
    /// From the centre of each body to the point.
    pub arms: [DVec3; 2],
}

impl Row {
    fn linear(linear: DVec3) -> Self {
        Self {
            linear,
            ..Self::default()
        }
    }

    fn angular(angular: DVec3) -> Self {
        Self {
            angular,
            ..Self::default()
        }
    }

    /// From the velocity and the angular velocity of one of the bodies to a velocity: that of `b` with the sign 1, that of `a` with −1.
    pub fn of_side(&self, side: usize, sign: f64) -> [f64; 6] {
        let turning = self.arms[side].cross(self.linear) + self.angular;
        let (v, w) = (sign * self.linear, sign * turning);
        [v.x, v.y, v.z, w.x, w.y, w.z]
    }
}

/// The rows of a joint, or their numbers: at most six.
pub(super) type PerRow<T> = SmallVec<[T; 6]>;

impl JointLaw {
    /// A number that is another one where the law is: the same in every run of one build.
    pub(super) fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        std::mem::discriminant(&self.kind).hash(&mut hasher);
        let of_kind = match self.kind {
            JointKind::Distance(length) => length.unwrap_or_default(),
            JointKind::Wheel { steering } => steering,
            _ => 0.0,
        };
        hasher.write_u32(of_kind.to_bits());
        let mut hash = |numbers: &[f64]| {
            (numbers.iter()).for_each(|number| hasher.write_u64(number.to_bits()));
        };
        hash(&[self.damping]);
        for LocalFrame { arm, rotation } in &self.frames {
            hash(&arm.to_array());
            hash(&rotation.to_array());
        }
        let driven = self.driven.iter().map(|(freedom, drive)| (*freedom, drive));
        let soft = self.soft.iter().map(|drive| (Freedom::Turn, drive));
        for (freedom, drive) in driven.chain(soft) {
            hash(&[f64::from(freedom as u8), drive.most]);
            hash(&drive.limits);
            match drive.act {
                Act::Nothing => hash(&[0.0]),
                Act::Rate(rate) => hash(&[1.0, rate]),
                Act::Spring { stiffness, rest } => match stiffness {
                    Stiffness::Frequency(frequency, ratio) => hash(&[2.0, rest, frequency, ratio]),
                    Stiffness::Newton(stiffness, damping) => hash(&[3.0, rest, stiffness, damping]),
                },
            }
        }
        hasher.finish()
    }

    /// Where its frames are, of bodies in these poses.
    pub(super) fn placed(&self, [a, b]: [Pose; 2]) -> [PlacedFrame; 2] {
        [self.frames[0].placed(a), self.frames[1].placed(b)]
    }

    /// Lists the rows, with its frames in these places: first those that the joint holds, then the driven ones. `centres` are the places
    /// of the centres of mass from which the arms are.
    ///
    /// In the middle of the ways of the bodies, the impulses do no work along the way: for two points at a distance, d² changes by
    /// ⟨d₀ + d₁, d₁ − d₀⟩. And the angular momentum stays: both bodies get them at one point.
    pub(super) fn list_rows(
        &self,
        [a, b]: [PlacedFrame; 2],
        centres: [DVec3; 2],
        rows: &mut PerRow<Row>,
    ) {
        rows.clear();
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        let [along, y, z] = axes.map(|axis| a.rotation * axis);
        let line = || Row::linear((b.point - a.point).normalize_or(DVec3::Y));
        match self.kind {
            JointKind::Fixed => {
                rows.extend(axes.map(Row::linear));
                rows.extend(axes.map(Row::angular));
            }
            JointKind::Spherical => rows.extend(axes.map(Row::linear)),
            JointKind::Revolute => {
                rows.extend(axes.map(Row::linear));
                rows.extend([y, z].map(Row::angular));
            }
            JointKind::Prismatic => {
                rows.extend([y, z].map(Row::linear));
                rows.extend(axes.map(Row::angular));
            }
            JointKind::Distance(_) if self.holds_length() => rows.push(line()),
            JointKind::Distance(_) => {}
            JointKind::Wheel { steering } => {
                let across = steered(a.rotation, steering) * DVec3::Z;
                rows.extend([y, z].map(Row::linear));
                rows.extend([along, across].map(Row::angular));
            }
        }
        for &(freedom, _) in &self.driven {
            let other = b.rotation * DVec3::X;
            rows.push(match freedom {
                Freedom::Turn => Row::angular(along),
                Freedom::Slide => Row::linear(along),
                Freedom::Length => line(),
                Freedom::Spin => Row::angular(self.axle(a.rotation)),
                Freedom::Swing => Row::angular(along.cross(other).normalize_or(y)),
                Freedom::Twist => {
                    let below = 1.0 + along.dot(other);
                    Row::angular(match below > LEAST_OPENING {
                        true => (along + other) / below,
                        false => along,
                    })
                }
            });
        }
        // The line of a rod goes through the points of both.
        let on_a = match self.kind {
            JointKind::Distance(_) => a.point,
            _ => b.point,
        };
        for row in rows {
            row.arms = [on_a - centres[0], b.point - centres[1]];
        }
    }

    /// Lists the value of each row, with its frames in these places: by how much it is off, in m or rad, of those that the joint holds;
    /// and the driven angle or length.
    pub(super) fn list_values(&self, [a, b]: [PlacedFrame; 2], values: &mut PerRow<f64>) {
        values.clear();
        let apart = b.point - a.point;
        let [along, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| a.rotation * axis);
        let turned = || turn(a.rotation, b.rotation).to_array();
        match self.kind {
            JointKind::Fixed => {
                values.extend(apart.to_array());
                values.extend(turned());
            }
            JointKind::Spherical => values.extend(apart.to_array()),
            JointKind::Revolute => {
                let tilt = along.cross(b.rotation * DVec3::X);
                values.extend(apart.to_array());
                values.extend([y, z].map(|axis| axis.dot(tilt)));
            }
            JointKind::Prismatic => {
                values.extend([y, z].map(|axis| axis.dot(apart)));
                values.extend(turned());
            }
            JointKind::Distance(length) if self.holds_length() => {
                values.push(apart.length() - f64::from(length.unwrap_or_default()));
            }
            JointKind::Distance(_) => {}
            JointKind::Wheel { steering } => {
                let rotation = steered(a.rotation, steering);
                let tilt = (rotation * DVec3::Y).cross(b.rotation * DVec3::Y);
                values.extend([y, z].map(|axis| axis.dot(apart)));
                values.extend([along, rotation * DVec3::Z].map(|axis| axis.dot(tilt)));
            }
        }
        for &(freedom, _) in &self.driven {
            let between = || a.rotation.inverse() * b.rotation;
            let about = |part: fn(DQuat) -> f64, of: DQuat| {
                let of = if of.w < 0.0 { -of } else { of };
                2.0 * libm::atan2(part(of), of.w)
            };
            values.push(match freedom {
                Freedom::Turn | Freedom::Twist => about(|q| q.x, between()),
                Freedom::Slide => along.dot(apart),
                Freedom::Length => apart.length(),
                Freedom::Spin => {
                    let a = steered(a.rotation, self.steering());
                    about(|q| q.y, a.inverse() * b.rotation)
                }
                Freedom::Swing => {
                    let other = b.rotation * DVec3::X;
                    libm::atan2(along.cross(other).length(), along.dot(other))
                }
            });
        }
    }

    /// How many of its rows it holds, driven or not.
    pub(super) fn held_rows(&self) -> usize {
        match self.kind {
            JointKind::Fixed => 6,
            JointKind::Spherical => 3,
            JointKind::Revolute | JointKind::Prismatic => 5,
            JointKind::Distance(_) => usize::from(self.holds_length()),
            JointKind::Wheel { .. } => 4,
        }
    }

    pub(super) fn row_count(&self) -> usize {
        self.held_rows() + self.driven.len()
    }

    /// What acts in a row that it does not simply hold.
    pub(super) fn drive(&self, row: usize) -> Option<&Drive> {
        match row.checked_sub(self.held_rows()) {
            Some(k) => Some(&self.driven[k].1),
            None => self.soft.as_ref(),
        }
    }

    /// Whether the value of a row is an angle that begins again after a turn.
    pub(super) fn wraps(&self, row: usize) -> bool {
        let driven = row.checked_sub(self.held_rows());
        driven.is_some_and(|k| self.driven[k].0.is_angle())
    }

    fn holds_length(&self) -> bool {
        let drives = |of: &(Freedom, Drive)| of.0 == Freedom::Length;
        !self.driven.iter().any(drives)
    }

    fn steering(&self) -> f32 {
        match self.kind {
            JointKind::Wheel { steering } => steering,
            _ => 0.0,
        }
    }

    fn axle(&self, of_a: DQuat) -> DVec3 {
        steered(of_a, self.steering()) * DVec3::Y
    }

    /// The distance in m of the points that a rod holds, in the middle of their ways.
    pub(super) fn rod(&self, starts: [Pose; 2], ends: [Pose; 2]) -> Option<f64> {
        let JointKind::Distance(_) = self.kind else {
            return None;
        };
        let [a, b] = [0, 1].map(|k| {
            let frame = &self.frames[k];
            0.5 * (frame.placed(starts[k]).point + frame.placed(ends[k]).point)
        });
        Some(a.distance(b))
    }

    /// Whether its line goes through the points of both bodies.
    pub(super) fn is_rod(&self) -> bool {
        matches!(self.kind, JointKind::Distance(_))
    }

    /// Lengths in m under which errors are rounding.
    pub(super) fn rounding(&self) -> f64 {
        let arms = self.frames.iter().map(|frame| frame.arm.length());
        ROUNDING * arms.sum::<f64>() + LEAST_ERROR
    }
}

/// The joint's axes on `a`, turned about the axis by an angle in rad.
fn steered(of_a: DQuat, angle: f32) -> DQuat {
    let (sin, cos) = libm::sincos(0.5 * f64::from(angle));
    of_a * DQuat::from_xyzw(sin, 0.0, 0.0, cos)
}

/// The rotation vector from one rotation to another, in world axes in rad.
fn turn(from: DQuat, to: DQuat) -> DVec3 {
    let q = to * from.inverse();
    let q = if q.w < 0.0 { -q } else { q };
    let (along, sine) = (q.xyz(), q.xyz().length());
    match sine == 0.0 {
        true => DVec3::ZERO,
        false => along * (2.0 * libm::atan2(sine, q.w) / sine),
    }
}

/// Least 1 + cos of a swing for which the twist is known.
const LEAST_OPENING: f64 = 1e-3;

/// Error in m that is rounding of a velocity.
const LEAST_ERROR: f64 = 1e-8;

/// Error of a point, over its distance from the centre, that is rounding of the rotation.
const ROUNDING: f64 = 2.0 * f32::EPSILON as f64;
