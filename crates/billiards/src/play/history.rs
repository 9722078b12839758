//! Shots taken back, and the last shot shown once more, slowly.

use bevy::prelude::*;
use scene_kit::app::steps_now;

use super::{
    blow::Blow,
    matches::{Match, Seat},
    rest::all_lie_still,
    snapshot::Snapshot,
    state::{Game, Heed, Phase, phase_is},
    strike::strike,
};

/// Shots that can be taken back.
const LONGEST: usize = 100;
/// How fast a replay runs, over real time.
const SLOW: f32 = 0.25;

/// Shots of this frame, and the state before each.
#[derive(Resource, Clone, Debug, Default)]
pub struct History {
    shots: Vec<(Snapshot, Blow)>,
    /// The shot that was taken back last, until another is made.
    taken_back: Option<(Snapshot, Blow)>,
    /// The shot of the file that was opened here.
    opened: Option<Blow>,
    /// Where a replay goes back to.
    present: Option<(Snapshot, String)>,
}

impl History {
    pub(super) fn push(&mut self, before: Snapshot, blow: Blow) {
        if self.shots.len() == LONGEST {
            self.shots.remove(0);
        }
        self.shots.push((before, blow));
        self.taken_back = None;
    }

    /// The shot of the file that was opened, until a shot is made.
    pub fn opened(&self) -> Option<Blow> {
        self.opened.filter(|_| self.shots.is_empty())
    }

    pub(super) fn open(&mut self, blow: Blow) {
        self.opened = Some(blow);
    }

    /// The shot that a player may want to keep: the one just taken back, or the last one.
    pub fn to_keep(&self) -> Option<&(Snapshot, Blow)> {
        self.taken_back.as_ref().or(self.last())
    }

    /// The last shot.
    pub fn last(&self) -> Option<&(Snapshot, Blow)> {
        self.shots.last()
    }
}

/// Asks to take the last shot back; with the computer's shots after it.
#[derive(Message, Clone, Copy, Debug)]
pub struct Undo;

/// Asks to show the last shot once more, slowly; while it is shown, to stop.
#[derive(Message, Clone, Copy, Debug)]
pub struct Replay;

/// Heeds [`Undo`] and [`Replay`].
pub(crate) struct HistoryPlugin;

impl Plugin for HistoryPlugin {
    fn build(&self, app: &mut App) {
        app.add_message::<Undo>()
            .add_message::<Replay>()
            .add_systems(
                FixedUpdate,
                (
                    end_replay.run_if(
                        phase_is(Phase::Replay)
                            .and_then(all_lie_still)
                            .and_then(steps_now),
                    ),
                    undo,
                    replay,
                )
                    .chain()
                    .before(Heed),
            );
    }
}

fn undo(world: &mut World) {
    if world.resource_mut::<Messages<Undo>>().drain().count() == 0 {
        return;
    }
    end_replay(world);
    let seats = world.resource::<Match>().seats;
    let mut history = world.resource_mut::<History>();
    while let Some((before, blow)) = history.shots.pop() {
        let player = before
            .frame
            .as_ref()
            .and_then(|frame| frame.turn().player());
        let own = player.is_none_or(|player| seats[player.index()] == Seat::Human);
        if own || history.shots.is_empty() {
            history.taken_back = Some((before.clone(), blow));
            before.put(world);
            let mut on = world.resource_mut::<Match>();
            on.news.clear();
            on.ruling = None;
            if let Some(practice) = &mut on.practice {
                practice.take_back();
            }
            world.resource_mut::<Game>().note = "Taken back.".to_owned();
            return;
        }
    }
}

fn replay(world: &mut World) {
    if world.resource_mut::<Messages<Replay>>().drain().count() == 0 {
        return;
    }
    match world.resource::<Game>().phase {
        Phase::Replay => end_replay(world),
        Phase::Roll => {}
        Phase::Aim => {
            let Some((before, blow)) = world.resource::<History>().last().cloned() else {
                return;
            };
            let note = world.resource::<Game>().note.clone();
            let present = Snapshot::take(world);
            world.resource_mut::<History>().present = Some((present, note));
            before.put(world);
            strike(world, blow, Phase::Replay);
            set_speed(world, SLOW);
        }
    }
}

/// Ends a replay and forgets all shots.
pub(super) fn forget(world: &mut World) {
    end_replay(world);
    world.insert_resource(History::default());
}

fn end_replay(world: &mut World) {
    if let Some((present, note)) = world.resource_mut::<History>().present.take() {
        present.put(world);
        world.resource_mut::<Game>().note = note;
        set_speed(world, 1.0);
    }
}

fn set_speed(world: &mut World, speed: f32) {
    world
        .resource_mut::<Time<Virtual>>()
        .set_relative_speed(speed);
}
