//! Uniform gravity: the resource.

use bevy::prelude::*;

/// Uniform gravitational acceleration in m/s², in world axes. Default: 9.81 m/s² along −Y.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// # let mut app = App::new();
/// // The moon.
/// app.insert_resource(Gravity(Vec3::NEG_Y * 1.62));
/// ```
#[derive(Resource, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut)]
#[reflect(Resource, Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct Gravity(pub Vec3);

impl Gravity {
    /// No gravity.
    pub const ZERO: Self = Self(Vec3::ZERO);
}

impl Default for Gravity {
    fn default() -> Self {
        Self(Vec3::NEG_Y * 9.81)
    }
}
