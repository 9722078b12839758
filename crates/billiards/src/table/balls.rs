//! The balls: what they are, where they start, and where one may be put back.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    game::Game,
    spec::{BallSpec, POOL_9},
    table::{Table, above},
};

/// Radius of a pool ball in metres.
pub const RADIUS: f32 = POOL_9.ball.radius;
/// Between a ball put back and the others.
const CLEARANCE: f32 = 1e-4;

/// A ball by its number; the cue ball's is 0.
#[derive(Serialize, Deserialize, Component, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Component, Debug, PartialEq, Clone)]
pub struct Ball(pub u8);

/// The kinds of ball in 8-ball.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The white ball that the cue strikes.
    Cue,
    /// 1 to 7.
    Solid,
    /// The black 8.
    Eight,
    /// 9 to 15.
    Stripe,
}

impl Ball {
    /// The cue ball.
    pub const CUE: Self = Self(0);

    /// Which kind of ball it is.
    pub fn kind(self) -> Kind {
        match self.0 {
            0 => Kind::Cue,
            8 => Kind::Eight,
            1..8 => Kind::Solid,
            _ => Kind::Stripe,
        }
    }
}

/// Where the ball's centre was in the last step: a fast ball crosses a pocket in one step.
#[derive(Component, Clone, Copy, Debug)]
pub(super) struct LastPosition(pub Vec3);

/// What makes a ball a body. A ball that falls into a pocket loses it.
pub(super) fn body(ball: &BallSpec) -> impl Bundle {
    (
        Particle::new(ball.radius),
        Mass(ball.mass),
        Restitution(ball.restitution),
        Friction(ball.friction),
    )
}

/// Takes away all of [`body`] and what came with it, but for the place.
pub(super) fn remove_body(ball: &mut EntityCommands) {
    ball.remove::<(
        Particle,
        Mass,
        Restitution,
        Friction,
        LinearVelocity,
        AngularVelocity,
        GravityScale,
    )>();
}

/// Where a pool ball's centre is when it lies on the point `at` of the bed.
pub(super) fn lying(at: Vec2) -> Vec3 {
    above(at, RADIUS)
}

/// Numbers, which are at a ball's own +x and upright along its +z, up and towards the world's +z; no two alike.
fn set_by_hand(ball: Ball) -> Quat {
    let number_to_z = Quat::from_mat3(&Mat3::from_cols(Vec3::Z, Vec3::X, Vec3::Y));
    let [aside, up, askew] = [2.4, 3.3, 4.1].map(|turn| 0.35 * (turn * f32::from(ball.0)).sin());
    Quat::from_euler(EulerRot::YXZ, aside, up - 0.9, askew) * number_to_z
}

/// Spawns the balls as they stand before the break.
pub(super) fn spawn_balls(mut commands: Commands, table: Res<Table>, game: Res<Game>) {
    let places = game.rack.places(table.spec);
    // The physics goes by the order of the entities: the same rack has to have the same one, whatever was spawned before.
    let mut entities: Vec<Entity> = places.iter().map(|_| commands.spawn_empty().id()).collect();
    entities.sort_unstable();
    for (entity, (ball, at)) in entities.into_iter().zip(places) {
        let place = table.lying(at);
        let name = match ball {
            Ball::CUE => Name::new("Cue ball"),
            Ball(number) => Name::new(format!("Ball {number}")),
        };
        commands.entity(entity).insert((
            name,
            ball,
            body(&table.spec.ball),
            LastPosition(place),
            Transform::from_translation(place).with_rotation(set_by_hand(ball)),
        ));
    }
}

impl Table {
    /// The free place for a ball nearest to `spot` on the line across the table through it, or that line's end when full.
    pub fn free_place(&self, spot: Vec2, others: &[Vec2]) -> Vec2 {
        let radius = self.spec.ball.radius;
        let step = radius / 4.0;
        let reach = self.spec.half.y - radius;
        let free = |at: &Vec2| {
            others
                .iter()
                .all(|other| other.distance(*at) > 2.0 * radius + CLEARANCE)
        };
        (0..)
            .map(|i| step * i as f32)
            .take_while(|offset| *offset <= reach)
            .flat_map(|offset| [offset, -offset])
            .map(|offset| spot + Vec2::Y * offset)
            .find(free)
            .unwrap_or(spot + Vec2::Y * reach)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::billiards::table::HEAD_SPOT;

    #[test]
    fn a_taken_spot_yields_the_nearest_free_place() {
        let table = Table::new(&POOL_9);
        assert_eq!(table.free_place(HEAD_SPOT, &[]), HEAD_SPOT);
        let place = table.free_place(HEAD_SPOT, &[HEAD_SPOT]);
        let off = place.distance(HEAD_SPOT);
        assert!(off > 2.0 * RADIUS && off < 2.5 * RADIUS, "{off}");
    }
}
