//! Meshes and materials of the run and its marbles.

use bevy::{light::NotShadowCaster, platform::collections::HashMap, prelude::*};

use crate::marbles::{
    course::{Look, MARBLE, pieces},
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
        Look::Track => (Srgba::rgb(0.93, 0.90, 0.84), 0.0, 0.45),
        Look::Funnel => (Srgba::rgb(0.16, 0.46, 0.62), 0.0, 0.4),
        Look::Bowl => (Srgba::rgb(0.82, 0.42, 0.22), 0.0, 0.45),
        Look::Mixer => (Srgba::rgb(0.80, 0.81, 0.83), 1.0, 0.3),
        Look::Stairs => (Srgba::rgb(0.78, 0.64, 0.42), 0.0, 0.6),
        Look::Board => (Srgba::rgb(0.33, 0.37, 0.43), 0.0, 0.6),
        Look::Peg => (Srgba::rgb(0.96, 0.78, 0.34), 1.0, 0.3),
        Look::Tray => (Srgba::rgb(0.42, 0.30, 0.21), 0.0, 0.55),
        Look::Post => (Srgba::rgb(0.50, 0.52, 0.55), 1.0, 0.4),
        Look::Glass => (Srgba::new(0.75, 0.88, 1.0, 0.06), 0.0, 0.1),
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

pub(super) fn make_looks(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) -> Result {
    let glass = GLASS.map(|color| {
        materials.add(StandardMaterial {
            base_color: color.into(),
            perceptual_roughness: 0.12,
            reflectance: 0.7,
            clearcoat: 0.6,
            ..default()
        })
    });
    commands.insert_resource(Looks {
        marble: meshes.add(Sphere::new(MARBLE).mesh().ico(3)?),
        glass,
    });
    Ok(())
}

pub(super) fn dress_pieces(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut made: Local<HashMap<Look, Handle<StandardMaterial>>>,
    bare: Query<(Entity, &PieceOf), Added<PieceOf>>,
) {
    if bare.is_empty() {
        return;
    }
    let pieces = pieces();
    for (entity, &PieceOf(number)) in &bare {
        let piece = &pieces[number];
        let material = made
            .entry(piece.look)
            .or_insert_with_key(|&look| materials.add(material(look)));
        let mut entity = commands.entity(entity);
        entity.try_insert((
            Mesh3d(meshes.add(piece.form.mesh())),
            MeshMaterial3d(material.clone()),
        ));
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
