//! A contact as a user reads it.

use bevy::prelude::*;

use crate::{
    collision::ManifoldPoint,
    messages::{other_of, sign_on},
};

/// One contact point, as the contact stage left it.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
pub struct Contact {
    /// The body whose entity sorts first.
    pub a: Entity,
    /// The other body.
    pub b: Entity,
    /// Index of the point in the pair's manifold: 0 or 1.
    pub feature: u32,
    /// Point at which the impulse acts on both bodies, in world coordinates, in m.
    pub point: Vec3,
    /// Unit vector from `b` to `a`.
    pub normal: Vec3,
    /// Overlap at the start of the substep in m; negative across a gap.
    pub depth: f32,
    /// Whether the surfaces touch: an impulse presses them together, or they are within a thousandth of the smaller radius.
    pub is_touching: bool,
    /// Impulse on `a` in the last substep in N·s, friction included; `b` gets the opposite.
    pub impulse: Vec3,
}

impl Contact {
    /// The other body; `None` if `body` is none of the two.
    pub fn other(&self, body: Entity) -> Option<Entity> {
        other_of((self.a, self.b), body)
    }

    /// Unit vector from the other body to `body`; `None` if `body` is none of the two.
    pub fn normal_on(&self, body: Entity) -> Option<Vec3> {
        sign_on((self.a, self.b), body).map(|sign| sign * self.normal)
    }

    /// Impulse on `body` in the last substep in N·s; `None` if `body` is none of the two.
    pub fn impulse_on(&self, body: Entity) -> Option<Vec3> {
        sign_on((self.a, self.b), body).map(|sign| sign * self.impulse)
    }

    /// `point` has the normal from the second body to the first, and `impulse` is on the first.
    pub(super) fn new(
        (a, b): (Entity, Entity),
        feature: u32,
        point: &ManifoldPoint,
        is_touching: bool,
        impulse: Vec3,
    ) -> Self {
        // `a` is the body whose entity sorts first.
        let sign = if a < b { 1.0 } else { -1.0 };
        Self {
            a: a.min(b),
            b: a.max(b),
            feature,
            point: point.point,
            normal: sign * point.normal,
            depth: point.depth,
            is_touching,
            impulse: sign * impulse,
        }
    }
}
