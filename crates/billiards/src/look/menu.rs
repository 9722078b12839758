//! The menu on the screen.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};

use super::{
    paint::{ACCENT, FAINT, TEXT, panel},
    shelf,
};
use crate::{
    play::{
        drill::DRILLS,
        matches::{Match, Seat},
    },
    player::{
        files::Shelf,
        menu::{self, ITEMS, Item, Menu, OPPONENTS, POINTS, RACES},
    },
    rules::Discipline,
};

/// Width of the menu, in points.
const WIDTH: f32 = 700.0;

/// From the middle of the window, in points: the help for the keys stays free.
const BESIDE_HELP: [f32; 2] = [50.0, 0.0];

/// The cloth's green, behind the ticked items.
const CHOSEN: egui::Color32 = egui::Color32::from_rgb(0, 84, 60);

pub(super) struct MenuPlugin;

impl Plugin for MenuPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(
            EguiPrimaryContextPass,
            show.run_if(|menu: Res<Menu>| menu.open),
        );
    }
}

fn show(
    mut commands: Commands,
    mut contexts: EguiContexts,
    mut menu: ResMut<Menu>,
    shelf: Res<Shelf>,
    on: Res<Match>,
) -> Result {
    let context = contexts.ctx_mut()?;
    let mut ticked = *menu;
    let mut start = false;
    panel(context, "menu", egui::Align2::CENTER_CENTER, BESIDE_HELP)
        .order(egui::Order::Foreground)
        .show(context, |ui| {
            ui.set_width(WIDTH);
            ui.spacing_mut().item_spacing = egui::vec2(8.0, 6.0);
            ui.spacing_mut().button_padding = egui::vec2(10.0, 6.0);
            ui.visuals_mut().selection.bg_fill = CHOSEN;
            ui.label(egui::RichText::new("Billiards").size(34.0).color(ACCENT));
            items(ui, &mut ticked);
            ui.add_space(2.0);
            match ticked.chosen() {
                Item::Game(Discipline::FreeTable) => {}
                Item::Game(game) => goals(ui, &mut ticked, game),
                Item::Drills => {
                    ui.horizontal_wrapped(|ui| {
                        for (index, drill) in DRILLS.iter().enumerate() {
                            if chip(ui, ticked.drill == index, drill.name) {
                                ticked.drill = index;
                            }
                        }
                    });
                }
                Item::Saved => shelf::show(ui, &shelf, &mut ticked.saved),
            }
            ui.add_space(4.0);
            ui.horizontal(|ui| {
                start = big_button(ui, "Start");
                let plays = on.frame.is_some() || on.practice.is_some();
                if plays && chip(ui, false, "Back to the table (M)") {
                    ticked.open = false;
                }
                let keys = "Arrow keys, Page Up and Page Down choose; Enter starts.";
                ui.label(egui::RichText::new(keys).size(14.0).color(FAINT));
            });
        });
    menu.set_if_neq(ticked);
    if start {
        commands.run_system_cached(menu::start);
    }
    Ok(())
}

/// What one may do, in two columns.
fn items(ui: &mut egui::Ui, menu: &mut Menu) {
    let half = ITEMS.len().div_ceil(2);
    ui.columns(2, |columns| {
        for (index, (_, name, what)) in ITEMS.iter().enumerate() {
            if card(&mut columns[index / half], menu.item == index, name, what) {
                menu.item = index;
            }
        }
    });
}

/// The opponent, and how far the match goes.
fn goals(ui: &mut egui::Ui, menu: &mut Menu, game: Discipline) {
    ui.horizontal(|ui| {
        for (index, (seat, name)) in OPPONENTS.iter().enumerate() {
            if chip(ui, menu.opponent == index, name) {
                menu.opponent = index;
            }
            if *seat == Seat::Human {
                let or = "or against the computer:";
                ui.label(egui::RichText::new(or).size(16.0).color(TEXT));
            }
        }
    });
    let of_points = matches!(game, Discipline::StraightPool(_));
    let (what, goals, chosen) = if of_points {
        ("Points to win", POINTS, &mut menu.points)
    } else {
        ("Frames to win", RACES, &mut menu.race)
    };
    ui.horizontal(|ui| {
        ui.label(egui::RichText::new(what).size(16.0).color(TEXT));
        for (index, goal) in goals.iter().enumerate() {
            if chip(ui, *chosen == index, &goal.to_string()) {
                *chosen = index;
            }
        }
    });
}

fn card(ui: &mut egui::Ui, chosen: bool, name: &str, what: &str) -> bool {
    let mut text = egui::text::LayoutJob::default();
    let format = |size, color| egui::TextFormat {
        font_id: egui::FontId::proportional(size),
        color,
        ..egui::TextFormat::default()
    };
    text.append(name, 0.0, format(20.0, if chosen { ACCENT } else { TEXT }));
    text.append("\n", 0.0, format(15.0, FAINT));
    text.append(what, 0.0, format(15.0, FAINT));
    let button = egui::Button::new(text)
        .selected(chosen)
        .wrap()
        .min_size(egui::vec2(ui.available_width(), 66.0));
    let tight = |ui: &mut egui::Ui| {
        ui.spacing_mut().button_padding.y = 3.0;
        ui.add(button).clicked()
    };
    ui.scope(tight).inner
}

fn chip(ui: &mut egui::Ui, chosen: bool, name: &str) -> bool {
    let color = if chosen { ACCENT } else { TEXT };
    let text = egui::RichText::new(name).size(16.0).color(color);
    ui.add(egui::Button::new(text).selected(chosen)).clicked()
}

/// A button for the next action.
pub(super) fn big_button(ui: &mut egui::Ui, text: &str) -> bool {
    let text = egui::RichText::new(text)
        .size(20.0)
        .color(egui::Color32::BLACK);
    let button = egui::Button::new(text)
        .fill(ACCENT)
        .min_size(egui::vec2(120.0, 36.0));
    ui.add(button).clicked()
}
