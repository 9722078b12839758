//! The page around the window in a browser: it has buttons for the keys of the scene.

use bevy::prelude::*;
use bevy_impulse_overlay::DragSettings;
use wasm_bindgen::prelude::*;

use super::texts::KeyHelp;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = page, js_name = showKeys)]
    fn show_keys(lines: Vec<String>);
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, show.run_if(resource_changed::<KeyHelp>));
}

fn show(help: Res<KeyHelp>, drag: Option<Res<DragSettings>>) {
    let lines = help.lines(drag.as_deref(), false);
    show_keys(
        lines
            .map(|(key, action)| format!("{key}\t{action}"))
            .collect(),
    );
}
