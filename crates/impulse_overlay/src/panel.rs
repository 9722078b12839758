//! The panel itself: the window at the right edge, and the order of its sections.

use bevy::prelude::*;
use bevy_egui::{EguiContext, PrimaryEguiContext, egui};

use crate::{Overlay, control, draw, input::PanelArea, inspect, list, plots};

const WIDTH: f32 = 340.0;
const BACKGROUND: egui::Color32 = egui::Color32::from_rgb(24, 26, 31);
const TEXT: egui::Color32 = egui::Color32::from_gray(205);

/// The panel's name in egui.
const ID: &str = "impulse_overlay";

/// The rectangle in egui's points that the panel covers; `None` while it is hidden. Panels of a scene can stay beside it.
pub fn panel_rect(ctx: &egui::Context) -> Option<egui::Rect> {
    let id = egui::Id::new(ID);
    ctx.memory(|memory| {
        let is_shown = (memory.areas()).is_visible(&egui::LayerId::new(egui::Order::Middle, id));
        is_shown.then(|| memory.area_rect(id)).flatten()
    })
}

pub(crate) fn show(world: &mut World) -> Result {
    let mut contexts = world.query_filtered::<&mut EguiContext, With<PrimaryEguiContext>>();
    // There is no context until there is a camera.
    let Ok(mut context) = contexts.single_mut(world) else {
        return Ok(());
    };
    let ctx = context.get_mut().clone();
    let key = world.resource::<Overlay>().key;
    let screen = ctx.content_rect();
    let frame = egui::Frame::new()
        .fill(BACKGROUND)
        .inner_margin(egui::Margin::symmetric(10, 4));

    // A window and no side panel: egui would not count the pointer over a side panel drawn outside its own root ui.
    let title = key.map_or("Physics".to_owned(), |key| {
        format!("Physics ({key:?} hides)")
    });
    let window = egui::Window::new(title)
        .id(egui::Id::new(ID))
        .anchor(egui::Align2::RIGHT_TOP, egui::Vec2::ZERO)
        .resizable([true, false])
        .default_width(WIDTH)
        .max_width(0.4 * screen.width())
        .min_height(screen.height())
        .frame(frame)
        .show(&ctx, |ui| {
            ui.visuals_mut().override_text_color = Some(TEXT);
            ui.spacing_mut().item_spacing.y = 4.0;
            // With room of its own at the side, it never lies over a widget.
            ui.spacing_mut().scroll = egui::style::ScrollStyle::thin();
            let scroll = egui::ScrollArea::vertical().auto_shrink(false);
            scroll.show(ui, |ui| sections(world, ui)).inner
        });

    let Some(window) = window else {
        return Ok(());
    };
    let area = window.response.rect * ctx.zoom_factor();
    world.resource_mut::<PanelArea>().0 =
        Some(Rect::new(area.min.x, area.min.y, area.max.x, area.max.y));
    // No inner result: the window is folded.
    window.inner.unwrap_or(Ok(()))
}

fn sections(world: &mut World, ui: &mut egui::Ui) -> Result {
    run(world, ui, control::show_status)?;
    run(world, ui, control::show_time)?;
    section(ui, "Stages of a step", true, |ui| {
        run(world, ui, control::show_stages)
    })?;
    section(ui, "Draw", true, |ui| run(world, ui, draw::show))?;
    section(ui, "Bodies and joints", true, |ui| {
        run(world, ui, list::show)
    })?;
    inspect::show_selected(world, ui);
    section(ui, "Plots", true, |ui| run(world, ui, plots::show))?;
    section(ui, "Parameters", false, |ui| {
        inspect::show_resources(world, ui);
        Ok(())
    })
}

/// Most sections are systems that take the ui as input, so that each names the few things it works on.
fn run<M>(
    world: &mut World,
    ui: &mut egui::Ui,
    system: impl IntoSystem<InMut<'static, egui::Ui>, (), M> + 'static,
) -> Result {
    Ok(world.run_system_cached_with(system, ui)?)
}

fn section(
    ui: &mut egui::Ui,
    title: &str,
    open: bool,
    add: impl FnOnce(&mut egui::Ui) -> Result,
) -> Result {
    ui.add_space(4.0);
    egui::CollapsingHeader::new(egui::RichText::new(title).strong())
        .default_open(open)
        .show_unindented(ui, add)
        .body_returned
        .unwrap_or(Ok(()))
}
