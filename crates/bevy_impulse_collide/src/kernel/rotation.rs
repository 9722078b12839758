use glam::{DVec3, Quat, Vec3};

use super::inertia::InverseInertia;

/// The rotation that an angular velocity of `w` rad/s makes in `s` seconds, in world axes. The sine is that of the crate `libm`: it
/// has the same bits on every machine.
pub fn turn(w: Vec3, s: f32) -> Quat {
    let angle = w * s;
    let length = angle.length();
    if length == 0.0 {
        return Quat::IDENTITY;
    }
    let (sin, cos) = libm::sincosf(0.5 * length);
    let v = (angle / length) * sin;
    Quat::from_xyzw(v.x, v.y, v.z, cos)
}

/// The rotation `second` after `first`: the product of quaternions. glam adds its terms in an order that depends on the processor.
pub fn compose(second: Quat, first: Quat) -> Quat {
    let ([x, y, z, w], [p, q, r, s]) = (second.to_array(), first.to_array());
    Quat::from_xyzw(
        (w * p + x * s) + (y * r - z * q),
        (w * q - x * r) + (y * s + z * p),
        (w * r + x * q) + (z * s - y * p),
        (w * s - x * p) - (y * q + z * r),
    )
}

/// The unit quaternion of the same rotation, with the same bits on every processor.
pub fn unit(rotation: Quat) -> Quat {
    let [x, y, z, w] = rotation.to_array();
    let length = ((x * x + z * z) + (y * y + w * w)).sqrt();
    Quat::from_xyzw(x / length, y / length, z / length, w / length)
}

/// The shorter rotation that takes one orientation to another, as a vector along its axis in world axes, with the angle in rad as
/// its length. Both are unit quaternions. It is zero, to the bit, if they are the same.
pub fn rotation_vector(from: Quat, to: Quat) -> Vec3 {
    if from == to {
        return Vec3::ZERO;
    }
    let q = (to.as_dquat() * from.as_dquat().inverse()).normalize();
    let q = if q.w < 0.0 { -q } else { q };
    let along = q.xyz();
    let sine = along.length();
    if sine == 0.0 {
        return Vec3::ZERO;
    }
    (along * (2.0 * libm::atan2(sine, q.w) / sine)).as_vec3()
}

/// Precession of a body with an axis of symmetry, in rad/s, in world axes: L/I_t. The axis and the angular velocity turn about
/// the angular momentum L at this rate.
pub fn precession(axis: Vec3, w: Vec3, inverse: InverseInertia) -> Vec3 {
    if inverse.axial == inverse.transverse {
        return w;
    }
    w + axis * ((inverse.transverse / inverse.axial - 1.0) * axis.dot(w))
}

/// Free rotation of a body whose axis of symmetry is its local Y, over `s` seconds. Negative `s` goes back in time. Returns the
/// new rotation and angular velocity.
///
/// It is exact. Without torque, a symmetric top turns about its angular momentum L at the constant rate L/I_t. In addition it
/// turns about its own axis at ω_a·(1 − I_a/I_t). So L and the energy stay to rounding, for any step.
pub fn free_rotation(rotation: Quat, w: Vec3, inverse: InverseInertia, s: f32) -> (Quat, Vec3) {
    if w == Vec3::ZERO || s == 0.0 {
        return (rotation, w);
    }
    if inverse.axial == inverse.transverse {
        return (unit(compose(turn(w, s), rotation)), w);
    }
    let axis = rotation * Vec3::Y;
    let precession = precession(axis, w, inverse);
    let precession_turn = turn(precession, s);
    let spin_turn = turn(w - precession, s);
    let turned = unit(compose(compose(precession_turn, spin_turn), rotation));
    let (_, along, across) = split(axis, w);
    let (axis, _, side) = split(turned * Vec3::Y, precession_turn * w);
    // A turn by the same angle makes the same rounding error in every step. Energy and |L| depend on both parts alone: kept in f64,
    // they do not drift.
    let w = axis * along + side.normalize_or_zero() * across.length();
    (turned, w.as_vec3())
}

/// The unit vector along `axis`, the part of `w` along it, and the vector part across it.
fn split(axis: Vec3, w: Vec3) -> (DVec3, f64, DVec3) {
    let (axis, w) = (axis.as_dvec3().normalize_or_zero(), w.as_dvec3());
    let along = axis.dot(w);
    (axis, along, w - axis * along)
}
