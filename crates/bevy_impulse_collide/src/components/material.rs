//! The components of the coefficients: restitution and the three frictions.

use bevy::prelude::*;

/// Coefficient of restitution e, from 0 (no bounce) to 1 (no loss). Two bodies part with e times their approach speed.
///
/// A pair gets its coefficient by this rule, as for every material component:
///
/// - Both bodies have the component: the [`CombineRule`] of the [configuration](crate::config::CollisionConfig) joins the two
///   values.
/// - One body has it: the pair gets its value.
/// - No body has it: the pair gets the configuration's default.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn setup(mut commands: Commands) {
///     commands.spawn((Plane::new(Vec3::Y), Restitution(1.0)));
///     // With the default rule this pair gets √(1.0·0.64) = 0.8.
///     commands.spawn((Particle::new(0.1), Restitution(0.64)));
/// }
/// # bevy::ecs::system::assert_is_system(setup);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct Restitution(pub f32);

/// Coulomb's coefficient μ of sliding friction, zero or more. The tangential impulse is at most μ times the normal impulse.
///
/// [`Restitution`] tells how a pair gets its coefficient.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn setup(mut commands: Commands) {
///     commands.spawn((Particle::new(0.1), Friction(0.2)));
/// }
/// # bevy::ecs::system::assert_is_system(setup);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct Friction(pub f32);

/// Rolling friction μ_r, zero or more. A ball that rolls freely on a level plane has the deceleration μ_r·g.
///
/// It is a couple at the contact of at most μ_r·N·r·(1 + I/(m·r²)), with the normal force N. The factor in brackets is 7/5 for
/// a ball. It makes the deceleration μ_r·g, as the billiards literature states it. A sliding contact has no such couple:
/// sliding friction alone acts there. [`Restitution`] tells how a pair gets its coefficient.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn setup(mut commands: Commands) {
///     // A billiard ball on cloth.
///     commands.spawn((Particle::new(0.028575), Friction(0.2), RollingFriction(0.01)));
/// }
/// # bevy::ecs::system::assert_is_system(setup);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct RollingFriction(pub f32);

/// Spinning friction μ_s, zero or more: a couple about the contact normal of at most μ_s·r·N, with the normal force N.
///
/// A ball that spins in place on a level plane has the angular deceleration 5/2·μ_s·g/r. [`Restitution`] tells how a pair gets
/// its coefficient.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn setup(mut commands: Commands) {
///     commands.spawn((Particle::new(0.028575), SpinningFriction(0.02)));
/// }
/// # bevy::ecs::system::assert_is_system(setup);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct SpinningFriction(pub f32);

/// The rule that joins the coefficients of two bodies into the coefficient of their contact.
///
/// ```
/// use bevy_impulse_collide::prelude::CombineRule;
///
/// assert_eq!(CombineRule::Average.combine(Some(0.25), Some(0.75), 0.3), 0.5);
/// // One body states a coefficient: it holds. No body states one: the default holds.
/// assert_eq!(CombineRule::Average.combine(Some(0.25), None, 0.3), 0.25);
/// assert_eq!(CombineRule::Average.combine(None, None, 0.3), 0.3);
/// ```
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub enum CombineRule {
    /// √(a·b). It is the default: if one coefficient is zero, the result is zero.
    #[default]
    GeometricMean,
    /// (a + b)/2.
    Average,
    /// The smaller.
    Min,
    /// The larger.
    Max,
    /// a·b.
    Multiply,
}

impl CombineRule {
    /// The coefficient of a contact between bodies with the coefficients `a` and `b`. `default` is for two bodies without one.
    pub fn combine(self, a: Option<f32>, b: Option<f32>, default: f32) -> f32 {
        match (a, b) {
            (Some(a), Some(b)) => match self {
                Self::GeometricMean => (a * b).sqrt(),
                Self::Average => 0.5 * (a + b),
                Self::Min => a.min(b),
                Self::Max => a.max(b),
                Self::Multiply => a * b,
            },
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => default,
        }
    }
}
