//! The packed arrays that a step works on: gathered from the components once a fixed step, written back once.

use bevy::prelude::*;
use glam::{DVec3, Quat, Vec3};

use crate::find::Placed;
use crate::kernel::{InverseInertia, free_rotation, turn};

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

/// Everything about every body that takes part in this fixed step, one array a quantity, in the order of the entities.
///
/// A system of yours that stands between two stages reads and changes these: the components are written when the step ends.
#[derive(Resource, Clone, Debug, Default)]
pub struct Bodies {
    /// Length of a substep in seconds.
    pub h: f32,
    /// Start of this substep, in seconds from the start of the fixed step.
    pub time: f32,
    /// Whose body it is; sorted.
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
    /// 1/m in 1/kg; zero for what nothing moves.
    pub inverse_mass: Vec<f32>,
    /// Inverse inertia; zero for what nothing turns.
    pub inverse_inertia: Vec<InverseInertia>,
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
    /// Which bodies are planes.
    pub planes: Vec<u32>,
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

    /// Index of an entity's body, if it takes part in this step.
    pub fn index_of(&self, entity: Entity) -> Option<usize> {
        self.entity.binary_search(&entity).ok()
    }

    /// Whether forces, impacts and contacts move the body.
    pub fn is_free(&self, i: usize) -> bool {
        self.inverse_mass[i] > 0.0
    }

    /// Position with all its digits.
    pub(crate) fn precise_position(&self, i: usize) -> DVec3 {
        self.position[i].as_dvec3() + self.position_rest[i].as_dvec3()
    }

    /// Sets the position, and what rounding takes from it.
    pub(crate) fn set_position(&mut self, i: usize, x: DVec3) {
        self.position[i] = x.as_vec3();
        self.position_rest[i] = (x - self.position[i].as_dvec3()).as_vec3();
    }

    /// Velocity with all its digits.
    pub(crate) fn precise_velocity(&self, i: usize) -> DVec3 {
        self.velocity[i].as_dvec3() + self.velocity_rest[i].as_dvec3()
    }

    /// Sets the velocity, and what rounding takes from it.
    pub(crate) fn set_velocity(&mut self, i: usize, v: DVec3) {
        self.velocity[i] = v.as_vec3();
        self.velocity_rest[i] = (v - self.velocity[i].as_dvec3()).as_vec3();
    }

    pub(crate) fn add_velocity(&mut self, i: usize, dv: DVec3) {
        self.set_velocity(i, self.precise_velocity(i) + dv);
    }

    /// Axis at the launch: that of `launch_rotation`.
    pub(crate) fn launch_axis(&self, i: usize) -> Vec3 {
        match self.shape[i] {
            Shape::Capsule { .. } => self.launch_rotation[i] * Vec3::Y,
            _ => self.axis[i],
        }
    }

    /// The body's shape where it is.
    pub fn placed(&self, i: usize) -> Placed {
        Placed {
            shape: self.shape[i],
            x: self.position[i],
            axis: self.axis[i],
        }
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

    /// Velocity of the point of a body that is at `arm` from its centre: v + ω × r.
    #[inline]
    pub(crate) fn point_velocity(&self, i: usize, arm: Vec3) -> Vec3 {
        self.velocity[i] + self.angular_velocity[i].cross(arm)
    }
}
