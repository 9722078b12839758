//! How the balls look: lanes side by side before a wall, height marks, a ring where each ball ought to be, and their names.

use bevy::{color::palettes::tailwind, light::NotShadowCaster, prelude::*};
use impulse_lab::stepper::one_dimension::exact_height;
use scene_kit::{
    app::steps_now,
    window::{KeyHelp, OrbitCamera, StatusLine, keys_are_free, sun},
};

use super::balls::{
    BounceOptions, DROP, Fall, Flight, GRAVITY, Lane, RADIUS, drop_balls, rest_point, tick,
};

pub(super) struct BounceViewPlugin;

impl Plugin for BounceViewPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(ClearColor(Color::srgb(0.03, 0.036, 0.05)))
            .insert_resource(GlobalAmbientLight {
                brightness: 500.0,
                ..default()
            })
            .insert_resource(KeyHelp::new([("R", "drop again")]))
            .add_systems(
                Startup,
                (spawn_stage, spawn_marks, spawn_rings, spawn_names),
            )
            .add_systems(FixedUpdate, move_rings.after(tick).run_if(steps_now))
            .add_systems(
                Update,
                (
                    (clear, drop_balls)
                        .chain()
                        .run_if(is_asked_to_drop.and_then(keys_are_free)),
                    dress_balls,
                    (place_labels, show_bounces, show_status),
                ),
            );
    }
}

/// From lane to lane; after the last one the first one again.
pub(super) fn color(Lane(lane): Lane) -> Srgba {
    const COLORS: [Srgba; 5] = [
        tailwind::SKY_400,
        tailwind::LIME_400,
        tailwind::AMBER_400,
        tailwind::ORANGE_500,
        tailwind::PINK_400,
    ];
    COLORS[lane % COLORS.len()]
}

fn is_asked_to_drop(keys: Res<ButtonInput<KeyCode>>) -> bool {
    keys.just_pressed(KeyCode::KeyR)
}

fn clear(mut commands: Commands, balls: Query<Entity, With<Lane>>) {
    for ball in &balls {
        commands.entity(ball).despawn();
    }
}

fn spawn_stage(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    // Low enough for the plot to have room under the balls.
    commands.spawn(OrbitCamera::new(0.5 * Vec3::Y, 0.0, 0.1, 5.2).with_pitches(0.0..=1.5));
    // Steep, so that the shadows fall on the floor and not on the wall.
    commands.spawn(sun(9_000.0, Vec3::new(-0.5, 4.0, 1.0), 12.0));
    let mut stone = |color: Srgba| {
        materials.add(StandardMaterial {
            base_color: color.into(),
            perceptual_roughness: 0.85,
            reflectance: 0.2,
            ..default()
        })
    };
    let (floor, wall) = (stone(tailwind::SLATE_800), stone(tailwind::SLATE_700));
    const BEHIND: f32 = 1.0;
    const SIZE: f32 = 30.0;
    let half = Vec2::splat(0.5 * SIZE);
    commands.spawn((
        Mesh3d(meshes.add(Plane3d::new(Vec3::Y, half))),
        MeshMaterial3d(floor),
        Transform::from_xyz(0.0, 0.0, 0.5 * SIZE - BEHIND),
    ));
    commands.spawn((
        Mesh3d(meshes.add(Plane3d::new(Vec3::Z, half))),
        MeshMaterial3d(wall),
        Transform::from_xyz(0.0, 0.5 * SIZE, -BEHIND),
    ));
}

/// Metres beyond the outer balls to which the marks reach.
const MARGIN: f32 = 0.45;

/// Lines at the heights that the balls' centres reach, above where they rest.
fn spawn_marks(
    mut commands: Commands,
    mut gizmos: ResMut<Assets<GizmoAsset>>,
    options: Res<BounceOptions>,
) {
    let count = options.restitution.len();
    let left = rest_point(Lane(0), count) - MARGIN * Vec3::X;
    let right = rest_point(Lane(count - 1), count) + MARGIN * Vec3::X;
    for half_metres in 1..=4u8 {
        let height = 0.5 * f32::from(half_metres);
        let is_drop = height == DROP;
        let (color, width) = if is_drop {
            (Color::WHITE, 2.0)
        } else {
            (Color::srgba(1.0, 1.0, 1.0, 0.25), 1.0)
        };
        let dashes = GizmoLineStyle::Dashed {
            gap_scale: 4.0,
            line_scale: 6.0,
        };
        let mut line = GizmoAsset::new();
        let up = height * Vec3::Y;
        line.line(left + up, right + up, color);
        commands.spawn(Gizmo {
            handle: gizmos.add(line),
            line_config: GizmoLineConfig {
                width,
                style: if is_drop { dashes } else { default() },
                ..default()
            },
            ..default()
        });
        let text = if is_drop {
            format!("drop, {height} m")
        } else {
            format!("{height} m")
        };
        commands.spawn((
            label(left + up, Vec2::new(-1.0, -0.5), Justify::Right),
            children![line_of_text(text, 14.0, Color::srgb(0.75, 0.78, 0.84))],
        ));
    }
}

/// Marks the exact height in a lane.
#[derive(Component)]
struct Ring {
    restitution: f32,
}

fn spawn_rings(
    mut commands: Commands,
    options: Res<BounceOptions>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let mesh = meshes.add(
        Torus {
            minor_radius: 0.007,
            major_radius: 1.13 * RADIUS,
        }
        .mesh()
        .minor_resolution(8)
        .major_resolution(64),
    );
    let material = materials.add(StandardMaterial {
        base_color: Color::WHITE,
        unlit: true,
        ..default()
    });
    for (lane, &restitution) in options.restitution.iter().enumerate() {
        let at = rest_point(Lane(lane), options.restitution.len());
        commands.spawn((
            Ring { restitution },
            Mesh3d(mesh.clone()),
            MeshMaterial3d(material.clone()),
            NotShadowCaster,
            Transform::from_translation(at + DROP * Vec3::Y)
                .with_rotation(Quat::from_rotation_x(std::f32::consts::FRAC_PI_2)),
        ));
    }
}

fn move_rings(mut rings: Query<(&Ring, &mut Transform)>, fall: Res<Fall>) {
    for (ring, mut transform) in &mut rings {
        transform.translation.y = RADIUS + exact_height_now(&fall, ring.restitution) as f32;
    }
}

pub(super) fn exact_height_now(fall: &Fall, restitution: f32) -> f64 {
    exact_height(
        DROP.into(),
        GRAVITY.into(),
        restitution.into(),
        fall.seconds,
    )
}

fn dress_balls(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    balls: Query<(Entity, &Lane), Added<Lane>>,
) {
    for (ball, &lane) in &balls {
        let material = materials.add(StandardMaterial {
            base_color: color(lane).into(),
            perceptual_roughness: 0.35,
            ..default()
        });
        commands.entity(ball).try_insert((
            Mesh3d(meshes.add(Sphere::new(RADIUS).mesh().uv(48, 24))),
            MeshMaterial3d(material),
        ));
    }
}

/// Text on the screen that stays at a point of the world.
#[derive(Component)]
struct Label {
    at: Vec3,
    /// Where the text lies from there, in its own sizes: (-0.5, 0) is centred below.
    offset: Vec2,
}

fn label(at: Vec3, offset: Vec2, justify: Justify) -> impl Bundle {
    let align = match justify {
        Justify::Right => AlignItems::FlexEnd,
        _ => AlignItems::Center,
    };
    (
        Label { at, offset },
        Node {
            position_type: PositionType::Absolute,
            flex_direction: FlexDirection::Column,
            align_items: align,
            padding: UiRect::horizontal(px(8)),
            ..default()
        },
    )
}

fn line_of_text(text: impl Into<String>, size: f32, color: impl Into<Color>) -> impl Bundle {
    (
        Text::new(text),
        TextFont::from_font_size(size),
        TextColor(color.into()),
    )
}

/// The line of text about the ball of this lane.
#[derive(Component)]
struct BouncesOf(Lane);

fn spawn_names(mut commands: Commands, options: Res<BounceOptions>) {
    for (lane, restitution) in options.restitution.iter().enumerate() {
        let lane = Lane(lane);
        let at = rest_point(lane, options.restitution.len()) - 2.2 * RADIUS * Vec3::Y;
        commands.spawn((
            label(at, Vec2::new(-0.5, 0.0), Justify::Center),
            children![
                line_of_text(format!("e = {restitution}"), 15.0, color(lane)),
                (
                    BouncesOf(lane),
                    line_of_text("", 13.0, Color::srgb(0.85, 0.87, 0.9))
                ),
            ],
        ));
    }
}

fn place_labels(
    camera: Single<(&Camera, &GlobalTransform), With<OrbitCamera>>,
    mut labels: Query<(&Label, &mut Node, &mut UiTransform)>,
    scale: Res<UiScale>,
) {
    let (camera, eye) = *camera;
    for (label, mut node, mut transform) in &mut labels {
        let Ok(at) = camera.world_to_viewport(eye, label.at) else {
            // Behind the camera.
            node.display = Display::None;
            continue;
        };
        node.display = Display::Flex;
        // A node's pixels grow with the texts.
        let at = at / scale.0;
        (node.left, node.top) = (px(at.x), px(at.y));
        transform.translation = Val2::percent(100.0 * label.offset.x, 100.0 * label.offset.y);
    }
}

fn show_bounces(flights: Query<(&Lane, &Flight)>, mut texts: Query<(&BouncesOf, &mut Text)>) {
    for (of, mut text) in &mut texts {
        let Some((_, flight)) = flights.iter().find(|(lane, _)| **lane == of.0) else {
            continue;
        };
        let bounces = match flight.bounces {
            1 => "1 bounce".to_owned(),
            n => format!("{n} bounces"),
        };
        let line = match flight.last_apex {
            Some(apex) if flight.bounces > 0 => {
                format!("{bounces}\napex {:.3} m", apex * f64::from(DROP))
            }
            _ => bounces,
        };
        text.set_if_neq(Text(line));
    }
}

fn show_status(mut status: ResMut<StatusLine>, time: Res<Time<Fixed>>) {
    let hz = time.timestep().as_secs_f64().recip();
    status.set_if_neq(StatusLine(format!(
        "{hz:.0} steps/s; e: restitution; rings: exact"
    )));
}
