//! The aiming lines: the same game played ahead, beside the frames, after each change of the aim.

use bevy::{
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};

use super::menu::Menu;
use crate::{
    play::{
        ahead::{Ahead, Laws, Outcome, Until},
        blow::Blow,
        cue::{Cue, MoveCue, Stroke},
        matches::Match,
        snapshot::{Present, Snapshot},
        state::{Game, Phase},
    },
    rules::{Call, Foul, Frame, Ruling, ShotRecord},
    table::bed::Table,
};

/// An answer is shown until the next one comes, but not once the cue has turned farther than this, in radians.
const STALE: f32 = 0.05;

/// A request to the game ahead.
#[derive(Clone, PartialEq)]
struct Question {
    before: Snapshot,
    blow: Blow,
}

/// The predicted result of the shot that the cue is held for.
#[derive(Resource, Default)]
pub struct Sight {
    /// The ways of the balls, and what the rules would say; none while nothing is aimed.
    pub outcome: Option<Outcome>,
    answered: Option<Question>,
    ahead: Option<Ahead>,
    task: Option<Task<(Ahead, Question, Option<Outcome>)>>,
}

impl Sight {
    /// Why the shot that is aimed would be a foul; none if it would not.
    pub fn foul(&self) -> Option<Foul> {
        let ruling = self.outcome.as_ref()?.ruling.as_ref()?;
        ruling.fouls.first().copied()
    }
}

/// Looks ahead while someone aims.
pub(super) struct SightPlugin;

impl Plugin for SightPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Sight>()
            .add_systems(Update, look_ahead.after(MoveCue));
    }
}

fn look_ahead(world: &mut World) {
    let question = question(world);
    let mut sight = world.resource_mut::<Sight>();
    let Some(question) = question else {
        if sight.outcome.is_some() {
            (sight.outcome, sight.answered) = (None, None);
        }
        return;
    };
    let off = |answered: &Question| answered.blow.direction.angle_to(question.blow.direction);
    if sight
        .answered
        .as_ref()
        .is_some_and(|answered| off(answered).abs() > STALE)
    {
        sight.outcome = None;
    }
    if let Some(task) = &mut sight.task {
        let Some((ahead, answered, outcome)) = check_ready(task) else {
            return;
        };
        sight.task = None;
        sight.ahead = Some(ahead);
        sight.answered = Some(answered);
        sight.outcome = outcome;
    }
    if sight.answered.as_ref() == Some(&question) {
        return;
    }
    let ahead = sight.ahead.take();
    let laws = Laws::of(world);
    let table = world.resource::<Table>().clone();
    let ahead = ahead.filter(|ahead| ahead.is_on(&table));
    let frame = world.resource::<Match>().frame.clone();
    let task = AsyncComputeTaskPool::get().spawn(async move {
        let mut ahead = ahead.unwrap_or_else(|| Ahead::new(&table, &laws));
        let outcome = ahead.play(&laws, &question.before, question.blow, Until::Rest);
        let mut outcome = outcome.await;
        if let (Some(frame), Some(outcome)) = (frame, &mut outcome) {
            outcome.ruling = judge(frame, &outcome.record);
        }
        (ahead, question, outcome)
    });
    world.resource_mut::<Sight>().task = Some(task);
}

/// What the rules would say of a shot. A call that is still missing is no foul yet.
fn judge(mut frame: Frame, shot: &ShotRecord) -> Option<Ruling> {
    if frame.must_call() && frame.called().is_none() {
        frame.call(Some(Call::Safety)).ok()?;
    }
    frame.shoot(shot).ok()
}

/// None unless a player aims the cue or draws it back.
fn question(world: &World) -> Option<Question> {
    let cue = *world.resource::<Cue>();
    let aims = matches!(cue.stroke, Stroke::Aim | Stroke::Pull { .. })
        && world.resource::<Match>().is_human_turn();
    if world.resource::<Game>().phase != Phase::Aim || !aims || world.resource::<Menu>().open {
        return None;
    }
    // Where the balls go does not depend on the rules.
    let before = Snapshot {
        frame: None,
        ..world.resource::<Present>().0.clone()?
    };
    let blow = cue.blow_in(&before, world.resource::<Table>(), cue.pull())?;
    Some(Question { before, blow })
}
