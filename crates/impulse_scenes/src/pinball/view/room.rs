//! Camera, lights, and the dark hall that the steel ball mirrors.

use bevy::{core_pipeline::tonemapping::Tonemapping, light::DirectionalLightShadowMap, prelude::*};
use scene_kit::{
    picture::{cube_map, picture},
    window::OrbitCamera,
};

use crate::pinball::machine::{measures::HALF_LENGTH, nudge::Push};

pub(super) fn plugin(app: &mut App) {
    app.insert_resource(ClearColor(Color::srgb(0.012, 0.010, 0.016)))
        .insert_resource(DirectionalLightShadowMap { size: 2048 })
        .add_systems(Startup, (spawn_camera, spawn_lamp))
        .add_systems(Update, shake);
}

/// The point that the player looks at.
const FOCUS: Vec3 = Vec3::new(0.0, 0.0, 0.068);

fn spawn_camera(mut commands: Commands, mut images: ResMut<Assets<Image>>) {
    let diffuse = EnvironmentMapLight::hemispherical_gradient(
        &mut images,
        Color::linear_rgb(0.11, 0.09, 0.10),
        Color::linear_rgb(0.06, 0.045, 0.06),
        Color::linear_rgb(0.02, 0.015, 0.02),
    );
    let mut camera = OrbitCamera::new(FOCUS, 0.0, 0.82, 1.17).with_pitches(0.35..=1.5);
    camera.distances = 0.4..=2.5;
    commands.spawn((
        camera,
        Tonemapping::AcesFitted,
        EnvironmentMapLight {
            specular_map: images.add(hall()),
            intensity: 5_000.0,
            ..diffuse
        },
    ));
}

/// A warm lamp hangs over the upper half of the table.
fn spawn_lamp(mut commands: Commands) {
    commands.spawn((
        Name::new("Lamp"),
        SpotLight {
            color: Color::srgb(1.0, 0.90, 0.76),
            intensity: 200_000.0,
            range: 5.0,
            inner_angle: 0.42,
            outer_angle: 0.62,
            shadow_maps_enabled: true,
            shadow_depth_bias: 0.003,
            shadow_normal_bias: 1.0,
            ..default()
        },
        Transform::from_xyz(-0.35, 1.6, -0.9 * HALF_LENGTH)
            .looking_at(Vec3::new(0.0, 0.0, -0.1 * HALF_LENGTH), Vec3::Z),
    ));
    // The glow of the backbox, behind the upper end.
    commands.spawn((
        Name::new("Backbox"),
        PointLight {
            color: Color::srgb(0.75, 0.65, 1.0),
            intensity: 14_000.0,
            range: 2.0,
            radius: 0.1,
            ..default()
        },
        Transform::from_xyz(0.0, 0.45, -1.25 * HALF_LENGTH),
    ));
}

/// The player sees that the table moves: the camera stands on the floor.
fn shake(mut cameras: Query<&mut OrbitCamera>, push: Res<Push>, mut shown: Local<Vec3>) {
    let shift = -push.shift();
    if shift != *shown {
        for mut camera in &mut cameras {
            camera.focus += shift - *shown;
        }
        *shown = shift;
    }
}

/// A dark hall: a bright lamp above, the lights of other machines around, the playfield below.
fn hall() -> Image {
    const SIZE: u32 = 128;
    let soft = |distance: f32| 1.0 - ((distance - 0.8) / 0.2).clamp(0.0, 1.0);
    let look = |direction: Vec3| {
        let up = direction.y;
        let lamp = if up > 0.1 {
            let at = direction.xz() / up - Vec2::new(-0.1, -0.2);
            soft((at.x / 0.9).abs().max((at.y / 0.45).abs()))
        } else {
            0.0
        };
        let sign = |azimuth: f32, height: f32, color: Vec3| {
            let off = direction.xz().angle_to(Vec2::from_angle(azimuth));
            color * soft((off / 0.13).abs().max(((up - height) / 0.13).abs()))
        };
        let signs = sign(-2.3, 0.35, Vec3::new(0.9, 0.25, 0.5))
            + sign(-0.8, 0.30, Vec3::new(0.2, 0.7, 0.9))
            + sign(0.5, 0.25, Vec3::new(0.9, 0.6, 0.2))
            + sign(2.5, 0.25, Vec3::new(0.5, 0.35, 0.9));
        let around = if up > 0.0 {
            Vec3::new(0.24, 0.23, 0.28) + 0.25 * up
        } else {
            Vec3::new(0.10, 0.04, 0.10).lerp(Vec3::new(0.32, 0.16, 0.14), -up)
        };
        let [r, g, b] = (around + lamp * Vec3::new(1.0, 0.93, 0.82) + signs).to_array();
        Srgba::rgb(r, g, b)
    };
    cube_map(|direction| picture(UVec2::splat(SIZE), |at| look(direction(at))))
}
