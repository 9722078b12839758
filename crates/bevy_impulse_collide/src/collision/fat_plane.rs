//! A plane's bound: a half-space with a margin. It holds a kinematic plane while the plane's pairs are valid.

use bevy::prelude::*;
use glam::Vec3A;

use super::{aabb::Aabb, bounds::FAT_MARGIN_SUBSTEPS};
use crate::body::Bodies;

/// A half-space that holds a plane while the plane's pairs are valid: the plane when the pairs were found, and a margin.
///
/// A plane's point x and normal n give a point p the distance f(p) = ⟨n, p − x⟩. If the plane turns, its distance changes in
/// proportion to |p − x|. So the margin is a length plus a fraction of |p − x|. Both are zero for a static plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct FatPlane {
    x: Vec3A,
    normal: Vec3A,
    margin: f32,
    margin_per_metre: f32,
}

impl FatPlane {
    /// The bound of a plane, with a margin for some substeps of its present motion.
    pub fn new(bodies: &Bodies, plane: usize) -> Self {
        let span = FAT_MARGIN_SUBSTEPS * bodies.h;
        let (v, tilt) = (
            bodies.velocity[plane].as_vec3(),
            bodies.tilting(plane).length(),
        );
        let rise = v.dot(bodies.axis[plane]).abs();
        let x = bodies.position[plane].as_vec3();
        // A plane that slides along itself, or turns about its normal, stays in place, except for rounding.
        let rounding = if bodies.is_static(plane) { 0.0 } else { 1e-6 };
        Self {
            x: x.into(),
            normal: bodies.axis[plane].into(),
            margin: span * (rise + v.length() * tilt * span)
                + rounding * (x.length() + v.length() * span),
            margin_per_metre: tilt * span + rounding,
        }
    }

    /// Whether the bound holds the plane to the end of this substep.
    ///
    /// From the bound's plane (n₀, x₀) to the present one (n, x), and within the substep, f(p) falls by no more than
    /// ⟨n, x − x₀⟩ + |n − n₀|·|p − x₀| + h·(⟨n, v⟩ + |v|·h·|ω × n|) + h·|ω × n|·|p − x|.
    pub fn still_holds(&self, bodies: &Bodies, plane: usize) -> bool {
        let h = bodies.h;
        let (n, v) = (bodies.axis[plane], bodies.velocity[plane].as_vec3());
        let tilted = h * bodies.tilting(plane).length();
        let gone = Vec3A::from(bodies.position[plane].as_vec3()) - self.x;
        let normal = Vec3A::from(n);
        let risen = normal.dot(gone) + tilted * gone.length();
        let rises = h * (v.dot(n) + v.length() * tilted).max(0.0);
        risen + rises <= self.margin
            && (normal - self.normal).length() + tilted <= self.margin_per_metre
    }

    /// Whether body `i` may touch the plane while it is in `aabb` and the plane is in its bound.
    pub fn is_reached(&self, bodies: &Bodies, i: usize, aabb: &Aabb, margin: f32) -> bool {
        let centre = 0.5 * (aabb.min + aabb.max) - self.x;
        let half = 0.5 * (aabb.max - aabb.min);
        let mut reach = margin * bodies.shape[i].radius() + self.margin;
        if self.margin_per_metre > 0.0 {
            reach += self.margin_per_metre * (centre.length() + half.length());
        }
        centre.dot(self.normal) - half.dot(self.normal.abs()) <= reach
    }
}

/// The bounds of all planes.
#[derive(Clone, Debug, Default)]
pub(super) struct FatPlanes {
    /// The bounds, in the order of [`Bodies::planes`].
    planes: Vec<FatPlane>,
    /// These planes.
    of: Vec<u32>,
}

impl FatPlanes {
    /// Gives every plane a new bound.
    pub fn refit_all(&mut self, bodies: &Bodies) {
        self.planes.clear();
        self.of.clone_from(&bodies.planes);
        let planes = bodies.planes.iter().map(|&plane| plane as usize);
        self.planes
            .extend(planes.map(|plane| FatPlane::new(bodies, plane)));
    }

    /// Whether these are the planes that have bounds.
    pub fn are_of(&self, planes: &[u32]) -> bool {
        self.of == planes
    }

    /// Gives a plane a new bound.
    pub fn refit(&mut self, bodies: &Bodies, plane: u32) {
        if let Ok(k) = bodies.planes.binary_search(&plane) {
            self.planes[k] = FatPlane::new(bodies, plane as usize);
        }
    }

    /// The planes that have left their bounds. The bodies are the same as at the last [`refit_all`](Self::refit_all).
    pub fn moved<'a>(&'a self, bodies: &'a Bodies) -> impl Iterator<Item = u32> + 'a {
        let bounds = bodies.planes.iter().zip(&self.planes);
        let moved = bounds.filter(|(plane, bound)| !bound.still_holds(bodies, **plane as usize));
        moved.map(|(plane, _)| *plane)
    }

    /// The planes that body `i` may touch while it is in `aabb`.
    pub fn reached_by<'a>(
        &'a self,
        bodies: &'a Bodies,
        i: usize,
        aabb: &'a Aabb,
        margin: f32,
    ) -> impl Iterator<Item = u32> + 'a {
        let bounds = bodies.planes.iter().zip(&self.planes);
        let reached = bounds.filter(move |(plane, bound)| {
            bound.is_reached(bodies, i, aabb, margin) && bodies.may_collide(i, **plane as usize)
        });
        reached.map(|(plane, _)| *plane)
    }

    /// Whether body `i` may touch a plane while it is in `aabb`.
    pub fn is_reached(
        &self,
        bodies: &Bodies,
        i: usize,
        aabb: &Aabb,
        plane: u32,
        margin: f32,
    ) -> bool {
        let bound = bodies.planes.binary_search(&plane).ok();
        let bound = bound.and_then(|k| self.planes.get(k));
        bound.is_some_and(|bound| bound.is_reached(bodies, i, aabb, margin))
            && bodies.may_collide(i, plane as usize)
    }
}
