//! The time at which a gap on a parabola closes.

use glam::Vec3;

/// Smallest s in 0..=`until` at which gap + v·s + a·s²/2 is zero while it shrinks. `None` if there is none.
///
/// For a ball over a half-space in a uniform field this is exact. A gap of zero or below that shrinks gives 0. A gap of zero or
/// below that grows gives the time of its return to zero.
pub fn parabola_impact_time(gap: f32, v: f32, a: f32, until: f32) -> Option<f32> {
    if gap <= 0.0 {
        if v < 0.0 {
            return Some(0.0);
        }
        // From the surface up and back: v·s + a·s²/2 = 0.
        let s = -2.0 * v / a;
        return (a < 0.0 && s > 0.0 && s <= until).then_some(s);
    }
    let discriminant = v * v - 2.0 * a * gap;
    if discriminant < 0.0 {
        return None;
    }
    let root = discriminant.sqrt();
    // For v < 0 the denominator −v + √… adds two positive numbers. For v ≥ 0, where a < 0, the other form adds two positive
    // numbers.
    let s = if v < 0.0 {
        2.0 * gap / (root - v)
    } else if a < 0.0 {
        (v + root) / -a
    } else {
        return None;
    };
    (s <= until).then_some(s)
}

/// Time in 0..=`until` at which two balls meet: the first root of |d + v·s + a·s²/2| = `reach` while they approach.
///
/// `d`, `v` and `a` are the relative position, velocity and acceleration of the centres. `reach` is the sum of the radii.
///
/// Without relative acceleration (a uniform field) this is a quadratic equation with an exact solution. With it, Newton's
/// method finds the root of the quartic equation. It starts at the root of the quadratic one, or at the end of the step if the
/// balls overlap there.
pub fn sphere_impact_time(d: Vec3, v: Vec3, a: Vec3, reach: f32, until: f32) -> Option<f32> {
    let dv = d.dot(v);
    let c = d.length_squared() - reach * reach;
    if c <= 0.0 && dv < 0.0 {
        return Some(0.0);
    }
    let straight = if dv < 0.0 {
        approach_time(d, v, dv, c)
    } else {
        None
    };
    if a == Vec3::ZERO {
        return straight.filter(|&s| s <= until);
    }
    let gap_and_rate = |s: f32| {
        let x = d + v * s + a * (0.5 * s * s);
        let length = x.length();
        (length - reach, x.dot(v + a * s) / length)
    };
    let mut s = match straight.filter(|&s| s <= until) {
        Some(s) => s,
        None if gap_and_rate(until).0 < 0.0 => until,
        None => return None,
    };
    for _ in 0..6 {
        let (gap, rate) = gap_and_rate(s);
        if rate >= 0.0 {
            return None;
        }
        let next = (s - gap / rate).max(0.0);
        let done = (next - s).abs() <= 1e-7 * until;
        s = next;
        if done {
            break;
        }
    }
    let (_, rate) = gap_and_rate(s);
    (s <= until && rate < 0.0).then_some(s)
}

/// First root of |d + v·s|² = reach², for `c` = |d|² − reach² > 0 and `dv` = ⟨d, v⟩ < 0.
fn approach_time(d: Vec3, v: Vec3, dv: f32, c: f32) -> Option<f32> {
    let vv = v.length_squared();
    // |d|²·|v|² − ⟨d, v⟩² = |d × v|². The cross product keeps the digits that the difference loses.
    let discriminant = (d.length_squared() - c) * vv - d.cross(v).length_squared();
    if discriminant < 0.0 {
        return None;
    }
    Some(c / (discriminant.sqrt() - dv))
}
