//! The balls as bodies, and how they are set up.

use bevy::{
    ecs::component::{Mutable, StorageType},
    prelude::*,
    reflect::impl_reflect,
};
use bevy_impulse_collide::prelude::*;

use super::{
    bed::{Table, above},
    rack::{Gaps, Rack},
    spec::{BallSpec, RADIUS},
};
use crate::rules::Ball;

// The rules know balls as numbers and nothing of an ECS; here a ball becomes a component.
impl Component for Ball {
    const STORAGE_TYPE: StorageType = StorageType::Table;
    type Mutability = Mutable;
}

impl_reflect!(
    #[reflect(Component, Debug, PartialEq, Clone)]
    #[type_path = "billiards::rules::ball"]
    struct Ball(u8);
);

/// Where the ball's centre was in the last step: a fast ball crosses a pocket in one step.
#[derive(Component, Clone, Copy, Debug)]
pub(crate) struct LastPosition(pub Vec3);

/// The components that make a ball a body. A ball that falls into a pocket loses them.
pub(crate) fn body(ball: &BallSpec) -> impl Bundle {
    (
        Particle::new(ball.radius),
        Mass(ball.mass),
        Restitution(ball.restitution),
        Friction(ball.friction.at(0.0)),
        CollisionHooks,
    )
}

/// Removes all of [`body`] and its required components, except the place.
pub(crate) fn remove_body(ball: &mut EntityCommands) {
    ball.remove::<(
        Particle,
        Mass,
        Restitution,
        Friction,
        CollisionHooks,
        LinearVelocity,
        AngularVelocity,
        GravityScale,
    )>();
}

/// The place of the first ball in the order of the bodies: after the table. The same rack has the same order on all machines.
const FIRST_ORDER: u64 = 1000;

/// Where a pool ball's centre is when it lies on the point `at` of the bed.
pub(crate) fn lying(at: Vec2) -> Vec3 {
    above(at, RADIUS)
}

/// Numbers, which are at a ball's own +x and upright along its +z, up and towards the world's +z; no two balls have the same
/// rotation.
fn set_by_hand(ball: Ball) -> Quat {
    let number_to_z = Quat::from_mat3(&Mat3::from_cols(Vec3::Z, Vec3::X, Vec3::Y));
    let [aside, up, askew] = [2.4, 3.3, 4.1].map(|turn| 0.35 * (turn * f32::from(ball.0)).sin());
    Quat::from_euler(EulerRot::YXZ, aside, up - 0.9, askew) * number_to_z
}

/// Spawns the balls of `rack` as they stand before the break.
pub(crate) fn spawn_balls(commands: &mut Commands, table: &Table, rack: Rack, gaps: Gaps) {
    let places = rack.places(table.spec, gaps);
    for (order, (ball, at)) in (FIRST_ORDER..).zip(places) {
        let place = table.lying(at);
        let name = match ball {
            Ball::CUE => Name::new("Cue ball"),
            Ball(number) => Name::new(format!("Ball {number}")),
        };
        commands.spawn((
            name,
            BodyOrder(order),
            ball,
            body(&table.spec.ball),
            LastPosition(place),
            Transform::from_translation(place).with_rotation(set_by_hand(ball)),
        ));
    }
}
