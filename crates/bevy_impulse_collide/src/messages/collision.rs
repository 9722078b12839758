use bevy::prelude::*;

/// Two bodies touch. In the step before, they did not.
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
#[derive(Message, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
pub struct CollisionStarted {
    /// The body whose entity sorts first.
    pub a: Entity,
    /// The other body.
    pub b: Entity,
}

/// Two bodies no longer touch, or one of them is gone.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn tell(mut ended: MessageReader<CollisionEnded>) {
///     for CollisionEnded { a, b } in ended.read() {
///         info!("{a} and {b} part");
///     }
/// }
/// # bevy::ecs::system::assert_is_system(tell);
/// ```
#[derive(Message, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
pub struct CollisionEnded {
    /// The body whose entity sorts first.
    pub a: Entity,
    /// The other body.
    pub b: Entity,
}

/// Two bodies hit each other. There is one message for each impact of stage 3, in the order of their times.
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
#[derive(Message, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
pub struct Impact {
    /// The body whose entity sorts first.
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
