//! Targets: drop targets, which go down when they are hit, and standup targets. And the gate of the plunger's lane.

use bevy::{math::Vec3Swizzles, prelude::*};
use bevy_impulse_collide::prelude::*;

use super::{
    measures::*,
    outline::Outline,
    play::{Ball, Game},
    rules::Switch,
    switches::Closed,
    table::{Stuff, prism},
};

/// A drop target.
#[derive(Component, Clone, Copy, Debug)]
pub struct DropTarget(pub usize);

/// A standup target.
#[derive(Component, Clone, Copy, Debug)]
pub struct Standup(pub usize);

/// The gate between the plunger's lane and the playfield. It shuts behind the ball.
#[derive(Component, Clone, Copy, Debug)]
pub struct Gate;

/// Approach speed in m/s that closes the switch of a target.
const LEAST: f32 = 0.15;
/// How deep targets and gate go when they are down.
const DOWN: f32 = -0.2;
/// No target and no gate comes up with the ball's centre nearer than this.
const CLEAR: f32 = 0.05;

/// A box on the playfield with these measures, that faces in a direction.
fn facing([width, thickness]: [f32; 2], (at, facing): (Vec2, Vec2)) -> (Collider, Transform) {
    let turned = Quat::from_rotation_y((-facing.y).atan2(facing.x));
    (
        Collider::cuboid(thickness, GLASS, width),
        Transform::from_xyz(at.x, 0.5 * GLASS, at.y).with_rotation(turned),
    )
}

pub(super) fn spawn_targets(mut commands: Commands) {
    let stuff = (Stuff::Target, Stuff::Target.material());
    for index in 0..DROPS {
        commands.spawn((DropTarget(index), facing(DROP, drop_target(index)), stuff));
    }
    for index in 0..2 {
        commands.spawn((Standup(index), facing(STANDUP, standup(index)), stuff));
    }
    commands.spawn((
        Gate,
        prism(&Outline::bar(GATE[0], GATE[1], RAIL)),
        Stuff::Metal,
        Stuff::Metal.material(),
        Transform::from_xyz(0.0, DOWN, 0.0),
    ));
}

/// Closes the switches of targets that the ball hits.
pub(super) fn hit_targets(
    mut impacts: MessageReader<Impact>,
    drops: Query<&DropTarget>,
    standups: Query<&Standup>,
    mut closed: MessageWriter<Closed>,
) {
    for impact in impacts.read().filter(|hit| hit.approach_speed > LEAST) {
        for body in [impact.a, impact.b] {
            if let Ok(target) = drops.get(body) {
                closed.write(Closed(Switch::Drop(target.0)));
            }
            if let Ok(target) = standups.get(body) {
                closed.write(Closed(Switch::Standup(target.0)));
            }
        }
    }
}

/// Puts the drop targets where the rules say.
pub(super) fn move_targets(
    mut targets: Query<(&DropTarget, &mut Transform)>,
    ball: Single<&Transform, (With<Ball>, Without<DropTarget>)>,
    game: Res<Game>,
) {
    for (target, mut transform) in &mut targets {
        let is_down = transform.translation.y < 0.0;
        let at = transform.translation.xz();
        let is_clear = ball.translation.xz().distance(at) > CLEAR;
        match (is_down, game.rules.drops[target.0]) {
            (false, true) => transform.translation.y = DOWN,
            (true, false) if is_clear => transform.translation.y = 0.5 * GLASS,
            _ => {}
        }
    }
}

/// Whether a ball is in the plunger's lane.
pub fn is_in_lane(ball: Vec3) -> bool {
    let [a, b] = GATE;
    ball.x > DIVIDER && (b - a).perp_dot(ball.xz() - a) > 0.0
}

/// Opens the gate for a ball in the lane, and shuts it behind the ball.
pub(super) fn move_gate(
    gate: Single<&mut Transform, With<Gate>>,
    ball: Single<&Transform, (With<Ball>, Without<Gate>)>,
) {
    let mut gate = gate.into_inner();
    let [a, b] = GATE;
    let ball = ball.translation;
    let part = ((ball.xz() - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
    let distance = ball.xz().distance(a.lerp(b, part));
    let height = if is_in_lane(ball) {
        DOWN
    } else if distance > BALL_RADIUS + 2.0 * RAIL {
        0.0
    } else {
        return;
    };
    if gate.translation.y != height {
        gate.translation.y = height;
    }
}
