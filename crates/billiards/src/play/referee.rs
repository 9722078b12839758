//! A match on the table: who sits where, the frame and the race, and what the rules make of a shot.

use std::num::NonZeroU32;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use clap::ValueEnum;

use super::{
    balls::Ball,
    game::{Game, Heed, Phase, rack_balls},
    history,
    pockets::{Returning, lay_at_rest},
    rack::Rack,
    record::Recorder,
    rules::{
        Area, BreakOrder, Call, Choice, CueBall, Discipline, Frame, Player, Race, Ruling,
        ShotRecord, Turn, plan::Planner, spot::spot_place,
    },
    table::Table,
    words,
};

/// How well the computer plays.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Skill {
    /// Misses often
    Beginner,
    /// Pots what is easy
    #[default]
    Club,
    /// Misses little
    Expert,
}

/// Who plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Seat {
    /// Someone at this machine.
    #[default]
    Human,
    /// The computer.
    Computer(Skill),
}

/// A match to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// What is played.
    pub discipline: Discipline,
    /// Who plays it.
    pub seats: [Seat; 2],
    /// How many frames win the match.
    pub goal: NonZeroU32,
}

/// The match that is played. Without a frame there are no rules: balls that jump off come back, and anyone shoots.
#[derive(Resource, Clone, Debug)]
pub struct Match {
    /// The frame, if there are rules.
    pub frame: Option<Frame>,
    /// The score.
    pub race: Race,
    /// Who plays.
    pub seats: [Seat; 2],
    /// What came of the last shot or choice, in sentences.
    pub news: Vec<String>,
    /// The last ruling.
    pub ruling: Option<Ruling>,
}

impl Default for Match {
    fn default() -> Self {
        Self {
            frame: None,
            race: Race::new(NonZeroU32::MIN, BreakOrder::Alternate, Player::One),
            seats: default(),
            news: Vec::new(),
            ruling: None,
        }
    }
}

/// What players ask for, beside shots.
#[derive(Message, Clone, Copy, Debug)]
pub enum Ask {
    /// A new match.
    Begin(Setup),
    /// The next frame, when one is over; or a new match if the race is.
    NextFrame,
    /// To put the cue ball here, when it is in hand.
    Place(Vec2),
    /// To call the next shot, or to take the call back.
    Call(Option<Call>),
    /// One of the ways to go on that the rules offer.
    Choose(Choice),
}

/// Heeds what players [`Ask`].
pub(super) struct MatchPlugin;

impl Plugin for MatchPlugin {
    fn build(&self, app: &mut App) {
        app.add_message::<Ask>()
            .add_systems(FixedUpdate, heed.before(Heed));
    }
}

impl Match {
    /// Whether the rules wait for a shot, and know all of it that they have to.
    pub fn may_shoot(&self) -> bool {
        self.frame
            .as_ref()
            .is_none_or(|frame| frame.cue_ball().is_some() && !self.needs_call())
    }

    /// Whether a ball and a pocket have to be called before the next shot.
    pub fn needs_call(&self) -> bool {
        self.frame
            .as_ref()
            .is_some_and(|frame| frame.must_call() && frame.called().is_none())
    }

    /// Where the cue ball may be put; none unless it is in hand.
    pub fn area(&self) -> Option<Area> {
        match &self.frame {
            None => Some(Area::Table),
            Some(frame) => match frame.cue_ball()? {
                CueBall::AsItLies => None,
                CueBall::InHand(area) => Some(area),
            },
        }
    }

    /// What is played, if there are rules.
    pub fn discipline(&self) -> Option<Discipline> {
        self.frame.as_ref().map(Frame::discipline)
    }

    /// Who is to play.
    pub fn player(&self) -> Option<Player> {
        self.frame.as_ref()?.turn().player()
    }

    /// Who sits where `player` sits.
    pub fn seat(&self, player: Player) -> Seat {
        self.seats[player.index()]
    }

    /// Whether someone at this machine is to play, or the frame is over.
    pub fn is_human_turn(&self) -> bool {
        self.player()
            .is_none_or(|player| self.seat(player) == Seat::Human)
    }

    /// Whether the frame is decided.
    pub fn is_over(&self) -> bool {
        let turn = self.frame.as_ref().map(Frame::turn);
        matches!(turn, Some(Turn::Over { .. }))
    }
}

fn heed(world: &mut World) {
    let asked: Vec<Ask> = world.resource_mut::<Messages<Ask>>().drain().collect();
    for ask in asked {
        if let Ask::Begin(setup) = ask {
            begin(world, setup);
            continue;
        }
        if world.resource::<Game>().phase != Phase::Aim {
            continue;
        }
        match ask {
            Ask::Begin(_) => {}
            Ask::NextFrame => next_frame(world),
            Ask::Place(at) => place_cue_ball(world, at),
            Ask::Call(call) => {
                if let Some(frame) = &mut world.resource_mut::<Match>().frame
                    && let Err(problem) = frame.call(call)
                {
                    warn!("{problem}");
                }
            }
            Ask::Choose(choice) => choose(world, choice),
        }
    }
}

fn begin(world: &mut World, setup: Setup) {
    history::forget(world);
    let Setup {
        discipline,
        seats,
        goal,
    } = setup;
    let race = Race::new(goal, BreakOrder::Alternate, Player::One);
    world.insert_resource(Match {
        frame: Some(Frame::new(discipline, race.breaker())),
        race,
        seats,
        ..default()
    });
    world.resource_mut::<Game>().rack = match discipline {
        Discipline::NineBall => Rack::NineBall,
        Discipline::EightBall(_) | Discipline::FreeTable => Rack::EightBall,
    };
    rack_balls(world);
}

fn next_frame(world: &mut World) {
    let on = world.resource::<Match>();
    let Some(discipline) = on.discipline().filter(|_| on.is_over()) else {
        return;
    };
    if on.race.winner().is_some() {
        let setup = Setup {
            discipline,
            seats: on.seats,
            goal: on.race.goal(),
        };
        begin(world, setup);
        return;
    }
    restart_frame(world);
    rack_balls(world);
}

/// Begins the frame again, or the next one if it is over.
pub(super) fn restart_frame(world: &mut World) {
    history::forget(world);
    let mut on = world.resource_mut::<Match>();
    let breaker = on.race.breaker();
    on.frame = on
        .discipline()
        .map(|discipline| Frame::new(discipline, breaker));
    on.news.clear();
    on.ruling = None;
}

fn place_cue_ball(world: &mut World, at: Vec2) {
    let Some(area) = world.resource::<Match>().area() else {
        return;
    };
    let planner = Planner::of(world.resource::<Table>());
    if planner.is_free(at, &object_balls(world), area) {
        lay(world, Ball::CUE, at);
    }
}

fn choose(world: &mut World, choice: Choice) {
    let mut on = world.resource_mut::<Match>();
    let Some(frame) = &mut on.frame else {
        return;
    };
    match frame.choose(choice) {
        Ok(ruling) => follow(world, ruling, None),
        Err(problem) => warn!("{problem}"),
    }
}

/// When all balls lie still, the rules say what follows.
pub(super) fn settle(world: &mut World) {
    let mut balls = world.query_filtered::<
        (
            &mut LinearVelocity,
            &mut AngularVelocity,
            &mut Acceleration,
        ),
        With<Ball>,
    >();
    for (mut velocity, mut spin, mut acceleration) in balls.iter_mut(world) {
        (velocity.0, spin.0) = (Vec3::ZERO, Vec3::ZERO);
        *acceleration = default();
    }
    world.resource_mut::<Game>().phase = Phase::Aim;
    let record = world.resource::<Recorder>().record.clone();
    let mut on = world.resource_mut::<Match>();
    match on.frame.as_mut().map(|frame| frame.shoot(&record)) {
        Some(Ok(ruling)) => follow(world, ruling, Some(&record)),
        Some(Err(problem)) => error!("the rules refuse this shot: {problem}"),
        None => {
            bring_back(world);
            world.resource_mut::<Game>().note = words::without_rules(&record);
        }
    }
}

/// Does what a ruling says.
fn follow(world: &mut World, ruling: Ruling, record: Option<&ShotRecord>) {
    if ruling.racked {
        rack_balls(world);
    } else {
        for ball in &ruling.spotted {
            spot(world, *ball);
        }
        bring_back(world);
    }
    let mut on = world.resource_mut::<Match>();
    if let Turn::Over { winner, .. } = ruling.turn {
        on.race.count(winner);
    }
    on.news = words::tell(&ruling, record, on.seats);
    on.ruling = Some(ruling);
}

/// Puts balls that left the table, and are to come back, on their spots.
fn bring_back(world: &mut World) {
    let mut returning = world.query_filtered::<&Ball, With<Returning>>();
    let returning: Vec<Ball> = returning.iter(world).copied().collect();
    for ball in returning {
        let table = world.resource::<Table>().clone();
        let spot = match ball {
            Ball::CUE => table.spec.head_spot(),
            _ => table.spec.foot_spot(),
        };
        let taken: Vec<Vec2> = lying(world).into_iter().map(|(_, at)| at).collect();
        lay(world, ball, table.free_place(spot, &taken));
    }
}

fn spot(world: &mut World, ball: Ball) {
    let spec = world.resource::<Table>().spec;
    let balls = lying(world);
    let cue = balls.iter().find(|(ball, _)| *ball == Ball::CUE);
    let others = object_balls(world);
    let others: Vec<Vec2> = others.into_iter().map(|(_, at)| at).collect();
    let at = spot_place(
        spec.foot_spot(),
        spec.half.x,
        spec.ball.radius,
        cue.map(|(_, at)| *at),
        &others,
    );
    match at {
        Some(at) => lay(world, ball, at),
        None => error!("no room on the long string for ball {}", ball.0),
    }
}

/// The balls on the table.
fn lying(world: &mut World) -> Vec<(Ball, Vec2)> {
    let mut balls = world.query_filtered::<(&Ball, &Transform), With<Particle>>();
    balls
        .iter(world)
        .map(|(ball, place)| (*ball, place.translation.xz()))
        .collect()
}

fn object_balls(world: &mut World) -> Vec<(Ball, Vec2)> {
    let mut balls = lying(world);
    balls.retain(|(ball, _)| *ball != Ball::CUE);
    balls
}

/// Lays a ball on the bed, at rest.
fn lay(world: &mut World, ball: Ball, at: Vec2) {
    let mut balls = world.query::<(Entity, &Ball)>();
    let found = balls.iter(world).find(|(_, other)| **other == ball);
    let Some((entity, _)) = found else {
        return;
    };
    let table = world.resource::<Table>();
    let (place, spec) = (table.lying(at), table.spec.ball);
    let mut entity = world.entity_mut(entity);
    let rotation = entity
        .get::<Transform>()
        .map_or(Quat::IDENTITY, |t| t.rotation);
    let place = Transform::from_translation(place).with_rotation(rotation);
    lay_at_rest(&mut entity, &spec, place);
    let mut game = world.resource_mut::<Game>();
    game.pocketed.retain(|other| *other != ball);
}
