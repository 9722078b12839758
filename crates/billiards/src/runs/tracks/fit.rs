//! Finds the strokes behind tracked shots, and the constants of their table.
//!
//! A stroke is found by least squares (Levenberg and Marquardt). A shot over many cushions has many local optima, so the search
//! begins with many strokes and the first half second, and lets few go on to longer parts of the shot.

use std::{
    f64::consts::FRAC_PI_2,
    sync::atomic::{AtomicUsize, Ordering},
};

use bevy::math::DVec2;
use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt};
use nalgebra::{DVector, Dyn, OMatrix, Owned, SVector, U6};

use super::{
    file::{Samples, TrackedShot},
    stroke::{COUNT, Stroke},
};
use crate::{
    plan::closed_form::{Ball, ClosedForm, Ways},
    table::spec::TableSpec,
};

/// Gravity in m/s².
pub const G: f64 = 9.81;
/// The search sees the shot until these times in s after the stroke, one after the other, and then all of it.
const HORIZONS: [f64; 5] = [0.5, 1.6, 2.8, 4.5, 7.0];
/// So many strokes begin, and so many go on after each horizon.
const BEGIN: usize = 90;
const GO_ON: [usize; HORIZONS.len()] = [24, 14, 8, 6, 4];
/// Offsets of the tip that are tried: from −0.42 to 0.42 ball radii.
const TIPS: std::ops::RangeInclusive<i32> = -3..=3;
const TIP_STEP: f64 = 0.14;
/// Elevations that are tried.
const ELEVATIONS: [f64; 2] = [0.05, 0.2];
/// The cue ball's first samples say little of its direction if another ball is nearer than this, in m.
const NEAR: f64 = 0.3;
/// Step of the derivatives, in the units of a stroke's numbers.
const DIFFERENCE: f64 = 0.05;
/// Residual in m for a stroke that is impossible by one unit.
const IMPOSSIBLE: f64 = 5.0;

/// A tracked shot, ready for the search.
#[derive(Clone, Debug)]
pub struct Target {
    /// Number of the shot.
    pub id: u64,
    /// Names of the balls.
    pub names: Vec<String>,
    /// Which of them is the cue ball.
    pub cue_ball: usize,
    /// Time of the last sample.
    pub end: f64,
    tracks: Vec<Vec<(f64, DVec2)>>,
    /// Direction and speed of the cue ball's first samples, and about when it was struck.
    first: (f64, f64, f64),
}

/// A stroke, and its error over the whole shot: the root of the mean square over all samples, in m.
#[derive(Clone, Copy, Debug)]
pub struct Fitted {
    /// The stroke.
    pub stroke: Stroke,
    /// The error in m.
    pub rmse: f64,
}

/// The file's axes on the bed of a world.
fn to_bed(at: DVec2) -> DVec2 {
    DVec2::new(at.x, -at.y)
}

impl Target {
    /// From a shot of a file; none if no ball moves.
    pub fn new(shot: &TrackedShot) -> Option<Self> {
        let (name, leaves) = shot.cue_ball()?;
        let cue_ball = shot.balls.keys().position(|other| other == name)?;
        let samples = &shot.balls[name];
        Some(Self {
            id: shot.id,
            names: shot.balls.keys().cloned().collect(),
            cue_ball,
            end: shot.end(),
            tracks: shot.balls.values().map(track).collect(),
            first: first_motion(samples, leaves),
        })
    }

    /// Where the balls lie on the bed before the shot.
    pub fn places(&self) -> impl Iterator<Item = DVec2> {
        self.tracks.iter().map(|track| track[0].1)
    }

    /// Errors of the ways of the balls until `horizon`, one after another; the ways begin at `begin`.
    pub fn errors(&self, ways: &Ways, begin: f64, horizon: f64) -> Vec<DVec2> {
        let seen = |track: &&(f64, DVec2)| track.0 <= horizon;
        let of_ball = |(i, track): (usize, &Vec<(f64, DVec2)>)| {
            let errors = track.iter().take_while(seen);
            errors
                .map(|(t, at)| ways.at(i, t - begin) - *at)
                .collect::<Vec<_>>()
        };
        self.tracks.iter().enumerate().flat_map(of_ball).collect()
    }

    /// The errors ball by ball: the root of the mean square, in m.
    pub fn rmse_of_balls(&self, ways: &Ways, begin: f64) -> Vec<f64> {
        let of_ball = |(i, track): (usize, &Vec<(f64, DVec2)>)| {
            let squares = track
                .iter()
                .map(|(t, at)| (ways.at(i, t - begin) - *at).length_squared());
            (squares.sum::<f64>() / track.len() as f64).sqrt()
        };
        self.tracks.iter().enumerate().map(of_ball).collect()
    }
}

/// Root of the mean square.
pub fn rms(errors: &[DVec2]) -> f64 {
    let squares: f64 = errors.iter().map(|error| error.length_squared()).sum();
    (squares / errors.len() as f64).sqrt()
}

fn track(samples: &Samples) -> Vec<(f64, DVec2)> {
    let times = samples.t.iter().copied().enumerate();
    times.map(|(i, t)| (t, to_bed(samples.at(i)))).collect()
}

fn first_motion(samples: &Samples, leaves: usize) -> (f64, f64, f64) {
    let last = (leaves + 3).min(samples.t.len() - 1);
    let (from, to) = if last > leaves {
        (leaves, last)
    } else {
        (0, leaves)
    };
    let way = samples.at(to) - samples.at(from);
    let speed = way.length() / (samples.t[to] - samples.t[from]);
    let gone = samples.at(leaves).distance(samples.at(0));
    let struck = samples.t[leaves] - gone / speed.max(0.05);
    (way.y.atan2(way.x), speed, struck)
}

/// A search for strokes with given laws.
#[derive(Debug)]
pub struct Search {
    table: TableSpec,
    laws: ClosedForm,
    played: AtomicUsize,
}

impl Search {
    /// On a table without pockets.
    pub fn new(table: TableSpec) -> Self {
        Self {
            laws: ClosedForm::new(&table, G),
            played: AtomicUsize::new(0),
            table,
        }
    }

    /// Number of shots that it has played.
    pub fn played(&self) -> usize {
        self.played.load(Ordering::Relaxed)
    }

    /// The ways of all balls after a stroke, for `seconds`.
    pub fn play(&self, target: &Target, stroke: Stroke, seconds: f64) -> Ways {
        let stroke = stroke.possible();
        let mut balls: Vec<Ball> = target.places().map(|at| self.laws.lying(at)).collect();
        let cue_ball = &mut balls[target.cue_ball];
        *cue_ball = stroke.strike(&self.table, DVec2::new(cue_ball.x.x, cue_ball.x.z));
        if cue_ball.v.y < 0.0 {
            self.laws.land(cue_ball);
        }
        self.played.fetch_add(1, Ordering::Relaxed);
        self.laws.play(&balls, seconds)
    }

    /// The stroke behind `target`, without a hint.
    pub fn find(&self, target: &Target) -> Fitted {
        let begin = target.first.2;
        let mut strokes: Vec<Fitted> = self
            .first_strokes(target)
            .into_iter()
            .map(|stroke| self.measure(target, stroke, begin + HORIZONS[0]))
            .collect();
        keep_best(&mut strokes, BEGIN);
        for (horizon, go_on) in HORIZONS.into_iter().zip(GO_ON) {
            for fitted in &mut strokes {
                *fitted = self.improve(target, fitted.stroke, begin + horizon, 8);
            }
            keep_best(&mut strokes, go_on);
        }
        for fitted in &mut strokes {
            *fitted = self.improve(target, fitted.stroke, f64::INFINITY, 30);
        }
        keep_best(&mut strokes, 1);
        self.shake(target, strokes[0])
    }

    /// A stroke near `from` with a smaller error over the whole shot.
    pub fn refine(&self, target: &Target, from: Stroke, patience: usize) -> Fitted {
        self.improve(target, from, f64::INFINITY, patience)
    }

    /// All errors of a stroke over the whole shot as numbers, in m. The last one is that of an impossible stroke.
    pub fn residuals(&self, target: &Target, stroke: Stroke) -> DVector<f64> {
        let play = |stroke, seconds| self.play(target, stroke, seconds);
        residuals(&play, target, stroke, f64::INFINITY)
    }

    /// Tries to leave a local optimum.
    fn shake(&self, target: &Target, mut best: Fitted) -> Fitted {
        for size in [1.5, 0.5] {
            for k in 0..COUNT {
                for by in [-size, size] {
                    let mut change = [0.0; COUNT];
                    change[k] = by;
                    let from = best.stroke.changed(&change);
                    let other = self.improve(target, from, f64::INFINITY, 6);
                    if other.rmse < best.rmse {
                        best = other;
                    }
                }
            }
        }
        self.improve(target, best.stroke, f64::INFINITY, 30)
    }

    fn measure(&self, target: &Target, stroke: Stroke, horizon: f64) -> Fitted {
        measure(
            &|stroke, seconds| self.play(target, stroke, seconds),
            target,
            stroke,
            horizon,
        )
    }

    fn improve(&self, target: &Target, from: Stroke, horizon: f64, patience: usize) -> Fitted {
        let play = |stroke, seconds| self.play(target, stroke, seconds);
        improve(&play, target, from, horizon, patience)
    }

    /// Strokes to begin with.
    fn first_strokes(&self, target: &Target) -> Vec<Stroke> {
        let (direction, speed, time) = target.first;
        let mut motions = vec![(direction, speed)];
        let places: Vec<DVec2> = target.places().collect();
        for (i, place) in places.iter().enumerate() {
            let apart = to_bed(*place - places[target.cue_ball]);
            let distance = apart.length();
            if i != target.cue_ball && distance < NEAR {
                let width = f64::from(2.0 * self.table.ball.radius) / distance;
                let width = if width < 1.0 { width.asin() } else { FRAC_PI_2 };
                let middle = apart.y.atan2(apart.x);
                for part in -9..=9 {
                    let direction = middle + width * f64::from(part) / 9.5;
                    motions.extend([1.0, 1.5, 2.2].map(|faster| (direction, speed * faster)));
                }
            }
        }
        let mut strokes = Vec::new();
        for (direction, speed) in motions {
            for tip in TIPS.flat_map(|i| TIPS.map(move |j| [i, j])) {
                let tip = tip.map(|i| TIP_STEP * f64::from(i));
                for elevation in ELEVATIONS {
                    let mut stroke = Stroke::of_ball(&self.table, direction, speed, tip, time);
                    stroke.elevation = elevation;
                    if stroke.excess() == 0.0 {
                        strokes.push(stroke);
                    }
                }
            }
        }
        strokes
    }
}

/// Keeps the best strokes that are not nearly the same.
fn keep_best(strokes: &mut Vec<Fitted>, count: usize) {
    strokes.sort_by(|a, b| a.rmse.total_cmp(&b.rmse));
    let mut kept: Vec<Fitted> = Vec::new();
    for fitted in strokes.iter() {
        if kept.len() < count && !kept.iter().any(|k| k.stroke.is_near(fitted.stroke)) {
            kept.push(*fitted);
        }
    }
    *strokes = kept;
}

/// Plays a stroke for some seconds.
pub type Play<'a> = dyn Fn(Stroke, f64) -> Ways + 'a;

/// The error of a stroke, until `horizon`. A stroke that is impossible has a greater error than the nearest possible one.
fn measure(play: &Play, target: &Target, stroke: Stroke, horizon: f64) -> Fitted {
    let ways = play(stroke, horizon.min(target.end) - stroke.time);
    Fitted {
        stroke,
        rmse: rms(&target.errors(&ways, stroke.time, horizon)) + stroke.excess(),
    }
}

/// A stroke near `from` with a smaller error until `horizon`, or `from`.
pub fn improve(
    play: &Play,
    target: &Target,
    from: Stroke,
    horizon: f64,
    patience: usize,
) -> Fitted {
    let problem = Problem {
        play,
        target,
        from,
        horizon,
        changed: SVector::zeros(),
    };
    let (problem, _) = LevenbergMarquardt::new()
        .with_ftol(1e-5)
        .with_xtol(1e-6)
        .with_stepbound(1.0)
        .with_patience(patience)
        .minimize(problem);
    let [before, found] =
        [from, problem.stroke()].map(|stroke| measure(play, target, stroke, horizon));
    if found.rmse < before.rmse {
        found
    } else {
        before
    }
}

struct Problem<'a> {
    play: &'a Play<'a>,
    target: &'a Target,
    from: Stroke,
    horizon: f64,
    changed: SVector<f64, COUNT>,
}

impl Problem<'_> {
    fn stroke(&self) -> Stroke {
        self.from.changed(self.changed.as_slice())
    }

    fn errors(&self, stroke: Stroke) -> DVector<f64> {
        residuals(self.play, self.target, stroke, self.horizon)
    }
}

/// Changes of the `errors`, which are `here` at `stroke`, by each number of the stroke, from steps of `difference` units.
pub fn slopes(
    errors: impl Fn(Stroke) -> DVector<f64>,
    stroke: Stroke,
    here: &DVector<f64>,
    difference: f64,
) -> [DVector<f64>; COUNT] {
    std::array::from_fn(|k| {
        let mut change = [0.0; COUNT];
        change[k] = difference;
        (errors(stroke.changed(&change)) - here) / difference
    })
}

fn residuals(play: &Play, target: &Target, stroke: Stroke, horizon: f64) -> DVector<f64> {
    let ways = play(stroke, horizon.min(target.end) - stroke.time);
    let errors = target.errors(&ways, stroke.time, horizon);
    let count = 2 * errors.len();
    let numbers = errors.into_iter().flat_map(|error| error.to_array());
    let impossible = IMPOSSIBLE * stroke.excess();
    DVector::from_iterator(count + 1, numbers.chain([impossible]))
}

impl LeastSquaresProblem<f64, Dyn, U6> for Problem<'_> {
    type ParameterStorage = Owned<f64, U6>;
    type ResidualStorage = Owned<f64, Dyn>;
    type JacobianStorage = Owned<f64, Dyn, U6>;

    fn set_params(&mut self, changed: &SVector<f64, COUNT>) {
        self.changed = *changed;
    }

    fn params(&self) -> SVector<f64, COUNT> {
        self.changed
    }

    fn residuals(&self) -> Option<DVector<f64>> {
        Some(self.errors(self.stroke()))
    }

    fn jacobian(&self) -> Option<OMatrix<f64, Dyn, U6>> {
        let stroke = self.stroke();
        let here = self.errors(stroke);
        let columns = slopes(|stroke| self.errors(stroke), stroke, &here, DIFFERENCE);
        Some(OMatrix::<f64, Dyn, U6>::from_columns(&columns))
    }
}
