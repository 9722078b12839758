//! The board at the top: the players, the target balls, the last shot and the next action; and the questions of the rules.

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use scene_kit::window::KeyHelp;

use super::{
    menu::big_button,
    paint::{ACCENT, FAINT, TEXT, WARNING, ball, panel, plain_ball},
    textures::{carom_color, snooker_color},
};
use crate::{
    opponent::Opponent,
    play::{
        cue::Cue,
        matches::Match,
        practice::Practice,
        referee::Ask,
        state::{Game, Phase},
        words,
    },
    player::{menu::Menu, sight::Sight},
    rules::{Ball, BallSet, Call, Discipline, Frame, Player, Turn, snooker},
    table::bed::{Table, above},
};

/// The colour of what is called.
const CALLED: Color = Color::srgb(0.4, 1.0, 0.5);

/// Radius of the little balls, in logical pixels, and from one to the next.
const BALL: f32 = 10.0;
const PITCH: f32 = 23.0;

pub(super) struct HudPlugin;

impl Plugin for HudPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(KeyHelp::new([
            ("1 2 3", "room, top, cue view"),
            ("Shift, A D", "aim finely"),
            ("S and the mouse", "stroke the cue"),
            ("Space, F", "slow replay, faster"),
            ("Z", "take back"),
            ("F5", "save the shot"),
            ("I", "the shot in numbers"),
            ("M", "menu"),
        ]))
        .add_systems(
            EguiPrimaryContextPass,
            (show_board, show_question).run_if(|menu: Res<Menu>| !menu.open),
        )
        .add_systems(Update, mark_called_ball);
    }
}

fn show_board(
    mut contexts: EguiContexts,
    game: Res<Game>,
    on: Res<Match>,
    cue: Res<Cue>,
    opponent: Res<Opponent>,
    sight: Res<Sight>,
    mut asks: MessageWriter<Ask>,
) -> Result {
    let context = contexts.ctx_mut()?;
    panel(context, "board", egui::Align2::CENTER_TOP, [0.0, 10.0])
        .interactable(true)
        .show(context, |ui| {
            ui.set_width(760.0);
            ui.spacing_mut().item_spacing.y = 4.0;
            if on.discipline().is_some_and(|d| d != Discipline::FreeTable) {
                players(ui, &on, &game);
            }
            ui.vertical_centered(|ui| {
                if let Some(practice) = &on.practice {
                    drill(ui, practice);
                }
                let foul = on.ruling.as_ref().is_some_and(|r| !r.fouls.is_empty());
                let news = if game.note.is_empty() && game.phase == Phase::Aim {
                    on.news.join(" ")
                } else {
                    game.note.clone()
                };
                if !news.is_empty() {
                    let color = if foul { WARNING } else { FAINT };
                    ui.label(egui::RichText::new(news).size(16.0).color(color));
                }
                let hint = words::hint(&game, &on, &cue, opponent.thinks());
                if !hint.is_empty() {
                    // In the hint's place: a line more would move the view. Before the first shot, one must learn how to shoot.
                    let foul = sight.foul().filter(|_| game.shots > 0);
                    let (line, color) = match foul.zip(on.discipline()) {
                        Some((foul, game)) => {
                            let why = foul.sentence(game);
                            (format!("As aimed, a foul: {why}."), WARNING)
                        }
                        None => (hint, TEXT),
                    };
                    ui.label(egui::RichText::new(line).size(18.0).color(color));
                }
                calls(ui, &on, &game, &mut asks);
            });
        });
    Ok(())
}

/// The drill that is practised: its task, the last try, and the good tries so far.
fn drill(ui: &mut egui::Ui, practice: &Practice) {
    let Practice {
        drill: number,
        tries,
        made,
        row,
        result,
    } = *practice;
    let drill = practice.drill();
    let title = format!("Drill {}: {}", number + 1, drill.name);
    ui.label(egui::RichText::new(title).size(20.0).color(ACCENT));
    ui.label(egui::RichText::new(drill.task).size(16.0).color(TEXT));
    if tries > 0 {
        let count = format!("{made} of {tries} made, {row} in a row");
        ui.label(egui::RichText::new(count).size(14.0).color(FAINT));
    }
    if let Some(result) = result {
        let color = if result.is_ok() { ACCENT } else { WARNING };
        let text = egui::RichText::new(words::tried(practice));
        ui.label(text.size(18.0).color(color));
    }
}

/// Both players with their balls, and the score between them.
fn players(ui: &mut egui::Ui, on: &Match, game: &Game) {
    ui.columns(3, |columns| {
        for (column, player) in [(0, Player::One), (2, Player::Two)] {
            columns[column].vertical_centered(|ui| seat(ui, on, game, player));
        }
        columns[1].vertical_centered(|ui| {
            if let Some(Discipline::StraightPool(goal)) = on.discipline() {
                straight_pool(ui, goal.get(), on.frame.as_ref());
                return;
            }
            let score = format!(
                "{} : {}",
                on.race.won(Player::One),
                on.race.won(Player::Two)
            );
            ui.label(egui::RichText::new(score).size(24.0).color(TEXT));
            let goal = match on.race.goal().get() {
                1 => "one frame".to_owned(),
                goal => format!("first to {goal}"),
            };
            ui.label(egui::RichText::new(goal).size(13.0).color(FAINT));
            if let (Some(Discipline::Snooker), Some(frame)) = (on.discipline(), &on.frame) {
                snooker_table(ui, frame.balls());
            }
            let in_order = match on.discipline() {
                Some(Discipline::NineBall) => Some(BallSet::numbers(1, 9)),
                Some(Discipline::TenBall) => Some(BallSet::numbers(1, 10)),
                _ => None,
            };
            if let Some(balls) = in_order {
                row(ui, balls.iter().collect(), &game.pocketed);
            }
        });
    });
}

/// The points that win straight pool, and the balls until the next rack.
fn straight_pool(ui: &mut egui::Ui, goal: u32, frame: Option<&Frame>) {
    let text = egui::RichText::new(format!("{goal} points win"));
    ui.label(text.size(18.0).color(TEXT));
    let balls = frame.map_or(0, |frame| frame.balls().len());
    let text = egui::RichText::new(format!("{balls} balls on the table"));
    ui.label(text.size(13.0).color(FAINT));
}

/// The balls on a snooker table: the number of the reds, and the colours.
fn snooker_table(ui: &mut egui::Ui, balls: BallSet) {
    ui.horizontal(|ui| {
        let reds = balls.intersection(snooker::REDS).len();
        let colors = balls.intersection(snooker::COLORS);
        let width = 2.2 * BALL * (colors.len() + 2) as f32;
        ui.spacing_mut().item_spacing.x = 0.2 * BALL;
        ui.add_space((0.5 * (ui.available_width() - width)).max(0.0));
        if reds > 0 {
            plain_ball(ui, 0.8 * BALL, snooker_color(Ball(1)));
            let text = egui::RichText::new(format!("× {reds}  "));
            ui.label(text.size(14.0).color(FAINT));
        }
        for color in colors.iter() {
            plain_ball(ui, 0.8 * BALL, snooker_color(color));
        }
    });
}

fn seat(ui: &mut egui::Ui, on: &Match, game: &Game, player: Player) {
    let plays = on.player() == Some(player);
    let name = words::name(player, on.seats);
    let text = if plays { format!("▶ {name}") } else { name };
    let color = if plays { ACCENT } else { FAINT };
    ui.label(egui::RichText::new(text).size(20.0).color(color));
    let Some(frame) = &on.frame else {
        return;
    };
    match (on.discipline(), frame.group(player)) {
        (Some(Discipline::EightBall(_)), Some(group)) => {
            let balls = group.balls().iter().chain([Ball(8)]);
            row(ui, balls.collect(), &game.pocketed);
        }
        (Some(Discipline::EightBall(_)), None) => {
            ui.label(egui::RichText::new("no group yet").size(14.0).color(FAINT));
        }
        _ => {}
    }
    if let Some(points) = frame.points(player) {
        let text = egui::RichText::new(points.to_string());
        let text = text.size(22.0).color(TEXT);
        if on.discipline() == Some(Discipline::ThreeCushion) {
            ui.horizontal(|ui| {
                // In the middle of the column.
                ui.add_space(0.5 * ui.available_width() - 2.0 * BALL);
                plain_ball(ui, 0.8 * BALL, carom_color(Ball(player.index() as u8)));
                ui.label(text);
            });
        } else {
            ui.label(text);
        }
        if let Some(goal) = frame.goal() {
            let text = format!("{} to go", (i64::from(goal) - i64::from(points)).max(0));
            ui.label(egui::RichText::new(text).size(13.0).color(FAINT));
        }
    }
    let fouls = frame.consecutive_fouls(player);
    if fouls > 0 {
        let text = format!("{fouls} of 3 fouls in a row");
        ui.label(egui::RichText::new(text).size(14.0).color(WARNING));
    }
}

fn row(ui: &mut egui::Ui, balls: Vec<Ball>, down: &[Ball]) {
    let size = egui::vec2(PITCH * balls.len() as f32, 2.0 * BALL + 2.0);
    let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
    for (place, number) in balls.into_iter().enumerate() {
        let at = rect.left_center() + egui::vec2((place as f32 + 0.5) * PITCH, 0.0);
        ball(ui.painter(), at, BALL, number, down.contains(&number));
    }
}

/// The calls that name no ball: a push out after the break, and a safety where a call is needed.
fn calls(ui: &mut egui::Ui, on: &Match, game: &Game, asks: &mut MessageWriter<Ask>) {
    const PUSH_OUT: &str =
        "Push out: roll the white ball anywhere, then the other chooses who shoots";
    const SAFETY: &str = "Safety: call no ball";
    let Some(frame) = &on.frame else {
        return;
    };
    if game.phase != Phase::Aim || !on.is_human_turn() {
        return;
    }
    for (call, offered, text) in [
        (Call::PushOut, true, PUSH_OUT),
        (Call::Safety, frame.must_call(), SAFETY),
    ] {
        if !offered || !frame.may_call(call) {
            continue;
        }
        let mut called = frame.called() == Some(call);
        let text = egui::RichText::new(text).size(14.0);
        if ui.checkbox(&mut called, text).changed() {
            asks.write(Ask::Call(called.then_some(call)));
        }
    }
}

/// A ring round the called ball, of the colour of the ring round its pocket.
fn mark_called_ball(
    mut gizmos: Gizmos,
    balls: Query<(&Ball, &Transform)>,
    on: Res<Match>,
    game: Res<Game>,
    table: Res<Table>,
) {
    let called = on.frame.as_ref().and_then(Frame::called);
    let Some(Call::Pot { ball, .. }) = called.filter(|_| game.phase == Phase::Aim) else {
        return;
    };
    let Some((_, place)) = balls.iter().find(|(other, _)| **other == ball) else {
        return;
    };
    let radius = table.spec.ball.radius;
    let flat = Quat::from_rotation_arc(Vec3::Z, Vec3::Y);
    let place = Isometry3d::new(above(place.translation.xz(), 0.1 * radius), flat);
    let ring = gizmos.circle(place, 1.5 * radius, CALLED);
    ring.resolution(40);
}

/// The rules' question to a player, and the end of a frame.
fn show_question(
    mut contexts: EguiContexts,
    game: Res<Game>,
    on: Res<Match>,
    mut menu: ResMut<Menu>,
    mut asks: MessageWriter<Ask>,
) -> Result {
    let Some(frame) = on.frame.as_ref().filter(|_| game.phase == Phase::Aim) else {
        return Ok(());
    };
    let context = contexts.ctx_mut()?;
    let window = panel(
        context,
        "question",
        egui::Align2::CENTER_CENTER,
        [0.0, 40.0],
    );
    match frame.turn() {
        Turn::Choose { options, about, .. } if on.is_human_turn() => {
            window.show(context, |ui| {
                ui.vertical_centered_justified(|ui| {
                    ui.label(
                        egui::RichText::new(about.to_string())
                            .size(20.0)
                            .color(TEXT),
                    );
                    for choice in options {
                        let text = egui::RichText::new(choice.to_string()).size(17.0);
                        if ui.button(text.color(ACCENT)).clicked() {
                            asks.write(Ask::Choose(*choice));
                        }
                    }
                });
            });
        }
        Turn::Over { winner, ending } => {
            window.show(context, |ui| {
                ui.vertical_centered(|ui| {
                    let race = on.race.winner().is_some();
                    let what = if race { "the match" } else { "the frame" };
                    let text = format!("{} {what}!", words::does(*winner, on.seats, "win"));
                    ui.label(egui::RichText::new(text).size(30.0).color(ACCENT));
                    ui.label(
                        egui::RichText::new(format!("{ending}."))
                            .size(17.0)
                            .color(TEXT),
                    );
                    ui.add_space(6.0);
                    let next = if race {
                        "Play again (Enter)"
                    } else {
                        "Next frame (Enter)"
                    };
                    if big_button(ui, next) {
                        asks.write(Ask::NextFrame);
                    }
                    if ui
                        .button(egui::RichText::new("Menu (M)").size(16.0))
                        .clicked()
                    {
                        menu.open = true;
                    }
                });
            });
        }
        _ => {}
    }
    Ok(())
}
