//! The parts that the ball touches, as one sees them. Their meshes come from the outlines of their colliders.

use bevy::{
    math::vec2,
    mesh::{ConeAnchor, ConeMeshBuilder},
    prelude::*,
};

use crate::pinball::machine::{
    flipper::Flipper,
    kickers::{Bumper, Slingshot},
    measures::{self, *},
    outline::Outline,
    play::Ball,
    plunger::Plunger,
    table::{Part, Stuff},
    targets::{DropTarget, Gate, Standup},
};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        PostStartup,
        (
            dress_parts,
            dress_flippers,
            dress_bumpers,
            dress_targets,
            dress_ball_and_plunger,
        ),
    );
}

/// Height in m of rails and rubber rings.
const RAIL_HEIGHT: f32 = 0.024;

pub(super) type Meshes<'w> = ResMut<'w, Assets<Mesh>>;
pub(super) type Materials<'w> = ResMut<'w, Assets<StandardMaterial>>;

pub(super) fn paint(color: Color, roughness: f32) -> StandardMaterial {
    StandardMaterial {
        base_color: color,
        perceptual_roughness: roughness,
        ..default()
    }
}

pub(super) fn steel(roughness: f32) -> StandardMaterial {
    StandardMaterial {
        base_color: Color::srgb(0.72, 0.73, 0.76),
        metallic: 1.0,
        perceptual_roughness: roughness,
        ..default()
    }
}

fn clear(color: Color) -> StandardMaterial {
    StandardMaterial {
        base_color: color,
        alpha_mode: AlphaMode::Blend,
        perceptual_roughness: 0.5,
        reflectance: 0.25,
        cull_mode: None,
        double_sided: true,
        ..default()
    }
}

/// Rails, posts, slingshots and the ramp.
fn dress_parts(
    mut commands: Commands,
    mut meshes: Meshes,
    mut materials: Materials,
    parts: Query<(Entity, &Part, &Stuff, Has<Slingshot>)>,
) {
    let metal = materials.add(steel(0.3));
    let rubber = materials.add(paint(Color::srgb(0.85, 0.82, 0.78), 0.7));
    let road = materials.add(clear(Color::srgba(0.03, 0.30, 0.55, 0.75)));
    let walls = materials.add(clear(Color::srgba(0.45, 0.80, 0.95, 0.16)));
    for (entity, part, stuff, is_slingshot) in &parts {
        let (mesh, material) = match (part, stuff) {
            (Part::Wall(_), _) => continue,
            (Part::Road(mesh), _) => (mesh.clone(), road.clone()),
            (Part::Solid(outline), Stuff::Plastic) => {
                // Its lower face would lie in the playfield.
                (outline.prism(0.001, 0.75 * GLASS), walls.clone())
            }
            (Part::Solid(outline), Stuff::Rubber) if is_slingshot => {
                (outline.prism(0.006, 0.018), rubber.clone())
            }
            (Part::Solid(outline), Stuff::Rubber) => {
                (outline.prism(0.0, RAIL_HEIGHT), rubber.clone())
            }
            (Part::Solid(outline), _) => (outline.prism(0.0, RAIL_HEIGHT), metal.clone()),
        };
        commands
            .entity(entity)
            .insert((Mesh3d(meshes.add(mesh)), MeshMaterial3d(material)));
    }
}

/// A bat of white plastic with a red rubber ring.
fn dress_flippers(
    mut commands: Commands,
    mut meshes: Meshes,
    mut materials: Materials,
    flippers: Query<(Entity, &Flipper)>,
) {
    let rubber = materials.add(paint(Color::srgb(0.75, 0.06, 0.05), 0.6));
    let bat = materials.add(paint(Color::srgb(0.97, 0.93, 0.84), 0.35));
    let cap = materials.add(steel(0.2));
    for (entity, flipper) in &flippers {
        let [pivot, tip] = measures::flipper::RADII;
        let end = vec2(-flipper.side.sign() * measures::flipper::LENGTH, 0.0);
        let inner = Outline::hull(&[(Vec2::ZERO, pivot - 0.002), (end, tip - 0.002)]);
        commands.entity(entity).insert((
            Mesh3d(meshes.add(measures::flipper::outline(flipper.side).prism(0.006, 0.019))),
            MeshMaterial3d(rubber.clone()),
            children![
                (
                    Mesh3d(meshes.add(inner.prism(0.003, 0.0235))),
                    MeshMaterial3d(bat.clone()),
                ),
                (
                    Mesh3d(meshes.add(Cylinder::new(0.005, 0.026))),
                    MeshMaterial3d(cap.clone()),
                    Transform::from_xyz(0.0, 0.013, 0.0),
                )
            ],
        ));
    }
}

/// The cap of a bumper, which flashes.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct Cap(pub usize);

fn dress_bumpers(
    mut commands: Commands,
    mut meshes: Meshes,
    mut materials: Materials,
    bumpers: Query<(Entity, &Bumper)>,
) {
    let skirt = meshes.add(Cylinder::new(BUMPER_RADIUS, 0.006));
    let column = meshes.add(Cylinder::new(0.62 * BUMPER_RADIUS, 0.036));
    let ring = meshes.add(Torus::new(0.80 * BUMPER_RADIUS, BUMPER_RADIUS));
    let dome = ConeMeshBuilder {
        cone: Cone::new(1.12 * BUMPER_RADIUS, 0.011),
        resolution: 40,
        anchor: ConeAnchor::Base,
    };
    let dome = meshes.add(dome.build());
    let brim = meshes.add(Cylinder::new(1.12 * BUMPER_RADIUS, 0.005));
    let white = materials.add(paint(Color::srgb(0.92, 0.90, 0.86), 0.5));
    let metal = materials.add(steel(0.2));
    for (entity, bumper) in &bumpers {
        let color = if bumper.0 == 1 {
            Color::srgb(0.95, 0.42, 0.08)
        } else {
            Color::srgb(0.06, 0.62, 0.66)
        };
        let cap = materials.add(StandardMaterial {
            emissive: color.to_linear() * 0.15,
            ..paint(color, 0.25)
        });
        // The entity's origin is half way to the glass.
        let at = |height: f32| Transform::from_xyz(0.0, height - 0.5 * GLASS, 0.0);
        commands.entity(entity).insert((
            Visibility::default(),
            children![
                (
                    Mesh3d(skirt.clone()),
                    MeshMaterial3d(white.clone()),
                    at(0.004)
                ),
                (
                    Mesh3d(ring.clone()),
                    MeshMaterial3d(metal.clone()),
                    at(0.017)
                ),
                (
                    Mesh3d(column.clone()),
                    MeshMaterial3d(white.clone()),
                    at(0.018)
                ),
                (
                    Cap(bumper.0),
                    Mesh3d(brim.clone()),
                    MeshMaterial3d(cap.clone()),
                    at(0.036)
                ),
                (
                    Mesh3d(dome.clone()),
                    MeshMaterial3d(cap.clone()),
                    at(0.0385)
                ),
            ],
        ));
    }
}

fn dress_targets(
    mut commands: Commands,
    mut meshes: Meshes,
    mut materials: Materials,
    drops: Query<Entity, With<DropTarget>>,
    standups: Query<Entity, With<Standup>>,
    gate: Single<Entity, With<Gate>>,
) {
    let height = 0.03;
    let mut plate = |[width, thickness]: [f32; 2]| {
        let mesh = Cuboid::new(thickness, height, width).mesh().build();
        meshes.add(mesh.translated_by(Vec3::Y * 0.5 * (height - GLASS)))
    };
    let (drop, standup) = (plate(DROP), plate(STANDUP));
    let yellow = materials.add(paint(Color::srgb(0.98, 0.75, 0.12), 0.4));
    let red = materials.add(paint(Color::srgb(0.85, 0.10, 0.10), 0.4));
    for target in &drops {
        commands
            .entity(target)
            .insert((Mesh3d(drop.clone()), MeshMaterial3d(yellow.clone())));
    }
    for target in &standups {
        commands
            .entity(target)
            .insert((Mesh3d(standup.clone()), MeshMaterial3d(red.clone())));
    }
    let flap = Outline::bar(GATE[0], GATE[1], 0.0015).prism(0.012, 0.03);
    commands.entity(*gate).insert((
        Mesh3d(meshes.add(flap)),
        MeshMaterial3d(materials.add(steel(0.25))),
    ));
}

fn dress_ball_and_plunger(
    mut commands: Commands,
    mut meshes: Meshes,
    mut materials: Materials,
    ball: Single<Entity, With<Ball>>,
    plunger: Single<Entity, With<Plunger>>,
) {
    let chrome = materials.add(StandardMaterial {
        base_color: Color::srgb(0.93, 0.94, 0.96),
        metallic: 1.0,
        perceptual_roughness: 0.07,
        ..default()
    });
    commands.entity(*ball).insert((
        Mesh3d(meshes.add(Sphere::new(BALL_RADIUS).mesh().uv(40, 24))),
        MeshMaterial3d(chrome),
    ));
    let rod = plunger::LENGTH;
    let tip = 0.008;
    commands.entity(*plunger).insert((
        Mesh3d(
            meshes.add(
                Cylinder::new(0.6 * plunger::RADIUS, rod - tip)
                    .mesh()
                    .build()
                    .translated_by(
                        // The cylinder's axis points to the player.
                        Vec3::Y * 0.5 * tip,
                    ),
            ),
        ),
        MeshMaterial3d(materials.add(steel(0.25))),
        children![(
            Mesh3d(meshes.add(Cylinder::new(plunger::RADIUS, tip))),
            MeshMaterial3d(materials.add(paint(Color::srgb(0.75, 0.06, 0.05), 0.6))),
            Transform::from_xyz(0.0, -0.5 * (rod - tip), 0.0),
        )],
    ));
}
