//! The computer as a player: it thinks beside the frames, then aims, draws the cue back and strikes, as a player does.
//!
//! - [`think`]: which shot to play
//! - `trial`: a shot that is tried
//! - `break_off`: the break
//! - `break_ball`: the ball for the next rack of straight pool
//! - `carom`: three-cushion shots

mod break_ball;
mod break_off;
mod carom;
pub mod think;
mod trial;

use std::sync::Arc;

use bevy::{
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};
use scene_kit::{RunOptions, frames::at_once, has_window};

use self::think::{Decision, Thinker};
use crate::{
    play::{
        ahead::Laws,
        cue::{Cue, MoveCue, Stroke},
        matches::{Match, Seat, Skill},
        referee::Ask,
        snapshot::{Present, Snapshot},
        state::{Game, Phase},
        trials::Trials,
    },
    rules::Turn,
    table::bed::Table,
};

/// Seconds until it answers a question of the rules, turns the cue to its aim, and draws it back.
const CHOOSING: f32 = 1.0;
const TURNING: f32 = 1.2;
const DRAWING: f32 = 0.6;
/// Seconds after which a shot that did not come about is thought over again.
const PATIENCE: f32 = 5.0;

/// The computer's mind.
#[derive(Resource, Default)]
pub struct Opponent {
    state: State,
    trials: Option<Arc<Trials>>,
    /// Whether there are frames to draw while it thinks. If not, the app waits.
    in_window: bool,
    /// Shots thought of: each has random numbers of its own.
    shots: u64,
}

#[derive(Default)]
enum State {
    #[default]
    Idle,
    Choosing(f32),
    Thinking(Snapshot, Task<Option<Decision>>),
    Acting {
        decision: Decision,
        from: Vec2,
        seconds: f32,
    },
}

impl Opponent {
    /// Whether it is thinking of a shot.
    pub fn thinks(&self) -> bool {
        matches!(self.state, State::Thinking(..))
    }
}

/// Lets the computer play where it has a seat.
pub(super) struct OpponentPlugin;

impl Plugin for OpponentPlugin {
    fn build(&self, app: &mut App) {
        let in_window = has_window(app);
        let opponent = Opponent {
            in_window,
            ..default()
        };
        app.insert_resource(opponent)
            .add_systems(Update, play.before(MoveCue));
    }
}

/// The skill of the computer, if it is its turn and all balls lie still.
fn to_play(world: &World) -> Option<Skill> {
    let on = world.resource::<Match>();
    match on.seat(on.player()?) {
        Seat::Computer(skill) if world.resource::<Game>().phase == Phase::Aim => Some(skill),
        _ => None,
    }
}

fn play(world: &mut World) {
    world.resource_scope(|world, mut opponent: Mut<Opponent>| {
        opponent.state = match to_play(world) {
            Some(skill) => opponent.step(world, skill),
            None => opponent.step_back(world),
        };
    });
}

impl Opponent {
    fn step(&mut self, world: &mut World, skill: Skill) -> State {
        let dt = world.resource::<Time>().delta_secs();
        match std::mem::take(&mut self.state) {
            State::Idle => self.begin(world, skill),
            State::Choosing(seconds) if seconds < CHOOSING => State::Choosing(seconds + dt),
            State::Choosing(_) => {
                if let Some(before) = world.resource::<Present>().0.clone()
                    && let Some(choice) = self.thinker(world, skill).choose(&before)
                {
                    world.write_message(Ask::Choose(choice));
                }
                State::Idle
            }
            State::Thinking(before, _)
                if world.resource::<Present>().0.as_ref() != Some(&before) =>
            {
                self.give_up();
                State::Idle
            }
            State::Thinking(before, mut task) => match check_ready(&mut task) {
                None => State::Thinking(before, task),
                Some(decision) => act_on(decision, &before, world),
            },
            State::Acting { seconds, .. } if seconds > PATIENCE => State::Idle,
            State::Acting {
                decision,
                from,
                seconds,
            } => {
                let seconds = seconds + dt;
                act(&mut world.resource_mut::<Cue>(), &decision, from, seconds);
                State::Acting {
                    decision,
                    from,
                    seconds,
                }
            }
        }
    }

    /// It is another player's turn. If the game went on without the computer's shot, it lets go of the cue.
    fn step_back(&mut self, world: &mut World) -> State {
        if self.thinks() {
            self.give_up();
        }
        let held = matches!(self.state, State::Acting { .. });
        if held && world.resource::<Game>().phase == Phase::Aim {
            world.resource_mut::<Cue>().stroke = Stroke::Aim;
        }
        State::Idle
    }

    fn begin(&mut self, world: &mut World, skill: Skill) -> State {
        let turn = world.resource::<Match>().frame.as_ref().map(|f| f.turn());
        if matches!(turn, Some(Turn::Choose { .. })) {
            return State::Choosing(0.0);
        }
        let Some(before) = world.resource::<Present>().0.clone() else {
            return State::Idle;
        };
        self.shots += 1;
        let mut thinker = self.thinker(world, skill);
        if !self.in_window {
            return act_on(at_once(thinker.decide(&before)), &before, world);
        }
        let position = before.clone();
        let task =
            AsyncComputeTaskPool::get().spawn(async move { thinker.decide(&position).await });
        State::Thinking(before, task)
    }

    /// Another game began: the shots that are being tried are not wanted any more.
    fn give_up(&mut self) {
        if let Some(trials) = self.trials.take() {
            trials.give_up();
        }
    }

    /// The mind for this shot.
    fn thinker(&mut self, world: &World, skill: Skill) -> Thinker {
        let (laws, table) = (Laws::of(world), world.resource::<Table>().clone());
        let options = world.resource::<RunOptions>();
        let rng = options.rng(self.shots);
        let trials = self
            .trials
            .get_or_insert_with(|| Arc::new(Trials::of(options, self.in_window)));
        Thinker::new(trials.clone(), table, laws, skill, rng)
    }
}

/// Begins to play what was decided, if the balls still lie as they lay then.
fn act_on(decision: Option<Decision>, before: &Snapshot, world: &mut World) -> State {
    let still_lie = world.resource::<Present>().0.as_ref() == Some(before);
    let Some(decision) = decision.filter(|_| still_lie) else {
        return State::Idle;
    };
    announce(world, &decision);
    State::Acting {
        decision,
        from: world.resource::<Cue>().direction,
        seconds: 0.0,
    }
}

fn announce(world: &mut World, decision: &Decision) {
    if let Some(place) = decision.place {
        world.write_message(Ask::Place(place));
    }
    if decision.call.is_some() {
        world.write_message(Ask::Call(decision.call));
    }
}

/// Holds the cue as it has to be `seconds` after the decision.
fn act(cue: &mut Cue, decision: &Decision, from: Vec2, seconds: f32) {
    let way = from
        .perp_dot(decision.direction)
        .atan2(from.dot(decision.direction));
    let part = |seconds: f32, of: f32| EaseFunction::SmootherStep.sample_clamped(seconds / of);
    if seconds < TURNING {
        let turned = Vec2::from_angle(way * part(seconds, TURNING));
        cue.direction = turned.rotate(from);
        return;
    }
    cue.direction = decision.direction;
    cue.tip = decision.tip;
    cue.stroke = match cue.stroke {
        Stroke::Aim | Stroke::Pull { .. } if seconds < TURNING + DRAWING => Stroke::Pull {
            grip: Vec2::ZERO,
            back: decision.back * part(seconds - TURNING, DRAWING),
        },
        Stroke::Aim | Stroke::Pull { .. } => Stroke::Strike {
            back: decision.back,
            left: decision.back,
        },
        other => other,
    };
}
