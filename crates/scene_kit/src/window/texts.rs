//! Texts on the screen: the help for the keys, a line at the top, and the sign that the world is paused.

use bevy::{input::common_conditions::input_just_pressed, prelude::*};
use bevy_egui::input::EguiWantsInput;
use bevy_impulse_collide::prelude::*;
use bevy_impulse_overlay::DragSettings;

use super::{fit::Covers, keys::keys_are_free};
use crate::{app::Recorded, way_back};

pub(super) fn plugin(app: &mut App) {
    // The texts of Bevy's UI look like those of egui's panels.
    let font = Font::from_bytes(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
    let mut fonts = app.world_mut().resource_mut::<Assets<Font>>();
    if let Err(problem) = fonts.insert(AssetId::default(), font) {
        warn!("the texts keep Bevy's font: {problem}");
    }
    app.init_resource::<KeyHelp>()
        .init_resource::<HelpFolded>()
        .init_resource::<StatusLine>()
        .add_systems(Startup, spawn_texts)
        .add_systems(
            Update,
            (
                (
                    fold_at_first_action.run_if(not(resource_exists::<HasActed>)),
                    fold_help.run_if(input_just_pressed(KeyCode::KeyH).and_then(keys_are_free)),
                    show_key_help.run_if(
                        resource_changed::<KeyHelp>.or_else(resource_changed::<HelpFolded>),
                    ),
                )
                    .chain(),
                show_status.run_if(resource_changed::<StatusLine>),
                show_paused.run_if(resource_changed::<StepControl>),
            ),
        );
}

/// Help for the scene's keys, drawn at the bottom left above the shared keys. Change it at any time.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyHelp(pub Vec<(String, String)>);

impl KeyHelp {
    /// Keys every scene has.
    const SHARED: [(&str, &str); 6] = [
        ("Right drag", "orbit"),
        ("Wheel", "zoom"),
        ("P", "pause"),
        ("N", "single step"),
        ("F1", "inspector"),
        ("H", "fold this help"),
    ];

    /// The one that a scene may keep for its open inspector.
    const DRAG: (&str, &str) = ("Ctrl, left drag", "pull a body");

    /// Makes the help from pairs of a key's name and its action.
    pub fn new<K: Into<String>, A: Into<String>>(lines: impl IntoIterator<Item = (K, A)>) -> Self {
        Self(
            lines
                .into_iter()
                .map(|(key, action)| (key.into(), action.into()))
                .collect(),
        )
    }

    /// The one of a run that is recorded.
    const RECORD: (&str, &str) = ("F12", "record to a file");

    /// The scene's own lines, then the shared ones.
    pub(super) fn lines(
        &self,
        drag: Option<&DragSettings>,
        is_recorded: bool,
    ) -> impl Iterator<Item = (&str, &str)> {
        let can_drag = drag.is_some_and(|drag| drag.while_hidden);
        let own = self.0.iter();
        let own = own.map(|(key, action)| (key.as_str(), action.as_str()));
        own.chain(can_drag.then_some(Self::DRAG))
            .chain(Self::SHARED)
            .chain(is_recorded.then_some(Self::RECORD))
    }
}

/// Whether the help for the keys is only a line that says how to unfold it.
#[derive(Resource, Clone, Copy, Debug, Default)]
struct HelpFolded(bool);

fn fold_help(mut folded: ResMut<HelpFolded>) {
    folded.0 = !folded.0;
}

/// Exists when the player has done something.
#[derive(Resource)]
struct HasActed;

/// Folds the help when the player has pressed a key or a button: he has seen it, and it covers a part of the window.
fn fold_at_first_action(
    mut commands: Commands,
    mut folded: ResMut<HelpFolded>,
    keys: Res<ButtonInput<KeyCode>>,
    buttons: Res<ButtonInput<MouseButton>>,
    egui: Option<Res<EguiWantsInput>>,
) {
    let asks_for_it = keys.just_pressed(KeyCode::KeyH);
    // A click in a menu comes before the first action.
    let is_in_panel = egui.is_some_and(|egui| egui.is_pointer_over_area());
    let has_clicked = !is_in_panel && buttons.get_just_pressed().len() > 0;
    if has_clicked || keys.get_just_pressed().len() > 0 {
        folded.0 = !asks_for_it;
        commands.insert_resource(HasActed);
    }
}

/// A line of news at the top: the score, whose turn it is, how fast it spins. Empty: none.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq, Deref, DerefMut)]
pub struct StatusLine(pub String);

/// The panel of the help.
#[derive(Component)]
pub(crate) struct KeyHelpPanel;

#[derive(Component)]
struct StatusPanel;

#[derive(Component)]
struct StatusText;

#[derive(Component)]
struct PausedSign;

pub(crate) const PANEL_COLOR: Color = Color::srgba(0.02, 0.025, 0.04, 0.84);
pub(crate) const KEY_COLOR: Color = Color::srgb(1.0, 0.82, 0.45);
pub(crate) const TEXT_COLOR: Color = Color::srgb(0.92, 0.93, 0.95);

pub(crate) fn panel(node: Node) -> impl Bundle {
    (
        Node {
            padding: UiRect::axes(px(12), px(8)),
            border_radius: BorderRadius::all(px(6)),
            ..node
        },
        BackgroundColor(PANEL_COLOR),
    )
}

pub(crate) fn label(text: impl Into<String>, size: f32, color: Color) -> impl Bundle {
    (
        Text::new(text),
        TextFont::from_font_size(size),
        TextColor(color),
    )
}

fn spawn_texts(mut commands: Commands) {
    commands.spawn((
        KeyHelpPanel,
        Covers,
        panel(Node {
            position_type: PositionType::Absolute,
            left: px(12),
            bottom: px(way_back::height().max(12.0)),
            display: Display::Grid,
            grid_template_columns: vec![GridTrack::max_content(), GridTrack::max_content()],
            column_gap: px(14),
            row_gap: px(3),
            ..default()
        }),
    ));
    // The inspector opens at the right, so this column is at the left.
    commands.spawn((
        Node {
            position_type: PositionType::Absolute,
            left: px(12),
            top: px(12),
            flex_direction: FlexDirection::Column,
            align_items: AlignItems::FlexStart,
            row_gap: px(8),
            ..default()
        },
        children![
            (
                StatusPanel,
                Covers,
                panel(default()),
                children![(StatusText, label("", 18.0, TEXT_COLOR))]
            ),
            (
                PausedSign,
                Covers,
                panel(default()),
                children![label(
                    "Paused: P goes on, N makes one step",
                    18.0,
                    KEY_COLOR
                )],
            ),
        ],
    ));
}

fn show_key_help(
    mut commands: Commands,
    help: Res<KeyHelp>,
    folded: Res<HelpFolded>,
    drag: Option<Res<DragSettings>>,
    recorded: Option<Res<Recorded>>,
    panel: Single<Entity, With<KeyHelpPanel>>,
) {
    let to_owned = |(key, action): (&str, &str)| (key.to_owned(), action.to_owned());
    let lines: Vec<_> = if folded.0 {
        vec![to_owned(("H", "help"))]
    } else {
        let lines = help.lines(drag.as_deref(), recorded.is_some());
        lines.map(to_owned).collect()
    };
    commands
        .entity(*panel)
        .despawn_related::<Children>()
        .with_children(|panel| {
            for (key, action) in lines {
                panel.spawn(label(key, 16.0, KEY_COLOR));
                panel.spawn(label(action, 16.0, TEXT_COLOR));
            }
        });
}

fn show_status(
    status: Res<StatusLine>,
    panel: Single<&mut Visibility, With<StatusPanel>>,
    text: Single<&mut Text, With<StatusText>>,
) {
    let visibility = if status.is_empty() {
        Visibility::Hidden
    } else {
        Visibility::Inherited
    };
    panel.into_inner().set_if_neq(visibility);
    text.into_inner().set_if_neq(Text::new(status.0.clone()));
}

fn show_paused(control: Res<StepControl>, sign: Single<&mut Visibility, With<PausedSign>>) {
    let visibility = if control.paused {
        Visibility::Inherited
    } else {
        Visibility::Hidden
    };
    sign.into_inner().set_if_neq(visibility);
}
