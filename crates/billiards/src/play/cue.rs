//! The cue: its direction, its aim point on the ball, how far it is drawn back, and its way to the ball. The hands that hold it are
//! in other files: a player's ([`hands`](crate::player::hands)) or the computer's ([`opponent`](crate::opponent)).

use bevy::prelude::*;

use super::{
    blow::{Blow, MISCUE},
    matches::Match,
    snapshot::Present,
    state::{Game, Phase, Shot},
};
use crate::{
    rules::Ball,
    table::{bed::Table, cushion::RAIL_HEIGHT},
};

/// How far the cue can be pulled back, in metres.
pub const LONGEST_PULL: f32 = 0.45;
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
    /// over the rail behind that ball.
    pub fn elevation(&self, at: Vec2, table: &Table) -> f32 {
        let spec = table.spec;
        let to_rail = (spec.half + at * self.direction.signum()) / self.direction.abs();
        let over = RAIL_HEIGHT + OVER_RAIL - spec.ball.radius;
        let least = (over / to_rail.min_element().max(spec.ball.radius)).atan();
        self.raised.max(least).clamp(FLATTEST, STEEPEST)
    }

    /// The blow that a pull of `back` metres gives a ball at `at`.
    pub fn blow(&self, at: Vec2, table: &Table, back: f32) -> Blow {
        let spec = table.spec;
        Blow {
            elevation: self.elevation(at, table),
            tip: self.tip,
            ..Blow::centered(&spec.cue, &spec.ball, self.direction, Self::speed(back))
        }
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
    if let Some(at) = present.0.as_ref().and_then(|game| game.place(Ball::CUE)) {
        shots.write(Shot(cue.blow(at, &table, back)));
    }
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
