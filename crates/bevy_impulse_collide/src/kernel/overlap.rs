//! Overlaps of balls and planes.

use glam::Vec3;

/// Overlap of two balls in m: Δx = r_a + r_b − |x_a − x_b| (ICM a.2a). It is negative across a gap.
pub fn overlap_pair(x_ab: Vec3, radius_a: f32, radius_b: f32) -> f32 {
    radius_a + radius_b - x_ab.length()
}

/// Penetration of a ball into a half-space: Δx = r − ⟨x − x_s, n⟩, with x_s any point of the surface (ICM a.2b).
///
/// The distance keeps its sign. A ball on the wrong side is deep inside, never outside. So nothing tunnels.
pub fn overlap_plane(x_from_surface: Vec3, normal: Vec3, radius: f32) -> f32 {
    radius - x_from_surface.dot(normal)
}
