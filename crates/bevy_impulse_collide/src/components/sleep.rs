//! The components of sleep.

use bevy::prelude::*;

/// Whether a body sleeps. The step writes it.
///
/// Bodies that press on each other fall asleep together, when all of them rest and something static holds them. A sleeping body
/// stays where it is, and no stage of a step visits it. A ball that spins on the spot moves nothing: it sleeps, and goes on
/// turning. [`CollisionConfig::sleep_speed`](crate::config::CollisionConfig::sleep_speed) is the speed that counts as rest; zero
/// switches sleep off.
///
/// A system of your own in [`ImpulseStep`](crate::schedule::ImpulseStep) may read and change sleeping bodies. While there is one,
/// every stage visits them.
///
/// A body wakes by itself in each of these cases:
///
/// - A body hits it, or presses on it.
/// - One of its components changes.
/// - The body under it moves or is despawned.
/// - The acceleration of the fields changes.
/// - Something appears in it: a body is spawned or enabled, or begins to collide with it.
/// - The [`CollisionConfig`](crate::config::CollisionConfig) or a hook gives one of its contacts another coefficient.
///
/// [`SleepingDisabled`] keeps a body awake.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn wake_all(mut bodies: Query<&mut Sleep>) {
///     for mut sleep in &mut bodies {
///         if sleep.is_asleep() {
///             sleep.wake();
///         }
///     }
/// }
/// # bevy::ecs::system::assert_is_system(wake_all);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct Sleep {
    /// Seconds for which it has been quiet.
    pub(crate) quiet_for: f32,
    /// The pose in which it fell asleep. If its present pose differs, a user has moved it, and it wakes.
    pub(crate) asleep_at: Option<(Vec3, Quat)>,
}

impl Sleep {
    /// Whether the body is asleep.
    pub fn is_asleep(&self) -> bool {
        self.asleep_at.is_some()
    }

    /// Wakes the body and its whole island in the next step.
    pub fn wake(&mut self) {
        *self = Self::default();
    }
}

/// Keeps a body awake, and all that presses on it: its island never falls asleep. A sleeper that gets it wakes, with its island.
///
/// It costs what an awake body costs. A body that you watch or change in every step needs no such component: each change wakes it.
/// On a body that is not dynamic it has no effect.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// # fn spawn(mut commands: Commands) {
/// commands.spawn((Particle::new(0.5), SleepingDisabled));
/// # }
/// # bevy::ecs::system::assert_is_system(spawn);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct SleepingDisabled;
