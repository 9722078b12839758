//! The overlay's data of a joint of any kind.

use bevy::{ecs::query::QueryData, prelude::*};
use bevy_impulse_collide::prelude::*;

#[derive(QueryData)]
pub(crate) struct JointData {
    pub entity: Entity,
    pub joint: &'static Joint,
    name: Option<&'static Name>,
}

pub(crate) fn kind_name(kind: JointKind) -> &'static str {
    match kind {
        JointKind::Fixed => "Fixed joint",
        JointKind::Spherical => "Ball joint",
        JointKind::Revolute => "Hinge joint",
        JointKind::Prismatic => "Slider joint",
        JointKind::Distance(_) => "Rod joint",
        JointKind::Wheel { .. } => "Wheel joint",
    }
}

impl JointDataItem<'_, '_> {
    /// The name, if it has one, else its kind and entity id.
    pub fn label(&self) -> String {
        match self.name {
            Some(name) => format!("{name}  ({})", self.entity),
            None => format!("{} {}", kind_name(self.joint.kind), self.entity),
        }
    }

    /// The point on each body, where they are drawn. `None` before the first step that sees the joint, and without its bodies.
    pub fn points(&self, places: &Query<&GlobalTransform>) -> Option<[Vec3; 2]> {
        let place = |entity: Entity| Some(places.get(entity).ok()?.compute_transform());
        let a = match self.joint.a {
            Some(a) => Some(place(a)?),
            None => None,
        };
        let frames = self.joint.frames(a.as_ref(), &place(self.joint.b)?)?;
        Some(frames.map(|frame| frame.translation.into()))
    }
}
