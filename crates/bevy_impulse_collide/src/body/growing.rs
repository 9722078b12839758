//! How a capsule grows, in the packed arrays.

/// How a capsule grows: see [`Growth`](crate::components::Growth). In world measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growing {
    /// Speed in m/s at which the length would grow; zero for a body that does not grow.
    pub rate: f32,
    /// Speed of the length in m/s: the rate, until contacts change it.
    pub speed: f32,
    /// 1/G in 1/kg.
    pub inverse_inertia: f32,
    /// Mass gained with the length, in kg/m.
    pub uptake: f32,
}

impl Growing {
    /// The growth of a body that does not grow.
    pub const NONE: Self = Self {
        rate: 0.0,
        speed: 0.0,
        inverse_inertia: 0.0,
        uptake: 0.0,
    };
}
