//! The component that fixes the order in which a step visits bodies.

use bevy::prelude::*;

/// The place of a body in the order in which a step visits bodies. A body without it comes after all bodies that have it. Bodies
/// with the same number, and bodies without one, are in the order of their entities.
///
/// The order decides how sums are rounded. So two worlds with the same bodies end in the same bits only if their bodies have the
/// same order. The entities of a body in two worlds may differ: then give both the same number. A large number of bodies is
/// sorted by place, and only new bodies follow this order.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn setup(mut commands: Commands) {
///     for k in 0..10 {
///         let place = Transform::from_xyz(0.0, 1.0 + k as f32, 0.0);
///         commands.spawn((Particle::new(0.4), BodyOrder(k), place));
///     }
/// }
/// # bevy::ecs::system::assert_is_system(setup);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct BodyOrder(pub u64);
