//! The points at which a pair touches at some time inside the substep.

use crate::{
    body::{Bodies, Flight},
    collision::{
        joined::joined_manifold,
        manifold::{Manifold, ManifoldPoint},
    },
    shape::Placed,
};

/// Difference of depths, as a fraction of the radius, up to which points are equally deep.
const SAME_DEPTH: f32 = 1e-4;

/// Gap, as a fraction of the radius, up to which a point of a collider is looked at: the time of an impact is not more exact.
const TOUCHING: f32 = 2e-3;

/// The points at which `a` and `b` touch at `s` seconds into the substep: the deepest point, all points that are as deep, and all
/// points that overlap. So an end that falls takes part while the other end rests, sunk a little.
pub(crate) fn contact_points(bodies: &Bodies, a: usize, b: usize, s: f32) -> Manifold {
    let (at_a, at_b) = (bodies.fly(a, s), bodies.fly(b, s));
    let radius = bodies.shape[a].radius().max(bodies.shape[b].radius());
    let reach = TOUCHING * radius;
    let places = [&placed(bodies, a, &at_a), &placed(bodies, b, &at_b)];
    let mut points = joined_manifold(bodies, (a, b), s, places, reach);
    let deepest = points
        .iter()
        .map(|p| p.depth)
        .fold(f32::NEG_INFINITY, f32::max);
    points.retain(|p| p.depth >= deepest.min(0.0) - SAME_DEPTH * radius);
    points
}

fn placed<'a>(bodies: &'a Bodies, i: usize, at: &Flight) -> Placed<'a> {
    Placed {
        shape: bodies.shape[i],
        x: at.x,
        axis: at.axis,
        rotation: at.rotation,
        geometry: bodies.geometry[i].get(),
    }
}

/// Relative velocity of the contact points along the normal, below zero while they approach.
pub(crate) fn approach(at_a: &Flight, at_b: &Flight, p: &ManifoldPoint) -> f32 {
    let velocity =
        at_a.v + at_a.w.cross(p.point - at_a.x) - at_b.v - at_b.w.cross(p.point - at_b.x);
    p.normal.dot(velocity)
}
