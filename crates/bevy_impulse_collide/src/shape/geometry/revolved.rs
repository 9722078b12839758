//! Solids of revolution: a cylinder, a cone. They are exact, not made of triangles.

use glam::{Mat3, Quat, Vec2, Vec3};
use smallvec::{SmallVec, smallvec};

use crate::kernel::unit;

/// Largest difference of the scales across the axis, as a fraction, at which a solid stays round.
const ROUND: f32 = 1e-4;

/// A convex solid around the Y axis of its own frame.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Revolved {
    pub centre: Vec3,
    pub rotation: Quat,
    /// The outline (distance from the axis, height), from the top of the axis to its bottom.
    pub(super) outline: SmallVec<[Vec2; 4]>,
}

/// The point of a solid that is nearest to a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearestOnSolid {
    /// Unit vector out of the solid.
    pub normal: Vec3,
    /// Distance in m; negative inside.
    pub distance: f32,
    /// Whether the surface is curved there.
    pub is_curved: bool,
    /// Whether it is on an edge or a tip.
    pub is_on_rim: bool,
}

impl Revolved {
    pub fn cylinder(radius: f32, half_height: f32) -> Self {
        Self::new(smallvec![
            Vec2::new(0.0, half_height),
            Vec2::new(radius, half_height),
            Vec2::new(radius, -half_height),
            Vec2::new(0.0, -half_height),
        ])
    }

    /// Its tip is up.
    pub fn cone(radius: f32, half_height: f32) -> Self {
        Self::new(smallvec![
            Vec2::new(0.0, half_height),
            Vec2::new(radius, -half_height),
            Vec2::new(0.0, -half_height),
        ])
    }

    fn new(outline: SmallVec<[Vec2; 4]>) -> Self {
        Self {
            centre: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            outline,
        }
    }

    /// The solid after a linear map and a shift. `None` if it is not round any more.
    pub fn moved(&self, linear: Mat3, shift: Vec3) -> Option<Self> {
        let axes = linear * Mat3::from_quat(self.rotation);
        let sizes = [axes.x_axis, axes.y_axis, axes.z_axis].map(Vec3::length);
        let [x, y] = [axes.x_axis / sizes[0], axes.y_axis / sizes[1]];
        let is_skewed = x.dot(y).abs() > ROUND
            || axes.z_axis.dot(y).abs() > ROUND * sizes[2]
            || axes.z_axis.dot(x).abs() > ROUND * sizes[2];
        if is_skewed || (sizes[0] - sizes[2]).abs() > ROUND * sizes[0] {
            return None;
        }
        let scale = Vec2::new(sizes[0], sizes[1]);
        Some(Self {
            centre: linear * self.centre + shift,
            rotation: unit(Quat::from_mat3(&Mat3::from_cols(x, y, x.cross(y)))),
            outline: self.outline.iter().map(|&point| point * scale).collect(),
        })
    }

    /// The corners of the box that holds it.
    pub fn bounds(&self) -> [Vec3; 2] {
        let outline = self.outline.iter();
        let size = outline.fold(Vec2::ZERO, |size, point| size.max(point.abs()));
        let axis = self.rotation * Vec3::Y;
        let across = (Vec3::ONE - axis * axis).max(Vec3::ZERO);
        let across = Vec3::new(across.x.sqrt(), across.y.sqrt(), across.z.sqrt());
        let half = axis.abs() * size.y + across * size.x;
        [self.centre - half, self.centre + half]
    }

    /// The farthest point along a direction, both in the solid's own frame.
    pub fn farthest(&self, direction: Vec3) -> Vec3 {
        let across = Vec2::new(direction.x, direction.z).normalize_or_zero();
        let outline = self.outline.iter();
        let points =
            outline.map(|point| Vec3::new(across.x * point.x, point.y, across.y * point.x));
        let height = |point: &Vec3| direction.dot(*point);
        points
            .max_by(|one, other| height(one).total_cmp(&height(other)))
            .unwrap_or_default()
    }

    /// The nearest point to `p`, which is relative to the centre.
    pub fn nearest(&self, p: Vec3) -> NearestOnSolid {
        let local = self.rotation.inverse() * p;
        let from_axis = Vec2::new(local.x, local.z).length();
        let at = Vec2::new(from_axis, local.y);
        let mut deepest = (f32::NEG_INFINITY, Vec2::Y);
        let mut nearest = (f32::INFINITY, Vec2::Y);
        let mut is_on_rim = false;
        for ends in self.outline.windows(2) {
            let (start, along) = (ends[0], ends[1] - ends[0]);
            let outward = Vec2::new(-along.y, along.x).normalize_or_zero();
            let height = outward.dot(at - start);
            if height > deepest.0 {
                deepest = (height, outward);
            }
            let t = (at - start).dot(along) / along.length_squared();
            if (0.0..=1.0).contains(&t) && height > 0.0 {
                if height < nearest.0 {
                    nearest = (height, outward);
                    is_on_rim = false;
                }
            } else {
                let way = at - start - along * t.clamp(0.0, 1.0);
                if way.length() < nearest.0 {
                    nearest = (way.length(), way.normalize_or(outward));
                    is_on_rim = true;
                }
            }
        }
        let (distance, n) = if deepest.0 <= 0.0 { deepest } else { nearest };
        let out = Vec3::new(local.x, 0.0, local.z).normalize_or(Vec3::X);
        NearestOnSolid {
            normal: self.rotation * (out * n.x + Vec3::Y * n.y),
            distance,
            is_curved: n.x != 0.0,
            is_on_rim: is_on_rim && deepest.0 > 0.0,
        }
    }
}
