//! The selected joint: what it joins, what it bears, and what acts on it, shown and edited live. And the joints of a body.

use std::f32::consts::PI;

use bevy::prelude::*;
use bevy_egui::egui;
use bevy_impulse_collide::prelude::*;

use crate::{
    Selection,
    body::{Body, IsBody},
    drag::IsDrag,
    fields::{ABOVE_ZERO, ANY, ZERO_OR_MORE, field, label_cell, number, optional},
    joint::JointData,
};

/// Numbers that may be infinite.
const UP_TO_INFINITY: std::ops::RangeInclusive<f32> = 0.0..=f32::INFINITY;

pub(crate) fn show(world: &mut World, entity: Entity, ui: &mut egui::Ui) {
    let Some(&joint) = world.get::<Joint>(entity) else {
        return;
    };
    for (label, body) in [("Holds", Some(joint.b)), ("On", joint.a)] {
        ui.horizontal(|ui| {
            label_cell(ui, |ui| ui.label(label));
            body_link(world, body, ui);
        });
    }
    show_load(world, entity, ui);
    show_state(world, entity, ui);
    show_place(world, entity, joint.kind, ui);
    show_drives(world, entity, joint, ui);
    let button = ui.button("Break").on_hover_text(
        "Takes the component Joint off the entity. To take it out for a while, use the check box",
    );
    if button.clicked() {
        break_joint(world, entity);
    }
}

/// Takes the joint away from its entity. The entity stays: the app may have something else on it.
pub(crate) fn break_joint(world: &mut World, entity: Entity) {
    if let Ok(mut entity) = world.get_entity_mut(entity) {
        entity.remove_with_requires::<Joint>();
    }
}

/// The joints of a body, each of which is selected by a click.
pub(crate) fn show_joints_of(world: &mut World, body: Entity, ui: &mut egui::Ui) {
    let mut joints = world.query_filtered::<JointData, Without<IsDrag>>();
    let whole = whole_of(world, body);
    let of_body = joints.iter(world).filter(|data| {
        let mut joined = data.joint.a.into_iter().chain([data.joint.b]);
        joined.any(|joined| whole_of(world, joined) == whole)
    });
    let of_body: Vec<(Entity, String)> =
        of_body.map(|joint| (joint.entity, joint.label())).collect();
    if of_body.is_empty() {
        return;
    }
    egui::CollapsingHeader::new(format!("Joints ({})", of_body.len()))
        .id_salt("joints")
        .default_open(true)
        .show(ui, |ui| {
            for (joint, label) in of_body {
                if ui.link(label).clicked() {
                    world.resource_mut::<Selection>().0 = Some(joint);
                }
            }
        });
}

/// The compound that a body is a part of, or the body.
fn whole_of(world: &World, body: Entity) -> Entity {
    let parent = |entity: &Entity| Some(world.get::<ChildOf>(*entity)?.parent());
    let mut above = std::iter::successors(parent(&body), parent);
    let compound = above.find(|&entity| world.get::<Compound>(entity).is_some());
    compound.unwrap_or(body)
}

/// The name of a body, which selects it.
fn body_link(world: &mut World, body: Option<Entity>, ui: &mut egui::Ui) {
    let Some(body) = body else {
        ui.label("the world");
        return;
    };
    let mut bodies = world.query_filtered::<Body, IsBody>();
    match bodies.get(world, body).map(|body| body.label()) {
        Ok(label) => {
            if ui.link(label).clicked() {
                world.resource_mut::<Selection>().0 = Some(body);
            }
        }
        Err(_) => {
            ui.weak(format!("{body}, which is no body any more"));
        }
    }
}

/// What it bears, and how much of what breaks it that is.
fn show_load(world: &World, entity: Entity, ui: &mut egui::Ui) {
    let Some(bears) = world.get::<JointForce>(entity) else {
        return;
    };
    for (label, it) in [("Force, N", bears.force), ("Torque, N·m", bears.torque)] {
        ui.horizontal(|ui| {
            label_cell(ui, |ui| ui.label(label));
            let [x, y, z] = it.to_array().map(short);
            ui.label(format!("{}   ({x}, {y}, {z})", short(it.length())));
        });
    }
    if let Some(most) = world.get::<JointStrength>(entity) {
        let parts = [(bears.force, most.force), (bears.torque, most.torque)];
        let parts = parts.map(|(bears, most)| bears.length() / most);
        let load = parts.into_iter().fold(0.0, f32::max);
        let text = format!("{:.0} % of its strength", 100.0 * load);
        ui.add(egui::ProgressBar::new(load.min(1.0)).text(text));
    }
}

/// Four digits.
fn short(value: f32) -> String {
    match value.abs() {
        0.0 => "0".into(),
        1e-2..1e2 => format!("{value:.3}"),
        1e2..1e5 => format!("{value:.0}"),
        _ => format!("{value:.2e}"),
    }
}

fn show_state(world: &mut World, entity: Entity, ui: &mut egui::Ui) {
    let mut acts = world.get::<JointDisabled>(entity).is_none();
    let mut collide = world
        .get::<Joint>(entity)
        .is_some_and(|joint| joint.bodies_collide);
    ui.horizontal(|ui| {
        let label = if acts {
            "Acts"
        } else {
            "Acts: it is off or broken"
        };
        if ui.checkbox(&mut acts, label).changed()
            && let Ok(mut entity) = world.get_entity_mut(entity)
        {
            match acts {
                true => entity.remove::<JointDisabled>(),
                false => entity.insert(JointDisabled),
            };
        }
        let toggled = ui.checkbox(&mut collide, "Its bodies collide").changed();
        if toggled && let Some(mut joint) = world.get_mut::<Joint>(entity) {
            joint.bodies_collide = collide;
        }
    });
}

/// The numbers of the joint itself.
fn show_place(world: &mut World, entity: Entity, kind: JointKind, ui: &mut egui::Ui) {
    let label = match kind {
        JointKind::Distance(Some(_)) => "Length, m",
        JointKind::Wheel { .. } => "Steering, rad",
        _ => return,
    };
    field::<Joint>(world, entity, ui, label, |it, ui| match &mut it.kind {
        JointKind::Distance(Some(length)) => number(ui, length, ABOVE_ZERO),
        JointKind::Wheel { steering } => number(ui, steering, ANY),
        _ => false,
    });
}

/// What acts along the freedoms that a joint of this kind leaves.
fn show_drives(world: &mut World, entity: Entity, joint: Joint, ui: &mut egui::Ui) {
    let (limited, initial) = match joint.kind {
        JointKind::Fixed => ("", [0.0; 2]),
        JointKind::Spherical => ("Twist, rad", [-1.0, 1.0]),
        JointKind::Revolute => ("Limits, rad", [-1.0, 1.0]),
        JointKind::Prismatic | JointKind::Wheel { .. } => ("Limits, m", [-0.5, 0.5]),
        JointKind::Distance(length) => ("Limits, m", [0.0, length.unwrap_or(1.0)]),
    };
    if joint.kind != JointKind::Fixed {
        let initial = JointLimits::new(initial[0], initial[1]);
        optional(world, entity, ui, limited, initial, |it, ui| {
            let low = number(ui, &mut it.min, f32::NEG_INFINITY..=it.max);
            ui.label("to");
            number(ui, &mut it.max, it.min..=f32::INFINITY) || low
        });
    }
    if joint.kind == JointKind::Spherical {
        optional(
            world,
            entity,
            ui,
            "Swing, rad",
            SwingLimit(1.0),
            |it, ui| number(ui, &mut it.0, 0.0..=PI),
        );
    }
    if !matches!(joint.kind, JointKind::Fixed | JointKind::Spherical) {
        optional(world, entity, ui, "Motor", JointMotor::velocity(0.0), motor);
        field::<JointMotor>(world, entity, ui, "    at most", |it, ui| {
            number(ui, &mut it.max_force, UP_TO_INFINITY)
        });
    }
    let initial = JointSpring::frequency(2.0, 0.5);
    optional(world, entity, ui, "Spring", initial, spring);
    let initial = JointDamping(20.0);
    optional(world, entity, ui, "Damping, 1/s", initial, |it, ui| {
        number(ui, &mut it.0, 0.0..=f32::INFINITY)
    });
    let initial = JointStrength::force(f32::INFINITY);
    optional(world, entity, ui, "Strength, N", initial, |it, ui| {
        let force = number(ui, &mut it.force, UP_TO_INFINITY);
        ui.label("N·m");
        number(ui, &mut it.torque, UP_TO_INFINITY) || force
    });
}

fn motor(it: &mut JointMotor, ui: &mut egui::Ui) -> bool {
    let mut holds_velocity = matches!(it.target, MotorTarget::Velocity(_));
    let chosen = choice(ui, &mut holds_velocity, ["velocity", "place"]);
    if chosen {
        it.target = match holds_velocity {
            true => MotorTarget::Velocity(0.0),
            false => MotorTarget::Position(0.0, JointSpring::frequency(2.0, 1.0)),
        };
    }
    let edited = match &mut it.target {
        MotorTarget::Velocity(velocity) => number(ui, velocity, ANY),
        MotorTarget::Position(place, pull) => {
            let moved = number(ui, place, ANY);
            spring_numbers(pull, ui) || moved
        }
    };
    chosen || edited
}

fn spring(it: &mut JointSpring, ui: &mut egui::Ui) -> bool {
    let mut has_frequency = matches!(it, JointSpring::Frequency { .. });
    let chosen = choice(ui, &mut has_frequency, ["Hz", "N/m"]);
    if chosen {
        *it = match has_frequency {
            true => JointSpring::frequency(2.0, 0.5),
            false => JointSpring::stiffness(100.0, 1.0),
        };
    }
    spring_numbers(it, ui) || chosen
}

fn spring_numbers(it: &mut JointSpring, ui: &mut egui::Ui) -> bool {
    let (stiff, damp) = match it {
        JointSpring::Frequency {
            frequency,
            damping_ratio,
        } => (number(ui, frequency, ABOVE_ZERO), damping_ratio),
        JointSpring::Stiffness { stiffness, damping } => {
            (number(ui, stiffness, ZERO_OR_MORE), damping)
        }
    };
    number(ui, damp, ZERO_OR_MORE) || stiff
}

/// The first of two names, or the second one. Whether it has changed.
fn choice(ui: &mut egui::Ui, is_first: &mut bool, names: [&str; 2]) -> bool {
    let before = *is_first;
    ui.selectable_value(is_first, true, names[0]);
    ui.selectable_value(is_first, false, names[1]);
    *is_first != before
}

#[cfg(test)]
mod tests;
