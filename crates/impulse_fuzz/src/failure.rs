//! The ways in which a world can break a law.

use std::fmt;

use bevy::prelude::*;
use clap::ValueEnum;

/// A broken law, and the step after which it was seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The step, counted from zero.
    pub step: u32,
    /// The broken law.
    pub law: Law,
}

/// A broken law with its measures.
#[derive(Clone, Debug, PartialEq)]
pub enum Law {
    /// The step panicked, with this message.
    Panic(String),
    /// The transform or a velocity of this body is NaN or infinite.
    NotFinite(u32),
    /// An end of the core of `body` lies behind `wall`.
    BeyondWall {
        /// The body.
        body: u32,
        /// The index of the wall.
        wall: usize,
        /// How deep the end lies, in radii of the body.
        radii: f32,
    },
    /// The sum of all momenta has changed: by this part of √(2·E·M).
    Momentum(f64),
    /// The energy is this multiple of the energy at the start.
    Energy(f64),
    /// The energy of the components is this multiple of the energy at the start. The energy of the leapfrog has not grown.
    ShownEnergy(f64),
    /// Kinetic and potential energy together have grown, by this multiple of the energy at the start and of the work that gravity
    /// can do.
    Burst(f64),
    /// The number of messages about a bad value is wrong.
    BadInput {
        /// The entity with the bad value.
        entity: Entity,
        /// The name of the problem.
        problem: String,
        /// How often it was told.
        told: u32,
        /// How often it should have been told.
        due: u32,
    },
    /// This static body has moved, or the velocity of this kinematic body has changed.
    HeldBody(u32),
    /// A world that was put back to a snapshot went on to other bits within so many steps.
    Rewound(u32),
    /// A message came twice, or one is missing: what it says, and of whom.
    Told(&'static str, Entity, Entity),
    /// The force that a joint shows is NaN or infinite.
    JointForce(u32),
    /// Bodies are apart where `tie` holds them.
    Apart {
        /// The joint.
        tie: u32,
        /// How far, as a multiple of the distance between its bodies.
        apart: f32,
    },
}

/// A law without measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum LawName {
    /// See [`Law::Panic`].
    Panic,
    /// See [`Law::NotFinite`].
    NotFinite,
    /// See [`Law::BeyondWall`].
    BeyondWall,
    /// See [`Law::Momentum`].
    Momentum,
    /// See [`Law::Energy`].
    Energy,
    /// See [`Law::ShownEnergy`].
    ShownEnergy,
    /// See [`Law::Burst`].
    Burst,
    /// See [`Law::BadInput`].
    BadInput,
    /// See [`Law::HeldBody`].
    HeldBody,
    /// See [`Law::Rewound`].
    Rewound,
    /// See [`Law::Told`].
    Told,
    /// See [`Law::JointForce`].
    JointForce,
    /// See [`Law::Apart`].
    Apart,
}

impl Law {
    /// The law without its measures.
    pub fn name(&self) -> LawName {
        match self {
            Self::Panic(_) => LawName::Panic,
            Self::NotFinite(_) => LawName::NotFinite,
            Self::BeyondWall { .. } => LawName::BeyondWall,
            Self::Momentum(_) => LawName::Momentum,
            Self::Energy(_) => LawName::Energy,
            Self::ShownEnergy(_) => LawName::ShownEnergy,
            Self::Burst(_) => LawName::Burst,
            Self::BadInput { .. } => LawName::BadInput,
            Self::HeldBody(_) => LawName::HeldBody,
            Self::Rewound(_) => LawName::Rewound,
            Self::Told(..) => LawName::Told,
            Self::JointForce(_) => LawName::JointForce,
            Self::Apart { .. } => LawName::Apart,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "step {}: {}", self.step, self.law)
    }
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Panic(message) => write!(f, "the step panicked: {message}"),
            Self::NotFinite(body) => write!(f, "body {body} is at NaN or infinity"),
            Self::BeyondWall { body, wall, radii } => {
                write!(f, "body {body} is {radii} radii behind wall {wall}")
            }
            Self::Momentum(off) => write!(f, "the momentum is off by {off:.3e} of its scale"),
            Self::Energy(ratio) => write!(f, "the energy is {ratio:.6} times that at the start"),
            Self::ShownEnergy(ratio) => write!(
                f,
                "the energy that the components show is {ratio:.6} times that at the start"
            ),
            Self::Burst(part) => write!(f, "the energy has grown by {part:.3} of its scale"),
            Self::BadInput {
                entity,
                problem,
                told,
                due,
            } => write!(f, "{problem} of {entity} is told {told} times, not {due}"),
            Self::HeldBody(body) => {
                write!(f, "the static or kinematic body {body} was pushed")
            }
            Self::Rewound(steps) => {
                write!(f, "put back, the world has other bits after {steps} steps")
            }
            Self::JointForce(tie) => write!(f, "the force of joint {tie} is NaN or infinite"),
            Self::Apart { tie, apart } => write!(
                f,
                "joint {tie} is apart by {apart} of the distance of its bodies"
            ),
            Self::Told(what, a, b) => write!(f, "{a} and {b}: {what}"),
        }
    }
}
