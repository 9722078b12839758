//! Errors in a user's input: the entity, the value, and the consequence.

use std::{fmt, mem::discriminant};

use bevy::{prelude::*, reflect::TypePath};

use crate::shape::ColliderProblem;

/// A component holds a value that the physics cannot use. Written (and logged as a warning) once, until it is mended.
#[derive(Message, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
pub struct BadInput {
    /// The entity with the component.
    pub entity: Entity,
    /// The problem, with the value, and the consequence.
    pub problem: InputProblem,
}

impl BadInput {
    /// Logs it as a warning, with the name of its entity.
    pub fn log(&self, name: Option<&Name>) {
        let Self { entity, problem } = self;
        let what = if problem.is_of_joint() {
            "joint"
        } else {
            "body"
        };
        match name {
            Some(name) => warn!("{what} {name} ({entity}): {problem}"),
            None => warn!("{what} {entity}: {problem}"),
        }
    }
}

/// A world with this resource writes each [`BadInput`] and does not log it: whoever reads the messages does, with
/// [`BadInput::log`].
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct UnloggedBadInput;

/// A value that the physics cannot use, or a component that has no effect where it is. Coefficients are brought into their range,
/// components without an effect are ignored, a collider takes part with the data that can be used, and a body that is too far
/// away takes part; any other problem leaves the body out of the simulation until the value is mended. The text says which.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// let problem = InputProblem::of::<Mass>(ProblemReason::NotPositive, -3.0);
/// assert_eq!((problem.component, problem.reason), ("Mass", ProblemReason::NotPositive));
/// assert_eq!(
///     problem.to_string(),
///     "its Mass is -3 kg and must be a number above 0; it is left out until that is mended"
/// );
/// ```
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
pub struct InputProblem {
    /// The name of the component's type, without its path.
    pub component: &'static str,
    /// The name of the component's field; empty if the component is one value, or is wrong as a whole.
    pub field: &'static str,
    /// Why it cannot be used.
    pub reason: ProblemReason,
    /// What it holds. Places, and the measures of shapes, are those in the world.
    pub value: ProblemValue,
}

macro_rules! reasons {
    ($($(#[$doc:meta])* $reason:ident => $fault:literal,)*) => {
        /// Why a value cannot be used, or a component has no effect.
        #[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq)]
        #[reflect(Debug, PartialEq, Clone)]
        pub enum ProblemReason {
            $($(#[$doc])* $reason,)*
        }

        impl ProblemReason {
            /// The middle of the sentence that tells the problem.
            fn fault(self) -> &'static str {
                match self {
                    $(Self::$reason => $fault,)*
                }
            }
        }
    };
}
reasons! {
    /// NaN or infinite.
    NotFinite => ", which is not finite",
    /// Zero, negative, NaN or infinite. The inertia of a growth may be infinite.
    NotPositive => " and must be a number above 0",
    /// Negative, NaN or infinite. The length of a division may be infinite.
    Negative => " and must be a number of 0 or more",
    /// Outside 0 to 1.
    OutOfRange => ", outside 0 to 1",
    /// A normal that is zero, NaN or infinite.
    NoDirection => ", which has no direction",
    /// A rotation that is zero, NaN or infinite.
    NoRotation => ", which turns nothing",
    /// The scale of a collider that is zero, NaN or infinite on an axis.
    NoScale => " and must be a number other than 0 on each axis",
    /// The scale of a ball or a capsule that is not the same positive number on all axes.
    UnevenScale => "; round shapes take one positive scale for all axes",
    /// The scales of the parents shear the body. With it comes the scale of the nearest body without shear.
    Sheared => ", and the scales of its parents shear it",
    /// A ball or a capsule is so far from the origin that the spacing of `f32` there is above a hundredth of its radius.
    TooFar => ": so far from the origin, f32 is too coarse for its radius",
    /// In a flat world, a body that is turned about X or Y, or a plane whose normal is not in the XY plane.
    OutOfPlane => ", out of the plane z = 0 of a flat world",
    /// Moments of inertia that no body has.
    Impossible => "; each moment must be above zero, and none greater than the sum of the other two",
    /// Data of a collider that cannot be used. It takes part with the rest of its data; without any, it is left out.
    UnusableData => "",
    /// The body is static.
    OnStaticBody => ", but its RigidBody is Static",
    /// The body is static or kinematic.
    OnHeldBody => ", but its RigidBody is not Dynamic",
    /// The body is dynamic.
    OnDynamicBody => ", but its RigidBody is Dynamic",
    /// The body is a plane or a collider.
    OnPlaneOrCollider => ", but a Plane or a Collider has no mass, and no force moves it",
    /// The body is a capsule that grows or divides.
    OnGrowingBody => ", but a capsule that grows or divides has that of its solid shape",
    /// The entity is a part of a compound.
    OnPart => ", but it is a part of a Compound, which alone has it",
    /// The body is a compound.
    OnCompound => ", but a Compound has no surface of its own, and its parts have theirs",
    /// The body is no capsule.
    WithoutCapsule => ", but its shape is no Capsule",
    /// The body is no collider.
    WithoutCollider => ", but only a Collider turns about another point than its origin",
    /// The body is no compound.
    WithoutCompound => ", but its shape is no Compound",
    /// A joint with an entity that is no body.
    WithoutBody => ", which is no body",
    /// A joint with twice the same body.
    SameBody => ", which is the other body too",
    /// None of the bodies of a joint is dynamic.
    NothingDynamic => ", but none of its bodies is Dynamic",
    /// This kind of joint leaves no freedom for the component.
    NotOfThisJoint => ", and this kind of joint leaves no freedom for it",
    /// The lower limit is above the upper one.
    AboveMax => ", above its max",
    /// The entity is no body.
    WithoutShape => ", but no Particle, Plane, Capsule or Collider",
    /// A compound has no ball and no capsule among its children.
    WithoutParts => ", but none of its children is a Particle or a Capsule that can be used",
    /// One entity has more than one of these.
    SeveralShapes => ", but a body has only one of Particle, Plane, Capsule, Collider and Compound",
    /// A static body is a child of a dynamic one.
    ChildOfDynamicBody => ", but a static body cannot be a part of a dynamic one",
    /// The entity that a body is to be in the world of has no world.
    WithoutWorld => ", which has no SubWorld",
    /// The entity has a world itself.
    OnWorld => ", but it has a SubWorld itself",
    /// A system outside of the set `StepSystems::Fields` has added to accelerations in `Bodies`. It is told for one of the bodies.
    OutsideStep => " outside of the set StepSystems::Fields",
}

/// A value that cannot be used.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
pub enum ProblemValue {
    /// The component is a marker, or wrong as a whole.
    Nothing,
    /// In the unit of the component.
    Number(f32),
    /// In the unit of the component.
    Vector(Vec3),
    /// A rotation.
    Rotation(Quat),
    /// What is wrong with the data of a collider.
    Collider(ColliderProblem),
    /// An entity that the component names.
    Body(Entity),
}

macro_rules! from_values {
    ($($variant:ident($value:ty),)*) => {
        $(impl From<$value> for ProblemValue {
            fn from(value: $value) -> Self {
                Self::$variant(value)
            }
        })*
    };
}
from_values! { Number(f32), Vector(Vec3), Rotation(Quat), Collider(ColliderProblem), Body(Entity), }

impl InputProblem {
    /// A problem of a component that is one value, or is wrong as a whole.
    pub fn of<C: TypePath>(reason: ProblemReason, value: impl Into<ProblemValue>) -> Self {
        Self::of_field::<C>("", reason, value)
    }

    /// A problem of a component's field.
    pub fn of_field<C: TypePath>(
        field: &'static str,
        reason: ProblemReason,
        value: impl Into<ProblemValue>,
    ) -> Self {
        Self {
            component: C::short_type_path(),
            field,
            reason,
            value: value.into(),
        }
    }

    /// Whether it is the same problem, perhaps with another value.
    pub fn is_like(&self, other: &Self) -> bool {
        let kind = |it: &Self| {
            let of_data = match it.value {
                ProblemValue::Collider(problem) => Some(discriminant(&problem)),
                _ => None,
            };
            (it.component, it.field, it.reason, of_data)
        };
        kind(self) == kind(other)
    }

    /// Whether its entity is a joint.
    pub(crate) fn is_of_joint(&self) -> bool {
        let components = [
            "Joint",
            "JointLimits",
            "SwingLimit",
            "JointMotor",
            "JointSpring",
            "JointDamping",
            "JointStrength",
        ];
        components.contains(&self.component)
    }

    fn unit(&self) -> &'static str {
        match (self.component, self.field) {
            ("Mass", _) | ("Growth", "inertia") => " kg",
            ("Density", _) => " kg/m³",
            ("Inertia", _) => " kg·m²",
            ("Growth", "rate") => " m/s",
            ("Growth", "uptake") => " kg/m",
            (_, "bend") => " rad",
            (_, "radius" | "length") => " m",
            _ => "",
        }
    }

    /// The end of the sentence that tells the problem.
    fn consequence(&self) -> &'static str {
        use ProblemReason as R;
        match (self.component, self.reason) {
            ("RigidBody", R::OnPlaneOrCollider) => "it is taken as Static",
            ("AppliedForces", _)
            | (_, R::OnHeldBody | R::OnDynamicBody | R::OnPlaneOrCollider | R::OnGrowingBody)
            | (_, R::OnPart | R::OnCompound | R::OnWorld)
            | (_, R::WithoutCapsule | R::WithoutCollider | R::WithoutCompound | R::WithoutShape) => {
                "that has no effect"
            }
            (_, R::NotOfThisJoint) => "that has no effect",
            (_, R::OutsideStep) => "that has no effect: add the system to ImpulseStep, in that set",
            (_, R::TooFar) => "its contacts are not exact",
            ("Restitution", _) => "the nearest of these is used",
            ("Friction" | "RollingFriction" | "SpinningFriction", _)
            | ("LinearDamping" | "AngularDamping" | "JointDamping", _) => "0 is used",
            ("SurfaceVelocity" | "Pivot", _) | (_, R::OnStaticBody) => "zero is used",
            ("CenterOfMass", _) => "that of its parts is used",
            ("Density", _) => "its Mass stays as it is",
            ("Inertia", _) => "the inertia of its solid shape is used",
            ("JointStrength", _) => "the joint does not break by it",
            ("JointLimits" | "SwingLimit" | "JointMotor" | "JointSpring", _) => {
                "the joint goes without it until that is mended"
            }
            ("Growth", _) => "it does not grow until that is mended",
            ("Division", _) => "it does not divide until that is mended",
            ("Transform", R::OutOfPlane) => "the turn about Z is used",
            _ => "it is left out until that is mended",
        }
    }
}

impl fmt::Display for InputProblem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        use ProblemReason as R;
        let (component, value) = (self.component, self.value);
        match (component, self.reason) {
            (_, R::UnusableData) => return write!(f, "its {component} {value}"),
            (_, R::OutsideStep) => write!(f, "a system has added to its acceleration in Bodies"),
            ("RigidBody", R::OnPlaneOrCollider) => write!(f, "its RigidBody is Dynamic"),
            ("AppliedForces", _) => write!(f, "Forces were to apply {value} to it"),
            _ if value == ProblemValue::Nothing => write!(f, "it has {component}"),
            _ if self.field.is_empty() => write!(f, "its {component} is {value}{}", self.unit()),
            _ => {
                let (field, unit) = (self.field, self.unit());
                write!(f, "its {component}'s {field} is {value}{unit}")
            }
        }?;
        write!(f, "{}; {}", self.reason.fault(), self.consequence())
    }
}

impl fmt::Display for ProblemValue {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Nothing => Ok(()),
            Self::Number(value) => value.fmt(f),
            Self::Vector(value) => value.fmt(f),
            Self::Rotation(value) => value.fmt(f),
            Self::Collider(problem) => problem.fmt(f),
            Self::Body(entity) => entity.fmt(f),
        }
    }
}
