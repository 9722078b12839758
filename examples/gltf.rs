//! A skate bowl from a glTF file. Every mesh of the file becomes a collider, and marbles roll on its smooth surface.
//!
//! ```sh
//! cargo run --example gltf
//! ```

use bevy::{gltf::GltfAssetLabel, prelude::*};
use bevy_impulse_collide::prelude::*;

/// The `assets` of the workspace.
const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets");

const MARBLE: f32 = 0.06;

fn main() {
    App::new()
        .add_plugins((
            DefaultPlugins.set(AssetPlugin {
                file_path: ASSETS.into(),
                ..default()
            }),
            ImpulseCollidePlugin::default(),
        ))
        .insert_resource(GlobalAmbientLight {
            brightness: 400.0,
            ..default()
        })
        .add_systems(Startup, set_up)
        .add_systems(PostUpdate, add_colliders.after(TransformSystems::Propagate))
        .run();
}

fn set_up(
    mut commands: Commands,
    assets: Res<AssetServer>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let bowl = assets.load(GltfAssetLabel::Scene(0).from_asset("skate_bowl.gltf"));
    commands.spawn(WorldAssetRoot(bowl));

    let ball = meshes.add(Sphere::new(MARBLE));
    for k in 0..60 {
        let (row, column) = (k / 10, k % 10);
        let at = Vec3::new(
            0.3 * column as f32 - 1.35,
            2.0 + 0.1 * k as f32,
            0.3 * row as f32 - 0.75,
        );
        let color = Color::hsl(37.0 * k as f32 % 360.0, 0.8, 0.6);
        commands.spawn((
            Particle::new(MARBLE),
            Restitution(0.3),
            Friction(0.5),
            Mesh3d(ball.clone()),
            MeshMaterial3d(materials.add(color)),
            Transform::from_translation(at),
        ));
    }

    commands.spawn((
        Camera3d::default(),
        Transform::from_xyz(2.2, 3.0, 3.6).looking_at(Vec3::new(0.0, 0.3, 0.0), Vec3::Y),
    ));
    commands.spawn((
        DirectionalLight {
            shadow_maps_enabled: true,
            ..default()
        },
        Transform::from_xyz(2.0, 5.0, 1.0).looking_at(Vec3::ZERO, Vec3::Y),
    ));
}

/// Gives each mesh that has come with the scene a body of its own. The meshes of a scene are children, and the transform of a body
/// is in world coordinates.
fn add_colliders(
    mut commands: Commands,
    meshes: Query<(&Mesh3d, &GlobalTransform), (Added<Mesh3d>, Without<Particle>)>,
) {
    for (mesh, place) in &meshes {
        let collider = MeshCollider::smooth(mesh.0.clone(), MeshSides::Two);
        commands.spawn((collider, place.compute_transform()));
    }
}
