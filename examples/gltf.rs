//! A skate bowl from a glTF file. Every mesh of the file becomes a collider, and marbles roll on its smooth surface.
//!
//! ```sh
//! cargo run --example gltf
//! ```

use std::time::Duration;

use bevy::{
    asset::AssetMetaCheck, gltf::GltfAssetLabel, input::common_conditions::input_just_pressed,
    prelude::*, time::common_conditions::on_timer,
};
use bevy_impulse_collide::prelude::*;
use scene_kit::app::plain_app;

/// The `assets` of the workspace; on a browser's page, those beside it.
const ASSETS: &str = if cfg!(target_arch = "wasm32") {
    "assets"
} else {
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets")
};

const KEYS: &str = "A skate bowl from a glTF file\nSpace   throw a ball\nR       again";

const MARBLE: f32 = 0.06;

/// Most marbles: each more takes the place of the oldest.
const MOST: u32 = 90;

pub(crate) fn main() -> AppExit {
    let assets = AssetPlugin {
        file_path: ASSETS.into(),
        // The file has no settings beside it. A browser would tell of an error when it finds none.
        meta_check: AssetMetaCheck::Never,
        ..default()
    };
    let Some(mut app) = plain_app("Skate bowl", DefaultPlugins.set(assets)) else {
        return AppExit::error();
    };
    app.add_plugins(ImpulseCollidePlugin::default())
        .insert_resource(ClearColor(Color::srgb(0.62, 0.76, 0.88)))
        .insert_resource(GlobalAmbientLight {
            brightness: 500.0,
            ..default()
        })
        .init_resource::<Rolled>()
        .add_systems(Startup, set_up)
        .add_systems(
            Update,
            (
                roll_in.run_if(on_timer(Duration::from_millis(300))),
                throw.run_if(input_just_pressed(KeyCode::Space)),
                begin_again.run_if(input_just_pressed(KeyCode::KeyR)),
            ),
        )
        .add_systems(PostUpdate, add_colliders.after(TransformSystems::Propagate))
        .run()
}

/// A marble, by its number.
#[derive(Component)]
struct Marble(u32);

/// Marbles so far.
#[derive(Resource, Default)]
struct Rolled(u32);

fn set_up(
    mut commands: Commands,
    assets: Res<AssetServer>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let bowl = assets.load(GltfAssetLabel::Scene(0).from_asset("skate_bowl.gltf"));
    commands.spawn(WorldAssetRoot(bowl));
    // What rolls over the rim comes to the ground. The plane is a collider already.
    commands.spawn((
        Plane::new(Vec3::Y),
        RollingFriction(0.05),
        Mesh3d(meshes.add(Plane3d::default().mesh().size(40.0, 40.0))),
        MeshMaterial3d(materials.add(Color::srgb(0.36, 0.50, 0.30))),
    ));
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
    let corner = Node {
        margin: UiRect::all(px(14)),
        ..default()
    };
    commands.spawn((Text::new(KEYS), TextColor(Color::BLACK), corner));
}

/// Gives each mesh that has come with the scene a body of its own. The meshes of a scene are children, and the transform of a body
/// is in world coordinates.
fn add_colliders(
    mut commands: Commands,
    meshes: Query<(&Mesh3d, &GlobalTransform), (Added<Mesh3d>, Without<Particle>, Without<Plane>)>,
) {
    for (mesh, place) in &meshes {
        let collider = MeshCollider::smooth(mesh.0.clone(), MeshSides::Two);
        commands.spawn((collider, place.compute_transform()));
    }
}

/// A marble rolls in from the rim, from another side than the one before it.
fn roll_in(rolled: Res<Rolled>, mut commands: Commands) {
    let side = Quat::from_rotation_y(2.4 * rolled.0 as f32);
    let at = side * Vec3::X * 1.2 + Vec3::Y * 1.3;
    commands.run_system_cached_with(spawn_marble, (at, side * Vec3::new(-0.6, 0.0, 1.2)));
}

/// Throws a marble from the camera to where it looks.
fn throw(camera: Single<&Transform, With<Camera3d>>, mut commands: Commands) {
    let at = camera.translation + 0.5 * camera.forward();
    commands.run_system_cached_with(spawn_marble, (at, 7.0 * camera.forward()));
}

fn spawn_marble(
    In((at, velocity)): In<(Vec3, Vec3)>,
    mut commands: Commands,
    mut rolled: ResMut<Rolled>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut ball: Local<Option<Handle<Mesh>>>,
    marbles: Query<(Entity, &Marble)>,
) {
    let ball = ball.get_or_insert_with(|| meshes.add(Sphere::new(MARBLE)));
    let color = Color::hsl(37.0 * rolled.0 as f32 % 360.0, 0.8, 0.6);
    commands.spawn((
        Marble(rolled.0),
        Particle::new(MARBLE),
        LinearVelocity(velocity),
        Restitution(0.3),
        Friction(0.5),
        Mesh3d(ball.clone()),
        MeshMaterial3d(materials.add(color)),
        Transform::from_translation(at),
    ));
    rolled.0 += 1;
    for (entity, marble) in &marbles {
        if marble.0 + MOST < rolled.0 {
            commands.entity(entity).despawn();
        }
    }
}

fn begin_again(mut commands: Commands, marbles: Query<Entity, With<Marble>>) {
    for marble in &marbles {
        commands.entity(marble).despawn();
    }
}
