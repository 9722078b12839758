//! The account of a shot: speeds, spins, the cut, cushions and ways, for players who want to know.

use std::f32::consts::FRAC_PI_2;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::{
    record::{Recorder, note_impacts},
    state::{Phase, phase_is},
};
use crate::{
    rules::{Ball, Contact},
    table::bed::Table,
};

/// The account of the last shot, or of the shot that is being played.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct Account {
    /// The cue ball just after the blow.
    pub start: Motion,
    /// The cue ball's first contact with a ball.
    pub hit: Option<Hit>,
    /// Cushions that the cue ball met.
    pub cushions: usize,
    /// The way of the cue ball on the bed, in m.
    pub way: f32,
    /// How long the shot took, in s.
    pub seconds: f32,
    /// The cue ball's place and motion after the last step.
    last: Option<(Vec3, Motion)>,
}

/// The motion of a ball.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// In m/s along the bed.
    pub velocity: Vec2,
    /// In rad/s, about the axes of the world.
    pub spin: Vec3,
}

impl Motion {
    fn of(velocity: &LinearVelocity, spin: &AngularVelocity) -> Self {
        Self {
            velocity: velocity.0.xz(),
            spin: spin.0,
        }
    }

    /// In m/s.
    pub fn speed(&self) -> f32 {
        self.velocity.length()
    }

    /// The spin about the axis across its way, over that of a ball of this radius that rolls: 1 rolls, 0 slides, below 0 draws.
    pub fn roll(&self, radius: f32) -> f32 {
        let way = Vec3::new(self.velocity.x, 0.0, self.velocity.y);
        let speed = way.length();
        if speed == 0.0 {
            return 0.0;
        }
        // A ball that rolls has the spin ŷ × v/r.
        Vec3::Y.cross(way / speed).dot(self.spin) * radius / speed
    }

    /// Side spin in turns per second, above zero counter-clockwise as seen from above: English to the right.
    pub fn side(&self) -> f32 {
        self.spin.y / (4.0 * FRAC_PI_2)
    }
}

/// A contact of the cue ball with another ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The other ball.
    pub ball: Ball,
    /// The cue ball before.
    pub before: Motion,
    /// Between the cue ball's way and the line of centres, in radians.
    pub cut: f32,
    /// How the other ball leaves; none if it meets more balls in the same step.
    pub leaves: Option<Leaves>,
}

/// How a ball leaves after a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leaves {
    /// Its speed in m/s.
    pub speed: f32,
    /// Angle in radians between the line of centres and its way: how far friction threw it.
    pub throw: f32,
}

/// Keeps the account. The game that is played ahead needs none.
pub(crate) struct AccountPlugin;

impl Plugin for AccountPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Account>().add_systems(
            FixedPostUpdate,
            keep_account
                .after(note_impacts)
                .run_if(phase_is(Phase::Roll)),
        );
    }
}

/// Begins a new account.
pub(super) fn begin(world: &mut World, start: Motion) {
    world.insert_resource(Account { start, ..default() });
}

fn keep_account(
    mut account: ResMut<Account>,
    mut impacts: MessageReader<Impact>,
    recorder: Res<Recorder>,
    table: Res<Table>,
    time: Res<Time>,
    balls: Query<(&Ball, &Transform, &LinearVelocity, &AngularVelocity), With<Particle>>,
) {
    account.seconds += time.delta_secs();
    let met = &recorder.record.cue_ball_met;
    account.cushions = met.iter().filter(|met| **met == Contact::Cushion).count();
    let before = account.last.map_or(account.start, |(_, motion)| motion);
    for impact in impacts.read() {
        let (Ok(a), Ok(b)) = (balls.get(impact.a), balls.get(impact.b)) else {
            continue;
        };
        let (other, to_other) = match (*a.0, *b.0) {
            (Ball::CUE, _) => (b, -impact.normal.xz()),
            (_, Ball::CUE) => (a, impact.normal.xz()),
            _ => continue,
        };
        if account.hit.is_none() {
            let velocity = other.2.0.xz();
            let throw = to_other.angle_to(velocity).abs();
            // Friction alone cannot throw a ball farther than this.
            let farthest = table.spec.ball.friction.at(0.0).atan();
            account.hit = Some(Hit {
                ball: *other.0,
                before,
                cut: before.velocity.angle_to(to_other).abs(),
                leaves: (throw <= farthest).then_some(Leaves {
                    speed: velocity.length(),
                    throw,
                }),
            });
        }
    }
    let cue_ball = balls.iter().find(|(ball, ..)| **ball == Ball::CUE);
    let Some((_, place, velocity, spin)) = cue_ball else {
        return;
    };
    // A ball in the air is on no way along the bed, but its way is counted as seen from above.
    let at = table.lying(place.translation.xz());
    if let Some((last, _)) = account.last {
        account.way += last.distance(at);
    }
    account.last = Some((at, Motion::of(velocity, spin)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_that_rolls_has_a_roll_of_one() {
        let radius = 0.03;
        for velocity in [Vec2::new(1.0, 0.0), Vec2::new(-0.3, 2.0)] {
            let way = Vec3::new(velocity.x, 0.0, velocity.y);
            let spin = Vec3::Y.cross(way) / radius;
            let rolls = Motion { velocity, spin };
            assert!((rolls.roll(radius) - 1.0).abs() < 1e-6);
            let draws = Motion {
                velocity,
                spin: -0.5 * spin,
            };
            assert!((draws.roll(radius) + 0.5).abs() < 1e-6);
        }
    }
}
