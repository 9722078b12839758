//! The controls at the left: scene, methods, parameters, and the text about the chosen method.

use bevy::{
    prelude::*,
    reflect::{ReflectMut, TypeRegistry},
};
use bevy_egui::egui;
use bevy_impulse_collide::prelude::*;
use bevy_inspector_egui::reflect_inspector::ui_for_value;
use scene_kit::panel::{ACCENT, heading};

use super::{Lab, PANES, pane::color};
use crate::lab::{method::Method, scene::SCENES};

pub(super) fn show(
    ui: &mut egui::Ui,
    lab: &mut Lab,
    control: &mut StepControl,
    registry: &AppTypeRegistry,
) {
    egui::ScrollArea::vertical().show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 6.0;
        ui.set_max_width(ui.available_width());
        ui.visuals_mut().override_text_color = Some(egui::Color32::from_gray(210));
        scene(ui, lab);
        clock(ui, lab, control);
        methods(ui, lab);
        about(ui, lab, registry);
    });
}

fn scene(ui: &mut egui::Ui, lab: &mut Lab) {
    let mut chosen = None;
    egui::ComboBox::from_id_salt("scene")
        .width(280.0)
        .selected_text(egui::RichText::new(lab.scene.title).size(16.0))
        .show_ui(ui, |ui| {
            for scene in &SCENES {
                let is_now = std::ptr::eq(lab.scene, scene);
                if ui.selectable_label(is_now, scene.title).clicked() {
                    chosen = Some(scene);
                }
            }
        });
    ui.label(lab.scene.about);
    if let Some(scene) = chosen {
        lab.choose_scene(scene);
    }
}

fn clock(ui: &mut egui::Ui, lab: &mut Lab, control: &mut StepControl) {
    ui.horizontal(|ui| {
        let go = if control.paused {
            "Run (P)"
        } else {
            "Pause (P)"
        };
        if ui.button(go).clicked() {
            control.paused = !control.paused;
        }
        if ui.button("One step (N)").clicked() {
            control.paused = true;
            control.pending_steps += 1;
        }
        if ui.button("Reset (R)").clicked() || ui.input(|input| input.key_pressed(egui::Key::R)) {
            lab.reset();
        }
    });
    let mut hz = lab.rate();
    let slider = egui::Slider::new(&mut hz, 10.0..=1000.0)
        .logarithmic(true)
        .max_decimals(0)
        .text("steps a second");
    if ui.add(slider).changed() {
        lab.hz = Some(hz);
        lab.reset();
    }
    ui.add(
        egui::Slider::new(&mut lab.zoom, 0.2..=10.0)
            .logarithmic(true)
            .text("zoom"),
    );
    let mut far = lab.options.far;
    let slider = egui::Slider::new(&mut far, 0.0..=1e5)
        .logarithmic(true)
        .smallest_positive(1.0)
        .text("m from the origin");
    if ui.add(slider).changed() {
        lab.options.far = far;
        lab.reset();
    }
}

fn methods(ui: &mut egui::Ui, lab: &mut Lab) {
    heading(ui, &format!("Methods, at most {PANES}"));
    // Two columns leave room for the text below them.
    let methods = lab.scene.methods;
    let (left, right) = methods.split_at(methods.len().div_ceil(2));
    let mut changed = false;
    ui.columns(2, |columns| {
        for (column, methods) in columns.iter_mut().zip([left, right]) {
            column.spacing_mut().item_spacing.y = 2.0;
            for method in methods {
                changed |= choose(column, lab, method);
            }
        }
    });
    if changed {
        lab.reset();
    }
}

/// Whether the method was added to the panes, or taken away.
fn choose(ui: &mut egui::Ui, lab: &mut Lab, method: &'static Method) -> bool {
    let place = lab.methods.iter().position(|&m| std::ptr::eq(m, method));
    let mut is_shown = place.is_some();
    let text = egui::RichText::new(method.title).size(12.5);
    let text = place.map_or(text.clone(), |place| text.color(color(place)));
    let room = is_shown || lab.methods.len() < PANES;
    let box_of_method = egui::Checkbox::new(&mut is_shown, text);
    let changed = ui.add_enabled(room, box_of_method).changed();
    if changed {
        match place {
            Some(place) => {
                lab.methods.remove(place);
            }
            None => lab.methods.push(method),
        }
    }
    changed
}

/// The method of the chosen pane, and its parameters.
fn about(ui: &mut egui::Ui, lab: &mut Lab, registry: &AppTypeRegistry) {
    let Some(world) = lab.worlds.get_mut(lab.selected) else {
        return;
    };
    let method = world.method;
    heading(ui, "Click a pane to read about its method");
    ui.label(egui::RichText::new(method.title).size(16.0).color(ACCENT));
    ui.label(method.about);
    let Some(edit) = method.parameters else {
        return;
    };
    heading(ui, "Parameters");
    let registry = registry.read();
    if let Some(mut value) = (edit.of)(world.app.world_mut()) {
        parameters(ui, value.bypass_change_detection(), &registry);
    }
}

/// Each parameter with its name in words.
fn parameters(ui: &mut egui::Ui, value: &mut dyn PartialReflect, registry: &TypeRegistry) {
    egui::Grid::new("parameters").num_columns(2).show(ui, |ui| {
        rows(ui, value, registry);
    });
}

/// A row for each field. The switches of the stages, a group within the parameters, get rows of their own.
fn rows(ui: &mut egui::Ui, value: &mut dyn PartialReflect, registry: &TypeRegistry) {
    let ReflectMut::Struct(fields) = value.reflect_mut() else {
        return;
    };
    for i in 0..fields.field_len() {
        let name = fields.name_at(i).unwrap_or_default().replace('_', " ");
        let Some(field) = fields.field_at_mut(i) else {
            continue;
        };
        if field.represents::<Stages>() {
            rows(ui, field, registry);
            continue;
        }
        ui.label(name);
        ui_for_value(field, ui, registry);
        ui.end_row();
    }
}
