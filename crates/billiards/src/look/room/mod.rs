//! The room about the table: its camera, its lamp, its walls, and what balls mirror.

mod decor;
mod environment;
mod interior;
mod lamp;
mod light;
mod opening;
mod wall;

use bevy::{
    core_pipeline::tonemapping::Tonemapping,
    light::{
        DirectionalLightShadowMap, NotShadowCaster,
        cluster::{ClusterConfig, GlobalClusterSettings},
    },
    math::Affine2,
    prelude::*,
};

use self::light::RoomLight;
use super::textures;
use crate::{player::view::View, table::bed::Table};

pub(super) struct RoomPlugin;

impl Plugin for RoomPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(opening::plugin)
            .insert_resource(ClearColor(Color::srgb(0.035, 0.028, 0.024)))
            // Coarse enough for soft edges.
            .insert_resource(DirectionalLightShadowMap { size: 1024 })
            .add_systems(Startup, (spawn_camera, sort_lights_here))
            .add_systems(Update, furnish.run_if(resource_changed::<Table>))
            .add_systems(
                PostUpdate,
                lamp::clear_view
                    .before(bevy::camera::visibility::VisibilitySystems::VisibilityPropagate),
            );
    }
}

fn spawn_camera(mut commands: Commands, mut images: ResMut<Assets<Image>>, table: Res<Table>) {
    commands.spawn((
        View::Room.camera(table.spec),
        // Keeps the colours of balls and cloth as they are, also under a bright lamp.
        Tonemapping::KhronosPbrNeutral,
        // Each lamp lights the whole table.
        ClusterConfig::Single,
        environment::environment(&mut images),
    ));
}

/// Says which lights reach which part of the view without the GPU: there are only three, and the first frames are lit as well.
fn sort_lights_here(mut settings: ResMut<GlobalClusterSettings>) {
    settings.gpu_clustering = None;
}

/// A part of the room, which is as long as its table asks for.
#[derive(Component)]
struct RoomPart;

/// Materials that carry their light in the colours of the mesh.
struct Painted {
    /// Boards with their grain and their joints.
    boards: Handle<StandardMaterial>,
    plain: Handle<StandardMaterial>,
}

impl Painted {
    fn new(images: &mut Assets<Image>, materials: &mut Assets<StandardMaterial>) -> Self {
        let boards = StandardMaterial {
            base_color_texture: Some(images.add(textures::boards())),
            uv_transform: Affine2::from_scale(textures::BOARDS.recip()),
            unlit: true,
            ..default()
        };
        let plain = StandardMaterial {
            unlit: true,
            ..default()
        };
        Self {
            boards: materials.add(boards),
            plain: materials.add(plain),
        }
    }
}

/// Sets the room up for the table. The one that stood there is taken away.
fn furnish(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut painted: Local<Option<Painted>>,
    table: Res<Table>,
    before: Query<Entity, With<RoomPart>>,
) {
    for part in &before {
        commands.entity(part).despawn();
    }
    let painted = painted.get_or_insert_with(|| Painted::new(&mut images, &mut materials));
    let spec = table.spec;
    let walls = wall::around(spec);
    let light = RoomLight::new(spec, decor::glows(&walls));
    let mut put = |name: &'static str, mesh: Mesh, material: &Handle<StandardMaterial>| {
        let part = (
            Name::new(name),
            RoomPart,
            NotShadowCaster,
            Mesh3d(meshes.add(mesh)),
            MeshMaterial3d(material.clone()),
        );
        commands.spawn(part).id()
    };
    put("Floor", interior::floor(&walls, &light), &painted.boards);
    put(
        "Panelling",
        interior::panelling(&walls, &light),
        &painted.boards,
    );
    put("Walls", interior::walls(&walls, &light), &painted.plain);
    put(
        "Furniture",
        decor::furniture(&walls, &light),
        &painted.plain,
    );
    let hanging = put("Lamp", lamp::mesh(spec), &painted.plain);
    commands.entity(hanging).insert(lamp::Lamp);
    for (light, place) in lamp::lights(spec) {
        commands.spawn((Name::new("Light of the lamp"), RoomPart, light, place));
    }
}
