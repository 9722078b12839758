//! Errors in a user's input: the entity, the value, and the consequence.

use std::fmt;

use bevy::prelude::*;

use crate::shape::ColliderProblem;

/// A value that the physics cannot use, or a component that has no effect where it is. Coefficients are brought into their range,
/// components without an effect are ignored, a collider takes part with the data that can be used, and a body that is too far
/// away takes part; any other problem leaves the body out of the simulation until the value is mended.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
pub enum InputProblem {
    /// `Transform::translation` is NaN or infinite.
    Position(Vec3),
    /// A ball or capsule is so far from the origin that the spacing of `f32` there is above a hundredth of its radius. It takes
    /// part, but contacts are not exact.
    TooFar(Vec3),
    /// `Transform::rotation` is NaN, infinite or zero.
    Rotation(Quat),
    /// `Transform::scale` is not the same positive number on all axes.
    Scale(Vec3),
    /// Radius, scaled, is not a positive number.
    Radius(f32),
    /// A capsule's length is negative, NaN or infinite.
    Length(f32),
    /// Mass is not a positive number.
    Mass(f32),
    /// Density is not a positive number.
    Density(f32),
    /// A plane's normal has no direction.
    Normal(Vec3),
    /// `Transform::scale` of a collider is zero, NaN or infinite on an axis.
    ColliderScale(Vec3),
    /// Data of a collider cannot be used. The collider takes part with the rest of its data; without any, it is left out.
    Collider(ColliderProblem),
    /// Velocity is NaN or infinite.
    LinearVelocity(Vec3),
    /// Angular velocity is NaN or infinite.
    AngularVelocity(Vec3),
    /// Surface velocity is NaN or infinite.
    SurfaceVelocity(Vec3),
    /// Force is NaN or infinite.
    ExternalForce(Vec3),
    /// Torque is NaN or infinite.
    ExternalTorque(Vec3),
    /// A force, torque or impulse applied with `Forces` is NaN or infinite.
    Push(Vec3),
    /// Gravity scale is NaN or infinite.
    GravityScale(f32),
    /// A growth's rate is NaN or infinite.
    GrowthRate(f32),
    /// A growth's inertia is not above zero.
    GrowthInertia(f32),
    /// A growth's uptake is negative, NaN or infinite.
    GrowthUptake(f32),
    /// The length at which a capsule divides is negative or NaN.
    DivisionLength(f32),
    /// The first daughter's share is outside 0 to 1.
    DivisionShare(f32),
    /// The angle between daughters is NaN or infinite.
    DivisionBend(f32),
    /// Damping is negative or not a number.
    LinearDamping(f32),
    /// Angular damping is negative or not a number.
    AngularDamping(f32),
    /// More than one of `Particle`, `Plane`, `Capsule` and `Collider` on one entity.
    SeveralShapes,
    /// Restitution is outside 0 to 1.
    Restitution(f32),
    /// Friction is negative or not a number.
    Friction(f32),
    /// Rolling friction is negative or not a number.
    RollingFriction(f32),
    /// Spinning friction is negative or not a number.
    SpinningFriction(f32),
    /// In a flat world, the body is turned about X or Y.
    RotationOutOfPlane(Quat),
    /// In a flat world, the normal of a plane is not in the XY plane.
    NormalOutOfPlane(Vec3),
    /// A plane or a collider is `RigidBody::Dynamic`: it has no mass.
    DynamicPlane,
    /// A static body has a velocity.
    StaticVelocity(Vec3),
    /// A static body has an angular velocity.
    StaticAngularVelocity(Vec3),
    /// A force acts on a static or kinematic body.
    ExternalForceOnHeldBody(Vec3),
    /// A force, torque or impulse was applied with `Forces` to a static or kinematic body.
    PushOnHeldBody(Vec3),
    /// A torque acts on a static or kinematic body.
    ExternalTorqueOnHeldBody(Vec3),
    /// A system outside of the set `StepSystems::Fields` has added to accelerations in `Bodies`. It is told for one of the bodies.
    FieldOutsideStep,
    /// A pivot is NaN or infinite.
    Pivot(Vec3),
    /// A ball, a capsule or a plane has a pivot.
    PivotWithoutCollider(Vec3),
    /// The scales of the parents shear the body. With it comes the scale of the nearest body without shear.
    ShearedByParents(Vec3),
    /// A static body is a child of a dynamic one.
    StaticChildOfDynamicBody,
    /// A dynamic body has a surface velocity.
    SurfaceVelocityOfDynamicBody(Vec3),
    /// A dynamic body is moved by its `Transform`.
    MovedByTransformOfDynamicBody,
    /// A static or kinematic capsule has a growth: its rate.
    GrowthOfHeldBody(f32),
    /// A static or kinematic capsule has a division: its length.
    DivisionOfHeldBody(f32),
    /// A ball or a plane has a growth: its rate.
    GrowthWithoutCapsule(f32),
    /// A ball or a plane has a division: its length.
    DivisionWithoutCapsule(f32),
    /// A ball or a plane has the inertia of a rod.
    RodInertiaWithoutCapsule,
    /// The rotation of a static or kinematic body is locked.
    LockedRotationOfHeldBody,
    /// The moments of an `Inertia` are not those of a body.
    Inertia(Vec3),
    /// An `Inertia` on a body that is not dynamic.
    InertiaOfHeldBody(Vec3),
    /// An `Inertia` on a capsule that grows or divides.
    InertiaOfGrowingBody(Vec3),
    /// A plane or a collider has a mass.
    MassOfPlane(f32),
    /// A plane or a collider has a density.
    DensityOfPlane(f32),
    /// A plane or a collider has a gravity scale other than 1.
    GravityScaleOfPlane(f32),
    /// A plane or a collider has a damping.
    LinearDampingOfPlane(f32),
    /// A plane or a collider has an angular damping.
    AngularDampingOfPlane(f32),
    /// An entity has this component, but none of `Particle`, `Plane`, `Capsule` and `Collider`.
    NoShape(&'static str),
}

/// A component holds a value that the physics cannot use. Written (and logged as a warning) once, until it is mended.
#[derive(Message, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
pub struct BadInput {
    /// The entity with the component.
    pub entity: Entity,
    /// The problem, with the value, and the consequence.
    pub problem: InputProblem,
}

impl fmt::Display for InputProblem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        const LEFT_OUT: &str = "it is left out until that is mended";
        const GROWS_NOT: &str = "it does not grow until that is mended";
        const DIVIDES_NOT: &str = "it does not divide until that is mended";
        const NO_EFFECT: &str = "that has no effect";
        const HELD: &str = "its RigidBody is not Dynamic";
        match self {
            Self::Position(x) => write!(
                f,
                "its Transform's translation is {x}, which is not finite; {LEFT_OUT}"
            ),
            Self::Rotation(q) => write!(
                f,
                "its Transform's rotation is {q}, which turns nothing; {LEFT_OUT}"
            ),
            Self::Scale(s) => write!(
                f,
                "its Transform's scale is {s}; round shapes take one positive scale for all axes; {LEFT_OUT}"
            ),
            Self::Radius(r) => write!(
                f,
                "its radius is {r} m and must be a number above 0; {LEFT_OUT}"
            ),
            Self::Length(l) => write!(
                f,
                "its Capsule's length is {l} m and must be a number of 0 or more; {LEFT_OUT}"
            ),
            Self::Mass(m) => write!(
                f,
                "its Mass is {m} kg and must be a number above 0; {LEFT_OUT}"
            ),
            Self::Density(d) => write!(
                f,
                "its Density is {d} kg/m³ and must be a number above 0; its Mass stays as it is"
            ),
            Self::Normal(n) => write!(
                f,
                "its Plane's normal is {n}, which has no direction; {LEFT_OUT}"
            ),
            Self::ColliderScale(s) => write!(
                f,
                "its Transform's scale is {s} and must be a number other than 0 on each axis; {LEFT_OUT}"
            ),
            Self::Collider(problem) => write!(f, "its Collider {problem}"),
            Self::LinearVelocity(v) => write!(
                f,
                "its LinearVelocity is {v}, which is not finite; {LEFT_OUT}"
            ),
            Self::AngularVelocity(w) => write!(
                f,
                "its AngularVelocity is {w}, which is not finite; {LEFT_OUT}"
            ),
            Self::SurfaceVelocity(v) => write!(
                f,
                "its SurfaceVelocity is {v}, which is not finite; zero is used"
            ),
            Self::ExternalForce(x) => write!(
                f,
                "its ExternalForce is {x}, which is not finite; {LEFT_OUT}"
            ),
            Self::ExternalTorque(x) => write!(
                f,
                "its ExternalTorque is {x}, which is not finite; {LEFT_OUT}"
            ),
            Self::GravityScale(s) => write!(
                f,
                "its GravityScale is {s}, which is not finite; {LEFT_OUT}"
            ),
            Self::GrowthRate(r) => write!(
                f,
                "its Growth's rate is {r} m/s, which is not finite; {GROWS_NOT}"
            ),
            Self::GrowthInertia(g) => write!(
                f,
                "its Growth's inertia is {g} kg and must be above 0; {GROWS_NOT}"
            ),
            Self::GrowthUptake(u) => write!(
                f,
                "its Growth's uptake is {u} kg/m and must be a number of 0 or more; {GROWS_NOT}"
            ),
            Self::DivisionLength(l) => write!(
                f,
                "its Division's length is {l} m and must be 0 or more; {DIVIDES_NOT}"
            ),
            Self::DivisionShare(s) => write!(
                f,
                "its Division's share is {s}, outside 0 to 1; {DIVIDES_NOT}"
            ),
            Self::DivisionBend(b) => write!(
                f,
                "its Division's bend is {b} rad, which is not finite; {DIVIDES_NOT}"
            ),
            Self::LinearDamping(d) => write!(
                f,
                "its LinearDamping is {d} and must be 0 or more; 0 is used"
            ),
            Self::AngularDamping(d) => write!(
                f,
                "its AngularDamping is {d} and must be 0 or more; 0 is used"
            ),
            Self::SeveralShapes => write!(
                f,
                "it has more than one of Particle, Plane, Capsule and Collider; {LEFT_OUT}"
            ),
            Self::Restitution(e) => write!(
                f,
                "its Restitution is {e}, outside 0 to 1; the nearest of these is used"
            ),
            Self::Friction(mu) => {
                write!(f, "its Friction is {mu} and must be 0 or more; 0 is used")
            }
            Self::RollingFriction(mu) => write!(
                f,
                "its RollingFriction is {mu} and must be 0 or more; 0 is used"
            ),
            Self::SpinningFriction(mu) => write!(
                f,
                "its SpinningFriction is {mu} and must be 0 or more; 0 is used"
            ),
            Self::DynamicPlane => write!(
                f,
                "its RigidBody is Dynamic, but a Plane or a Collider has no mass; it is taken as Static"
            ),
            Self::RotationOutOfPlane(q) => write!(
                f,
                "its rotation is {q}, but the world is flat; the turn about Z is used"
            ),
            Self::NormalOutOfPlane(n) => write!(
                f,
                "its normal is {n}, but the world is flat: a normal has z = 0; {LEFT_OUT}"
            ),
            Self::TooFar(x) => write!(
                f,
                "its position is {x}: so far from the origin, f32 is too coarse for its radius"
            ),
            Self::StaticVelocity(v) => write!(
                f,
                "its LinearVelocity is {v}, but its RigidBody is Static; zero is used"
            ),
            Self::StaticAngularVelocity(w) => write!(
                f,
                "its AngularVelocity is {w}, but its RigidBody is Static; zero is used"
            ),
            Self::Push(x) => write!(
                f,
                "Forces were to apply {x} to it, which is not finite; {NO_EFFECT}"
            ),
            Self::PushOnHeldBody(x) => {
                write!(f, "Forces were to apply {x} to it, but {HELD}; {NO_EFFECT}")
            }
            Self::ExternalForceOnHeldBody(x) => {
                write!(f, "its ExternalForce is {x}, but {HELD}; {NO_EFFECT}")
            }
            Self::ExternalTorqueOnHeldBody(x) => {
                write!(f, "its ExternalTorque is {x}, but {HELD}; {NO_EFFECT}")
            }
            Self::FieldOutsideStep => write!(
                f,
                "a system has added to its acceleration in Bodies outside of the set StepSystems::Fields; {NO_EFFECT}: add the system to \
                 ImpulseStep, in that set"
            ),
            Self::Pivot(x) => write!(f, "its Pivot is {x}, which is not finite; zero is used"),
            Self::PivotWithoutCollider(x) => write!(
                f,
                "its Pivot is {x}, but only a Collider turns about another point than its origin; {NO_EFFECT}"
            ),
            Self::ShearedByParents(s) => write!(
                f,
                "the scales of its parents shear it, beside its scale of {s}; {LEFT_OUT}"
            ),
            Self::StaticChildOfDynamicBody => write!(
                f,
                "it is a static child of a dynamic body, of which no child can be a part; {LEFT_OUT}"
            ),
            Self::SurfaceVelocityOfDynamicBody(v) => write!(
                f,
                "its SurfaceVelocity is {v}, but its RigidBody is Dynamic; {NO_EFFECT}"
            ),
            Self::MovedByTransformOfDynamicBody => write!(
                f,
                "it has MovedByTransform, but its RigidBody is Dynamic; {NO_EFFECT}"
            ),
            Self::GrowthOfHeldBody(r) => {
                write!(f, "its Growth's rate is {r} m/s, but {HELD}; {NO_EFFECT}")
            }
            Self::DivisionOfHeldBody(l) => {
                write!(f, "its Division's length is {l} m, but {HELD}; {NO_EFFECT}")
            }
            Self::GrowthWithoutCapsule(r) => write!(
                f,
                "its Growth's rate is {r} m/s, but only a Capsule grows; {NO_EFFECT}"
            ),
            Self::DivisionWithoutCapsule(l) => write!(
                f,
                "its Division's length is {l} m, but only a Capsule divides; {NO_EFFECT}"
            ),
            Self::RodInertiaWithoutCapsule => write!(
                f,
                "it has a RodInertia, which is for a Capsule only; {NO_EFFECT}"
            ),
            Self::LockedRotationOfHeldBody => write!(
                f,
                "it has a LockedRotation, but no impulse turns a static or kinematic body anyway; {NO_EFFECT}"
            ),
            Self::Inertia(x) => write!(
                f,
                "the moments of its Inertia are {x} kg·m²; each must be above zero, and none greater than the sum of the other two; \
                 the inertia of its solid shape is used"
            ),
            Self::InertiaOfHeldBody(x) => write!(
                f,
                "the moments of its Inertia are {x} kg·m², but no impulse turns a static or kinematic body; {NO_EFFECT}"
            ),
            Self::InertiaOfGrowingBody(x) => write!(
                f,
                "the moments of its Inertia are {x} kg·m², but a capsule that grows or divides has that of its solid shape; {NO_EFFECT}"
            ),
            Self::MassOfPlane(m) => {
                write!(
                    f,
                    "its Mass is {m} kg, but a Plane or a Collider has no mass; {NO_EFFECT}"
                )
            }
            Self::DensityOfPlane(d) => write!(
                f,
                "its Density is {d} kg/m³, but a Plane or a Collider has no mass; {NO_EFFECT}"
            ),
            Self::GravityScaleOfPlane(s) => write!(
                f,
                "its GravityScale is {s}, but no field moves a Plane or a Collider; {NO_EFFECT}"
            ),
            Self::LinearDampingOfPlane(d) => write!(
                f,
                "its LinearDamping is {d}, but no drag slows a Plane or a Collider; {NO_EFFECT}"
            ),
            Self::AngularDampingOfPlane(d) => write!(
                f,
                "its AngularDamping is {d}, but no drag slows a Plane or a Collider; {NO_EFFECT}"
            ),
            Self::NoShape(component) => write!(
                f,
                "its {component} has no effect without a Particle, a Plane, a Capsule or a Collider"
            ),
        }
    }
}
