//! A camera that circles a point.

use std::ops::RangeInclusive;

use bevy::{
    anti_alias::smaa::Smaa,
    input::mouse::{AccumulatedMouseMotion, AccumulatedMouseScroll, MouseScrollUnit},
    prelude::*,
};
use bevy_egui::input::EguiWantsInput;
use bevy_impulse_overlay::OverlayPointer;

pub(super) fn plugin(app: &mut App) {
    app.register_type::<OrbitCamera>()
        .add_systems(Update, (steer_cameras, place_cameras).chain());
}

/// A camera that circles a point: drag with the right button to orbit, with the middle one (or Shift and the right one) to
/// pan, turn the wheel to zoom. Set the fields at any time; the view glides there.
#[derive(Component, Reflect, Clone, Debug)]
#[reflect(Component, Debug, Clone)]
// Smoothed edges for a fraction of multisampling's work, which a renderer without a GPU cannot do in time.
#[require(Camera3d, Msaa::Off, Smaa)]
pub struct OrbitCamera {
    /// The point looked at.
    pub focus: Vec3,
    /// Angle about Y in radians; at 0 the camera is on the +Z side of the focus.
    pub yaw: f32,
    /// Angle above the horizon in radians, between -π/2 and π/2.
    pub pitch: f32,
    /// Metres to the focus.
    pub distance: f32,
    /// How near and how far the wheel may take the camera, in metres.
    pub distances: RangeInclusive<f32>,
    /// Radians above the horizon that dragging can reach.
    pub pitches: RangeInclusive<f32>,
    /// Turns by itself at this many rad/s, until the player takes over.
    pub turn_rate: f32,
    /// Where the view is on its glide: focus, yaw, pitch and distance.
    shown: Option<(Vec3, f32, f32, f32)>,
}

impl OrbitCamera {
    /// Seconds in which a glide covers all but 1/e of its way.
    const GLIDE: f32 = 0.08;

    /// Looks at `focus` from `distance` metres, `yaw` about Y and `pitch` above the horizon, both in radians.
    pub fn new(focus: Vec3, yaw: f32, pitch: f32, distance: f32) -> Self {
        Self {
            focus,
            yaw,
            pitch,
            distance,
            distances: 0.1 * distance..=5.0 * distance,
            pitches: -1.5..=1.5,
            turn_rate: 0.0,
            shown: None,
        }
    }

    /// The same camera, turning by itself at `turn_rate` rad/s until the player takes over.
    pub fn turning(mut self, turn_rate: f32) -> Self {
        self.turn_rate = turn_rate;
        self
    }

    /// Keeps dragging within `pitches` radians above the horizon: start at 0 to stay above the ground.
    pub fn with_pitches(mut self, pitches: RangeInclusive<f32>) -> Self {
        self.pitches = pitches;
        self
    }

    /// Turns by these angles in radians, as a player who takes over.
    pub(super) fn orbit(&mut self, yaw: f32, pitch: f32) {
        self.turn_rate = 0.0;
        self.yaw += yaw;
        self.pitch = (self.pitch + pitch).clamp(*self.pitches.start(), *self.pitches.end());
    }

    fn rotation(yaw: f32, pitch: f32) -> Quat {
        Quat::from_euler(EulerRot::YXZ, yaw, -pitch, 0.0)
    }
}

/// The action of the pressed mouse button on the camera.
#[derive(Clone, Copy, PartialEq)]
enum Drag {
    Orbit,
    Pan,
}

fn steer_cameras(
    mut cameras: Query<&mut OrbitCamera>,
    mut drag: Local<Option<Drag>>,
    buttons: Res<ButtonInput<MouseButton>>,
    keys: Res<ButtonInput<KeyCode>>,
    motion: Res<AccumulatedMouseMotion>,
    scroll: Res<AccumulatedMouseScroll>,
    overlay: OverlayPointer,
    egui: Option<Res<EguiWantsInput>>,
    time: Res<Time<Real>>,
) {
    let free = !overlay.is_over() && !egui.is_some_and(|egui| egui.is_pointer_over_area());
    let held = buttons.any_pressed([MouseButton::Right, MouseButton::Middle]);
    if !held {
        *drag = None;
    } else if free && buttons.any_just_pressed([MouseButton::Right, MouseButton::Middle]) {
        let pan = buttons.pressed(MouseButton::Middle)
            || keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
        *drag = Some(if pan { Drag::Pan } else { Drag::Orbit });
    }
    let notches = match scroll.unit {
        MouseScrollUnit::Line => scroll.delta.y,
        MouseScrollUnit::Pixel => scroll.delta.y / 100.0,
    };
    for mut camera in &mut cameras {
        if free && notches != 0.0 {
            let (near, far) = (*camera.distances.start(), *camera.distances.end());
            camera.distance = (camera.distance * 0.88f32.powf(notches)).clamp(near, far);
        }
        match *drag {
            Some(Drag::Orbit) => {
                camera.orbit(-0.005 * motion.delta.x, 0.005 * motion.delta.y);
            }
            Some(Drag::Pan) => {
                // About one world length at the focus per length on the screen.
                let metres = 0.0012 * camera.distance * motion.delta;
                let shift = OrbitCamera::rotation(camera.yaw, camera.pitch)
                    * Vec3::new(-metres.x, metres.y, 0.0);
                camera.focus += shift;
            }
            None if camera.turn_rate != 0.0 => camera.yaw += camera.turn_rate * time.delta_secs(),
            None => {}
        }
    }
}

fn place_cameras(mut cameras: Query<(&mut OrbitCamera, &mut Transform)>, time: Res<Time<Real>>) {
    let kept = (-time.delta_secs() / OrbitCamera::GLIDE).exp();
    for (mut camera, mut transform) in &mut cameras {
        let target = (camera.focus, camera.yaw, camera.pitch, camera.distance);
        let (focus, yaw, pitch, distance) = camera.shown.map_or(target, |shown| {
            (
                target.0.lerp(shown.0, kept),
                target.1.lerp(shown.1, kept),
                target.2.lerp(shown.2, kept),
                target.3.lerp(shown.3, kept),
            )
        });
        let rotation = OrbitCamera::rotation(yaw, pitch);
        transform.set_if_neq(Transform {
            translation: focus + rotation * Vec3::Z * distance,
            rotation,
            ..default()
        });
        camera.bypass_change_detection().shown = Some((focus, yaw, pitch, distance));
    }
}
