//! The size of texts and panels: it grows with the window, and the player changes it.

use bevy::{prelude::*, window::PrimaryWindow};
use bevy_egui::EguiContext;

use crate::options::RunOptions;

/// Scales the texts of an app with a window. Every scene has it.
pub fn plugin(app: &mut App) {
    app.insert_resource(Chosen(1.0))
        .add_systems(PreStartup, begin)
        .add_systems(PreUpdate, (choose, scale).chain());
}

/// Height of a window, in logical pixels, in which texts have their own size.
const HEIGHT: f32 = 720.0;

/// One press of a key.
const STEP: f32 = 1.1;

/// The smallest and the largest texts, over their own size.
pub(crate) const SCALES: std::ops::RangeInclusive<f32> = 0.5..=4.0;

/// The player's part of the scale.
#[derive(Resource)]
struct Chosen(f32);

fn begin(mut chosen: ResMut<Chosen>, options: Option<Res<RunOptions>>) {
    let asked = options.and_then(|options| options.ui_scale);
    chosen.0 = asked.unwrap_or(1.0);
}

/// Ctrl with plus or minus, and with 0 for the start. Browsers have the same keys.
fn choose(mut chosen: ResMut<Chosen>, keys: Res<ButtonInput<KeyCode>>) {
    if !keys.any_pressed([KeyCode::ControlLeft, KeyCode::ControlRight]) {
        return;
    }
    if keys.any_just_pressed([KeyCode::Equal, KeyCode::NumpadAdd]) {
        chosen.0 *= STEP;
    }
    if keys.any_just_pressed([KeyCode::Minus, KeyCode::NumpadSubtract]) {
        chosen.0 /= STEP;
    }
    if keys.any_just_pressed([KeyCode::Digit0, KeyCode::Numpad0]) {
        chosen.0 = 1.0;
    }
    chosen.0 = chosen.0.clamp(*SCALES.start(), *SCALES.end());
}

fn scale(
    chosen: Res<Chosen>,
    window: Single<&Window, With<PrimaryWindow>>,
    mut nodes: ResMut<UiScale>,
    mut contexts: Query<&mut EguiContext>,
) {
    let scale = scale_of(window.height(), chosen.0);
    if nodes.0 != scale {
        nodes.0 = scale;
    }
    for mut context in &mut contexts {
        let context = context.get_mut();
        // Its own keys for this would leave the other texts as they are.
        context.options_mut(|options| options.zoom_with_keyboard = false);
        if context.zoom_factor() != scale {
            context.set_zoom_factor(scale);
        }
    }
}

/// Of texts in a window of this height, if the player has chosen that much.
fn scale_of(height: f32, chosen: f32) -> f32 {
    // In a smaller window, texts of their own size can still be read.
    let scale = chosen * (height / HEIGHT).max(1.0);
    // A hundredth is more than one sees, and texts are drawn anew at each size.
    (100.0 * scale.clamp(*SCALES.start(), *SCALES.end())).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_grow_with_the_window_and_by_choice() {
        assert_eq!(scale_of(720.0, 1.0), 1.0);
        assert_eq!(scale_of(500.0, 1.0), 1.0);
        assert_eq!(scale_of(1080.0, 1.0), 1.5);
        assert_eq!(scale_of(1080.0, 2.0), 3.0);
        assert_eq!(scale_of(1e6, 9.0), 4.0);
    }
}
