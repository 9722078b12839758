//! Camera, light, table, and the glass tube of the lift.

use std::f32::consts::{FRAC_PI_2, PI};

use bevy::{camera::Hdr, light::NotShadowCaster, prelude::*};
use scene_kit::window::{OrbitCamera, sun};

use crate::marbles::{
    course::{MARBLE, MOUTH_FLOOR},
    lift::Lift,
    sheet::Channel,
};

pub(super) fn plugin(app: &mut App) {
    app.insert_resource(ClearColor(BACKGROUND))
        .add_systems(Startup, (spawn_room, spawn_lift));
}

const BACKGROUND: Color = Color::srgb(0.075, 0.085, 0.11);

/// The view of the whole run.
pub(super) fn overview() -> OrbitCamera {
    let mut camera = OrbitCamera::new(Vec3::new(0.12, 0.86, 0.0), 0.42, 0.22, 2.75);
    // Near enough to fill the view with one marble.
    camera.distances = 0.1..=8.0;
    camera.with_pitches(-0.1..=FRAC_PI_2)
}

fn spawn_room(
    mut commands: Commands,
    mut images: ResMut<Assets<Image>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let sky = EnvironmentMapLight::hemispherical_gradient(
        &mut images,
        Color::linear_rgb(0.80, 0.88, 1.0),
        Color::linear_rgb(0.34, 0.36, 0.42),
        Color::linear_rgb(0.13, 0.10, 0.08),
    );
    commands.spawn((
        overview(),
        // So that the fog's colour and the background's take the same way to the screen.
        Hdr,
        DistanceFog {
            color: BACKGROUND,
            falloff: FogFalloff::Linear {
                start: 4.0,
                end: 11.0,
            },
            ..default()
        },
        EnvironmentMapLight {
            intensity: 1_100.0,
            ..sky
        },
    ));
    commands.spawn(sun(10_000.0, Vec3::new(1.5, 3.0, 2.4), 6.0));
    let table = Plane3d::new(Vec3::Y, Vec2::splat(20.0));
    commands.spawn((
        Mesh3d(meshes.add(table)),
        MeshMaterial3d(materials.add(StandardMaterial {
            base_color: Color::srgb(0.16, 0.15, 0.15),
            perceptual_roughness: 0.85,
            ..default()
        })),
        Transform::from_xyz(0.0, MOUTH_FLOOR - 0.07, 0.0),
    ));
}

/// A tube around the marbles in the lift.
fn spawn_lift(
    mut commands: Commands,
    lift: Res<Lift>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let tube = Channel {
        radius: 1.4 * MARBLE,
        reach: PI,
        thickness: 0.001,
    };
    let mesh = tube.along(&lift.path().lowered(tube.radius));
    commands.spawn((
        Mesh3d(meshes.add(mesh)),
        MeshMaterial3d(materials.add(StandardMaterial {
            base_color: Color::srgba(0.75, 0.9, 1.0, 0.10),
            perceptual_roughness: 0.1,
            alpha_mode: AlphaMode::Blend,
            ..default()
        })),
        NotShadowCaster,
    ));
}
