//! One body as a user's system sees it between two stages of a step.

use std::ops::{Deref, DerefMut};

use bevy::prelude::*;
use glam::DVec3;

use super::{columns::turned_on, material::Material, store::Bodies};
use crate::{
    kernel::unit,
    shape::{Placed, Shape},
};

/// One body of [`Bodies`], to read.
pub type BodyRef<'a> = BodyView<&'a Bodies>;

/// One body of [`Bodies`], to read and to change.
pub type BodyMut<'a> = BodyView<&'a mut Bodies>;

/// One body of [`Bodies`]: what a system of yours between two stages may read, and what it may change.
///
/// A change takes effect at once, on whatever stage comes next. A part of a compound moves with it: what you change of a part has no
/// effect. In world axes and SI units. See [`Bodies`] for an example.
#[derive(Clone, Copy, Debug)]
pub struct BodyView<B> {
    bodies: B,
    i: usize,
}

impl Bodies {
    /// The body with this index, to read.
    ///
    /// # Panics
    ///
    /// If there is no such body: see [`len`](Self::len) and [`index_of`](Self::index_of).
    pub fn get(&self, i: usize) -> BodyRef<'_> {
        assert!(i < self.len(), "there are {} bodies, not {i}", self.len());
        BodyView { bodies: self, i }
    }

    /// The body with this index, to read and to change.
    ///
    /// # Panics
    ///
    /// If there is no such body: see [`len`](Self::len) and [`index_of`](Self::index_of).
    pub fn get_mut(&mut self, i: usize) -> BodyMut<'_> {
        assert!(i < self.len(), "there are {} bodies, not {i}", self.len());
        BodyView { bodies: self, i }
    }

    /// All bodies, to read.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = BodyRef<'_>> {
        (0..self.len()).map(move |i| BodyView { bodies: self, i })
    }

    /// Hands each body to `work`, to read and to change.
    pub fn for_each(&mut self, mut work: impl FnMut(BodyMut)) {
        for i in 0..self.len() {
            work(BodyView { bodies: self, i });
        }
    }

    /// Length of a substep in s.
    pub fn substep(&self) -> f32 {
        self.h
    }

    /// Start of this substep, in s from the start of the fixed step.
    pub fn time(&self) -> f32 {
        self.time
    }
}

impl<B: Deref<Target = Bodies>> BodyView<B> {
    /// Its index in [`Bodies`]. It stays the same during a fixed step.
    pub fn index(&self) -> usize {
        self.i
    }

    /// Its entity.
    pub fn entity(&self) -> Entity {
        self.bodies.entity[self.i]
    }

    /// Its shape, in world measures.
    pub fn shape(&self) -> Shape {
        self.bodies.shape[self.i]
    }

    /// Its shape where it is.
    pub fn placed(&self) -> Placed<'_> {
        self.bodies.placed(self.i)
    }

    /// Position of its centre in m: at the start of the substep, and from stage 5 on at its end.
    pub fn position(&self) -> Vec3 {
        self.bodies.position[self.i].as_vec3()
    }

    /// Its rotation, at the time of [`position`](Self::position).
    pub fn rotation(&self) -> Quat {
        self.bodies.rotation[self.i]
    }

    /// Unit vector along a capsule, or out of a plane.
    pub fn axis(&self) -> Vec3 {
        self.bodies.axis[self.i]
    }

    /// Velocity of its centre in m/s: v(t) until the end of stage 3, then v(t+h/2), and v(t+h) at the end of the substep.
    pub fn velocity(&self) -> Vec3 {
        self.bodies.velocity[self.i].as_vec3()
    }

    /// Angular velocity in rad/s, at the time of [`velocity`](Self::velocity).
    pub fn angular_velocity(&self) -> Vec3 {
        self.bodies.angular_velocity[self.i].as_vec3()
    }

    /// Mass in kg; zero for planes, and for a part of a compound: the compound has it.
    pub fn mass(&self) -> f32 {
        self.bodies.own_mass(self.i)
    }

    /// Whether it is a part of a compound, which moves it.
    pub fn is_part(&self) -> bool {
        self.bodies.is_part(self.i)
    }

    /// 1/m in 1/kg; zero for a body that is not dynamic.
    pub fn inverse_mass(&self) -> f32 {
        match self.is_dynamic() {
            true => self.bodies.inverse_mass[self.i],
            false => 0.0,
        }
    }

    /// I⁻¹·L: the change of the angular velocity in rad/s by an angular impulse in N·m·s. Zero for a body that is not dynamic.
    pub fn turn_by(&self, angular_impulse: Vec3) -> Vec3 {
        match self.is_dynamic() {
            true => self.bodies.inverse_inertia[self.i].mul(self.rotation(), angular_impulse),
            false => Vec3::ZERO,
        }
    }

    /// I·ω: the angular momentum in N·m·s of this body with an angular velocity in rad/s. Zero for a body that is not dynamic.
    pub fn spin_momentum(&self, angular_velocity: Vec3) -> Vec3 {
        match self.is_dynamic() {
            true => {
                self.bodies.inverse_inertia[self.i].inverse_mul(self.rotation(), angular_velocity)
            }
            false => Vec3::ZERO,
        }
    }

    /// The coefficients that its components state.
    pub fn material(&self) -> Material {
        self.bodies.material[self.i]
    }

    /// Its share of the uniform gravity.
    pub fn gravity_scale(&self) -> f32 {
        self.bodies.gravity_scale[self.i]
    }

    /// Acceleration by all fields in this substep, in m/s²; stage 1 finds it.
    pub fn acceleration(&self) -> Vec3 {
        self.bodies.acceleration[self.i].as_vec3()
    }

    /// Angular acceleration by external torques in this substep, in rad/s²; stage 1 finds it.
    pub fn angular_acceleration(&self) -> Vec3 {
        self.bodies.angular_acceleration[self.i]
    }

    /// Acceleration by all fields in the substep before, in m/s²: the last half kick was made with it, and stage 2 corrects that.
    pub fn last_acceleration(&self) -> Vec3 {
        self.bodies.field_before[self.i]
    }

    /// Angular acceleration by external torques in the substep before, in rad/s².
    pub fn last_angular_acceleration(&self) -> Vec3 {
        self.bodies.angular_field_before[self.i]
    }

    /// Acceleration by contacts in the last substep, in m/s²; stage 4 finds it.
    pub fn contact_acceleration(&self) -> Vec3 {
        self.bodies.contact_acceleration[self.i]
    }

    /// Whether forces, impacts and contacts move it.
    pub fn is_dynamic(&self) -> bool {
        self.bodies.is_dynamic(self.i)
    }

    /// Whether it never moves.
    pub fn is_static(&self) -> bool {
        self.bodies.is_static(self.i)
    }

    /// Whether it sleeps.
    pub fn is_asleep(&self) -> bool {
        self.bodies.is_asleep(self.i)
    }

    /// Whether it has taken no substep since it came, or since you changed its components.
    pub fn is_new(&self) -> bool {
        self.bodies.is_fresh(self.i)
    }
}

impl<B: DerefMut<Target = Bodies>> BodyView<B> {
    /// Puts its centre to a place in m. In this substep it flies on from there.
    pub fn set_position(&mut self, place: Vec3) {
        self.bodies.position[self.i] = place.as_dvec3();
        self.bodies.flight_shift[self.i] = Vec3::ZERO;
        self.bodies.place_parts_of(self.i);
    }

    /// Turns it to a rotation.
    pub fn set_rotation(&mut self, rotation: Quat) {
        let (i, rotation) = (self.i, unit(rotation));
        self.bodies.rotation[i] = rotation;
        self.bodies.flight_rotation[i] = rotation;
        let local_axis = self.bodies.local_axis[i];
        self.bodies.axis[i] = self.bodies.shape[i].axis_at(rotation, local_axis);
        self.bodies.place_parts_of(i);
    }

    /// Sets the velocity of its centre, in m/s.
    pub fn set_velocity(&mut self, velocity: Vec3) {
        self.bodies.velocity[self.i] = velocity.as_dvec3();
        self.bodies.place_parts_of(self.i);
    }

    /// Adds to the velocity of its centre, in m/s. The sum is in f64.
    pub fn add_velocity(&mut self, change: Vec3) {
        self.bodies.velocity[self.i] += change.as_dvec3();
        self.bodies.place_parts_of(self.i);
    }

    /// Sets its angular velocity, in rad/s.
    pub fn set_angular_velocity(&mut self, velocity: Vec3) {
        self.bodies.angular_velocity[self.i] = velocity.as_dvec3();
        self.bodies.place_parts_of(self.i);
    }

    /// Adds to its angular velocity, in rad/s.
    pub fn add_angular_velocity(&mut self, change: Vec3) {
        let spin = &mut self.bodies.angular_velocity[self.i];
        *spin = turned_on(*spin, change);
        self.bodies.place_parts_of(self.i);
    }

    /// Gives it an impulse in N·s, at a point that lies at `arm` in m from its centre. A body that is not dynamic stays as it is.
    pub fn push(&mut self, impulse: Vec3, arm: Vec3) {
        let (dv, dw) = (
            impulse * self.inverse_mass(),
            self.turn_by(arm.cross(impulse)),
        );
        self.add_velocity(dv);
        self.add_angular_velocity(dw);
    }

    /// Adds to the acceleration by fields in this substep, in m/s². Call it in the set
    /// [`Fields`](crate::schedule::StepSystems::Fields): elsewhere it has no effect, and a [`BadInput`](crate::messages::BadInput)
    /// message tells that. It has no effect on a body that is not dynamic.
    pub fn accelerate(&mut self, acceleration: impl Into<DVec3>) {
        if self.may_take_fields() {
            self.bodies.acceleration[self.i] += acceleration.into();
        }
    }

    /// Adds to the angular acceleration in this substep, in rad/s², as [`accelerate`](Self::accelerate) adds to the acceleration.
    pub fn accelerate_rotation(&mut self, acceleration: Vec3) {
        if self.may_take_fields() {
            self.bodies.angular_acceleration[self.i] += acceleration;
        }
    }

    /// Sets the acceleration by contacts in this substep, in m/s²: for a contact stage of your own. The next substep predicts flights
    /// with it.
    pub fn set_contact_acceleration(&mut self, acceleration: Vec3) {
        self.bodies.contact_acceleration[self.i] = acceleration;
    }

    fn may_take_fields(&mut self) -> bool {
        if !self.bodies.takes_fields {
            self.bodies.lost_field = Some(self.entity());
        }
        self.bodies.takes_fields
    }
}
