//! The cue: its direction, its aim point on the ball, how far it is drawn back, and its way to the ball. The hands that hold it are
//! in other files: a player's ([`hands`](crate::player::hands)) or the computer's ([`opponent`](crate::opponent)).

use bevy::prelude::*;

use super::{
    blow::{Blow, MISCUE},
    matches::Match,
    snapshot::{Present, Snapshot},
    state::{Game, Phase, Shot},
};
use crate::{
    rules::Ball,
    table::{bed::Table, cushion::RAIL_HEIGHT},
};

/// How far the cue can be pulled back, in metres.
pub const LONGEST_PULL: f32 = 0.45;
/// A shorter pull, in metres, is no shot.
const SHORTEST_PULL: f32 = 0.01;
/// Speed in m/s of a ball shot from there, hit squarely.
pub const FASTEST_SHOT: f32 = 10.0;
/// Just inside the limit of a miscue, even after rounding.
pub const LARGEST_OFFSET: f32 = 0.999 * MISCUE;
/// How far the butt can be raised, in radians.
pub const STEEPEST: f32 = 1.4;
/// Even on the open bed the butt is a little higher than the tip, in radians.
const FLATTEST: f32 = 0.04;
/// Between the rail and the middle of the cue over it, in metres.
const OVER_RAIL: f32 = 0.02;
/// Between a ball and the middle of the cue over it, in metres: half the thickness near the tip, and some air.
const OVER_BALL: f32 = 0.009;
/// How much thicker half of the cue is for each metre from the tip.
const TAPER: f32 = 0.006;
/// Length of the cue in metres.
const LENGTH: f32 = 1.47;
/// A pull of about 3 m/s, for which the path is shown before the player has pulled.
const USUAL_PULL: f32 = 0.25;
/// After a harder pull than this, of 4 m/s, the path is shown for this one: nobody breaks twice in a row.
const HARD_PULL: f32 = 0.285;

/// The present action of the cue.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Stroke {
    /// It is aimed.
    #[default]
    Aim,
    /// It is drawn back; the aim stays.
    Pull {
        /// Point of the bed where the button went down.
        grip: Vec2,
        /// How far the tip is drawn back, in metres.
        back: f32,
    },
    /// Let go: the tip is on its way to the ball.
    Strike {
        /// How far it was drawn back.
        back: f32,
        /// How far it still has to go.
        left: f32,
    },
    /// The ball is hit.
    Done,
}

impl Stroke {
    /// A pull that begins, by a hand that points at nothing.
    pub const BEGUN: Self = Self::Pull {
        grip: Vec2::ZERO,
        back: 0.0,
    };

    /// The cue is let go when it is drawn `back` metres: it strikes, or after a pull that is no shot it is aimed again.
    pub fn let_go(back: f32) -> Self {
        match Self::is_shot(back) {
            true => Self::Strike { back, left: back },
            false => Self::Aim,
        }
    }

    /// Whether a pull of `back` metres is long enough for a shot.
    pub fn is_shot(back: f32) -> bool {
        back > SHORTEST_PULL
    }
}

/// The cue in someone's hands.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub struct Cue {
    /// Where it points: a unit vector on the bed.
    pub direction: Vec2,
    /// Where its tip meets the ball: right and up from the centre, in ball radii.
    pub tip: Vec2,
    /// How far the player raises its butt, in radians.
    pub raised: f32,
    /// Its present action.
    pub stroke: Stroke,
    /// The player's last pull in metres, for which the path is shown until the next one.
    pub usual: f32,
}

impl Default for Cue {
    fn default() -> Self {
        Self {
            direction: Vec2::X,
            tip: Vec2::ZERO,
            raised: 0.0,
            stroke: Stroke::Aim,
            usual: USUAL_PULL,
        }
    }
}

impl Cue {
    /// Turns it about the cue ball, counter-clockwise as seen with x to the right and z up, by `angle` in radians.
    pub fn turn(&mut self, angle: f32) {
        self.direction = Vec2::from_angle(angle).rotate(self.direction).normalize();
    }

    /// Speed in m/s of a shot pulled `back` metres. It grows with the square, so that soft shots are easy to measure out.
    pub fn speed(back: f32) -> f32 {
        FASTEST_SHOT * (back / LONGEST_PULL).powi(2)
    }

    /// How far to pull for a shot of `speed` m/s.
    pub fn pull_for(speed: f32) -> f32 {
        LONGEST_PULL * (speed / FASTEST_SHOT).clamp(0.0, 1.0).sqrt()
    }

    /// How far it is drawn back, or was before the last shot.
    pub fn pull(&self) -> f32 {
        match self.stroke {
            Stroke::Pull { back, .. } | Stroke::Strike { back, .. } if back > 0.0 => back,
            _ => self.usual,
        }
    }

    /// How far the butt is raised for a ball at `at`, in radians: the player's angle, but at least the angle at which it passes
    /// over the rail behind that ball, and over the `others` on the bed.
    pub fn elevation(
        &self,
        at: Vec2,
        others: impl IntoIterator<Item = Vec2>,
        table: &Table,
    ) -> f32 {
        let spec = table.spec;
        let to_rail = (spec.half + at * self.direction.signum()) / self.direction.abs();
        let over = RAIL_HEIGHT + OVER_RAIL - spec.ball.radius;
        let least = (over / to_rail.min_element().max(spec.ball.radius)).atan();
        let over_balls = others
            .into_iter()
            .map(|other| self.elevation_over(other - at, spec.ball.radius));
        let least = over_balls.fold(least, f32::max);
        self.raised.max(least).clamp(FLATTEST, STEEPEST)
    }

    /// The angle in radians at which it passes over a ball with its centre `from` the cue ball's; 0 if it passes it by.
    ///
    /// In the upright plane of the cue, the ball and the air about it are a circle of the radius ρ = √(R² − b²), at the distance s
    /// behind the cue ball: R is from the ball's centre to the cue's middle, b the ball's distance from the plane. The middle of a
    /// cue with the angle θ passes s·sin θ above the centre, and the tip's height above that of the cue ball.
    fn elevation_over(&self, from: Vec2, radius: f32) -> f32 {
        let behind = -from.dot(self.direction);
        let aside = from.dot(self.direction.perp()) - self.tip.x * radius;
        let reach = radius + OVER_BALL + TAPER * behind;
        let circle = reach * reach - aside * aside;
        if behind <= 0.0 || behind > LENGTH || circle <= 0.0 {
            return 0.0;
        }
        let over = circle.sqrt() - self.tip.y * radius;
        (over / behind).clamp(0.0, 1.0).asin()
    }

    /// The blow that a pull of `back` metres gives a ball at `at`, with the `others` on the bed.
    pub fn blow(
        &self,
        at: Vec2,
        others: impl IntoIterator<Item = Vec2>,
        table: &Table,
        back: f32,
    ) -> Blow {
        let spec = table.spec;
        Blow {
            elevation: self.elevation(at, others, table),
            tip: self.tip,
            ..Blow::centered(&spec.cue, &spec.ball, self.direction, Self::speed(back))
        }
    }

    /// The blow that a pull of `back` metres gives the cue ball of a game; none if it has none.
    pub fn blow_in(&self, game: &Snapshot, table: &Table, back: f32) -> Option<Blow> {
        let at = game.place(Ball::CUE)?;
        let others = game.object_balls().into_iter().map(|(_, at)| at);
        Some(self.blow(at, others, table, back))
    }
}

/// Lets someone use the cue.
pub(crate) struct CuePlugin;

/// The cue moves on its own in this set, in [`Update`], after hands have moved it.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoveCue;

impl Plugin for CuePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Cue>().add_systems(
            Update,
            (
                put_away.run_if(|game: Res<Game>| game.phase != Phase::Aim),
                strike.run_if(|game: Res<Game>| game.phase == Phase::Aim),
            )
                .chain()
                .in_set(MoveCue),
        );
    }
}

fn strike(
    mut cue: ResMut<Cue>,
    mut shots: MessageWriter<Shot>,
    present: Res<Present>,
    table: Res<Table>,
    on: Res<Match>,
    time: Res<Time>,
) {
    let Stroke::Strike { back, left } = cue.stroke else {
        return;
    };
    if !on.may_shoot() {
        cue.stroke = Stroke::Aim;
        return;
    }
    // The cue speeds up on its way, so on average it is half as fast as in the end.
    let left = left - (Cue::speed(back) / 2.0).max(1.0) * time.delta_secs();
    if left > 0.0 {
        cue.stroke = Stroke::Strike { back, left };
        return;
    }
    cue.stroke = Stroke::Done;
    if on.is_human_turn() {
        cue.usual = back.min(HARD_PULL);
    }
    let blow = (present.0.as_ref()).and_then(|game| cue.blow_in(game, &table, back));
    shots.write_batch(blow.map(Shot));
}

/// After a shot, only the cue's direction and pull are kept for the next shot.
fn put_away(mut cue: ResMut<Cue>) {
    let fresh = Cue {
        direction: cue.direction,
        usual: cue.usual,
        ..default()
    };
    cue.set_if_neq(fresh);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::table::{bed::above, spec::POOL_9};

    /// Half of the thickness of the cue at its tip, in metres.
    const TIP: f32 = 0.0055;

    /// How near the middle of the cue comes to a ball's centre.
    fn distance(cue: &Cue, at: Vec2, elevation: f32, other: Vec2, radius: f32) -> f32 {
        let forward = above(cue.direction * elevation.cos(), -elevation.sin());
        let right = above(cue.direction.perp(), 0.0);
        let up = right.cross(forward);
        let start = above(at, radius) + radius * (cue.tip.x * right + cue.tip.y * up);
        let way = above(other, radius) - start;
        let behind = way.dot(-forward).clamp(0.0, LENGTH);
        (start - forward * behind).distance(above(other, radius))
    }

    proptest! {
        #[test]
        fn the_cue_goes_through_no_ball(
            aim in 0.0..6.2f32,
            tip in (-0.45..0.45f32, -0.45..0.45f32),
            places in prop::collection::vec((0.0..6.2f32, 1.0..12.0f32), 1..9),
        ) {
            let table = Table::new(&POOL_9);
            let radius = table.spec.ball.radius;
            let cue = Cue {
                direction: Vec2::from_angle(aim),
                tip: tip.into(),
                ..default()
            };
            let place = |&(angle, away): &(f32, f32)| {
                2.0 * radius * away * Vec2::from_angle(angle)
            };
            let others: Vec<Vec2> = places.iter().map(place).collect();
            let elevation = cue.elevation(Vec2::ZERO, others.iter().copied(), &table);
            // Over a ball that is as near as can be, no angle may be steep enough.
            prop_assume!(elevation < STEEPEST);
            for other in others {
                let distance = distance(&cue, Vec2::ZERO, elevation, other, radius);
                prop_assert!(distance > radius + TIP, "{} of {}", distance, radius + TIP);
            }
        }
    }

    #[test]
    fn over_a_frozen_ball_the_cue_is_steep_and_on_the_open_bed_flat() {
        let table = Table::new(&POOL_9);
        let behind = Vec2::NEG_X * 2.0 * table.spec.ball.radius;
        let over =
            |others: &[Vec2]| Cue::default().elevation(Vec2::ZERO, others.iter().copied(), &table);
        assert_eq!(over(&[]), FLATTEST);
        assert_eq!(over(&[-behind]), FLATTEST);
        assert_eq!(over(&[behind * Vec2::splat(30.0)]), FLATTEST);
        let steep = over(&[behind]);
        assert!((0.6..0.9).contains(&steep), "{steep}");
        assert!(over(&[3.0 * behind]) < 0.5 * steep);
    }
}
