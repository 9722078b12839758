//! The list of all components.

/// Calls a macro with the types of all components that a step reads or writes, but [`InWorld`](crate::components::InWorld): for tools
/// that copy bodies. Bevy's own `Transform`, `ChildOf` and `Disabled` are not among them.
///
/// ```
/// macro_rules! count {
///     ($($component:ty,)*) => { [$(stringify!($component)),*].len() };
/// }
/// assert!(bevy_impulse_collide::all_components!(count) > 40);
/// ```
#[macro_export]
macro_rules! all_components {
    ($callback:ident) => {
        $callback! {
            $crate::components::RigidBody,
            $crate::components::Particle,
            $crate::components::Capsule,
            $crate::components::Plane,
            $crate::components::Collider,
            $crate::components::Compound,
            $crate::components::Mass,
            $crate::components::Density,
            $crate::components::Inertia,
            $crate::components::CenterOfMass,
            $crate::components::OverlapCountedOnce,
            $crate::components::RodInertia,
            $crate::components::Restitution,
            $crate::components::Friction,
            $crate::components::RollingFriction,
            $crate::components::SpinningFriction,
            $crate::components::CollisionLayers,
            $crate::components::CollisionEvents,
            $crate::components::CollisionHooks,
            $crate::components::Sensor,
            $crate::components::BodyOrder,
            $crate::components::LinearVelocity,
            $crate::components::AngularVelocity,
            $crate::components::Acceleration,
            $crate::components::Sleep,
            $crate::components::SleepingDisabled,
            $crate::components::LinearDamping,
            $crate::components::AngularDamping,
            $crate::components::GravityScale,
            $crate::components::ExternalForce,
            $crate::components::ExternalTorque,
            $crate::components::AppliedForces,
            $crate::components::LockedRotation,
            $crate::components::MovedByTransform,
            $crate::components::Pivot,
            $crate::components::SurfaceVelocity,
            $crate::components::Growth,
            $crate::components::Division,
            $crate::components::Joint,
            $crate::components::JointForce,
            $crate::components::JointDamping,
            $crate::components::JointDisabled,
            $crate::components::JointLimits,
            $crate::components::JointMotor,
            $crate::components::JointSpring,
            $crate::components::JointStrength,
            $crate::components::SwingLimit,
        }
    };
}
