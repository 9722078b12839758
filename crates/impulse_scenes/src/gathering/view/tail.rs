//! The tails that comets drag, and where the pointer throws a comet from.

use std::f32::consts::TAU;

use bevy::{
    asset::RenderAssetUsages,
    ecs::system::SystemParam,
    light::NotShadowCaster,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
    window::PrimaryWindow,
};
use bevy_impulse_collide::prelude::*;
use scene_kit::window::OrbitCamera;

use super::measured::Measured;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Startup, make_tail_look)
        .add_systems(PostUpdate, drag_tails.before(TransformSystems::Propagate));
}

/// A comet's tail.
#[derive(Component)]
struct TailOf {
    comet: Entity,
    /// Of the comet, in m.
    radius: f32,
}

/// What tails look like.
#[derive(Resource)]
pub(crate) struct TailLook {
    mesh: Handle<Mesh>,
    material: Handle<StandardMaterial>,
}

impl TailLook {
    /// The tail of a comet of some radius in m.
    pub fn tail(&self, comet: Entity, radius: f32) -> impl Bundle {
        (
            TailOf { comet, radius },
            Mesh3d(self.mesh.clone()),
            MeshMaterial3d(self.material.clone()),
            Transform::from_scale(Vec3::ZERO),
            NotShadowCaster,
        )
    }
}

fn make_tail_look(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let look = TailLook {
        mesh: meshes.add(tail_mesh()),
        material: materials.add(StandardMaterial {
            unlit: true,
            alpha_mode: AlphaMode::Add,
            cull_mode: None,
            ..default()
        }),
    };
    commands.insert_resource(look);
}

/// A cone from a circle of radius 1 about the origin to a point at −Z, bright at the circle and fading to nothing.
fn tail_mesh() -> Mesh {
    const SIDES: u32 = 24;
    let mut positions = vec![Vec3::NEG_Z];
    let mut colors = vec![[0.0, 0.0, 0.0, 0.0]];
    for side in 0..SIDES {
        let angle = TAU * side as f32 / SIDES as f32;
        positions.push(Vec3::new(angle.cos(), angle.sin(), 0.0));
        colors.push([1.6, 0.75, 0.3, 1.0]);
    }
    let indices = (0..SIDES).flat_map(|side| [0, 1 + side, 1 + (side + 1) % SIDES]);
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::RENDER_WORLD,
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, vec![Vec3::Z; positions.len()])
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
    .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colors)
    .with_inserted_indices(Indices::U32(indices.collect()))
}

/// The pointer and the camera: a comet comes from where the player points.
#[derive(SystemParam)]
pub(crate) struct Aim<'w, 's> {
    window: Single<'w, 's, &'static Window, With<PrimaryWindow>>,
    camera: Single<'w, 's, (&'static Camera, &'static GlobalTransform), With<OrbitCamera>>,
}

impl Aim<'_, '_> {
    /// The course of a comet at `center`: it comes from the side on which the pointer is, in the picture's plane, or from the
    /// right if the pointer is elsewhere. In a flat world it comes in the plane z = 0.
    pub fn course(&self, center: Vec3, is_flat: bool) -> (Vec3, Vec3) {
        let (camera, eye) = *self.camera;
        let facing = if is_flat { Vec3::Z } else { *eye.back() };
        let pointed = self
            .window
            .cursor_position()
            .and_then(|pointer| camera.viewport_to_world(eye, pointer).ok())
            .and_then(|ray| ray.plane_intersection_point(center, InfinitePlane3d::new(facing)));
        let from = pointed.map_or(*eye.right(), |point| point - center);
        let from = from.reject_from(facing).normalize_or(Vec3::X);
        (from, facing.cross(from))
    }
}

/// A tail streams away from where its comet flies, and is gone once the comet has been stopped.
fn drag_tails(
    mut commands: Commands,
    mut tails: Query<(Entity, &TailOf, &mut Transform), Without<RigidBody>>,
    comets: Query<(&Transform, &LinearVelocity), With<RigidBody>>,
    heap: Res<Measured>,
) {
    /// Time that the tail reaches back, over the time in which a comet at escape speed passes the heap's radius.
    const SPAN: f64 = 1.25;
    let span = SPAN * heap.core.radius90 / heap.escape_speed.max(1e-6);
    for (entity, tail, mut transform) in &mut tails {
        let Ok((comet, velocity)) = comets.get(tail.comet) else {
            commands.entity(entity).despawn();
            continue;
        };
        let velocity = velocity.0 - heap.core.drift.as_vec3();
        let speed = velocity.length();
        let Ok(direction) = Dir3::new(velocity) else {
            continue;
        };
        if speed < heap.escape_speed as f32 {
            commands.entity(entity).despawn();
            continue;
        }
        let radius = 0.98 * tail.radius;
        *transform = Transform::from_translation(comet.translation)
            .looking_to(-direction, Vec3::Y)
            .with_scale(Vec3::new(radius, radius, span as f32 * speed));
    }
}
