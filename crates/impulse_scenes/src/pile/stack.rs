//! Places for balls of any sizes that do not touch.

use bevy::prelude::*;
use rand::{Rng, seq::SliceRandom};

/// Places for the first balls of `radii`, as many as find room, in the order of `radii`.
///
/// `cells` are the centres of cubes of `edge` metres that are free, in the order in which they are to be filled. A cube holds one
/// ball, or eight cubes of half its edge, and so on: each ball gets the smallest cube that holds it with `clearance` times its
/// diameter, and lies somewhere in it. `edge` must be that of the largest ball.
pub(super) fn stack(
    rng: &mut impl Rng,
    radii: &[f32],
    edge: f32,
    clearance: f32,
    cells: impl Iterator<Item = Vec3>,
) -> Vec<Vec3> {
    let mut cells = Cells {
        edge,
        whole: cells,
        parts: Vec::new(),
    };
    radii
        .iter()
        .map_while(|&radius| {
            let level = (edge / (2.0 * clearance * radius)).log2().max(0.0) as usize;
            let center = cells.take(rng, level)?;
            // Not quite to the edge: rounding shall not make neighbours overlap.
            let play = 0.999 * (0.5 * cells.edge_at(level) - radius).max(0.0);
            let shift = Vec3::from_array(std::array::from_fn(|_| rng.random_range(-play..=play)));
            Some(center + shift)
        })
        .collect()
}

/// Centres of free cubes.
struct Cells<I> {
    edge: f32,
    whole: I,
    /// Of an edge 1/2, 1/4, … as long.
    parts: Vec<Vec<Vec3>>,
}

impl<I: Iterator<Item = Vec3>> Cells<I> {
    fn edge_at(&self, level: usize) -> f32 {
        self.edge * 0.5f32.powi(level as i32)
    }

    /// A free cube whose edge has been halved `level` times.
    fn take(&mut self, rng: &mut impl Rng, level: usize) -> Option<Vec3> {
        let Some(finer) = level.checked_sub(1) else {
            return self.whole.next();
        };
        if let Some(center) = self.parts.get_mut(finer).and_then(Vec::pop) {
            return Some(center);
        }
        let parent = self.take(rng, finer)?;
        let quarter = 0.5 * self.edge_at(level);
        let mut parts: Vec<Vec3> = (0..8)
            .map(|i| {
                let corner = Vec3::from_array([i & 1, i >> 1 & 1, i >> 2].map(|side| side as f32));
                parent + quarter * (2.0 * corner - 1.0)
            })
            .collect();
        parts.shuffle(rng);
        let center = parts.pop();
        if self.parts.len() < level {
            self.parts.resize_with(level, Vec::new);
        }
        self.parts[finer].append(&mut parts);
        center
    }
}
