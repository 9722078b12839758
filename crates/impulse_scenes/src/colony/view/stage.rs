//! Camera, light, and the walls.

use bevy::{input::common_conditions::input_just_pressed, prelude::*};
use bevy_impulse_collide::prelude::*;
use scene_kit::window::{OrbitCamera, keys_are_free};

use crate::colony::{
    cell::{Cell, RADIUS},
    options::ColonyOptions,
    walls::half_widths,
};

pub(super) fn plugin(app: &mut App) {
    app.insert_resource(ClearColor(Color::srgb(0.035, 0.045, 0.06)))
        .insert_resource(GlobalAmbientLight {
            brightness: 300.0,
            ..default()
        })
        .init_resource::<Following>()
        .add_systems(Startup, (spawn_stage, follow_again).chain())
        .add_systems(
            Update,
            (
                follow_again.run_if(input_just_pressed(KeyCode::KeyF).and_then(keys_are_free)),
                follow,
                build_walls,
            )
                .chain(),
        );
}

/// Angle in radians by which the camera looks from the side.
const TILT: f32 = -0.3;

fn spawn_stage(mut commands: Commands) {
    let mut camera = OrbitCamera::new(Vec3::ZERO, 0.0, TILT, 10.0);
    camera.distances = 2.0..=3000.0;
    let projection = PerspectiveProjection {
        far: 10_000.0,
        ..default()
    };
    commands.spawn((camera, Projection::from(projection)));
    commands.spawn((
        DirectionalLight {
            illuminance: 5_000.0,
            ..default()
        },
        Transform::from_xyz(-0.5, 0.6, 1.0).looking_at(Vec3::ZERO, Vec3::Y),
    ));
}

/// The camera's focus and distance as the scene last set them. A player who zooms or pans changes them, and then keeps them.
#[derive(Resource, Default)]
pub(super) struct Following {
    focus: Option<Vec3>,
    distance: Option<f32>,
}

/// Takes the camera back to the colony.
pub(super) fn follow_again(camera: Single<&mut OrbitCamera>, mut following: ResMut<Following>) {
    let mut camera = camera.into_inner();
    *following = default();
    (camera.yaw, camera.pitch) = (0.0, TILT);
}

/// Keeps the colony in the middle, until the player pans, and whole in view, until the player zooms.
fn follow(
    camera: Single<&mut OrbitCamera>,
    mut following: ResMut<Following>,
    cells: Query<&Transform, With<Cell>>,
    time: Res<Time<Real>>,
) {
    /// Fraction of the view's width and height for the colony. The rest is margin.
    const FILLED: Vec2 = Vec2::new(0.8, 0.8);
    let places = || cells.iter().map(|place| place.translation.truncate());
    let Some((low, high)) = places()
        .map(|at| (at, at))
        .reduce(|(low, high), (a, b)| (low.min(a), high.max(b)))
    else {
        return;
    };
    // Seen of the plane from a metre away, in the part of the window that no panel covers.
    let view =
        2.0 * (0.5 * PerspectiveProjection::default().fov).tan() * Vec2::new(16.0 / 9.0, 1.0);
    let size = high - low + Vec2::splat(8.0 * RADIUS);
    let fitting = (size / (view * FILLED)).max_element();

    let kept = (-1.5 * time.delta_secs()).exp();
    let mut camera = camera.into_inner();
    if following.focus.is_none_or(|focus| focus == camera.focus) {
        let middle = (0.5 * (low + high)).extend(0.0);
        camera.focus = middle.lerp(camera.focus, kept);
        following.focus = Some(camera.focus);
    }
    if following
        .distance
        .is_none_or(|distance| distance == camera.distance)
    {
        camera.distance = fitting.lerp(camera.distance, kept);
        following.distance = Some(camera.distance);
    }
}

/// Gives every new wall something to see: a bar along it.
fn build_walls(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    walls: Query<(Entity, &Plane), Added<Plane>>,
    options: Res<ColonyOptions>,
) {
    /// Metres to which a channel is drawn, for each metre of its width.
    const CHANNEL: f32 = 20.0;
    let half = half_widths(&options);
    for (entity, wall) in &walls {
        let thickness = 0.05 * half.min_element() + 2.0 * RADIUS;
        let along = if wall.normal.x == 0.0 { half.x } else { half.y };
        let length = if along.is_finite() {
            2.0 * (along + thickness)
        } else {
            CHANNEL * half.y
        };
        let across = wall.normal.abs();
        let size = across * thickness
            + (Vec3::new(1.0, 1.0, 0.0) - across) * length
            + 2.0 * RADIUS * Vec3::Z;
        let material = StandardMaterial {
            base_color: Color::srgb(0.30, 0.33, 0.38),
            perceptual_roughness: 0.8,
            ..default()
        };
        commands.entity(entity).with_child((
            Mesh3d(meshes.add(Cuboid::from_size(size))),
            MeshMaterial3d(materials.add(material)),
            Transform::from_translation(-0.5 * thickness * wall.normal),
        ));
        commands.entity(entity).insert(Visibility::default());
    }
}
