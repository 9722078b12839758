//! Lights, surroundings and the camera's two views.

use std::f32::consts::FRAC_PI_2;

use bevy::{
    core_pipeline::tonemapping::Tonemapping, input::common_conditions::input_just_pressed,
    light::DirectionalLightShadowMap, prelude::*,
};

use super::textures;
use crate::window::{OrbitCamera, keys_are_free};

/// Brightness of a lamp as the balls mirror it, in cd/m².
const LAMP: f32 = 7_000.0;

pub(super) struct RoomPlugin;

impl Plugin for RoomPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(ClearColor(Color::srgb(0.018, 0.014, 0.012)))
            .insert_resource(DirectionalLightShadowMap { size: 2048 })
            .add_systems(Startup, (spawn_camera, spawn_lamps))
            .add_systems(
                Update,
                toggle_top_view
                    .run_if(input_just_pressed(KeyCode::KeyT))
                    .run_if(keys_are_free),
            );
    }
}

/// From the long side with the tray, nearer to the foot end.
fn player_view() -> OrbitCamera {
    OrbitCamera::new(Vec3::new(0.02, -0.1, 0.1), 0.25, 0.8, 2.65).with_pitches(0.1..=FRAC_PI_2)
}

/// Off the middle, so that no text covers the table.
fn top_view() -> OrbitCamera {
    OrbitCamera::new(Vec3::new(-0.5, 0.0, 0.11), 0.0, FRAC_PI_2, 2.9).with_pitches(0.1..=FRAC_PI_2)
}

fn spawn_camera(mut commands: Commands, mut images: ResMut<Assets<Image>>) {
    let diffuse = EnvironmentMapLight::hemispherical_gradient(
        &mut images,
        Color::linear_rgb(0.10, 0.088, 0.072),
        Color::linear_rgb(0.06, 0.048, 0.037),
        Color::linear_rgb(0.02, 0.022, 0.016),
    );
    commands.spawn((
        player_view(),
        Msaa::Sample4,
        Tonemapping::AcesFitted,
        EnvironmentMapLight {
            specular_map: images.add(textures::lounge()),
            intensity: LAMP,
            ..diffuse
        },
    ));
}

/// Three lamps hang above the table; only the middle one casts shadows.
fn spawn_lamps(mut commands: Commands) {
    for x in [-0.9, 0.0, 0.9] {
        let middle = x == 0.0;
        commands.spawn((
            Name::new("Lamp"),
            SpotLight {
                color: Color::srgb(1.0, 0.93, 0.82),
                intensity: if middle { 300_000.0 } else { 130_000.0 },
                range: 6.0,
                inner_angle: 0.5,
                outer_angle: 1.05,
                shadow_maps_enabled: middle,
                shadow_depth_bias: 0.003,
                shadow_normal_bias: 1.0,
                ..default()
            },
            Transform::from_xyz(x, if middle { 2.1 } else { 1.6 }, 0.0)
                .looking_to(Vec3::NEG_Y, Vec3::Z),
        ));
    }
}

fn toggle_top_view(mut camera: Single<&mut OrbitCamera>, mut before: Local<Option<OrbitCamera>>) {
    let view = match before.take() {
        Some(view) => view,
        None => {
            *before = Some(camera.clone());
            top_view()
        }
    };
    // Field by field, so that the view glides there.
    (camera.focus, camera.yaw, camera.pitch, camera.distance) =
        (view.focus, view.yaw, view.pitch, view.distance);
}
