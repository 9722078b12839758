//! The place from which the player sees the table.

use bevy::prelude::*;
use scene_kit::window::keys_are_free;

/// The player's place.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// Beside the table; the mouse walks round it.
    #[default]
    Room,
    /// Above it.
    Above,
    /// Behind the cue.
    Cue,
}

/// Chooses the view on keys.
pub(super) struct ViewPlugin;

impl Plugin for ViewPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<View>()
            .add_systems(Update, choose.run_if(keys_are_free));
    }
}

/// Systems that follow the view run after this system.
pub(crate) fn choose(keys: Res<ButtonInput<KeyCode>>, mut view: ResMut<View>) {
    for (key, chosen) in [
        (KeyCode::Digit1, View::Room),
        (KeyCode::Digit2, View::Above),
        (KeyCode::Digit3, View::Cue),
    ] {
        if keys.just_pressed(key) {
            *view = chosen;
        }
    }
}
