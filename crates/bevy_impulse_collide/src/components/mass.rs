use bevy::prelude::*;

/// Mass in kilograms, above zero. The moment of inertia follows from it and the shape.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq, Clone)]
pub struct Mass(pub f32);

impl Default for Mass {
    /// One kilogram.
    fn default() -> Self {
        Self(1.0)
    }
}

/// Density in kg/m³, above zero: while present, it keeps [`Mass`] at density times volume, but for capsules with
/// [`Growth`](super::Growth).
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[require(Mass)]
pub struct Density(pub f32);
