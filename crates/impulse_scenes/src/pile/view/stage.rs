//! Camera, light, ground, and the vessel that the balls are in.

use std::f32::consts::{FRAC_PI_2, PI};

use bevy::{
    camera::Hdr,
    light::{CascadeShadowConfig, CascadeShadowConfigBuilder, NotShadowCaster},
    prelude::*,
};
use bevy_impulse_collide::prelude::*;
use scene_kit::window::{OrbitCamera, sun};

use crate::pile::{
    drum::Drum,
    vessel::{SIDES, Vessel, corner_radius},
};

pub(super) fn plugin(app: &mut App) {
    app.insert_resource(ClearColor(BACKGROUND))
        .add_systems(Startup, spawn_room)
        .add_systems(
            Update,
            furnish.run_if(resource_exists_and_changed::<Vessel>),
        )
        .add_systems(
            FixedPostUpdate,
            turn_table
                .after(ImpulseSystems::WriteBack)
                .run_if(resource_exists::<Drum>),
        );
}

const BACKGROUND: Color = Color::srgb(0.085, 0.095, 0.115);

/// An entity that belongs to the vessel's picture.
#[derive(Component)]
pub(super) struct Furniture;

/// Entities that turn with the drum, the balls among them, hang on this: their transforms are in the drum's frame.
#[derive(Component)]
pub(super) struct Turntable;

fn turn_table(mut tables: Query<&mut Transform, With<Turntable>>, drum: Res<Drum>) {
    for mut table in &mut tables {
        table.rotation = drum.rotation();
    }
}

fn spawn_room(mut commands: Commands, mut images: ResMut<Assets<Image>>) {
    let sky = EnvironmentMapLight::hemispherical_gradient(
        &mut images,
        Color::linear_rgb(0.62, 0.74, 0.95),
        Color::linear_rgb(0.30, 0.34, 0.42),
        Color::linear_rgb(0.16, 0.13, 0.11),
    );
    commands.spawn((
        OrbitCamera::new(Vec3::ZERO, 0.0, 0.0, 1.0),
        // So that the fog's colour and the background's take the same way to the screen.
        Hdr,
        DistanceFog {
            color: BACKGROUND,
            ..default()
        },
        EnvironmentMapLight {
            intensity: 900.0,
            ..sky
        },
    ));
    commands.spawn(sun(9_000.0, Vec3::new(1.2, 3.0, 2.2), 1.0));
}

/// Materials and meshes of the picture.
struct Workshop<'a, 'w, 's> {
    commands: &'a mut Commands<'w, 's>,
    meshes: &'a mut Assets<Mesh>,
    steel: Handle<StandardMaterial>,
    dark: Handle<StandardMaterial>,
    glass: Handle<StandardMaterial>,
    ground: Handle<StandardMaterial>,
}

impl Workshop<'_, '_, '_> {
    fn put(
        &mut self,
        mesh: impl Into<Mesh>,
        material: &Handle<StandardMaterial>,
        transform: Transform,
    ) -> Entity {
        let mesh = Mesh3d(self.meshes.add(mesh));
        let material = MeshMaterial3d(material.clone());
        let thing = (Furniture, mesh, material, transform);
        self.commands.spawn(thing).id()
    }
}

/// Builds the picture of a new vessel, and sets camera, fog and shadows to its size.
pub(super) fn furnish(
    mut commands: Commands,
    old: Query<Entity, With<Furniture>>,
    vessel: Res<Vessel>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    camera: Single<(&mut OrbitCamera, &mut DistanceFog)>,
    suns: Single<&mut CascadeShadowConfig, With<DirectionalLight>>,
) {
    for thing in &old {
        commands.entity(thing).despawn();
    }
    let mut material = |color: Color, metallic: f32, roughness: f32| {
        materials.add(StandardMaterial {
            base_color: color,
            metallic,
            perceptual_roughness: roughness,
            ..default()
        })
    };
    let dark = material(Color::srgb(0.15, 0.16, 0.18), 0.0, 0.6);
    let ground = material(Color::srgb(0.22, 0.23, 0.25), 0.0, 0.9);
    let steel = material(Color::srgb(0.66, 0.68, 0.70), 1.0, 0.35);
    let glass = materials.add(StandardMaterial {
        base_color: Color::srgba(0.70, 0.85, 1.0, 0.035),
        reflectance: 0.1,
        alpha_mode: AlphaMode::Blend,
        ..default()
    });
    let mut workshop = Workshop {
        steel,
        dark,
        glass,
        ground,
        commands: &mut commands,
        meshes: &mut meshes,
    };
    let size = vessel.width();
    let ground = match *vessel {
        Vessel::Box { width } => build_box(&mut workshop, width),
        Vessel::Drum { radius, length } => build_drum(&mut workshop, radius, length),
    };
    let floor = Plane3d::new(Vec3::Y, Vec2::splat(30.0 * size));
    let material = workshop.ground.clone();
    workshop.put(floor, &material, Transform::from_xyz(0.0, ground, 0.0));

    let (mut orbit, mut fog) = camera.into_inner();
    let (height, yaw, pitch, distance) = match *vessel {
        Vessel::Box { .. } => (0.46, 0.55, 0.34, 2.5),
        Vessel::Drum { .. } => (-0.07, 0.38, 0.14, 1.9),
    };
    let focus = size * height * Vec3::Y;
    *orbit = OrbitCamera::new(focus, yaw, pitch, distance * size).with_pitches(-0.1..=FRAC_PI_2);
    fog.falloff = FogFalloff::Linear {
        start: 3.0 * size,
        end: 9.0 * size,
    };
    *suns.into_inner() = CascadeShadowConfigBuilder {
        num_cascades: 1,
        maximum_distance: 4.5 * size,
        ..default()
    }
    .build();
}

/// A box of glass in a frame of steel. How high the ground is.
fn build_box(workshop: &mut Workshop, width: f32) -> f32 {
    let height = 0.95 * width;
    let bar = 0.018 * width;
    let half = 0.5 * width;
    let (steel, glass, dark) = (
        workshop.steel.clone(),
        workshop.glass.clone(),
        workshop.dark.clone(),
    );
    // Frame and floor lie just outside of the walls that the balls touch.
    let out = half + 0.5 * bar;
    let slab = 0.05 * width;
    workshop.put(
        Cuboid::new(width + 4.0 * bar, slab, width + 4.0 * bar),
        &dark,
        Transform::from_xyz(0.0, -0.5 * slab, 0.0),
    );
    for (x, z) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
        workshop.put(
            Cuboid::new(bar, height, bar),
            &steel,
            Transform::from_xyz(x * out, 0.5 * height, z * out),
        );
    }
    for side in 0..4 {
        let turn = Quat::from_rotation_y(side as f32 * FRAC_PI_2);
        let rail = turn * Vec3::new(out, height - 0.5 * bar, 0.0);
        workshop.put(
            Cuboid::new(bar, bar, width),
            &steel,
            Transform::from_translation(rail).with_rotation(turn),
        );
        let pane = turn * Vec3::new(half, 0.5 * height, 0.0);
        let pane = workshop.put(
            Cuboid::new(0.1 * bar, height, width),
            &glass,
            Transform::from_translation(pane).with_rotation(turn),
        );
        workshop.commands.entity(pane).insert(NotShadowCaster);
    }
    -slab
}

/// A drum of steel, open to the front, on two rollers. How high the ground is.
fn build_drum(workshop: &mut Workshop, radius: f32, length: f32) -> f32 {
    let (steel, dark) = (workshop.steel.clone(), workshop.dark.clone());
    let inner = corner_radius(radius);
    let outer = 1.05 * inner;
    let turntable = (
        Turntable,
        Furniture,
        Transform::default(),
        Visibility::default(),
    );
    let turntable = workshop.commands.spawn(turntable).id();

    // The first corner of such a ring is on an axis, where the drum has the middle of a side.
    let half_side = Quat::from_rotation_z(PI / SIDES as f32);
    let ring = |inner: f32, outer: f32, length: f32| {
        let ring = Extrusion::new(Annulus::new(inner, outer), length);
        ring.mesh().resolution(SIDES)
    };
    let wall = 0.04 * radius;
    let parts = [
        workshop.put(
            ring(inner, outer, length).build(),
            &steel,
            Transform::from_rotation(half_side),
        ),
        workshop.put(
            Extrusion::new(Circle::new(outer), wall),
            &dark,
            Transform::from_xyz(0.0, 0.0, -0.5 * (length + wall)),
        ),
        workshop.put(
            ring(0.995 * inner, 1.09 * inner, 1.5 * wall).build(),
            &dark,
            Transform::from_xyz(0.0, 0.0, 0.5 * (length + 1.5 * wall)).with_rotation(half_side),
        ),
    ];
    workshop.commands.entity(turntable).add_children(&parts);

    let roller = 0.14 * radius;
    let away = 1.09 * inner + roller;
    let along_z = Quat::from_rotation_x(FRAC_PI_2);
    for side in [-1.0, 1.0] {
        let place = away * Vec3::new(side * 0.5, -0.75f32.sqrt(), 0.0);
        workshop.put(
            Cylinder::new(roller, 1.2 * length),
            &steel,
            Transform::from_translation(place).with_rotation(along_z),
        );
        for end in [-0.5, 0.5] {
            let foot = Vec3::new(place.x, place.y - 0.4 * roller, end * 1.1 * length);
            workshop.put(
                Cuboid::new(2.4 * roller, 2.4 * roller, 0.08 * length),
                &dark,
                Transform::from_translation(foot),
            );
        }
    }
    -away * 0.75f32.sqrt() - 1.6 * roller
}
