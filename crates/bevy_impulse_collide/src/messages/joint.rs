//! The message of joints that break.

use bevy::prelude::*;

/// A joint has borne more than its [`JointStrength`](crate::components::JointStrength). It has
/// [`JointDisabled`](crate::components::JointDisabled) from the next step on: take that away to mend it.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn crack(mut broken: MessageReader<JointBroken>) {
///     for joint in broken.read() {
///         println!("{} broke under {} N", joint.joint, joint.force);
///     }
/// }
/// # bevy::ecs::system::assert_is_system(crack);
/// ```
#[derive(Message, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
pub struct JointBroken {
    /// The joint.
    pub joint: Entity,
    /// Its bodies; `None` for the world.
    pub a: Option<Entity>,
    /// The other body.
    pub b: Entity,
    /// The greatest force of a substep, in N.
    pub force: f32,
    /// The greatest torque of a substep, in N·m.
    pub torque: f32,
}
