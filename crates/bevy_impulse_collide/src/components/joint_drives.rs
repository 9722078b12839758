//! Components that act along the freedoms which a joint leaves, and what a joint bears.

use bevy::prelude::*;

/// How far the bodies of a [`Joint`](super::Joint) move relative to each other. At the limit they stop, without a rebound.
///
/// | joint | of what |
/// | --- | --- |
/// | revolute | the angle about the axis in rad, from where it was when the joint began; between −π and π |
/// | prismatic, wheel | the way along the axis in m, from there |
/// | distance | the distance in m: a rope, if `min` is 0 |
/// | spherical | the angle about the axis of `b`, in rad |
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn rope(mut commands: Commands) {
///     let ball = commands.spawn(Particle::new(0.2)).id();
///     commands.spawn((Joint::distance(None, ball).at(Vec3::Y * 2.0), JointLimits::new(0.0, 3.0)));
/// }
/// # bevy::ecs::system::assert_is_system(rope);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct JointLimits {
    /// In m or rad.
    pub min: f32,
    /// In m or rad.
    pub max: f32,
}

impl JointLimits {
    /// From `min` to `max`, in m or rad.
    pub fn new(min: f32, max: f32) -> Self {
        Self { min, max }
    }
}

/// Greatest angle in rad between the axes of the two bodies of a spherical joint: a cone, as a shoulder has. A cone under 0.05
/// is closed: the joint then holds the axis, as a revolute one does.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct SwingLimit(pub f32);

/// Damping of the turning of two bodies about each other, as the flesh about a shoulder gives it, in 1/s: their angular velocities differ
/// by e^(−d·t) of what they did. It goes on the entity of any [`Joint`](super::Joint). Without it a limb that hangs swings for ever, and a
/// pile of ragdolls never sleeps.
///
/// The couple acts on both bodies, so that the angular momentum stays. It slows the turning of the bodies themselves: a pendulum, whose
/// mass is far from its joint, slows down by a part of it.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn shoulder(mut commands: Commands, chest: Entity, arm: Entity) {
///     let joint = Joint::spherical(chest, arm).at(Vec3::X).along(Vec3::X);
///     commands.spawn((joint, SwingLimit(1.3), JointDamping(20.0)));
/// }
/// # bevy::ecs::system::assert_is_system(|commands: Commands| shoulder(commands, Entity::PLACEHOLDER, Entity::PLACEHOLDER));
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct JointDamping(pub f32);

/// A motor along the freedom of a [`Joint`](super::Joint): the turn of a hinge, the way of a slider, the length of a distance joint,
/// the turn of a wheel about its axle.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn mill(mut commands: Commands) {
///     let wheel = commands.spawn(Capsule::new(0.1, 2.0)).id();
///     // Half a turn a second, with 50 N·m at most.
///     let motor = JointMotor::velocity(3.14).with_max_force(50.0);
///     commands.spawn((Joint::revolute(None, wheel, Vec3::Z), motor));
/// }
/// # bevy::ecs::system::assert_is_system(mill);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct JointMotor {
    /// What it works towards.
    pub target: MotorTarget,
    /// Its greatest force in N, or torque in N·m. Default: infinite.
    pub max_force: f32,
}

/// What a motor works towards.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub enum MotorTarget {
    /// In m/s or rad/s, of `b` relative to `a`. Zero with a `max_force` is a brake: dry friction in the joint.
    Velocity(f32),
    /// In m or rad, as [`JointLimits`] count. A spring pulls there.
    Position(f32, JointSpring),
}

impl JointMotor {
    /// Holds a velocity in m/s, or in rad/s.
    pub fn velocity(velocity: f32) -> Self {
        Self {
            target: MotorTarget::Velocity(velocity),
            max_force: f32::INFINITY,
        }
    }

    /// Pulls to a place in m, or to an angle in rad, as a spring.
    pub fn position(position: f32, spring: JointSpring) -> Self {
        Self {
            target: MotorTarget::Position(position, spring),
            max_force: f32::INFINITY,
        }
    }

    /// With a greatest force in N, or torque in N·m.
    pub fn with_max_force(self, max_force: f32) -> Self {
        Self { max_force, ..self }
    }
}

/// Makes a [`Joint`](super::Joint) springy.
///
/// | joint | what is springy |
/// | --- | --- |
/// | distance | the distance, about the joint's own |
/// | revolute, prismatic, wheel | the turn about the axis, or the way along it, about where it was when the joint began |
/// | fixed, spherical | all that it holds |
///
/// Two bodies with a spring between them move as the closed form of the damped oscillation says, whatever the time step is, up to a
/// frequency of 0.3 of the rate of the substeps. A stiffer spring hangs where it should too, but substeps are too long to show how it
/// swings: it acts as one of 0.35 of their rate at most, and loses the oscillation within some hundred of them.
///
/// The frequency of a fixed or spherical joint is a mean one over all directions.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub enum JointSpring {
    /// As stiff as it must be for the two bodies to swing at this frequency.
    Frequency {
        /// In Hz, without damping.
        frequency: f32,
        /// Over the critical damping: with 1, they come to rest in the shortest time.
        damping_ratio: f32,
    },
    /// As stiff as it says.
    Stiffness {
        /// In N/m, or in N·m/rad.
        stiffness: f32,
        /// In N·s/m, or in N·m·s/rad.
        damping: f32,
    },
}

impl JointSpring {
    /// A spring on which the two bodies swing at this frequency in Hz.
    pub fn frequency(frequency: f32, damping_ratio: f32) -> Self {
        Self::Frequency {
            frequency,
            damping_ratio,
        }
    }

    /// A spring with a stiffness in N/m or N·m/rad, and a damping in N·s/m or N·m·s/rad.
    pub fn stiffness(stiffness: f32, damping: f32) -> Self {
        Self::Stiffness { stiffness, damping }
    }
}

/// What a [`Joint`](super::Joint) bears: it breaks under more. Then the step writes [`JointBroken`](crate::messages::JointBroken), and
/// gives it [`JointDisabled`].
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct JointStrength {
    /// In N.
    pub force: f32,
    /// In N·m, about the joint's point.
    pub torque: f32,
}

impl JointStrength {
    /// Breaks under a force in N, and under no torque.
    pub fn force(force: f32) -> Self {
        Self {
            force,
            torque: f32::INFINITY,
        }
    }
}

/// The force with which a [`Joint`](super::Joint) acts on its body `b`, in world axes. The step writes it.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct JointForce {
    /// In N, the mean of the last step.
    pub force: Vec3,
    /// In N·m, about the joint's point.
    pub torque: Vec3,
}

/// Takes a [`Joint`](super::Joint) out of the simulation as long as it is there. Its bodies collide with each other then.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct JointDisabled;
