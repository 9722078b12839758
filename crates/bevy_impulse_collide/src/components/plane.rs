use bevy::prelude::*;

/// A half-space: solid on the side away from its normal, so a body found there is brought back, however deep.
///
/// The [`Transform`]'s translation is a point of the surface and its rotation turns the normal; the scale means nothing
/// to a half-space. A plane never moves by itself.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[require(Transform)]
pub struct Plane {
    /// The direction out of the solid side, in the entity's own frame. Any length above zero.
    pub normal: Vec3,
}

impl Plane {
    /// A half-space whose surface faces along `normal`.
    pub const fn new(normal: Vec3) -> Self {
        Self { normal }
    }
}
