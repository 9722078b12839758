use bevy::prelude::*;

/// What accelerated a body in the last step. The step writes it, and reads it back to tell v(t−h/2) from v(t); reading it
/// tells how hard a body is pulled and how hard its neighbours hold it.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
pub struct Acceleration {
    /// From gravity and external forces, in m/s².
    pub field: Vec3,
    /// From resting and rolling contacts, in m/s²: the opposite of `field` for a body at rest.
    pub contact: Vec3,
    /// From external torques, in rad/s².
    pub angular_field: Vec3,
    /// From resting and rolling contacts, in rad/s².
    pub angular_contact: Vec3,
    /// Steps that the body has taken part in. At zero its velocity is taken as given: no half step is undone.
    pub steps: u32,
}
