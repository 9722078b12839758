//! Practice: a drill is set up, tried, judged and set up again.

use bevy::prelude::*;

use super::{
    drill::{DRILLS, Drill, Miss},
    history,
    matches::Match,
    racking::{change_table, rack_balls},
    snapshot::{Lying, Snapshot},
    state::Game,
};
use crate::{
    rules::{Ball, ShotRecord},
    table::{bed::Table, rack::Rack},
};

/// The drill that is practised, and how it goes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Practice {
    /// The number of the drill in [`DRILLS`].
    pub drill: usize,
    /// Shots so far.
    pub tries: u32,
    /// Good ones.
    pub made: u32,
    /// Good ones in a row.
    pub row: u32,
    /// The last shot, until the drill is set up again.
    pub result: Option<Result<(), Miss>>,
}

impl Practice {
    /// The drill.
    pub fn drill(&self) -> &'static Drill {
        &DRILLS[self.drill % DRILLS.len()]
    }

    /// The last shot does not count.
    pub(super) fn take_back(&mut self) {
        let Some(result) = self.result.take() else {
            return;
        };
        self.tries -= 1;
        if result.is_ok() {
            self.made -= 1;
            self.row -= 1;
        }
    }

    fn note(&mut self, result: Result<(), Miss>) {
        self.tries += 1;
        let is_good = u32::from(result.is_ok());
        self.made += is_good;
        self.row = is_good * (self.row + 1);
        self.result = Some(result);
    }
}

/// Begins to practise drill number `drill`.
pub(super) fn begin(world: &mut World, drill: usize) {
    let practice = Practice { drill, ..default() };
    world.insert_resource(Match {
        practice: Some(practice),
        ..default()
    });
    world.resource_mut::<Game>().rack = Rack::EightBall;
    change_table(world, Rack::EightBall.table());
    rack_balls(world);
    set_up(world);
}

/// Sets the drill up once more, if one is practised: the other balls lie in the tray. Whether one is.
pub(super) fn set_up(world: &mut World) -> bool {
    let mut on = world.resource_mut::<Match>();
    let Some(practice) = &mut on.practice else {
        return false;
    };
    practice.result = None;
    let (drill, race) = (practice.drill(), on.race);
    history::forget(world);
    let table = world.resource::<Table>();
    let places = drill.places(table.spec);
    let mut pocketed: Vec<Ball> = Vec::new();
    for (ball, _) in Rack::EightBall.places(table.spec, world.resource::<Game>().gaps()) {
        if !places.iter().any(|(used, _)| *used == ball) {
            pocketed.push(ball);
        }
    }
    let lying = |&(ball, at): &(Ball, Vec2)| Lying {
        ball,
        at: table.lying(at).to_array(),
        turned: Quat::IDENTITY.to_array(),
    };
    let start = Snapshot {
        rack: Rack::EightBall,
        lying: places.iter().map(lying).collect(),
        pocketed,
        before_shot: Vec::new(),
        shots: 0,
        frame: None,
        race,
    };
    start.put(world);
    true
}

/// Judges a shot of the drill that is practised. `cue_ball` is where it lies now.
pub(super) fn judge(world: &mut World, shot: &ShotRecord, cue_ball: Option<Vec2>) {
    let Some(practice) = world.resource::<Match>().practice else {
        return;
    };
    let result = practice
        .drill()
        .judge(shot, cue_ball, world.resource::<Table>());
    if let Some(practice) = &mut world.resource_mut::<Match>().practice {
        practice.note(result);
    }
}
