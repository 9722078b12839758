//! The display of the score, and the next action in words.

use bevy::prelude::*;
use scene_kit::window::{BesideInspector, StatusLine};

use crate::pinball::machine::{
    play::Game,
    robot::IsOn,
    rules::{BALLS, Phase, Rules, points},
};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn_display)
        .add_systems(Update, (show, advise));
}

const AMBER: Color = Color::srgb(1.0, 0.62, 0.16);
const DIM: Color = Color::srgb(0.72, 0.52, 0.30);
const GLASS: Color = Color::srgba(0.03, 0.012, 0.02, 0.88);

/// A text of the display.
#[derive(Component, Clone, Copy, Debug)]
enum Field {
    Score,
    Ball,
    Bonus,
    Ramp,
    Best,
    News,
}

fn text(field: Field, size: f32, color: Color) -> impl Bundle {
    (
        field,
        Text::new(""),
        TextFont::from_font_size(size),
        TextColor(color),
    )
}

fn spawn_display(mut commands: Commands) {
    commands.spawn((
        BesideInspector(16.0),
        Node {
            position_type: PositionType::Absolute,
            top: px(16),
            width: px(330),
            padding: UiRect::axes(px(18), px(14)),
            border: UiRect::all(px(2)),
            border_radius: BorderRadius::all(px(8)),
            flex_direction: FlexDirection::Column,
            row_gap: px(5),
            ..default()
        },
        BackgroundColor(GLASS),
        BorderColor::all(DIM),
        children![
            text(Field::Score, 58.0, AMBER),
            text(Field::Ball, 22.0, AMBER),
            text(Field::Bonus, 17.0, DIM),
            text(Field::Ramp, 17.0, DIM),
            text(Field::Best, 17.0, DIM),
            text(Field::News, 20.0, AMBER),
        ],
    ));
}

/// A number with a comma after each three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn line(field: Field, rules: &Rules, best: u64) -> String {
    match field {
        Field::Score => grouped(rules.score),
        Field::Ball if rules.phase == Phase::Over => "GAME OVER".into(),
        Field::Ball => format!("Ball {} of {BALLS}", rules.ball),
        Field::Bonus => format!(
            "Bonus: {} x {}",
            grouped(rules.bonus * points::BONUS),
            rules.multiplier
        ),
        Field::Ramp => format!("Next ramp: {}", grouped(rules.ramp_points())),
        Field::Best => format!("Best: {}", grouped(best)),
        Field::News => rules.news.clone(),
    }
}

fn show(mut fields: Query<(&Field, &mut Text)>, game: Res<Game>) {
    for (field, mut text) in &mut fields {
        let line = line(*field, &game.rules, game.best);
        if text.0 != line {
            text.0 = line;
        }
    }
}

/// The next action.
fn advise(mut status: ResMut<StatusLine>, game: Res<Game>, robot: Res<IsOn>) {
    let rules = &game.rules;
    let advice = match rules.phase {
        _ if robot.0 => "The computer plays: press a flipper key to play yourself",
        Phase::Serve | Phase::Launch => "Hold Space, then let it go: the longer, the faster",
        Phase::Play if rules.saves() => "A ball that drains now comes back",
        Phase::Play if rules.standups == [true; 2] => "Shoot the blue ramp: it counts double",
        Phase::Play => "Targets and lanes raise the bonus; each ramp is worth more",
        Phase::Tilted => "Tilt: wait for the ball to drain",
        Phase::Drained(_) => "The ball drained",
        Phase::Over => "Press R for a new game",
    };
    status.set_if_neq(StatusLine(advice.into()));
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn digits_come_in_groups_of_three() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(grouped(number), text);
        }
    }
}
