//! The packed arrays that a step works on: gathered from the components once a fixed step, written back once.

use bevy::{
    ecs::{change_detection::Tick, storage::TableId},
    prelude::*,
};
use glam::{DVec3, Quat, Vec3};

use super::{growing::Growing, material::Material, order::SpaceOrder};
use crate::{
    kernel::InverseInertia,
    shape::{Placed, Shape},
};

/// All data of all bodies that take part in this fixed step, one array a quantity.
///
/// A system of yours between two stages reads and changes these arrays. The components are written when the step ends.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// /// A wind along X, as a field of your own.
/// fn wind(mut bodies: ResMut<Bodies>) {
///     for a in &mut bodies.acceleration {
///         a.x += 2.0;
///     }
/// }
///
/// # let mut app = App::new();
/// app.add_systems(ImpulseStep, wind.in_set(StepSystems::Fields));
/// ```
#[derive(Resource, Clone, Debug, Default)]
pub struct Bodies {
    /// Length of a substep in seconds.
    pub h: f32,
    /// Start of this substep, in seconds from the start of the fixed step.
    pub time: f32,
    /// Whose body it is. Few bodies are sorted by entity, many by where they are.
    pub entity: Vec<Entity>,
    /// Shape in world measures.
    pub shape: Vec<Shape>,
    /// Position of the centre at the start of the substep, in m; after stage 5 at its end.
    pub position: Vec<Vec3>,
    /// What rounding took from `position` in stages 5 and 6: without it, the many small pushes of the projection would round
    /// a turning heap's angular momentum away.
    pub position_rest: Vec<Vec3>,
    /// Rotation, likewise.
    pub rotation: Vec<Quat>,
    /// Unit vector along a capsule, or out of a plane; follows the rotation.
    pub axis: Vec<Vec3>,
    /// The same in the body's own frame.
    pub(crate) local_axis: Vec<Vec3>,
    /// Velocity in m/s: v(t−h/2) until stage 2, v(t) until the end of stage 3, then v(t+h/2).
    pub velocity: Vec<Vec3>,
    /// What rounding took from `velocity`: the sum of both is the velocity to twice the digits. A heap at rest adds up large
    /// pulls and pushes that cancel; rounded alike in every step, they would drive it away.
    pub velocity_rest: Vec<Vec3>,
    /// Angular velocity in rad/s, likewise.
    pub angular_velocity: Vec<Vec3>,
    /// Mass in kg; zero for planes.
    pub mass: Vec<f32>,
    /// 1/m in 1/kg; zero for static bodies, and as good as zero for kinematic bodies.
    pub inverse_mass: Vec<f32>,
    /// Inverse inertia; zero for what nothing turns.
    pub inverse_inertia: Vec<InverseInertia>,
    /// Whether a capsule has the inertia of a rod.
    pub has_rod_inertia: Vec<bool>,
    /// How it grows.
    pub growth: Vec<Growing>,
    /// Drag on the velocity, in 1/s.
    pub linear_damping: Vec<f32>,
    /// Drag on the angular velocity, in 1/s.
    pub angular_damping: Vec<f32>,
    /// Stated coefficients.
    pub material: Vec<Material>,
    /// Share of the uniform gravity.
    pub gravity_scale: Vec<f32>,
    /// In N.
    pub external_force: Vec<Vec3>,
    /// In N·m.
    pub external_torque: Vec<Vec3>,
    /// From every field in this substep, in m/s²; stage 1 sets it.
    pub acceleration: Vec<DVec3>,
    /// From external torques, in rad/s²; stage 1 sets it.
    pub angular_acceleration: Vec<Vec3>,
    /// From contacts in the last substep, in m/s²; stage 4 sets it.
    pub contact_acceleration: Vec<Vec3>,
    /// From contacts in the last substep, in rad/s²; stage 4 sets it.
    pub contact_angular_acceleration: Vec<Vec3>,
    /// Where the body would have had to start this substep to fly all of it on the parabola that its last impact put it
    /// on. Equals `position` without an impact.
    pub launch_position: Vec<Vec3>,
    /// The same for the rotation.
    pub launch_rotation: Vec<Quat>,
    /// Substeps taken so far; at zero the velocity is v(t) already.
    pub steps: Vec<u32>,
    /// Whether the body sleeps.
    pub(crate) asleep: Vec<bool>,
    /// Seconds for which it has been quiet.
    pub(crate) quiet_for: Vec<f32>,
    /// Whether something that a step leaves as it is has changed since the last one, or a sleeping body was moved.
    pub(crate) disturbed: Vec<bool>,
    /// Whether it must be read from its components again.
    pub(crate) changed: Vec<bool>,
    /// Scale of its transform; zero before it is read for the first time.
    pub(crate) scale: Vec<Vec3>,
    /// The table that its components are in.
    pub(crate) table: Vec<Option<TableId>>,
    /// Which bodies are planes.
    pub planes: Vec<u32>,
    /// Of each entity, by its index in the world: the index of its body.
    pub(crate) index_of: Vec<u32>,
    /// Incremented when anything that a step treats as constant changes: the list of bodies, their shapes, masses and materials,
    /// and the positions of static bodies.
    pub(crate) revision: u64,
    pub(crate) order: SpaceOrder,
    /// Whether no body had to be left out when it was last read.
    pub(crate) are_sound: bool,
    /// The bodies that take part although something was told of them when they were last read.
    pub(crate) told: Vec<Entity>,
    /// Whether all has been written to the components since it was last read, and when.
    pub(crate) are_written: bool,
    pub(crate) written_at: Tick,
}

/// Inverse mass in 1/kg, and inverse inertia in 1/(kg·m²), of a kinematic body: it takes part in everything that moves, and no
/// impulse changes its velocity.
pub(crate) const IMMOVABLE: f32 = 1e-30;

impl Bodies {
    /// How many bodies there are, planes included.
    pub fn len(&self) -> usize {
        self.entity.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entity.is_empty()
    }

    /// Index of an entity's body, if it takes part in this step.
    pub fn index_of(&self, entity: Entity) -> Option<usize> {
        let i = self.candidate_index(entity)?;
        (self.entity.get(i) == Some(&entity)).then_some(i)
    }

    /// The index that the entity's body has if there is such a body. Another body may be there, or none.
    pub(crate) fn candidate_index(&self, entity: Entity) -> Option<usize> {
        let i = *self.index_of.get(entity.index_u32() as usize)?;
        Some(i as usize)
    }

    /// Takes note of where each entity is, and of the planes.
    pub(crate) fn index(&mut self) {
        self.planes.clear();
        self.index_of.clear();
        for (i, entity) in self.entity.iter().enumerate() {
            let at = entity.index_u32() as usize;
            if at >= self.index_of.len() {
                self.index_of.resize(at + 1, u32::MAX);
            }
            self.index_of[at] = i as u32;
            if self.shape[i].is_plane() {
                self.planes.push(i as u32);
            }
        }
    }

    /// Whether the body may move: it is dynamic or kinematic.
    pub fn is_free(&self, i: usize) -> bool {
        self.inverse_mass[i] > 0.0
    }

    /// Whether the body is dynamic: forces, impacts and contacts move it.
    pub fn is_pushed(&self, i: usize) -> bool {
        self.inverse_mass[i] > IMMOVABLE
    }

    /// The free one of two bodies of which the other is static, and the sign that what `a` gets has for it.
    pub(crate) fn free_on_held(&self, a: usize, b: usize) -> Option<(usize, f32)> {
        match (self.is_free(a), self.is_free(b)) {
            (true, false) => Some((a, 1.0)),
            (false, true) => Some((b, -1.0)),
            _ => None,
        }
    }

    /// Position with all its digits.
    pub(crate) fn precise_position(&self, i: usize) -> DVec3 {
        self.position[i].as_dvec3() + self.position_rest[i].as_dvec3()
    }

    /// Sets the position, and what rounding takes from it.
    pub(crate) fn set_position(&mut self, i: usize, x: DVec3) {
        self.columns().set_position(i, x);
    }

    /// Velocity with all its digits.
    pub(crate) fn precise_velocity(&self, i: usize) -> DVec3 {
        self.velocity[i].as_dvec3() + self.velocity_rest[i].as_dvec3()
    }

    /// Sets the velocity, and what rounding takes from it.
    pub(crate) fn set_velocity(&mut self, i: usize, v: DVec3) {
        self.columns().set_velocity(i, v);
    }

    pub(crate) fn add_velocity(&mut self, i: usize, dv: DVec3) {
        self.set_velocity(i, self.precise_velocity(i) + dv);
    }

    /// The body's shape where it is.
    pub fn placed(&self, i: usize) -> Placed {
        Placed {
            shape: self.shape[i],
            x: self.position[i],
            axis: self.axis[i],
        }
    }
}
