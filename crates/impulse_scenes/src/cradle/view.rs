//! How the cradle looks: chrome balls on strings in a steel frame on walnut, in a dark studio.

use std::f32::consts::FRAC_PI_2;

use bevy::{light::DirectionalLightShadowMap, prelude::*};
use scene_kit::{
    picture::{cube_map, picture},
    window::{KeyHelp, OrbitCamera, StatusLine, keys_are_free, sun},
};

use super::row::{BALLS, Collisions, CradleOptions, LENGTH, Pendulum, RADIUS, let_go};

pub(super) struct CradleViewPlugin;

impl Plugin for CradleViewPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(ClearColor(BACKGROUND))
            .insert_resource(DirectionalLightShadowMap { size: 2048 })
            .insert_resource(KeyHelp::new([
                ("1 to 4", "let go so many balls"),
                ("R", "again"),
            ]))
            .init_resource::<Looks>()
            .add_systems(Startup, (spawn_studio, spawn_frame))
            .add_systems(
                Update,
                (
                    (pick_balls, (clear, let_go).chain().run_if(is_asked_again))
                        .chain()
                        .run_if(keys_are_free),
                    (dress_balls, hang).chain(),
                    show_status,
                ),
            );
    }
}

const BACKGROUND: Color = Color::srgb(0.10, 0.115, 0.14);

const BALL_KEYS: [KeyCode; BALLS - 1] = [
    KeyCode::Digit1,
    KeyCode::Digit2,
    KeyCode::Digit3,
    KeyCode::Digit4,
];

fn pick_balls(keys: Res<ButtonInput<KeyCode>>, mut options: ResMut<CradleOptions>) {
    for (key, balls) in BALL_KEYS.into_iter().zip(1..) {
        if keys.just_pressed(key) {
            options.balls = balls;
        }
    }
}

fn is_asked_again(keys: Res<ButtonInput<KeyCode>>) -> bool {
    keys.just_pressed(KeyCode::KeyR) || keys.any_just_pressed(BALL_KEYS)
}

fn clear(mut commands: Commands, balls: Query<Entity, With<Pendulum>>) {
    for ball in &balls {
        commands.entity(ball).despawn();
    }
}

/// Distance of the rails from the middle, in metres.
const RAIL: f32 = 0.17;
/// Half the length of the rails.
const RAIL_HALF_LENGTH: f32 = 0.36;
/// Top of the wooden base.
const BASE_TOP: f32 = -0.12;
const BASE: Vec3 = Vec3::new(0.98, 0.05, 0.52);

/// Data that all balls share.
#[derive(Resource)]
struct Looks {
    ball: Handle<Mesh>,
    string: Handle<Mesh>,
    chrome: Handle<StandardMaterial>,
    thread: Handle<StandardMaterial>,
}

impl FromWorld for Looks {
    fn from_world(world: &mut World) -> Self {
        let mut meshes = world.resource_mut::<Assets<Mesh>>();
        let ball = meshes.add(Sphere::new(RADIUS).mesh().uv(64, 32));
        let string = meshes.add(
            Cylinder::new(0.0014, LENGTH.hypot(RAIL))
                .mesh()
                .resolution(6),
        );
        let mut materials = world.resource_mut::<Assets<StandardMaterial>>();
        let chrome = materials.add(StandardMaterial {
            base_color: Color::srgb(0.93, 0.94, 0.96),
            metallic: 1.0,
            perceptual_roughness: 0.09,
            ..default()
        });
        let thread = materials.add(StandardMaterial {
            base_color: Color::srgb(0.85, 0.85, 0.82),
            perceptual_roughness: 0.8,
            ..default()
        });
        Self {
            ball,
            string,
            chrome,
            thread,
        }
    }
}

/// A child of a ball's body.
#[derive(Component, Clone, Copy)]
enum Part {
    Ball,
    /// To the rail at this z.
    String(f32),
}

fn dress_balls(mut commands: Commands, looks: Res<Looks>, balls: Query<Entity, Added<Pendulum>>) {
    for ball in &balls {
        let string = |rail| {
            (
                Part::String(rail),
                Mesh3d(looks.string.clone()),
                MeshMaterial3d(looks.thread.clone()),
            )
        };
        commands.entity(ball).try_insert((
            Visibility::default(),
            children![
                (
                    Part::Ball,
                    Mesh3d(looks.ball.clone()),
                    MeshMaterial3d(looks.chrome.clone())
                ),
                string(RAIL),
                string(-RAIL),
            ],
        ));
    }
}

/// Puts the drawn ball on its arc, and its strings between it and the rails.
fn hang(
    balls: Query<(&Pendulum, &Transform, &Children)>,
    mut parts: Query<(&Part, &mut Transform), Without<Pendulum>>,
) {
    for (pendulum, body, children) in &balls {
        let x = body.translation.x - pendulum.rest;
        let lift = LENGTH - (LENGTH * LENGTH - x * x).max(0.0).sqrt();
        let ball = lift * Vec3::Y;
        for child in children {
            let Ok((part, mut transform)) = parts.get_mut(*child) else {
                continue;
            };
            match *part {
                Part::Ball => transform.translation = ball,
                Part::String(rail) => {
                    let knot = Vec3::new(-x, LENGTH, rail);
                    transform.translation = ball.midpoint(knot);
                    transform.rotation =
                        Quat::from_rotation_arc(Vec3::Y, (knot - ball).normalize_or(Vec3::Y));
                }
            }
        }
    }
}

fn spawn_studio(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut images: ResMut<Assets<Image>>,
) {
    let diffuse = EnvironmentMapLight::hemispherical_gradient(
        &mut images,
        Color::linear_rgb(0.10, 0.11, 0.13),
        Color::linear_rgb(0.05, 0.05, 0.06),
        Color::linear_rgb(0.02, 0.018, 0.016),
    );
    commands.spawn((
        OrbitCamera::new(Vec3::new(-0.04, 0.18, 0.0), 0.36, 0.2, 1.6).with_pitches(0.0..=FRAC_PI_2),
        // The table has no end that one could see.
        DistanceFog {
            color: BACKGROUND,
            falloff: FogFalloff::Linear {
                start: 2.0,
                end: 6.0,
            },
            ..default()
        },
        EnvironmentMapLight {
            specular_map: images.add(studio()),
            intensity: 4_500.0,
            ..diffuse
        },
    ));
    commands.spawn(sun(9_000.0, Vec3::new(-1.6, 3.0, 1.5), 5.0));
    commands.spawn((
        Mesh3d(meshes.add(Plane3d::new(Vec3::Y, Vec2::splat(10.0)))),
        MeshMaterial3d(materials.add(StandardMaterial {
            base_color: Color::srgb(0.20, 0.22, 0.26),
            perceptual_roughness: 0.7,
            reflectance: 0.2,
            ..default()
        })),
        Transform::from_xyz(0.0, BASE_TOP - BASE.y, 0.0),
    ));
}

fn spawn_frame(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut images: ResMut<Assets<Image>>,
) {
    const TUBE: f32 = 0.009;
    let walnut = materials.add(StandardMaterial {
        base_color_texture: Some(images.add(wood())),
        perceptual_roughness: 0.45,
        ..default()
    });
    commands.spawn((
        Name::new("Base"),
        Mesh3d(meshes.add(Cuboid::from_size(BASE))),
        MeshMaterial3d(walnut),
        Transform::from_xyz(0.0, BASE_TOP - 0.5 * BASE.y, 0.0),
    ));

    let steel = materials.add(StandardMaterial {
        base_color: Color::srgb(0.62, 0.64, 0.68),
        metallic: 1.0,
        perceptual_roughness: 0.25,
        ..default()
    });
    let mut tube = |from: Vec3, to: Vec3| {
        let along = to - from;
        commands.spawn((
            // Round ends, so that tubes join well.
            Mesh3d(meshes.add(Capsule3d::new(TUBE, along.length()))),
            MeshMaterial3d(steel.clone()),
            Transform::from_translation(from.midpoint(to)).with_rotation(Quat::from_rotation_arc(
                Vec3::Y,
                along.normalize_or(Vec3::Y),
            )),
        ));
    };
    let at = |side: f32, height: f32, rail: f32| Vec3::new(side * RAIL_HALF_LENGTH, height, rail);
    for end in [-1.0, 1.0] {
        let rail = end * RAIL;
        tube(at(-1.0, LENGTH, rail), at(1.0, LENGTH, rail));
        tube(at(end, LENGTH, -RAIL), at(end, LENGTH, RAIL));
        for rail in [-RAIL, RAIL] {
            tube(at(end, BASE_TOP, rail), at(end, LENGTH, rail));
        }
    }
}

/// The surroundings that chrome mirrors: a large soft lamp above, a strip of light on either side, a grey room, and wood below.
fn studio() -> Image {
    const SIZE: u32 = 128;
    let soft = |distance: f32| 1.0 - ((distance - 0.9) / 0.1).clamp(0.0, 1.0);
    let look = |direction: Vec3| {
        let lamp = if direction.y > 0.1 {
            let at = direction.xz() / direction.y - Vec2::new(-0.4, 0.35);
            soft((at.x / 0.75).abs().max((at.y / 0.45).abs()))
        } else {
            0.0
        };
        let strip = |azimuth: f32, width: f32| {
            let off = direction.xz().angle_to(Vec2::from_angle(azimuth));
            soft((off / width).abs().max(((direction.y - 0.25) / 0.5).abs()))
        };
        let strips = 0.8 * strip(0.35, 0.16) + 0.55 * strip(2.6, 0.12);
        let up = direction.y;
        let around = if up > 0.0 {
            Vec3::splat(0.06 + 0.3 * up) + 0.04 * Vec3::Z
        } else {
            // The table, and the wood under the balls.
            let wood = ((-up - 0.35) / 0.1).clamp(0.0, 1.0);
            Vec3::splat(0.03 - 0.16 * up).lerp(Vec3::new(0.17, 0.095, 0.055), wood)
        };
        let [r, g, b] = (around + lamp + strips).to_array();
        Srgba::rgb(r, g, b)
    };
    cube_map(|direction| picture(UVec2::splat(SIZE), |at| look(direction(at))))
}

/// Walnut: rings of a trunk, cut along it.
fn wood() -> Image {
    picture(UVec2::new(512, 256), |at| {
        let (along, across) = (at.x, at.y);
        let bend = 0.05 * (5.0 * along).sin() + 0.02 * (13.0 * along + 7.0 * across).sin();
        let ring = (60.0 * (across - 0.4 + bend) + 4.0 * (9.0 * across).sin()).sin();
        let pore = (700.0 * across + 40.0 * (3.0 * along + 21.0 * across).sin()).sin();
        let light = 0.75 + 0.17 * ring + 0.06 * pore;
        (Srgba::rgb_u8(92, 52, 31) * light).with_alpha(1.0)
    })
}

fn show_status(
    mut status: ResMut<StatusLine>,
    options: Res<CradleOptions>,
    collisions: Res<Collisions>,
) {
    let balls = match options.balls {
        1 => "One ball lets go".to_owned(),
        n => format!("{n} balls let go"),
    };
    let line = match collisions.all.last() {
        None => balls,
        Some(collision) => format!(
            "Collision {}: {:.3} m/s came in; the balls that stay move at {:.4} % of it",
            collisions.all.len(),
            collision.incoming,
            100.0 * collision.stray,
        ),
    };
    status.set_if_neq(StatusLine(line));
}
