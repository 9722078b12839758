//! The components of capsules that grow and divide.

use bevy::prelude::*;

use crate::kernel::rod_growth_inertia;

/// Makes a [`Capsule`](super::Capsule) grow. Its length is a degree of freedom with a speed and an inertia of its own, so a
/// contact that presses on its ends slows the growth.
///
/// The material stretches evenly: a point at s along the axis, from −L/2 to L/2, moves along the axis with s/L·L̇. So the
/// half-balls move with ±L̇/2. In every substep the growth starts at `rate`. Each impulse P at a point then changes its speed by
/// ⟨P, â⟩·s/(L·G), with the inertia G.
///
/// The capsule takes up mass that is at rest, so its velocity falls. Its momentum and angular momentum stay.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn setup(mut commands: Commands) {
///     // A cell of 2 kg grows by 1 mm/s and takes up 3 kg for each metre.
///     let growth = Growth::new(0.001, 2.0).with_uptake(3.0);
///     commands.spawn((Capsule::new(0.5, 1.0), Mass(2.0), growth, Division::new(2.0)));
/// }
/// # bevy::ecs::system::assert_is_system(setup);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct Growth {
    /// Speed in m/s of the length while no contact acts. Below zero the capsule shrinks until it is a ball.
    pub rate: f32,
    /// G in kg, above zero. An evenly stretched rod of mass m has m/12. Infinite: no contact slows the growth.
    pub inertia: f32,
    /// Mass in kg that the capsule takes up for each metre of length, zero or more. It alone changes the [`Mass`](super::Mass)
    /// of a growing capsule; a [`Density`](super::Density) has no effect on it.
    pub uptake: f32,
    /// Growth speed in the last substep, in m/s: the rate, changed by contacts. The step writes it.
    pub speed: f32,
}

impl Growth {
    /// Growth at `rate` m/s of a capsule of `mass` kg. It has the inertia of an evenly stretched rod, and takes up no mass.
    pub fn new(rate: f32, mass: f32) -> Self {
        Self {
            rate,
            inertia: rod_growth_inertia(mass),
            uptake: 0.0,
            speed: rate,
        }
    }

    /// The same growth with another inertia, in kg.
    pub const fn with_inertia(self, inertia: f32) -> Self {
        Self { inertia, ..self }
    }

    /// The same growth with an uptake, in kg for each metre of length.
    pub const fn with_uptake(self, uptake: f32) -> Self {
        Self { uptake, ..self }
    }
}

/// Makes a [`Capsule`](super::Capsule) divide into two when its cylinder is as long as `length`.
///
/// The two daughters lie end to end in the place of the mother. Their cylinders share the length L − 2r. The mother's entity
/// becomes the first daughter, at the lower end of the axis. The second daughter is a clone of it with all its components. Each
/// daughter gets mass in proportion to her length with both ends, L + 2r. The sums of mass, momentum and angular momentum stay.
///
/// The message [`Divided`](crate::messages::Divided) names both daughters. A system that reads it can set the length, share and
/// bend of their own divisions.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn setup(mut commands: Commands) {
///     let division = Division {
///         share: 0.45,
///         bend: 0.01,
///         ..Division::new(2.0)
///     };
///     commands.spawn((Capsule::new(0.5, 1.0), Growth::new(0.001, 1.0), division));
/// }
/// # bevy::ecs::system::assert_is_system(setup);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct Division {
    /// Length of the cylinder in m at which the capsule divides. A length below twice the radius counts as twice the radius.
    pub length: f32,
    /// Part of the cylinders' length that the first daughter gets, 0 to 1.
    pub share: f32,
    /// Angle in rad between the daughters. The first daughter turns by −bend/2, the second one by +bend/2, about her own
    /// centre and the local Z axis of the `Transform`. With zero, all descendants of a cell stay in one line.
    pub bend: f32,
}

impl Division {
    /// Division into two halves at `length` m, without a bend.
    pub const fn new(length: f32) -> Self {
        Self {
            length,
            share: 0.5,
            bend: 0.0,
        }
    }
}

/// Gives a [`Capsule`](super::Capsule) the inertia of a rod instead of its own.
///
/// The rod is a cylinder with the length l of the whole capsule, both ends included: I = m/12·diag(6r², 3r² + l², 3r² + l²),
/// with the axis first.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn setup(mut commands: Commands) {
///     commands.spawn((Capsule::new(0.2, 1.0), RodInertia));
/// }
/// # bevy::ecs::system::assert_is_system(setup);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct RodInertia;
