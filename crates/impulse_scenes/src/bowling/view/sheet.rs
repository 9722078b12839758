//! The score sheet, and the next action in words.

use bevy::prelude::*;
use scene_kit::window::{BesideInspector, StatusLine};

use crate::bowling::{
    play::{Game, Hands, Phase},
    robot::IsOn,
    score::{FRAMES, marks, score},
    world::ball::Throw,
};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn_sheet).add_systems(
        Update,
        (
            show_sheet.run_if(resource_changed::<Game>),
            advise.run_if(resource_changed::<Game>.or_else(resource_changed::<Hands>)),
        ),
    );
}

const PAPER: Color = Color::srgba(0.03, 0.035, 0.05, 0.96);
const EDGE: Color = Color::srgb(0.34, 0.36, 0.42);
const NOW: Color = Color::srgb(1.0, 0.75, 0.36);
const INK: Color = Color::srgb(0.93, 0.94, 0.96);
const FAINT: Color = Color::srgb(0.60, 0.62, 0.68);

/// The box of a frame, from 0.
#[derive(Component, Clone, Copy)]
struct FrameBox(usize);

/// A text of a frame's box: its marks, or the score.
#[derive(Component, Clone, Copy)]
enum Field {
    Marks(usize),
    Score(usize),
}

fn text(field: Field, size: f32) -> impl Bundle {
    (
        field,
        Text::new(" "),
        TextFont::from_font_size(size),
        TextColor(INK),
    )
}

fn spawn_sheet(mut commands: Commands) {
    let sheet = Node {
        position_type: PositionType::Absolute,
        top: px(12),
        padding: UiRect::all(px(6)),
        border_radius: BorderRadius::all(px(6)),
        column_gap: px(3),
        ..default()
    };
    commands
        .spawn((BesideInspector(12.0), sheet, BackgroundColor(PAPER)))
        .with_children(|sheet| {
            for frame in 0..FRAMES {
                let is_last = frame == FRAMES - 1;
                let node = Node {
                    width: px(if is_last { 72 } else { 54 }),
                    padding: UiRect::axes(px(4), px(3)),
                    border: UiRect::all(px(1)),
                    border_radius: BorderRadius::all(px(3)),
                    flex_direction: FlexDirection::Column,
                    align_items: AlignItems::Center,
                    ..default()
                };
                sheet.spawn((
                    FrameBox(frame),
                    node,
                    BorderColor::all(EDGE),
                    children![
                        (
                            Text::new((frame + 1).to_string()),
                            TextFont::from_font_size(12.0),
                            TextColor(FAINT),
                        ),
                        text(Field::Marks(frame), 19.0),
                        text(Field::Score(frame), 22.0),
                    ],
                ));
            }
        });
}

fn show_sheet(
    game: Res<Game>,
    mut boxes: Query<(&FrameBox, &mut BorderColor)>,
    mut fields: Query<(&Field, &mut Text)>,
) {
    let now = game.turn().map(|turn| turn.frame);
    for (frame, mut edge) in &mut boxes {
        let color = if now == Some(frame.0) { NOW } else { EDGE };
        edge.set_if_neq(BorderColor::all(color));
    }
    let (marks, scores) = (marks(&game.balls), score(&game.balls));
    for (field, mut text) in &mut fields {
        let line = match *field {
            Field::Marks(frame) => spaced(&marks[frame]),
            Field::Score(frame) => scores[frame].map_or(" ".into(), |score| score.to_string()),
        };
        text.set_if_neq(Text::new(line));
    }
}

/// The marks with a space between two, and never empty: an empty text has no height.
fn spaced(marks: &str) -> String {
    let parts: Vec<String> = marks.chars().map(String::from).collect();
    if parts.is_empty() {
        return " ".into();
    }
    parts.join("  ")
}

fn hook(throw: Throw) -> String {
    let percent = (100.0 * throw.hook.abs()).round();
    match throw.hook {
        _ if percent == 0.0 => "no hook".into(),
        hook if hook > 0.0 => format!("hook left {percent} %"),
        _ => format!("hook right {percent} %"),
    }
}

/// The next action.
fn advise(
    mut status: ResMut<StatusLine>,
    (game, hands): (Res<Game>, Res<Hands>),
    robot: Res<IsOn>,
) {
    let line = match (game.phase, game.turn()) {
        (Phase::Over, _) => format!("{} points, best {}. R: new game", game.score(), game.best),
        (Phase::Roll, _) => "It rolls ...".into(),
        (Phase::Counted, _) => news(&game),
        _ if robot.0 => "The computer plays. Space: you play".into(),
        (Phase::Aim, Some(turn)) => {
            let throw = hands.throw;
            format!(
                "Frame {}, ball {}. {:.1} m/s, {}. Click to throw",
                turn.frame + 1,
                turn.ball + 1,
                throw.speed,
                hook(throw)
            )
        }
        (Phase::Aim, None) => String::new(),
    };
    status.set_if_neq(StatusLine(line));
}

/// What the last ball did.
fn news(game: &Game) -> String {
    let marks = marks(&game.balls);
    let last = marks.iter().rfind(|marks| !marks.is_empty());
    match last.and_then(|marks| marks.chars().last()) {
        Some('X') => "Strike!".into(),
        Some('/') => "Spare!".into(),
        Some('-') => "No pin".into(),
        Some('1') => "One pin".into(),
        Some(pins) => format!("{pins} pins"),
        None => String::new(),
    }
}
