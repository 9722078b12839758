//! The component that asks for entity events of collisions.

use bevy::prelude::*;

/// Asks for the collisions of a body as entity events: [`Impact`](crate::messages::Impact),
/// [`CollisionStarted`](crate::messages::CollisionStarted) and [`CollisionEnded`](crate::messages::CollisionEnded). In the event,
/// the body is `a`. A [`Sensor`](crate::components::Sensor) gets [`SensorEntered`](crate::messages::SensorEntered) and
/// [`SensorLeft`](crate::messages::SensorLeft).
///
/// A [`Compound`](super::Compound) with it gets the events of its parts, with itself in the place of the part.
///
/// The events of a fixed step come after the step, when the components show the new motion. Impacts come first, in the order of
/// their times. An observer may despawn bodies: a body that is gone gets no more events. A ball that another one absorbs, and a
/// new daughter of a capsule, have no observers of their own: `App::add_observer` hears of all bodies with this component.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn setup(mut commands: Commands) {
///     let glass = commands.spawn((Particle::new(0.1), CollisionEvents));
///     let glass = glass.id();
///     commands.entity(glass).observe(|hit: On<Impact>, mut commands: Commands| {
///         if hit.impulse.length() > 2.0 {
///             commands.entity(hit.a).despawn();
///         }
///     });
/// }
/// # bevy::ecs::system::assert_is_system(setup);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct CollisionEvents;
