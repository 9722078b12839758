//! A joint as plain data: what it joins, and what acts along its freedoms.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use clap::ValueEnum;

/// A joint between two bodies, or a body and the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Tie {
    /// The name of the joint. It stays the same while a world shrinks.
    pub id: u32,
    /// One body; `None` for the world.
    pub a: Option<u32>,
    /// The other body.
    pub b: u32,
    /// Whether it joins the first ball of each dumbbell, not the dumbbell.
    pub is_on_parts: bool,
    /// What it holds.
    pub kind: JointKind,
    /// A point of the world in m, if it names one.
    pub point: Option<Vec3>,
    /// Its axis.
    pub axis: Vec3,
    /// The axle of a wheel.
    pub across: Vec3,
    /// Whether its bodies collide.
    pub bodies_collide: bool,
    /// What acts along its freedoms.
    pub drives: Drives,
    /// The force in N under which it breaks.
    pub strength: Option<f32>,
}

/// What acts along the freedoms of a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drives {
    /// Its limits.
    pub limits: Option<JointLimits>,
    /// The cone of a spherical joint.
    pub swing: Option<SwingLimit>,
    /// Its motor.
    pub motor: Option<JointMotor>,
    /// Its spring.
    pub spring: Option<JointSpring>,
}

/// A value of a joint that the physics must refuse, and tell once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BadTie {
    /// It joins an entity that is no body.
    Nobody,
    /// It joins a body to itself.
    SameBody,
    /// A NaN in the point on `a`.
    NanPoint,
    /// A rotation of zero on `b`.
    ZeroRotation,
    /// A rod of negative length.
    NegativeLength,
    /// A wheel that is steered by NaN.
    NanSteering,
    /// Limits whose least value is above the greatest. The joint acts without them.
    CrossedLimits,
    /// A motor with a velocity of NaN. The joint acts without it.
    NanMotor,
    /// A spring with a negative stiffness. The joint acts without it.
    NegativeSpring,
    /// A strength of NaN. The joint acts.
    NanStrength,
}

impl BadTie {
    /// The problem that the physics must tell; its value has no meaning.
    pub fn problem(self) -> InputProblem {
        use InputProblem as P;
        use ProblemReason as R;
        match self {
            Self::Nobody => P::of_field::<Joint>("b", R::WithoutBody, 0.0),
            Self::SameBody => P::of_field::<Joint>("b", R::SameBody, 0.0),
            Self::NanPoint => P::of_field::<Joint>("a", R::NotFinite, 0.0),
            Self::ZeroRotation => P::of_field::<Joint>("b", R::NoRotation, 0.0),
            Self::NegativeLength => P::of_field::<Joint>("kind", R::NotPositive, 0.0),
            Self::NanSteering => P::of_field::<Joint>("kind", R::NotFinite, 0.0),
            Self::CrossedLimits => P::of_field::<JointLimits>("min", R::AboveMax, 0.0),
            Self::NanMotor => P::of_field::<JointMotor>("target", R::NotFinite, 0.0),
            Self::NegativeSpring => P::of_field::<JointSpring>("stiffness", R::Negative, 0.0),
            Self::NanStrength => P::of_field::<JointStrength>("force", R::NotFinite, 0.0),
        }
    }
}

impl Tie {
    /// Whether a body is one of its two.
    pub fn joins(&self, id: u32) -> bool {
        self.a == Some(id) || self.b == id
    }

    /// Whether it gives energy: a wheel that comes with a steering turns its axle.
    pub fn is_driven(&self) -> bool {
        let is_steered = matches!(self.kind, JointKind::Wheel { steering } if steering != 0.0);
        self.drives.motor.is_some() || is_steered
    }

    /// The same, between its bodies where they are when it comes. A rod to the world ends where it did.
    pub fn anew(&self) -> Self {
        let is_rod = matches!(self.kind, JointKind::Distance(_));
        Self {
            point: self.point.filter(|_| is_rod && self.a.is_none()),
            ..self.clone()
        }
    }

    /// The joint between two entities.
    pub fn joint(&self, a: Option<Entity>, b: Entity) -> Joint {
        Joint {
            place: JointPlace::World {
                point: self.point,
                axis: self.axis,
                across: self.across,
            },
            bodies_collide: self.bodies_collide,
            ..Joint::new(self.kind, a, b)
        }
    }
}
