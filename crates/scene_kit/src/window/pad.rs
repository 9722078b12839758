//! Gamepads: their buttons press keys, and the right stick turns the view.
//!
//! Bevy tells of gamepads with its feature `bevy_gilrs`, which the feature `gamepad` of this crate switches on.

use bevy::{
    input::{InputSystems, gamepad::Gamepad},
    prelude::*,
};

use super::camera::OrbitCamera;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<PadKeys>()
        .add_systems(PreUpdate, press_keys.after(InputSystems))
        .add_systems(Update, turn_cameras);
}

/// The key that each button of a gamepad stands for. So whatever a key does, a gamepad does.
#[derive(Resource, Clone, Debug, PartialEq, Eq)]
pub struct PadKeys(Vec<(GamepadButton, KeyCode)>);

impl PadKeys {
    /// Buttons of every scene. The lower button and the cross are for menus.
    const SHARED: [(GamepadButton, KeyCode); 8] = [
        (GamepadButton::DPadUp, KeyCode::ArrowUp),
        (GamepadButton::DPadDown, KeyCode::ArrowDown),
        (GamepadButton::DPadLeft, KeyCode::ArrowLeft),
        (GamepadButton::DPadRight, KeyCode::ArrowRight),
        (GamepadButton::South, KeyCode::Enter),
        (GamepadButton::East, KeyCode::Escape),
        (GamepadButton::Start, KeyCode::KeyP),
        (GamepadButton::Select, KeyCode::KeyH),
    ];

    /// The buttons of every scene, and a scene's own, which come first.
    pub fn new(own: impl IntoIterator<Item = (GamepadButton, KeyCode)>) -> Self {
        let mut all: Vec<_> = own.into_iter().collect();
        for shared in Self::SHARED {
            if all.iter().all(|(button, _)| *button != shared.0) {
                all.push(shared);
            }
        }
        Self(all)
    }
}

impl Default for PadKeys {
    fn default() -> Self {
        Self::new([])
    }
}

fn press_keys(pads: Query<&Gamepad>, map: Res<PadKeys>, mut keys: ResMut<ButtonInput<KeyCode>>) {
    for pad in &pads {
        for &(button, key) in &map.0 {
            if pad.just_pressed(button) {
                keys.press(key);
            } else if pad.just_released(button) {
                keys.release(key);
            }
        }
    }
}

/// How fast a stick turns the view, in rad/s.
const TURN: f32 = 2.0;

fn turn_cameras(
    pads: Query<&Gamepad>,
    mut cameras: Query<&mut OrbitCamera>,
    time: Res<Time<Real>>,
) {
    let way: Vec2 = pads.iter().map(|pad| pad.right_stick()).sum();
    if way == Vec2::ZERO {
        return;
    }
    let turned = TURN * time.delta_secs() * way;
    for mut camera in &mut cameras {
        camera.orbit(-turned.x, turned.y);
    }
}

#[cfg(test)]
mod tests {
    use bevy::input::{
        InputPlugin,
        gamepad::{
            GamepadConnection, GamepadConnectionEvent, RawGamepadAxisChangedEvent,
            RawGamepadButtonChangedEvent, RawGamepadEvent,
        },
    };

    use super::*;

    fn with_pad() -> (App, Entity) {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, InputPlugin, plugin))
            .insert_resource(PadKeys::new([(GamepadButton::South, KeyCode::Space)]));
        let pad = app.world_mut().spawn_empty().id();
        let connection = GamepadConnection::Connected {
            name: "pad".to_owned(),
            vendor_id: None,
            product_id: None,
        };
        app.world_mut()
            .write_message(GamepadConnectionEvent::new(pad, connection));
        app.update();
        (app, pad)
    }

    #[test]
    fn a_button_presses_and_releases_its_key() {
        let (mut app, pad) = with_pad();
        let mut is_pressed = |value: f32, button| {
            let event = RawGamepadButtonChangedEvent::new(pad, button, value);
            app.world_mut()
                .write_message(RawGamepadEvent::Button(event));
            app.update();
            let keys = app.world().resource::<ButtonInput<KeyCode>>();
            [KeyCode::Space, KeyCode::Enter, KeyCode::ArrowUp].map(|key| keys.pressed(key))
        };
        // The scene's own key for the lower button, not the shared one.
        assert_eq!(is_pressed(1.0, GamepadButton::South), [true, false, false]);
        assert_eq!(is_pressed(1.0, GamepadButton::DPadUp), [true, false, true]);
        assert_eq!(is_pressed(0.0, GamepadButton::South), [false, false, true]);
    }

    #[test]
    fn the_right_stick_turns_the_view() {
        let (mut app, pad) = with_pad();
        let camera = app
            .world_mut()
            .spawn(OrbitCamera::new(Vec3::ZERO, 0.0, 0.5, 3.0))
            .id();
        let event = RawGamepadAxisChangedEvent::new(pad, GamepadAxis::RightStickX, 1.0);
        app.world_mut().write_message(RawGamepadEvent::Axis(event));
        for _ in 0..3 {
            std::thread::sleep(std::time::Duration::from_millis(2));
            app.update();
        }
        assert!(app.world().get::<OrbitCamera>(camera).unwrap().yaw < 0.0);
    }
}
