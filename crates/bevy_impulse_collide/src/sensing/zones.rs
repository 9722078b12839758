//! The sensors of the world in a tree of boxes.

use bevy::prelude::*;
use parry3d::{
    bounding_volume::Aabb,
    partitioning::{Bvh, BvhBuildStrategy},
};

use crate::{
    body::{Bodies, Piece, Pose},
    collision::half_of_turned_box,
    shape::Shape,
};

/// A sensor on its way through a substep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Zone {
    /// Index of the body.
    pub sensor: usize,
    pub entity: Entity,
    pub way: Piece,
}

/// All sensors of the world.
#[derive(Default)]
pub(super) struct Zones {
    /// In the order of the bodies.
    zones: Vec<Zone>,
    /// The zones with a box, and their tree. Its leaves are indices in this list.
    bounded: Vec<usize>,
    tree: Bvh,
    /// The zones without a box: half-spaces.
    unbounded: Vec<usize>,
    /// The bodies' revision that the zones were made for, if none of them can move.
    made_for: Option<u64>,
}

impl Zones {
    /// Brings the zones to where the sensors are in this substep. Returns whether one may have changed.
    pub fn update(&mut self, bodies: &Bodies, before: &[Pose]) -> bool {
        if self.made_for == Some(bodies.renewal.revision()) {
            return false;
        }
        let sensors = bodies.sensors.iter().map(|&sensor| sensor as usize);
        self.zones.clear();
        self.zones.extend(sensors.map(|sensor| Zone {
            sensor,
            entity: bodies.entity[sensor],
            way: Piece::whole(bodies, sensor, before[sensor]),
        }));
        self.bounded.clear();
        self.unbounded.clear();
        let mut boxes = Vec::new();
        for (k, zone) in self.zones.iter().enumerate() {
            if let Some(bounds) = zone.bounds(bodies) {
                self.bounded.push(k);
                boxes.push(bounds);
            } else {
                self.unbounded.push(k);
            }
        }
        self.tree = Bvh::from_iter(BvhBuildStrategy::Binned, boxes.into_iter().enumerate());
        let may_move = self.zones.iter().any(|zone| !bodies.is_static(zone.sensor));
        self.made_for = (!may_move).then_some(bodies.renewal.revision());
        true
    }

    /// Forgets all sensors.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// The zone of a sensor.
    pub fn of(&self, bodies: &Bodies, sensor: Entity) -> Option<usize> {
        let sensor = bodies.index_of(sensor)?;
        let found = self.zones.binary_search_by_key(&sensor, |zone| zone.sensor);
        found.ok()
    }

    pub fn get(&self, k: usize) -> &Zone {
        &self.zones[k]
    }

    /// The zones that a body in a box may meet.
    pub fn near(&self, low: Vec3, high: Vec3) -> impl Iterator<Item = usize> {
        let bounded = self
            .tree
            .leaves(move |node| node.mins().cmple(high).all() && low.cmple(node.maxs()).all());
        let bounded = bounded.map(|leaf| self.bounded[leaf as usize]);
        bounded.chain(self.unbounded.iter().copied())
    }
}

impl Zone {
    /// The box that holds the sensor all the time; `None` for a half-space.
    fn bounds(&self, bodies: &Bodies) -> Option<Aabb> {
        let (low, high) = self.way.bounds();
        let turns = self.way.spin() > 0.0;
        let rotation = self.way.rotation(self.way.to);
        let (centre, half) = match bodies.shape[self.sensor] {
            Shape::Particle { radius } => (Vec3::ZERO, Vec3::splat(radius)),
            Shape::Capsule { .. } if turns => {
                let reach = bodies.shape[self.sensor].bounding_radius();
                (Vec3::ZERO, Vec3::splat(reach))
            }
            Shape::Capsule {
                radius,
                half_length,
            } => (
                Vec3::ZERO,
                (rotation * Vec3::Y).abs() * half_length + radius,
            ),
            Shape::Plane | Shape::Compound { .. } => return None,
            Shape::Collider => {
                let geometry = bodies.geometry[self.sensor].get()?;
                if turns {
                    (Vec3::ZERO, Vec3::splat(geometry.reach()))
                } else {
                    let (low, high) = geometry.bounds();
                    let half = half_of_turned_box(0.5 * (high - low), rotation);
                    (rotation * (0.5 * (low + high)), half)
                }
            }
        };
        let half = half * ROUNDING;
        Some(Aabb::new(low + centre - half, high + centre + half))
    }
}

/// Growth of a box: more than the rounding of its sides.
const ROUNDING: f32 = 1.0 + 8.0 * f32::EPSILON;
