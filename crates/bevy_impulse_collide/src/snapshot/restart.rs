//! Starting anew from the components.

use bevy::prelude::*;

use super::saved::PhysicsState;
use crate::{
    body::{Blocks, Bodies},
    collision::BroadPhase,
    ecs::hierarchy::Hierarchy,
    pairs::NearPairs,
    sensing::SensedWays,
    solver::{
        contact::{Constraints, ContactSolver, Contacts},
        impact::Impacts,
        islands::Islands,
        joint::Joints,
        partition::Partition,
    },
};

/// Forgets the state that the physics keeps from step to step beside the components: pairs, contacts, and stored impulses.
///
/// The next step is then the same, to the bit, as the step of a new app with the same components. Call it after you have set a
/// world to an earlier state, if its future must be the same again: to replay, to undo, or to look ahead in a second world.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::{forget_past, prelude::*};
/// fn put_back(world: &mut World) {
///     let mut balls = world.query::<(&mut Transform, &mut LinearVelocity)>();
///     for (mut transform, mut velocity) in balls.iter_mut(world) {
///         transform.translation = Vec3::ZERO;
///         velocity.0 = Vec3::ZERO;
///     }
///     forget_past(world);
/// }
/// # bevy::ecs::system::assert_is_system(put_back);
/// ```
pub fn forget_past(world: &mut World) {
    let blocks = world
        .get_resource()
        .map(|bodies: &Bodies| Blocks::after(&bodies.blocks));
    world.insert_resource(Bodies {
        blocks: blocks.unwrap_or_default(),
        ..default()
    });
    world.remove_resource::<PhysicsState>();
    world.insert_resource(BroadPhase::default());
    world.insert_resource(Impacts::default());
    world.insert_resource(Partition::default());
    world.insert_resource(ContactSolver::default());
    world.insert_resource(Contacts::default());
    world.insert_resource(Islands::default());
    world.insert_resource(SensedWays::default());
    world.insert_resource(NearPairs::default());
    world.insert_resource(Hierarchy::default());
    if let Some(mut constraints) = world.get_resource_mut::<Constraints>() {
        constraints.forget::<Joints>();
    }
}
