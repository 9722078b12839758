//! What the physics keeps from step to step beside the components, and the way from one step to the next without it.

use bevy::{
    ecs::{
        entity::{EntityMapper, MapEntities},
        system::SystemParam,
    },
    prelude::*,
};
use glam::DVec3;

use super::motions::{AnyShape, ReadMotion, ReadMotionItem};
use crate::{
    body::{Bodies, BodyFlags, Columns, LastStep, SpaceOrder},
    collision::BroadPhase,
    components::{
        Capsule, Collider, CollisionHooks, CollisionLayers, Density, Division, Friction,
        GravityScale, Growth, Inertia, LockedRotation, Mass, Particle, Pivot, Plane, Restitution,
        RigidBody, RodInertia, RollingFriction, Sensor, SleepingDisabled, SpinningFriction,
        SurfaceVelocity,
    },
    config::CollisionConfig,
    ecs::{gather::BodyReader, hierarchy::Hierarchy, messages::TouchingPairs},
    flat::in_plane,
    pairs::{NearPair, NearPairs},
    parallel::fill_chunks,
    sensing::Sensors,
    solver::{
        Constraints,
        contact::{CarriedContacts, CarriedPair, ContactSolver, Contacts},
        impact::Impacts,
        islands::Islands,
        joint::{Joints, KnownJoint},
    },
};

/// What the next step needs of the last one, beside the components.
#[derive(Reflect, Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct StepState {
    /// The bodies in the order in which the last step visited them, then the bodies that have come since.
    pub entities: Vec<Entity>,
    /// Number of the bodies that were in the last step.
    pub listed: usize,
    pub order: SpaceOrder,
    pub island_steps: u32,
    /// The configuration of the last step.
    pub config: Option<CollisionConfig>,
    /// By the indices of `entities`.
    pub contacts: CarriedContacts,
    /// The bodies that pressed on a body that has gone since the last step.
    pub orphans: Vec<Entity>,
    /// The pairs that touch, by the indices of `touching_of`, sorted.
    pub touching: Vec<(u32, u32)>,
    pub touching_of: Vec<Entity>,
    /// The poses of which the components hold too little: of kinematic bodies, and of bodies that turn about another point than their
    /// origin. By the indices of `entities`.
    pub exact_poses: Vec<(u32, DVec3, Quat)>,
    /// The angular velocities of which the components hold too little. By the indices of `entities`.
    pub exact_spins: Vec<(u32, DVec3)>,
    /// The velocities of joined bodies of which the components hold too little. By the indices of `entities`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub exact_velocities: Vec<(u32, DVec3)>,
    /// Each sensor with a body in it.
    pub inside: Vec<(Entity, Entity)>,
    /// What the last step has found.
    pub last: LastStep,
    /// The bodies that have taken no substep, and those that a user has changed since the last step: the next reading starts these
    /// anew. By the indices of `entities`.
    pub fresh: Vec<u32>,
    pub changed: Vec<u32>,
    /// Where the last step has left the changed bodies: the contacts of that step were there.
    #[cfg_attr(feature = "serde", serde(default))]
    pub stood: Vec<(u32, DVec3, Quat)>,
    /// The bodies with external forces and torques, as the last step has read them. By the indices of `entities`.
    pub loads: Vec<(u32, Vec3, Vec3)>,
    /// The rules that a user's systems have given to pairs.
    pub near: Vec<NearPair>,
    /// What the last step has known of the joints, and the bodies that constraints linked in it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub joints: Vec<KnownJoint>,
    #[cfg_attr(feature = "serde", serde(default))]
    pub links: Vec<(Entity, Entity)>,
}

impl MapEntities for StepState {
    fn map_entities<E: EntityMapper>(&mut self, mapper: &mut E) {
        let Self {
            entities,
            orphans,
            touching_of,
            inside,
            near,
            last,
            joints,
            links,
            ..
        } = self;
        let pairs = inside.iter_mut().chain(links).flat_map(|(a, b)| [a, b]);
        let listed = entities.iter_mut().chain(orphans).chain(touching_of);
        let joints = joints.iter_mut().flat_map(KnownJoint::entities_mut);
        let all = listed.chain(pairs).chain(joints);
        for entity in all.chain(last.entities_mut()) {
            *entity = mapper.get_mapped(*entity);
        }
        for pair in near {
            *pair = pair.mapped(|entity| mapper.get_mapped(entity));
        }
    }
}

/// The state of the physics beside the components.
#[derive(SystemParam)]
pub(super) struct State<'w> {
    bodies: ResMut<'w, Bodies>,
    broad_phase: ResMut<'w, BroadPhase>,
    impacts: ResMut<'w, Impacts>,
    solver: ResMut<'w, ContactSolver>,
    contacts: ResMut<'w, Contacts>,
    touching: ResMut<'w, TouchingPairs>,
    islands: ResMut<'w, Islands>,
    sensors: ResMut<'w, Sensors>,
    near: ResMut<'w, NearPairs>,
    constraints: ResMut<'w, Constraints>,
    hierarchy: ResMut<'w, Hierarchy>,
}

/// The components of bodies.
#[derive(SystemParam)]
pub(super) struct Components<'w, 's> {
    pub reader: BodyReader<'w, 's>,
    motions: Query<'w, 's, (ReadMotion, Has<ChildOf>), AnyShape>,
    /// The bodies of which something has changed, since the last time, that a step does not write.
    set_by_users: Query<'w, 's, Entity, (AnyShape, SetByUsers)>,
}

/// Any component that a step treats as constant has changed.
type SetByUsers = Or<(
    Or<(
        Changed<RigidBody>,
        Changed<Particle>,
        Changed<Plane>,
        Changed<Capsule>,
        Changed<Collider>,
        Changed<CollisionLayers>,
        Changed<Sensor>,
        Changed<CollisionHooks>,
        Changed<SleepingDisabled>,
        Changed<Mass>,
        Changed<Density>,
        Changed<GravityScale>,
    )>,
    Or<(
        Changed<Restitution>,
        Changed<Friction>,
        Changed<RollingFriction>,
        Changed<SpinningFriction>,
        Changed<Growth>,
        Changed<Division>,
        Changed<RodInertia>,
        Changed<LockedRotation>,
        Changed<Inertia>,
        Changed<SurfaceVelocity>,
        Changed<Pivot>,
    )>,
)>;

impl Components<'_, '_> {
    /// Brings the poses, and all that a step treats as constant, up to date in `bodies`. The next step reads the rest.
    fn read(&self, bodies: &mut Bodies) {
        for i in 0..bodies.len() {
            let must_be_read = !bodies.is_dynamic(i) || bodies.scale[i] == Vec3::ZERO;
            bodies.flags[i].set(BodyFlags::CHANGED, must_be_read);
        }
        for entity in &self.set_by_users {
            if let Some(i) = bodies.index_of(entity) {
                bodies.flags[i].insert(BodyFlags::CHANGED);
            }
        }
        bodies.activate_all();
        for i in 0..bodies.len() {
            // The place of a child in the world is another one than its `Transform`.
            if let Ok((_, true)) = self.motions.get(bodies.entity[i]) {
                bodies.flags[i].insert(BodyFlags::CHANGED);
            }
        }
        self.reader.read_marked(bodies);
        let flat = bodies.flat;
        bodies.for_each_run(|_, mut run| {
            for i in 0..run.len() {
                if let Ok(motion) = self.motions.get(run.entity[i])
                    && run.is_dynamic(i)
                {
                    run.put_back(i, motion, flat);
                }
            }
        });
    }

    /// The bodies with another motion than the last step has left: a user has changed them since.
    fn changed(&self, bodies: &Bodies) -> Vec<u32> {
        let mut are_changed = Vec::new();
        fill_chunks(
            bodies.len(),
            BODIES_PER_TASK,
            &mut are_changed,
            false,
            |i| {
                let motion = self.motions.get(bodies.entity[i]);
                // A part has its motion from its compound.
                bodies.is_dynamic(i)
                    && !bodies.is_part(i)
                    && motion.is_ok_and(|(motion, is_child)| {
                        let child = is_child.then(|| self.reader.place_of_child(bodies.entity[i]));
                        !bodies.shows(i, motion, child.flatten())
                    })
            },
        );
        let changed = (0..).zip(are_changed).filter(|(_, is_changed)| *is_changed);
        changed.map(|(i, _)| i).collect()
    }
}

/// Bodies that one task compares.
const BODIES_PER_TASK: usize = 1024;

impl Columns<'_> {
    /// Puts a dynamic body back to what the last step has left: its components hold it.
    fn put_back(&mut self, i: usize, (motion, is_child): (ReadMotionItem, bool), flat: bool) {
        let (_, transform, v, w, a, sleep) = motion;
        if !is_child {
            let x = transform.translation;
            let x = if flat { in_plane(x) } else { x };
            (self.position[i], self.rotation[i]) = (x.as_dvec3(), transform.rotation);
            self.axis[i] = self.shape[i].axis_at(transform.rotation, self.local_axis[i]);
            let asleep =
                sleep.is_some_and(|sleep| sleep.asleep_at == Some((x, transform.rotation)));
            self.flags[i].set(BodyFlags::ASLEEP, asleep);
        }
        self.velocity[i] = v.map_or(DVec3::ZERO, |v| v.0.as_dvec3());
        self.angular_velocity[i] = w.map_or(DVec3::ZERO, |w| w.0.as_dvec3());
        let a = a.copied().unwrap_or_default();
        (self.acceleration[i], self.angular_acceleration[i]) =
            (a.field.as_dvec3(), a.angular_field);
        self.contact_acceleration[i] = a.contact;
        self.contact_angular_acceleration[i] = a.angular_contact;
        self.joint_acceleration[i] = a.joint;
        self.joint_angular_acceleration[i] = a.angular_joint;
        self.flags[i].remove(BodyFlags::FRESH);
    }
}

impl Bodies {
    /// Whether the components hold the motion of body `i`, which is a `child` at this place in the world.
    fn shows(&self, i: usize, motion: ReadMotionItem, child: Option<Transform>) -> bool {
        let (_, transform, v, w, ..) = motion;
        self.stands_at(i, child.as_ref().unwrap_or(transform))
            && v.is_none_or(|v| v.0 == self.velocity[i].as_vec3())
            && w.is_none_or(|w| w.0 == self.angular_velocity[i].as_vec3())
    }
}

impl State<'_> {
    pub fn bodies(&self) -> &Bodies {
        &self.bodies
    }
}

fn exact_poses(bodies: &Bodies) -> Vec<(u32, DVec3, Quat)> {
    let round = |x: DVec3| x.as_vec3().as_dvec3();
    let has_more = |&i: &usize| {
        let x = bodies.position[i];
        !bodies.is_part(i)
            && (bodies.centre[i] != Vec3::ZERO || (!bodies.is_dynamic(i) && x != round(x)))
    };
    (0..bodies.len())
        .filter(has_more)
        .map(|i| (i as u32, bodies.position[i], bodies.rotation[i]))
        .collect()
}

fn exact_spins(bodies: &Bodies) -> Vec<(u32, DVec3)> {
    // The others are rounded before the next step.
    let is_kept = |i: usize| !bodies.inverse_inertia[i].is_isotropic();
    exact(bodies, &bodies.angular_velocity, is_kept)
}

fn exact_velocities(bodies: &Bodies) -> Vec<(u32, DVec3)> {
    let is_kept = |i: usize| bodies.joint_acceleration[i] != Vec3::ZERO;
    exact(bodies, &bodies.velocity, is_kept)
}

/// The vectors of bodies that keep more digits of theirs than f32 has.
fn exact(bodies: &Bodies, vectors: &[DVec3], is_kept: impl Fn(usize) -> bool) -> Vec<(u32, DVec3)> {
    let vectors = vectors.iter().enumerate();
    let has_more = |&(i, v): &(usize, &DVec3)| {
        !bodies.is_part(i) && is_kept(i) && *v != v.as_vec3().as_dvec3()
    };
    vectors
        .filter(has_more)
        .map(|(i, v)| (i as u32, *v))
        .collect()
}

fn loads(bodies: &Bodies) -> Vec<(u32, Vec3, Vec3)> {
    let loads = bodies.external_force.iter().zip(&bodies.external_torque);
    let loads = (0..).zip(loads);
    let loaded = loads.filter(|(_, load)| *load != (&Vec3::ZERO, &Vec3::ZERO));
    loaded
        .map(|(i, (force, torque))| (i, *force, *torque))
        .collect()
}

impl StepState {
    /// Takes the state of the last step. `unlisted` are the bodies that have come since, and `is_gone` tells which have gone.
    pub fn take(
        state: &mut State,
        components: &Components,
        unlisted: &[Entity],
        is_gone: impl Fn(Entity) -> bool,
    ) -> Self {
        let bodies = &*state.bodies;
        let changed = components.changed(bodies);
        let stood = changed.iter().map(|&i| {
            let at = i as usize;
            (i, bodies.position[at], bodies.rotation[at])
        });
        let stood = stood.collect();
        let fresh = (0..bodies.len()).filter(|&i| bodies.is_fresh(i));
        let fresh = fresh.map(|i| i as u32).collect();
        let listed = bodies.len();
        let index_of_unlisted = |entity: Entity| {
            let at = unlisted.iter().position(|&other| other == entity)?;
            Some((listed + at) as u32)
        };
        let contacts = (state.solver).carried(bodies, &mut state.contacts, index_of_unlisted);
        let entities = [&bodies.entity, unlisted].concat();
        let (touching, touching_of) = state.touching.all();
        let mut taken = Self {
            touching_of: touching_of.to_vec(),
            entities,
            listed,
            order: bodies.order.clone(),
            island_steps: state.islands.steps,
            config: state.islands.config.clone(),
            contacts,
            orphans: state.islands.orphans.clone(),
            touching,
            exact_poses: exact_poses(bodies),
            exact_spins: exact_spins(bodies),
            exact_velocities: exact_velocities(bodies),
            inside: state.sensors.pairs().to_vec(),
            last: bodies.last_step.clone(),
            loads: loads(bodies),
            fresh,
            changed,
            stood,
            near: state.near.iter().copied().collect(),
            joints: (state.constraints.get::<Joints>())
                .map_or_else(Vec::new, |joints| joints.known().to_vec()),
            links: state.constraints.links().to_vec(),
        };
        taken.leave_out(is_gone);
        taken
    }

    /// Leaves out the bodies that are gone. The bodies that pressed on them wake in the next step. Returns those that are gone.
    fn leave_out(&mut self, is_gone: impl Fn(Entity) -> bool) -> Vec<Entity> {
        let gone: Vec<Entity> = self
            .entities
            .iter()
            .copied()
            .filter(|&e| is_gone(e))
            .collect();
        if gone.is_empty() {
            return gone;
        }
        let mut next = 0;
        let index_of: Vec<Option<u32>> = self
            .entities
            .iter()
            .map(|&entity| {
                (!is_gone(entity)).then(|| {
                    next += 1;
                    next - 1
                })
            })
            .collect();
        let of = |i: u32| index_of[i as usize];
        let pairs = self.contacts.awake.iter().chain(&self.contacts.asleep);
        let presses =
            |carried: &&CarriedPair| carried.normal != 0.0 || carried.friction != Vec3::ZERO;
        for &CarriedPair { pair: (a, b), .. } in pairs.filter(presses) {
            let orphan = match (of(a), of(b)) {
                (Some(_), None) => a,
                (None, Some(_)) => b,
                _ => continue,
            };
            self.orphans.push(self.entities[orphan as usize]);
        }
        self.contacts.renumber(of);
        let keep = |i: &mut u32| {
            of(*i).is_some_and(|now| {
                *i = now;
                true
            })
        };
        self.exact_poses.retain_mut(|(i, ..)| keep(i));
        self.exact_spins.retain_mut(|(i, _)| keep(i));
        self.exact_velocities.retain_mut(|(i, _)| keep(i));
        self.loads.retain_mut(|(i, ..)| keep(i));
        self.fresh.retain_mut(keep);
        self.changed.retain_mut(keep);
        self.stood.retain_mut(|(i, ..)| keep(i));
        self.listed = index_of[..self.listed].iter().flatten().count();
        self.entities.retain(|&entity| !is_gone(entity));
        gone
    }

    /// Lets the physics go on from here, in the world in which the components are as they were. Returns the bodies that are gone.
    pub fn apply(mut self, components: &Components, state: &mut State) -> Vec<Entity> {
        let reader = &components.reader;
        let gone = self.leave_out(|entity| !reader.has(entity));
        let bodies = &mut *state.bodies;
        let order = &self.entities[..self.listed];
        if order != bodies.entity {
            bodies.rearrange(order);
            bodies.entity.copy_from_slice(order);
            bodies.index();
        }
        components.read(bodies);
        for &(i, x, rotation) in &self.exact_poses {
            (bodies.position[i as usize], bodies.rotation[i as usize]) = (x, rotation);
        }
        // What a user has written since shows something else.
        for (exact, shown) in [
            (&self.exact_spins, &mut bodies.angular_velocity),
            (&self.exact_velocities, &mut bodies.velocity),
        ] {
            for &(i, exact) in exact {
                let shown = &mut shown[i as usize];
                if *shown == exact.as_vec3().as_dvec3() {
                    *shown = exact;
                }
            }
        }
        bodies.place_parts();
        let mut columns = bodies.columns();
        for &i in &self.fresh {
            columns.start_anew(i as usize);
        }
        for &i in &self.changed {
            columns.flags[i as usize].insert(BodyFlags::SWITCHED);
        }
        bodies.external_force.fill(Vec3::ZERO);
        bodies.external_torque.fill(Vec3::ZERO);
        for &(i, force, torque) in &self.loads {
            (
                bodies.external_force[i as usize],
                bodies.external_torque[i as usize],
            ) = (force, torque);
        }
        bodies.order = self.order.clone();
        self.resume(state);
        // The next step enlists the other bodies, and reads all.
        state.bodies.are_written = false;
        state.bodies.is_restored = true;
        state.bodies.mark_all_changed();
        gone
    }

    /// Lets the physics go on from here. The bodies are the same as in the last step.
    pub fn resume(&self, state: &mut State) {
        let State {
            bodies,
            broad_phase,
            impacts,
            solver,
            contacts,
            touching,
            islands,
            sensors,
            near,
            constraints,
            hierarchy,
        } = state;
        if bodies.entity != self.entities[..self.listed] {
            bodies.rearrange(&self.entities[..self.listed]);
            bodies.index();
        }
        bodies.last_step.clone_from(&self.last);
        broad_phase.begin_anew();
        impacts.begin_anew();
        let stood = &self.stood;
        solver.carry(bodies, &self.entities, contacts, (&self.contacts, stood));
        touching.resume_from(self.touching.clone(), self.touching_of.clone());
        islands.steps = self.island_steps;
        islands.config.clone_from(&self.config);
        islands.orphans.clone_from(&self.orphans);
        sensors.put_back(self.inside.clone());
        if constraints.get::<Joints>().is_none() && !self.joints.is_empty() {
            constraints.add(Joints::default());
        }
        let mut parted = &[][..];
        if let Some(joints) = constraints.get_mut::<Joints>() {
            joints.put_back(self.joints.clone());
            parted = joints.parted();
        }
        near.put_back(self.near.clone(), parted);
        constraints.put_links_back(self.links.clone());
        // The places of children are found anew from their `Transform`s, here and in a restored world.
        **hierarchy = Hierarchy::default();
    }
}
