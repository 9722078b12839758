//! Reads the joints, and tells what they bear.

use bevy::{ecs::query::QueryData, prelude::*};

use super::bad_input::{Check, Checked, Reporter};
use crate::{
    body::{Bodies, BodyFlags},
    components::{
        InWorld, Joint, JointDamping, JointDisabled, JointForce, JointFrame, JointKind,
        JointLimits, JointMotor, JointPlace, JointSpring, JointStrength, MotorTarget, SwingLimit,
        axes_along,
    },
    kernel::unit,
    messages::{InputProblem, JointBroken, ProblemReason, ProblemValue},
    solver::{
        Constraints,
        joint::{Act, Drive, Freedom, JointLaw, JointOf, Joints, LocalFrame, Stiffness},
    },
};

/// A joint with what acts along its freedoms.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct WholeJoint {
    entity: Entity,
    joint: &'static mut Joint,
    drives: Drives,
}

/// What acts along the freedoms of a joint.
#[derive(QueryData)]
pub(crate) struct Drives {
    limits: Option<&'static JointLimits>,
    swing: Option<&'static SwingLimit>,
    motor: Option<&'static JointMotor>,
    spring: Option<&'static JointSpring>,
    damping: Option<&'static JointDamping>,
    strength: Option<&'static JointStrength>,
}

/// Lists the joints for this fixed step. A new one takes its place in the axes of its bodies.
pub(crate) fn gather_joints(
    mut bodies: ResMut<Bodies>,
    mut constraints: ResMut<Constraints>,
    mut joints: Query<WholeJoint, (Without<JointDisabled>, Without<InWorld>)>,
    mut reporter: Reporter,
) {
    let bodies = &mut *bodies;
    let known = constraints.get::<Joints>().map(Joints::is_empty);
    // Those that have gone act no more in this step; then their kind goes too.
    match known {
        None if joints.is_empty() => return,
        Some(true) if joints.is_empty() => return constraints.remove::<Joints>(),
        _ => {}
    }
    let mut sound: Vec<([Option<usize>; 2], JointOf)> = Vec::new();
    for WholeJointItem {
        entity,
        mut joint,
        drives,
    } in &mut joints
    {
        match checked(bodies, &joint) {
            Ok(of) => {
                let placed = placed(bodies, &joint, of);
                joint.set_if_neq(placed);
                let mut tell = |problem| reporter.report(entity, problem);
                let law = law_of(bodies, &joint, of, &drives, &mut tell);
                if let Some(strength) = drives.strength {
                    let fields = [("force", strength.force), ("torque", strength.torque)];
                    for (field, value) in fields {
                        if value.is_nan() {
                            let reason = ProblemReason::NotFinite;
                            tell(JointStrength::problem_of(field, reason, value));
                        }
                    }
                }
                let joint = JointOf {
                    entity,
                    bodies: [joint.a, Some(joint.b)],
                    law,
                    bodies_collide: joint.bodies_collide,
                };
                sound.push((of, joint));
            }
            Err(problem) => reporter.report(entity, problem),
        }
    }
    // Bodies have the same order in every run.
    sound.sort_by_key(|(of, joint)| (*of, joint.entity));
    if constraints.get::<Joints>().is_none() {
        constraints.add(Joints::default());
    }
    if let Some(joints) = constraints.get_mut::<Joints>() {
        let sound = sound.into_iter().map(|(_, joint)| joint).collect();
        joints.set(sound, |entity| {
            if let Some(i) = bodies.index_of(entity) {
                let i = bodies.whole_of(i);
                bodies.flags[i].insert(BodyFlags::DISTURBED);
                bodies.activate(i);
            }
        });
    }
}

/// Writes what the joints bear, and breaks those that bear no more.
pub(crate) fn write_joints(
    constraints: Res<Constraints>,
    mut joints: Query<(&Joint, &mut JointForce, Option<&JointStrength>)>,
    mut broken: MessageWriter<JointBroken>,
    mut commands: Commands,
) {
    let Some(all) = constraints.get::<Joints>() else {
        return;
    };
    for (entity, reaction) in all.reactions() {
        let Ok((joint, mut shown, strength)) = joints.get_mut(entity) else {
            continue;
        };
        let Some((force, torque)) = reaction.mean() else {
            continue;
        };
        shown.set_if_neq(JointForce { force, torque });
        let breaks = strength.is_some_and(|bears| {
            reaction.most_force > bears.force || reaction.most_torque > bears.torque
        });
        if breaks {
            broken.write(JointBroken {
                joint: entity,
                a: joint.a,
                b: joint.b,
                force: reaction.most_force,
                torque: reaction.most_torque,
            });
            commands.entity(entity).insert(JointDisabled);
        }
    }
}

/// The indices of the bodies of a joint that can be used, or its problem.
fn checked(bodies: &Bodies, joint: &Joint) -> Checked<[Option<usize>; 2]> {
    let index = |field: &'static str, entity: Entity| {
        let problem = || Joint::problem_of(field, ProblemReason::WithoutBody, entity);
        bodies.index_of(entity).ok_or_else(problem)
    };
    let a = joint.a.map(|a| index("a", a)).transpose()?;
    let of = [a, Some(index("b", joint.b)?)];
    let wholes = of.map(|i| i.map(|i| bodies.whole_of(i)));
    if wholes[0] == wholes[1] {
        return Err(Joint::problem_of("b", ProblemReason::SameBody, joint.b));
    }
    let is_dynamic = |i: &usize| bodies.is_dynamic(*i);
    if !wholes.iter().flatten().any(is_dynamic) {
        return Err(Joint::problem_of(
            "b",
            ProblemReason::NothingDynamic,
            joint.b,
        ));
    }
    match joint.kind {
        JointKind::Distance(Some(length)) => {
            Joint::check_field("kind", ProblemReason::NotPositive, length)?;
        }
        JointKind::Wheel { steering } => {
            Joint::check_field("kind", ProblemReason::NotFinite, steering)?;
        }
        _ => {}
    }
    match joint.place {
        JointPlace::World {
            point,
            axis,
            across,
        } => {
            Joint::check_field("axis", ProblemReason::NoDirection, axis)?;
            Joint::check_field("across", ProblemReason::NotFinite, across)?;
            Joint::check_field("point", ProblemReason::NotFinite, point.unwrap_or_default())?;
        }
        JointPlace::Local { a, b } => {
            for (frame, field) in [(a, "a"), (b, "b")] {
                Joint::check_field(field, ProblemReason::NotFinite, frame.point)?;
                Joint::check_field(field, ProblemReason::NoRotation, frame.rotation)?;
            }
        }
    }
    Ok(of)
}

/// The origin, the rotation and the scale of a body, or of the world.
fn axes(bodies: &Bodies, of: Option<usize>) -> (Vec3, Quat, Vec3) {
    of.map_or((Vec3::ZERO, Quat::IDENTITY, Vec3::ONE), |i| {
        let scale = Vec3::ONE * bodies.scale[i];
        (bodies.shown_position(i), bodies.rotation[i], scale)
    })
}

/// The joint with its place in the axes of its bodies, and with its length.
fn placed(bodies: &Bodies, joint: &Joint, of: [Option<usize>; 2]) -> Joint {
    let mut joint = *joint;
    let axes = of.map(|of| axes(bodies, of));
    if let JointPlace::World {
        point,
        axis,
        across,
    } = joint.place
    {
        let origins = axes.map(|(origin, ..)| origin);
        let points = match (point, joint.kind, of[0]) {
            // The rod ends at a point of the world, or at that point of `a`; on `b` at its origin.
            (Some(point), JointKind::Distance(_), _) => [point, origins[1]],
            (Some(point), ..) => [point; 2],
            (None, JointKind::Distance(_), Some(_)) => origins,
            (None, ..) => [origins[1]; 2],
        };
        let [a, b] = [0, 1].map(|k| {
            let (origin, rotation, scale) = axes[k];
            let back = rotation.inverse();
            JointFrame {
                point: back * (points[k] - origin) / scale,
                rotation: unit(back * axes_along(axis, across)),
            }
        });
        joint.place = JointPlace::Local { a, b };
    }
    if let (JointKind::Distance(None), JointPlace::Local { a, b }) = (joint.kind, joint.place) {
        let [a, b] = [(a, axes[0]), (b, axes[1])]
            .map(|(frame, (origin, rotation, scale))| origin + rotation * (frame.point * scale));
        joint.kind = JointKind::Distance(Some(a.distance(b)));
    }
    joint
}

/// What the solver needs of a joint that has its place.
fn law_of(
    bodies: &Bodies,
    joint: &Joint,
    of: [Option<usize>; 2],
    drives: &DrivesItem,
    tell: &mut impl FnMut(InputProblem),
) -> JointLaw {
    let frames = match joint.place {
        JointPlace::Local { a, b } => [a, b],
        JointPlace::World { .. } => [JointFrame::default(); 2],
    };
    let local = |k: usize| {
        let frame = frames[k];
        let (arm, rotation) = match of[k] {
            None => (frame.point, frame.rotation),
            Some(i) => {
                let arm = frame.point * bodies.scale[i] - bodies.centre[i];
                match bodies.is_part(i) {
                    false => (arm, frame.rotation),
                    true => (
                        bodies.offset[i] + bodies.part_rotation[i] * arm,
                        bodies.part_rotation[i] * frame.rotation,
                    ),
                }
            }
        };
        LocalFrame {
            arm: arm.as_dvec3(),
            rotation: rotation.as_dquat().normalize(),
        }
    };
    let damping = drives
        .damping
        .and_then(|it| sound(JointDamping::check(ProblemReason::Negative, it.0), tell));
    let (kind, driven, soft) = drives.checked(joint.kind, tell);
    JointLaw {
        kind,
        frames: [local(0), local(1)],
        driven: driven.into_iter().collect(),
        soft,
        damping: damping.unwrap_or(0.0).into(),
    }
}

impl DrivesItem<'_, '_> {
    /// What a joint of this kind is, what acts along each freedom, and in what it would hold.
    fn checked(
        &self,
        kind: JointKind,
        tell: &mut impl FnMut(InputProblem),
    ) -> (JointKind, Vec<(Freedom, Drive)>, Option<Drive>) {
        let limits = self.limits.and_then(|it| sound(check_limits(it), tell));
        let swing = self.swing.and_then(|it| sound(check_swing(it), tell));
        let motor = self.motor.and_then(|it| sound(check_motor(it), tell));
        let spring = self.spring.and_then(|it| sound(check_spring(it), tell));
        // The freedoms of limits, of the swing's limit, of the motor, and of the spring.
        let (of_limits, of_motor, of_spring) = match kind {
            JointKind::Fixed => (None, None, None),
            JointKind::Spherical => (Some(Freedom::Twist), None, None),
            JointKind::Revolute => {
                let turn = Some(Freedom::Turn);
                (turn, turn, turn)
            }
            JointKind::Prismatic => {
                let slide = Some(Freedom::Slide);
                (slide, slide, slide)
            }
            JointKind::Distance(_) => {
                let length = Some(Freedom::Length);
                (length, length, length)
            }
            JointKind::Wheel { .. } => {
                let slide = Some(Freedom::Slide);
                (slide, Some(Freedom::Spin), slide)
            }
        };
        let is_soft = matches!(kind, JointKind::Fixed | JointKind::Spherical);
        let has_swing = kind == JointKind::Spherical;
        let here = ProblemReason::NotOfThisJoint;
        if limits.is_some() && of_limits.is_none() {
            tell(JointLimits::problem(here, ProblemValue::Nothing));
        }
        if swing.is_some() && !has_swing {
            tell(SwingLimit::problem(here, ProblemValue::Nothing));
        }
        if motor.is_some() && of_motor.is_none() {
            tell(JointMotor::problem(here, ProblemValue::Nothing));
        }
        let rest = match kind {
            JointKind::Distance(length) => f64::from(length.unwrap_or_default()),
            _ => 0.0,
        };
        let mut drives: Vec<(Freedom, Drive)> = Vec::new();
        let mut on = |freedom: Option<Freedom>, change: &mut dyn FnMut(&mut Drive)| {
            let Some(freedom) = freedom else {
                return;
            };
            let known = drives.iter().position(|(of, _)| *of == freedom);
            let k = known.unwrap_or_else(|| {
                drives.push((freedom, Drive::FREE));
                drives.len() - 1
            });
            change(&mut drives[k].1);
        };
        if let Some(limits) = limits {
            on(of_limits, &mut |drive| drive.limits = limits);
        }
        let swing = swing.filter(|_| has_swing);
        let is_closed = swing.is_some_and(|swing| swing < LEAST_SWING);
        if let Some(swing) = swing.filter(|_| !is_closed) {
            on(Some(Freedom::Swing), &mut |drive| drive.limits[1] = swing);
        }
        if let Some(stiffness) = spring {
            on(of_spring, &mut |drive| {
                drive.act = Act::Spring { stiffness, rest }
            });
        }
        if let Some((act, most)) = motor {
            on(of_motor, &mut |drive| (drive.act, drive.most) = (act, most));
        }
        let soft = spring.filter(|_| is_soft).map(|stiffness| Drive {
            act: Act::Spring {
                stiffness,
                rest: 0.0,
            },
            ..Drive::FREE
        });
        let kind = if is_closed { JointKind::Revolute } else { kind };
        (kind, drives, soft)
    }
}

fn sound<T>(checked: Checked<T>, tell: &mut impl FnMut(InputProblem)) -> Option<T> {
    checked.map_err(tell).ok()
}

fn check_limits(limits: &JointLimits) -> Checked<[f64; 2]> {
    let JointLimits { min, max } = *limits;
    for (field, value) in [("min", min), ("max", max)] {
        if value.is_nan() {
            return Err(JointLimits::problem_of(
                field,
                ProblemReason::NotFinite,
                value,
            ));
        }
    }
    if min > max {
        return Err(JointLimits::problem_of("min", ProblemReason::AboveMax, min));
    }
    Ok([min, max].map(f64::from))
}

fn check_swing(swing: &SwingLimit) -> Checked<f64> {
    let angle = SwingLimit::check(ProblemReason::Negative, swing.0)?;
    Ok(f64::from(angle))
}

/// The least cone in rad: a narrower one holds the axis. Where both axes are the same, a swing has no direction, and so no limit.
const LEAST_SWING: f64 = 0.05;

fn check_motor(motor: &JointMotor) -> Checked<(Act, f64)> {
    let most = motor.max_force;
    if most != f32::INFINITY {
        JointMotor::check_field("max_force", ProblemReason::Negative, most)?;
    }
    let act = match motor.target {
        MotorTarget::Velocity(velocity) => {
            JointMotor::check_field("target", ProblemReason::NotFinite, velocity)?;
            Act::Rate(velocity.into())
        }
        MotorTarget::Position(rest, spring) => {
            JointMotor::check_field("target", ProblemReason::NotFinite, rest)?;
            Act::Spring {
                stiffness: check_spring(&spring)?,
                rest: rest.into(),
            }
        }
    };
    Ok((act, most.into()))
}

fn check_spring(spring: &JointSpring) -> Checked<Stiffness> {
    let check = |field: &'static str, reason: ProblemReason, value: f32| {
        JointSpring::check_field(field, reason, value).map(f64::from)
    };
    Ok(match *spring {
        JointSpring::Frequency {
            frequency,
            damping_ratio,
        } => Stiffness::Frequency(
            check("frequency", ProblemReason::NotPositive, frequency)?,
            check("damping_ratio", ProblemReason::Negative, damping_ratio)?,
        ),
        JointSpring::Stiffness { stiffness, damping } => Stiffness::Newton(
            check("stiffness", ProblemReason::Negative, stiffness)?,
            check("damping", ProblemReason::Negative, damping)?,
        ),
    })
}
