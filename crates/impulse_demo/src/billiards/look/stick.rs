//! The cue stick, and lines on the table that show where the shot will go.

use bevy::prelude::*;

use super::super::{
    balls::{Ball, Kind, RADIUS, lying},
    cue::{Cue, Stroke},
    game::{Game, Phase},
    sight::{Target, sight},
    table::{Table, above},
};

const SHAFT: f32 = 0.74;
const BUTT: f32 = 0.71;
const FERRULE: f32 = 0.025;
/// From the ball to the tip while the player aims.
const REST_GAP: f32 = 0.015;
/// Length of the line of a ball that goes on as fast as the cue ball came.
const LINE: f32 = 0.6;

pub(super) struct StickPlugin;

impl Plugin for StickPlugin {
    fn build(&self, app: &mut App) {
        let lines = GizmoConfig {
            depth_bias: -0.002,
            line: GizmoLineConfig {
                width: 2.5,
                ..default()
            },
            ..default()
        };
        app.insert_gizmo_config(SightLines, lines)
            .add_systems(Startup, spawn_stick)
            // After the player's hands have moved it.
            .add_systems(
                PostUpdate,
                (hold_stick, draw_sight).before(TransformSystems::Propagate),
            );
    }
}

#[derive(Default, Reflect, GizmoConfigGroup)]
struct SightLines;

#[derive(Component)]
struct Stick;

/// Where the cue ball will be when it meets something.
#[derive(Component)]
struct GhostBall;

fn spawn_stick(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    // The tip is at the origin, the stick along -y.
    let mut part = |from: f32, length: f32, radius_top: f32, radius_bottom: f32, color: Color| {
        let mesh = ConicalFrustum {
            radius_top,
            radius_bottom,
            height: length,
        };
        let material = StandardMaterial {
            base_color: color,
            perceptual_roughness: 0.35,
            reflectance: 0.3,
            ..default()
        };
        (
            Mesh3d(meshes.add(mesh)),
            MeshMaterial3d(materials.add(material)),
            Transform::from_xyz(0.0, -from - length / 2.0, 0.0),
        )
    };
    commands.spawn((
        Name::new("Cue stick"),
        Stick,
        Transform::default(),
        Visibility::Hidden,
        children![
            part(0.0, 0.006, 0.0055, 0.0062, Color::srgb(0.10, 0.30, 0.55)),
            part(
                0.006,
                FERRULE,
                0.0062,
                0.0064,
                Color::srgb(0.93, 0.91, 0.86)
            ),
            part(
                0.006 + FERRULE,
                SHAFT,
                0.0064,
                0.0105,
                Color::srgb(0.80, 0.60, 0.36)
            ),
            part(
                0.006 + FERRULE + SHAFT,
                BUTT,
                0.0105,
                0.0145,
                Color::srgb(0.34, 0.13, 0.07)
            ),
        ],
    ));
    let ghost = StandardMaterial {
        base_color: Color::srgba(1.0, 1.0, 1.0, 0.2),
        alpha_mode: AlphaMode::Blend,
        unlit: true,
        ..default()
    };
    commands.spawn((
        Name::new("Ghost ball"),
        GhostBall,
        Mesh3d(meshes.add(Sphere::new(RADIUS).mesh().uv(32, 16))),
        MeshMaterial3d(materials.add(ghost)),
        Visibility::Hidden,
        bevy::light::NotShadowCaster,
    ));
}

fn hold_stick(
    stick: Single<(&mut Transform, &mut Visibility), (With<Stick>, Without<Ball>)>,
    balls: Query<(&Ball, &Transform)>,
    cue: Res<Cue>,
    game: Res<Game>,
    table: Res<Table>,
) {
    let (mut stick, mut visibility) = stick.into_inner();
    let ball = balls.iter().find(|(ball, _)| **ball == Ball::CUE);
    let back = match cue.stroke {
        Stroke::Aim => Some(REST_GAP),
        Stroke::Pull { back, .. } => Some(REST_GAP + back),
        Stroke::Strike { left, .. } => Some(left),
        Stroke::Done => None,
    };
    let (Some((_, ball)), Some(back), Phase::Aim) = (ball, back, game.phase) else {
        visibility.set_if_neq(Visibility::Hidden);
        return;
    };
    visibility.set_if_neq(Visibility::Inherited);
    let center = ball.translation;
    let raised = cue.elevation(center.xz(), &table);
    let forward = above(cue.direction * raised.cos(), -raised.sin());
    let right = above(cue.direction.perp(), 0.0);
    let offset = RADIUS * (cue.tip.x * right + cue.tip.y * right.cross(forward));
    let depth = (RADIUS * RADIUS - offset.length_squared()).max(0.0).sqrt();
    *stick = Transform::from_translation(center + offset - forward * (depth + back))
        .with_rotation(Quat::from_rotation_arc(Vec3::Y, forward));
}

fn draw_sight(
    mut gizmos: Gizmos<SightLines>,
    ghost: Single<(&mut Transform, &mut Visibility), (With<GhostBall>, Without<Ball>)>,
    balls: Query<(&Ball, &Transform)>,
    camera: Single<&GlobalTransform, With<Camera3d>>,
    cue: Res<Cue>,
    game: Res<Game>,
) {
    let (mut ghost, mut visibility) = ghost.into_inner();
    let on_bed = || {
        balls
            .iter()
            .filter(|(_, transform)| transform.translation.y > 0.0)
    };
    let cue_ball = on_bed().find(|(ball, _)| ball.kind() == Kind::Cue);
    let (Some((_, cue_ball)), Phase::Aim, Stroke::Aim | Stroke::Pull { .. }) =
        (cue_ball, game.phase, cue.stroke)
    else {
        visibility.set_if_neq(Visibility::Hidden);
        return;
    };
    let start = cue_ball.translation.xz();
    let others: Vec<Vec2> = on_bed()
        .filter(|(ball, _)| ball.kind() != Kind::Cue)
        .map(|(_, transform)| transform.translation.xz())
        .collect();
    let Some(found) = sight(start, cue.direction, others.iter().copied()) else {
        visibility.set_if_neq(Visibility::Hidden);
        return;
    };
    visibility.set_if_neq(Visibility::Inherited);
    ghost.translation = lying(found.center);
    let way = Color::srgba(1.0, 1.0, 1.0, 0.9);
    let after = Color::srgba(1.0, 1.0, 1.0, 0.4);
    let object = Color::srgba(1.0, 0.85, 0.35, 0.95);
    gizmos.line(lying(start), lying(found.center), way);
    let met = match found.target {
        Target::Ball(ball) => Some(ball),
        Target::Cushion | Target::Pocket => None,
    };
    // Where a ball at `from` goes with that part of the cue ball's velocity, up to what it meets next.
    let mut go = |from: Vec2, part: Vec2, color| {
        let others = others.iter().copied().filter(|other| Some(*other) != met);
        let free = sight(from, part.normalize_or_zero(), others)
            .map_or(0.0, |next| next.center.distance(from));
        let end = from + part.clamp_length_max(free / LINE) * LINE;
        gizmos.line(lying(from), lying(end), color);
    };
    let into = cue.direction.dot(found.normal) * found.normal;
    let along = cue.direction - into;
    match found.target {
        Target::Ball(ball) => {
            go(ball, into, object);
            go(found.center, along, after);
        }
        Target::Cushion => go(found.center, along - into, after),
        Target::Pocket => {}
    }
    gizmos.circle(
        Isometry3d::new(lying(found.center), camera.rotation()),
        RADIUS,
        way,
    );
}
