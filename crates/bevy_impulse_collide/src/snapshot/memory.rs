//! A snapshot of the physics in memory.

use std::hash::{DefaultHasher, Hasher};

use bevy::prelude::*;
use glam::DVec3;

use super::{
    index_of::IndexOf,
    motions::{AnyShape, Growing, MotionReader, Motions, ReadMotion, WriteMotion},
    packed::PackedPairs,
    saved::PhysicsState,
    step_state::{Components, State, StepState},
};
use crate::{
    body::{LastStep, SpaceOrder},
    components::{Capsule, Growth, InWorld, JointDisabled, JointStrength, Mass, MovedByTransform},
    config::CollisionConfig,
    ecs::compounds::find_compounds,
    pairs::NearPair,
    parallel::join,
    solver::{
        contact::{CarriedContacts, CarriedPair, CarriedSurface},
        joint::KnownJoint,
    },
};

/// The physics of a world at one moment, in memory: to go back, and to go on from there to the same bits.
///
/// It holds what a step writes: poses, velocities, accelerations, sleep, growth, the impulses of contacts, who touches whom, and which joints
/// are broken.
/// It does not hold what you set: shapes, masses, materials, layers, forces, the configuration, and the step's length. If you
/// change these between taking and restoring, put them back yourself.
///
/// [`take`](Self::take) lets the world itself start anew from the snapshot too: the next step finds all pairs anew. So a world that
/// goes on, and the same world after [`restore`](Self::restore), end in the same bits, and write the same messages. But a world of
/// which no snapshot is taken ends in other bits. So two peers must take their snapshots at the same steps: for example at every
/// step.
///
/// Take it in a fixed schedule, or switch interpolation off: in `Update`, transforms are smoothed, and it would hold these. Take it
/// after a step, before you change bodies: a body that you changed before does not wake its sleeping neighbours in the
/// restored world.
///
/// ```
/// use bevy::{prelude::*, time::TimePlugin};
/// use bevy_impulse_collide::{prelude::*, snapshot::PhysicsSnapshot};
/// use std::time::Duration;
///
/// let mut app = App::new();
/// app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }));
/// let world = app.world_mut();
/// let ball = world.spawn(Particle::new(0.5)).id();
/// let height = |world: &World| world.get::<Transform>(ball).unwrap().translation.y;
///
/// let step = Duration::from_secs_f64(1.0 / 60.0);
/// bevy_impulse_collide::step(world, step);
/// let before = PhysicsSnapshot::take(world);
/// bevy_impulse_collide::step(world, step);
/// let first = height(world);
///
/// before.restore(world);
/// bevy_impulse_collide::step(world, step);
/// assert_eq!(height(world), first);
/// ```
#[derive(Clone, Debug, Default)]
pub struct PhysicsSnapshot {
    entities: Vec<Entity>,
    listed: usize,
    motions: Motions,
    order: SpaceOrder,
    island_steps: u32,
    config: Option<CollisionConfig>,
    awake: PackedPairs,
    asleep: PackedPairs,
    surfaces: Vec<CarriedSurface>,
    surfaces_asleep: Vec<CarriedSurface>,
    h_before: f32,
    orphans: Vec<Entity>,
    /// The pairs that touch although they have no contact, sorted: an impact has just parted them.
    touching: Vec<(u32, u32)>,
    /// The bodies of the touching pairs, and all these pairs, if bodies have gone since the last step.
    touching_before: Option<(Vec<Entity>, Vec<(u32, u32)>)>,
    exact_poses: Vec<(u32, DVec3, Quat)>,
    exact_spins: Vec<(u32, DVec3)>,
    exact_velocities: Vec<(u32, DVec3)>,
    /// The bodies that follow their `Transform`, and the poses that they have reached.
    followers: Vec<(Entity, MovedByTransform)>,
    /// The joints that may break, and whether they are disabled.
    breakable: Vec<(Entity, bool)>,
    /// Each sensor with a body in it.
    inside: Vec<(Entity, Entity)>,
    last: LastStep,
    loads: Vec<(u32, Vec3, Vec3)>,
    fresh: Vec<u32>,
    changed: Vec<u32>,
    stood: Vec<(u32, DVec3, Quat)>,
    /// The rules that a user's systems have given to pairs.
    near: Vec<NearPair>,
    /// What the last step has known of the joints, and the bodies that constraints linked in it.
    joints: Vec<KnownJoint>,
    links: Vec<(Entity, Entity)>,
}

/// The bodies that a [restored](PhysicsSnapshot::restore) world does not share with its snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restored {
    /// Bodies of the snapshot that are despawned, or are no bodies any more. They take no part. Bodies that leant on them wake.
    pub missing: Vec<Entity>,
    /// Bodies that the snapshot does not know. They stay as they are, and take part.
    pub unknown: Vec<Entity>,
}

impl Restored {
    /// Whether the world has just the bodies of the snapshot. Otherwise its future may be another one.
    pub fn is_exact(&self) -> bool {
        self.missing.is_empty() && self.unknown.is_empty()
    }
}

impl PhysicsSnapshot {
    /// Takes a snapshot between two steps. An app without the physics gives an empty one.
    pub fn take(world: &mut World) -> Self {
        world.run_system_cached(take).unwrap_or_default()
    }

    /// Puts the physics back to the moment of the snapshot, and tells which bodies it could not put back. Despawned bodies stay
    /// despawned.
    pub fn restore(&self, world: &mut World) -> Restored {
        world.remove_resource::<PhysicsState>();
        let written = world.run_system_cached_with(write, self);
        let (unknown, taken) = written.unwrap_or_default();
        // Parts are where they are in their compounds now. Without the physics there is nothing to find.
        let _ = world.run_system_cached(find_compounds);
        let missing = world.run_system_cached_with(resume, taken);
        Restored {
            missing: missing.unwrap_or_default(),
            unknown,
        }
    }

    /// The number of bodies.
    pub fn len(&self) -> usize {
        self.entities.len()
    }

    /// Whether there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.entities.is_empty()
    }

    /// The memory that it takes, in bytes.
    pub fn bytes(&self) -> usize {
        let touching = self.touching_before.as_ref();
        size_of::<Self>()
            + size_of_val(&self.entities[..])
            + self.motions.heap_bytes()
            + self.awake.heap_bytes()
            + self.asleep.heap_bytes()
            + size_of_val(&self.surfaces[..])
            + size_of_val(&self.surfaces_asleep[..])
            + size_of_val(&self.orphans[..])
            + size_of_val(&self.touching[..])
            + size_of_val(&self.exact_poses[..])
            + size_of_val(&self.exact_spins[..])
            + size_of_val(&self.exact_velocities[..])
            + size_of_val(&self.followers[..])
            + size_of_val(&self.breakable[..])
            + size_of_val(&self.inside[..])
            + size_of_val(&self.loads[..])
            + size_of_val(&self.fresh[..])
            + size_of_val(&self.changed[..])
            + size_of_val(&self.stood[..])
            + size_of_val(&self.near[..])
            + size_of_val(&self.joints[..])
            + size_of_val(&self.links[..])
            + touching.map_or(0, |(of, pairs)| {
                size_of_val(&of[..]) + size_of_val(&pairs[..])
            })
    }

    /// A checksum of the motions and the impulses: two peers compare it. It does not cover the rules that hooks give to pairs. It does
    /// not depend on the entities, but on their order, and it is the same in every run of one build.
    pub fn checksum(&self) -> u64 {
        // With its fixed keys this hasher gives the same hash in every run.
        let mut hasher = DefaultHasher::new();
        self.motions.hash(&mut hasher);
        let places = self.exact_poses.iter().map(|&(i, x, _)| (i, x));
        let spins = self.exact_spins.iter().copied();
        let velocities = self.exact_velocities.iter().copied();
        for (i, exact) in places.chain(spins).chain(velocities) {
            hasher.write_u32(i);
            for number in exact.to_array() {
                hasher.write_u64(number.to_bits());
            }
        }
        for pairs in [&self.awake, &self.asleep] {
            pairs.hash(&mut hasher);
        }
        for surface in self.surfaces.iter().chain(&self.surfaces_asleep) {
            let CarriedPair {
                pair,
                normal,
                friction,
                couple,
                second_share,
            } = surface.of;
            hasher.write_u64(u64::from(pair.0) << 32 | u64::from(pair.1));
            let vectors = [friction, couple, surface.normal].map(|v| v.to_array());
            let numbers = [normal, second_share].into_iter();
            for number in numbers.chain(vectors.into_iter().flatten()) {
                hasher.write_u32(number.to_bits());
            }
        }
        hasher.finish()
    }

    /// Replaces the entities, in a world where bodies have others: for example after bodies were despawned and spawned again.
    pub fn map_entities(&mut self, map: impl Fn(Entity) -> Entity) {
        let touching = self.touching_before.iter_mut().flat_map(|(of, _)| of);
        let all = self.entities.iter_mut().chain(&mut self.orphans);
        let pairs = self.inside.iter_mut().chain(&mut self.links);
        let pairs = pairs.flat_map(|(a, b)| [a, b]);
        let following = self.followers.iter_mut().map(|(entity, _)| entity);
        let breakable = self.breakable.iter_mut().map(|(entity, _)| entity);
        let joints = self.joints.iter_mut().flat_map(KnownJoint::entities_mut);
        let all = all.chain(touching).chain(pairs).chain(following);
        let all = all.chain(breakable).chain(joints);
        for entity in all.chain(self.last.entities_mut()) {
            *entity = map(*entity);
        }
        for pair in &mut self.near {
            *pair = pair.mapped(&map);
        }
    }

    fn pack(motions: Motions, taken: &StepState) -> Self {
        let StepState {
            entities,
            listed,
            order,
            island_steps,
            config,
            contacts,
            orphans,
            touching,
            touching_of,
            exact_poses,
            exact_spins,
            exact_velocities,
            inside,
            last,
            loads,
            fresh,
            changed,
            stood,
            near,
            joints,
            links,
        } = taken;
        let are_same = entities.get(..*listed) == Some(&touching_of[..]);
        let (now, before) = if are_same {
            (&touching[..], None)
        } else {
            (&[][..], Some((touching_of.clone(), touching.clone())))
        };
        let mut apart = now.to_vec();
        for pairs in [&contacts.awake, &contacts.asleep] {
            let mut pairs = pairs.iter().map(|carried| carried.pair).peekable();
            apart.retain(|pair| {
                while pairs.next_if(|other| other < pair).is_some() {}
                pairs.peek() != Some(pair)
            });
        }
        Self {
            entities: entities.clone(),
            listed: *listed,
            motions,
            order: order.clone(),
            island_steps: *island_steps,
            config: config.clone(),
            awake: PackedPairs::new(&contacts.awake, now),
            asleep: PackedPairs::new(&contacts.asleep, now),
            surfaces: contacts.surfaces.clone(),
            surfaces_asleep: contacts.surfaces_asleep.clone(),
            h_before: contacts.h_before,
            orphans: orphans.clone(),
            touching: apart,
            touching_before: before,
            exact_poses: exact_poses.clone(),
            exact_spins: exact_spins.clone(),
            exact_velocities: exact_velocities.clone(),
            followers: Vec::new(),
            breakable: Vec::new(),
            inside: inside.clone(),
            last: last.clone(),
            loads: loads.clone(),
            fresh: fresh.clone(),
            changed: changed.clone(),
            stood: stood.clone(),
            near: near.clone(),
            joints: joints.clone(),
            links: links.clone(),
        }
    }

    /// Writes the motions, and returns the bodies that the snapshot does not know.
    fn write_motions(&self, motions: &mut Query<WriteMotion, AnyShape>) -> Vec<Entity> {
        let index_of = IndexOf::new(&self.entities);
        let mut unknown = Vec::new();
        for motion in motions {
            match index_of.get(motion.0) {
                Some(k) => self.motions.write(k, motion),
                None => unknown.push(motion.0),
            }
        }
        unknown.sort_unstable();
        unknown
    }

    fn unpack(&self) -> StepState {
        let mut touching = self.touching.clone();
        let mut unpack_pairs = |pairs: &PackedPairs| {
            let pairs = pairs.iter().map(|(carried, touches)| {
                if touches {
                    touching.push(carried.pair);
                }
                carried
            });
            pairs.collect()
        };
        let contacts = CarriedContacts {
            awake: unpack_pairs(&self.awake),
            asleep: unpack_pairs(&self.asleep),
            surfaces: self.surfaces.clone(),
            surfaces_asleep: self.surfaces_asleep.clone(),
            h_before: self.h_before,
        };
        // Stable: it is fast for a few sorted runs.
        touching.sort();
        touching.dedup();
        let (touching_of, touching) = match &self.touching_before {
            Some((of, pairs)) => (of.clone(), pairs.clone()),
            None => (self.entities[..self.listed].to_vec(), touching),
        };
        StepState {
            entities: self.entities.clone(),
            listed: self.listed,
            order: self.order.clone(),
            island_steps: self.island_steps,
            config: self.config.clone(),
            contacts,
            orphans: self.orphans.clone(),
            touching,
            touching_of,
            exact_poses: self.exact_poses.clone(),
            exact_spins: self.exact_spins.clone(),
            exact_velocities: self.exact_velocities.clone(),
            inside: self.inside.clone(),
            last: self.last.clone(),
            loads: self.loads.clone(),
            fresh: self.fresh.clone(),
            changed: self.changed.clone(),
            stood: self.stood.clone(),
            near: self.near.clone(),
            joints: self.joints.clone(),
            links: self.links.clone(),
        }
    }
}

fn take(
    components: Components,
    motions: Query<ReadMotion, AnyShape>,
    growing: Growing,
    followers: Query<(Entity, &MovedByTransform), Without<InWorld>>,
    breakable: Query<(Entity, Has<JointDisabled>), (With<JointStrength>, Without<InWorld>)>,
    mut state: State,
) -> PhysicsSnapshot {
    let entities = state.bodies().entity.clone();
    let (mut read, mut taken) = join(
        || MotionReader::read(&entities, &motions, &growing),
        || StepState::take(&mut state, &components, &[], |_| false),
    );
    if !read.is_of_all() {
        let unlisted = components.reader.unlisted(state.bodies());
        let is_gone = |entity| !motions.contains(entity);
        taken = StepState::take(&mut state, &components, &unlisted, is_gone);
        read = MotionReader::read(&taken.entities, &motions, &growing);
    }
    let (mut snapshot, ()) = join(
        || PhysicsSnapshot::pack(read.finish(), &taken),
        || taken.resume(&mut state),
    );
    let followers = followers.iter().map(|(entity, moved)| (entity, *moved));
    snapshot.followers = followers.collect();
    snapshot.breakable = breakable.iter().collect();
    snapshot
}

/// Writes the components. Returns the bodies that the snapshot does not know, and what the step needs beside the components.
fn write(
    InRef(snapshot): InRef<PhysicsSnapshot>,
    mut motions: Query<WriteMotion, AnyShape>,
    mut growing: Query<(&mut Capsule, &mut Mass, Option<&mut Growth>)>,
    mut followers: Query<&mut MovedByTransform>,
    breakable: Query<Has<JointDisabled>, With<JointStrength>>,
    mut commands: Commands,
) -> (Vec<Entity>, StepState) {
    let (unknown, taken) = join(
        || snapshot.write_motions(&mut motions),
        || snapshot.unpack(),
    );
    for &(k, capsule_then, mass_then, growth_then) in snapshot.motions.grown() {
        let Ok((mut capsule, mut mass, growth)) = growing.get_mut(snapshot.entities[k as usize])
        else {
            continue;
        };
        *capsule = capsule_then;
        *mass = mass_then;
        if let (Some(mut growth), Some(growth_then)) = (growth, growth_then) {
            *growth = growth_then;
        }
    }
    for &(entity, moved_then) in &snapshot.followers {
        if let Ok(mut moved) = followers.get_mut(entity) {
            *moved = moved_then;
        }
    }
    for &(entity, was_disabled) in &snapshot.breakable {
        match (breakable.get(entity), was_disabled) {
            (Ok(true), false) => drop(commands.entity(entity).remove::<JointDisabled>()),
            (Ok(false), true) => drop(commands.entity(entity).insert(JointDisabled)),
            _ => {}
        }
    }
    (unknown, taken)
}

fn resume(In(taken): In<StepState>, components: Components, mut state: State) -> Vec<Entity> {
    taken.apply(&components, &mut state)
}
