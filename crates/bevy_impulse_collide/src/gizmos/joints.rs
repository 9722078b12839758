//! Draws joints: their points, axes and limits, what they hold together, and how near they are to break.

use std::f32::consts::PI;

use bevy::{color::Mix, ecs::query::QueryData, prelude::*};

use super::{
    ImpulseGizmos,
    body::Place,
    shapes::{Cameras, distance},
};
use crate::components::{
    Joint, JointDisabled, JointForce, JointKind, JointLimits, JointMotor, JointPlace, JointSpring,
    JointStrength, SwingLimit,
};

/// Size of a joint's marks, as a fraction of the distance from the camera: a joint has no size of its own.
const MARK: f32 = 0.02;

/// A gap that is drawn, in marks. A narrower one is not seen.
const GAP: f32 = 0.1;

/// Points of an arc, for each part of π.
const ARC: f32 = 24.0;

/// The components of a joint that is drawn.
#[derive(QueryData)]
pub(super) struct DrawnJoint {
    entity: Entity,
    joint: &'static Joint,
    force: Option<&'static JointForce>,
    strength: Option<&'static JointStrength>,
    limits: Option<&'static JointLimits>,
    swing: Option<&'static SwingLimit>,
    is_soft: Has<JointSpring>,
    has_motor: Has<JointMotor>,
    is_off: Has<JointDisabled>,
}

pub(super) fn draw_joints(
    mut gizmos: Gizmos<ImpulseGizmos>,
    joints: Query<DrawnJoint>,
    places: Query<Place>,
    cameras: Cameras,
) {
    let (draws_joints, selected) = (gizmos.config_ext.joints, gizmos.config_ext.selected);
    if !draws_joints && selected.is_none() {
        return;
    }
    for joint in &joints {
        let is_selected = selected == Some(joint.entity);
        if !(draws_joints || is_selected) {
            continue;
        }
        // A joint may outlive its bodies.
        let place = |entity: Entity| places.get(entity).ok().map(|place| place.get());
        let a = match joint.joint.a {
            Some(a) => place(a).map(Some),
            None => Some(None),
        };
        let Some((a, b)) = a.zip(place(joint.joint.b)) else {
            continue;
        };
        let color = match is_selected {
            true => gizmos.config_ext.selected_color,
            false => joint.color(gizmos.config_ext),
        };
        let strained = gizmos.config_ext.strained_color;
        let [on_a, on_b] = joint.frames(a.as_ref(), &b);
        let origins = [a.map(|a| a.translation), Some(b.translation)];
        let mark = |frame: Isometry3d| MARK * distance(&cameras, frame.translation.into());
        let mut drawing = Drawing {
            mark: mark(on_a),
            gizmos: &mut gizmos,
            color,
        };
        drawing.arm(on_a, mark(on_a), origins[0]);
        drawing.arm(on_b, mark(on_b), origins[1]);
        // The bodies of a broken joint may be anywhere.
        if !joint.is_off {
            drawing.freedom(&joint, on_a, on_b);
            drawing.gap(&joint, on_a, on_b, strained);
        }
    }
}

impl DrawnJointItem<'_, '_> {
    /// The point and axes on each body. Before its first step, a joint holds them as they are.
    fn frames(&self, a: Option<&Transform>, b: &Transform) -> [Isometry3d; 2] {
        self.joint.frames(a, b).unwrap_or_else(|| {
            let point = match self.joint.place {
                JointPlace::World { point, .. } => point,
                JointPlace::Local { .. } => None,
            };
            let of_b = Isometry3d::from_translation(b.translation);
            let of_a = point.map_or(of_b, Isometry3d::from_translation);
            match self.joint.kind {
                JointKind::Distance(_) => [of_a, of_b],
                _ => [of_a; 2],
            }
        })
    }

    fn color(&self, config: &ImpulseGizmos) -> Color {
        if self.is_off {
            return config.disabled_color;
        }
        let load = self.force.zip(self.strength).map_or(0.0, |(bears, most)| {
            let parts = [(bears.force, most.force), (bears.torque, most.torque)];
            let parts = parts.map(|(bears, most)| bears.length() / most);
            parts
                .into_iter()
                .filter(|part| !part.is_nan())
                .fold(0.0, f32::max)
        });
        // Through the hues between: the mean of two opposite colours is a grey, which means something else.
        let [free, strained] = [config.joint_color, config.strained_color].map(Hsla::from);
        free.mix(&strained, load.min(1.0)).into()
    }

    /// Whether the bodies may be anywhere along what it would hold.
    fn is_loose(&self) -> bool {
        let is_rod = matches!(self.joint.kind, JointKind::Distance(_));
        let holds_all = matches!(self.joint.kind, JointKind::Fixed | JointKind::Spherical);
        is_rod && (self.limits.is_some() || self.has_motor) || self.is_soft && (is_rod || holds_all)
    }
}

/// Lines of one joint, in its colour.
struct Drawing<'a, 'w, 's> {
    gizmos: &'a mut Gizmos<'w, 's, ImpulseGizmos>,
    color: Color,
    /// The size of its marks, in m.
    mark: f32,
}

impl Drawing<'_, '_, '_> {
    /// The point on a body, and the way to it from the body's origin.
    fn arm(&mut self, frame: Isometry3d, mark: f32, origin: Option<Vec3>) {
        self.gizmos.cross(frame, 0.5 * mark, self.color);
        if let Some(origin) = origin {
            let color = self.color.with_alpha(0.5);
            self.gizmos.line(origin, frame.translation.into(), color);
        }
    }

    /// What moves, and how far.
    fn freedom(&mut self, joint: &DrawnJointItem, on_a: Isometry3d, on_b: Isometry3d) {
        let (point, other) = (Vec3::from(on_a.translation), Vec3::from(on_b.translation));
        let limits = joint.limits.map(|it| [it.min, it.max]);
        let limits = limits.filter(|ends| !ends.iter().any(|end| end.is_nan()));
        match joint.joint.kind {
            JointKind::Fixed => {
                let size = Vec3::splat(self.mark);
                let cube = Transform::from_isometry(on_a).with_scale(size);
                self.gizmos.cube(cube, self.color);
            }
            JointKind::Spherical => {
                let ball = self.mark * 0.5;
                self.gizmos.sphere(on_b, ball, self.color).resolution(12);
                if let Some(&SwingLimit(angle)) = joint.swing {
                    self.cone(on_a, angle);
                }
                if joint.swing.is_some() || limits.is_some() {
                    let axis = on_b.rotation * Vec3::X * (3.0 * self.mark);
                    self.gizmos.line(other, other + axis, self.color);
                }
                if let Some(ends) = limits {
                    self.arc(on_a, on_b, ends);
                }
            }
            JointKind::Revolute => {
                self.line_along(on_a, [-2.0 * self.mark, 2.0 * self.mark]);
                self.arc(on_a, on_b, limits.unwrap_or([-PI, PI]));
            }
            JointKind::Prismatic => self.slide(on_a, limits),
            JointKind::Distance(_) => self.gizmos.line(point, other, self.color),
            JointKind::Wheel { .. } => {
                self.slide(on_a, limits);
                let axle = on_b.rotation * Vec3::Y * (2.0 * self.mark);
                self.gizmos.line(other - axle, other + axle, self.color);
                let facing = on_b.rotation * Quat::from_rotation_arc(Vec3::Z, Vec3::Y);
                self.gizmos
                    .circle(Isometry3d::new(other, facing), self.mark, self.color);
            }
        }
    }

    /// A gap between what the joint should hold together.
    fn gap(&mut self, joint: &DrawnJointItem, on_a: Isometry3d, on_b: Isometry3d, strained: Color) {
        let (start, end) = (Vec3::from(on_a.translation), Vec3::from(on_b.translation));
        if joint.is_loose() {
            // A spring: it is as long as it is pulled.
            if joint.is_soft {
                self.gizmos.line(start, end, self.color);
            }
            return;
        }
        let way = end - start;
        let along = on_a.rotation * Vec3::X;
        let held = match joint.joint.kind {
            JointKind::Fixed | JointKind::Spherical | JointKind::Revolute => start,
            JointKind::Prismatic | JointKind::Wheel { .. } => start + along * along.dot(way),
            JointKind::Distance(Some(length)) => start + way.normalize_or_zero() * length,
            JointKind::Distance(None) => end,
        };
        if held.distance(end) > GAP * self.mark {
            self.gizmos.line(held, end, strained);
        }
    }

    /// The line of a slider, with a ring at each of its ends.
    fn slide(&mut self, on_a: Isometry3d, limits: Option<[f32; 2]>) {
        let usual = 3.0 * self.mark;
        let ends = limits.unwrap_or([f32::NEG_INFINITY, f32::INFINITY]);
        let drawn = [ends[0].max(-1e3 * usual), ends[1].min(1e3 * usual)];
        let shown = match limits {
            Some(_) => drawn,
            None => [-usual, usual],
        };
        self.line_along(on_a, shown);
        let facing = on_a.rotation * Quat::from_rotation_arc(Vec3::Z, Vec3::X);
        for end in ends.into_iter().filter(|end| end.is_finite()) {
            let at = on_a * (Vec3::X * end);
            let ring = Isometry3d::new(at, facing);
            self.gizmos.circle(ring, 0.5 * self.mark, self.color);
        }
    }

    fn line_along(&mut self, on_a: Isometry3d, ends: [f32; 2]) {
        let [start, end] = ends.map(|end| on_a * (Vec3::X * end));
        self.gizmos.line(start, end, self.color);
    }

    /// The angles about the axis that are allowed, as an arc with its ends, and a hand at where `b` is.
    fn arc(&mut self, on_a: Isometry3d, on_b: Isometry3d, [min, max]: [f32; 2]) {
        let radius = 1.5 * self.mark;
        let (min, max) = (min.clamp(-PI, PI), max.clamp(-PI, PI));
        let at = |angle: f32| {
            let (sin, cos) = angle.sin_cos();
            on_a * (Vec3::new(0.0, cos, sin) * radius)
        };
        let count = ((max - min).max(0.0) / PI * ARC).ceil();
        let angles = (0..=count as usize).map(|k| min + (max - min) * k as f32 / count.max(1.0));
        let centre = Vec3::from(on_a.translation);
        let is_whole = max - min > 2.0 * PI - 1e-3;
        let points = angles.map(at);
        match is_whole {
            true => self.gizmos.linestrip(points, self.color),
            false => {
                let sector = std::iter::once(centre).chain(points).chain([centre]);
                self.gizmos.linestrip(sector, self.color);
            }
        }
        let hand = on_b.rotation * Vec3::Y * (1.2 * radius);
        self.gizmos.line(centre, centre + hand, self.color);
    }

    /// The cone in which the axis of `b` stays.
    fn cone(&mut self, on_a: Isometry3d, angle: f32) {
        let side = 3.0 * self.mark;
        let (sin, cos) = angle.clamp(0.0, PI).sin_cos();
        let apex = Vec3::from(on_a.translation);
        let middle = on_a * (Vec3::X * cos * side);
        let facing = on_a.rotation * Quat::from_rotation_arc(Vec3::Z, Vec3::X);
        let rim = Isometry3d::new(middle, facing);
        self.gizmos.circle(rim, sin.abs() * side, self.color);
        for around in [Vec3::Y, Vec3::Z, Vec3::NEG_Y, Vec3::NEG_Z] {
            let end = on_a * ((Vec3::X * cos + around * sin) * side);
            self.gizmos.line(apex, end, self.color);
        }
    }
}
