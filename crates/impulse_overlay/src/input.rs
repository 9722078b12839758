//! Who has the mouse and the keyboard: the scene or the overlay.

use bevy::{ecs::system::SystemParam, prelude::*, window::PrimaryWindow};
use bevy_egui::{EguiContext, EguiInput, EguiPreUpdateSet, egui, input::EguiWantsInput};

/// The part of the window that the panel covers, in logical pixels; none while it is hidden.
#[derive(Resource, Default)]
pub(crate) struct PanelArea(pub Option<Rect>);

/// The mouse drags a body, or has let go of it in this frame.
#[derive(Resource, Default)]
pub(crate) struct MouseHeld(pub bool);

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<PanelArea>().add_systems(
        PreUpdate,
        keep_tab
            .after(EguiPreUpdateSet::ProcessInput)
            .before(EguiPreUpdateSet::BeginPass),
    );
}

/// Keeps Tab from egui while nobody has clicked a field. It would give a field the keyboard, and the scene's keys would be dead.
fn keep_tab(mut contexts: Query<(&mut EguiContext, &mut EguiInput)>) {
    for (mut context, mut input) in &mut contexts {
        let is_tab = |event: &egui::Event| {
            matches!(
                event,
                egui::Event::Key {
                    key: egui::Key::Tab,
                    ..
                }
            )
        };
        if input.events.iter().any(is_tab)
            && context
                .get_mut()
                .memory(|memory| memory.focused())
                .is_none()
        {
            input.events.retain(|event| !is_tab(event));
        }
    }
}

/// Tells whether the mouse belongs to the overlay. In an app without the overlay it never does.
#[derive(SystemParam)]
pub struct OverlayPointer<'w, 's> {
    area: Option<Res<'w, PanelArea>>,
    held: Option<Res<'w, MouseHeld>>,
    egui: Option<Res<'w, EguiWantsInput>>,
    window: Query<'w, 's, &'static Window, With<PrimaryWindow>>,
}

impl OverlayPointer<'_, '_> {
    /// The pointer is over the panel, drags one of its widgets or a body, or has a menu of it open.
    pub fn is_over(&self) -> bool {
        if self.held.as_ref().is_some_and(|held| held.0) {
            return true;
        }
        // egui knows where the pointer was a frame ago; a click may come in the same frame as the move onto the panel.
        let cursor = self.window.single().ok().and_then(Window::cursor_position);
        let area = self.area.as_ref().and_then(|area| area.0);
        let covered = area
            .zip(cursor)
            .is_some_and(|(area, cursor)| area.contains(cursor));
        let held = |egui: &Res<EguiWantsInput>| egui.is_using_pointer() || egui.is_popup_open();
        covered || self.egui.as_ref().is_some_and(held)
    }
}

/// Run condition: the mouse belongs to the overlay, so a scene should leave clicks, drags and the wheel alone.
/// False in an app without the overlay.
pub fn pointer_over_overlay(pointer: OverlayPointer) -> bool {
    pointer.is_over()
}

/// Run condition: the keyboard writes into one of the overlay's fields, so a scene should leave the keys alone.
/// False in an app without the overlay.
pub fn keyboard_in_overlay(egui: Option<Res<EguiWantsInput>>) -> bool {
    egui.is_some_and(|egui| egui.wants_any_keyboard_input())
}

#[cfg(test)]
mod tests {
    use bevy::ecs::system::RunSystemOnce;

    use super::*;

    /// Whether egui gets Tab, while a field may have the keyboard.
    fn gets_tab(focused: Option<egui::Id>) -> bool {
        let mut world = World::new();
        let mut context = EguiContext::default();
        if let Some(id) = focused {
            context
                .get_mut()
                .memory_mut(|memory| memory.request_focus(id));
        }
        let mut input = EguiInput::default();
        input.events.push(egui::Event::Key {
            key: egui::Key::Tab,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: egui::Modifiers::NONE,
        });
        let entity = world.spawn((context, input)).id();
        world.run_system_once(keep_tab).unwrap();
        !world.get::<EguiInput>(entity).unwrap().events.is_empty()
    }

    #[test]
    fn tab_goes_to_a_panel_that_has_the_keyboard_only() {
        assert!(!gets_tab(None));
        assert!(gets_tab(Some(egui::Id::new("field"))));
    }
}
