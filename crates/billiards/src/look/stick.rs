//! The cue stick, and lines on the table: the paths of the balls, the balls that may be hit, and the called pocket.

use bevy::prelude::*;

use crate::{
    play::{
        ahead::Track,
        cue::{Cue, Stroke},
        matches::Match,
        state::{Game, Phase},
    },
    player::sight::Sight,
    rules::{Area, Ball, Call},
    table::{
        bed::{Table, above},
        spec::D_RADIUS,
    },
};

const SHAFT: f32 = 0.74;
const BUTT: f32 = 0.71;
const FERRULE: f32 = 0.025;
/// From the ball to the tip while the player aims.
const REST_GAP: f32 = 0.015;
/// From one point of a line to the next, in m.
const DETAIL: f32 = 0.01;
/// More balls than this that may be hit are not marked: that is an open table.
const MANY: usize = 8;
/// The ghost ball, and that of a shot that would be a foul.
const GHOST: Color = Color::srgba(1.0, 1.0, 1.0, 0.2);
const FOUL_GHOST: Color = Color::srgba(1.0, 0.2, 0.15, 0.4);
/// Height of the lines on the cloth, in m.
const ON_CLOTH: f32 = 0.001;

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
                (hold_stick, draw_sight, mark_table).before(TransformSystems::Propagate),
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
        base_color: GHOST,
        alpha_mode: AlphaMode::Blend,
        unlit: true,
        ..default()
    };
    commands.spawn((
        Name::new("Ghost ball"),
        GhostBall,
        Mesh3d(meshes.add(Sphere::new(1.0).mesh().uv(32, 16))),
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
    let raised = cue.elevation(center.xz(), on_bed(&balls, &table), &table);
    let forward = above(cue.direction * raised.cos(), -raised.sin());
    let right = above(cue.direction.perp(), 0.0);
    let radius = table.spec.ball.radius;
    let offset = radius * (cue.tip.x * right + cue.tip.y * right.cross(forward));
    let depth = (radius * radius - offset.length_squared()).max(0.0).sqrt();
    *stick = Transform::from_translation(center + offset - forward * (depth + back))
        .with_rotation(Quat::from_rotation_arc(Vec3::Y, forward));
}

/// Where the object balls on the bed are.
pub(super) fn on_bed(
    balls: &Query<(&Ball, &Transform)>,
    table: &Table,
) -> impl Iterator<Item = Vec2> {
    let lies = 0.5 * table.spec.ball.radius..2.0 * table.spec.ball.radius;
    let objects = balls.iter().filter(|(ball, _)| **ball != Ball::CUE);
    let places = objects.map(|(_, place)| place.translation);
    places
        .filter(move |at| lies.contains(&at.y))
        .map(|at| at.xz())
}

/// The ways of the cue ball, of the ball that it meets first, and of balls that fall.
fn draw_sight(
    mut gizmos: Gizmos<SightLines>,
    ghost: Single<
        (
            &mut Transform,
            &mut Visibility,
            &MeshMaterial3d<StandardMaterial>,
        ),
        (With<GhostBall>, Without<Ball>),
    >,
    mut materials: ResMut<Assets<StandardMaterial>>,
    camera: Single<&GlobalTransform, With<Camera3d>>,
    sight: Res<Sight>,
    table: Res<Table>,
) {
    let radius = table.spec.ball.radius;
    let (mut ghost, mut visibility, ghost_material) = ghost.into_inner();
    let Some(outcome) = &sight.outcome else {
        visibility.set_if_neq(Visibility::Hidden);
        return;
    };
    // Red: the shot would be a foul.
    let [way, within] = match sight.foul().is_none() {
        true => [Color::srgba(1.0, 1.0, 1.0, 0.9), GHOST],
        false => [Color::srgba(1.0, 0.3, 0.22, 0.95), FOUL_GHOST],
    };
    if let Some(mut material) = materials.get_mut(&ghost_material.0)
        && material.base_color != within
    {
        material.base_color = within;
    }
    let met = outcome.departure.map_or(usize::MAX, |(step, _)| step);
    let mut shown = Visibility::Hidden;
    for Track { ball, points } in &outcome.tracks {
        let color = match *ball {
            Ball::CUE => Color::srgba(1.0, 1.0, 1.0, 0.4),
            ball if outcome.record.first_hit == Some(ball) => Color::srgba(1.0, 0.85, 0.35, 0.95),
            ball if outcome.record.pocket_of(ball).is_some() => Color::srgba(1.0, 0.85, 0.35, 0.5),
            _ => continue,
        };
        let (mut before, mut after) = (points.as_slice(), [].as_slice());
        if *ball == Ball::CUE && met < points.len() {
            (before, after) = (&points[..=met], &points[met..]);
            let at = points[met];
            *ghost = Transform::from_translation(at).with_scale(Vec3::splat(radius));
            shown = Visibility::Inherited;
            gizmos.circle(Isometry3d::new(at, camera.rotation()), radius, way);
        }
        let color_before = if *ball == Ball::CUE { way } else { color };
        gizmos.linestrip(thinned(before), color_before);
        gizmos.linestrip(thinned(after), color);
        if let (Some(from), Some(to)) = (points.first(), points.last())
            && from.distance(*to) > radius
        {
            let flat = Quat::from_rotation_arc(Vec3::Z, Vec3::Y);
            gizmos.circle(Isometry3d::new(*to, flat), 0.9 * radius, color);
        }
    }
    visibility.set_if_neq(shown);
}

/// Points that are apart.
fn thinned(points: &[Vec3]) -> Vec<Vec3> {
    let mut kept: Vec<Vec3> = Vec::new();
    for point in points {
        if kept
            .last()
            .is_none_or(|last| last.distance(*point) > DETAIL)
        {
            kept.push(*point);
        }
    }
    kept.extend(points.last().filter(|_| kept.len() > 1));
    kept
}

/// Rings round the balls that may be hit first and round the called pocket, and the head string where it counts.
fn mark_table(
    mut gizmos: Gizmos<SightLines>,
    balls: Query<(&Ball, &Transform)>,
    on: Res<Match>,
    game: Res<Game>,
    table: Res<Table>,
) {
    let flat = Quat::from_rotation_arc(Vec3::Z, Vec3::Y);
    let mut ring = |at: Vec2, radius: f32, color: Color| {
        let place = Isometry3d::new(above(at, ON_CLOTH), flat);
        gizmos.circle(place, radius, color).resolution(40);
    };
    let hint = Color::srgba(1.0, 0.95, 0.75, 0.5);
    let circle = on.practice.and_then(|it| it.drill().circle(table.spec));
    if let Some((middle, radius)) = circle {
        ring(middle, radius, hint);
    }
    let Some(frame) = on.frame.as_ref().filter(|_| game.phase == Phase::Aim) else {
        return;
    };
    let targets = frame.targets();
    let few = targets.len() <= MANY;
    for (ball, place) in &balls {
        if few && targets.contains(*ball) {
            ring(place.translation.xz(), 1.35 * table.spec.ball.radius, hint);
        }
    }
    if frame.must_call() {
        let called = frame.called();
        for (index, pocket) in table.pockets.iter().enumerate() {
            let is_called = matches!(called, Some(Call::Pot { pocket, .. }) if pocket == index);
            let color = if is_called {
                Color::srgb(0.4, 1.0, 0.5)
            } else {
                Color::srgba(1.0, 0.85, 0.35, 0.6)
            };
            if is_called || called.is_none() {
                ring(pocket.center, 1.25 * pocket.radius, color);
            }
        }
    }
    let across = |x: f32, half: f32| {
        let end = |y: f32| above(Vec2::new(x, y), ON_CLOTH);
        (end(-half), end(half))
    };
    let spec = table.spec;
    match on.area() {
        Some(Area::BehindHeadString) => {
            let (from, to) = across(spec.head_spot().x, spec.half.y);
            gizmos.line(from, to, hint);
        }
        Some(Area::D) => {
            let (from, to) = across(spec.baulk_line(), D_RADIUS);
            let middle = from.midpoint(to);
            gizmos.line(from, to, hint);
            gizmos.short_arc_3d_between(middle, from, middle - D_RADIUS * Vec3::X, hint);
            gizmos.short_arc_3d_between(middle, middle - D_RADIUS * Vec3::X, to, hint);
        }
        Some(Area::Table) | None => {}
    }
}
