//! The keys of every scene, and when a scene may read its own.

use bevy::{input::common_conditions::input_just_pressed, prelude::*};
use bevy_egui::input::EguiWantsInput;
use bevy_impulse_collide::prelude::*;
use bevy_impulse_overlay::{OverlayPointer, keyboard_in_overlay};

#[cfg(not(target_arch = "wasm32"))]
use crate::app::Recorded;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (
            toggle_pause.run_if(input_just_pressed(KeyCode::KeyP)),
            step_once.run_if(input_just_pressed(KeyCode::KeyN)),
            #[cfg(not(target_arch = "wasm32"))]
            say_how_to_record.run_if(
                input_just_pressed(KeyCode::F12).and_then(not(resource_exists::<Recorded>)),
            ),
        )
            .run_if(keys_are_free),
    );
}

/// Run condition for systems that read keys: no text field of the inspector is taking them.
pub fn keys_are_free(egui: Option<Res<EguiWantsInput>>) -> bool {
    !keyboard_in_overlay(egui)
}

/// Run condition for systems that read the mouse: it is not on the inspector.
pub fn pointer_is_free(pointer: OverlayPointer) -> bool {
    !pointer.is_over()
}

fn toggle_pause(mut control: ResMut<StepControl>) {
    control.paused = !control.paused;
    control.pending_steps = 0;
}

fn step_once(mut control: ResMut<StepControl>) {
    control.paused = true;
    control.pending_steps += 1;
}

#[cfg(not(target_arch = "wasm32"))]
fn say_how_to_record() {
    warn!(
        "this run is not recorded: start it with --record, and F12 writes the last seconds to a file"
    );
}
