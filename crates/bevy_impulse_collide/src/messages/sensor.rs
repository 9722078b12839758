//! Messages of sensors.

use bevy::prelude::*;

/// A body enters a [`Sensor`](crate::components::Sensor): their surfaces touch.
///
/// It is a message, and an entity event for a sensor with [`CollisionEvents`](crate::components::CollisionEvents). The messages of
/// a step come in the order of their times.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// /// A coin that is taken is gone.
/// fn coin() -> impl Bundle {
///     (Sensor, CollisionEvents, Particle::new(0.2), RigidBody::Static)
/// }
///
/// fn setup(mut commands: Commands) {
///     commands.spawn(coin()).observe(|taken: On<SensorEntered>, mut commands: Commands| {
///         commands.entity(taken.sensor).despawn();
///     });
/// }
/// # bevy::ecs::system::assert_is_system(setup);
/// ```
#[derive(Message, EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
pub struct SensorEntered {
    /// The sensor; in an entity event, the body that the event is for.
    #[event_target]
    pub sensor: Entity,
    /// The ball or capsule that enters it.
    pub body: Entity,
    /// Seconds from the start of the fixed step.
    pub time: f32,
}

/// A body leaves a [`Sensor`](crate::components::Sensor), or one of the two is gone.
///
/// It is a message, and an entity event for a sensor with [`CollisionEvents`](crate::components::CollisionEvents). The messages of
/// a step come in the order of their times.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn tell(mut left: MessageReader<SensorLeft>) {
///     for SensorLeft { sensor, body, .. } in left.read() {
///         info!("{body} leaves {sensor}");
///     }
/// }
/// # bevy::ecs::system::assert_is_system(tell);
/// ```
#[derive(Message, EntityEvent, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
pub struct SensorLeft {
    /// The sensor; in an entity event, the body that the event is for.
    #[event_target]
    pub sensor: Entity,
    /// The ball or capsule that leaves it.
    pub body: Entity,
    /// Seconds from the start of the fixed step; zero if one of the two is gone.
    pub time: f32,
    /// Whether it left because one of the two is despawned, or takes no part any more: as a sensor, or as a body that a sensor
    /// sees.
    pub by_despawn: bool,
}
