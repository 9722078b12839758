use bevy::prelude::*;

/// Two bodies touch that did not touch in the step before.
#[derive(Message, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
pub struct CollisionStarted {
    /// The body whose entity sorts first.
    pub a: Entity,
    /// The other body.
    pub b: Entity,
}

/// Two bodies touch no longer, or one of them is gone.
#[derive(Message, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
pub struct CollisionEnded {
    /// The body whose entity sorts first.
    pub a: Entity,
    /// The other body.
    pub b: Entity,
}

/// Two bodies hit each other: one message for each impact that the jolt stage resolved, in time order.
#[derive(Message, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
pub struct Impact {
    /// The body whose entity sorts first.
    pub a: Entity,
    /// The other body.
    pub b: Entity,
    /// Impulse on `a` in N·s, friction included; `b` gets the opposite.
    pub impulse: Vec3,
    /// Where they met, in world coordinates.
    pub point: Vec3,
    /// Unit vector from `b` to `a`.
    pub normal: Vec3,
    /// Speed in m/s at which the surfaces approached along the normal. Above zero, but where the impact is that of a plane on
    /// which a ball lies with the ball, because something hit the ball and pressed it on the plane.
    pub approach_speed: f32,
    /// Seconds from the start of the fixed step to the impact.
    pub time: f32,
}
