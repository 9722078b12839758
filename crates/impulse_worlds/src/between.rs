//! Where the app shows the bodies of a sub-world at a time between two of its steps.

use bevy::{ecs::entity::EntityHashMap, prelude::*};

/// The bodies that the last step has moved, each with its pose before that step.
#[derive(Default)]
pub(crate) struct Between {
    before: EntityHashMap<Transform>,
    /// The part of the last step that has passed.
    part: f32,
}

impl Between {
    /// Whether there is something to show.
    pub fn is_empty(&self) -> bool {
        self.before.is_empty()
    }

    /// Forgets where a body came from: it was put elsewhere.
    pub fn forget(&mut self, body: Entity) {
        self.before.remove(&body);
    }

    /// From now on the app shows this part of the last step.
    pub fn set_part(&mut self, part: f32) {
        self.part = part;
    }

    /// A step has led from these poses to those of the world.
    pub fn set_before(&mut self, before: Vec<(Entity, Transform)>, world: &World) {
        let old = std::mem::take(&mut self.before);
        let still = |body: &Entity| Some((*body, *world.get::<Transform>(*body)?));
        // What has moved in the step before must still come to its place.
        self.before.extend(old.keys().filter_map(still));
        let moved = before.into_iter().filter(|(body, before)| {
            world
                .get::<Transform>(*body)
                .is_some_and(|now| now != before)
        });
        self.before.extend(moved);
    }

    /// The bodies, each with where it is shown. Those that are where they go to are forgotten.
    pub fn poses(&mut self, world: &World) -> Vec<(Entity, Transform)> {
        let part = self.part;
        let pose = |(&body, before): (&Entity, &Transform)| {
            let now = world.get::<Transform>(body)?;
            let pose = if part < 1.0 && before != now {
                Transform {
                    translation: before.translation.lerp(now.translation, part),
                    rotation: before.rotation.slerp(now.rotation, part),
                    scale: now.scale,
                }
            } else {
                *now
            };
            Some((body, pose))
        };
        let poses = self.before.iter().filter_map(pose).collect();
        self.before.retain(|body, before| {
            part < 1.0 && world.get(*body).is_some_and(|now| *before != *now)
        });
        poses
    }
}
