//! The light of the room, in closed form: its walls and its floor are painted with it once, so that they cost no lamps.
//!
//! All values are relative to the light on the cloth under a lamp.

use std::f32::consts::{PI, TAU};

use bevy::prelude::*;

use super::lamp;
use crate::table::{cushion::RAIL_WIDTH, spec::TableSpec};

/// What comes from everywhere: light that the walls have sent back and forth.
const AMBIENT: Vec3 = Vec3::new(0.180, 0.163, 0.146);
/// Colour of the lamps.
const WARM: Vec3 = Vec3::new(1.0, 0.88, 0.72);
/// What the lit cloth sends up.
const CLOTH: Vec3 = Vec3::new(0.16, 0.34, 0.22);
/// Points of a lamp's opening that are looked at from the floor.
const RAYS: usize = 8;

/// A small light on a wall.
pub(super) struct Glow {
    pub(super) at: Vec3,
    /// Its light at 1 m.
    pub(super) color: Vec3,
}

/// All that lights the room.
pub(super) struct RoomLight {
    lamps: [Vec3; lamp::COUNT],
    /// Half the table with its rails.
    table: Vec2,
    glows: Vec<Glow>,
}

impl RoomLight {
    pub(super) fn new(spec: &TableSpec, glows: Vec<Glow>) -> Self {
        Self {
            lamps: lamp::places(spec),
            table: spec.half + RAIL_WIDTH,
            glows,
        }
    }

    /// The light on a surface at `at` with the unit vector `normal`.
    pub(super) fn on(&self, at: Vec3, normal: Vec3) -> Vec3 {
        let lamps = self
            .lamps
            .iter()
            .map(|lamp| self.lit_by_lamp(*lamp, at, normal));
        let glows = self.glows.iter().map(|glow| {
            // Not nearer than its own size.
            let (to, distance) = (glow.at - at).normalize_and_length();
            glow.color * to.dot(normal).max(0.0) / distance.powi(2).max(0.02)
        });
        AMBIENT * self.open(at)
            + WARM * lamps.sum::<f32>()
            + self.lit_by_cloth(at, normal)
            + glows.sum::<Vec3>()
    }

    /// What shines out of a lamp's shade, less what the table takes away from it.
    fn lit_by_lamp(&self, lamp: Vec3, at: Vec3, normal: Vec3) -> f32 {
        /// A cloth under the middle of three lamps gets 1.
        const POWER: f32 = 1.3;
        let (to, distance) = (lamp - at).normalize_and_length();
        let facing = to.dot(normal).max(0.0);
        // The shade ends the light softly above this angle.
        let shaded = smoothstep(0.10, 0.62, to.y);
        let free = (0..RAYS).filter(|ray| {
            let rim = lamp::RADIUS * Vec2::from_angle(TAU * *ray as f32 / RAYS as f32);
            !self.table_is_between(lamp + Vec3::new(rim.x, 0.0, rim.y), at)
        });
        POWER * to.y.max(0.0) * facing * shaded / distance.powi(2) * free.count() as f32
            / RAYS as f32
    }

    /// Whether the line from a point above the table to a point below it goes through the table.
    fn table_is_between(&self, from: Vec3, to: Vec3) -> bool {
        let part = from.y / (from.y - to.y);
        to.y < 0.0 && from.lerp(to, part).xz().abs().cmplt(self.table).all()
    }

    /// The cloth as one small bright face.
    fn lit_by_cloth(&self, at: Vec3, normal: Vec3) -> Vec3 {
        let (from, distance) = at.normalize_and_length();
        let area = 4.0 * self.table.element_product();
        let seen = from.y.max(0.0) * (-from).dot(normal).max(0.0);
        CLOTH * seen * area / (PI * distance.powi(2) + area)
    }

    /// How open the place is to the room: it is dark under the table.
    fn open(&self, at: Vec3) -> f32 {
        if at.y > 0.0 {
            return 1.0;
        }
        let outside = (at.xz().abs() - self.table).max_element();
        0.25 + 0.75 * smoothstep(-0.5, 0.5, outside)
    }
}

/// From 0 at `low` to 1 at `high`, without a kink.
fn smoothstep(low: f32, high: f32, at: f32) -> f32 {
    let part = ((at - low) / (high - low)).clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{play::leaving::FLOOR, table::spec::POOL_9};

    fn on_floor(at: Vec2) -> f32 {
        let light = RoomLight::new(&POOL_9, Vec::new());
        light
            .on(Vec3::new(at.x, FLOOR, at.y), Vec3::Y)
            .element_sum()
    }

    #[test]
    fn the_table_shades_the_floor_and_its_shadow_has_soft_edges() {
        let across = (0..40).map(|step| on_floor(Vec2::new(0.0, 0.05 * step as f32)));
        let across: Vec<f32> = across.collect();
        let brightest = across.iter().copied().fold(0.0, f32::max);
        assert!(across[0] < 0.2 * brightest);
        let steepest = across.windows(2).map(|pair| (pair[1] - pair[0]).abs());
        assert!(steepest.fold(0.0, f32::max) < 0.5 * brightest);
    }

    #[test]
    fn a_wall_is_brighter_below_than_above() {
        let light = RoomLight::new(&POOL_9, Vec::new());
        let on = |height: f32| {
            light
                .on(Vec3::new(0.0, height, -3.0), Vec3::Z)
                .element_sum()
        };
        assert!(on(-0.6) > on(0.0) && on(0.0) > on(1.5));
    }
}
