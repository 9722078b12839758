//! Nearest points of segments.

use glam::Vec3;

/// Point nearest to `p` on the segment from `centre` − `half` to `centre` + `half`.
pub fn closest_on_segment(p: Vec3, centre: Vec3, half: Vec3) -> Vec3 {
    let length_squared = half.length_squared();
    if length_squared == 0.0 {
        return centre;
    }
    let t = ((p - centre).dot(half) / length_squared).clamp(-1.0, 1.0);
    centre + half * t
}

/// Nearest points of two segments: their parameters in −1..1 on `a` and on `b`. A point is `centre + t·half`.
///
/// Source: C. Ericson, Real-Time Collision Detection (2005), 5.1.9, in symmetric parameters. Parallel segments have many
/// nearest pairs of points. This function gives the pair in the middle of their common part, so that a contact there is
/// balanced.
pub fn closest_segment_points(
    centre_a: Vec3,
    half_a: Vec3,
    centre_b: Vec3,
    half_b: Vec3,
) -> (f32, f32) {
    let r = centre_a - centre_b;
    let aa = half_a.length_squared();
    let bb = half_b.length_squared();
    let ab = half_a.dot(half_b);
    let ar = half_a.dot(r);
    let br = half_b.dot(r);
    if aa == 0.0 && bb == 0.0 {
        return (0.0, 0.0);
    }
    if aa == 0.0 {
        return (0.0, (br / bb).clamp(-1.0, 1.0));
    }
    if bb == 0.0 {
        return ((-ar / aa).clamp(-1.0, 1.0), 0.0);
    }
    let denominator = aa * bb - ab * ab;
    // With sin² of the angle below 1e-6, the quotient below is noise in f32: the segments count as parallel.
    let parallel = denominator <= 1e-6 * aa * bb;
    let mut s = if parallel {
        middle_of_common_stretch(aa, ab, ar)
    } else {
        ((ab * br - bb * ar) / denominator).clamp(-1.0, 1.0)
    };
    let t = (ab * s + br) / bb;
    if t.abs() <= 1.0 {
        return (s, t);
    }
    let t = t.clamp(-1.0, 1.0);
    s = ((ab * t - ar) / aa).clamp(-1.0, 1.0);
    (s, t)
}

/// Middle of the part of `a` that lies beside `b`, as a parameter on `a`, for parallel segments.
fn middle_of_common_stretch(aa: f32, ab: f32, ar: f32) -> f32 {
    let end_1 = (-ar + ab) / aa;
    let end_2 = (-ar - ab) / aa;
    let low = end_1.min(end_2).clamp(-1.0, 1.0);
    let high = end_1.max(end_2).clamp(-1.0, 1.0);
    0.5 * (low + high)
}
