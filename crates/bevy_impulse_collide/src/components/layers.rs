use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

use bevy::prelude::*;

/// A layer of an app. Derive it for an enum: the first variant is bit 0, the next one bit 1, and so on.
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
pub struct LayerMask(pub u32);

impl LayerMask {
    /// No layer.
    pub const NONE: Self = Self(0);
    /// All layers.
    pub const ALL: Self = Self(u32::MAX);
    /// The first layer: the layer of all bodies without [`CollisionLayers`].
    pub const FIRST: Self = Self(1);

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

impl<L: PhysicsLayer, const N: usize> From<[L; N]> for LayerMask {
    fn from(layers: [L; N]) -> Self {
        let bits = layers.iter().map(PhysicsLayer::to_bits);
        Self(bits.fold(0, |mask, bits| mask | bits))
    }
}

impl BitOr for LayerMask {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for LayerMask {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl BitAnd for LayerMask {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
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
/// A body without this component is in the first layer, and collides with all layers. If layers change, bodies that now touch collide
/// from the next step on, and bodies that no longer do so let go of each other.
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
pub struct CollisionLayers {
    /// The layers that the body is in.
    pub memberships: LayerMask,
    /// The layers that it collides with.
    pub filters: LayerMask,
}

impl CollisionLayers {
    /// In the first layer; collides with all layers.
    pub const DEFAULT: Self = Self {
        memberships: LayerMask::FIRST,
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
