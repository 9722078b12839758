//! The component of bodies whose mass is not spread evenly.

use bevy::prelude::*;
use glam::Mat3;

use crate::{
    kernel::{IMMOVABLE, InverseInertia},
    shape::Shape,
};

/// The inertia of a ball or a capsule whose mass is not spread evenly. Without it, a body has the inertia of its solid shape.
///
/// A free body then turns as Euler's equations say: about its first and third principal axis it turns steadily, about the middle one
/// it tumbles.
///
/// It has no effect on a body that is not dynamic, and on one that grows. It does not change with [`Mass`](super::Mass) or with the
/// scale of the `Transform`.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// # fn spawn(mut commands: Commands) {
/// // A wing nut in space, turning about its middle axis: it flips again and again.
/// commands.spawn((
///     Capsule::new(0.02, 0.06),
///     Inertia::new(Vec3::new(1e-5, 2e-5, 3e-5)),
///     AngularVelocity(Vec3::new(0.01, 6.0, 0.01)),
/// ));
/// # }
/// # bevy::ecs::system::assert_is_system(spawn);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct Inertia {
    /// Moments of inertia about the principal axes, in kg·m². All are above zero, and none is greater than the sum of the other two.
    pub principal: Vec3,
    /// From the principal axes to the body's own axes.
    pub frame: Quat,
}

impl Inertia {
    /// With these moments of inertia about the body's own axes, in kg·m².
    pub const fn new(principal: Vec3) -> Self {
        Self {
            principal,
            frame: Quat::IDENTITY,
        }
    }

    /// With principal axes that are turned in the body.
    pub const fn with_frame(self, frame: Quat) -> Self {
        Self { frame, ..self }
    }

    /// The inertia tensor in the body's own axes, in kg·m².
    pub fn tensor(&self) -> Mat3 {
        let axes = Mat3::from_quat(self.frame.normalize());
        axes * Mat3::from_diagonal(self.principal) * axes.transpose()
    }

    /// Whether the moments are those of a body: none is greater than the sum of the other two, but for rounding.
    pub(crate) fn is_possible(&self) -> bool {
        let Vec3 { x, y, z } = self.principal;
        let sum = (x + y + z) * (0.5 + 1e-5);
        self.principal.is_finite()
            && self.principal.min_element() > 0.0
            && self.principal.max_element() <= sum
            && self.frame.is_finite()
            && self.frame.length_squared() > 0.0
    }
}

/// Inverse inertia of a dynamic body of this shape and mass; or its `own`, if it is not that of the solid shape. Nothing
/// turns a body whose rotation is locked.
pub(crate) fn inverse_inertia(
    shape: &Shape,
    mass: f32,
    own: Option<&Inertia>,
    (is_rod, is_locked): (bool, bool),
) -> InverseInertia {
    match own {
        _ if is_locked => InverseInertia::isotropic(IMMOVABLE),
        Some(own) => InverseInertia::of_moments(own.principal, own.frame),
        None => shape.inverse_inertia(mass, is_rod),
    }
}
