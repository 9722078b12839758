//! One body, and a ray, a moving ball or a point.

use bevy::prelude::*;
use glam::DVec3;

use super::{
    body::Body,
    line::{Line, nearest_on_segment},
};
use crate::shape::{
    Shape,
    geometry::{Core, SurfaceHit},
};

/// The distance to a body, along a way or from a point, and the unit vector out of its surface there.
pub(super) type Found = (f32, Vec3);

impl Body {
    /// Where a ray meets the body from outside, up to the distance `limit`.
    pub fn cast_ray(&self, ray: &Line, limit: f32) -> Option<Found> {
        let entry = match self.shape {
            Shape::Particle { radius } => {
                ray.enters_ball(self.position.as_dvec3(), f64::from(radius))?
            }
            Shape::Capsule { .. } | Shape::Plane => {
                let (gap, normal) = self.gap(ray.origin)?;
                if gap < 0.0 {
                    return None;
                }
                self.entry(ray, (gap, normal), 0.0)?
            }
            Shape::Collider => {
                let (x, direction) = (
                    self.to_local(ray.origin),
                    self.direction_to_local(ray.direction),
                );
                let hit = self.geometry()?.ray_hit(x, direction, limit)?;
                return Some(self.found(hit));
            }
        };
        if !(0.0..=f64::from(limit)).contains(&entry) {
            return None;
        }
        let (_, normal) = self.gap(ray.at(entry))?;
        Some((entry as f32, normal.as_vec3()))
    }

    /// Where a ball of a `radius` whose centre moves along a line first touches the body. A ball that starts in the body hits it
    /// at once, unless it moves out of it.
    pub fn cast_ball(&self, way: &Line, radius: f32, limit: f32) -> Option<Found> {
        if let Shape::Collider = self.shape {
            let core = Core {
                x: self.to_local(way.origin),
                half: Vec3::ZERO,
                radius,
            };
            let direction = self.direction_to_local(way.direction);
            let hit = self.geometry()?.sweep(&core, direction, limit)?;
            return Some(self.found(hit));
        }
        let radius = f64::from(radius);
        let (gap, normal) = self.gap(way.origin)?;
        let gap = gap - radius;
        if gap <= 0.0 {
            let moves_in = normal.dot(way.direction) < 0.0;
            return moves_in.then(|| (0.0, normal.as_vec3()));
        }
        let entry = self.entry(way, (gap, normal), radius)?;
        if !(0.0..=f64::from(limit)).contains(&entry) {
            return None;
        }
        let (_, normal) = self.gap(way.at(entry))?;
        Some((entry as f32, normal.as_vec3()))
    }

    /// Where a line that starts outside enters the body, grown by `margin` in m.
    fn entry(&self, line: &Line, (gap, normal): (f64, DVec3), margin: f64) -> Option<f64> {
        let centre = self.position.as_dvec3();
        match self.shape {
            Shape::Particle { radius } => line.enters_ball(centre, f64::from(radius) + margin),
            Shape::Capsule { radius, .. } => {
                line.enters_capsule(centre, self.half(), f64::from(radius) + margin)
            }
            Shape::Plane => {
                let closing = -normal.dot(line.direction);
                (closing > 0.0).then(|| gap / closing)
            }
            Shape::Collider => None,
        }
    }

    /// The signed distance of a point, and the unit vector out of the surface at the nearest point.
    pub fn signed_distance(&self, x: DVec3) -> Option<Found> {
        if let Shape::Collider = self.shape {
            let (distance, normal) = self.geometry()?.signed_distance(self.to_local(x))?;
            return Some((distance, self.rotation * normal));
        }
        let (gap, normal) = self.gap(x)?;
        Some((gap as f32, normal.as_vec3()))
    }

    /// The signed distance from a ball, a capsule or a half-space.
    fn gap(&self, x: DVec3) -> Option<(f64, DVec3)> {
        let centre = self.position.as_dvec3();
        match self.shape {
            Shape::Particle { radius } | Shape::Capsule { radius, .. } => {
                let half = self.half();
                let way = x - nearest_on_segment(x, centre, half);
                let distance = way.length();
                // On the core, every direction across it is as good.
                let normal = way.try_normalize().unwrap_or_else(|| {
                    half.try_normalize()
                        .unwrap_or(DVec3::X)
                        .any_orthonormal_vector()
                });
                Some((distance - f64::from(radius), normal))
            }
            Shape::Plane => {
                let normal = self.axis.as_dvec3().normalize();
                Some((normal.dot(x - centre), normal))
            }
            Shape::Collider => None,
        }
    }

    fn found(&self, hit: SurfaceHit) -> Found {
        (hit.distance, self.rotation * hit.normal)
    }
}
