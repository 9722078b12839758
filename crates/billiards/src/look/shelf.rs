//! The saved shots in the menu, each as a little picture of its table.

use bevy::math::Vec2;
use bevy_egui::egui;

use super::{
    paint::{ACCENT, FAINT, TEXT, ball, color},
    textures::{carom_color, snooker_color},
};
use crate::{
    play::{blow::Blow, sheet::Sheet},
    player::files::Shelf,
    rules::Ball,
    table::rack::Rack,
};

/// Width and height of a picture, in points.
const PICTURE: egui::Vec2 = egui::vec2(180.0, 98.0);

/// Height of the row of pictures, with its scroll bar.
const ROW: f32 = 140.0;

const CLOTH: egui::Color32 = egui::Color32::from_rgb(0, 84, 60);
const RAIL: egui::Color32 = egui::Color32::from_rgb(74, 42, 24);

/// The shots to choose from, and the number of the one that is chosen.
pub(super) fn show(ui: &mut egui::Ui, shelf: &Shelf, chosen: &mut usize) {
    if shelf.shots.is_empty() {
        let none = "No shot is saved yet. Play one, and press F5.";
        ui.label(egui::RichText::new(none).size(16.0).color(TEXT));
        return;
    }
    egui::ScrollArea::horizontal()
        .max_height(ROW)
        .show(ui, |ui| {
            ui.horizontal(|ui| {
                for (index, shot) in shelf.shots.iter().enumerate() {
                    let is_chosen = *chosen == index;
                    ui.vertical(|ui| {
                        let (rect, response) =
                            ui.allocate_exact_size(PICTURE, egui::Sense::click());
                        picture(&ui.painter_at(rect), rect, &shot.sheet, is_chosen);
                        if response.clicked() {
                            *chosen = index;
                        }
                        let color = if is_chosen { ACCENT } else { FAINT };
                        ui.label(egui::RichText::new(&shot.name).size(13.0).color(color));
                    });
                }
            });
        });
}

/// The table from above, with the balls where they lie and the way that the cue points.
fn picture(painter: &egui::Painter, rect: egui::Rect, sheet: &Sheet, is_chosen: bool) {
    let Ok(kind) = sheet.kind() else {
        return;
    };
    let spec = kind.spec();
    let bed = rect.shrink(8.0);
    let scale = (0.5 * bed.size() / egui::vec2(spec.half.x, spec.half.y)).min_elem();
    let place = |at: Vec2| bed.center() + scale * egui::vec2(at.x, at.y);
    let cloth = egui::Rect::from_two_pos(place(-spec.half), place(spec.half));
    painter.rect_filled(cloth.expand(6.0), 3.0, RAIL);
    painter.rect_filled(cloth, 0.0, CLOTH);
    let radius = (scale * spec.ball.radius).max(3.0);
    if let Some(cue) = sheet.before.place(Ball::CUE) {
        let way = Blow::from(sheet.blow).direction;
        let line = egui::Stroke::new(1.5, egui::Color32::WHITE);
        painter.arrow(place(cue), 26.0 * egui::vec2(way.x, way.y), line);
    }
    for lying in &sheet.before.lying {
        let [x, _, y] = lying.at;
        let (of, at) = (lying.ball, place(Vec2::new(x, y)));
        match sheet.before.rack {
            Rack::Snooker => painter.circle_filled(at, radius, color(snooker_color(of))),
            Rack::Carom => painter.circle_filled(at, radius, color(carom_color(of))),
            _ => {
                ball(painter, at, radius, of, false);
                continue;
            }
        };
    }
    if is_chosen {
        let line = egui::Stroke::new(2.0, ACCENT);
        painter.rect_stroke(rect, 4.0, line, egui::StrokeKind::Inside);
    }
}
