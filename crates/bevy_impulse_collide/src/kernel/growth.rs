use glam::Vec3;

/// Velocity, for a unit of growth speed L̇, of the point at `arm` from the centre of a capsule that stretches evenly:
/// â·s/L, with s = ⟨arm, â⟩ held within ±L/2, as the half-balls move with the ends of the cylinder.
pub fn stretch(axis: Vec3, half_length: f32, arm: Vec3) -> Vec3 {
    let s = axis.dot(arm);
    let part = if half_length > 0.0 {
        (0.5 * s / half_length).clamp(-0.5, 0.5)
    } else if s == 0.0 {
        0.0
    } else {
        0.5 * s.signum()
    };
    axis * part
}

/// G = m/12, in kg, of an evenly stretched rod: its points move with s/L·L̇, so its stretching has the energy ½·(m/12)·L̇².
pub fn rod_growth_inertia(mass: f32) -> f32 {
    mass / 12.0
}
