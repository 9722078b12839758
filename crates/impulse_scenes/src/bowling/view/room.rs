//! Camera and lights. The camera stands behind the bowler, follows the ball, and looks at the pins when they fall.

use bevy::{core_pipeline::tonemapping::Tonemapping, light::DirectionalLightShadowMap, prelude::*};
use scene_kit::window::OrbitCamera;

use crate::bowling::{
    play::{Game, Phase},
    world::{
        ball::Ball,
        measures::{SPACING, TO_PINS},
    },
};

pub(super) fn plugin(app: &mut App) {
    app.insert_resource(ClearColor(Color::srgb(0.012, 0.012, 0.02)))
        .insert_resource(DirectionalLightShadowMap { size: 2048 })
        .add_systems(Startup, (spawn_camera, spawn_lights))
        .add_systems(Update, follow);
}

/// A view: the point looked at, the angle over the horizon in rad, and the distance in m.
type View = (Vec3, f32, f32);

/// Behind the bowler.
const BEHIND: View = (Vec3::new(0.0, 0.45, -5.0), 0.135, 9.7);
/// The angle of view in rad, from the bottom to the top: narrow, so that the pins are not too small.
const FOV: f32 = 0.62;

/// The pins.
fn pins() -> View {
    let middle = Vec3::new(0.0, 0.12, -TO_PINS - SPACING);
    (middle, 0.42, 3.6)
}

/// Behind the ball that is so far down the lane.
fn behind_ball(z: f32) -> View {
    let (pins, pitch, distance) = pins();
    let (focus, low, far) = BEHIND;
    let part = (z / pins.z).clamp(0.0, 1.0);
    // From far behind to the view of the pins, without a jump.
    let ahead = Vec3::new(0.0, 0.2, (z + focus.z * (1.0 - part)).max(pins.z));
    (ahead, low.lerp(pitch, part), far.lerp(distance, part))
}

fn spawn_camera(mut commands: Commands, mut images: ResMut<Assets<Image>>) {
    let (focus, pitch, distance) = BEHIND;
    let mut camera = OrbitCamera::new(focus, 0.0, pitch, distance).with_pitches(0.03..=1.5);
    camera.distances = 0.5..=20.0;
    commands.spawn((
        camera,
        Projection::Perspective(PerspectiveProjection {
            fov: FOV,
            ..default()
        }),
        Tonemapping::AcesFitted,
        EnvironmentMapLight {
            intensity: 4_000.0,
            ..EnvironmentMapLight::hemispherical_gradient(
                &mut images,
                Color::linear_rgb(0.16, 0.15, 0.17),
                Color::linear_rgb(0.07, 0.06, 0.08),
                Color::linear_rgb(0.03, 0.025, 0.02),
            )
        },
    ));
}

fn spawn_lights(mut commands: Commands) {
    // From the front, under the mask: it reaches the last row.
    commands.spawn((
        Name::new("Pin light"),
        SpotLight {
            color: Color::srgb(1.0, 0.96, 0.90),
            intensity: 900_000.0,
            range: 8.0,
            inner_angle: 0.35,
            outer_angle: 0.6,
            shadow_maps_enabled: true,
            ..default()
        },
        Transform::from_xyz(0.3, 1.4, -TO_PINS + 2.8)
            .looking_at(Vec3::new(0.0, 0.0, -TO_PINS - 0.4), Vec3::Y),
    ));
    // Along the lane.
    for along in [0.0, 5.5, 11.0] {
        commands.spawn((
            Name::new("Lane light"),
            PointLight {
                color: Color::srgb(1.0, 0.86, 0.68),
                intensity: 160_000.0,
                range: 12.0,
                radius: 0.2,
                ..default()
            },
            Transform::from_xyz(0.0, 2.8, -along),
        ));
    }
}

/// Moves the view when the phase changes, and while the ball rolls. In between, the player may move it.
fn follow(
    mut cameras: Query<&mut OrbitCamera>,
    game: Res<Game>,
    balls: Query<&Transform, With<Ball>>,
    mut before: Local<Phase>,
) {
    let ball = balls.iter().next().map(|at| at.translation.z);
    let view = match (game.phase, ball) {
        (Phase::Roll, Some(z)) => behind_ball(z),
        (phase, _) if phase == *before => return,
        (Phase::Aim | Phase::Over, _) => BEHIND,
        _ => pins(),
    };
    for mut camera in &mut cameras {
        (camera.focus, camera.pitch, camera.distance) = view;
        if game.phase != *before {
            camera.yaw = 0.0;
        }
    }
    *before = game.phase;
}
