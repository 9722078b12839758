//! The component that shows how strongly fields and contacts act on a body.

use bevy::prelude::*;

/// The accelerations of a body in the last step. The step writes them; only a world that is restored reads them.
///
/// Read it to see how strong the fields and the contacts act on a body. Here is the force of the contacts:
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn load(bodies: Query<(&Mass, &Acceleration)>) {
///     for (mass, acceleration) in &bodies {
///         println!("{} N", mass.0 * acceleration.contact.length());
///     }
/// }
/// # bevy::ecs::system::assert_is_system(load);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct Acceleration {
    /// Acceleration by gravity and external forces, in m/s².
    pub field: Vec3,
    /// Acceleration by resting and rolling contacts, in m/s². For a body at rest it is −`field`.
    pub contact: Vec3,
    /// Angular acceleration by external torques, in rad/s².
    pub angular_field: Vec3,
    /// Angular acceleration by resting and rolling contacts, in rad/s².
    pub angular_contact: Vec3,
    /// Acceleration by joints, in m/s².
    #[cfg_attr(feature = "serde", serde(default))]
    pub joint: Vec3,
    /// Angular acceleration by joints, in rad/s².
    #[cfg_attr(feature = "serde", serde(default))]
    pub angular_joint: Vec3,
}
