//! Bodies that cease to be dynamic.

use bevy::prelude::*;

use crate::{
    body::Bodies,
    components::{Acceleration, RigidBody},
};

/// Shows no accelerations of bodies that are no longer dynamic.
pub(crate) fn forget_accelerations(
    bodies: Res<Bodies>,
    mut query: Query<(Ref<RigidBody>, &mut Acceleration)>,
) {
    for i in bodies.active().filter(|&i| bodies.must_be_read(i)) {
        if let Ok((kind, mut acceleration)) = query.get_mut(bodies.entity[i])
            && kind.is_changed()
            && !kind.is_dynamic()
        {
            acceleration.set_if_neq(Acceleration::default());
        }
    }
}
