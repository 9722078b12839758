//! Comets that the player throws, and the tails that they drag.

use std::f32::consts::TAU;

use bevy::{
    asset::RenderAssetUsages,
    input::common_conditions::input_just_pressed,
    light::NotShadowCaster,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
    window::PrimaryWindow,
};
use bevy_impulse_collide::prelude::*;
use scene_kit::window::{OrbitCamera, keys_are_free};

use super::{
    dress::Heat,
    measure::{Legend, Shape},
};
use crate::planet::{
    comet::Comet,
    options::{Dimensions, PlanetOptions},
};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, make_tail_look)
        .add_systems(
            Update,
            throw_comet.run_if(input_just_pressed(KeyCode::KeyC).and_then(keys_are_free)),
        )
        .add_systems(PostUpdate, drag_tails.before(TransformSystems::Propagate));
}

/// A comet's tail.
#[derive(Component)]
struct TailOf(Entity);

#[derive(Resource)]
struct TailLook {
    mesh: Handle<Mesh>,
    material: Handle<StandardMaterial>,
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

/// Throws a comet at the planet from the side on which the pointer is, in the picture's plane, or from the right if the
/// pointer is elsewhere.
fn throw_comet(
    mut commands: Commands,
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform), With<OrbitCamera>>,
    shape: Res<Shape>,
    options: Res<PlanetOptions>,
    tail: Res<TailLook>,
    time: Res<Time>,
) {
    if shape.core.radius90 <= 0.0 {
        return;
    }
    let (camera, eye) = *camera;
    let center = shape.core.center.as_vec3();
    let facing = match options.dim {
        Dimensions::Two => Vec3::Z,
        Dimensions::Three => *eye.back(),
    };
    let pointed = window
        .cursor_position()
        .and_then(|pointer| camera.viewport_to_world(eye, pointer).ok())
        .and_then(|ray| ray.plane_intersection_point(center, InfinitePlane3d::new(facing)));
    let from = pointed.map_or(*eye.right(), |point| point - center);
    let from = from.reject_from(facing).normalize_or(Vec3::X);
    let course = (from, facing.cross(from));
    let comet = Comet::new(&shape.core, &options, course, time.elapsed_secs_f64());
    let entity = comet.spawn(&mut commands);
    commands.entity(entity).insert(Heat(1.0));
    commands.spawn((
        TailOf(entity),
        Mesh3d(tail.mesh.clone()),
        MeshMaterial3d(tail.material.clone()),
        Transform::from_scale(Vec3::ZERO),
        NotShadowCaster,
    ));
}

/// A tail streams away from where its comet flies, and is gone once the comet has been stopped.
fn drag_tails(
    mut commands: Commands,
    mut tails: Query<(Entity, &TailOf, &mut Transform), Without<Particle>>,
    comets: Query<(&Transform, &LinearVelocity), With<Particle>>,
    shape: Res<Shape>,
    legend: Res<Legend>,
) {
    /// Seconds that the tail reaches back.
    const SPAN: f32 = 0.05;
    for (entity, tail, mut transform) in &mut tails {
        let Ok((comet, velocity)) = comets.get(tail.0) else {
            commands.entity(entity).despawn();
            continue;
        };
        let velocity = velocity.0 - shape.core.drift.as_vec3();
        let speed = velocity.length();
        let Ok(direction) = Dir3::new(velocity) else {
            continue;
        };
        if speed < legend.escape_speed as f32 {
            commands.entity(entity).despawn();
            continue;
        }
        let radius = 0.98 * comet.scale.x;
        *transform = Transform::from_translation(comet.translation)
            .looking_to(-direction, Vec3::Y)
            .with_scale(Vec3::new(radius, radius, SPAN * speed));
    }
}
