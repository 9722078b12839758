//! An egui overlay for a [`bevy_impulse_collide`] world: F1 opens a panel that inspects, plots, steps and draws it.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use bevy_impulse_collide::prelude::*;
//! use bevy_impulse_overlay::ImpulseOverlayPlugin;
//!
//! App::new()
//!     .add_plugins((DefaultPlugins, ImpulseCollidePlugin::default(), ImpulseOverlayPlugin::default()))
//!     .run();
//! ```
//!
//! A click in the view selects a body or a joint, and the panel shows and edits it. Ctrl and the left mouse button drag any dynamic
//! body by a damped spring; [`DragSettings`] lets them do so while the overlay is hidden, too.
//!
//! A system that reads the mouse or the keyboard steps back while the panel has them, or a drag:
//!
//! ```no_run
//! # use bevy::prelude::*;
//! # use bevy_impulse_overlay::{keyboard_in_overlay, pointer_over_overlay};
//! # fn shoot() {}
//! # fn walk() {}
//! # let mut app = App::new();
//! app.add_systems(Update, shoot.run_if(not(pointer_over_overlay)))
//!     .add_systems(Update, walk.run_if(not(keyboard_in_overlay)));
//! ```

mod body;
mod control;
mod drag;
mod draw;
mod fields;
mod input;
mod inspect;
mod inspect_joint;
mod joint;
mod list;
mod panel;
mod pick;
mod plots;
mod select;
#[cfg(test)]
mod test_app;
mod view;

use bevy::{diagnostic::FrameTimeDiagnosticsPlugin, prelude::*};
use bevy_egui::{EguiPlugin, EguiPrimaryContextPass};
use bevy_impulse_collide::prelude::*;
use bevy_inspector_egui::DefaultInspectorConfigPlugin;

pub use drag::{Drag, DragSettings};
pub use input::{OverlayPointer, keyboard_in_overlay, pointer_over_overlay};
pub use panel::panel_rect;
pub use select::Selection;

/// Adds the overlay. Add it after `DefaultPlugins`, to an app that opens a window.
///
/// It draws with [`ImpulseGizmosPlugin`]. An app that adds that plugin itself adds it first. The gizmos then stay when the overlay
/// is hidden.
#[derive(Clone, Copy, Debug)]
pub struct ImpulseOverlayPlugin {
    /// The key that shows and hides the overlay. Default: F1.
    pub key: KeyCode,
    /// Whether the overlay shows from the start. Default: false.
    pub open: bool,
}

impl Default for ImpulseOverlayPlugin {
    fn default() -> Self {
        Self {
            key: KeyCode::F1,
            open: false,
        }
    }
}

/// Whether the overlay shows, and the key that switches it.
#[derive(Resource, Clone, Copy, Debug)]
pub struct Overlay {
    /// Shown or hidden.
    pub open: bool,
    /// The key that shows and hides it; `None`: no key does.
    pub key: Option<KeyCode>,
}

/// Run condition: the overlay shows.
pub fn overlay_open(overlay: Res<Overlay>) -> bool {
    overlay.open
}

impl Plugin for ImpulseOverlayPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<EguiPlugin>() {
            app.add_plugins(EguiPlugin::default());
        }
        if !app.is_plugin_added::<DefaultInspectorConfigPlugin>() {
            app.add_plugins(DefaultInspectorConfigPlugin);
        }
        if !app.is_plugin_added::<FrameTimeDiagnosticsPlugin>() {
            app.add_plugins(FrameTimeDiagnosticsPlugin::default());
        }

        app.insert_resource(Overlay {
            open: self.open,
            key: Some(self.key),
        });
        control::plugin(app);
        drag::plugin(app);
        draw::plugin(app);
        input::plugin(app);
        inspect::plugin(app);

        app.init_resource::<Selection>()
            .init_resource::<list::BodyList>()
            .init_resource::<plots::History>()
            .add_systems(
                Update,
                (
                    toggle,
                    start_afresh.run_if(resource_changed::<Overlay>),
                    (select::select_clicked, select::forget_despawned).run_if(overlay_open),
                    draw::outline_selected.run_if(
                        resource_changed::<Selection>.or_eager(resource_changed::<Overlay>),
                    ),
                )
                    .chain(),
            )
            .add_systems(
                FixedPostUpdate,
                plots::sample
                    .before(ImpulseSystems::Gather)
                    .run_if(overlay_open.and_then(control::will_step)),
            )
            .add_systems(EguiPrimaryContextPass, panel::show.run_if(overlay_open));
    }
}

fn toggle(keys: Res<ButtonInput<KeyCode>>, mut overlay: ResMut<Overlay>) {
    if overlay.key.is_some_and(|key| keys.just_pressed(key)) {
        overlay.open = !overlay.open;
    }
}

/// Nothing is measured while the overlay is hidden: old curves would not join the new ones.
fn start_afresh(mut area: ResMut<input::PanelArea>, mut history: ResMut<plots::History>) {
    *area = default();
    *history = default();
}
