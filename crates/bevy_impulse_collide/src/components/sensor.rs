//! The component of sensors.

use bevy::prelude::*;

/// Makes a body a sensor: it collides with nothing, and tells which balls and capsules are in it.
///
/// Every shape can be a sensor: a ball, a capsule, a half-space or a [`Collider`](crate::components::Collider), static, kinematic
/// or dynamic. A body is in the sensor while they overlap: the volume of a ball, a capsule, a half-space or a solid; the surface
/// of a mesh without an inside, or of a line. The messages [`SensorEntered`](crate::messages::SensorEntered) and
/// [`SensorLeft`](crate::messages::SensorLeft) tell when a body comes and goes, each at its own time inside the step. So no body
/// is too fast for a sensor. [`Sensors`](crate::sensing::Sensors) tells which bodies are inside now.
///
/// - A sensor sees dynamic and kinematic balls and capsules, if its [`CollisionLayers`](crate::components::CollisionLayers) and
///   theirs let them interact. It sees no static body, and no other sensor.
/// - A body that sleeps stays in the sensor. A sensor does not wake it.
/// - A body that is spawned or put into a sensor enters it at the start of the next step.
/// - A sensor that the physics moves falls like every body. Most sensors are static:
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn setup(mut commands: Commands) {
///     commands.spawn((Name::new("goal"), Sensor, Collider::cuboid(3.0, 2.0, 0.5)));
///     commands.spawn((Name::new("coin"), Sensor, Particle::new(0.2), RigidBody::Static));
/// }
///
/// fn count(mut entered: MessageReader<SensorEntered>, mut goals: Local<u32>) {
///     for SensorEntered { sensor, body, time } in entered.read() {
///         *goals += 1;
///         info!("{body} enters {sensor}, {time} s into the step");
///     }
/// }
/// # bevy::ecs::system::assert_is_system(setup);
/// # bevy::ecs::system::assert_is_system(count);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct Sensor;
