//! The way back to the gallery, for a scene that was opened there: its window lies where the gallery's was, and has a button.
//!
//! The gallery starts the scene as a [`child`](crate::child) process. It hides its own window when the scene says [`OPEN`], and shows it
//! again when the scene ends.

use std::{fmt, str::FromStr, sync::OnceLock};

use bevy::{
    input::common_conditions::input_just_pressed,
    prelude::*,
    ui::UiSystems,
    window::{WindowPosition, WindowResolution},
};

use crate::window::{fit::Covers, keys_are_free, texts};

/// The line that a scene prints when its window shows it.
pub const OPEN: &str = "the scene is open";

/// The key of the button.
const KEY: KeyCode = KeyCode::Backspace;

/// Frames after which the window shows the scene, and not only its ground.
const SHOWN: u32 = 3;

/// Where a window is: `WIDTHxHEIGHT`, or `WIDTHxHEIGHT+X+Y`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Its size, in logical pixels.
    pub size: UVec2,
    /// Its upper left corner on the screen, in physical pixels; none where the system does not tell.
    pub corner: Option<IVec2>,
}

impl Place {
    /// Where this window is.
    pub fn of(window: &Window) -> Self {
        Self {
            size: window.size().round().as_uvec2(),
            corner: match window.position {
                WindowPosition::At(corner) => Some(corner),
                _ => None,
            },
        }
    }

    pub(crate) fn give(self, window: &mut Window) {
        window.resolution = WindowResolution::new(self.size.x, self.size.y);
        if let Some(corner) = self.corner {
            window.position = WindowPosition::At(corner);
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, text: &mut fmt::Formatter) -> fmt::Result {
        write!(text, "{}x{}", self.size.x, self.size.y)?;
        match self.corner {
            Some(corner) => write!(text, "{:+}{:+}", corner.x, corner.y),
            None => Ok(()),
        }
    }
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no place of a window");
        let numbers = text.replace(['x', '+'], " ").replace('-', " -");
        let numbers = numbers.split_whitespace().map(str::parse::<i32>);
        let numbers = numbers
            .collect::<Result<Vec<_>, _>>()
            .map_err(|_| wrong())?;
        let (size, corner) = match numbers[..] {
            [width, height] => ([width, height], None),
            [width, height, x, y] => ([width, height], Some(IVec2::new(x, y))),
            _ => return Err(wrong()),
        };
        let size = UVec2::from(size.map(|side| side.max(1) as u32));
        Ok(Self { size, corner })
    }
}

static PLACE: OnceLock<Place> = OnceLock::new();

/// Says that the gallery opens a scene in this process, and where its window is. Call it before the scene's app is made.
pub fn opened_by_gallery(place: Place) {
    // A process opens one scene.
    let _ = PLACE.set(place);
}

/// Where the gallery's window is, if it has opened this scene.
pub(crate) fn place() -> Option<Place> {
    PLACE.get().copied()
}

/// Height that the button takes at the lower left, in pixels of nodes, which are egui's points. A scene that fills the window leaves
/// it free.
pub fn height() -> f32 {
    if place().is_some() { 56.0 } else { 0.0 }
}

#[derive(Component)]
struct WayBack;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn_button)
        .add_systems(
            PreUpdate,
            (
                light_button.after(UiSystems::Focus),
                leave.run_if(is_clicked.or_else(input_just_pressed(KEY).and_then(keys_are_free))),
            )
                .chain(),
        )
        .add_systems(Last, say_when_open);
}

/// At the lower left: no scene has a panel there, as the help for the keys is there, which gives way.
fn spawn_button(mut commands: Commands) {
    commands.spawn((
        WayBack,
        Button,
        Covers,
        // Above panels that reach so far in a small window.
        GlobalZIndex(1),
        texts::panel(Node {
            position_type: PositionType::Absolute,
            left: px(12),
            bottom: px(12),
            column_gap: px(14),
            border: UiRect::all(px(1)),
            ..default()
        }),
        BorderColor::all(texts::KEY_COLOR.with_alpha(0.5)),
        children![
            texts::label("Back to the gallery", 16.0, texts::TEXT_COLOR),
            texts::label("Backspace", 16.0, texts::KEY_COLOR),
        ],
    ));
}

fn light_button(
    mut buttons: Query<(&Interaction, &mut BackgroundColor), (With<WayBack>, Changed<Interaction>)>,
) {
    for (interaction, mut color) in &mut buttons {
        color.0 = match interaction {
            Interaction::None => texts::PANEL_COLOR,
            Interaction::Hovered | Interaction::Pressed => Color::srgba(0.16, 0.20, 0.28, 0.95),
        };
    }
}

/// The pointer goes down on the button and comes up on it.
fn is_clicked(buttons: Query<&Interaction, With<WayBack>>, mut was_pressed: Local<bool>) -> bool {
    let is_on = |of: Interaction| buttons.iter().any(|interaction| *interaction == of);
    let is_pressed = is_on(Interaction::Pressed);
    std::mem::replace(&mut *was_pressed, is_pressed) && is_on(Interaction::Hovered)
}

fn leave(mut exit: MessageWriter<AppExit>) {
    exit.write(AppExit::Success);
}

fn say_when_open(mut frames: Local<u32>) {
    *frames += 1;
    if *frames == SHOWN {
        println!("{OPEN}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_as_it_was_written() {
        for corner in [None, Some(IVec2::new(20, 0)), Some(IVec2::new(-1900, -5))] {
            let place = Place {
                size: UVec2::new(1280, 720),
                corner,
            };
            assert_eq!(place.to_string().parse(), Ok(place));
        }
        for wrong in ["", "1280", "1280x720+5", "wide"] {
            assert!(wrong.parse::<Place>().is_err(), "{wrong}");
        }
    }
}
