//! Layers: which bodies collide with which.

use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

use bevy::prelude::*;

/// A layer of an app. Derive it for an enum. The variant with `#[default]` is bit 0, or else the first one; the other variants
/// follow in their order.
///
/// ```
/// # use bevy_impulse_collide::prelude::*;
/// #[derive(PhysicsLayer)]
/// enum Layer {
///     Ground,
///     Player,
///     Ghost,
/// }
///
/// let layers = CollisionLayers::new(Layer::Player, [Layer::Ground, Layer::Player]);
/// assert!(!layers.interacts_with(CollisionLayers::new(Layer::Ghost, LayerMask::ALL)));
/// ```
pub trait PhysicsLayer {
    /// The bits of the layer in a [`LayerMask`].
    fn to_bits(&self) -> u32;
}

/// A set of up to 32 layers.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[reflect(Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct LayerMask(pub u32);

impl LayerMask {
    /// No layer.
    pub const NONE: Self = Self(0);
    /// All layers.
    pub const ALL: Self = Self(u32::MAX);
    /// The layer with bit 0: the layer of all bodies without [`CollisionLayers`].
    pub const DEFAULT: Self = Self(1);

    /// Adds layers.
    pub fn add(&mut self, layers: impl Into<Self>) {
        *self |= layers;
    }

    /// Takes layers away.
    pub fn remove(&mut self, layers: impl Into<Self>) {
        self.0 &= !layers.into().0;
    }

    /// Whether all these layers are in the set.
    pub fn has_all(self, layers: impl Into<Self>) -> bool {
        let layers = layers.into();
        self & layers == layers
    }

    /// Whether two sets have a layer in common.
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl<L: PhysicsLayer> From<L> for LayerMask {
    fn from(layer: L) -> Self {
        Self(layer.to_bits())
    }
}

impl From<u32> for LayerMask {
    fn from(bits: u32) -> Self {
        Self(bits)
    }
}

impl<L: Into<LayerMask>, const N: usize> From<[L; N]> for LayerMask {
    fn from(layers: [L; N]) -> Self {
        layers
            .into_iter()
            .fold(Self::NONE, |mask, layer| mask | layer)
    }
}

impl<L: Into<Self>> BitOr<L> for LayerMask {
    type Output = Self;

    fn bitor(self, other: L) -> Self {
        Self(self.0 | other.into().0)
    }
}

impl<L: Into<Self>> BitOrAssign<L> for LayerMask {
    fn bitor_assign(&mut self, other: L) {
        *self = *self | other;
    }
}

impl<L: Into<Self>> BitAnd<L> for LayerMask {
    type Output = Self;

    fn bitand(self, other: L) -> Self {
        Self(self.0 & other.into().0)
    }
}

impl Not for LayerMask {
    type Output = Self;

    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// The layers that a body is in, and the layers that it collides with. Two bodies collide if each is in a layer that the other one
/// collides with.
///
/// A body without this component is in the layer with bit 0, and collides with all layers. If layers change, the pairs change with
/// the next step: also those of bodies that sleep.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// #[derive(PhysicsLayer)]
/// enum Layer {
///     Default,
///     Debris,
/// }
///
/// fn setup(mut commands: Commands) {
///     commands.spawn(Plane::new(Vec3::Y));
///     // Pieces of debris lie on the ground, and fall through each other.
///     for k in 0..100 {
///         commands.spawn((
///             Particle::new(0.05),
///             CollisionLayers::new(Layer::Debris, Layer::Default),
///             Transform::from_xyz(0.0, 1.0 + 0.02 * k as f32, 0.0),
///         ));
///     }
/// }
/// # bevy::ecs::system::assert_is_system(setup);
/// ```
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct CollisionLayers {
    /// The layers that the body is in.
    pub memberships: LayerMask,
    /// The layers that it collides with.
    pub filters: LayerMask,
}

impl CollisionLayers {
    /// In the layer with bit 0; collides with all layers.
    pub const DEFAULT: Self = Self {
        memberships: LayerMask::DEFAULT,
        filters: LayerMask::ALL,
    };
    /// In all layers; collides with all layers.
    pub const ALL: Self = Self {
        memberships: LayerMask::ALL,
        filters: LayerMask::ALL,
    };
    /// In no layer: collides with nothing.
    pub const NONE: Self = Self {
        memberships: LayerMask::NONE,
        filters: LayerMask::NONE,
    };

    /// In the layers `memberships`; collides with the layers `filters`.
    pub fn new(memberships: impl Into<LayerMask>, filters: impl Into<LayerMask>) -> Self {
        Self {
            memberships: memberships.into(),
            filters: filters.into(),
        }
    }

    /// Whether bodies with these layers collide.
    pub const fn interacts_with(self, other: Self) -> bool {
        self.memberships.intersects(other.filters) && other.memberships.intersects(self.filters)
    }
}

impl Default for CollisionLayers {
    fn default() -> Self {
        Self::DEFAULT
    }
}
