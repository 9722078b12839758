//! The gallery's window: a picture of each scene, with its name and its sentence.

use std::io::Cursor;

use bevy::{
    prelude::*,
    window::PrimaryWindow,
    winit::{EventLoopProxyWrapper, WinitSettings, WinitUserEvent},
};
use bevy_egui::{EguiContexts, EguiPlugin, EguiPrimaryContextPass, egui};
use scene_kit::{
    app::plain_app,
    panel::{ACCENT, FAINT},
    way_back::Place,
    window::scale,
};

use crate::{
    scenes::{SCENES, Scene},
    visit::{News, Visit},
};

const GROUND: egui::Color32 = egui::Color32::from_rgb(11, 13, 18);
const CARD: egui::Color32 = egui::Color32::from_rgb(23, 27, 36);
const HOVERED: egui::Color32 = egui::Color32::from_rgb(35, 42, 56);
const NAME: egui::Color32 = egui::Color32::from_gray(236);
const SENTENCE: egui::Color32 = egui::Color32::from_gray(180);
const PROBLEM: egui::Color32 = egui::Color32::from_rgb(255, 128, 112);

/// The least width of a card, in points, where there is more than one in a row.
const LEAST_WIDTH: f32 = 250.0;
const GAP: f32 = 14.0;
const PADDING: f32 = 10.0;
/// Height over width of a picture.
const SHAPE: f32 = 9.0 / 16.0;

/// Runs the gallery until its window is closed.
pub(crate) fn open() -> AppExit {
    let Some(mut app) = plain_app("Gallery", DefaultPlugins.build()) else {
        return AppExit::error();
    };
    app.add_plugins((EguiPlugin::default(), scale::plugin))
        // It draws when something happens, and not while a scene runs.
        .insert_resource(WinitSettings::desktop_app())
        .insert_resource(ClearColor(Color::srgb_u8(
            GROUND.r(),
            GROUND.g(),
            GROUND.b(),
        )))
        .init_resource::<Gallery>()
        .add_systems(Startup, |mut commands: Commands| {
            commands.spawn(Camera2d);
        })
        .add_systems(Update, follow_visit)
        .add_systems(EguiPrimaryContextPass, show)
        .run()
}

#[derive(Resource, Default)]
struct Gallery {
    /// The scene that Enter opens.
    chosen: usize,
    visit: Option<Visit>,
    /// Why the last scene ended, if not well.
    problem: Option<String>,
}

/// Hides the window while a scene is open, and shows it when the scene has ended.
fn follow_visit(
    mut gallery: ResMut<Gallery>,
    mut window: Single<&mut Window, With<PrimaryWindow>>,
) {
    let Some(visit) = &mut gallery.visit else {
        return;
    };
    let name = visit.scene.name;
    for news in visit.news() {
        match news {
            News::Open => {
                visit.is_open = true;
                window.visible = false;
            }
            News::Ended(how) => {
                window.visible = true;
                window.focused = true;
                gallery.problem = how.err().map(|cause| format!("{name} has failed: {cause}"));
                gallery.visit = None;
                return;
            }
        }
    }
}

fn show(
    mut contexts: EguiContexts,
    mut gallery: ResMut<Gallery>,
    window: Single<&Window, With<PrimaryWindow>>,
    events: Res<EventLoopProxyWrapper>,
    mut pictures: Local<Vec<egui::TextureHandle>>,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    if pictures.is_empty() {
        *pictures = load(ctx)?;
    }
    let opened = draw(ctx, &mut gallery, &pictures);
    if let Some(scene) = opened.filter(|_| gallery.visit.is_none()) {
        let events = (*events).clone();
        let wake = move || {
            // The gallery has been closed.
            let _ = events.send_event(WinitUserEvent::WakeUp);
        };
        match Visit::to(scene, Place::of(&window), wake) {
            Ok(visit) => (gallery.visit, gallery.problem) = (Some(visit), None),
            Err(problem) => gallery.problem = Some(problem),
        }
    }
    Ok(())
}

fn load(ctx: &egui::Context) -> Result<Vec<egui::TextureHandle>> {
    let load = |scene: &Scene| -> Result<egui::TextureHandle> {
        let mut reader = png::Decoder::new(Cursor::new(scene.png)).read_info()?;
        let mut pixels = vec![
            0;
            reader
                .output_buffer_size()
                .ok_or("a picture is too large")?
        ];
        let info = reader.next_frame(&mut pixels)?;
        let size = [info.width as usize, info.height as usize];
        let picture = egui::ColorImage::from_rgb(size, &pixels[..info.buffer_size()]);
        Ok(ctx.load_texture(scene.name, picture, egui::TextureOptions::LINEAR))
    };
    SCENES.iter().map(load).collect()
}

/// Draws all, and gives the scene that the player opens.
fn draw(
    ctx: &egui::Context,
    gallery: &mut Gallery,
    pictures: &[egui::TextureHandle],
) -> Option<&'static Scene> {
    let screen = ctx.content_rect();
    let mut opened = None;
    egui::Area::new("gallery".into())
        .order(egui::Order::Background)
        .fixed_pos(screen.min)
        .show(ctx, |ui| {
            ui.set_min_size(screen.size());
            let inside = screen.shrink2(egui::vec2(GAP, 0.0));
            ui.scope_builder(egui::UiBuilder::new().max_rect(inside), |ui| {
                head(ui, gallery);
                opened = cards(ui, gallery, pictures);
            });
        });
    opened
}

fn head(ui: &mut egui::Ui, gallery: &Gallery) {
    ui.add_space(GAP);
    let line = match (&gallery.visit, &gallery.problem) {
        (Some(visit), _) => (format!("{} opens …", visit.scene.name), ACCENT),
        (None, Some(problem)) => (problem.clone(), PROBLEM),
        (None, None) => {
            let how = "Click a scene, or choose one with the arrow keys and Enter. \
                       In the scene, a button at the lower left comes back.";
            (how.to_owned(), FAINT)
        }
    };
    ui.horizontal_wrapped(|ui| {
        ui.label(egui::RichText::new("Gallery").size(24.0).color(ACCENT));
        ui.add_space(GAP);
        ui.label(egui::RichText::new(line.0).color(line.1));
    });
    ui.add_space(0.5 * GAP);
}

fn cards(
    ui: &mut egui::Ui,
    gallery: &mut Gallery,
    pictures: &[egui::TextureHandle],
) -> Option<&'static Scene> {
    let mut opened = None;
    ui.spacing_mut().scroll.floating = false;
    let scroll = egui::ScrollArea::vertical().auto_shrink(false);
    scroll.show(ui, |ui| {
        let (columns, width) = columns(ui.available_width());
        let (moved, enters) = keys(ui, gallery, columns);
        ui.spacing_mut().item_spacing = egui::Vec2::ZERO;
        for (row, scenes) in SCENES.chunks(columns).enumerate() {
            let texts: Vec<_> = scenes.iter().map(|scene| texts(ui, scene, width)).collect();
            let tallest = texts
                .iter()
                .map(|[name, sentence]| name.size().y + sentence.size().y);
            let tallest = tallest.fold(0.0, f32::max);
            let size = egui::vec2(width, SHAPE * width + tallest + 2.0 * PADDING);
            ui.horizontal(|ui| {
                for (column, (scene, texts)) in scenes.iter().zip(texts).enumerate() {
                    let number = row * columns + column;
                    let is_chosen = gallery.chosen == number;
                    let card = card(ui, size, &pictures[number], scene, texts, is_chosen);
                    if is_chosen && moved {
                        ui.scroll_to_rect(card.rect.expand(GAP), None);
                    }
                    if card.clicked() {
                        gallery.chosen = number;
                    }
                    if card.clicked() || (is_chosen && enters) {
                        opened = Some(scene);
                    }
                    ui.add_space(GAP);
                }
            });
            ui.add_space(GAP);
        }
    });
    opened
}

/// How many cards lie in a row of this width, and how wide each is.
fn columns(available: f32) -> (usize, f32) {
    let columns = ((available / (LEAST_WIDTH + GAP)) as usize).max(1);
    (columns, available / columns as f32 - GAP)
}

/// Moves the choice by the arrows. Whether it has moved, and whether the chosen scene is opened.
fn keys(ui: &egui::Ui, gallery: &mut Gallery, columns: usize) -> (bool, bool) {
    use egui::{Key, Modifiers};
    let last = SCENES.len() - 1;
    let mut chosen = gallery.chosen;
    let enters = ui.input_mut(|input| {
        let mut pressed = |key| input.consume_key(Modifiers::NONE, key);
        if pressed(Key::ArrowLeft) {
            chosen = chosen.saturating_sub(1);
        }
        if pressed(Key::ArrowRight) {
            chosen = (chosen + 1).min(last);
        }
        if pressed(Key::ArrowUp) {
            chosen = chosen.checked_sub(columns).unwrap_or(chosen);
        }
        if pressed(Key::ArrowDown) {
            // From above a row that is not full, to its end.
            let is_last_row = chosen / columns == last / columns;
            chosen = if is_last_row {
                chosen
            } else {
                (chosen + columns).min(last)
            };
        }
        if pressed(Key::Home) {
            chosen = 0;
        }
        if pressed(Key::End) {
            chosen = last;
        }
        pressed(Key::Enter)
    });
    let moved = std::mem::replace(&mut gallery.chosen, chosen) != chosen;
    (moved, enters)
}

type Galley = std::sync::Arc<egui::Galley>;

fn texts(ui: &egui::Ui, scene: &Scene, width: f32) -> [Galley; 2] {
    let layout = |text: &str, size, color| {
        let font = egui::FontId::proportional(size);
        let painter = ui.painter();
        painter.layout(text.to_owned(), font, color, width - 2.0 * PADDING)
    };
    [
        layout(scene.name, 18.0, NAME),
        layout(scene.sentence, 14.0, SENTENCE),
    ]
}

fn card(
    ui: &mut egui::Ui,
    size: egui::Vec2,
    picture: &egui::TextureHandle,
    scene: &Scene,
    [name, sentence]: [Galley; 2],
    is_chosen: bool,
) -> egui::Response {
    let (rect, card) = ui.allocate_exact_size(size, egui::Sense::click());
    let info = || egui::WidgetInfo::labeled(egui::WidgetType::Button, true, scene.name);
    card.widget_info(info);
    let card = card.on_hover_cursor(egui::CursorIcon::PointingHand);
    if !ui.is_rect_visible(rect) {
        return card;
    }
    let painter = ui.painter();
    let fill = if card.hovered() { HOVERED } else { CARD };
    painter.rect_filled(rect, 6.0, fill);
    let frame = egui::Rect::from_min_size(rect.min, egui::vec2(size.x, SHAPE * size.x));
    let corners = egui::CornerRadius {
        nw: 6,
        ne: 6,
        ..egui::CornerRadius::ZERO
    };
    egui::Image::new(picture)
        .corner_radius(corners)
        .paint_at(ui, frame);
    let at = frame.left_bottom() + egui::vec2(PADDING, PADDING);
    let below = egui::vec2(0.0, name.size().y);
    painter.galley(at, name, NAME);
    painter.galley(at + below, sentence, SENTENCE);
    if is_chosen {
        let stroke = egui::Stroke::new(2.0, ACCENT);
        painter.rect_stroke(rect, 6.0, stroke, egui::StrokeKind::Inside);
    }
    card
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_fill_the_width_of_any_window() {
        for available in [200.0, 612.0, 1252.0, 1892.0_f32] {
            let (columns, width) = columns(available);
            assert!((columns as f32 * (width + GAP) - available).abs() < 1e-2);
            assert!(columns == 1 || width >= LEAST_WIDTH, "{columns} of {width}");
        }
    }

    /// The choice after these keys, with four cards in a row.
    fn chosen_after(keys: &[egui::Key]) -> usize {
        let ctx = egui::Context::default();
        let mut gallery = Gallery::default();
        for &key in keys {
            let press = |pressed| egui::Event::Key {
                key,
                physical_key: None,
                pressed,
                repeat: false,
                modifiers: egui::Modifiers::NONE,
            };
            let input = egui::RawInput {
                events: vec![press(true), press(false)],
                ..Default::default()
            };
            let _ = ctx.run_ui(input, |ui| {
                super::keys(ui, &mut gallery, 4);
            });
        }
        gallery.chosen
    }

    #[test]
    fn arrows_choose_and_stop_at_the_edges() {
        use egui::Key::{ArrowDown, ArrowLeft, ArrowRight, ArrowUp, End, Home};
        let last = SCENES.len() - 1;
        assert_eq!(chosen_after(&[ArrowRight, ArrowDown]), 5);
        assert_eq!(chosen_after(&[ArrowLeft, ArrowUp]), 0);
        assert_eq!(chosen_after(&[ArrowDown, ArrowDown, ArrowUp]), 4);
        assert_eq!(chosen_after(&[End, ArrowRight, ArrowDown]), last);
        assert_eq!(chosen_after(&[End, Home]), 0);
        assert_eq!(chosen_after(&[ArrowDown; 9]), last / 4 * 4);
    }

    #[test]
    fn every_scene_has_a_picture() {
        let pictures = load(&egui::Context::default()).unwrap();
        assert!(pictures.iter().all(|picture| picture.size() == [400, 225]));
    }
}
