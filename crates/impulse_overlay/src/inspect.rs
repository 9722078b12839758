//! The components of what is selected and the physics' resources, shown and edited live.

use std::any::TypeId;

use bevy::{
    prelude::*,
    reflect::{GetTypeRegistration, TypeInfo},
};
use bevy_egui::egui;
use bevy_impulse_collide::prelude::*;
use bevy_inspector_egui::{
    bevy_inspector::{ui_for_entity, ui_for_resource},
    inspector_options::{
        InspectorOptions, ReflectInspectorOptions, Target, std_options::NumberOptions,
    },
};

use crate::{
    Selection,
    body::{Body, IsBody},
    fields::{ABOVE_ZERO, ANY, ZERO_OR_MORE, field, label_cell, number, optional, vector},
    inspect_joint,
    joint::JointData,
};

pub(crate) fn plugin(app: &mut App) {
    refine_numbers::<CollisionConfig>(app);
    refine_numbers::<SelfGravity>(app);
}

/// Gives the numbers of a resource finer steps than the inspector's own, and three digits more: its 0.1 is larger than
/// most of them. None may be below zero.
fn refine_numbers<T: GetTypeRegistration>(app: &mut App) {
    app.register_type::<T>();
    let mut registry = app.world().resource::<AppTypeRegistry>().write();
    let Some(registration) = registry.get_mut(TypeId::of::<T>()) else {
        return;
    };
    let TypeInfo::Struct(fields) = registration.type_info() else {
        return;
    };
    let mut options = InspectorOptions::new();
    for (index, _) in fields
        .iter()
        .enumerate()
        .filter(|(_, field)| field.is::<f32>())
    {
        let number = NumberOptions::<f32>::at_least(0.0).with_speed(0.001);
        options.insert(Target::Field(index), number);
    }
    registration.insert(ReflectInspectorOptions(options));
}

pub(crate) fn show_selected(world: &mut World, ui: &mut egui::Ui) {
    let Some(entity) = **world.resource::<Selection>() else {
        return;
    };
    let mut bodies = world.query_filtered::<Body, IsBody>();
    let body = bodies.get(world, entity).ok().map(|body| body.label());
    let mut joints = world.query::<JointData>();
    let joint = joints.get(world, entity).ok().map(|joint| joint.label());
    let (is_body, is_joint) = (body.is_some(), joint.is_some());
    let Some(title) = body.or(joint) else {
        return;
    };

    ui.separator();
    ui.horizontal(|ui| {
        ui.strong(title);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.small_button("✖").on_hover_text("Deselect").clicked() {
                world.resource_mut::<Selection>().0 = None;
            }
        });
    });
    // Ids by entity, so that a field under edit does not carry over to the next selected body.
    ui.push_id(entity, |ui| {
        if is_body {
            show_components(world, entity, ui);
            inspect_joint::show_joints_of(world, entity, ui);
        }
        if is_joint {
            inspect_joint::show(world, entity, ui);
        }
        egui::CollapsingHeader::new("All components")
            .show(ui, |ui| ui_for_entity(world, entity, ui));
    });
}

/// The components that the physics reads, in the order in which one thinks of them.
fn show_components(world: &mut World, entity: Entity, ui: &mut egui::Ui) {
    field::<Transform>(world, entity, ui, "Position, m", |it, ui| {
        vector(ui, &mut it.translation)
    });
    field::<LinearVelocity>(world, entity, ui, "Velocity, m/s", |it, ui| vector(ui, it));
    field::<AngularVelocity>(world, entity, ui, "Spin, rad/s", |it, ui| vector(ui, it));
    field::<Plane>(world, entity, ui, "Normal", |it, ui| {
        vector(ui, &mut it.normal)
    });

    let moves = world.get::<Mass>(entity).is_some();
    ui.columns(2, |columns| {
        let [left, right] = columns else { return };
        field::<Mass>(world, entity, left, "Mass, kg", |it, ui| {
            number(ui, it, ABOVE_ZERO)
        });
        field::<Particle>(world, entity, left, "Radius, m", |it, ui| {
            number(ui, &mut it.radius, ABOVE_ZERO)
        });
        field::<Capsule>(world, entity, left, "Radius, m", |it, ui| {
            number(ui, &mut it.radius, ABOVE_ZERO)
        });
        field::<Capsule>(world, entity, left, "Length, m", |it, ui| {
            number(ui, &mut it.length, ZERO_OR_MORE)
        });
        field::<Growth>(world, entity, right, "Growth, m/s", |it, ui| {
            number(ui, &mut it.rate, ANY)
        });
        field::<Division>(world, entity, right, "Divides at, m", |it, ui| {
            number(ui, &mut it.length, ABOVE_ZERO)
        });
        field::<GravityScale>(world, entity, right, "Gravity scale", |it, ui| {
            number(ui, it, ANY)
        });
        if moves {
            optional(
                world,
                entity,
                right,
                "Density, kg/m³",
                Density(1000.0),
                |it, ui| number(ui, it, ABOVE_ZERO),
            );
            kind(world, entity, right);
        }
    });
    ui.columns(2, |columns| {
        let [left, right] = columns else { return };
        optional(
            world,
            entity,
            left,
            "Restitution",
            Restitution(0.5),
            |it, ui| number(ui, it, 0.0..=1.0),
        );
        optional(
            world,
            entity,
            left,
            "Rolling fr.",
            RollingFriction(0.01),
            |it, ui| number(ui, it, ZERO_OR_MORE),
        );
        optional(world, entity, right, "Friction", Friction(0.3), |it, ui| {
            number(ui, it, ZERO_OR_MORE)
        });
        optional(
            world,
            entity,
            right,
            "Spinning fr.",
            SpinningFriction(0.01),
            |it, ui| number(ui, it, ZERO_OR_MORE),
        );
    });
    if moves {
        optional(
            world,
            entity,
            ui,
            "Force, N",
            ExternalForce::default(),
            |it, ui| vector(ui, it),
        );
        optional(
            world,
            entity,
            ui,
            "Torque, N·m",
            ExternalTorque::default(),
            |it, ui| vector(ui, it),
        );
    }
}

/// The resources that every body shares.
pub(crate) fn show_resources(world: &mut World, ui: &mut egui::Ui) {
    let mut gravity = **world.resource::<Gravity>();
    ui.horizontal(|ui| {
        label_cell(ui, |ui| ui.label("Gravity, m/s²"));
        if vector(ui, &mut gravity) {
            **world.resource_mut::<Gravity>() = gravity;
        }
    });
    ui.horizontal(|ui| {
        let mut hz = 1.0 / world.resource::<Time<Fixed>>().timestep().as_secs_f64();
        label_cell(ui, |ui| ui.label("Step rate, Hz"));
        let drag = egui::DragValue::new(&mut hz)
            .range(1.0..=10_000.0)
            .max_decimals(1);
        if ui.add(drag).changed() {
            world.resource_mut::<Time<Fixed>>().set_timestep_hz(hz);
        }
    });
    if world.contains_resource::<SelfGravity>() {
        egui::CollapsingHeader::new("Self-gravity")
            .show(ui, |ui| ui_for_resource::<SelfGravity>(world, ui));
    }
    egui::CollapsingHeader::new("Collision config")
        .show(ui, |ui| ui_for_resource::<CollisionConfig>(world, ui));
}

/// How the body moves: a choice of three.
fn kind(world: &mut World, entity: Entity, ui: &mut egui::Ui) {
    let Some(mut body) = world.get_mut::<RigidBody>(entity) else {
        return;
    };
    let mut chosen = *body;
    ui.horizontal(|ui| {
        for (kind, name) in [
            (RigidBody::Dynamic, "Dynamic"),
            (RigidBody::Kinematic, "Kinematic"),
            (RigidBody::Static, "Static"),
        ] {
            ui.selectable_value(&mut chosen, kind, name);
        }
    });
    body.set_if_neq(chosen);
}
