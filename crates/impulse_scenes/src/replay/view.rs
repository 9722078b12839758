//! The window of a replay: the bodies, and how the replay stands.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use bevy::{
    asset::RenderAssetUsages,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};
use bevy_impulse_collide::prelude::*;
use bevy_impulse_recorder::{Outcome, Replay};
use scene_kit::window::{BodyColor, DragSettings, OrbitCamera, StatusLine, sun};

/// Set as soon as the replay has left the bits.
#[derive(Resource, Clone)]
struct Left(Arc<AtomicBool>);

/// Shows the replay of this app. Returns whether it has left the bits, for after the run.
pub(super) fn add(app: &mut App) -> Arc<AtomicBool> {
    let left = Left(Arc::default());
    app.insert_resource(left.clone())
        .insert_resource(ClearColor(Color::srgb(0.05, 0.06, 0.09)))
        // A body that is pulled would leave the bits.
        .insert_resource(DragSettings {
            while_hidden: false,
            ..default()
        })
        .add_systems(Startup, look_at_bodies)
        .add_systems(Update, (dress, tell).chain());
    left.0
}

/// A camera from which all balls and capsules can be seen; without any, all colliders.
fn look_at_bodies(
    mut commands: Commands,
    round: Query<
        (&GlobalTransform, Option<&Particle>, Option<&Capsule>),
        Or<(With<Particle>, With<Capsule>)>,
    >,
    colliders: Query<(&GlobalTransform, &Collider)>,
) {
    let of_round =
        |(place, ball, capsule): (&GlobalTransform, Option<&Particle>, Option<&Capsule>)| {
            let ball = ball.map_or(0.0, |ball| ball.radius);
            let capsule = capsule.map_or(0.0, |capsule| capsule.radius + 0.5 * capsule.length);
            (place.translation(), ball.max(capsule))
        };
    let of_collider = |(place, collider): (&GlobalTransform, &Collider)| {
        let (low, high) = collider.geometry()?.bounds();
        Some((place.translation(), low.abs().max(high.abs()).length()))
    };
    let bounds = bounds(round.iter().map(of_round));
    let bounds = bounds.or_else(|| self::bounds(colliders.iter().filter_map(of_collider)));
    let (low, high) = bounds.unwrap_or((Vec3::NEG_ONE, Vec3::ONE));
    let distance = 1.5 * (high - low).length().max(0.2);
    commands.spawn(OrbitCamera::new(0.5 * (low + high), 0.5, 0.4, distance));
    commands.spawn(sun(9000.0, Vec3::new(3.0, 6.0, 2.0), 4.0 * distance));
}

/// The box around spheres, each with its centre and its radius. A value that is not finite has no place.
fn bounds(spheres: impl Iterator<Item = (Vec3, f32)>) -> Option<(Vec3, Vec3)> {
    let sound = spheres.filter(|(centre, radius)| centre.is_finite() && radius.is_finite());
    let boxes = sound.map(|(centre, radius)| (centre - radius, centre + radius));
    boxes.reduce(|(low, high), (l, h)| (low.min(l), high.max(h)))
}

type New = (
    Without<Mesh3d>,
    Or<(With<Particle>, With<Capsule>, With<Plane>, With<Collider>)>,
);

/// Gives each body a mesh: dynamic ones in warm colours, others grey, sensors as edges alone.
fn dress(
    mut commands: Commands,
    new: Query<
        (
            Entity,
            Has<Plane>,
            Option<&Collider>,
            Option<&RigidBody>,
            Has<Sensor>,
        ),
        New,
    >,
    changed: Query<(Entity, &Collider), (Changed<Collider>, With<Mesh3d>)>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    for (entity, is_plane, collider, kind, is_sensor) in &new {
        if is_sensor {
            continue;
        }
        let color = match (is_plane, collider.is_some(), kind) {
            (true, ..) => Color::srgb(0.24, 0.27, 0.31),
            (_, true, _) => Color::srgb(0.42, 0.47, 0.55),
            (.., Some(RigidBody::Static | RigidBody::Kinematic)) => Color::srgb(0.35, 0.6, 0.65),
            // Neighbours can be told apart.
            _ => Color::hsl(20.0 + 37.0 * (entity.index_u32() % 7) as f32, 0.65, 0.55),
        };
        let mut entity = commands.entity(entity);
        entity.try_insert((BodyColor(color), Visibility::default()));
        if let Some(mesh) = collider.and_then(mesh) {
            entity.try_insert(Mesh3d(meshes.add(mesh)));
        }
    }
    for (entity, collider) in &changed {
        if let Some(mesh) = mesh(collider) {
            commands.entity(entity).try_insert(Mesh3d(meshes.add(mesh)));
        }
    }
}

/// The triangles of a collider. Each has corners of its own, so its faces are flat.
fn mesh(collider: &Collider) -> Option<Mesh> {
    let geometry = collider.geometry()?;
    let vertices = geometry.vertices();
    let corners = geometry
        .triangles()
        .iter()
        .flatten()
        .map(|&corner| vertices[corner as usize]);
    let corners: Vec<Vec3> = corners.collect();
    if corners.is_empty() {
        return None;
    }
    let indices = (0..corners.len() as u32).collect();
    let mesh = Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::default(),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, corners)
    .with_inserted_indices(Indices::U32(indices));
    Some(mesh.with_duplicated_vertices().with_computed_flat_normals())
}

/// Says how it stands, and pauses at the end.
fn tell(
    replay: Res<Replay>,
    left: Res<Left>,
    mut status: ResMut<StatusLine>,
    mut control: ResMut<StepControl>,
    mut has_ended: Local<bool>,
) {
    let outcome = replay.outcome();
    let text = match outcome {
        Outcome::Playing => format!(
            "Step {} of {}",
            replay.steps_made(),
            replay.recording().steps()
        ),
        outcome => format!("The end: {outcome}"),
    };
    status.set_if_neq(StatusLine(text));
    if *outcome != Outcome::Playing && !std::mem::replace(&mut *has_ended, true) {
        println!("{outcome}");
        control.paused = true;
        left.0.store(
            matches!(outcome, Outcome::LeftTheBits { .. }),
            Ordering::Relaxed,
        );
    }
}
