use bevy::prelude::*;

/// Drag on the velocity, in 1/s, zero or more: while nothing else acts, the velocity falls by the factor e^(−d·t).
///
/// It is exact at any strength. With d·h far above 1 a body has forgotten its velocity by the next substep: that is the
/// overdamped world of cells, in which things move only as far as they are pushed.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
pub struct LinearDamping(pub f32);

/// Drag on the angular velocity, in 1/s, zero or more, likewise.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq, Deref, DerefMut)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
pub struct AngularDamping(pub f32);
