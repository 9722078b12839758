//! How the planet looks: rock that glows where it was hit, under one sun, before the stars.

use std::f32::consts::{PI, TAU};

use bevy::{
    asset::RenderAssetUsages,
    camera::Hdr,
    light::NotShadowCaster,
    mesh::{Indices, PrimitiveTopology},
    post_process::bloom::Bloom,
    prelude::*,
    render::render_resource::{Extent3d, TextureDimension, TextureFormat},
    window::PrimaryWindow,
};
use bevy_impulse_collide::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Ball, PlanetOptions, PlanetShape, random_in_ball, rock, scatter};
use crate::window::{BodyMesh, KeyHelp, OrbitCamera, StatusLine, keys_are_free, sun};

pub(super) struct PlanetViewPlugin;

impl Plugin for PlanetViewPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(ClearColor(Color::srgb(0.004, 0.005, 0.011)))
            .insert_resource(GlobalAmbientLight {
                color: Color::srgb(0.7, 0.8, 1.0),
                brightness: 160.0,
                ..default()
            })
            .insert_resource(KeyHelp::new([
                ("R", "scatter anew"),
                ("C", "comet at the pointer"),
            ]))
            .init_resource::<Shape>()
            .init_resource::<Following>()
            .add_systems(Startup, (make_rock_materials, spawn_sky))
            .add_systems(
                Update,
                (
                    (clear, scatter).chain().run_if(pressed(KeyCode::KeyR)),
                    throw_comet.run_if(pressed(KeyCode::KeyC)),
                )
                    .run_if(keys_are_free),
            )
            .add_systems(
                Update,
                (
                    (dress_rocks, heat_by_impacts, cool, show_heat).chain(),
                    (measure_shape, (follow, show_shape)).chain(),
                ),
            );
    }
}

fn pressed(key: KeyCode) -> impl FnMut(Res<ButtonInput<KeyCode>>) -> bool + Clone {
    bevy::input::common_conditions::input_just_pressed(key)
}

/// How hot a ball is: 0 cold rock, 1 white-hot.
#[derive(Component, Default)]
struct Heat(f32);

/// Which of the rock colours a ball has, and at which heat its material was made.
#[derive(Component)]
struct Rock {
    color: usize,
    level: usize,
}

/// One material for each rock colour and level of heat, so that equal balls are drawn together.
#[derive(Resource)]
struct RockMaterials(Vec<[Handle<StandardMaterial>; HEAT_LEVELS]>);

const HEAT_LEVELS: usize = 16;

/// Sand, ochre, rust, basalt, slate, ash, moss, umber.
const ROCK_COLORS: [Srgba; 8] = [
    Srgba::rgb(0.74, 0.66, 0.53),
    Srgba::rgb(0.64, 0.48, 0.31),
    Srgba::rgb(0.50, 0.31, 0.24),
    Srgba::rgb(0.28, 0.28, 0.30),
    Srgba::rgb(0.37, 0.39, 0.43),
    Srgba::rgb(0.56, 0.55, 0.54),
    Srgba::rgb(0.41, 0.41, 0.34),
    Srgba::rgb(0.37, 0.28, 0.23),
];

/// About the colours of a glowing body: dull red, orange, yellow, nearly white.
fn glow(heat: f32) -> LinearRgba {
    LinearRgba::rgb(
        6.0 * heat.powf(1.7),
        2.4 * heat.powf(2.6),
        0.9 * heat.powi(4),
    )
}

fn make_rock_materials(
    mut commands: Commands,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let texture = images.add(cratered_texture());
    let of_color = |color: Srgba| {
        std::array::from_fn(|level| {
            materials.add(StandardMaterial {
                base_color: color.into(),
                base_color_texture: Some(texture.clone()),
                emissive: glow(level as f32 / (HEAT_LEVELS - 1) as f32),
                emissive_texture: Some(texture.clone()),
                perceptual_roughness: 0.9,
                reflectance: 0.3,
                ..default()
            })
        })
    };
    let materials = RockMaterials(ROCK_COLORS.map(of_color).into());
    commands.insert_resource(materials);
}

/// Spots and craters, in greys, so that one sees the balls spin.
fn cratered_texture() -> Image {
    const SIZE: UVec2 = UVec2::new(256, 128);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let spots: Vec<(Vec3, f32, f32)> = (0..90)
        .map(|_| {
            let radius = 0.08 + 0.4 * rng.random::<f32>().powi(3);
            (
                random_in_ball(&mut rng).normalize_or_zero(),
                radius,
                rng.random_range(-0.25..=0.12),
            )
        })
        .collect();
    let pixel = |x: u32, y: u32| {
        let (longitude, latitude) = (
            TAU * x as f32 / SIZE.x as f32,
            PI * (0.5 - (y as f32 + 0.5) / SIZE.y as f32),
        );
        let direction =
            Quat::from_rotation_y(longitude) * Quat::from_rotation_z(latitude) * Vec3::X;
        let shade: f32 = spots
            .iter()
            .map(|&(center, radius, shade)| {
                let distance = direction.distance(center) / radius;
                // Even inside, with a bright rim, soft at the edge.
                let inside = 1.0 - distance.clamp(0.85, 1.0).remap(0.85, 1.0, 0.0, 1.0);
                let rim = (1.0 - (distance - 0.95).abs() / 0.1).max(0.0);
                inside * shade + 0.08 * rim
            })
            .sum();
        let grey = (255.0 * (0.86 + shade).clamp(0.25, 1.0)) as u8;
        [grey, grey, grey, 255]
    };
    let data = (0..SIZE.y)
        .flat_map(|y| (0..SIZE.x).flat_map(move |x| pixel(x, y)))
        .collect();
    let extent = Extent3d {
        width: SIZE.x,
        height: SIZE.y,
        depth_or_array_layers: 1,
    };
    Image::new(
        extent,
        TextureDimension::D2,
        data,
        TextureFormat::Rgba8UnormSrgb,
        RenderAssetUsages::RENDER_WORLD,
    )
}

fn spawn_sky(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    options: Res<PlanetOptions>,
) {
    let cloud_radius = options.cloud_radius();
    let sky_radius = 40.0 * cloud_radius;
    commands.spawn((
        OrbitCamera::new(Vec3::ZERO, 0.4, 0.35, good_distance(cloud_radius)).turning(0.06),
        Projection::from(PerspectiveProjection {
            far: 2.0 * sky_radius,
            ..default()
        }),
        Hdr,
        Bloom {
            intensity: 0.08,
            ..Bloom::NATURAL
        },
    ));
    commands.spawn(sun(11_000.0, Vec3::new(3.0, 1.2, 2.0), 6.0 * cloud_radius));
    let stars = StandardMaterial {
        unlit: true,
        cull_mode: None,
        ..default()
    };
    commands.spawn((
        Mesh3d(meshes.add(star_mesh(sky_radius))),
        MeshMaterial3d(materials.add(stars)),
        NotShadowCaster,
        Pickable::IGNORE,
    ));
}

/// Small triangles on a sphere of `radius` that face its centre, in the colours of stars.
fn star_mesh(radius: f32) -> Mesh {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let (mut positions, mut colors) = (Vec::new(), Vec::new());
    for _ in 0..4000 {
        let direction = random_in_ball(&mut rng).normalize_or(Vec3::X);
        let (right, up) = direction.any_orthonormal_pair();
        // Few are bright.
        let brightness = rng.random::<f32>().powi(6);
        let size = radius * (0.0009 + 0.0014 * brightness);
        let warmth = rng.random_range(0.7..=1.0);
        let color = LinearRgba::rgb(warmth, 0.85, 1.7 - warmth) * (0.3 + 2.0 * brightness);
        for angle in [0.0, TAU / 3.0, 2.0 * TAU / 3.0] {
            let corner = right * f32::cos(angle) + up * f32::sin(angle);
            positions.push(radius * direction + size * corner);
            colors.push(color.to_f32_array());
        }
    }
    let corners = positions.len() as u32;
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::RENDER_WORLD,
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, vec![Vec3::Y; positions.len()])
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
    .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colors)
    .with_inserted_indices(Indices::U32((0..corners).collect()))
}

fn clear(
    mut commands: Commands,
    balls: Query<Entity, With<Particle>>,
    mut following: ResMut<Following>,
) {
    *following = Following::default();
    for ball in &balls {
        commands.entity(ball).despawn();
    }
}

/// A heavy glowing ball, shot from the camera towards the pointer, or at the planet if the pointer is elsewhere.
fn throw_comet(
    mut commands: Commands,
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform), With<OrbitCamera>>,
    shape: Res<Shape>,
) {
    const RADIUS: f32 = 2.5;
    const DENSITY_RATIO: f32 = 5.0;
    const SPEED: f32 = 70.0;
    let (camera, eye) = *camera;
    let direction = window
        .cursor_position()
        .and_then(|pointer| camera.viewport_to_world(eye, pointer).ok())
        .map_or_else(
            || (shape.center.as_vec3() - eye.translation()).normalize_or(Vec3::NEG_Z),
            |ray| *ray.direction,
        );
    commands.spawn((
        rock(RADIUS, DENSITY_RATIO * RADIUS.powi(3)),
        Transform::from_translation(eye.translation() + 4.0 * RADIUS * direction),
        LinearVelocity(SPEED * direction),
        Heat(1.0),
    ));
}

fn dress_rocks(
    mut commands: Commands,
    materials: Res<RockMaterials>,
    balls: Query<(Entity, &Particle), Added<Particle>>,
) {
    for (ball, particle) in &balls {
        // The last bits of a random radius are as good as another random number.
        let color = particle.radius.to_bits() as usize % ROCK_COLORS.len();
        let material = MeshMaterial3d(materials.0[color][0].clone());
        commands
            .entity(ball)
            .try_insert((BodyMesh, Rock { color, level: 0 }, material))
            .try_insert_if_new(Heat::default());
    }
}

/// Part of an impact's energy becomes heat; light balls grow hotter.
fn heat_by_impacts(mut impacts: MessageReader<Impact>, mut balls: Query<(&mut Heat, &Mass)>) {
    /// Joules per kilogram that make a ball white-hot.
    const WHITE_HOT: f32 = 250.0;
    for impact in impacts.read() {
        let energy = 0.5 * impact.impulse.dot(impact.normal).abs() * impact.approach_speed;
        for ball in [impact.a, impact.b] {
            if let Ok((mut heat, mass)) = balls.get_mut(ball) {
                heat.0 = (heat.0 + energy / (mass.0 * WHITE_HOT)).min(1.0);
            }
        }
    }
}

fn cool(mut balls: Query<&mut Heat>, time: Res<Time>, control: Res<StepControl>) {
    /// Seconds to cool to 1/e.
    const COOLING: f32 = 4.0;
    if control.paused {
        return;
    }
    let kept = (-time.delta_secs() / COOLING).exp();
    for mut heat in &mut balls {
        heat.0 *= kept;
    }
}

fn show_heat(
    mut balls: Query<(&Heat, &mut Rock, &mut MeshMaterial3d<StandardMaterial>)>,
    materials: Res<RockMaterials>,
) {
    for (heat, mut rock, mut material) in &mut balls {
        let level = (heat.0 * (HEAT_LEVELS - 1) as f32).round() as usize;
        if level != rock.level {
            rock.level = level;
            material.0 = materials.0[rock.color][level].clone();
        }
    }
}

/// The planet as it is now.
#[derive(Resource, Default, Deref, DerefMut)]
struct Shape(PlanetShape);

fn measure_shape(mut shape: ResMut<Shape>, balls: Query<Ball>) {
    shape.0 = PlanetShape::of(balls.iter());
}

/// Metres from which a ball of `radius` fills most of the view.
fn good_distance(radius: f32) -> f32 {
    3.4 * radius
}

/// What the camera's focus and distance were left at; a player who zooms or pans changes them, and then keeps them.
#[derive(Resource, Default)]
struct Following {
    focus: Option<Vec3>,
    distance: Option<f32>,
}

/// Keeps the planet in the middle, until the player pans, and at a good size, until the player zooms.
fn follow(
    camera: Single<&mut OrbitCamera>,
    mut following: ResMut<Following>,
    shape: Res<Shape>,
    time: Res<Time>,
) {
    // Slow enough to see the fall as a fall.
    let kept = (-0.5 * time.delta_secs()).exp();
    let mut camera = camera.into_inner();
    if following.focus.is_none_or(|focus| focus == camera.focus) {
        camera.focus = shape.center.as_vec3().lerp(camera.focus, kept);
        following.focus = Some(camera.focus);
    }
    if following
        .distance
        .is_none_or(|distance| distance == camera.distance)
    {
        let radius = (shape.radius_90 as f32).max(5.0);
        camera.distance = good_distance(radius).lerp(camera.distance, kept);
        following.distance = Some(camera.distance);
    }
}

fn show_shape(shape: Res<Shape>, balls: Query<(), With<Particle>>, mut status: ResMut<StatusLine>) {
    let line = format!(
        "{} balls, 90 % of the mass within {:.1} m, turning at {:.2} rad/s",
        balls.iter().len(),
        shape.radius_90,
        shape.spin,
    );
    status.set_if_neq(StatusLine(line));
}
