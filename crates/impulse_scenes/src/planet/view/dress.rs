//! Meshes and materials of the balls, which glow where they were hit.

use std::f32::consts::{PI, TAU};

use bevy::{
    asset::RenderAssetUsages,
    prelude::*,
    render::render_resource::{Extent3d, TextureDimension, TextureFormat},
};
use bevy_impulse_collide::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use scene_kit::press::Press;

use super::{
    colors::{ColorBy, ramp},
    measure::Legend,
};
use crate::{
    gathering::{cloud::random_in_unit, view::measured::Measured},
    planet::options::{Dimensions, PlanetOptions},
};

/// How hot a ball is: 0 cold rock, 1 white-hot.
#[derive(Component, Default)]
pub(super) struct Heat(pub f32);

/// Which of the rock colours a ball has, and which look in [`Looks`] it wears.
#[derive(Component)]
pub(super) struct Look {
    color: usize,
    worn: usize,
}

/// One mesh for all balls, and one material for each colour and level, so that equal balls are drawn together.
#[derive(Resource)]
pub(super) struct Looks {
    ball: Handle<Mesh>,
    /// With fewer triangles, where there are thousands of balls.
    plain_ball: Handle<Mesh>,
    /// The levels of heat of each rock colour in turn, then the levels of speed and pressure.
    materials: Vec<Handle<StandardMaterial>>,
}

const LEVELS: usize = 16;

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

pub(super) fn make_looks(
    mut commands: Commands,
    mut images: ResMut<Assets<Image>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let texture = images.add(cratered_texture());
    let material = |color: Srgba, emissive: LinearRgba| StandardMaterial {
        base_color: color.into(),
        base_color_texture: Some(texture.clone()),
        emissive,
        emissive_texture: Some(texture.clone()),
        perceptual_roughness: 0.9,
        reflectance: 0.3,
        ..default()
    };
    let share = |level: usize| level as f32 / (LEVELS - 1) as f32;
    let mut looks = Vec::new();
    for color in ROCK_COLORS {
        looks.extend((0..LEVELS).map(|level| material(color, glow(share(level)))));
    }
    looks.extend((0..LEVELS).map(|level| {
        let color = ramp(ColorBy::Speed, share(level));
        material(color, LinearRgba::from(color) * 0.15)
    }));
    commands.insert_resource(Looks {
        ball: meshes.add(Sphere::new(1.0).mesh().uv(30, 18)),
        plain_ball: meshes.add(Sphere::new(1.0).mesh().uv(16, 10)),
        materials: looks.into_iter().map(|look| materials.add(look)).collect(),
    });
}

/// Spots and craters, in greys, so that one sees the balls spin.
fn cratered_texture() -> Image {
    const SIZE: UVec2 = UVec2::new(256, 128);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let spots: Vec<(Vec3, f32, f32)> = (0..90)
        .map(|_| {
            let radius = 0.08 + 0.4 * rng.random::<f32>().powi(3);
            (
                random_in_unit(&mut rng, false).normalize_or_zero(),
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

pub(super) fn dress_rocks(
    mut commands: Commands,
    looks: Res<Looks>,
    balls: Query<(Entity, &Transform), Added<Particle>>,
    options: Res<PlanetOptions>,
) {
    let mesh = if options.ball_count() <= 1000 {
        &looks.ball
    } else {
        &looks.plain_ball
    };
    for (ball, transform) in &balls {
        // The last bits of a random radius are as good as another random number.
        let color = transform.scale.x.to_bits() as usize % ROCK_COLORS.len();
        let worn = color * LEVELS;
        commands
            .entity(ball)
            .try_insert((
                Mesh3d(mesh.clone()),
                MeshMaterial3d(looks.materials[worn].clone()),
                Look { color, worn },
                Press::default(),
            ))
            .try_insert_if_new(Heat::default());
    }
}

/// Part of an impact's energy becomes heat; light balls grow hotter.
pub(super) fn heat_by_impacts(
    mut impacts: MessageReader<Impact>,
    mut balls: Query<(&mut Heat, &Mass)>,
    legend: Res<Legend>,
) {
    /// Energy that makes a ball white-hot, as a part of the energy of a fall onto the settled planet.
    const WHITE_HOT: f32 = 0.8;
    let white_hot = WHITE_HOT * legend.fall_energy as f32;
    if white_hot <= 0.0 {
        return;
    }
    for impact in impacts.read() {
        let energy = 0.5 * impact.impulse.dot(impact.normal).abs() * impact.approach_speed;
        for ball in [impact.a, impact.b] {
            if let Ok((mut heat, mass)) = balls.get_mut(ball) {
                heat.0 = (heat.0 + energy / (mass.0 * white_hot)).min(1.0);
            }
        }
    }
}

pub(super) fn cool(mut balls: Query<&mut Heat>, time: Res<Time>, control: Res<StepControl>) {
    /// Seconds to cool to 1/e.
    const COOLING: f32 = 1.2;
    if control.paused {
        return;
    }
    let kept = (-time.delta_secs() / COOLING).exp();
    for mut heat in &mut balls {
        heat.0 *= kept;
    }
}

pub(super) fn paint(
    mut balls: Query<(
        &Heat,
        &Press,
        &Transform,
        &LinearVelocity,
        &mut Look,
        &mut MeshMaterial3d<StandardMaterial>,
    )>,
    looks: Res<Looks>,
    color_by: Res<ColorBy>,
    legend: Res<Legend>,
    heap: Res<Measured>,
    options: Res<PlanetOptions>,
) {
    let surface = |radius: f32| match options.dim {
        Dimensions::Two => TAU * radius,
        Dimensions::Three => 2.0 * TAU * radius * radius,
    };
    let drift = heap.core.drift.as_vec3();
    let level = |x: f32| (x.clamp(0.0, 1.0) * (LEVELS - 1) as f32).round() as usize;
    for (heat, press, transform, velocity, mut look, mut material) in &mut balls {
        let wanted = match *color_by {
            ColorBy::Heat => look.color * LEVELS + level(heat.0),
            ColorBy::Speed => {
                // The root, so that slow and fast are both seen.
                let speed = velocity.distance(drift) / heap.escape_speed.max(1e-6) as f32;
                ROCK_COLORS.len() * LEVELS + level(speed.sqrt())
            }
            ColorBy::Pressure => {
                let pressure = press.force() / surface(transform.scale.x);
                let part = pressure / legend.pressure.max(1e-6) as f32;
                ROCK_COLORS.len() * LEVELS + level(part)
            }
        };
        if wanted != look.worn {
            look.worn = wanted;
            material.0 = looks.materials[wanted].clone();
        }
    }
}
