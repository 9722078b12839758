//! All joints of a world: a kind of constraint.

use bevy::{ecs::entity::EntityHashMap, prelude::*};
use glam::DVec3;

use super::{
    articulation::{Articulation, StruckFlight},
    law::JointLaw,
    link::{Link, Side},
    node::Node,
};
use crate::{
    body::Bodies,
    kernel::free_rotation,
    parallel::for_each,
    solver::{
        contact::{HalfImpulse, PositionError, RowBody, RowInput, RowSums, RowVelocities, Rows},
        disjoint_sets::DisjointSets,
    },
};

/// Bodies that one task solves, at least.
const BODIES_PER_TASK: usize = 64;

/// A joint between two bodies of the world.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JointOf {
    pub entity: Entity,
    /// Of a part, the part; none for the world.
    pub bodies: [Option<Entity>; 2],
    pub law: JointLaw,
    pub bodies_collide: bool,
}

/// What a step has to know of a joint to see in the next one whether it is new, gone, or another one.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct KnownJoint {
    entity: Entity,
    bodies: [Option<Entity>; 2],
    bodies_collide: bool,
    law: u64,
}

impl KnownJoint {
    fn of(joint: &JointOf) -> Self {
        Self {
            entity: joint.entity,
            bodies: joint.bodies,
            bodies_collide: joint.bodies_collide,
            law: joint.law.fingerprint(),
        }
    }

    pub fn entities_mut(&mut self) -> impl Iterator<Item = &mut Entity> {
        let bodies = self.bodies.iter_mut().flatten();
        bodies.chain([&mut self.entity])
    }
}

/// What a joint has given in the substeps of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reaction {
    /// The sums of the forces in N, and of the torques in N·m, on `b`.
    force: Vec3,
    torque: Vec3,
    substeps: u16,
    /// The greatest of a substep.
    pub most_force: f32,
    pub most_torque: f32,
}

impl Reaction {
    /// The mean force in N and torque in N·m; none of a sleeper.
    pub fn mean(&self) -> Option<(Vec3, Vec3)> {
        let substeps = f32::from(self.substeps);
        (self.substeps > 0).then(|| (self.force / substeps, self.torque / substeps))
    }

    fn add(&mut self, force: Vec3, torque: Vec3) {
        self.force += force;
        self.torque += torque;
        self.substeps += 1;
        self.most_force = self.most_force.max(force.length());
        self.most_torque = self.most_torque.max(torque.length());
    }
}

/// All joints of a world.
#[derive(Default)]
pub(crate) struct Joints {
    joints: Vec<JointOf>,
    /// What the last step has known of them.
    known: Vec<KnownJoint>,
    reactions: Vec<Reaction>,
    /// The bodies that are joined and do not collide: the lower entity first, sorted.
    parted: Vec<(Entity, Entity)>,
    articulations: Vec<Articulation>,
    /// What the articulations were made for.
    made_for: Vec<Joined>,
    /// The articulation of each joint, and its number there.
    places: Vec<Option<(u32, u32)>>,
    joined: DisjointSets,
    /// The number of the articulation of each body, plus one.
    of_body: Vec<u32>,
    /// Whether bodies may have been let go.
    has_changed: bool,
}

/// What a joint joins: its dynamic bodies, and how many rows it has.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Joined {
    nodes: [Option<usize>; 2],
    rows: usize,
    is_rod: bool,
}

impl Joints {
    /// Whether there are none, and the last step knew none.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty() && self.known.is_empty()
    }

    /// What the last step has known of the joints.
    pub fn known(&self) -> &[KnownJoint] {
        &self.known
    }

    /// Goes back to what the last step has known of the joints. The next step lists them again.
    pub fn put_back(&mut self, known: Vec<KnownJoint>) {
        self.joints.clear();
        self.has_changed = true;
        self.know(known);
    }

    fn know(&mut self, known: Vec<KnownJoint>) {
        let parted = known.iter().filter(|joint| !joint.bodies_collide);
        let ordered = parted.filter_map(|joint| {
            let [a, b] = joint.bodies;
            let (a, b) = (a?, b?);
            Some((a.min(b), a.max(b)))
        });
        self.parted.clear();
        self.parted.extend(ordered);
        self.parted.sort_unstable();
        self.parted.dedup();
        self.known = known;
    }

    /// Replaces all joints, at the start of a step. Calls `feel` with the bodies of each that is new, gone, or another one than before.
    pub fn set(&mut self, joints: Vec<JointOf>, mut feel: impl FnMut(Entity)) {
        self.reactions.clear();
        self.reactions.resize(joints.len(), Reaction::default());
        // After they were put back, none are listed.
        if self.joints == joints && self.joints.len() == self.known.len() {
            return;
        }
        self.joints = joints;
        let now: Vec<KnownJoint> = self.joints.iter().map(KnownJoint::of).collect();
        let by_entity = |joints: &[KnownJoint]| -> EntityHashMap<KnownJoint> {
            joints.iter().map(|&joint| (joint.entity, joint)).collect()
        };
        let (before, after) = (by_entity(&self.known), by_entity(&now));
        let changed = (now.iter()).filter(|joint| before.get(&joint.entity) != Some(joint));
        // In the order of the list: that of a map may differ from run to run.
        let gone = (self.known.iter()).filter(|joint| !after.contains_key(&joint.entity));
        for joint in changed.chain(gone) {
            joint.bodies.into_iter().flatten().for_each(&mut feel);
        }
        self.know(now);
    }

    /// The bodies that are joined and do not collide: the lower entity first, sorted.
    pub fn parted(&self) -> &[(Entity, Entity)] {
        &self.parted
    }

    /// What each joint has given in this step.
    pub fn reactions(&self) -> impl Iterator<Item = (Entity, Reaction)> {
        let entities = self.joints.iter().map(|joint| joint.entity);
        entities.zip(self.reactions.iter().copied())
    }

    /// Makes the articulations anew, if the joints join other bodies than before.
    fn group(&mut self, bodies: &Bodies) {
        let node = |entity: Option<Entity>| {
            let i = bodies.whole_of(bodies.index_of(entity?)?);
            bodies.is_dynamic(i).then_some(i)
        };
        let joined = |joint: &JointOf| Joined {
            nodes: joint.bodies.map(node),
            rows: joint.law.row_count(),
            is_rod: joint.law.is_rod(),
        };
        let is_same = self.made_for.len() == self.joints.len()
            && (self.joints.iter().zip(&self.made_for))
                .all(|(joint, before)| joined(joint) == *before);
        if is_same {
            return;
        }
        self.has_changed = true;
        self.made_for = self.joints.iter().map(joined).collect();
        self.joined.reset(bodies.len());
        for Joined { nodes, .. } in &self.made_for {
            if let [Some(a), Some(b)] = *nodes {
                self.joined.join(a, b);
            }
        }
        // Both by the root of a body, or by a body: plus one.
        let (mut articulation_of, mut node_of) = (vec![0; bodies.len()], vec![0; bodies.len()]);
        self.articulations.clear();
        self.places.clear();
        for (number, (joint, of)) in (0..).zip(self.joints.iter().zip(&self.made_for)) {
            let Some(one) = of.nodes.iter().flatten().next() else {
                self.places.push(None);
                continue;
            };
            let place = &mut articulation_of[self.joined.root(*one)];
            if *place == 0 {
                self.articulations.push(Articulation::default());
                *place = self.articulations.len();
            }
            let articulation = &mut self.articulations[*place - 1];
            let mut sides = [Side::WORLD; 2];
            for (side, node) in sides.iter_mut().zip(of.nodes) {
                side.node = node.map(|i| {
                    if node_of[i] == 0 {
                        articulation.nodes.push(Node::new(RowBody::struck(
                            bodies,
                            i,
                            (bodies.position[i], bodies.rotation[i]),
                        )));
                        node_of[i] = articulation.nodes.len() as u32;
                    }
                    node_of[i] - 1
                });
            }
            let link = articulation.links.len() as u32;
            self.places.push(Some((*place as u32 - 1, link)));
            articulation.joints.push(number);
            articulation.links.push(Link::new(joint.law.clone(), sides));
        }
        for articulation in &mut self.articulations {
            articulation.find_structure();
        }
        self.of_body.clear();
        self.of_body.resize(bodies.len(), 0);
        for (number, articulation) in (1..).zip(&self.articulations) {
            for node in &articulation.nodes {
                self.of_body[node.body.index()] = number;
            }
        }
    }

    /// Finds which bodies are joined, before the impacts of a substep.
    pub fn find_joined(&mut self, bodies: &Bodies) {
        self.group(bodies);
        self.copy_laws();
        for articulation in &mut self.articulations {
            articulation.struck_at = 0.0;
        }
    }

    /// Gives each link what its joint holds now.
    fn copy_laws(&mut self) {
        for (joint, place) in self.joints.iter().zip(&self.places) {
            if let &Some((articulation, link)) = place {
                let link = &mut self.articulations[articulation as usize].links[link as usize];
                if link.law != joint.law {
                    link.law = joint.law.clone();
                }
            }
        }
    }

    /// The number of the articulation of a body.
    pub fn articulation_of(&self, i: usize) -> Option<usize> {
        let number = self.of_body.get(i).copied().unwrap_or(0);
        (number as usize).checked_sub(1)
    }

    /// The dynamic bodies of an articulation.
    pub fn bodies_of(&self, articulation: usize) -> impl Iterator<Item = usize> {
        let nodes = self.articulations[articulation].nodes.iter();
        nodes.map(|node| node.body.index())
    }

    /// Prepares for impacts on an articulation at `time` seconds into the substep.
    /// Returns the time in s since the last one, or since the substep began.
    pub fn strike(&mut self, bodies: &Bodies, articulation: usize, time: f32) -> f32 {
        let Self {
            articulations,
            joints,
            ..
        } = self;
        let pose_of = |i: usize| {
            let (rotation, _) = free_rotation(
                bodies.flight_rotation[i],
                bodies.angular_velocity[i],
                &bodies.inverse_inertia[i],
                time,
            );
            (bodies.fly(i, time).x.as_dvec3(), rotation)
        };
        let ends = |joint: u32| {
            let of = joints[joint as usize].bodies;
            of.map(|entity| Some(bodies.whole_of(bodies.index_of(entity?)?)))
        };
        articulations[articulation].strike(bodies, time, pose_of, ends)
    }

    /// How the velocities of its bodies have to change for the joints to allow them, where it is struck. After [`strike`](Self::strike).
    pub fn calm(
        &mut self,
        articulation: usize,
        flight_of: impl Fn(usize) -> StruckFlight,
        changed: impl FnMut(usize, DVec3, DVec3),
    ) {
        self.articulations[articulation].calm(flight_of, changed);
    }

    /// How impulses and angular impulses on some of its bodies change the velocities of all: J·Δv = 0. After [`strike`](Self::strike).
    pub fn respond(
        &mut self,
        articulation: usize,
        pushes: &[(usize, DVec3, DVec3)],
        changed: impl FnMut(usize, DVec3, DVec3),
    ) {
        self.articulations[articulation].respond(pushes, changed);
    }

    /// Works on the articulations that are awake, on the compute threads.
    fn for_each_awake(&mut self, work: impl Fn(&mut Articulation) + Sync) {
        let mut rest = &mut self.articulations[..];
        let tasks = std::iter::from_fn(|| {
            let mut bodies = 0;
            let ends = rest.iter().position(|articulation| {
                bodies += articulation.nodes.len();
                bodies >= BODIES_PER_TASK
            });
            let end = ends.map_or(rest.len(), |end| end + 1);
            let (task, after) = std::mem::take(&mut rest).split_at_mut(end);
            rest = after;
            (!task.is_empty()).then_some(task)
        });
        for_each(tasks, |task| {
            task.iter_mut().filter(|it| it.is_awake).for_each(&work);
        });
    }

    fn write(&self, velocities: &mut RowVelocities) {
        for articulation in self.articulations.iter().filter(|it| it.is_awake) {
            articulation.write(velocities);
        }
    }
}

/// Where a body that no impulse moves starts a substep, and where it ends it.
fn held_way(bodies: &Bodies, body: &RowBody, h: f32) -> Side {
    let i = body.index();
    let motion = match bodies.moves(i) {
        true => (
            bodies.velocity[i].as_vec3(),
            bodies.angular_velocity[i].as_vec3(),
        ),
        false => (Vec3::ZERO, Vec3::ZERO),
    };
    Side {
        body: Some(*body),
        node: None,
        start: (body.position, body.rotation),
        end: body.end(motion, h),
    }
}

impl Rows for Joints {
    fn prepare(&mut self, input: &RowInput) {
        self.group(input.bodies());
        self.copy_laws();
        for (joint, place) in self.joints.iter().zip(&self.places) {
            let &Some((articulation, link)) = place else {
                continue;
            };
            let Articulation { nodes, links, .. } = &mut self.articulations[articulation as usize];
            let link = &mut links[link as usize];
            for (side, entity) in link.sides.iter_mut().zip(joint.bodies) {
                let body = entity.and_then(|entity| input.body(entity));
                match (side.node, body) {
                    (Some(node), Some(body)) => {
                        nodes[node as usize].body = body;
                        side.body = Some(body);
                    }
                    (None, Some(body)) => {
                        *side = held_way(input.bodies(), &body, input.substep());
                    }
                    (_, None) => *side = Side::WORLD,
                }
            }
        }
        for articulation in &mut self.articulations {
            articulation.is_awake = articulation.nodes.iter().any(|node| node.body.moves());
        }
        let (bodies, h) = (input.bodies(), f64::from(input.substep()));
        self.for_each_awake(|articulation| articulation.begin(bodies, h));
    }

    fn warm_start(&mut self, velocities: &mut RowVelocities) {
        let now = &*velocities;
        self.for_each_awake(|articulation| articulation.estimate(now));
        self.write(velocities);
    }

    fn solve(&mut self, _relaxation: f32, velocities: &mut RowVelocities) {
        let now = &*velocities;
        self.for_each_awake(|articulation| articulation.solve(now));
        self.write(velocities);
    }

    fn list_unsettled(&self, unsettled: &mut dyn FnMut(&RowBody)) {
        for articulation in self.articulations.iter().filter(|it| it.is_awake) {
            if articulation.is_unsettled {
                let nodes = articulation.nodes.iter().map(|node| &node.body);
                nodes.filter(|body| body.moves()).for_each(&mut *unsettled);
            }
        }
    }

    fn respond(&mut self, _relaxation: f32, velocities: &mut RowVelocities) {
        let now = &*velocities;
        self.for_each_awake(|articulation| articulation.respond_to_contacts(now));
        self.write(velocities);
    }

    fn accumulate(&self, _sums: &mut RowSums) {}

    fn give_first_half(&mut self, give: &mut dyn FnMut(HalfImpulse)) {
        for (number, articulation) in self.articulations.iter_mut().enumerate() {
            if articulation.is_awake {
                articulation.give_first_half(number, give);
            }
        }
    }

    fn give_second_half(&mut self, bodies: &mut Bodies) {
        if std::mem::take(&mut self.has_changed) {
            // What holds a body no more gives it nothing.
            for i in 0..bodies.len() {
                if bodies.is_asleep(i) {
                    continue;
                }
                bodies.joint_acceleration[i] = Vec3::ZERO;
                bodies.joint_angular_acceleration[i] = Vec3::ZERO;
            }
        }
        let now = &*bodies;
        self.for_each_awake(|articulation| articulation.find_second_half(now));
        for articulation in self.articulations.iter_mut().filter(|it| it.is_awake) {
            articulation.give_second_half(bodies);
        }
        for (reaction, place) in self.reactions.iter_mut().zip(&self.places) {
            // A sleeper keeps what holds it.
            if let &Some((articulation, link)) = place
                && self.articulations[articulation as usize].is_awake
            {
                let articulation = &self.articulations[articulation as usize];
                let (force, torque) = articulation.links[link as usize].reaction;
                reaction.add(force.as_vec3(), torque.as_vec3());
            }
        }
    }

    fn links(&self, bodies: &Bodies, link: &mut dyn FnMut(usize, usize)) {
        for joint in &self.joints {
            let [a, b] = joint.bodies.map(|entity| bodies.index_of(entity?));
            match (a, b) {
                (Some(a), Some(b)) => link(a, b),
                (Some(one), None) | (None, Some(one)) => link(one, one),
                (None, None) => {}
            }
        }
    }

    fn position_errors(&mut self, bodies: &Bodies, errors: &mut Vec<PositionError>) {
        for articulation in self.articulations.iter_mut().filter(|it| it.is_awake) {
            articulation.position_errors(bodies, errors);
        }
    }
}
