//! Sorts bodies in space. Bodies that are near each other in space then are near each other in memory, and a scene larger than the
//! caches is read in sequence.

use bevy::prelude::*;

use super::{order::SORTED_FROM, store::Bodies};

/// Fixed steps between two checks of the order.
const STEPS_BETWEEN_CHECKS: u32 = 128;

impl Bodies {
    /// Sorts the entities in space, if that is due.
    pub(crate) fn sort_in_space(&mut self) {
        self.order.steps += 1;
        let has_grown = self.len() > self.order.sorted + self.order.sorted / 4;
        if self.len() < SORTED_FROM || !(has_grown || self.order.steps >= STEPS_BETWEEN_CHECKS) {
            return;
        }
        self.order.steps = 0;
        self.order.sorted = self.len();
        let mut keys = self.space_keys();
        // A heap that lies still keeps its order.
        let misplaced = keys.windows(2).filter(|two| two[0].0 > two[1].0).count();
        if misplaced * 8 > keys.len() {
            keys.sort_unstable();
            let order: Vec<_> = keys.iter().map(|&(_, i)| self.entity[i as usize]).collect();
            self.rearrange(&order);
            self.index();
        }
    }

    /// A number for each body, and its index: along the numbers, a curve fills space (G. Morton, 1966).
    fn space_keys(&self) -> Vec<(u32, u32)> {
        // A plane's point may be anywhere on it.
        let has_place = |i: usize| !self.is_static(i) && self.shape[i].is_round();
        let free = || (0..self.len()).filter(|&i| has_place(i));
        let (mut min, mut max) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for i in free() {
            min = min.min(self.position[i].as_vec3());
            max = max.max(self.position[i].as_vec3());
        }
        let scale = 1023.0 / (max - min).max_element().max(f32::MIN_POSITIVE);
        let key = |i: usize| {
            let cell = ((self.position[i].as_vec3() - min) * scale)
                .clamp(Vec3::ZERO, Vec3::splat(1023.0))
                .as_uvec3();
            spread(cell.x) | spread(cell.y) << 1 | spread(cell.z) << 2
        };
        (0..self.len())
            .map(|i| (if has_place(i) { key(i) } else { 0 }, i as u32))
            .collect()
    }
}

/// The ten lowest bits, each with two zeros above it.
fn spread(x: u32) -> u32 {
    let x = (x | x << 16) & 0x030000FF;
    let x = (x | x << 8) & 0x0300F00F;
    let x = (x | x << 4) & 0x030C30C3;
    (x | x << 2) & 0x09249249
}
