//! The course of the game: racks, shots, and when the next one may be made.

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use rand::Rng;
use scene_kit::{RunOptions, app::steps_now};

use super::{
    blow::Blow,
    chain::ChainPlugin,
    history::History,
    leaving,
    matches::Match,
    practice,
    racking::{rack_balls, spawn_balls},
    record::{self, Recorder},
    referee,
    rest::{all_lie_still, something_moves},
    snapshot::{Present, Snapshot, keep_present},
    state::{Game, Heed, Phase, Rerack, Shot, phase_is},
    strike::strike,
};
use crate::{
    rules::Ball,
    table::{
        bed::{self, Table},
        friction::rub_balls,
        materials::materials,
        rack::Rack,
        rubber::give_way,
    },
};

/// The aim of a headless break is off the rack's centre by up to this, in turns.
const BREAK_AIM: f32 = 0.001;

/// The table, the balls and the game on it, without players: all that a shot and its ruling need.
pub(crate) struct GamePlugin {
    /// The table that is played on.
    pub table: Table,
    /// The balls that are played with.
    pub rack: Rack,
    /// Whether a template sets them up.
    pub template: bool,
}

impl Plugin for GamePlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(ChainPlugin)
            .register_type::<Ball>()
            .insert_resource(self.table.clone())
            .insert_resource(Game {
                rack: self.rack,
                template: self.template,
                ..default()
            })
            .insert_resource(materials())
            .init_resource::<Match>()
            .init_resource::<Recorder>()
            .init_resource::<History>()
            .init_resource::<Present>()
            .add_message::<Shot>()
            .add_message::<Rerack>()
            .add_systems(Startup, (bed::spawn_table, spawn_balls).chain())
            .add_systems(PairHooks, (rub_balls, give_way))
            .add_systems(
                FixedUpdate,
                (
                    (
                        leaving::catch_balls,
                        leaving::drop_balls,
                        leaving::roll_into_tray,
                        referee::settle.run_if(phase_is(Phase::Roll).and_then(all_lie_still)),
                    )
                        .chain()
                        .run_if(steps_now),
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

fn shoot(world: &mut World) {
    let shots = world.resource_mut::<Messages<Shot>>().drain().last();
    let Some(Shot(blow)) = shots else {
        return;
    };
    if world.resource::<Game>().phase != Phase::Aim || !world.resource::<Match>().may_shoot() {
        return;
    }
    // The shot starts from the bits that a file would hold, so it can be repeated.
    let before = Snapshot::take(world);
    before.put(world);
    if strike(world, blow, Phase::Roll) {
        world
            .resource_mut::<Game>()
            .before_shot
            .clone_from(&before.lying);
        world.resource_mut::<History>().push(before, blow);
    }
}

/// The break of a headless run: `speed` m/s at the first ball of the rack. Its aim depends on the seed: a perfectly
/// straight one would leave the balls mirrored.
pub(crate) fn break_rack(
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
    // A shot of a drill ends before the drill is set up again.
    if world.resource::<Match>().practice.is_some() {
        if world.resource::<Game>().phase == Phase::Aim {
            practice::set_up(world);
        }
        return;
    }
    referee::restart_frame(world);
    rack_balls(world);
}
