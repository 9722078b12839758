//! The physics in a session of `bevy_ggrs`: what a game adds, and two players that push their balls.

mod lossy_socket;

use std::{collections::BTreeMap, time::Duration};

use bevy::{platform::collections::HashMap, prelude::*};
use bevy_ggrs::{
    ChecksumPart, GgrsPlugin, GgrsSchedule, GgrsSnapshots, LoadWorld, LoadWorldSystems,
    LocalInputs, LocalPlayers, PlayerInputs, RollbackFrameCount, SaveWorld, SaveWorldSystems,
    prelude::GgrsConfig,
};
use bevy_impulse_collide::prelude::*;

pub use lossy_socket::LossySocket;

pub type Config = GgrsConfig<u8>;

const STEP: Duration = Duration::from_nanos(1_000_000_000 / 60);

/// The physics steps in each frame of the session, and goes back with it.
pub struct RollbackPhysics;

impl Plugin for RollbackPhysics {
    fn build(&self, app: &mut App) {
        app.add_plugins(GgrsPlugin::<Config>::default())
            // The session makes the steps.
            .insert_resource(StepControl {
                paused: true,
                ..default()
            })
            .init_resource::<GgrsSnapshots<PhysicsSnapshot>>()
            .init_resource::<Loads>()
            .init_resource::<Checksums>()
            .add_systems(GgrsSchedule, step)
            .add_systems(SaveWorld, save.before(SaveWorldSystems::Checksum))
            .add_systems(LoadWorld, load.in_set(LoadWorldSystems::Data));
        let part = app.world_mut().spawn(ChecksumPart(0)).id();
        app.insert_resource(PhysicsPart(part));
    }
}

/// The checksum of each frame.
#[derive(Resource, Default)]
pub struct Checksums(pub BTreeMap<i32, u64>);

/// How often the world was put back.
#[derive(Resource, Default)]
pub struct Loads {
    pub count: usize,
    /// Whether the physics stays as it is.
    pub are_ignored: bool,
}

/// The entity with the physics' part of a frame's checksum.
#[derive(Resource)]
struct PhysicsPart(Entity);

pub fn step(world: &mut World) {
    bevy_impulse_collide::step(world, STEP);
}

fn save(world: &mut World) {
    let frame = world.resource::<RollbackFrameCount>().0;
    let snapshot = PhysicsSnapshot::take(world);
    let checksum = snapshot.checksum();
    world.resource_mut::<Checksums>().0.insert(frame, checksum);
    let part = world.resource::<PhysicsPart>().0;
    world.entity_mut(part).insert(ChecksumPart(checksum.into()));
    let mut snapshots = world.resource_mut::<GgrsSnapshots<PhysicsSnapshot>>();
    snapshots.push(frame, snapshot);
}

fn load(world: &mut World) {
    let frame = world.resource::<RollbackFrameCount>().0;
    let mut loads = world.resource_mut::<Loads>();
    loads.count += 1;
    if loads.are_ignored {
        return;
    }
    world.resource_scope(
        |world, mut snapshots: Mut<GgrsSnapshots<PhysicsSnapshot>>| {
            let restored = snapshots.rollback(frame).get().restore(world);
            assert!(restored.is_exact(), "{restored:?}");
        },
    );
}

/// The ball of a player.
#[derive(Component, Clone, Copy)]
pub struct Player(pub usize);

/// Each player pushes in another direction every few frames, as if at random.
pub fn read_inputs(
    players: Res<LocalPlayers>,
    frame: Res<RollbackFrameCount>,
    mut commands: Commands,
) {
    let input = |player: usize| {
        let mixed = (frame.0 as u64 / 5 + 1000 * player as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 60) as u8
    };
    let inputs: HashMap<usize, u8> = players
        .0
        .iter()
        .map(|&player| (player, input(player)))
        .collect();
    commands.insert_resource(LocalInputs::<Config>(inputs));
}

pub fn push_players(
    inputs: Res<PlayerInputs<Config>>,
    mut balls: Query<(&Player, &mut LinearVelocity)>,
) {
    for (player, mut velocity) in &mut balls {
        let (input, _) = inputs[player.0];
        let pushes = |bit: u8| f32::from(input >> bit & 1);
        let push = Vec3::new(pushes(0) - pushes(1), 0.0, pushes(2) - pushes(3));
        velocity.0 += 0.2 * push;
    }
}
