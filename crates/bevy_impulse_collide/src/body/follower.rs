//! Bodies that reach a given pose at the end of the fixed step.

use bevy::prelude::*;

use super::{motion::Velocities, store::Bodies};
use crate::kernel::{rotation_vector, unit};

/// A body with [`MovedByTransform`](crate::components::MovedByTransform), and its pose at the end of the fixed step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Follower {
    pub entity: Entity,
    /// Position, and rotation as a unit quaternion.
    pub target: (Vec3, Quat),
}

impl Follower {
    pub fn new(entity: Entity, transform: &Transform) -> Self {
        Self {
            entity,
            target: (transform.translation, unit(transform.rotation)),
        }
    }
}

/// The constant velocities that lead from one pose to another in `time` seconds.
pub(crate) fn velocities_between(
    (x_0, q_0): (Vec3, Quat),
    (x_1, q_1): (Vec3, Quat),
    time: f32,
) -> Velocities {
    let way = x_1.as_dvec3() - x_0.as_dvec3();
    Velocities {
        linear: (way / f64::from(time)).as_vec3(),
        angular: rotation_vector(q_0, q_1) / time,
    }
}

impl Bodies {
    /// Whether the body of this entity follows its `Transform`.
    pub(crate) fn is_follower(&self, entity: Entity) -> bool {
        let followers = &self.followers;
        followers
            .binary_search_by_key(&entity, |follower| follower.entity)
            .is_ok()
    }

    /// After the last substep: takes the rounding out of the poses of the followers.
    pub(crate) fn arrive(&mut self) {
        for k in 0..self.followers.len() {
            let Follower {
                entity,
                target: (x, rotation),
            } = self.followers[k];
            if let Some(i) = self.index_of(entity) {
                let x = match self.centre[i] {
                    Vec3::ZERO => x,
                    centre => x + rotation * centre,
                };
                self.position[i] = x.as_dvec3();
                self.rotation[i] = rotation;
                self.axis[i] = self.shape[i].axis_at(rotation, self.local_axis[i]);
                self.flight_shift[i] = Vec3::ZERO;
                self.flight_rotation[i] = rotation;
            }
        }
    }
}
