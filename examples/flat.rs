//! A flat game: discs and pills fall past turning bars, seen by Bevy's 2D camera. The world is flat by declaration.
//!
//! ```sh
//! cargo run --example flat
//! ```

use bevy::{camera::ScalingMode, prelude::*};
use bevy_impulse_collide::prelude::*;

/// Height in m of the world that the camera sees.
const VIEW: f32 = 10.0;

/// Width and height in m of the box that the bodies are in.
const BOX: Vec2 = Vec2::new(14.0, 9.4);

/// Depth in m of bars and walls. A flat world needs none; a box has one.
const DEPTH: f32 = 10.0;

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, ImpulseCollidePlugin::default()))
        .insert_resource(CollisionConfig {
            flat: true,
            ..default()
        })
        .insert_resource(ClearColor(Color::srgb(0.07, 0.08, 0.12)))
        .add_systems(Startup, set_up)
        .add_systems(FixedUpdate, lift)
        .run();
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
        commands.spawn((
            Plane::new(normal.extend(0.0)),
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

    let (disc, pill) = (
        meshes.add(Circle::new(0.22)),
        meshes.add(Capsule2d::new(0.16, 0.4)),
    );
    for k in 0..90 {
        let (row, column) = (k / 15, k % 15);
        // In a flat world, Z says only which body is drawn over which.
        let at = Vec3::new(
            0.8 * column as f32 - 5.6,
            2.2 + 0.45 * row as f32,
            2.0 + 0.01 * k as f32,
        );
        let color = materials.add(Color::hsl(37.0 * k as f32 % 360.0, 0.75, 0.62));
        let look = MeshMaterial2d(color);
        let body = (
            Restitution(0.4),
            ExternalForce::default(),
            Friction(0.4),
            Transform::from_translation(at),
            look,
        );
        if k % 3 == 0 {
            commands.spawn((Capsule::new(0.16, 0.4), Mesh2d(pill.clone()), body));
        } else {
            commands.spawn((Particle::new(0.22), Mesh2d(disc.clone()), body));
        }
    }
}

/// A draught at the right wall carries the bodies up again.
fn lift(mut bodies: Query<(&Transform, &mut ExternalForce)>) {
    for (transform, mut force) in &mut bodies {
        let in_draught = transform.translation.x > 0.5 * BOX.x - 1.2;
        force.set_if_neq(ExternalForce(Vec3::Y * if in_draught { 25.0 } else { 0.0 }));
    }
}
