//! A flat game: discs and pills fall past turning bars, seen by Bevy's 2D camera. The world is flat by declaration.
//!
//! ```sh
//! cargo run --example flat
//! ```

use bevy::{camera::ScalingMode, input::common_conditions::input_just_pressed, prelude::*};
use bevy_impulse_collide::prelude::*;
use scene_kit::app::plain_app;

const KEYS: &str =
    "A flat world: a belt, a draught and turning bars\nSpace   throw a disc\nR       again";

/// Height in m of the world that the camera sees.
const VIEW: f32 = 10.0;

/// Width and height in m of the box that the bodies are in.
const BOX: Vec2 = Vec2::new(14.0, 9.4);

/// Depth in m of bars and walls. A flat world needs none; a box has one.
const DEPTH: f32 = 10.0;

/// Height in m above which the draught blows to the left.
const CEILING: f32 = 0.5 * BOX.y - 1.2;

pub(crate) fn main() -> AppExit {
    let Some(mut app) = plain_app("Flat world", DefaultPlugins.build()) else {
        return AppExit::error();
    };
    app.add_plugins(ImpulseCollidePlugin::default())
        .insert_resource(CollisionConfig {
            flat: true,
            ..default()
        })
        .insert_resource(ClearColor(Color::srgb(0.07, 0.08, 0.12)))
        .add_systems(Startup, (set_up, make_looks, drop_bodies).chain())
        .add_systems(
            Update,
            (
                throw.run_if(input_just_pressed(KeyCode::Space)),
                (clear, drop_bodies)
                    .chain()
                    .run_if(input_just_pressed(KeyCode::KeyR)),
            ),
        )
        .add_systems(FixedUpdate, blow)
        .run()
}

fn set_up(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    commands.spawn((
        Camera2d,
        Projection::Orthographic(OrthographicProjection {
            scaling_mode: ScalingMode::FixedVertical {
                viewport_height: VIEW,
            },
            ..OrthographicProjection::default_2d()
        }),
    ));
    for (normal, half) in [
        (Vec2::X, BOX.x),
        (Vec2::NEG_X, BOX.x),
        (Vec2::Y, BOX.y),
        (Vec2::NEG_Y, BOX.y),
    ] {
        let at = -0.5 * half * normal;
        // The floor is a belt: it carries everything to the right.
        let speed = if normal == Vec2::Y { 2.0 } else { 0.0 };
        commands.spawn((
            Plane::new(normal.extend(0.0)),
            SurfaceVelocity(Vec3::X * speed),
            Transform::from_translation(at.extend(0.0)),
        ));
    }
    let frame = materials.add(Color::srgb(0.13, 0.15, 0.22));
    commands.spawn((
        Mesh2d(meshes.add(Rectangle::from_size(BOX))),
        MeshMaterial2d(frame),
    ));

    let bar_mesh = meshes.add(Rectangle::new(3.0, 0.25));
    let bar_color = materials.add(Color::srgb(0.95, 0.75, 0.3));
    for (k, at) in [
        Vec2::new(-4.5, 0.5),
        Vec2::new(0.0, -3.0),
        Vec2::new(4.5, 0.5),
    ]
    .into_iter()
    .enumerate()
    {
        let turn = if k == 1 { -1.0 } else { 1.0 };
        commands.spawn((
            Collider::cuboid(3.0, 0.25, DEPTH),
            RigidBody::Kinematic,
            AngularVelocity(Vec3::Z * turn),
            Friction(0.6),
            Transform::from_translation(at.extend(1.0)),
            Mesh2d(bar_mesh.clone()),
            MeshMaterial2d(bar_color.clone()),
        ));
    }

    let corner = Node {
        margin: UiRect::all(px(14)),
        ..default()
    };
    commands.spawn((Text::new(KEYS), corner));
}

/// The meshes and the colours of what falls.
#[derive(Resource)]
struct Looks {
    disc: Handle<Mesh>,
    pill: Handle<Mesh>,
    thrown: Handle<Mesh>,
    colors: Vec<Handle<ColorMaterial>>,
}

fn make_looks(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    let colors = (0..12).map(|k| materials.add(Color::hsl(30.0 * k as f32, 0.75, 0.62)));
    commands.insert_resource(Looks {
        disc: meshes.add(Circle::new(0.22)),
        pill: meshes.add(Capsule2d::new(0.16, 0.4)),
        thrown: meshes.add(Circle::new(THROWN)),
        colors: colors.collect(),
    });
}

/// A body that falls.
fn body(at: Vec3, color: &Handle<ColorMaterial>) -> impl Bundle {
    (
        Restitution(0.4),
        Friction(0.4),
        ExternalForce::default(),
        MeshMaterial2d(color.clone()),
        Transform::from_translation(at),
    )
}

fn drop_bodies(mut commands: Commands, looks: Res<Looks>) {
    for k in 0..90 {
        let (row, column) = (k / 15, k % 15);
        // In a flat world, Z says only which body is drawn over which.
        let at = Vec3::new(
            0.8 * column as f32 - 5.6,
            2.2 + 0.45 * row as f32,
            2.0 + 0.01 * k as f32,
        );
        let body = body(at, &looks.colors[k % looks.colors.len()]);
        if k % 3 == 0 {
            commands.spawn((Capsule::new(0.16, 0.4), Mesh2d(looks.pill.clone()), body));
        } else {
            commands.spawn((Particle::new(0.22), Mesh2d(looks.disc.clone()), body));
        }
    }
}

/// Radius in m of a disc that is thrown.
const THROWN: f32 = 0.45;

/// A disc that was thrown: there is one at a time.
#[derive(Component)]
struct Thrown;

/// Throws a heavy disc from the left.
fn throw(mut commands: Commands, looks: Res<Looks>, before: Query<Entity, With<Thrown>>) {
    for before in &before {
        commands.entity(before).despawn();
    }
    let at = Vec3::new(0.6 - 0.5 * BOX.x, 1.5, 4.0);
    commands.spawn((
        Thrown,
        Particle::new(THROWN),
        Mass(6.0),
        LinearVelocity(Vec3::new(14.0, 3.0, 0.0)),
        Mesh2d(looks.thrown.clone()),
        body(at, &looks.colors[0]),
    ));
}

fn clear(mut commands: Commands, bodies: Query<Entity, With<ExternalForce>>) {
    for body in &bodies {
        commands.entity(body).despawn();
    }
}

/// A draught carries the bodies up at the right wall, and under the ceiling to the left.
fn blow(mut bodies: Query<(&Transform, &Mass, &mut ExternalForce)>) {
    for (transform, mass, mut force) in &mut bodies {
        let at = transform.translation;
        let up = if at.x > 0.5 * BOX.x - 1.2 { 25.0 } else { 0.0 };
        let left = if at.y > CEILING { 12.0 } else { 0.0 };
        force.set_if_neq(ExternalForce(mass.0 * Vec3::new(-left, up, 0.0)));
    }
}
