//! How the machines look, and their keys.

use bevy::{
    asset::RenderAssetUsages,
    light::DirectionalLightShadowMap,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};
use scene_kit::window::{BodyMesh, KeyHelp, OrbitCamera, StatusLine, keys_are_free, sun};

use super::{
    Machine, car,
    parts::{Hills, Size, Stuff},
};

pub(super) fn plugin(app: &mut App) {
    app.insert_resource(ClearColor(SKY))
        .insert_resource(DirectionalLightShadowMap { size: 4096 })
        .insert_resource(KeyHelp::new([
            ("1 to 4", "crane, bridge, dolls, car"),
            ("arrows", "drive the car"),
            ("R", "again"),
        ]))
        .add_systems(Startup, spawn_room)
        .add_systems(
            Update,
            (
                (choose, take_wheel).run_if(keys_are_free),
                (look, name).run_if(resource_exists_and_changed::<Machine>),
                follow,
                dress,
                dress_blocks,
                dress_hills,
            ),
        );
}

const SKY: Color = Color::srgb(0.55, 0.68, 0.80);

const KEYS: [(KeyCode, Machine); 4] = [
    (KeyCode::Digit1, Machine::Crane),
    (KeyCode::Digit2, Machine::Bridge),
    (KeyCode::Digit3, Machine::Dolls),
    (KeyCode::Digit4, Machine::Car),
];

fn choose(keys: Res<ButtonInput<KeyCode>>, mut machine: ResMut<Machine>) {
    for (key, other) in KEYS {
        if keys.just_pressed(key) {
            *machine = other;
        }
    }
    if keys.just_pressed(KeyCode::KeyR) {
        machine.set_changed();
    }
}

fn take_wheel(keys: Res<ButtonInput<KeyCode>>, mut wheel: ResMut<car::Wheel>) {
    let axis =
        |up, down| f32::from(u8::from(keys.pressed(up))) - f32::from(u8::from(keys.pressed(down)));
    wheel.set_if_neq(car::Wheel {
        gas: axis(KeyCode::ArrowUp, KeyCode::ArrowDown),
        steer: axis(KeyCode::ArrowLeft, KeyCode::ArrowRight),
    });
}

fn name(machine: Res<Machine>, mut status: ResMut<StatusLine>) {
    status.0 = match *machine {
        Machine::Crane => "A wrecking ball of 2.5 t on a chain of light links",
        Machine::Bridge => "A bridge of planks, with a ball of 150 kg on it",
        Machine::Dolls => "Ragdolls on stairs",
        Machine::Car => "A car with balls for wheels: drive it with the arrows",
    }
    .to_owned();
}

fn spawn_room(mut commands: Commands, mut images: ResMut<Assets<Image>>) {
    let sky = EnvironmentMapLight::hemispherical_gradient(
        &mut images,
        Color::linear_rgb(0.62, 0.74, 0.95),
        Color::linear_rgb(0.45, 0.48, 0.52),
        Color::linear_rgb(0.20, 0.18, 0.15),
    );
    commands.spawn((
        OrbitCamera::new(Vec3::ZERO, 0.0, 0.2, 15.0),
        DistanceFog {
            color: SKY,
            falloff: FogFalloff::Linear {
                start: 40.0,
                end: 160.0,
            },
            ..default()
        },
        EnvironmentMapLight {
            intensity: 900.0,
            ..sky
        },
    ));
    commands.spawn(sun(9_000.0, Vec3::new(3.0, 6.0, 4.0), 60.0));
}

/// Turns the camera to the machine.
fn look(machine: Res<Machine>, mut cameras: Query<&mut OrbitCamera>) {
    let (focus, yaw, pitch, distance) = match *machine {
        Machine::Crane => (Vec3::new(-1.0, 3.2, 0.0), 0.35, 0.12, 15.0),
        Machine::Bridge => (Vec3::new(0.0, 2.4, 0.0), 0.35, 0.22, 17.0),
        Machine::Dolls => (Vec3::new(0.5, 1.6, 0.0), 0.5, 0.25, 11.0),
        Machine::Car => (Vec3::new(0.0, 1.0, 0.0), -1.2, 0.3, 12.0),
    };
    for mut camera in &mut cameras {
        let ranges = (camera.distances.clone(), camera.pitches.clone());
        *camera = OrbitCamera::new(focus, yaw, pitch, distance);
        (camera.distances, camera.pitches) = ranges;
    }
}

/// The camera goes with the car.
fn follow(
    machine: Res<Machine>,
    cars: Query<&Transform, With<car::Chassis>>,
    mut cameras: Query<&mut OrbitCamera>,
    time: Res<Time>,
) {
    let (Machine::Car, Ok(car)) = (*machine, cars.single()) else {
        return;
    };
    for mut camera in &mut cameras {
        let part = 1.0 - (-4.0 * time.delta_secs()).exp();
        camera.focus = camera.focus.lerp(car.translation, part);
    }
}

fn material(stuff: Stuff) -> StandardMaterial {
    let (color, roughness, metallic) = match stuff {
        Stuff::Steel => (Color::srgb(0.45, 0.47, 0.50), 0.35, 0.9),
        Stuff::Wood => (Color::srgb(0.62, 0.42, 0.24), 0.8, 0.0),
        Stuff::Stone => (Color::srgb(0.56, 0.54, 0.52), 0.9, 0.0),
        Stuff::Skin => (Color::srgb(0.88, 0.68, 0.54), 0.7, 0.0),
        Stuff::Cloth => (Color::srgb(0.16, 0.26, 0.45), 0.9, 0.0),
        Stuff::Rubber => (Color::srgb(0.07, 0.07, 0.08), 0.8, 0.0),
        Stuff::Paint => (Color::srgb(0.90, 0.52, 0.08), 0.4, 0.0),
        Stuff::Grass => (Color::srgb(0.27, 0.40, 0.20), 1.0, 0.0),
    };
    StandardMaterial {
        base_color: color,
        perceptual_roughness: roughness,
        metallic,
        ..default()
    }
}

fn dress(
    mut commands: Commands,
    things: Query<(Entity, &Stuff), Added<Stuff>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut made: Local<Vec<(Stuff, Handle<StandardMaterial>)>>,
) {
    for (thing, &stuff) in &things {
        let known = made.iter().find(|(known, _)| *known == stuff);
        let material = match known {
            Some((_, material)) => material.clone(),
            None => {
                let material = materials.add(material(stuff));
                made.push((stuff, material.clone()));
                material
            }
        };
        commands
            .entity(thing)
            .try_insert((BodyMesh, MeshMaterial3d(material)));
    }
}

fn dress_blocks(
    mut commands: Commands,
    blocks: Query<(Entity, &Size), Added<Size>>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    for (block, &Size(size)) in &blocks {
        let mesh = meshes.add(Cuboid::from_size(size));
        commands.entity(block).try_insert(Mesh3d(mesh));
    }
}

fn dress_hills(
    mut commands: Commands,
    all: Query<(Entity, &Hills), Added<Hills>>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    for (entity, hills) in &all {
        let count = hills.points;
        let place = |k: u32| hills.size * (k as f32 / (count - 1) as f32 - 0.5);
        let (mut positions, mut indices) = (Vec::new(), Vec::new());
        for (k, &height) in (0..).zip(&hills.heights) {
            let (row, column) = (k / count, k % count);
            positions.push(Vec3::new(place(column), height, place(row)));
            if row + 1 < count && column + 1 < count {
                let (right, below) = (k + 1, k + count);
                indices.extend([k, below, right, right, below, below + 1]);
            }
        }
        let mesh = Mesh::new(
            PrimitiveTopology::TriangleList,
            RenderAssetUsages::default(),
        )
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_indices(Indices::U32(indices))
        .with_computed_smooth_normals();
        commands.entity(entity).try_insert(Mesh3d(meshes.add(mesh)));
    }
}
