use bevy::prelude::*;

use crate::kernel::rod_growth_inertia;

/// Makes a [`Capsule`](super::Capsule) grow: its length is a degree of freedom, with a speed and an inertia of its own. What blocks its ends
/// slows it.
///
/// The material stretches evenly: a point at s along the axis, from −L/2 to L/2, moves with s/L·L̇ along it, and so the
/// half-balls move with ±L̇/2. In every substep the growth starts at `rate`, and each impulse P at a point changes its speed by
/// ⟨P, â⟩·s/(L·G): a contact that presses on the ends holds them back, the less the larger the inertia G.
///
/// The mass taken up comes at rest, so it slows the capsule: momentum and angular momentum stay.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone)]
pub struct Growth {
    /// Speed in m/s at which the length grows while nothing blocks it; below zero it shrinks, to a ball at most.
    pub rate: f32,
    /// G in kg, above zero; infinite for a growth that nothing slows. An evenly stretched rod of mass m has m/12.
    pub inertia: f32,
    /// Mass in kg taken up for each metre of length gained, zero or more. The [`Mass`](super::Mass) of what grows follows this
    /// alone, whatever its [`Density`](super::Density).
    pub uptake: f32,
    /// What contacts left of the rate in the last substep, in m/s. The step writes this.
    pub speed: f32,
}

impl Growth {
    /// Growth of a capsule of `mass` kg at `rate` m/s, with the inertia of an evenly stretched rod, at constant mass.
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

    /// The same growth, which takes up `uptake` kg for each metre of length gained.
    pub const fn with_uptake(self, uptake: f32) -> Self {
        Self { uptake, ..self }
    }
}

/// Makes a [`Capsule`](super::Capsule) divide into two when it has grown to `length`.
///
/// The two lie end to end where the mother lay: their cylinders share L − 2r. The mother's entity goes on as the first, at
/// the lower end of the axis; the second is a clone of it with all its components. Both get mass in proportion to their
/// lengths over all, L + 2r; the sum of the masses, of the momenta and of the angular momenta stays. A
/// [`Divided`](crate::messages::Divided) message tells of it: a system that reads it gives the daughters what is theirs, and the
/// length, share and bend of their own divisions.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone)]
pub struct Division {
    /// Length in m of the cylinder at which it divides; at least twice the radius, or else it divides when it is that long.
    pub length: f32,
    /// Part of the cylinders' length that the first daughter gets, 0 to 1.
    pub share: f32,
    /// Angle in rad between the daughters. Each turns by half of it about its own centre, the first one back and the second one
    /// forth, about `Transform`'s local Z axis. Without it, a cell and its offspring stay in one line for ever.
    pub bend: f32,
}

impl Division {
    /// Division in halves at `length` m, in one line.
    pub const fn new(length: f32) -> Self {
        Self {
            length,
            share: 0.5,
            bend: 0.0,
        }
    }
}

/// Gives a [`Capsule`](super::Capsule) the inertia of a plain rod, a cylinder as long as the capsule over all: m/12·diag(6r², 3r² + l², 3r² +
/// l²) with the axis first, in place of the capsule's own.
#[derive(Component, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Component, Debug, PartialEq, Clone, Default)]
pub struct RodInertia;
