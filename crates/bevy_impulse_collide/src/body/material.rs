//! The coefficients of a body, in the packed arrays.

/// The coefficients that a body states; `None` for a coefficient that it does not state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Material {
    /// Coefficient of restitution.
    pub restitution: Option<f32>,
    /// Sliding friction.
    pub friction: Option<f32>,
    /// Rolling friction.
    pub rolling_friction: Option<f32>,
    /// Spinning friction.
    pub spinning_friction: Option<f32>,
}
