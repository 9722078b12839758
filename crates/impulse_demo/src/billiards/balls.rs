//! The sixteen balls: what they are, where they start, and where one may be put back.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::table::{FOOT_SPOT, HALF, HEAD_SPOT, above};

/// Radius of a ball in metres.
pub const RADIUS: f32 = 0.028575;
/// Mass of a ball in kilograms.
pub const MASS: f32 = 0.17;
/// Between a ball put back and the others.
const CLEARANCE: f32 = 1e-4;

/// The rows of the rack from the foot spot on: the 8 in the centre, a solid and a stripe in the back corners.
const RACK: [&[u8]; 5] = [
    &[1],
    &[9, 2],
    &[3, 8, 10],
    &[11, 7, 14, 4],
    &[5, 13, 15, 6, 12],
];

/// A ball by its number; the cue ball's is 0.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
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
pub(super) fn body() -> impl Bundle {
    (
        Particle::new(RADIUS),
        Mass(MASS),
        Restitution(0.95),
        Friction(0.05),
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

/// Where a ball's centre is when it lies on the point `at` of the bed.
pub(super) fn lying(at: Vec2) -> Vec3 {
    above(at, RADIUS)
}

/// Number and place of all balls before the break. The racked ones touch, so that the break moves them all at once.
pub fn rack() -> impl Iterator<Item = (Ball, Vec2)> {
    let pitch = 2.0 * RADIUS;
    let row = Vec2::new(pitch * 0.75_f32.sqrt(), -pitch / 2.0);
    let racked = RACK.iter().enumerate().flat_map(move |(i, numbers)| {
        let first = FOOT_SPOT + i as f32 * row;
        let places = (0..).map(move |j| first + Vec2::Y * (j as f32 * pitch));
        numbers.iter().map(|number| Ball(*number)).zip(places)
    });
    std::iter::once((Ball::CUE, HEAD_SPOT)).chain(racked)
}

/// Numbers, which are at a ball's own +x and upright along its +z, up and towards the world's +z; no two alike.
fn set_by_hand(ball: Ball) -> Quat {
    let number_to_z = Quat::from_mat3(&Mat3::from_cols(Vec3::Z, Vec3::X, Vec3::Y));
    let [aside, up, askew] = [2.4, 3.3, 4.1].map(|turn| 0.35 * (turn * f32::from(ball.0)).sin());
    Quat::from_euler(EulerRot::YXZ, aside, up - 0.9, askew) * number_to_z
}

/// Spawns the rack and the cue ball.
pub(super) fn spawn_balls(mut commands: Commands) {
    for (ball, at) in rack() {
        let place = lying(at);
        let name = match ball {
            Ball::CUE => Name::new("Cue ball"),
            Ball(number) => Name::new(format!("Ball {number}")),
        };
        commands.spawn((
            name,
            ball,
            body(),
            LastPosition(place),
            Transform::from_translation(place).with_rotation(set_by_hand(ball)),
        ));
    }
}

/// The free place for a ball nearest to `spot` on the line across the table through it, or that line's end when full.
pub fn free_place(spot: Vec2, others: &[Vec2]) -> Vec2 {
    let step = RADIUS / 4.0;
    let reach = HALF.y - RADIUS;
    let free = |at: &Vec2| {
        others
            .iter()
            .all(|other| other.distance(*at) > 2.0 * RADIUS + CLEARANCE)
    };
    (0..)
        .map(|i| step * i as f32)
        .take_while(|offset| *offset <= reach)
        .flat_map(|offset| [offset, -offset])
        .map(|offset| spot + Vec2::Y * offset)
        .find(free)
        .unwrap_or(spot + Vec2::Y * reach)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rack_holds_every_ball_once_and_none_overlap() {
        let balls: Vec<_> = rack().collect();
        let mut numbers: Vec<u8> = balls.iter().map(|(ball, _)| ball.0).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (0..16).collect::<Vec<_>>());
        for (i, (_, a)) in balls.iter().enumerate() {
            for (_, b) in &balls[..i] {
                assert!(a.distance(*b) > 2.0 * RADIUS - 1e-6);
            }
        }
        assert_eq!(Ball(RACK[2][1]).kind(), Kind::Eight);
        assert_eq!(Ball(RACK[4][0]).kind(), Kind::Solid);
        assert_eq!(Ball(RACK[4][4]).kind(), Kind::Stripe);
    }

    #[test]
    fn a_taken_spot_yields_the_nearest_free_place() {
        assert_eq!(free_place(HEAD_SPOT, &[]), HEAD_SPOT);
        let place = free_place(HEAD_SPOT, &[HEAD_SPOT]);
        let off = place.distance(HEAD_SPOT);
        assert!(off > 2.0 * RADIUS && off < 2.5 * RADIUS, "{off}");
    }
}
