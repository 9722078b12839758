//! The points at which a ball or a capsule touches a collider.

use glam::Vec3;

use super::contact_set::{Manifold, ManifoldPoint};
use crate::shape::{Placed, geometry::Core};

/// The contact points of a round body, with this vector from its centre to an end of its core and this radius, that are nearer than
/// `reach`.
pub(super) fn round_on_surface(
    body: &Placed,
    half: Vec3,
    radius: f32,
    collider: &Placed,
    reach: f32,
) -> Manifold {
    let Some(geometry) = collider.geometry else {
        return Manifold::new();
    };
    let frame = (collider.x, collider.rotation);
    let core = Core::in_frame((body.x.as_dvec3(), half), radius, frame);
    let contacts = geometry.contacts(&core, reach);
    let points = contacts.iter().flat_map(|contact| {
        let normal = collider.rotation * contact.normal;
        contact.points.iter().map(move |point| ManifoldPoint {
            point: body.x + half * point.t - normal * radius,
            normal,
            depth: point.depth,
        })
    });
    points.collect()
}
