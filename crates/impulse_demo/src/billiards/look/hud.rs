//! Texts and gauges: whose turn it is, what to do, how hard the shot will be and with what spin.

use bevy::prelude::*;

use super::super::{
    balls::Kind,
    cue::{Cue, FASTEST_SHOT, Stroke},
    game::{Game, Phase},
};
use crate::window::{KeyHelp, StatusLine};

const DIAL: f32 = 76.0;
const DOT: f32 = 14.0;

pub(super) struct HudPlugin;

impl Plugin for HudPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(KeyHelp::new([
            ("Left drag", "pull back and shoot"),
            ("Esc", "do not shoot"),
            ("Arrows", "spin"),
            ("PgUp PgDn", "raise the cue"),
            ("T", "top view"),
            ("R", "rack again"),
        ]))
        .add_systems(Startup, spawn_gauges)
        .add_systems(
            PostUpdate,
            (
                show_status.run_if(
                    resource_exists_and_changed::<Game>.or_else(resource_exists_and_changed::<Cue>),
                ),
                (show_power, show_tip).run_if(resource_exists_and_changed::<Cue>),
            ),
        );
    }
}

#[derive(Component)]
struct PowerPanel;

#[derive(Component)]
struct PowerBar;

#[derive(Component)]
struct PowerText;

#[derive(Component)]
struct TipDot;

fn spawn_gauges(mut commands: Commands) {
    let back = BackgroundColor(Color::srgba(0.02, 0.025, 0.04, 0.72));
    let text = |text: &str, size| {
        (
            Text::new(text),
            TextFont::from_font_size(size),
            TextColor(Color::srgb(0.92, 0.93, 0.95)),
            Pickable::IGNORE,
        )
    };
    commands.spawn((
        Node {
            position_type: PositionType::Absolute,
            bottom: px(20),
            width: percent(100),
            justify_content: JustifyContent::Center,
            ..default()
        },
        Pickable::IGNORE,
        children![(
            PowerPanel,
            Visibility::Hidden,
            Node {
                padding: UiRect::axes(px(14), px(10)),
                column_gap: px(14),
                align_items: AlignItems::Center,
                border_radius: BorderRadius::all(px(6)),
                ..default()
            },
            back,
            Pickable::IGNORE,
            children![
                (
                    Node {
                        width: px(320),
                        height: px(16),
                        border_radius: BorderRadius::all(px(8)),
                        overflow: Overflow::clip(),
                        ..default()
                    },
                    BackgroundColor(Color::srgba(1.0, 1.0, 1.0, 0.14)),
                    Pickable::IGNORE,
                    children![(
                        PowerBar,
                        Node {
                            height: percent(100),
                            ..default()
                        },
                        BackgroundColor::default(),
                        Pickable::IGNORE
                    )],
                ),
                (
                    PowerText,
                    text("", 20.0),
                    TextLayout::no_wrap(),
                    Node {
                        width: px(120),
                        ..default()
                    }
                ),
            ],
        )],
    ));
    commands.spawn((
        Node {
            position_type: PositionType::Absolute,
            right: px(12),
            bottom: px(12),
            padding: UiRect::all(px(10)),
            row_gap: px(6),
            flex_direction: FlexDirection::Column,
            align_items: AlignItems::Center,
            border_radius: BorderRadius::all(px(6)),
            ..default()
        },
        back,
        Pickable::IGNORE,
        children![
            (
                Node {
                    width: px(DIAL),
                    height: px(DIAL),
                    border_radius: BorderRadius::MAX,
                    ..default()
                },
                BackgroundColor(Color::srgb(0.95, 0.92, 0.84)),
                Pickable::IGNORE,
                children![(
                    TipDot,
                    Node {
                        position_type: PositionType::Absolute,
                        width: px(DOT),
                        height: px(DOT),
                        border_radius: BorderRadius::MAX,
                        ..default()
                    },
                    BackgroundColor(Color::srgb(0.10, 0.30, 0.75)),
                    Pickable::IGNORE,
                )],
            ),
            text("Cue tip", 16.0),
        ],
    ));
}

fn show_status(mut status: ResMut<StatusLine>, game: Res<Game>, cue: Res<Cue>) {
    let turn = match (game.phase, cue.stroke) {
        (Phase::Roll, _) | (_, Stroke::Strike { .. } | Stroke::Done) => "Balls rolling ...",
        (Phase::Aim, Stroke::Aim) => {
            "Your shot: aim with the mouse, hold the left button and pull back"
        }
        (Phase::Aim, Stroke::Pull { .. }) => "Pull back for power, let go to shoot",
    };
    let mut text = String::new();
    if !game.note.is_empty() {
        text += &game.note;
        text.push('\n');
    }
    text += turn;
    if game.shots > 0 {
        let (solids, stripes) = (game.count(Kind::Solid), game.count(Kind::Stripe));
        text += &format!(
            "\nShots: {}     Solids down: {solids} of 7     Stripes down: {stripes} of 7",
            game.shots
        );
    }
    status.set_if_neq(StatusLine(text));
}

fn show_power(
    cue: Res<Cue>,
    panel: Single<&mut Visibility, With<PowerPanel>>,
    bar: Single<(&mut Node, &mut BackgroundColor), With<PowerBar>>,
    text: Single<&mut Text, With<PowerText>>,
) {
    let (visibility, speed) = match cue.stroke {
        Stroke::Pull { back, .. } | Stroke::Strike { back, .. } => {
            (Visibility::Inherited, Cue::speed(back))
        }
        Stroke::Aim | Stroke::Done => (Visibility::Hidden, 0.0),
    };
    panel.into_inner().set_if_neq(visibility);
    let part = speed / FASTEST_SHOT;
    let (mut node, mut color) = bar.into_inner();
    node.width = percent(100.0 * part);
    color.0 = Color::hsl(120.0 * (1.0 - part), 0.85, 0.5);
    text.into_inner()
        .set_if_neq(Text::new(format!("{speed:.1} m/s")));
}

fn show_tip(cue: Res<Cue>, dot: Single<&mut Node, With<TipDot>>) {
    let place = (DIAL / 2.0) * (Vec2::ONE + Vec2::new(cue.tip.x, -cue.tip.y)) - DOT / 2.0;
    let mut dot = dot.into_inner();
    dot.left = px(place.x);
    dot.top = px(place.y);
}
