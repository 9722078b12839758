//! Which bodies overlap a ball, a capsule or a box.

use bevy::prelude::*;
use glam::DVec3;
use parry3d::{
    math::{Pose, Vector},
    query::details::distance_support_map_support_map,
    shape::{Cuboid, Segment},
};

use super::{
    body::Body,
    filter::SpatialFilter,
    line::nearest_on_segment,
    spatial_query::{SpatialQuery, is_measure},
};
use crate::{
    collision::Aabb,
    kernel::closest_segment_points,
    shape::{
        Shape,
        geometry::{BoxInFrame, Core},
    },
};

impl SpatialQuery<'_, '_> {
    /// The bodies that a ball of a `radius` in m touches, in the order of the entities.
    pub fn overlap_ball(&self, radius: f32, centre: Vec3, filter: &SpatialFilter) -> Vec<Entity> {
        if !is_measure(radius) || !centre.is_finite() {
            return Vec::new();
        }
        let x = centre.as_dvec3();
        self.overlaps((centre, Vec3::splat(radius)), filter, |body| {
            let distance = body.signed_distance(x);
            distance.is_some_and(|(distance, _)| distance <= radius)
        })
    }

    /// The bodies that a capsule touches, in the order of the entities: a cylinder of a `radius` along local Y, with this
    /// `length` between the half-balls on its ends, in m.
    pub fn overlap_capsule(
        &self,
        radius: f32,
        length: f32,
        place: Isometry3d,
        filter: &SpatialFilter,
    ) -> Vec<Entity> {
        let centre = Vec3::from(place.translation);
        let half = place.rotation * Vec3::Y * (0.5 * length);
        if !is_measure(radius) || !centre.is_finite() || !half.is_finite() || length < 0.0 {
            return Vec::new();
        }
        self.overlaps((centre, half.abs() + radius), filter, |body| {
            body.overlaps_capsule(centre, half, radius)
        })
    }

    /// The bodies that a box with these half sides in m touches, in the order of the entities.
    pub fn overlap_cuboid(
        &self,
        half_size: Vec3,
        place: Isometry3d,
        filter: &SpatialFilter,
    ) -> Vec<Entity> {
        let centre = Vec3::from(place.translation);
        let is_good = half_size.to_array().into_iter().all(is_measure);
        if !(is_good && centre.is_finite() && place.rotation.is_normalized()) {
            return Vec::new();
        }
        let axes = Mat3::from_quat(place.rotation);
        let extent = axes.x_axis.abs() * half_size.x
            + axes.y_axis.abs() * half_size.y
            + axes.z_axis.abs() * half_size.z;
        self.overlaps((centre, extent), filter, |body| {
            body.overlaps_box(half_size, centre, place.rotation)
        })
    }

    /// The bodies that pass a test, among those whose boxes meet the box about a centre with these half sides.
    fn overlaps(
        &self,
        (centre, half): (Vec3, Vec3),
        filter: &SpatialFilter,
        test: impl Fn(&Body) -> bool,
    ) -> Vec<Entity> {
        let half = half + (centre.abs() + half) * (2.0 * f32::EPSILON);
        let about = Aabb {
            min: (centre - half).into(),
            max: (centre + half).into(),
        };
        let bodies = self.candidates(|bounds| bounds.overlaps(&about));
        let bodies = bodies.filter(|body| filter.finds(body) && test(body));
        let mut entities: Vec<Entity> = bodies.map(|body| body.entity).collect();
        entities.sort_unstable();
        entities
    }
}

impl Body {
    /// Whether the capsule about the segment from `centre` − `half` to `centre` + `half` touches the body.
    fn overlaps_capsule(&self, centre: Vec3, half: Vec3, radius: f32) -> bool {
        let apart = self.position.as_dvec3() - centre.as_dvec3();
        let half_64 = half.as_dvec3();
        match self.shape {
            Shape::Particle { radius: other } => {
                let nearest = nearest_on_segment(apart, DVec3::ZERO, half_64);
                nearest.distance(apart) <= f64::from(radius) + f64::from(other)
            }
            Shape::Capsule { radius: other, .. } => {
                let (apart, other_half) = (apart.as_vec3(), self.half().as_vec3());
                let (s, t) = closest_segment_points(Vec3::ZERO, half, apart, other_half);
                (half * s).distance(apart + other_half * t) <= radius + other
            }
            Shape::Plane => {
                let normal = self.axis.as_dvec3();
                let lowest = -normal.dot(apart) - normal.dot(half_64).abs();
                lowest <= f64::from(radius)
            }
            Shape::Collider => self.geometry().is_some_and(|geometry| {
                geometry.overlaps_capsule(&Core {
                    x: self.to_local(centre.as_dvec3()),
                    half: self.direction_to_local(half_64).as_vec3(),
                    radius,
                })
            }),
            Shape::Compound { .. } => false,
        }
    }

    /// Whether the box with these half sides touches the body.
    fn overlaps_box(&self, half_size: Vec3, centre: Vec3, rotation: Quat) -> bool {
        let back = rotation.as_dquat().normalize().inverse();
        let position = back * (self.position.as_dvec3() - centre.as_dvec3());
        let half = half_size.as_dvec3();
        match self.shape {
            Shape::Particle { radius } => {
                let nearest = position.clamp(-half, half);
                nearest.distance(position) <= f64::from(radius)
            }
            Shape::Capsule { radius, .. } => {
                let core = back * self.half();
                let ends = [position - core, position + core].map(|end| end.as_vec3());
                let cuboid = Cuboid::new(Vector::from(half_size));
                let core = Segment::new(ends[0], ends[1]);
                distance_support_map_support_map(&Pose::IDENTITY, &cuboid, &core) <= radius
            }
            Shape::Plane => {
                let normal = back * self.axis.as_dvec3();
                let lowest = -normal.dot(position) - normal.abs().dot(half);
                lowest <= 0.0
            }
            Shape::Collider => self.geometry().is_some_and(|geometry| {
                geometry.overlaps_box(&BoxInFrame {
                    half,
                    centre: self.to_local(centre.as_dvec3()),
                    rotation: (self.rotation.as_dquat().normalize().inverse()
                        * rotation.as_dquat().normalize()),
                })
            }),
            Shape::Compound { .. } => false,
        }
    }
}
