use bevy::prelude::*;

/// Coefficient of restitution e, 0 (a dead stop) to 1 (no loss): approach speed times e is the speed of parting.
///
/// What a pair gets: if both bodies state a value, the configuration's [`CombineRule`] joins them; if one does, that value;
/// if none does, the configuration's default. So it is for every material component.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq, Clone)]
pub struct Restitution(pub f32);

/// Coulomb's coefficient μ of sliding friction, zero or more: the tangential impulse is at most μ times the normal one.
///
/// Combined as [`Restitution`] says.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq, Clone)]
pub struct Friction(pub f32);

/// Rolling friction μ_r, zero or more: a ball that rolls freely on a level plane slows by μ_r·g.
///
/// It is a couple at the contact, of at most μ_r·N·r·(1 + I/(m·r²)) for a normal force N: the factor in brackets, 7/5 for
/// a ball, is what makes the deceleration μ_r·g, as the billiards literature states it. While the contact slides there is no
/// such couple: then sliding friction alone acts. Combined as [`Restitution`] says.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq, Clone)]
pub struct RollingFriction(pub f32);

/// Spinning friction μ_s, zero or more: a couple of at most μ_s·r·N about the contact normal, N the normal force.
///
/// A ball that spins in place on a level plane slows by 5/2·μ_s·g/r. Combined as [`Restitution`] says.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq, Clone)]
pub struct SpinningFriction(pub f32);

/// How the coefficients of two bodies become the coefficient of their contact.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Debug, PartialEq, Clone, Default)]
pub enum CombineRule {
    /// √(a·b): the default, as zero on either side stays zero.
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
    /// The coefficient of a contact between bodies that state `a` and `b`, and `default` where none is stated.
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
