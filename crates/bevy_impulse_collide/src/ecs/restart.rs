//! Starting anew from the components.

use bevy::prelude::*;

use crate::{
    body::Bodies,
    collision::BroadPhase,
    solver::{
        contact::{ContactSolver, Contacts},
        impact::Impacts,
        islands::Islands,
        partition::Partition,
    },
};

/// Forgets all that the physics keeps from step to step beside the components: pairs, contacts, and the impulses that they
/// would start with.
///
/// The next step then is that of a new app with the same components, to the bit. Call it when you have put a world back into
/// an earlier state whose future must be the same again: to replay, to undo, to look ahead in a second world.
pub fn forget_past(world: &mut World) {
    world.insert_resource(Bodies::default());
    world.insert_resource(BroadPhase::default());
    world.insert_resource(Impacts::default());
    world.insert_resource(Partition::default());
    world.insert_resource(ContactSolver::default());
    world.insert_resource(Contacts::default());
    world.insert_resource(Islands::default());
}
