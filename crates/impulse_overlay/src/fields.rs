//! Rows of the inspector: a name, and the values of a component to edit.

use std::ops::RangeInclusive;

use bevy::{ecs::component::Mutable, prelude::*};
use bevy_egui::egui;

const LABEL_WIDTH: f32 = 106.0;
pub(crate) const ANY: RangeInclusive<f32> = f32::MIN..=f32::MAX;
pub(crate) const ABOVE_ZERO: RangeInclusive<f32> = 1e-6..=f32::MAX;
pub(crate) const ZERO_OR_MORE: RangeInclusive<f32> = 0.0..=f32::MAX;

/// A row for a component that the entity has anyway, if it has it. `edit` tells whether it changed something.
pub(crate) fn field<C: Component<Mutability = Mutable>>(
    world: &mut World,
    entity: Entity,
    ui: &mut egui::Ui,
    label: &str,
    edit: impl FnOnce(&mut C, &mut egui::Ui) -> bool,
) {
    let Some(mut component) = world.get_mut::<C>(entity) else {
        return;
    };
    ui.horizontal(|ui| {
        label_cell(ui, |ui| ui.label(label));
        if edit(component.bypass_change_detection(), ui) {
            component.set_changed();
        }
    });
}

/// A row for a component that may be there or not: its box puts it on, as `initial`, and takes it off.
pub(crate) fn optional<C: Component<Mutability = Mutable>>(
    world: &mut World,
    entity: Entity,
    ui: &mut egui::Ui,
    label: &str,
    initial: C,
    edit: impl FnOnce(&mut C, &mut egui::Ui) -> bool,
) {
    let mut present = world.get::<C>(entity).is_some();
    ui.horizontal(|ui| {
        let toggled = label_cell(ui, |ui| ui.checkbox(&mut present, label)).changed();
        if let Some(mut component) = world.get_mut::<C>(entity)
            && edit(component.bypass_change_detection(), ui)
        {
            component.set_changed();
        }
        if toggled && let Ok(mut entity) = world.get_entity_mut(entity) {
            if present {
                entity.insert(initial);
            } else {
                entity.remove::<C>();
            }
        }
    });
}

pub(crate) fn label_cell(
    ui: &mut egui::Ui,
    add: impl FnOnce(&mut egui::Ui) -> egui::Response,
) -> egui::Response {
    let size = egui::vec2(LABEL_WIDTH, ui.spacing().interact_size.y);
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    ui.allocate_ui_with_layout(size, layout, |ui| {
        ui.set_min_width(LABEL_WIDTH);
        add(ui)
    })
    .inner
}

pub(crate) fn number(ui: &mut egui::Ui, value: &mut f32, range: RangeInclusive<f32>) -> bool {
    ui.add(drag(value).range(range)).changed()
}

pub(crate) fn vector(ui: &mut egui::Ui, value: &mut Vec3) -> bool {
    ui.columns(3, |columns| {
        let axes = [&mut value.x, &mut value.y, &mut value.z];
        columns
            .iter_mut()
            .zip(axes)
            .fold(false, |changed, (ui, axis)| {
                ui.add(drag(axis).max_decimals(4)).changed() || changed
            })
    })
}

/// Drags in steps of a hundredth of the value, as bodies are millimetres here and kilometres there. Infinity stays as it is.
fn drag(value: &mut f32) -> egui::DragValue<'_> {
    let speed = 0.01 * f64::from(value.abs()).clamp(0.1, 1e6);
    egui::DragValue::new(value).speed(speed)
}
