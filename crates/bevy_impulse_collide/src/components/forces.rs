//! Query data that pushes bodies: forces for one step, and impulses.

use bevy::{ecs::query::QueryData, prelude::*};

use super::{
    applied_forces::AppliedForces,
    capsule::Capsule,
    compound::CompoundMass,
    growth::{Division, Growth, RodInertia},
    inertia::{Inertia, inverse_inertia},
    locked_rotation::LockedRotation,
    mass::{Density, Mass},
    particle::Particle,
    rigid_body::RigidBody,
    velocity::{AngularVelocity, LinearVelocity},
};
use crate::{kernel::InverseInertia, shape::Shape};

/// Query data that pushes balls and capsules: `Query<Forces>`.
///
/// - A **force** or a torque acts in the coming fixed step, from its start to its end: it gives the impulse F·Δt. Several add up.
///   Apply it in each `FixedUpdate` to let it act on; for a force that stays, use [`ExternalForce`](super::ExternalForce).
/// - An **impulse** changes the velocity at once, by p/m: [`LinearVelocity`] and [`AngularVelocity`] show it.
/// - An **acceleration** is the force m·a.
///
/// Each wakes a body that sleeps. While the physics is paused, forces add up until the next step. Points are in world coordinates.
/// The `local` functions take vectors in the body's own axes.
///
/// A body must be dynamic. A push on another body, or one that is not finite, has no effect and is a
/// [`BadInput`](crate::messages::BadInput). A collider or a plane has no [`AppliedForces`], so the query does not find it.
///
/// The query reads [`Transform`] and writes both velocities. A body with a parent is where its [`GlobalTransform`] was at the end
/// of the last frame.
///
/// ```
/// use bevy::{prelude::*, time::TimeUpdateStrategy};
/// use bevy_impulse_collide::prelude::*;
///
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, ImpulseCollidePlugin { interpolate: false }))
///     .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
///     .insert_resource(Time::<Fixed>::from_hz(60.0))
///     .insert_resource(Gravity::ZERO)
///     .add_systems(FixedUpdate, |mut rockets: Query<Forces>| {
///         for mut rocket in &mut rockets {
///             rocket.apply_local_force(Vec3::Y * 6.0);
///         }
///     });
/// app.update(); // No time passes in the first update.
///
/// let rocket = app.world_mut().spawn((Capsule::new(0.1, 1.0), Mass(3.0))).id();
/// for _ in 0..60 {
///     app.update();
/// }
/// // v = F·t/m
/// let v = app.world().get::<LinearVelocity>(rocket).unwrap();
/// assert!(v.distance(Vec3::Y * 2.0) < 1e-4);
/// ```
#[derive(QueryData)]
#[query_data(mutable)]
pub struct Forces {
    shape: (
        Option<&'static Particle>,
        Option<&'static Capsule>,
        Has<RodInertia>,
        Has<LockedRotation>,
        Option<&'static Inertia>,
        Option<&'static CompoundMass>,
    ),
    mass: (
        Option<&'static Mass>,
        Option<&'static Density>,
        Has<Growth>,
        Has<Division>,
    ),
    kind: Option<&'static RigidBody>,
    place: (
        &'static Transform,
        Option<&'static GlobalTransform>,
        Has<ChildOf>,
    ),
    velocity: &'static mut LinearVelocity,
    angular_velocity: &'static mut AngularVelocity,
    applied: &'static mut AppliedForces,
}

impl ForcesItem<'_, '_> {
    /// Applies a force in N through the centre of mass.
    pub fn apply_force(&mut self, force: Vec3) {
        self.load(force, Vec3::ZERO);
    }

    /// Applies a force in N at a point.
    pub fn apply_force_at_point(&mut self, force: Vec3, point: Vec3) {
        let arm = point - self.centre_of_mass();
        self.load(force, arm.cross(force));
    }

    /// Applies a force in N, in the body's axes, through the centre of mass.
    pub fn apply_local_force(&mut self, force: Vec3) {
        self.apply_force(self.to_world(force));
    }

    /// Applies a torque in N·m.
    pub fn apply_torque(&mut self, torque: Vec3) {
        self.load(Vec3::ZERO, torque);
    }

    /// Applies a torque in N·m, in the body's axes.
    pub fn apply_local_torque(&mut self, torque: Vec3) {
        self.apply_torque(self.to_world(torque));
    }

    /// Applies an acceleration in m/s²: the force m·a.
    pub fn apply_linear_acceleration(&mut self, acceleration: Vec3) {
        self.load(acceleration * self.mass(), Vec3::ZERO);
    }

    /// Applies an acceleration in m/s², in the body's axes.
    pub fn apply_local_linear_acceleration(&mut self, acceleration: Vec3) {
        self.apply_linear_acceleration(self.to_world(acceleration));
    }

    /// Applies an angular acceleration in rad/s²: the torque I·α.
    pub fn apply_angular_acceleration(&mut self, acceleration: Vec3) {
        let (inertia, rotation) = self.inverse_inertia();
        self.load(Vec3::ZERO, inertia.inverse_mul(rotation, acceleration));
    }

    /// Applies an impulse in N·s through the centre of mass.
    pub fn apply_linear_impulse(&mut self, impulse: Vec3) {
        self.jolt(impulse, Vec3::ZERO);
    }

    /// Applies an impulse in N·s at a point.
    pub fn apply_linear_impulse_at_point(&mut self, impulse: Vec3, point: Vec3) {
        let arm = point - self.centre_of_mass();
        self.jolt(impulse, arm.cross(impulse));
    }

    /// Applies an impulse in N·s, in the body's axes, through the centre of mass.
    pub fn apply_local_linear_impulse(&mut self, impulse: Vec3) {
        self.apply_linear_impulse(self.to_world(impulse));
    }

    /// Applies an angular impulse in N·m·s.
    pub fn apply_angular_impulse(&mut self, impulse: Vec3) {
        self.jolt(Vec3::ZERO, impulse);
    }

    /// Applies an angular impulse in N·m·s, in the body's axes.
    pub fn apply_local_angular_impulse(&mut self, impulse: Vec3) {
        self.apply_angular_impulse(self.to_world(impulse));
    }

    /// Velocity in m/s of the centre of mass.
    pub fn linear_velocity(&self) -> Vec3 {
        self.velocity.0
    }

    /// Angular velocity in rad/s.
    pub fn angular_velocity(&self) -> Vec3 {
        self.angular_velocity.0
    }

    /// Velocity in m/s of the body at a point.
    pub fn velocity_at_point(&self, point: Vec3) -> Vec3 {
        let arm = point - self.centre_of_mass();
        self.velocity.0 + self.angular_velocity.0.cross(arm)
    }

    fn load(&mut self, force: Vec3, torque: Vec3) {
        if self.may_push(force, torque) {
            self.applied.force += force;
            self.applied.torque += torque;
        }
    }

    fn jolt(&mut self, impulse: Vec3, angular: Vec3) {
        let (inertia, rotation) = self.inverse_inertia();
        let dv = impulse / self.mass();
        let dw = inertia.mul(rotation, angular);
        // Without a sound mass there is no sound change: the step tells the problem of the mass.
        if self.may_push(impulse, angular) && dv.is_finite() && dw.is_finite() {
            let (v, w) = (self.velocity.0 + dv, self.angular_velocity.0 + dw);
            self.velocity.set_if_neq(LinearVelocity(v));
            self.angular_velocity.set_if_neq(AngularVelocity(w));
        }
    }

    /// Whether a push counts. If it does not, that is told in the coming step.
    fn may_push(&mut self, linear: Vec3, angular: Vec3) -> bool {
        let is_dynamic = self.kind.is_none_or(RigidBody::is_dynamic);
        if is_dynamic && linear.is_finite() && angular.is_finite() {
            return true;
        }
        let bad = [linear, angular].into_iter().find(|push| !push.is_finite());
        let rejected = match bad {
            Some(bad) => bad,
            None if linear == Vec3::ZERO => angular,
            None => linear,
        };
        if rejected != Vec3::ZERO {
            self.applied.rejected = rejected;
        }
        false
    }

    /// The place in world coordinates.
    fn place(&self) -> Transform {
        match self.place {
            (_, Some(global), true) => global.compute_transform(),
            (local, _, _) => *local,
        }
    }

    /// In world coordinates.
    fn centre_of_mass(&self) -> Vec3 {
        let place = self.place();
        let (.., compound) = self.shape;
        let centre = compound.map(|compound| place.rotation.normalize() * compound.centre);
        place.translation + centre.unwrap_or_default()
    }

    fn to_world(&self, local: Vec3) -> Vec3 {
        self.place().rotation.normalize() * local
    }

    fn mass(&self) -> f32 {
        // A new body has its mass from its density only after its first step.
        if let (_, Some(density), false, _) = self.mass {
            let volume = match self.shape {
                (Some(ball), ..) => ball.volume(),
                (_, Some(capsule), ..) => capsule.volume(),
                _ => 0.0,
            };
            return density.0 * volume * self.place().scale.x.powi(3);
        }
        self.mass.0.map_or(1.0, |mass| mass.0)
    }

    fn inverse_inertia(&self) -> (InverseInertia, Quat) {
        let place = self.place();
        let (ball, capsule, is_rod, is_locked, own, compound) = self.shape;
        let shape = match capsule {
            Some(capsule) => Shape::Capsule {
                radius: capsule.radius * place.scale.x,
                half_length: 0.5 * capsule.length * place.scale.x,
            },
            None => Shape::Particle {
                radius: ball.map_or(0.0, |ball| ball.radius) * place.scale.x,
            },
        };
        let rotation = place.rotation.normalize();
        if is_locked {
            return (InverseInertia::ZERO, rotation);
        }
        if let Some(compound) = compound {
            return (compound.inverse_inertia, rotation);
        }
        let grows = capsule.is_some() && (self.mass.2 || self.mass.3);
        let own = own.filter(|own| own.is_possible() && !grows);
        let inertia = inverse_inertia(&shape, self.mass(), own, (is_rod, false));
        (inertia, rotation)
    }
}
