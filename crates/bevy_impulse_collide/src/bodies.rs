//! The packed arrays that a step works on: gathered from the components once a fixed step, written back once.

use bevy::{
    ecs::{change_detection::Tick, storage::TableId},
    prelude::*,
};
use glam::{DVec3, Quat, Vec3};

use crate::find::Placed;
use crate::kernel::{InverseInertia, free_rotation, stretch, turn};
use crate::order::Order;
use crate::parallel::for_each;

/// A shape in world measures, without its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A ball.
    Particle {
        /// In metres.
        radius: f32,
    },
    /// A half-space. Its outward normal is the body's axis.
    Plane,
    /// A cylinder with half-balls on its ends, along the body's axis.
    Capsule {
        /// In metres.
        radius: f32,
        /// From the centre to the centre of either half-ball, in metres.
        half_length: f32,
    },
}

impl Shape {
    /// Radius of the round part in metres; zero for a plane.
    pub fn radius(&self) -> f32 {
        match *self {
            Self::Particle { radius } | Self::Capsule { radius, .. } => radius,
            Self::Plane => 0.0,
        }
    }

    /// Inverse inertia of a body of `mass` kg; a capsule may have that of a rod of its length over all.
    pub(crate) fn inverse_inertia(&self, mass: f32, is_rod: bool) -> InverseInertia {
        match *self {
            Self::Particle { radius } => InverseInertia::sphere(mass, radius),
            Self::Capsule {
                radius,
                half_length,
            } if is_rod => InverseInertia::rod(mass, radius, 2.0 * (half_length + radius)),
            Self::Capsule {
                radius,
                half_length,
            } => InverseInertia::capsule(mass, radius, 2.0 * half_length),
            Self::Plane => InverseInertia::ZERO,
        }
    }

    /// Radius of the ball about the centre that holds the shape, in metres; infinite for a plane.
    pub fn bounding_radius(&self) -> f32 {
        match *self {
            Self::Particle { radius } => radius,
            Self::Capsule {
                radius,
                half_length,
            } => radius + half_length,
            Self::Plane => f32::INFINITY,
        }
    }
}

/// The radius that overlaps of a pair are measured against: the smaller one, or the round body's on a plane.
pub fn smaller_radius(a: &Shape, b: &Shape) -> f32 {
    match (a.radius(), b.radius()) {
        (0.0, r) | (r, 0.0) => r,
        (r_a, r_b) => r_a.min(r_b),
    }
}

/// The coefficients that a body states; `None` where it states none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Material {
    /// Coefficient of restitution.
    pub restitution: Option<f32>,
    /// Sliding friction.
    pub friction: Option<f32>,
    /// Rolling friction.
    pub rolling_friction: Option<f32>,
    /// Spinning friction.
    pub spinning_friction: Option<f32>,
}

/// How a capsule grows: see [`Growth`](crate::body::Growth). In world measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growing {
    /// Speed in m/s at which the length would grow; zero for what does not grow.
    pub rate: f32,
    /// Of the length, in m/s: the rate, until contacts change it.
    pub speed: f32,
    /// 1/G in 1/kg.
    pub inverse_inertia: f32,
    /// Mass gained with the length, in kg/m.
    pub uptake: f32,
}

impl Growing {
    /// Of what does not grow.
    pub const NONE: Self = Self {
        rate: 0.0,
        speed: 0.0,
        inverse_inertia: 0.0,
        uptake: 0.0,
    };
}

/// Everything about every body that takes part in this fixed step, one array a quantity.
///
/// A system of yours that stands between two stages reads and changes these: the components are written when the step ends.
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
    /// Velocity in m/s: v(t−h/2) until stage 2, v(t) until the end of stage 3, then v(t+h/2).
    pub velocity: Vec<Vec3>,
    /// What rounding took from `velocity`: the sum of both is the velocity to twice the digits. A heap at rest adds up large
    /// pulls and pushes that cancel; rounded alike in every step, they would drive it away.
    pub velocity_rest: Vec<Vec3>,
    /// Angular velocity in rad/s, likewise.
    pub angular_velocity: Vec<Vec3>,
    /// Mass in kg; zero for planes.
    pub mass: Vec<f32>,
    /// 1/m in 1/kg; zero for planes and fixed bodies, and as good as zero for driven ones.
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
    /// Another number whenever something is that a step leaves as it is: who the bodies are, their shapes, masses and
    /// materials, and where planes and fixed bodies stand.
    pub(crate) revision: u64,
    pub(crate) order: Order,
    /// Whether no body had a problem when it was last read.
    pub(crate) are_sound: bool,
    /// Whether all has been written to the components since it was last read, and when.
    pub(crate) are_written: bool,
    pub(crate) written_at: Tick,
}

/// Defines what must go through every array of [`Bodies`]: each with its type, and what it is filled up with.
macro_rules! columns {
    ($($name:ident: $type:ty = $filling:expr),* $(,)?) => {
        /// A run of bodies, one slice a quantity: threads work on a run each.
        pub(crate) struct Columns<'a> {
            $(pub $name: &'a mut [$type]),*
        }

        impl Columns<'_> {
            fn split_at(self, at: usize) -> (Self, Self) {
                $(let $name = self.$name.split_at_mut(at);)*
                (Self { $($name: $name.0),* }, Self { $($name: $name.1),* })
            }
        }

        impl Bodies {
            pub(crate) fn columns(&mut self) -> Columns<'_> {
                Columns { $($name: &mut self.$name),* }
            }

            /// Makes room for as many bodies, or drops those that are too many.
            pub(crate) fn resize(&mut self, bodies: usize) {
                $(self.$name.resize(bodies, $filling);)*
            }

            /// Puts the bodies in the order of these entities, with room for those that are new.
            pub(crate) fn rearrange(&mut self, order: &[Entity]) {
                let before = self.len();
                let is_same = order.len() >= before && order[..before] == self.entity;
                if !is_same {
                    let from: Vec<_> = order.iter().map(|&entity| self.index_of(entity)).collect();
                    $(self.$name = from
                        .iter()
                        .map(|from| from.map_or($filling, |from| self.$name[from]))
                        .collect();)*
                }
                self.resize(order.len());
            }
        }
    };
}

columns! {
    entity: Entity = Entity::PLACEHOLDER,
    shape: Shape = Shape::Plane,
    position: Vec3 = Vec3::ZERO,
    position_rest: Vec3 = Vec3::ZERO,
    rotation: Quat = Quat::IDENTITY,
    axis: Vec3 = Vec3::Y,
    velocity: Vec3 = Vec3::ZERO,
    velocity_rest: Vec3 = Vec3::ZERO,
    angular_velocity: Vec3 = Vec3::ZERO,
    mass: f32 = 0.0,
    inverse_mass: f32 = 0.0,
    inverse_inertia: InverseInertia = InverseInertia::ZERO,
    has_rod_inertia: bool = false,
    growth: Growing = Growing::NONE,
    linear_damping: f32 = 0.0,
    angular_damping: f32 = 0.0,
    material: Material = Material::default(),
    gravity_scale: f32 = 1.0,
    external_force: Vec3 = Vec3::ZERO,
    external_torque: Vec3 = Vec3::ZERO,
    acceleration: DVec3 = DVec3::ZERO,
    angular_acceleration: Vec3 = Vec3::ZERO,
    contact_acceleration: Vec3 = Vec3::ZERO,
    contact_angular_acceleration: Vec3 = Vec3::ZERO,
    launch_position: Vec3 = Vec3::ZERO,
    launch_rotation: Quat = Quat::IDENTITY,
    steps: u32 = 0,
    asleep: bool = false,
    quiet_for: f32 = 0.0,
    disturbed: bool = false,
    changed: bool = true,
    scale: Vec3 = Vec3::ZERO,
    table: Option<TableId> = None,
}

/// Inverse mass in 1/kg, and inverse inertia in 1/(kg·m²), of what is driven: it takes part in everything that moves, and nothing
/// moves it.
pub(crate) const IMMOVABLE: f32 = 1e-30;

/// Bodies that one task works on.
const BODIES_PER_TASK: usize = 2048;

impl Columns<'_> {
    /// How many bodies the run has.
    pub fn len(&self) -> usize {
        self.entity.len()
    }

    /// Whether the body moves: forces, impacts and contacts move it, or it is driven.
    pub fn is_free(&self, i: usize) -> bool {
        self.inverse_mass[i] > 0.0
    }

    /// Whether forces, impacts and contacts move the body.
    pub fn is_pushed(&self, i: usize) -> bool {
        self.inverse_mass[i] > IMMOVABLE
    }

    /// Position with all its digits.
    pub fn precise_position(&self, i: usize) -> DVec3 {
        self.position[i].as_dvec3() + self.position_rest[i].as_dvec3()
    }

    /// Velocity with all its digits.
    pub fn precise_velocity(&self, i: usize) -> DVec3 {
        self.velocity[i].as_dvec3() + self.velocity_rest[i].as_dvec3()
    }

    /// Adds to the velocity.
    pub fn add_velocity(&mut self, i: usize, dv: DVec3) {
        self.set_velocity(i, self.precise_velocity(i) + dv);
    }

    /// Sets the velocity, and what rounding takes from it.
    pub fn set_velocity(&mut self, i: usize, v: DVec3) {
        self.velocity[i] = v.as_vec3();
        self.velocity_rest[i] = (v - self.velocity[i].as_dvec3()).as_vec3();
    }

    /// Sets the position, and what rounding takes from it.
    pub fn set_position(&mut self, i: usize, x: DVec3) {
        self.position[i] = x.as_vec3();
        self.position_rest[i] = (x - self.position[i].as_dvec3()).as_vec3();
    }

    /// Holds a sleeping body where it is: what it touches takes up every acceleration.
    pub fn hold(&mut self, i: usize) {
        self.velocity[i] = Vec3::ZERO;
        self.velocity_rest[i] = Vec3::ZERO;
        self.angular_velocity[i] = Vec3::ZERO;
        self.contact_acceleration[i] = -self.acceleration[i].as_vec3();
        self.contact_angular_acceleration[i] = -self.angular_acceleration[i];
    }

    /// Lets a capsule grow for `s` seconds. Mass taken up comes at rest; momentum and angular momentum stay.
    pub fn grow(&mut self, i: usize, s: f32) {
        let Shape::Capsule {
            radius,
            half_length,
        } = self.shape[i]
        else {
            return;
        };
        let growth = self.growth[i];
        let grown = (half_length + 0.5 * growth.speed * s).max(0.0);
        let mass = self.mass[i] + growth.uptake * 2.0 * (grown - half_length);
        if grown == half_length || mass <= 0.0 {
            return;
        }
        let momentum = self.precise_velocity(i) * f64::from(self.mass[i]);
        let before = self.inverse_inertia[i];
        self.set_capsule(i, radius, grown, mass);
        self.set_velocity(i, momentum / f64::from(mass));
        // I⁻¹·I₀·ω, in f64: rounded once.
        let now = self.inverse_inertia[i];
        let (axis, w) = (self.axis[i].as_dvec3(), self.angular_velocity[i].as_dvec3());
        let axial = axis * (axis.dot(w) / axis.length_squared());
        let slowed = (w - axial) * (f64::from(now.transverse) / f64::from(before.transverse))
            + axial * (f64::from(now.axial) / f64::from(before.axial));
        self.angular_velocity[i] = slowed.as_vec3();
    }

    /// Gives a free capsule these measures and this mass.
    pub fn set_capsule(&mut self, i: usize, radius: f32, half_length: f32, mass: f32) {
        self.shape[i] = Shape::Capsule {
            radius,
            half_length,
        };
        self.mass[i] = mass;
        self.inverse_mass[i] = mass.recip();
        self.inverse_inertia[i] = self.shape[i].inverse_inertia(mass, self.has_rod_inertia[i]);
    }

    /// Axis at the launch: that of `launch_rotation`.
    pub fn launch_axis(&self, i: usize) -> Vec3 {
        launch_axis(self.shape[i], self.launch_rotation[i], self.axis[i])
    }
}

fn launch_axis(shape: Shape, launch_rotation: Quat, axis: Vec3) -> Vec3 {
    match shape {
        Shape::Capsule { .. } => launch_rotation * Vec3::Y,
        _ => axis,
    }
}

/// Position, axis, rotation and velocities of a body at some moment inside the substep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flight {
    pub x: Vec3,
    pub rotation: Quat,
    pub axis: Vec3,
    pub v: Vec3,
    pub w: Vec3,
}

impl Bodies {
    /// How many bodies there are, planes included.
    pub fn len(&self) -> usize {
        self.entity.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entity.is_empty()
    }

    /// All bodies, in runs that threads work on at once: `work` gets each with the number of its first body.
    pub(crate) fn for_each_run(&mut self, work: impl Fn(usize, Columns) + Sync) {
        if self.len() <= BODIES_PER_TASK {
            return work(0, self.columns());
        }
        let starts = (0..self.len()).step_by(BODIES_PER_TASK);
        let mut rest = Some(self.columns());
        let runs = starts.map_while(|start| {
            let columns = rest.take()?;
            let size = BODIES_PER_TASK.min(columns.len());
            let (run, after) = columns.split_at(size);
            rest = Some(after);
            Some((start, run))
        });
        for_each(runs, |(start, run)| work(start, run));
    }

    /// Index of an entity's body, if it takes part in this step.
    pub fn index_of(&self, entity: Entity) -> Option<usize> {
        let i = self.place_of(entity)?;
        (self.entity.get(i) == Some(&entity)).then_some(i)
    }

    /// The index that an entity's body would have. Another entity's body may be there, or none.
    pub(crate) fn place_of(&self, entity: Entity) -> Option<usize> {
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
            if matches!(self.shape[i], Shape::Plane) {
                self.planes.push(i as u32);
            }
        }
    }

    /// Whether the body moves: forces, impacts and contacts move it, or it is driven.
    pub fn is_free(&self, i: usize) -> bool {
        self.inverse_mass[i] > 0.0
    }

    /// Whether forces, impacts and contacts move the body.
    pub fn is_pushed(&self, i: usize) -> bool {
        self.inverse_mass[i] > IMMOVABLE
    }

    /// The free one of two bodies of which nothing moves the other, and the sign that what `a` gets has for it.
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

    /// Axis at the launch: that of `launch_rotation`.
    pub(crate) fn launch_axis(&self, i: usize) -> Vec3 {
        launch_axis(self.shape[i], self.launch_rotation[i], self.axis[i])
    }

    /// Acceleration that the jolt stage flies with: the fields', and what contacts gave in the last substep.
    pub(crate) fn flight_acceleration(&self, i: usize) -> Vec3 {
        self.acceleration[i].as_vec3() + self.contact_acceleration[i]
    }

    /// The body at `s` seconds into the substep, on its present parabola: x(s) = x + v·s + a·s²/2.
    pub(crate) fn fly(&self, i: usize, s: f32) -> Flight {
        let a = self.flight_acceleration(i);
        let x = self.launch_position[i] + self.velocity[i] * s + a * (0.5 * s * s);
        let v = self.velocity[i] + a * s;
        match self.shape[i] {
            Shape::Capsule { .. } if self.is_free(i) => {
                let (rotation, w) = free_rotation(
                    self.launch_rotation[i],
                    self.angular_velocity[i],
                    self.inverse_inertia[i],
                    s,
                );
                Flight {
                    x,
                    rotation,
                    axis: rotation * Vec3::Y,
                    v,
                    w,
                }
            }
            _ => Flight {
                x,
                rotation: self.launch_rotation[i],
                axis: self.axis[i],
                v,
                w: self.angular_velocity[i]
                    + (self.angular_acceleration[i] + self.contact_angular_acceleration[i]) * s,
            },
        }
    }

    /// Changes velocity and angular velocity at `s` seconds into the substep, and back-dates the launch to match: the body
    /// then is where it was at s, and flies on from there with the new velocities.
    pub(crate) fn jolt(&mut self, i: usize, at: &Flight, s: f32, dv: Vec3, dw: Vec3) {
        if !self.is_pushed(i) {
            return;
        }
        self.add_velocity(i, dv.as_dvec3());
        self.launch_position[i] -= dv * s;
        let w = at.w + dw;
        if let Shape::Capsule { .. } = self.shape[i] {
            (self.launch_rotation[i], self.angular_velocity[i]) =
                free_rotation(at.rotation, w, self.inverse_inertia[i], -s);
        } else {
            let rotation = turn(at.w, s) * self.launch_rotation[i];
            self.launch_rotation[i] = turn(w, -s) * rotation;
            self.angular_velocity[i] += dw;
        }
    }

    /// Velocity of the point of a body that is at `arm` from its centre: v + ω × r, and what the growth adds.
    #[inline]
    pub(crate) fn point_velocity(&self, i: usize, arm: Vec3) -> Vec3 {
        self.velocity[i]
            + self.angular_velocity[i].cross(arm)
            + self.stretch(i, arm) * self.growth[i].speed
    }

    /// Velocity of the point at `arm` for a unit of growth speed; zero for what does not grow.
    #[inline]
    pub(crate) fn stretch(&self, i: usize, arm: Vec3) -> Vec3 {
        match self.shape[i] {
            Shape::Capsule { half_length, .. } if self.growth[i] != Growing::NONE => {
                stretch(self.axis[i], half_length, arm)
            }
            _ => Vec3::ZERO,
        }
    }
}
