//! Bowling: ten pins, each a body of balls and capsules, and a ball to throw at them. All in one file, to start a game from.
//!
//! ```sh
//! cargo run --example bowling
//! ```

use std::f32::consts::TAU;

use bevy::{input::common_conditions::input_just_pressed, prelude::*};
use bevy_impulse_collide::prelude::*;
use scene_kit::app::plain_app;

const KEYS: &str = "Bowling: a pin is one body of eight balls and two capsules
Left, Right   aim
Space         throw
R             set the pins up again";

/// Half the width of the lane, and the way from the foul line to the first pin, in m.
const HALF_WIDTH: f32 = 0.53;
const TO_PINS: f32 = 18.29;

/// Distance of two neighbouring pins in m.
const SPACING: f32 = 0.3048;

/// Radius in m, mass in kg and speed in m/s of the ball.
const BALL: (f32, f32, f32) = (0.108, 6.8, 8.0);

/// The balls of a pin along its axis: the height of each over its foot, and its radius, in m.
const BODY: [(f32, f32); 3] = [(0.114, 0.0605), (0.17, 0.048), (0.345, 0.032)];

/// The feet on which it stands: their number, their distance from the axis, and their radius in m.
const FEET: (usize, f32, f32) = (5, 0.022, 0.006);

/// Where the ball starts, and the angle of the throw in rad.
#[derive(Resource, Default)]
struct Aim {
    side: f32,
}

/// What is cleared away before the next throw.
#[derive(Component)]
struct InPlay;

fn main() -> AppExit {
    let Some(mut app) = plain_app("Bowling", DefaultPlugins.build()) else {
        return AppExit::error();
    };
    app.add_plugins(ImpulseCollidePlugin::default())
        .insert_resource(Time::<Fixed>::from_hz(120.0))
        .insert_resource(ClearColor(Color::srgb(0.05, 0.06, 0.09)))
        .init_resource::<Aim>()
        .add_systems(Startup, (set_up, set_pins).chain())
        .add_systems(
            Update,
            (
                aim,
                throw.run_if(input_just_pressed(KeyCode::Space)),
                (clear, set_pins)
                    .chain()
                    .run_if(input_just_pressed(KeyCode::KeyR)),
            ),
        )
        .run()
}

fn set_up(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    commands.spawn((
        Camera3d::default(),
        Transform::from_xyz(0.9, 1.1, 3.4 - TO_PINS)
            .looking_at(Vec3::new(0.0, 0.1, -0.4 - TO_PINS), Vec3::Y),
    ));
    commands.spawn((
        DirectionalLight {
            illuminance: 9_000.0,
            shadow_maps_enabled: true,
            ..default()
        },
        Transform::from_xyz(2.0, 5.0, 3.0).looking_at(Vec3::ZERO, Vec3::Y),
    ));
    let length = TO_PINS + 1.4;
    let oiled = (Friction(0.12), Restitution(0.3));
    let wood = materials.add(Color::srgb(0.72, 0.52, 0.32));
    commands.spawn((
        Collider::cuboid(2.0 * HALF_WIDTH, 0.2, length),
        oiled,
        Mesh3d(meshes.add(Cuboid::new(2.0 * HALF_WIDTH, 0.2, length))),
        MeshMaterial3d(wood),
        Transform::from_xyz(0.0, -0.1, -0.5 * length),
    ));
    // The pit, and its soft walls.
    let dark = materials.add(Color::srgb(0.12, 0.12, 0.16));
    for (size, at) in [
        (Vec3::new(3.0, 0.2, 3.0), Vec3::new(0.0, -0.5, -1.5)),
        (Vec3::new(3.0, 1.6, 0.2), Vec3::new(0.0, 0.2, -2.6)),
        (Vec3::new(0.1, 1.0, 3.6), Vec3::new(-0.85, 0.0, -0.8)),
        (Vec3::new(0.1, 1.0, 3.6), Vec3::new(0.85, 0.0, -0.8)),
    ] {
        commands.spawn((
            Collider::cuboid(size.x, size.y, size.z),
            (Friction(0.6), Restitution(0.1)),
            Mesh3d(meshes.add(Cuboid::from_size(size))),
            MeshMaterial3d(dark.clone()),
            Transform::from_translation(at - Vec3::Z * TO_PINS),
        ));
    }
    let corner = Node {
        margin: UiRect::all(px(14)),
        ..default()
    };
    commands.spawn((Text::new(KEYS), corner));
}

fn set_pins(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let white = materials.add(Color::srgb(0.94, 0.92, 0.88));
    let red = materials.add(Color::srgb(0.75, 0.1, 0.1));
    let plastic = (Friction(0.25), Restitution(0.55));
    for row in 0..4 {
        for k in 0..=row {
            let at = Vec3::new(
                SPACING * (k as f32 - 0.5 * row as f32),
                0.0,
                -TO_PINS - SPACING * 0.866 * row as f32,
            );
            let pin = (
                Compound,
                InPlay,
                Transform::from_translation(at),
                Visibility::default(),
            );
            commands.spawn(pin).with_children(|pin| {
                let mut ball = |x: Vec3, radius: f32, mass: f32| {
                    pin.spawn((
                        Particle::new(radius),
                        Mass(mass),
                        plastic,
                        Mesh3d(meshes.add(Sphere::new(radius))),
                        MeshMaterial3d(white.clone()),
                        Transform::from_translation(x),
                    ));
                };
                for ((height, radius), mass) in BODY.into_iter().zip([0.75, 0.25, 0.12]) {
                    ball(Vec3::Y * height, radius, mass);
                }
                let (feet, apart, radius) = FEET;
                for foot in 0..feet {
                    let angle = TAU * foot as f32 / feet as f32;
                    let x = Vec3::new(apart * angle.cos(), radius, apart * angle.sin());
                    ball(x, radius, 0.01);
                }
                let mut capsule =
                    |low: f32, high: f32, radius: f32, mass: f32, color: &Handle<_>| {
                        let length = high - low - 2.0 * radius;
                        pin.spawn((
                            Capsule::new(radius, length),
                            Mass(mass),
                            plastic,
                            Mesh3d(meshes.add(Capsule3d::new(radius, length))),
                            MeshMaterial3d(color.clone()),
                            Transform::from_xyz(0.0, 0.5 * (low + high), 0.0),
                        ));
                    };
                // The lower part, and the neck.
                capsule(0.004, 0.14, 0.028, 0.25, &white);
                capsule(0.16, 0.36, 0.025, 0.13, &red);
            });
        }
    }
}

fn aim(keys: Res<ButtonInput<KeyCode>>, time: Res<Time>, mut aim: ResMut<Aim>) {
    let turn = |key: KeyCode| if keys.pressed(key) { 1.0 } else { 0.0 };
    let side = turn(KeyCode::ArrowRight) - turn(KeyCode::ArrowLeft);
    let most = HALF_WIDTH - BALL.0;
    aim.side = (aim.side + 0.3 * side * time.delta_secs()).clamp(-most, most);
}

/// Throws a ball that slides at first. Friction makes it roll before it reaches the pins.
fn throw(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    aim: Res<Aim>,
) {
    let (radius, mass, speed) = BALL;
    commands.spawn((
        Particle::new(radius),
        InPlay,
        Mass(mass),
        (Friction(0.12), Restitution(0.4)),
        LinearVelocity(Vec3::new(0.0, 0.0, -speed)),
        Mesh3d(meshes.add(Sphere::new(radius))),
        MeshMaterial3d(materials.add(Color::srgb(0.15, 0.25, 0.75))),
        Transform::from_xyz(aim.side, radius, -0.5),
    ));
}

fn clear(mut commands: Commands, in_play: Query<Entity, With<InPlay>>) {
    for body in &in_play {
        commands.entity(body).despawn();
    }
}
