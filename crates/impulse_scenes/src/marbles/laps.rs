//! The runs of the marbles: how far each came, how long it took, and into which bin of the board it fell.

use std::collections::VecDeque;

use bevy::prelude::*;

use super::{
    course::{Board, MARBLE, Station, TRAY_RADIUS},
    lift,
    marble::Marble,
    walk::{Walk, Walks},
};

/// Height in m under which a run ends: under the board, over all marbles in the tray.
const FINISH: f32 = 0.19;
/// Seconds without moving after which a marble on the run is stuck.
const PATIENCE: f32 = 10.0;

/// A marble on its way from the lift to the tray.
#[derive(Component, Clone, Copy, Debug, Default)]
pub(super) struct Run {
    /// Since the lift, in s.
    pub seconds: f32,
    /// Stations that it has passed.
    pub passed: usize,
    /// Where it was at the last step.
    before: Option<Vec3>,
    walk: Walk,
    /// Where it was when it last moved by a radius, and since when, in s.
    rest: Vec3,
    resting: f32,
}

/// What all runs came to.
#[derive(Resource, Clone, Debug, Default)]
pub(super) struct Record {
    /// Runs past all stations.
    pub laps: u32,
    /// The sum of their times in s.
    seconds: f64,
    /// The fastest marble's number and its time in s.
    pub best: Option<(Marble, f32)>,
    /// The last ones, newest first.
    pub latest: VecDeque<(Marble, f32)>,
    /// Marbles that fell off before each of the stations.
    pub fell: [u32; Station::ALL.len()],
    /// Marbles that stayed somewhere on the run, and were put into the lift.
    pub stuck: u32,
    /// Marbles that left the run and its tray. They were put into the lift.
    pub lost: u32,
    /// Down the board.
    pub walks: Walks,
}

impl Record {
    /// Most laps that `latest` holds.
    const LATEST: usize = 5;

    /// Mean time of a lap in s.
    pub fn mean_seconds(&self) -> Option<f64> {
        (self.laps > 0).then(|| self.seconds / f64::from(self.laps))
    }

    fn add_lap(&mut self, marble: Marble, seconds: f32) {
        self.laps += 1;
        self.seconds += f64::from(seconds);
        if self.best.is_none_or(|(_, best)| seconds < best) {
            self.best = Some((marble, seconds));
        }
        self.latest.push_front((marble, seconds));
        self.latest.truncate(Self::LATEST);
    }
}

/// Follows every marble on its run: looks where the last step has brought it.
pub(super) fn follow_runs(
    mut commands: Commands,
    mut record: ResMut<Record>,
    mut running: Query<(Entity, &Marble, &Transform, &mut Run)>,
    (gates, board): (Local<Gates>, Local<Board>),
    time: Res<Time>,
) {
    for (entity, &marble, transform, mut run) in &mut running {
        let x = transform.translation;
        run.seconds += time.delta_secs();
        let before = run.before.replace(x).unwrap_or(x);
        while gates.are_passed(run.passed, before, x) {
            run.passed += 1;
        }
        if run.walk.go_on(&board, before, x) {
            record.walks.add(&run.walk);
        }
        if x.y < FINISH {
            match record.fell.get_mut(run.passed) {
                Some(fell) => *fell += 1,
                None => record.add_lap(marble, run.seconds),
            }
            commands.entity(entity).remove::<Run>();
            continue;
        }
        if x.distance(run.rest) > MARBLE {
            (run.rest, run.resting) = (x, run.seconds);
        } else if run.seconds - run.resting > PATIENCE {
            record.stuck += 1;
            lift::enter(&mut commands.entity(entity));
        }
    }
}

/// Puts marbles that are outside of the tray into the lift.
pub(super) fn bring_back(
    mut commands: Commands,
    mut record: ResMut<Record>,
    marbles: Query<(Entity, &Transform), (With<Marble>, Without<lift::Lifted>)>,
) {
    for (entity, transform) in &marbles {
        let x = transform.translation;
        if x.y < -0.1 || x.xz().length() > TRAY_RADIUS + 0.03 {
            record.lost += 1;
            lift::enter(&mut commands.entity(entity));
        }
    }
}

/// The gates of all stations: the middle and the half edges of each.
pub(super) struct Gates([(Vec3, Vec3); Station::ALL.len()]);

impl Default for Gates {
    fn default() -> Self {
        Self(Station::ALL.map(Station::gate))
    }
}

impl Gates {
    /// Whether the way of a step, from one point to another, leads through the gate of a station.
    fn are_passed(&self, station: usize, from: Vec3, to: Vec3) -> bool {
        let Some(&(middle, half)) = self.0.get(station) else {
            return false;
        };
        let way = to - from;
        // The parts of the way at which it enters and leaves the two planes of each direction. Where it runs along them, 0/0 is NaN,
        // and `max` and `min` skip it.
        let sides = [-half, half].map(|side| (middle + side - from) / way);
        let enter = sides[0].min(sides[1]).max_element();
        let leave = sides[0].max(sides[1]).min_element();
        enter.max(0.0) <= leave.min(1.0)
    }
}
