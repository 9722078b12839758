//! A pair that gets a lane of a wide constraint, and the impulses of a pair without a constraint.

use bevy::prelude::*;

use super::coloring::ColoringEntry;
use crate::solver::simd::{LANES, LaneMask, Numbers, Vectors};

/// Impulses of a pair, summed over its one or two contact points. A constraint reads those of its pairs from anywhere in memory:
/// aligned, each is in one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct StoredImpulse {
    /// In N·s, along the normal.
    pub normal: f32,
    /// In N·s, on the first body of the constraint.
    pub friction: Vec3,
    /// Rolling and spinning couple in N·m·s, on the first body of the constraint.
    pub couple: Vec3,
    /// Fraction of the impulses that the second of two points gave; negative if no point of the pair was active.
    pub second_share: f32,
}

impl Default for StoredImpulse {
    fn default() -> Self {
        Self::INACTIVE
    }
}

impl StoredImpulse {
    /// Of a pair without an active point.
    pub const INACTIVE: Self = Self {
        normal: 0.0,
        friction: Vec3::ZERO,
        couple: Vec3::ZERO,
        second_share: -1.0,
    };

    /// Whether a point of the pair was active.
    pub fn is_active(&self) -> bool {
        self.second_share >= 0.0
    }

    /// Adds the impulses of another contact at the same points.
    pub fn join(&mut self, other: &Self) {
        let second = |it: &Self| it.normal * it.second_share.max(0.0);
        let (normal, second) = (self.normal + other.normal, second(self) + second(other));
        *self = Self {
            normal,
            friction: self.friction + other.friction,
            couple: self.couple + other.couple,
            second_share: if normal > 0.0 { second / normal } else { 0.0 },
        };
    }

    /// The impulses that the first and the second of two points start with.
    pub fn shares(&self) -> [Self; 2] {
        let second = self.second_share.max(0.0);
        [1.0 - second, second].map(|share| Self {
            normal: share * self.normal,
            friction: share * self.friction,
            couple: share * self.couple,
            ..*self
        })
    }
}

/// A pair that gets a lane of a wide constraint.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairEntry {
    /// Index of the pair.
    pub pair: u32,
    /// Indices of the bodies. The plane is second, if there is one.
    pub bodies: (u32, u32),
    /// Indices of the bodies among the cell's solver bodies; zero for the ground.
    pub slots: (u32, u32),
    /// Coefficients of sliding, rolling and spinning friction.
    pub friction: f32,
    pub rolling_friction: f32,
    pub spinning_friction: f32,
    /// Whether one of the bodies grows.
    pub grows: bool,
    /// Whether the surface of one of the bodies moves along itself, or one of them is kinematic.
    pub has_moving_surface: bool,
    /// Whether contacts move the bodies.
    pub are_pushed: (bool, bool),
    pub impulse: StoredImpulse,
}

impl PairEntry {
    /// The entry under another number.
    pub fn coloring(&self, number: u32) -> ColoringEntry {
        ColoringEntry {
            pair: number,
            slots: self.slots,
            are_pushed: self.are_pushed,
        }
    }

    /// The entry of a lane without a pair.
    pub const NONE: Self = Self {
        pair: u32::MAX,
        bodies: (0, 0),
        slots: (0, 0),
        friction: 0.0,
        rolling_friction: 0.0,
        spinning_friction: 0.0,
        grows: false,
        has_moving_surface: false,
        are_pushed: (false, false),
        impulse: StoredImpulse::INACTIVE,
    };
}

/// Up to [`LANES`] pairs, lane by lane. A lane without a pair has [`PairEntry::NONE`].
pub(super) struct EntryGroup([PairEntry; LANES]);

impl EntryGroup {
    /// The pairs, of which there are at most [`LANES`].
    pub fn new(entries: impl IntoIterator<Item = PairEntry>) -> Self {
        let mut group = [PairEntry::NONE; LANES];
        for (lane, entry) in group.iter_mut().zip(entries) {
            *lane = entry;
        }
        Self(group)
    }

    /// Whether any pair fulfils a condition.
    pub fn any(&self, is: impl Fn(&PairEntry) -> bool) -> bool {
        self.0.iter().any(is)
    }

    fn lanes<T>(&self, value: impl Fn(&PairEntry) -> T) -> [T; LANES] {
        self.0.each_ref().map(value)
    }

    /// An index of each pair.
    pub fn each(&self, value: impl Fn(&PairEntry) -> u32) -> [u32; LANES] {
        self.lanes(value)
    }

    /// A number of each pair.
    pub fn number(&self, value: impl Fn(&PairEntry) -> f32) -> Numbers {
        Numbers(self.lanes(value))
    }

    /// A vector of each pair.
    pub fn vector(&self, value: impl Fn(&PairEntry) -> Vec3) -> Vectors {
        Vectors::from_lanes(self.lanes(value))
    }

    /// The lanes whose pairs fulfil a condition.
    pub fn marks(&self, is: impl Fn(&PairEntry) -> bool) -> LaneMask {
        LaneMask::of(self.lanes(|entry| entry.pair != u32::MAX && is(entry)))
    }

    /// The lanes that have a pair.
    pub fn is_used(&self) -> LaneMask {
        self.marks(|_| true)
    }
}

/// Several pairs of balls, or of balls on planes, that have a constraint: the projection stage pushes them apart together.
#[derive(Clone, Copy, Debug)]
pub(in crate::solver) struct BallGroup<'a> {
    /// Indices of the bodies. `b` is the plane, if there is one.
    pub a: &'a [u32; LANES],
    pub b: &'a [u32; LANES],
    /// Indices of the bodies among the cell's solver bodies.
    pub slots: (&'a [u32; LANES], &'a [u32; LANES]),
    pub on_planes: bool,
    /// The lanes that have a pair.
    pub is_used: LaneMask,
    /// Coefficients of sliding friction.
    pub friction: &'a Numbers,
}
