//! How far cells lie alike: the size of the patches in which rods that grow and divide align.

use bevy::prelude::*;

/// A cell's place and the direction of its axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rod {
    center: Vec2,
    /// (cos 2θ, sin 2θ): the same for both ends of the axis.
    director: Vec2,
}

impl Rod {
    pub fn new(center: Vec2, axis: Vec2) -> Self {
        let Vec2 { x, y } = axis.normalize_or(Vec2::X);
        Self {
            center,
            director: Vec2::new(x * x - y * y, 2.0 * x * y),
        }
    }
}

/// Width in metres of the rings in which pairs are counted: that of a cell.
const RING: f32 = 1.0;

/// Rods whose pairs with all others are counted.
const SAMPLES: usize = 2000;

/// Distance in metres at which the correlation of the axes, g(r) = ⟨cos 2(θᵢ − θⱼ)⟩ over the pairs of rods at the distance r,
/// has fallen to 1/e, from g(0) = 1. None if it does not fall so far.
pub(super) fn correlation_length(rods: &[Rod]) -> Option<f64> {
    let level = (-1f64).exp();
    let (mut near, mut high) = (0.0, 1.0);
    for (distance, correlation) in correlation(rods) {
        if correlation < level {
            return Some(near + (distance - near) * (high - level) / (high - correlation));
        }
        (near, high) = (distance, correlation);
    }
    None
}

/// g(r), as pairs of a distance in metres and the correlation there, from near to far.
fn correlation(rods: &[Rod]) -> impl Iterator<Item = (f64, f64)> {
    /// Pairs in a ring, and sums over them.
    #[derive(Clone, Copy, Default)]
    struct Ring {
        pairs: u32,
        distance: f64,
        correlation: f64,
    }
    let mut rings: Vec<Ring> = Vec::new();
    let every = rods.len().div_ceil(SAMPLES).max(1);
    for (i, a) in rods.iter().enumerate().step_by(every) {
        for (_, b) in rods.iter().enumerate().filter(|&(j, _)| j != i) {
            let distance = a.center.distance(b.center);
            let place = (distance / RING) as usize;
            if place >= rings.len() {
                rings.resize(place + 1, default());
            }
            let ring = &mut rings[place];
            ring.pairs += 1;
            ring.distance += f64::from(distance);
            // cos 2(θᵢ − θⱼ), by the addition theorem.
            ring.correlation += f64::from(a.director.dot(b.director));
        }
    }
    rings.into_iter().filter(|ring| ring.pairs > 0).map(|ring| {
        let pairs = f64::from(ring.pairs);
        (ring.distance / pairs, ring.correlation / pairs)
    })
}
