//! The playfield, the cabinet around it, and the spinner.

use std::f32::consts::{FRAC_PI_2, PI};

use bevy::{math::vec2, prelude::*};

use super::{
    art,
    dress::{Materials, Meshes, paint, steel},
};
use crate::pinball::machine::{
    measures::*,
    outline::{Outline, Path},
    spinner::{LEVER, Spinner},
};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, (spawn_playfield, spawn_cabinet, spawn_spinner))
        .add_systems(Update, turn_spinner);
}

fn spawn_playfield(
    mut commands: Commands,
    mut meshes: Meshes,
    mut materials: Materials,
    mut images: ResMut<Assets<Image>>,
) {
    commands.spawn((
        Name::new("Playfield"),
        Mesh3d(meshes.add(Plane3d::new(Vec3::Y, vec2(HALF_WIDTH, HALF_LENGTH)))),
        MeshMaterial3d(materials.add(StandardMaterial {
            base_color_texture: Some(images.add(art::playfield())),
            alpha_mode: AlphaMode::Mask(0.5),
            // Clear lacquer.
            perceptual_roughness: 0.42,
            reflectance: 0.25,
            ..default()
        })),
    ));
}

/// The wooden cabinet around the playfield, the apron over the drain, and the housing of the plunger.
fn spawn_cabinet(mut commands: Commands, mut meshes: Meshes, mut materials: Materials) {
    const HALF: f32 = 0.007;
    let wood = materials.add(StandardMaterial {
        reflectance: 0.3,
        ..paint(Color::srgb(0.055, 0.035, 0.045), 0.4)
    });
    let chrome = materials.add(steel(0.18));
    let reach = HALF_WIDTH + HALF;
    let around = |half_width: f32| {
        let arch = vec2(0.0, HALF_WIDTH - HALF_LENGTH);
        Path::start(vec2(-half_width, HALF_LENGTH))
            .line(vec2(-half_width, arch.y))
            .arc(arch, PI)
            .line(vec2(half_width, HALF_LENGTH))
    };
    let wall = Outline::band(&around(reach), HALF);
    let rim = Outline::band(&around(reach), HALF + 0.002);
    let front = Outline::bar(
        vec2(-reach, HALF_LENGTH + HALF),
        vec2(reach, HALF_LENGTH + HALF),
        HALF,
    );
    // A strip of steel where the ball runs, a fifth of a millimetre before the wood.
    let track = Outline::band(&around(HALF_WIDTH + 0.0003), 0.0005).prism(0.0, 0.03);
    for (mesh, material) in [
        (wall.prism(-0.06, GLASS), &wood),
        (front.prism(-0.06, GLASS), &wood),
        (rim.prism(GLASS, GLASS + 0.005), &chrome),
        (track, &chrome),
    ] {
        commands.spawn((Mesh3d(meshes.add(mesh)), MeshMaterial3d(material.clone())));
    }
    let apron = materials.add(StandardMaterial {
        base_color: Color::srgb(0.30, 0.05, 0.14),
        perceptual_roughness: 0.7,
        reflectance: 0.15,
        ..default()
    });
    let lower = HALF_LENGTH - 0.002;
    // Counter-clockwise: a roof whose middle is lower than its sides, as the resting flippers are.
    let halves = [
        [
            vec2(-HALF_WIDTH + 0.004, 0.425),
            vec2(-HALF_WIDTH + 0.004, lower),
            vec2(MIDDLE, lower),
            vec2(MIDDLE, DRAIN + 0.004),
        ],
        [
            vec2(MIDDLE, DRAIN + 0.004),
            vec2(MIDDLE, lower),
            vec2(DIVIDER - 0.004, lower),
            vec2(DIVIDER - 0.004, 0.425),
        ],
    ];
    let gold = materials.add(StandardMaterial {
        base_color: Color::srgb(0.95, 0.68, 0.30),
        ..steel(0.3)
    });
    for corners in halves {
        // The edge towards the flippers.
        let [start, .., end] = corners;
        commands.spawn((
            Mesh3d(meshes.add(Outline::bar(start, end, 0.003).prism(0.030, 0.036))),
            MeshMaterial3d(gold.clone()),
        ));
        let outline = Outline::hull(&corners.map(|corner| (corner, 0.002)));
        commands.spawn((
            Mesh3d(meshes.add(outline.prism(0.030, 0.034))),
            MeshMaterial3d(apron.clone()),
        ));
    }
}

/// The plate of the spinner.
#[derive(Component)]
struct Plate;

fn spawn_spinner(mut commands: Commands, mut meshes: Meshes, mut materials: Materials) {
    let middle = BANK[0].midpoint(BANK[1]);
    let width = DIVIDER - middle.x - 3.0 * RAIL;
    let at = Vec3::new(0.5 * (DIVIDER + middle.x), 0.036, middle.y);
    commands.spawn((
        Mesh3d(meshes.add(Cylinder::new(0.0012, width + 2.0 * RAIL))),
        MeshMaterial3d(materials.add(steel(0.2))),
        Transform::from_translation(at).with_rotation(Quat::from_rotation_z(FRAC_PI_2)),
    ));
    commands.spawn((
        Plate,
        Mesh3d(meshes.add(Cuboid::new(0.8 * width, 1.5 * LEVER, 0.0015))),
        MeshMaterial3d(materials.add(paint(Color::srgb(0.95, 0.45, 0.08), 0.35))),
        Transform::from_translation(at),
    ));
}

fn turn_spinner(spinner: Res<Spinner>, plate: Single<&mut Transform, With<Plate>>) {
    let rotation = Quat::from_rotation_x(-spinner.angle);
    let mut plate = plate.into_inner();
    if plate.rotation != rotation {
        plate.rotation = rotation;
    }
}
