//! Lights and surroundings.

use bevy::{core_pipeline::tonemapping::Tonemapping, light::DirectionalLightShadowMap, prelude::*};

use super::textures;
use crate::{player::view::View, table::bed::Table};

/// Brightness of a lamp as the balls mirror it, in cd/m².
const LAMP: f32 = 7_000.0;

pub(super) struct RoomPlugin;

impl Plugin for RoomPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(ClearColor(Color::srgb(0.018, 0.014, 0.012)))
            .insert_resource(DirectionalLightShadowMap { size: 2048 })
            .add_systems(Startup, (spawn_camera, spawn_lamps));
    }
}

fn spawn_camera(mut commands: Commands, mut images: ResMut<Assets<Image>>, table: Res<Table>) {
    let diffuse = EnvironmentMapLight::hemispherical_gradient(
        &mut images,
        Color::linear_rgb(0.10, 0.088, 0.072),
        Color::linear_rgb(0.06, 0.048, 0.037),
        Color::linear_rgb(0.02, 0.022, 0.016),
    );
    commands.spawn((
        View::Room.camera(table.spec),
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
