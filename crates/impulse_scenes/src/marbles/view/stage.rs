//! The room around the run: a wooden floor that fades into a bright sky, a rug, light, the camera, and the glass tube of the lift.

use std::f32::consts::{FRAC_PI_2, PI};

use bevy::{
    camera::Hdr,
    image::{ImageAddressMode, ImageSampler, ImageSamplerDescriptor},
    light::{NotShadowCaster, NotShadowReceiver},
    math::Affine2,
    prelude::*,
};
use scene_kit::{
    picture::{cube_map, picture},
    window::{OrbitCamera, sun},
};

use crate::marbles::{
    course::{MARBLE, MOUTH_FLOOR, Station, TRAY_RADIUS},
    lift::Lift,
    sheet::Channel,
};

pub(super) fn plugin(app: &mut App) {
    app.insert_resource(ClearColor(HORIZON.into()))
        .add_systems(Startup, (spawn_camera, spawn_sky, spawn_floor, spawn_lift));
}

/// The colours of the sky, brighter than white paper: the screen's colours are darker. The floor fades into the horizon.
const HORIZON: Srgba = Srgba::rgb(1.30, 1.18, 0.98);
const ZENITH: Srgba = Srgba::rgb(0.55, 0.86, 1.18);

/// Half of the floor's width in m, and the distance at which it is lost in the haze.
const FLOOR: f32 = 14.0;
const HAZE: f32 = 10.0;

/// The view of the whole run.
pub(super) fn overview() -> OrbitCamera {
    camera(Vec3::new(0.1, 0.92, 0.0), 0.42, 0.2, 2.5)
}

/// The first view: the beginning of the track, from near.
fn opening() -> OrbitCamera {
    let (spiral, _) = Station::Spiral.gate();
    camera(spiral + Vec3::Y * 0.15, 0.35, 0.7, 0.7)
}

fn camera(focus: Vec3, yaw: f32, pitch: f32, distance: f32) -> OrbitCamera {
    let mut camera = OrbitCamera::new(focus, yaw, pitch, distance);
    // Near enough to fill the view with one marble.
    camera.distances = 0.1..=8.0;
    camera.with_pitches(-0.1..=FRAC_PI_2)
}

fn spawn_camera(mut commands: Commands, mut images: ResMut<Assets<Image>>) {
    let diffuse = EnvironmentMapLight::hemispherical_gradient(
        &mut images,
        Color::linear_rgb(0.72, 0.86, 1.0),
        Color::linear_rgb(0.62, 0.56, 0.48),
        Color::linear_rgb(0.30, 0.20, 0.13),
    );
    commands.spawn((
        opening(),
        // So that the fog's colour and the sky's take the same way to the screen.
        Hdr,
        DistanceFog {
            color: HORIZON.into(),
            falloff: FogFalloff::Linear {
                start: 3.0,
                end: HAZE,
            },
            ..default()
        },
        EnvironmentMapLight {
            specular_map: images.add(mirrored()),
            intensity: 950.0,
            ..diffuse
        },
    ));
    let (light, shadows, place) = sun(7_500.0, Vec3::new(1.6, 3.0, 2.4), 4.5);
    let light = DirectionalLight {
        color: Color::srgb(1.0, 0.93, 0.80),
        ..light
    };
    commands.spawn((light, shadows, place));
}

/// What glass and metal mirror: the sky, the floor, and a bright window.
fn mirrored() -> Image {
    const FLOOR: Srgba = Srgba::rgb(0.36, 0.23, 0.14);
    let window = Vec3::new(0.5, 0.65, 0.55).normalize();
    let look = move |direction: Vec3| {
        let off = direction - window;
        if off.x.abs().max(off.y.abs()) < 0.24 && direction.dot(window) > 0.0 {
            return Srgba::WHITE;
        }
        let sky = HORIZON.mix(&ZENITH, direction.y.max(0.0)) * 0.5;
        if direction.y > 0.0 { sky } else { FLOOR }
    };
    cube_map(|direction| picture(UVec2::splat(64), |at| look(direction(at)).with_alpha(1.0)))
}

/// A bowl over everything, from the colour of the horizon to that of the zenith.
fn spawn_sky(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) -> Result {
    const RADIUS: f32 = 30.0;
    let dome = Sphere::new(RADIUS).mesh().ico(8)?;
    let places = dome.attribute(Mesh::ATTRIBUTE_POSITION);
    let places = places.and_then(|places| places.as_float3()).unwrap_or(&[]);
    let colors: Vec<[f32; 4]> = places
        .iter()
        .map(|place| {
            let part = (place[1] / RADIUS * 1.4).clamp(0.0, 1.0);
            LinearRgba::from(HORIZON)
                .mix(&ZENITH.into(), part)
                .to_f32_array()
        })
        .collect();
    let dome = dome.with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colors);
    commands.spawn((
        Mesh3d(meshes.add(dome)),
        MeshMaterial3d(materials.add(StandardMaterial {
            unlit: true,
            fog_enabled: false,
            cull_mode: None,
            ..default()
        })),
        NotShadowCaster,
        NotShadowReceiver,
    ));
    Ok(())
}

fn spawn_floor(
    mut commands: Commands,
    mut images: ResMut<Assets<Image>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    /// Edge in m of the square that the picture of the boards covers.
    const TILE: f32 = 1.2;
    let under = MOUTH_FLOOR - 0.05;
    let boards = StandardMaterial {
        base_color_texture: Some(images.add(boards())),
        uv_transform: Affine2::from_scale(Vec2::splat(2.0 * FLOOR / TILE)),
        perceptual_roughness: 0.6,
        ..default()
    };
    let floor = Plane3d::new(Vec3::Y, Vec2::splat(FLOOR));
    commands.spawn((
        Mesh3d(meshes.add(floor)),
        MeshMaterial3d(materials.add(boards)),
        Transform::from_xyz(0.0, under, 0.0),
    ));
    for (width, color) in [
        (0.42, Srgba::rgb(0.90, 0.80, 0.62)),
        (0.36, Srgba::rgb(0.16, 0.42, 0.46)),
    ] {
        let thickness = 0.006 + 0.02 * (0.42 - width);
        let wool = StandardMaterial {
            base_color: color.into(),
            perceptual_roughness: 1.0,
            reflectance: 0.1,
            ..default()
        };
        let rug = Cylinder::new(TRAY_RADIUS + width, thickness).mesh();
        commands.spawn((
            Mesh3d(meshes.add(rug.resolution(96).build())),
            MeshMaterial3d(materials.add(wool)),
            Transform::from_xyz(0.0, under + 0.5 * thickness, 0.0),
            NotShadowCaster,
        ));
    }
}

/// Floor boards along X, each in a tone of its own. The picture continues itself.
fn boards() -> Image {
    const BOARDS: f32 = 8.0;
    const LIGHT: Srgba = Srgba::rgb(0.66, 0.46, 0.29);
    const DARK: Srgba = Srgba::rgb(0.50, 0.33, 0.20);
    let mut image = picture(UVec2::new(256, 256), |at| {
        let board = (at.y * BOARDS).floor();
        let tone = (board * 2.4).sin();
        let grain = ((at.y * BOARDS + 0.08 * (2.0 * PI * at.x).sin()) * 20.0).sin();
        let edge = (at.y * BOARDS).fract() < 0.04;
        let part = 0.5 + 0.25 * tone + 0.06 * grain + if edge { 0.4 } else { 0.0 };
        LIGHT.mix(&DARK, part.clamp(0.0, 1.0))
    });
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        address_mode_u: ImageAddressMode::Repeat,
        address_mode_v: ImageAddressMode::Repeat,
        ..ImageSamplerDescriptor::linear()
    });
    image
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
    };
    let mesh = tube.along(&lift.path().lowered(tube.radius)).shell(0.001);
    commands.spawn((
        Mesh3d(meshes.add(mesh)),
        MeshMaterial3d(materials.add(StandardMaterial {
            base_color: Color::srgba(0.75, 0.9, 1.0, 0.16),
            perceptual_roughness: 0.1,
            alpha_mode: AlphaMode::Blend,
            ..default()
        })),
        NotShadowCaster,
    ));
}
