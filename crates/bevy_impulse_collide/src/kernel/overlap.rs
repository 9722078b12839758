use glam::Vec3;

/// Overlap of two balls: Δx = r_a + r_b − |x_a − x_b|. Positive while they interpenetrate, negative across a gap (ICM a.2a).
pub fn overlap_pair(x_ab: Vec3, radius_a: f32, radius_b: f32) -> f32 {
    radius_a + radius_b - x_ab.length()
}

/// Penetration of a ball into a half-space: Δx = r − ⟨x − x_s, n⟩, with x_s any point of the surface (ICM a.2b).
///
/// The distance keeps its sign, so a ball on the wrong side counts as deep inside, never as outside: nothing tunnels.
pub fn overlap_plane(x_from_surface: Vec3, normal: Vec3, radius: f32) -> f32 {
    radius - x_from_surface.dot(normal)
}
