use glam::{Quat, Vec3};

use super::InverseInertia;

/// The rotation that an angular velocity of `w` rad/s makes in `s` seconds, in world axes.
pub fn turn(w: Vec3, s: f32) -> Quat {
    Quat::from_scaled_axis(w * s)
}

/// Free rotation over `s` seconds, forwards or backwards, of a body whose axis of symmetry is its local Y: its new
/// rotation and angular velocity.
///
/// Exact: without torque, a symmetric top turns about its angular momentum L at the steady rate L/I_t, and about its own
/// axis at ω_a·(1 − I_a/I_t) besides. So L stays to round-off whatever the step.
pub fn free_rotation(rotation: Quat, w: Vec3, inverse: InverseInertia, s: f32) -> (Quat, Vec3) {
    if w == Vec3::ZERO {
        return (rotation, w);
    }
    if inverse.axial == inverse.transverse {
        return ((turn(w, s) * rotation).normalize(), w);
    }
    let axis = rotation * Vec3::Y;
    let i_a_over_i_t = inverse.transverse / inverse.axial;
    let w_a = axis.dot(w);
    let precession = w + axis * ((i_a_over_i_t - 1.0) * w_a);
    let precession_turn = turn(precession, s);
    let spin_turn = turn(axis * (w_a * (1.0 - i_a_over_i_t)), s);
    (
        (precession_turn * spin_turn * rotation).normalize(),
        precession_turn * w,
    )
}
