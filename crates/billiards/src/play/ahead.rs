//! The game played ahead: the same table, physics and rules in a world of its own, without a window, to see the result of a shot.

use std::time::Duration;

use bevy::{app::ScheduleRunnerPlugin, prelude::*};
use bevy_impulse_collide::prelude::*;
use bevy_impulse_worlds::SubWorld;
use scene_kit::{frames::let_frames_pass, headless};

use super::{
    blow::Blow,
    game::GamePlugin,
    history::History,
    matches::Match,
    record::Recorder,
    snapshot::{Lying, Snapshot},
    state::{Game, Phase, Shot, phase_is},
};
use crate::{
    rules::{Ball, Ruling, ShotRecord},
    table::bed::Table,
};

/// Fixed steps between two looks at the game.
const STEPS_AT_ONCE: u32 = 8;
/// Seconds of the game after which a shot is given up.
const LONGEST: f32 = 30.0;

/// A game to try shots in. It may be sent to another thread.
pub struct Ahead(SubWorld);

/// The physics that shots are tried with.
#[derive(Clone, Debug)]
pub struct Laws {
    config: CollisionConfig,
    gravity: Gravity,
    step: Duration,
}

impl Laws {
    /// Strength of gravity in m/s².
    pub fn g(&self) -> f32 {
        self.gravity.0.length()
    }

    /// The setting of `world`.
    pub fn of(world: &World) -> Self {
        Self {
            config: world.resource::<CollisionConfig>().clone(),
            gravity: *world.resource::<Gravity>(),
            step: world.resource::<Time<Fixed>>().timestep(),
        }
    }
}

/// Until when a shot is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// All balls lie still.
    Rest,
    /// The cue ball has met a ball.
    FirstHit,
}

/// The way of a ball.
#[derive(Clone, Debug)]
pub struct Track {
    /// Which.
    pub ball: Ball,
    /// Its centre before the shot and after each step of the physics, while it was on the table.
    pub points: Vec<Vec3>,
}

impl Track {
    fn start(lying: &Lying) -> Self {
        Self {
            ball: lying.ball,
            points: vec![lying.at.into()],
        }
    }
}

/// The result of a shot.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The game after it.
    pub after: Snapshot,
    /// The events of the shot.
    pub record: ShotRecord,
    /// The ruling, if there are rules.
    pub ruling: Option<Ruling>,
    /// The ways of the balls.
    pub tracks: Vec<Track>,
    /// Index of the point at which the cue ball had met the first ball, and that ball's velocity then, in m/s.
    pub departure: Option<(usize, Vec3)>,
}

/// The ways of the balls in the shot that is tried.
#[derive(Resource, Default)]
struct Tracks {
    of: Vec<Track>,
    /// Points that a ball on the table has by now.
    steps: usize,
    departure: Option<(usize, Vec3)>,
}

impl Ahead {
    /// A game on such a table.
    pub fn new(table: &Table, laws: &Laws) -> Self {
        let mut app = App::new();
        app.add_plugins((
            MinimalPlugins.build().disable::<ScheduleRunnerPlugin>(),
            ImpulseCollidePlugin { interpolate: false },
            GamePlugin {
                table: table.clone(),
                rack: default(),
                template: false,
            },
        ))
        .insert_resource(Time::<Fixed>::from_duration(laws.step))
        .init_resource::<Tracks>()
        .add_systems(FixedLast, note_tracks.run_if(phase_is(Phase::Roll)));
        headless::start(&mut app);
        Self(SubWorld::from_app(app))
    }

    /// Whether it is on such a table.
    pub fn is_on(&self, table: &Table) -> bool {
        self.0.world().resource::<Table>().spec == table.spec
    }

    /// Plays one shot; none if the rules do not wait for one or the tip slips off.
    pub async fn play(
        &mut self,
        laws: &Laws,
        before: &Snapshot,
        blow: Blow,
        until: Until,
    ) -> Option<Outcome> {
        self.set_up(laws, before);
        self.0.world_mut().write_message(Shot(blow));
        let most = LONGEST / laws.step.as_secs_f32() / STEPS_AT_ONCE as f32;
        for _ in 0..most as u32 {
            self.0.step(STEPS_AT_ONCE);
            let world = self.0.world();
            // The shot was not made if nothing remembers it.
            world.resource::<History>().last()?;
            let met = world.resource::<Tracks>().departure.is_some();
            let done = world.resource::<Game>().phase == Phase::Aim;
            if done || (until == Until::FirstHit && met) {
                break;
            }
            let_frames_pass().await;
        }
        let world = self.0.world_mut();
        let tracks = std::mem::take(&mut *world.resource_mut::<Tracks>());
        Some(Outcome {
            after: Snapshot::take(world),
            record: world.resource::<Recorder>().record.clone(),
            ruling: world.resource_mut::<Match>().ruling.take(),
            tracks: tracks.of,
            departure: tracks.departure,
        })
    }

    fn set_up(&mut self, laws: &Laws, before: &Snapshot) {
        let world = self.0.world_mut();
        if *world.resource::<CollisionConfig>() != laws.config {
            world.insert_resource(laws.config.clone());
        }
        world.insert_resource(laws.gravity);
        world.insert_resource(History::default());
        world.insert_resource(Tracks {
            of: before.lying.iter().map(Track::start).collect(),
            steps: 1,
            departure: None,
        });
        before.put(world);
    }
}

fn note_tracks(
    mut tracks: ResMut<Tracks>,
    recorder: Res<Recorder>,
    balls: Query<(&Ball, &Transform, &LinearVelocity), With<Particle>>,
) {
    let tracks = &mut *tracks;
    for (ball, place, velocity) in &balls {
        let at = place.translation;
        if let Some(track) = tracks.of.iter_mut().find(|track| track.ball == *ball) {
            track.points.push(at);
        }
        if tracks.departure.is_none() && recorder.record.first_hit == Some(*ball) {
            tracks.departure = Some((tracks.steps, velocity.0));
        }
    }
    tracks.steps += 1;
}
