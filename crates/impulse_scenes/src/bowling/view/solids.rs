//! Pins and balls as one sees them. A pin is turned from the outline of its drawing.

use std::f32::consts::TAU;

use bevy::{
    asset::RenderAssetUsages,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};
use scene_kit::picture::picture;

use super::{floor::NEXT_LANE, paint};
use crate::bowling::world::{
    ball::Ball,
    measures::{BALL_RADIUS, INCH, PINS, spot},
    pin::{BASE, HEIGHT, Pin, radius},
};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(PreStartup, make_looks)
        .add_systems(Startup, spawn_neighbours)
        .add_systems(Update, dress);
}

/// Heights of the two red stripes around the neck, in inches.
const STRIPES: [(f32, f32); 2] = [(9.3, 9.75), (10.35, 10.8)];

/// What pins and balls look like.
#[derive(Resource)]
pub(super) struct Looks {
    pins: [(Handle<Mesh>, Handle<StandardMaterial>); 2],
    ball: (Handle<Mesh>, Handle<StandardMaterial>),
}

impl Looks {
    /// Meshes of a ball.
    pub(super) fn ball(&self) -> impl Bundle {
        let (mesh, material) = self.ball.clone();
        (Mesh3d(mesh), MeshMaterial3d(material))
    }
}

/// The surface that the outline sweeps between these heights.
fn turned(spans: &[(f32, f32)]) -> Mesh {
    const AROUND: u32 = 36;
    const STEP: f32 = 0.004;
    let (mut positions, mut normals, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    for &(low, high) in spans {
        let rings = ((high - low) / STEP).ceil().max(1.0) as u32;
        let first = positions.len() as u32;
        for ring in 0..=rings {
            let y = low.lerp(high, ring as f32 / rings as f32);
            let r = radius(y);
            let near = |y: f32| radius(y.clamp(1e-5, HEIGHT - 1e-5));
            let slope = (near(y + 5e-4) - near(y - 5e-4)) / 1e-3;
            for k in 0..=AROUND {
                let (sin, cos) = (TAU * k as f32 / AROUND as f32).sin_cos();
                positions.push(Vec3::new(r * cos, y, r * sin));
                normals.push(Vec3::new(cos, -slope, sin).normalize());
            }
        }
        let row = AROUND + 1;
        for ring in 0..rings {
            for k in 0..AROUND {
                let at = first + ring * row + k;
                indices.extend([at, at + row, at + 1, at + 1, at + row, at + row + 1]);
            }
        }
    }
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::default(),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, vec![[0.0_f32; 2]; positions.len()])
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
    .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
    .with_inserted_indices(Indices::U32(indices))
}

fn make_looks(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut images: ResMut<Assets<Image>>,
) {
    let red = STRIPES.map(|(low, high)| (low * INCH, high * INCH));
    let [(a, b), (c, d)] = red;
    let white = [(0.0, a), (b, c), (d, HEIGHT)];
    let mut white = turned(&white);
    // The base, which one sees of a pin that lies.
    let base = Circle::new(BASE).mesh().build();
    let base = base.rotated_by(Quat::from_rotation_x(0.25 * TAU));
    white.merge(&base).unwrap_or_default();
    let plastic = |color: Color| StandardMaterial {
        reflectance: 0.5,
        ..paint(color, 0.22)
    };
    // Swirls show how the ball turns, and three holes for the fingers.
    let swirls = picture(UVec2::new(512, 256), |at| {
        let (longitude, latitude) = (TAU * at.x, (at.y - 0.5) * 0.5 * TAU);
        let (sin, cos) = longitude.sin_cos();
        let x = Vec3::new(cos * latitude.cos(), latitude.sin(), sin * latitude.cos());
        let wave = (5.0 * x.x + 2.0 * (4.0 * x.y + 1.0).sin()).sin()
            + (6.0 * x.z + 2.0 * (3.0 * x.x).cos()).sin();
        let hole = [
            Vec3::new(0.10, 1.0, 0.16),
            Vec3::new(-0.10, 1.0, 0.16),
            Vec3::new(0.0, 1.0, -0.22),
        ]
        .into_iter()
        .any(|hole| x.distance(hole.normalize()) < 0.11);
        let color = if hole {
            Vec3::ZERO
        } else {
            Vec3::new(0.02, 0.05, 0.22).lerp(Vec3::new(0.15, 0.45, 0.85), 0.25 * wave + 0.5)
        };
        Srgba::rgb(color.x, color.y, color.z)
    });
    let ball = StandardMaterial {
        base_color_texture: Some(images.add(swirls)),
        perceptual_roughness: 0.12,
        reflectance: 0.6,
        ..default()
    };
    commands.insert_resource(Looks {
        pins: [
            (
                meshes.add(white),
                materials.add(plastic(Color::srgb(0.93, 0.91, 0.87))),
            ),
            (
                meshes.add(turned(&red)),
                materials.add(plastic(Color::srgb(0.72, 0.05, 0.06))),
            ),
        ],
        ball: (
            meshes.add(Sphere::new(BALL_RADIUS).mesh().uv(48, 28)),
            materials.add(ball),
        ),
    });
}

/// The pins of the lanes beside this one, which nobody plays.
fn spawn_neighbours(mut commands: Commands, looks: Res<Looks>) {
    for (mesh, material) in &looks.pins {
        for lane in [-NEXT_LANE, NEXT_LANE] {
            for index in 0..PINS {
                commands.spawn((
                    Mesh3d(mesh.clone()),
                    MeshMaterial3d(material.clone()),
                    Transform::from_translation(spot(index) + lane * Vec3::X),
                ));
            }
        }
    }
}

fn dress(
    mut commands: Commands,
    looks: Res<Looks>,
    pins: Query<Entity, Added<Pin>>,
    balls: Query<Entity, Added<Ball>>,
) {
    for pin in &pins {
        commands.entity(pin).with_children(|pin| {
            for (mesh, material) in looks.pins.clone() {
                pin.spawn((Mesh3d(mesh), MeshMaterial3d(material)));
            }
        });
    }
    for ball in &balls {
        commands.entity(ball).try_insert(looks.ball());
    }
}
