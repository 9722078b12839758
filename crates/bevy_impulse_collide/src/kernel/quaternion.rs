//! Products and units of quaternions.

use glam::Quat;

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
