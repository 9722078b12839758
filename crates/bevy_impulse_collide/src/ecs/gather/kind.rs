//! Bodies that cease to be dynamic.

use bevy::prelude::*;

use crate::components::{Acceleration, RigidBody};

/// Forgets the accelerations of bodies that are no longer dynamic. When they become dynamic again, their velocity is taken as
/// given: no half step is undone.
pub(crate) fn forget_accelerations(
    mut bodies: Query<(&RigidBody, &mut Acceleration), Changed<RigidBody>>,
) {
    for (kind, mut acceleration) in &mut bodies {
        if !kind.is_dynamic() {
            acceleration.set_if_neq(Acceleration::default());
        }
    }
}
