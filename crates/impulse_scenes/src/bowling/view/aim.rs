//! The ball in the hand, and the line along which it will start.

use bevy::prelude::*;

use super::solids::Looks;
use crate::bowling::{
    play::{Game, Hands, Phase},
    robot::IsOn,
};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn_aim)
        .add_systems(Update, show_aim);
}

/// Length of the line in m: as far as the arrows, at which bowlers aim.
const LINE: f32 = 4.8;

/// The ball that waits.
#[derive(Component)]
struct Held;

/// The line.
#[derive(Component)]
struct Line;

fn spawn_aim(
    mut commands: Commands,
    looks: Res<Looks>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    commands.spawn((Held, looks.ball(), Transform::default()));
    commands.spawn((
        Line,
        Mesh3d(meshes.add(Plane3d::new(Vec3::Y, Vec2::new(0.012, 0.5 * LINE)))),
        MeshMaterial3d(materials.add(StandardMaterial {
            base_color: Color::srgba(1.0, 0.85, 0.3, 0.75),
            unlit: true,
            alpha_mode: AlphaMode::Blend,
            ..default()
        })),
        Transform::default(),
    ));
}

fn show_aim(
    hands: Res<Hands>,
    game: Res<Game>,
    robot: Res<IsOn>,
    mut held: Single<(&mut Transform, &mut Visibility), (With<Held>, Without<Line>)>,
    mut line: Single<(&mut Transform, &mut Visibility), (With<Line>, Without<Held>)>,
) {
    let is_aimed = game.phase == Phase::Aim;
    let seen = |is_seen: bool| match is_seen {
        true => Visibility::Inherited,
        false => Visibility::Hidden,
    };
    let throw = hands.throw;
    let spun = Quat::from_rotation_y(-throw.angle) * Quat::from_rotation_x(0.9);
    held.0
        .set_if_neq(Transform::from_translation(throw.start()).with_rotation(spun));
    held.1.set_if_neq(seen(is_aimed));
    let middle = throw.start().with_y(0.004) + 0.5 * LINE * throw.direction();
    let turned = Quat::from_rotation_y(-throw.angle);
    line.0
        .set_if_neq(Transform::from_translation(middle).with_rotation(turned));
    line.1.set_if_neq(seen(is_aimed && !robot.0));
}
