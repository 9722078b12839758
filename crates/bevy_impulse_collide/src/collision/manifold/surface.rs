//! The points at which a ball or a capsule touches a collider.

use glam::{Quat, Vec3};

use super::contact_set::{Manifold, ManifoldPoint};
use crate::shape::{
    Placed,
    geometry::{Core, SurfaceContact},
};

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
    points_on_surface(&contacts, body.x, half, radius, collider.rotation)
}

/// The points of contacts of a round body at `x`, with this vector to an end of its core and this radius, in world coordinates. The
/// contacts are in the frame of a collider with `rotation`.
pub(crate) fn points_on_surface(
    contacts: &[SurfaceContact],
    x: Vec3,
    half: Vec3,
    radius: f32,
    rotation: Quat,
) -> Manifold {
    let points = contacts.iter().flat_map(|contact| {
        let normal = rotation * contact.normal;
        contact.points.iter().map(move |point| ManifoldPoint {
            point: x + half * point.t - normal * radius,
            normal,
            depth: point.depth,
        })
    });
    points.collect()
}
