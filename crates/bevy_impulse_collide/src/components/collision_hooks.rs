//! The component that shows the pairs of a body to the systems of a user.

use bevy::prelude::*;

/// Shows the pairs of a body to the systems in [`PairHooks`](crate::schedule::PairHooks), before they collide. Such a system may
/// let a pair pass, or change its friction and restitution: see [`NearPairs`](crate::pairs::NearPairs).
///
/// One of the two bodies of a pair needs this component.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// /// Balls come up through it, and lie on it.
/// fn platform() -> impl Bundle {
///     (CollisionHooks, Collider::cuboid(3.0, 0.2, 3.0))
/// }
///
/// fn one_way(mut pairs: ResMut<NearPairs>, platforms: Query<&Collider, With<CollisionHooks>>) {
///     for pair in pairs.iter_mut() {
///         let platform = if platforms.contains(pair.a) { pair.a } else { pair.b };
///         // While they touch, what was decided holds.
///         if pair.gap > 0.0 && platforms.contains(platform) {
///             pair.is_ignored = pair.normal_on(platform).is_some_and(|n| n.y > -0.5);
///         }
///     }
/// }
///
/// # let mut app = App::new();
/// app.add_systems(PairHooks, one_way);
/// # bevy::ecs::system::assert_is_system(one_way);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Debug, Default, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct CollisionHooks;
