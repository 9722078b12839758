//! Meshes and materials of the run and its marbles.

use std::f32::consts::TAU;

use bevy::{light::NotShadowCaster, math::FloatOrd, platform::collections::HashMap, prelude::*};
use scene_kit::picture::picture;

use crate::marbles::{
    course::{Form, Look, MARBLE, pieces},
    marble::{Marble, PieceOf},
};

/// One mesh for all marbles, and one material for each colour: equal marbles are drawn together.
#[derive(Resource)]
pub(super) struct Looks {
    marble: Handle<Mesh>,
    glass: [Handle<StandardMaterial>; GLASS.len()],
}

/// The colours of the marbles.
pub(super) const GLASS: [Srgba; 10] = [
    Srgba::rgb(0.90, 0.16, 0.14),
    Srgba::rgb(0.98, 0.52, 0.08),
    Srgba::rgb(0.99, 0.82, 0.16),
    Srgba::rgb(0.32, 0.75, 0.26),
    Srgba::rgb(0.06, 0.62, 0.58),
    Srgba::rgb(0.12, 0.56, 0.93),
    Srgba::rgb(0.20, 0.26, 0.82),
    Srgba::rgb(0.58, 0.24, 0.80),
    Srgba::rgb(0.95, 0.34, 0.60),
    Srgba::rgb(0.94, 0.94, 0.92),
];

fn material(look: Look) -> StandardMaterial {
    let (color, metallic, roughness) = match look {
        Look::Track => (Srgba::rgb(0.90, 0.66, 0.38), 0.0, 0.35),
        Look::Funnel => (Srgba::rgb(0.08, 0.50, 0.56), 0.0, 0.3),
        Look::Bowl => (Srgba::rgb(0.86, 0.30, 0.18), 0.0, 0.3),
        Look::Mixer | Look::Peg => (Srgba::rgb(0.95, 0.76, 0.38), 1.0, 0.25),
        Look::Stairs => (Srgba::rgb(0.96, 0.76, 0.28), 0.0, 0.45),
        Look::Board => (Srgba::rgb(0.12, 0.22, 0.42), 0.0, 0.5),
        Look::Tray => (Srgba::rgb(0.93, 0.86, 0.73), 0.0, 0.5),
        Look::Post => (Srgba::rgb(0.62, 0.40, 0.23), 0.0, 0.5),
        Look::Glass => (Srgba::new(0.75, 0.88, 1.0, 0.08), 0.0, 0.1),
    };
    StandardMaterial {
        base_color: color.into(),
        metallic,
        perceptual_roughness: roughness,
        alpha_mode: if color.alpha < 1.0 {
            AlphaMode::Blend
        } else {
            AlphaMode::Opaque
        },
        ..default()
    }
}

/// Coloured glass with white and dark threads from pole to pole: one sees how a marble rolls.
fn swirl(color: Srgba) -> Image {
    let dark = Srgba::BLACK.mix(&color, 0.45);
    picture(UVec2::new(64, 32), |at| {
        let thread = (TAU * (at.x + 0.35 * at.y)).sin();
        let second = (TAU * (at.x - 0.2 + 0.35 * at.y)).sin();
        match (thread > 0.86, second > 0.9) {
            (true, _) => Srgba::rgb(0.97, 0.96, 0.92),
            (false, true) => dark,
            (false, false) => color,
        }
    })
}

pub(super) fn make_looks(
    mut commands: Commands,
    mut images: ResMut<Assets<Image>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let glass = GLASS.map(|color| {
        materials.add(StandardMaterial {
            base_color_texture: Some(images.add(swirl(color))),
            // Light that has come through the glass.
            emissive: LinearRgba::from(color) * 0.12,
            perceptual_roughness: 0.08,
            reflectance: 0.6,
            ..default()
        })
    });
    commands.insert_resource(Looks {
        marble: meshes.add(Sphere::new(MARBLE).mesh().uv(24, 14)),
        glass,
    });
}

/// What pieces share, so that equal ones are drawn together.
#[derive(Default)]
pub(super) struct Shared {
    materials: HashMap<Look, Handle<StandardMaterial>>,
    /// The meshes of posts by radius and height: the board has a hundred equal pegs.
    posts: HashMap<[FloatOrd; 2], Handle<Mesh>>,
}

pub(super) fn dress_pieces(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut shared: Local<Shared>,
    bare: Query<(Entity, &PieceOf), Added<PieceOf>>,
) {
    if bare.is_empty() {
        return;
    }
    let pieces = pieces();
    for (entity, &PieceOf(number)) in &bare {
        let piece = &pieces[number];
        let material = shared
            .materials
            .entry(piece.look)
            .or_insert_with_key(|&look| materials.add(material(look)))
            .clone();
        let mut make = || meshes.add(piece.form.mesh());
        let mesh = match piece.form {
            Form::Post(radius, height) => shared
                .posts
                .entry([radius, height].map(FloatOrd))
                .or_insert_with(make)
                .clone(),
            _ => make(),
        };
        let mut entity = commands.entity(entity);
        entity.try_insert((Mesh3d(mesh), MeshMaterial3d(material)));
        if piece.look == Look::Glass {
            entity.try_insert(NotShadowCaster);
        }
    }
}

pub(super) fn dress_marbles(
    mut commands: Commands,
    looks: Res<Looks>,
    bare: Query<(Entity, &Marble), Added<Marble>>,
) {
    for (entity, marble) in &bare {
        let glass = &looks.glass[marble.0 as usize % GLASS.len()];
        commands
            .entity(entity)
            .try_insert((Mesh3d(looks.marble.clone()), MeshMaterial3d(glass.clone())));
    }
}
