//! One body, and a ray or a point.

use bevy::prelude::*;
use glam::DVec3;

use super::{
    body::Body,
    line::{Line, nearest_on_segment},
};
use crate::shape::Shape;

/// The distance to a body, along a way or from a point, and the unit vector out of its surface there.
pub(super) type Found = (f32, Vec3);

impl Body {
    /// Where a ray meets the body from outside, up to the distance `limit`.
    pub fn cast_ray(&self, ray: &Line, limit: f32) -> Option<Found> {
        let centre = self.position.as_dvec3();
        let entry = match self.shape {
            Shape::Particle { radius } => ray.enters_ball(centre, f64::from(radius))?,
            Shape::Capsule { radius, .. } => {
                let (gap, _) = self.gap(ray.origin)?;
                if gap < 0.0 {
                    return None;
                }
                ray.enters_capsule(centre, self.half(), f64::from(radius))?
            }
            Shape::Plane => {
                let (gap, normal) = self.gap(ray.origin)?;
                if gap < 0.0 {
                    return None;
                }
                ray.enters_half_space(gap, normal)?
            }
            Shape::Collider => {
                let (x, direction) = (
                    self.to_local(ray.origin),
                    self.direction_to_local(ray.direction),
                );
                let (distance, normal) = self.geometry()?.ray_hit(x, direction, limit)?;
                return Some((distance, self.rotation * normal));
            }
            Shape::Compound { .. } => return None,
        };
        if !(0.0..=f64::from(limit)).contains(&entry) {
            return None;
        }
        let (_, normal) = self.gap(ray.at(entry))?;
        Some((entry as f32, normal.as_vec3()))
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
    pub(super) fn gap(&self, x: DVec3) -> Option<(f64, DVec3)> {
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
            Shape::Collider | Shape::Compound { .. } => None,
        }
    }
}
