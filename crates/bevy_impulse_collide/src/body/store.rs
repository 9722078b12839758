//! The packed arrays that a step works on: gathered from the components once a fixed step, written back once.

use bevy::{
    ecs::{change_detection::Tick, storage::TableId},
    prelude::*,
};
use glam::{DVec3, Quat, Vec3};

use super::{
    blocks::Blocks, flags::BodyFlags, follower::Follower, growing::Growing, last_step::LastStep,
    material::Material, order::SpaceOrder, pair_rule::PairRule, parts::Parts, renewal::Renewal,
    seams::Seams,
};
use crate::{
    components::{AppliedForces, CollisionLayers},
    kernel::InverseInertia,
    shape::{Placed, Shape, SharedGeometry},
};

/// All data of all bodies that take part in this fixed step, one array per quantity.
///
/// A system of yours between two stages reads and changes bodies one by one, as [`BodyRef`](super::BodyRef) and
/// [`BodyMut`](super::BodyMut). The components are written when the step ends.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// /// A wind along X, as a field of your own.
/// fn wind(mut bodies: ResMut<Bodies>) {
///     bodies.for_each(|mut body| body.accelerate(2.0 * Vec3::X));
/// }
///
/// # let mut app = App::new();
/// app.add_systems(ImpulseStep, wind.in_set(StepSystems::Fields));
/// ```
#[derive(Resource, Clone, Debug, Default)]
pub struct Bodies {
    /// Length of a substep in seconds.
    pub(crate) h: f32,
    /// Length of the fixed step in seconds.
    pub(crate) step: f32,
    /// Start of this substep, in seconds from the start of the fixed step.
    pub(crate) time: f32,
    /// Whether the world is flat: see [`CollisionConfig::flat`](crate::config::CollisionConfig).
    pub(crate) flat: bool,
    /// Entity of the body. A small number of bodies is sorted by entity, a large number by place.
    pub(crate) entity: Vec<Entity>,
    /// What the body is, and in which state.
    pub(crate) flags: Vec<BodyFlags>,
    /// Shape in world measures.
    pub(crate) shape: Vec<Shape>,
    /// Surface of a collider.
    pub(crate) geometry: Vec<SharedGeometry>,
    /// Position of the centre at the start of the substep, in m; after stage 5 at its end. Of a collider with a pivot, or that
    /// another body carries, it is the position of the point about which it turns. In f64: in `f32`, the many small pushes of the
    /// projection would lose the angular momentum of a turning heap by rounding. Between two steps it is what the component shows, but for a kinematic body.
    pub(crate) position: Vec<DVec3>,
    /// Rotation at the start of the substep; after stage 5 at its end.
    pub(crate) rotation: Vec<Quat>,
    /// The point of `position` in the frame of the body's `Transform`, in world measures: zero, unless a collider turns about
    /// another point than its origin.
    pub(crate) centre: Vec<Vec3>,
    /// Unit vector along a capsule, or out of a plane; follows the rotation.
    pub(crate) axis: Vec<Vec3>,
    /// The same in the body's own frame.
    pub(crate) local_axis: Vec<Vec3>,
    /// Velocity in m/s: v(t) until the end of stage 3, then v(t+h/2), and v(t+h) at the end of the substep. In f64: in a heap at rest
    /// large pulls and pushes cancel, and rounding that is the same in every step would drive the heap away.
    pub(crate) velocity: Vec<DVec3>,
    /// Angular velocity in rad/s, at the times of `velocity`. In f64: rounded in each step, a free body would change its energy.
    pub(crate) angular_velocity: Vec<DVec3>,
    /// Mass in kg; zero for planes.
    pub(crate) mass: Vec<f32>,
    /// 1/m in 1/kg; zero for static bodies, and almost zero for kinematic bodies.
    pub(crate) inverse_mass: Vec<f32>,
    /// Inverse inertia; zero for a body that no impulse turns.
    pub(crate) inverse_inertia: Vec<InverseInertia>,
    /// Growth of a capsule.
    pub(crate) growth: Vec<Growing>,
    /// Drag on the velocity, in 1/s.
    pub(crate) linear_damping: Vec<f32>,
    /// Drag on the angular velocity, in 1/s.
    pub(crate) angular_damping: Vec<f32>,
    /// Stated coefficients.
    pub(crate) material: Vec<Material>,
    /// The layers that the body is in and collides with.
    pub(crate) layers: Vec<CollisionLayers>,
    /// Velocity in m/s of the surface along itself, in the body's own axes.
    pub(crate) surface_velocity: Vec<Vec3>,
    /// Share of the uniform gravity.
    pub(crate) gravity_scale: Vec<f32>,
    /// External force in N.
    pub(crate) external_force: Vec<Vec3>,
    /// External torque in N·m.
    pub(crate) external_torque: Vec<Vec3>,
    /// Acceleration by all fields in this substep, in m/s²; stage 1 sets it.
    pub(crate) acceleration: Vec<DVec3>,
    /// Angular acceleration by external torques, in rad/s²; stage 1 sets it.
    pub(crate) angular_acceleration: Vec<Vec3>,
    /// Acceleration by all fields in the last substep, in m/s². The half kick that has led to v(t) was made with it; stage 2 corrects
    /// it by what the fields have become.
    pub(crate) field_before: Vec<Vec3>,
    /// Angular acceleration by external torques in the last substep, in rad/s².
    pub(crate) angular_field_before: Vec<Vec3>,
    /// Acceleration by contacts in the last substep, in m/s²; stage 4 sets it.
    pub(crate) contact_acceleration: Vec<Vec3>,
    /// Angular acceleration by contacts in the last substep, in rad/s²; stage 4 sets it.
    pub(crate) contact_angular_acceleration: Vec<Vec3>,
    /// By the joints of the last substep; of a sleeping body, of its last one.
    pub(crate) joint_acceleration: Vec<Vec3>,
    pub(crate) joint_angular_acceleration: Vec<Vec3>,
    /// Where the flight of this substep starts, relative to `position`, in m. After an impact, the parabola on which the body flies
    /// leads back to another place than it was in. Zero without an impact.
    pub(crate) flight_shift: Vec<Vec3>,
    /// The rotation from which the flight starts. Equals `rotation` without an impact.
    pub(crate) flight_rotation: Vec<Quat>,
    /// Seconds for which it has been quiet.
    pub(crate) quiet_for: Vec<f32>,
    /// Of a part of a compound: the compound's entity. A placeholder for a body by itself.
    pub(crate) whole: Vec<Entity>,
    /// Of a part: its centre relative to the compound's centre of mass, in the compound's axes, in m; zero for a body by itself.
    pub(crate) offset: Vec<Vec3>,
    /// Of a part: from its own axes to the compound's.
    pub(crate) part_rotation: Vec<Quat>,
    /// The parts of the compounds.
    pub(crate) parts: Parts,
    /// Scale of its transform; zero before it is read for the first time.
    pub(crate) scale: Vec<Vec3>,
    /// The table that its components are in.
    pub(crate) table: Vec<Option<TableId>>,
    /// Whether stage 1 takes the fields of a user's systems now.
    pub(crate) takes_fields: bool,
    /// A body that has been given a field when no stage takes one: it is lost.
    pub(crate) lost_field: Option<Entity>,
    /// The blocks that a step visits.
    pub(crate) blocks: Blocks,
    /// The bodies that spin in their sleep.
    pub(crate) spinners: Vec<u32>,
    /// What has been applied to bodies for this fixed step, sorted by entity.
    pub(crate) applied: Vec<(Entity, AppliedForces)>,
    /// The bodies that follow their `Transform`, sorted by entity.
    pub(crate) followers: Vec<Follower>,
    /// The bodies that a kinematic parent carries, sorted by entity.
    pub(crate) carried: Vec<Entity>,
    /// Greatest mass of a dynamic body over the least one; 1 without dynamic bodies. Sensors do not count.
    pub(crate) mass_ratio: f32,
    /// Whether there is a kinematic body that is no sensor.
    pub(crate) have_kinematic: bool,
    /// Whether any body is a capsule, or a ball that does not turn alike about every axis.
    pub(crate) have_capsules: bool,
    /// Whether any body is a sensor, or has other layers than the default ones, or any pair has a rule.
    pub(crate) have_filters: bool,
    /// Whether the surface of any body moves along itself.
    pub(crate) have_belts: bool,
    /// Indices of the planes.
    pub(crate) planes: Vec<u32>,
    /// Indices of the colliders.
    pub(crate) colliders: Vec<u32>,
    /// The colliders that touch each other.
    pub(crate) seams: Seams,
    /// Indices of the sensors.
    pub(crate) sensors: Vec<u32>,
    /// Indices of the bodies with hooks.
    pub(crate) hooked: Vec<u32>,
    /// The pairs to which a user has given another rule before this substep, and not before the last one too; sorted.
    pub(crate) switched_pairs: Vec<(Entity, Entity)>,
    /// Whether the contacts of all bodies are new in this substep, as a user has switched what decides them all.
    pub(crate) are_all_switched: bool,
    /// The pairs with rules of their own, sorted: the lower index first.
    pub(crate) pair_rules: Vec<((u32, u32), PairRule)>,
    /// Index of each entity's body, by the entity's index in the world.
    pub(crate) index_of: Vec<u32>,
    /// What has changed of what a step treats as constant.
    pub(crate) renewal: Renewal,
    /// Incremented when a rule gives a pair another friction.
    pub(crate) friction_revision: u64,
    pub(crate) order: SpaceOrder,
    /// What the last step has found.
    pub(crate) last_step: LastStep,
    /// Whether the world has been restored since the last step.
    pub(crate) is_restored: bool,
    /// Whether a user has added or taken away a body before this fixed step.
    pub(crate) are_others: bool,
    /// Whether no body had to be left out when the bodies were last read.
    pub(crate) are_sound: bool,
    /// The bodies that take part although a problem of theirs was reported when they were last read.
    pub(crate) told: Vec<Entity>,
    /// Whether the bodies have been written to the components since they were last read, and when.
    pub(crate) are_written: bool,
    pub(crate) written_at: Tick,
}

impl Bodies {
    /// The number of bodies, planes included.
    pub fn len(&self) -> usize {
        self.entity.len()
    }

    /// Whether there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.entity.is_empty()
    }

    /// Index of an entity's body, if it takes part in this step.
    pub fn index_of(&self, entity: Entity) -> Option<usize> {
        let i = self.candidate_index(entity)?;
        (self.entity.get(i) == Some(&entity)).then_some(i)
    }

    /// The index that the entity's body has if there is such a body. The index may also belong to another body, or to none.
    pub(crate) fn candidate_index(&self, entity: Entity) -> Option<usize> {
        let i = *self.index_of.get(entity.index_u32() as usize)?;
        Some(i as usize)
    }

    /// Records the index of each entity, and lists the bodies of some kinds. All of them count as changed.
    pub(crate) fn index(&mut self) {
        self.activate_all();
        self.renew_all();
        self.index_of.clear();
        for i in 0..self.len() {
            self.note_index(i);
        }
        self.list_kinds();
    }

    /// Does the same where only the bodies at these indices have changed, and others at the end have gone.
    pub(crate) fn index_at(&mut self, changed: &[u32]) {
        self.resize_blocks();
        changed.iter().for_each(|&i| self.note_index(i as usize));
        self.renew(changed);
        self.list_kinds();
    }

    fn note_index(&mut self, i: usize) {
        let at = self.entity[i].index_u32() as usize;
        if at >= self.index_of.len() {
            self.index_of.resize(at + 1, u32::MAX);
        }
        self.index_of[at] = i as u32;
    }

    /// Lists the bodies of some kinds, and notes which kinds there are.
    fn list_kinds(&mut self) {
        self.list_parts();
        self.have_capsules =
            (0..self.len()).any(|i| self.shape[i].is_round() && !self.is_plain_ball(i));
        let numbers = |flag| {
            let marked = (0..).zip(&self.flags).filter(|(_, of)| of.contains(flag));
            marked.map(|(i, _)| i).collect()
        };
        self.sensors = numbers(BodyFlags::SENSOR);
        self.hooked = numbers(BodyFlags::HOOKS);
        self.note_filters();
        self.have_belts = self.surface_velocity.iter().any(|&v| v != Vec3::ZERO);
        let met = || (0..self.len()).filter(|&i| !self.is_sensor(i));
        let dynamic = met().filter(|&i| self.is_dynamic(i));
        let (least, most) = dynamic.fold((f32::INFINITY, 0f32), |(least, most), i| {
            (least.min(self.mass[i]), most.max(self.mass[i]))
        });
        let have_kinematic = met().any(|i| self.is_kinematic(i));
        self.mass_ratio = if most > 0.0 { most / least } else { 1.0 };
        self.have_kinematic = have_kinematic;
        self.planes.clear();
        self.colliders.clear();
        for (i, shape) in (0..).zip(&self.shape) {
            match shape {
                Shape::Plane => self.planes.push(i),
                Shape::Collider => self.colliders.push(i),
                Shape::Particle { .. } | Shape::Capsule { .. } | Shape::Compound { .. } => {}
            }
        }
    }

    /// Notes that the body must be read from its components again.
    pub(crate) fn mark_changed(&mut self, i: usize) {
        self.flags[i].insert(BodyFlags::CHANGED);
        self.activate(i);
    }

    /// Notes that every body must be read from its components again.
    pub(crate) fn mark_all_changed(&mut self) {
        self.mark_all(BodyFlags::CHANGED);
        self.activate_all();
    }

    /// Whether one of two bodies is a collider.
    pub(crate) fn has_collider(&self, a: usize, b: usize) -> bool {
        self.shape[a].is_collider() || self.shape[b].is_collider()
    }

    /// Notes whether any pair of bodies may be kept apart.
    pub(crate) fn note_filters(&mut self) {
        self.have_filters = !self.sensors.is_empty()
            || !self.parts.is_empty()
            || !self.pair_rules.is_empty()
            || self
                .layers
                .iter()
                .any(|&layers| layers != CollisionLayers::DEFAULT);
    }

    /// Whether the layers of two bodies let them meet, neither is a sensor, and they are not parts of one body.
    pub(crate) fn may_meet(&self, a: usize, b: usize) -> bool {
        self.layers[a].interacts_with(self.layers[b])
            && !self.is_sensor(a)
            && !self.is_sensor(b)
            && (self.parts.is_empty() || self.are_apart(a, b))
    }

    /// Whether two bodies collide where they meet.
    pub(crate) fn may_collide(&self, a: usize, b: usize) -> bool {
        !self.have_filters
            || (self.may_meet(a, b) && !self.rule_of(a, b).is_some_and(|rule| rule.is_ignored))
    }

    /// Whether one of two bodies is a plane or a collider. A constraint has it second.
    pub(crate) fn has_ground(&self, a: usize, b: usize) -> bool {
        !(self.shape[a].is_round() && self.shape[b].is_round())
    }

    /// The free body of a pair with a static body, and the sign of its impulse relative to the impulse on `a`.
    pub(crate) fn free_on_held(&self, a: usize, b: usize) -> Option<(usize, f32)> {
        match (self.is_static(a), self.is_static(b)) {
            (false, true) => Some((a, 1.0)),
            (true, false) => Some((b, -1.0)),
            _ => None,
        }
    }

    /// The position that the body's `Transform` shows.
    pub(crate) fn shown_position(&self, i: usize) -> Vec3 {
        shown_position(self.position[i].as_vec3(), self.rotation[i], self.centre[i])
    }

    /// Whether the step leaves the `Transform` of this kinematic body as it is: a user moves it, or a parent.
    pub(crate) fn keeps_transform(&self, entity: Entity) -> bool {
        self.is_follower(entity) || self.carried.binary_search(&entity).is_ok()
    }

    /// The body's shape where it is.
    pub(crate) fn placed(&self, i: usize) -> Placed<'_> {
        Placed {
            shape: self.shape[i],
            x: self.position[i].as_vec3(),
            axis: self.axis[i],
            rotation: self.rotation[i],
            geometry: self.geometry[i].get(),
        }
    }
}

/// The position that a body's `Transform` shows, of a body that turns about `centre`.
pub(super) fn shown_position(position: Vec3, rotation: Quat, centre: Vec3) -> Vec3 {
    if centre == Vec3::ZERO {
        return position;
    }
    position - rotation * centre
}
