//! Writes the joints of a failing world as code for a test.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use crate::{
    tie::{BadTie, Tie},
    world::{Body, Round},
};

/// What makes the entity of a joint.
pub fn spawned(tie: &Tie, bodies: &[Body]) -> String {
    format!(
        "{{ let joint = {}; app.world_mut().spawn(joint).id() }}",
        bundle(tie, bodies)
    )
}

/// The components of a joint.
pub fn bundle(tie: &Tie, bodies: &[Body]) -> String {
    let end = |id: u32| {
        let mut of = bodies.iter();
        let is_dumbbell = |body: &Body| matches!(body.shape, Round::Dumbbell(_));
        match of.find(|body| body.id == id) {
            Some(body) if is_dumbbell(body) && tie.is_on_parts => {
                format!("get::<Children>(&app, body_{id})[0]")
            }
            _ => format!("body_{id}"),
        }
    };
    let a = tie
        .a
        .map_or_else(|| "None".to_owned(), |a| format!("Some({})", end(a)));
    let point = tie
        .point
        .map_or_else(|| "None".to_owned(), |at| format!("Some({})", vector(at)));
    let mut text = format!(
        "(Joint {{ place: JointPlace::World {{ point: {point}, axis: {}, across: {} }}, bodies_collide: {:?}, ..Joint::new(JointKind::{:?}, {a}, {}) }}",
        vector(tie.axis),
        vector(tie.across),
        tie.bodies_collide,
        tie.kind,
        end(tie.b),
    );
    let drives = &tie.drives;
    if let Some(JointLimits { min, max }) = drives.limits {
        text += &format!(", JointLimits::new({min:?}, {max:?})");
    }
    if let Some(SwingLimit(angle)) = drives.swing {
        text += &format!(", SwingLimit({angle:?})");
    }
    if let Some(motor) = drives.motor {
        text += &match motor.target {
            MotorTarget::Velocity(velocity) => format!(", JointMotor::velocity({velocity:?})"),
            MotorTarget::Position(position, spring) => {
                format!(", JointMotor::position({position:?}, JointSpring::{spring:?})")
            }
        };
        if motor.max_force != f32::INFINITY {
            text += &format!(".with_max_force({:?})", motor.max_force);
        }
    }
    if let Some(spring) = drives.spring {
        text += &format!(", JointSpring::{spring:?}");
    }
    if let Some(strength) = tie.strength {
        text += &format!(", JointStrength::force({strength:?})");
    }
    text + ",)"
}

/// What gives the joint with this id a bad value.
pub fn spoiling(id: u32, bad: BadTie) -> String {
    let insert = |what: &str| format!("app.world_mut().entity_mut(tie_{id}).insert({what});");
    let set = |what: &str| {
        format!(
            "let mut joint = get::<Joint>(&app, tie_{id}); {what}; app.world_mut().entity_mut(tie_{id}).insert(joint);"
        )
    };
    match bad {
        BadTie::Nobody => set("joint.b = app.world_mut().spawn_empty().id()"),
        BadTie::SameBody => set("joint.a = Some(joint.b)"),
        BadTie::NanPoint => {
            set("joint = joint.in_frames(JointFrame::at(Vec3::NAN), JointFrame::default())")
        }
        BadTie::ZeroRotation => set(
            "joint = joint.in_frames(JointFrame::default(), JointFrame { point: Vec3::ZERO, rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0) })",
        ),
        BadTie::NegativeLength => set("joint.kind = JointKind::Distance(Some(-1.0))"),
        BadTie::NanSteering => set("joint.kind = JointKind::Wheel { steering: f32::NAN }"),
        BadTie::CrossedLimits => insert("JointLimits::new(1.0, -1.0)"),
        BadTie::NanMotor => insert("JointMotor::velocity(f32::NAN)"),
        BadTie::NegativeSpring => insert("JointSpring::stiffness(-1.0, 0.0)"),
        BadTie::NanStrength => insert("JointStrength::force(f32::NAN)"),
    }
}

/// The code of a vector.
pub fn vector(v: Vec3) -> String {
    if v == Vec3::ZERO {
        "Vec3::ZERO".to_owned()
    } else {
        format!("Vec3::new({:?}, {:?}, {:?})", v.x, v.y, v.z)
    }
}
