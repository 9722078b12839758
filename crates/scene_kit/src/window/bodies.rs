//! Meshes and colours of bodies.

use bevy::{math::FloatOrd, platform::collections::HashMap, prelude::*};
use bevy_impulse_collide::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.register_type::<BodyColor>()
        .register_type::<BodyMesh>()
        .init_resource::<BodyMeshes>()
        .add_systems(Update, dress_bodies);
}

/// Gives a [`Particle`], [`Capsule`] or [`Plane`] a mesh of its size. Without a window it does nothing.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
pub struct BodyMesh;

/// Gives a body a mesh of its size in this colour. For a material of your own, spawn [`BodyMesh`] beside it instead.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[require(BodyMesh)]
pub struct BodyColor(pub Color);

/// Meshes and materials that bodies of the same size or colour share, so that they are drawn together.
#[derive(Resource, Default)]
struct BodyMeshes {
    balls: HashMap<FloatOrd, Handle<Mesh>>,
    capsules: HashMap<(FloatOrd, FloatOrd), Handle<Mesh>>,
    materials: HashMap<[u8; 4], Handle<StandardMaterial>>,
}

/// Metres from its point to which a half-space is drawn.
const PLANE_HALF_SIZE: f32 = 200.0;

fn dress_bodies(
    mut commands: Commands,
    mut cache: ResMut<BodyMeshes>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    shapes: Query<
        (Entity, Option<&Particle>, Option<&Capsule>, Option<&Plane>),
        (
            With<BodyMesh>,
            Or<(
                Added<BodyMesh>,
                Changed<Particle>,
                Changed<Capsule>,
                Changed<Plane>,
            )>,
        ),
    >,
    colors: Query<(Entity, &BodyColor), Changed<BodyColor>>,
) {
    for (entity, particle, capsule, plane) in &shapes {
        let mesh = if let Some(&Particle { radius }) = particle {
            let ball = || meshes.add(Sphere::new(radius).mesh().uv(32, 18));
            cache
                .balls
                .entry(FloatOrd(radius))
                .or_insert_with(ball)
                .clone()
        } else if let Some(&Capsule { radius, length }) = capsule {
            let capsule = || meshes.add(Capsule3d::new(radius, length));
            cache
                .capsules
                .entry((FloatOrd(radius), FloatOrd(length)))
                .or_insert_with(capsule)
                .clone()
        } else if let Some(normal) = plane.and_then(|plane| Dir3::new(plane.normal).ok()) {
            meshes.add(Plane3d::new(*normal, Vec2::splat(PLANE_HALF_SIZE)))
        } else {
            continue;
        };
        commands.entity(entity).try_insert(Mesh3d(mesh));
    }
    for (entity, color) in &colors {
        let material = || {
            materials.add(StandardMaterial {
                base_color: color.0,
                perceptual_roughness: 0.5,
                ..default()
            })
        };
        let shared = cache
            .materials
            .entry(color.0.to_srgba().to_u8_array())
            .or_insert_with(material);
        commands
            .entity(entity)
            .try_insert(MeshMaterial3d(shared.clone()));
    }
}
