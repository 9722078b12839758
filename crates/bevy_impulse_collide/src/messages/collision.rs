//! Messages of impacts, and of pairs that begin and cease to touch.

use bevy::prelude::*;

/// Two bodies touch. In the step before, they did not.
///
/// It is a message, and an entity event for a body with [`CollisionEvents`](crate::components::CollisionEvents).
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn count(mut started: MessageReader<CollisionStarted>, mut contacts: Local<u32>) {
///     for CollisionStarted { a, b } in started.read() {
///         *contacts += 1;
///         info!("{a} and {b} touch");
///     }
/// }
/// # bevy::ecs::system::assert_is_system(count);
/// ```
#[derive(Message, EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
pub struct CollisionStarted {
    /// The body whose entity sorts first; in an entity event, the body that the event is for.
    #[event_target]
    pub a: Entity,
    /// The other body.
    pub b: Entity,
}

/// Two bodies no longer touch, or one of them is gone.
///
/// It is a message, and an entity event for a body with [`CollisionEvents`](crate::components::CollisionEvents).
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn tell(mut ended: MessageReader<CollisionEnded>) {
///     for CollisionEnded { a, b, .. } in ended.read() {
///         info!("{a} and {b} part");
///     }
/// }
/// # bevy::ecs::system::assert_is_system(tell);
/// ```
#[derive(Message, EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
pub struct CollisionEnded {
    /// The body whose entity sorts first; in an entity event, the body that the event is for.
    #[event_target]
    pub a: Entity,
    /// The other body.
    pub b: Entity,
    /// Whether it ended because one of the two is despawned, or takes no part in the physics any more.
    pub by_despawn: bool,
}

/// Two bodies hit each other. There is one message for each impact of stage 3, in the order of their times.
///
/// It is also an entity event for a body with [`CollisionEvents`](crate::components::CollisionEvents). `impulse` and `normal` are
/// then the impulse on that body and the normal towards it.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// /// The louder, the harder the hit.
/// fn sound(mut impacts: MessageReader<Impact>) {
///     for impact in impacts.read() {
///         let volume = impact.impulse.length();
///         info!("{volume} N·s at {}", impact.point);
///     }
/// }
/// # bevy::ecs::system::assert_is_system(sound);
/// ```
#[derive(Message, EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
pub struct Impact {
    /// The body whose entity sorts first; in an entity event, the body that the event is for.
    #[event_target]
    pub a: Entity,
    /// The other body.
    pub b: Entity,
    /// Impulse on `a` in N·s, with friction. `b` gets the opposite impulse.
    pub impulse: Vec3,
    /// The point of the impact in m, in world coordinates.
    pub point: Vec3,
    /// Unit vector from `b` to `a`.
    pub normal: Vec3,
    /// Speed in m/s at which the surfaces approached along the normal. It is above zero, with one exception: another impact
    /// presses a ball on the plane under it, and the plane hits the ball back.
    pub approach_speed: f32,
    /// Seconds from the start of the fixed step to the impact.
    pub time: f32,
}

/// The other body of a pair; `None` if `body` is none of the two.
pub(crate) fn other_of((a, b): (Entity, Entity), body: Entity) -> Option<Entity> {
    match body {
        _ if body == a => Some(b),
        _ if body == b => Some(a),
        _ => None,
    }
}

/// 1 for the first body of a pair, −1 for the second; `None` if `body` is none of the two.
pub(crate) fn sign_on((a, b): (Entity, Entity), body: Entity) -> Option<f32> {
    match body {
        _ if body == a => Some(1.0),
        _ if body == b => Some(-1.0),
        _ => None,
    }
}

impl CollisionStarted {
    /// The other body; `None` if `body` is none of the two.
    pub fn other(&self, body: Entity) -> Option<Entity> {
        other_of((self.a, self.b), body)
    }

    pub(crate) fn swapped(self) -> Self {
        Self {
            a: self.b,
            b: self.a,
        }
    }
}

impl CollisionEnded {
    /// The other body; `None` if `body` is none of the two.
    pub fn other(&self, body: Entity) -> Option<Entity> {
        other_of((self.a, self.b), body)
    }

    pub(crate) fn swapped(self) -> Self {
        Self {
            a: self.b,
            b: self.a,
            ..self
        }
    }
}

impl Impact {
    /// The other body; `None` if `body` is none of the two.
    pub fn other(&self, body: Entity) -> Option<Entity> {
        other_of((self.a, self.b), body)
    }

    /// Unit vector from the other body to `body`; `None` if `body` is none of the two.
    pub fn normal_on(&self, body: Entity) -> Option<Vec3> {
        sign_on((self.a, self.b), body).map(|sign| sign * self.normal)
    }

    /// Impulse on `body` in N·s; `None` if `body` is none of the two.
    pub fn impulse_on(&self, body: Entity) -> Option<Vec3> {
        sign_on((self.a, self.b), body).map(|sign| sign * self.impulse)
    }

    pub(crate) fn swapped(self) -> Self {
        Self {
            a: self.b,
            b: self.a,
            impulse: -self.impulse,
            normal: -self.normal,
            ..self
        }
    }
}
