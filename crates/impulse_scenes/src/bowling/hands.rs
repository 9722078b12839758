//! The player's mouse and keys.

use bevy::{prelude::*, window::PrimaryWindow};
use bevy_egui::input::EguiWantsInput;
use scene_kit::window::{KeyHelp, PadKeys, keys_are_free, pointer_is_free};

use super::{
    play::{Game, Hands, Phase, Play},
    robot::IsOn,
    world::{ball::Throw, measures::BALL_RADIUS},
};

pub(super) fn plugin(app: &mut App) {
    app.insert_resource(KeyHelp::new([
        ("Mouse, near", "place the ball"),
        ("Mouse, far", "aim"),
        ("Click", "throw"),
        ("Left drag", "up: faster; aside: hook; let go: throw"),
        ("Left, Right", "place the ball (or A, D)"),
        ("Up, Down", "speed (or W, S)"),
        ("Q, E", "hook to the left, to the right"),
        ("Space", "throw"),
        ("R", "new game"),
        ("C", "the computer plays"),
    ]))
    .insert_resource(PadKeys::new([
        (GamepadButton::DPadLeft, KeyCode::ArrowLeft),
        (GamepadButton::DPadRight, KeyCode::ArrowRight),
        (GamepadButton::DPadUp, KeyCode::ArrowUp),
        (GamepadButton::DPadDown, KeyCode::ArrowDown),
        (GamepadButton::LeftTrigger, KeyCode::KeyQ),
        (GamepadButton::RightTrigger, KeyCode::KeyE),
        (GamepadButton::South, KeyCode::Space),
        (GamepadButton::Select, KeyCode::KeyR),
    ]))
    .init_resource::<Drag>()
    .add_systems(
        Update,
        (
            read_keys.run_if(keys_are_free),
            read_mouse.run_if(|robot: Res<IsOn>| !robot.0),
        )
            .chain(),
    )
    .add_systems(FixedUpdate, forget_drag.before(Play));
}

/// Metres from the foul line within which the mouse places the ball. Beyond it, the mouse aims.
const NEAR: f32 = 1.5;
/// The farthest point at which the mouse aims.
const FAR: f32 = 20.0;
/// m/s and hook for a pixel of a drag.
const PER_PIXEL: Vec2 = Vec2::new(-0.004, 0.02);
/// Change of a value in a second, for a key that is held.
const PLACE: f32 = 0.3;
const SPEED: f32 = 2.0;
const HOOK: f32 = 0.6;

/// Where the pointer was when the left button was pressed, and the throw at that time.
#[derive(Resource, Default)]
pub(super) struct Drag(pub Option<(Vec2, Throw)>);

fn read_keys(
    keys: Res<ButtonInput<KeyCode>>,
    mut hands: ResMut<Hands>,
    mut robot: ResMut<IsOn>,
    game: Res<Game>,
    time: Res<Time>,
) {
    if keys.just_pressed(KeyCode::KeyC) {
        robot.0 = !robot.0;
    }
    let throws = keys.just_pressed(KeyCode::Space);
    if robot.0 && throws {
        robot.0 = false;
        return;
    }
    hands.new_game |= keys.just_pressed(KeyCode::KeyR);
    if robot.0 || game.phase != Phase::Aim {
        return;
    }
    let held = |one: [KeyCode; 2], other: [KeyCode; 2]| {
        let sign = f32::from(keys.any_pressed(other)) - f32::from(keys.any_pressed(one));
        sign * time.delta_secs()
    };
    use KeyCode::*;
    let throw = Throw {
        x: hands.throw.x + PLACE * held([ArrowLeft, KeyA], [ArrowRight, KeyD]),
        speed: hands.throw.speed + SPEED * held([ArrowDown, KeyS], [ArrowUp, KeyW]),
        hook: hands.throw.hook + HOOK * held([KeyE, KeyE], [KeyQ, KeyQ]),
        ..hands.throw
    };
    hands.throw = throw.clamped();
    hands.release |= throws;
}

/// Places, aims, and throws with the left button.
fn read_mouse(
    (mut hands, mut drag): (ResMut<Hands>, ResMut<Drag>),
    game: Res<Game>,
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform), With<Camera3d>>,
    buttons: Res<ButtonInput<MouseButton>>,
    (overlay, egui): (
        bevy_impulse_overlay::OverlayPointer,
        Option<Res<EguiWantsInput>>,
    ),
    mut before: Local<Option<Ray3d>>,
) {
    if game.phase != Phase::Aim {
        return;
    }
    let is_free = pointer_is_free(overlay) && !egui.is_some_and(|egui| egui.is_pointer_over_area());
    let Some(pointer) = window.cursor_position().filter(|_| is_free) else {
        return;
    };
    if let Some((from, throw)) = drag.0 {
        let way = pointer - from;
        hands.throw = Throw {
            hook: throw.hook + PER_PIXEL.x * way.x,
            speed: throw.speed - PER_PIXEL.y * way.y,
            ..throw
        }
        .clamped();
        // Not only if it was released in this frame: a quick click begins and ends in the frame before.
        if !buttons.pressed(MouseButton::Left) {
            drag.0 = None;
            hands.release = true;
        }
        return;
    }
    let (camera, eye) = *camera;
    let turns = buttons.any_pressed([MouseButton::Right, MouseButton::Middle]);
    let ray = camera.viewport_to_world(eye, pointer).ok();
    // A mouse that lies still leaves what the keys have set.
    let ray = ray.filter(|ray| before.replace(*ray) != Some(*ray) && !turns);
    let point = ray.and_then(|ray| {
        ray.plane_intersection_point(Vec3::Y * BALL_RADIUS, InfinitePlane3d::new(Vec3::Y))
    });
    if let Some(point) = point {
        let along = (-point.z).min(FAR);
        let mut throw = hands.throw;
        if along < NEAR {
            throw.x = point.x;
        } else {
            throw.angle = ((point.x - throw.x) / along).atan();
        }
        hands.throw = throw.clamped();
    }
    if buttons.just_pressed(MouseButton::Left) {
        drag.0 = Some((pointer, hands.throw));
    }
}

/// A ball that was thrown by a key is no longer dragged.
fn forget_drag(mut drag: ResMut<Drag>, game: Res<Game>) {
    if game.phase != Phase::Aim && drag.0.is_some() {
        drag.0 = None;
    }
}
