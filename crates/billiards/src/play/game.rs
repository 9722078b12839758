//! The course of the game: racks, shots, and when the next one may be made.

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_impulse_collide::{forget_past, prelude::*};
use rand::Rng;

use super::{
    balls::{self, Ball, Kind, RADIUS},
    history::History,
    matches::{self, Match},
    pockets::{self, Falling},
    rack::Rack,
    record::{self, Recorder},
    snapshot::{Present, Snapshot, keep_present},
    strike::Blow,
    table::{self, Table},
};
use crate::RunOptions;

/// Surface speed in m/s, of rolling or spinning, under which a ball counts as lying still.
const STILL: f32 = 1e-3;
/// The aim of a headless break is off the rack's centre by up to this, in turns.
const BREAK_AIM: f32 = 0.001;

/// Whose turn it is: the player's or the balls'.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// All balls lie still: the player may shoot.
    #[default]
    Aim,
    /// Balls move.
    Roll,
    /// The last shot is shown once more.
    Replay,
}

/// The state of the game.
#[derive(Resource, Clone, Debug, Default)]
pub struct Game {
    /// How the balls are set up.
    pub rack: Rack,
    /// Whose turn it is.
    pub phase: Phase,
    /// Shots since the rack.
    pub shots: u32,
    /// Object balls that are off the table for good, in order.
    pub pocketed: Vec<Ball>,
    /// What the player should know about the last shot.
    pub note: String,
}

impl Game {
    /// How many balls of `kind` fell.
    pub fn count(&self, kind: Kind) -> usize {
        self.pocketed
            .iter()
            .filter(|ball| ball.kind() == kind)
            .count()
    }
}

/// Asks for a shot; heeded when all balls lie still and a shot is what the rules wait for.
#[derive(Message, Clone, Copy, Debug)]
pub struct Shot(pub Blow);

/// Asks for a new rack. A frame that is being played begins again.
#[derive(Message, Clone, Copy, Debug)]
pub struct Rerack;

/// The table, the balls and the game on it, without players: all that a shot and its ruling need.
pub(super) struct GamePlugin {
    /// The table that is played on.
    pub table: Table,
    /// The balls that are played with.
    pub rack: Rack,
}

/// What is asked of the game is done in this set, in [`FixedUpdate`], before the physics steps.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Heed;

impl Plugin for GamePlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<Ball>()
            .insert_resource(self.table.clone())
            .insert_resource(Game {
                rack: self.rack,
                ..default()
            })
            .insert_resource(materials())
            .init_resource::<Match>()
            .init_resource::<Recorder>()
            .init_resource::<History>()
            .init_resource::<Present>()
            .add_message::<Shot>()
            .add_message::<Rerack>()
            .add_systems(Startup, (table::spawn_table, balls::spawn_balls).chain())
            .add_systems(
                FixedUpdate,
                (
                    (
                        pockets::catch_balls,
                        pockets::drop_balls,
                        pockets::roll_into_tray,
                        matches::settle.run_if(phase_is(Phase::Roll).and_then(all_lie_still)),
                    )
                        .chain()
                        .run_if(not_paused),
                    (rerack, shoot).chain().in_set(Heed),
                )
                    .chain(),
            )
            .configure_sets(
                FixedPostUpdate,
                (
                    ImpulseSystems::Gather,
                    ImpulseSystems::Step,
                    ImpulseSystems::WriteBack,
                )
                    .run_if(something_moves),
            )
            .add_systems(
                FixedPostUpdate,
                record::note_impacts
                    .after(ImpulseSystems::WriteBack)
                    .run_if(phase_is(Phase::Roll)),
            )
            .add_systems(FixedLast, keep_present.run_if(phase_is(Phase::Aim)));
    }
}

/// Of two bodies the deader bounce and the rougher surface count; so each surface states its own values.
pub(super) fn materials() -> CollisionConfig {
    let standard = CollisionConfig::default();
    CollisionConfig {
        restitution: MaterialRule::new(CombineRule::Min, standard.restitution.default),
        friction: MaterialRule::new(CombineRule::Max, standard.friction.default),
        // Balls lie side by side on a table, not on each other: a few sweeps find all there is to find.
        contact_iterations: 4,
        // Here the game says when balls rest. What the physics knows of sleep would make a shot depend on those before it.
        sleep_speed: 0.0,
        ..standard
    }
}

pub(super) fn not_paused(control: Res<StepControl>) -> bool {
    !control.paused || control.pending_steps > 0
}

/// Run condition: the game is in this phase.
pub(super) fn phase_is(phase: Phase) -> impl FnMut(Res<Game>) -> bool + Clone {
    move |game| game.phase == phase
}

/// Run condition: nothing moves on the table or falls.
pub(super) fn all_lie_still(
    moving: Query<(&LinearVelocity, &AngularVelocity), With<Ball>>,
    falling: Query<(), With<Falling>>,
) -> bool {
    falling.is_empty()
        && moving
            .iter()
            .all(|(velocity, spin)| velocity.length() < STILL && spin.length() * RADIUS < STILL)
}

/// Run condition of the physics. Between shots it would settle touching balls by nanometres, and a break is so sensitive that
/// what was seen ahead would not be what happens.
fn something_moves(
    game: Res<Game>,
    balls: Query<(&LinearVelocity, &AngularVelocity), With<Ball>>,
) -> bool {
    let moves = |(velocity, spin): (&LinearVelocity, &AngularVelocity)| {
        velocity.0 != Vec3::ZERO || spin.0 != Vec3::ZERO
    };
    game.phase != Phase::Aim || balls.iter().any(moves)
}

fn shoot(world: &mut World) {
    let shots = world.resource_mut::<Messages<Shot>>().drain().last();
    let Some(Shot(blow)) = shots else {
        return;
    };
    if world.resource::<Game>().phase != Phase::Aim || !world.resource::<Match>().may_shoot() {
        return;
    }
    // The shot starts from what a file would hold of it, to the bit: so it can be repeated.
    let before = Snapshot::take(world);
    before.put(world);
    if strike(world, blow, Phase::Roll) {
        world.resource_mut::<History>().push(before, blow);
    }
}

/// Strikes the cue ball; false if the tip slips off.
pub(super) fn strike(world: &mut World, blow: Blow, phase: Phase) -> bool {
    let spec = world.resource::<Table>().spec;
    let Ok(struck) = blow.strike(&spec.cue, &spec.ball) else {
        world.resource_mut::<Game>().note = "Miscue: the tip slipped off the ball.".to_owned();
        return false;
    };
    // What the physics keeps from step to step came from other shots.
    forget_past(world);
    record::start(world);
    let mut balls = world.query::<(&Ball, &mut LinearVelocity, &mut AngularVelocity)>();
    for (ball, mut velocity, mut spin) in balls.iter_mut(world) {
        if *ball == Ball::CUE {
            (velocity.0, spin.0) = (struck.velocity, struck.spin);
        }
    }
    let mut game = world.resource_mut::<Game>();
    game.phase = phase;
    game.shots += 1;
    game.note.clear();
    true
}

/// The break of a headless run: `speed` m/s at the first ball of the rack. Its aim depends on the seed: a perfectly
/// straight one would leave the balls mirrored.
pub(super) fn break_rack(
    speed: f32,
) -> impl Fn(Res<RunOptions>, Res<Table>, Res<Game>, MessageWriter<Shot>, Query<(&Ball, &Transform)>)
{
    move |options, table, game, mut shots, places| {
        let Some((_, cue_ball)) = places.iter().find(|(ball, _)| **ball == Ball::CUE) else {
            return;
        };
        let off = options.rng(0).random_range(-BREAK_AIM..=BREAK_AIM) * TAU;
        let way = game.rack.target(table.spec) - cue_ball.translation.xz();
        let direction = Vec2::from_angle(off).rotate(way.normalize());
        let blow = Blow::centered(&table.spec.cue, &table.spec.ball, direction, speed);
        shots.write(Shot(blow));
    }
}

fn rerack(world: &mut World) {
    let asked = world.resource_mut::<Messages<Rerack>>().drain().count();
    if asked == 0 {
        return;
    }
    matches::restart_frame(world);
    rack_balls(world);
}

/// Sets all balls up anew.
pub(super) fn rack_balls(world: &mut World) {
    let mut balls = world.query_filtered::<Entity, With<Ball>>();
    for ball in balls.iter(world).collect::<Vec<_>>() {
        world.despawn(ball);
    }
    if let Err(problem) = world.run_system_cached(balls::spawn_balls) {
        error!("cannot rack the balls: {problem}");
    }
    let mut game = world.resource_mut::<Game>();
    *game = Game {
        rack: game.rack,
        ..default()
    };
}
