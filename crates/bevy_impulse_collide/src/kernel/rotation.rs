//! Rotations: by an angular velocity, and of a free body.

use glam::{DQuat, DVec3, Quat, Vec3};

use super::{
    inertia::InverseInertia,
    quaternion::{compose, unit},
};

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
pub fn precession(axis: Vec3, w: Vec3, inverse: &InverseInertia) -> Vec3 {
    if inverse.is_isotropic() {
        return w;
    }
    let Vec3 {
        x: across,
        y: about,
        ..
    } = inverse.principal;
    w + axis * ((across / about - 1.0) * axis.dot(w))
}

/// Free rotation of a body over `s` seconds. Negative `s` goes back in time. Returns the new rotation and angular velocity.
///
/// A body with an axis of symmetry turns exactly, for any step. For another one, a splitting of fourth order turns it by at most 0.3 rad
/// at a time: the period in which a T-handle flips is right to 1e-3. Both keep the energy and |L| in f64.
pub fn free_rotation(rotation: Quat, w: DVec3, inverse: &InverseInertia, s: f32) -> (Quat, DVec3) {
    if w == DVec3::ZERO || s == 0.0 {
        (rotation, w)
    } else if inverse.is_isotropic() {
        (unit(compose(turn(w.as_vec3(), s), rotation)), w)
    } else if inverse.is_symmetric() {
        symmetric_top(rotation, w, inverse, s)
    } else {
        asymmetric_top(rotation, w, inverse, s)
    }
}

/// Without torque, a symmetric top turns about its angular momentum L at the constant rate L/I_t. In addition it turns about its own
/// axis at ω_a·(1 − I_a/I_t). That is exact, for any step.
fn symmetric_top(rotation: Quat, w: DVec3, inverse: &InverseInertia, s: f32) -> (Quat, DVec3) {
    let own_axis = inverse.frame * Vec3::Y;
    let (spin, axis) = (w.as_vec3(), rotation * own_axis);
    let precession = precession(axis, spin, inverse);
    let precession_turn = turn(precession, s);
    let spin_turn = turn(spin - precession, s);
    let turned = unit(compose(compose(precession_turn, spin_turn), rotation));
    let (_, along, across) = split(axis, w);
    let (axis, _, side) = split(turned * own_axis, (precession_turn * spin).as_dvec3());
    // A turn by the same angle makes the same rounding error in every step. Energy and |L| depend on both parts alone: kept in f64,
    // they do not drift.
    (
        turned,
        axis * along + side.normalize_or_zero() * across.length(),
    )
}

/// The unit vector along `axis`, the part of `w` along it, and the vector part across it.
fn split(axis: Vec3, w: DVec3) -> (DVec3, f64, DVec3) {
    let axis = axis.as_dvec3().normalize_or_zero();
    let along = axis.dot(w);
    (axis, along, w - axis * along)
}

/// Greatest angle in rad of a turn that [`asymmetric_top`] takes in one go. The error of its period is about a
/// hundredth of the fourth power of this angle.
const MAX_TURN: f64 = 0.3;

/// Most turns of [`asymmetric_top`]: more than that, and a body turns several times in a step.
const MAX_TURNS: f64 = 256.0;

/// A body with three moments of inertia, by a symmetric splitting of fourth order.
///
/// The energy ½·Σ L²/I is that of a ball with the middle 1/I, plus ½·δ·L² for each of the two other axes. Each of these parts alone
/// turns the body about one axis, at a constant rate: the ball about L, the others about their own axes at δ·L. The turn about L
/// changes no component of L in the body: it is made at the end. The parts are composed as in A/2, B, A/2, and three such steps as in
/// H. Yoshida, Phys. Lett. A 150 (1990) 262. All turns keep |L|; what the energy is off by is mended at the end.
fn asymmetric_top(rotation: Quat, w: DVec3, inverse: &InverseInertia, s: f32) -> (Quat, DVec3) {
    let s = f64::from(s);
    let frame = inverse.principal_axes(rotation);
    let inverses = inverse.principal.as_dvec3();
    let start = (frame.inverse() * w) / inverses;
    let momentum = frame * start;

    let mut axes = [0, 1, 2];
    axes.sort_by(|&i, &j| inverses[i].total_cmp(&inverses[j]));
    let [low, middle, high] = axes;
    let rate = |axis: usize| inverses[axis] - inverses[middle];
    // The smaller part comes first and last.
    let (near, far) = match rate(high) > -rate(low) {
        true => (low, high),
        false => (high, low),
    };
    // By a rate that stays: so the same turns lead back.
    let fastest = momentum.length() * inverses.max_element();
    let turns = (fastest * s.abs() / MAX_TURN).ceil().clamp(1.0, MAX_TURNS);
    let root = libm::cbrt(2.0);
    let outer = 1.0 / (2.0 - root);
    let parts = [outer, -root * outer, outer].map(|part| part * s / turns);
    let (mut turned, mut l) = (DQuat::IDENTITY, start);
    let mut turn_about = |axis: usize, s: f64| {
        let (sin, cos) = libm::sincos(0.5 * rate(axis) * l[axis] * s);
        let unit = [DVec3::X, DVec3::Y, DVec3::Z][axis] * sin;
        let by = DQuat::from_xyzw(unit.x, unit.y, unit.z, cos);
        turned *= by;
        l = by.inverse() * l;
    };
    for _ in 0..turns as usize {
        for s in parts {
            turn_about(near, 0.5 * s);
            turn_about(far, s);
            turn_about(near, 0.5 * s);
        }
    }

    // The least change of l along the sphere |l| = |L| that mends the energy.
    let energy = |l: DVec3| 0.5 * l.dot(inverses * l);
    let steepest = (inverses * l).reject_from(l);
    let square = steepest.length_squared();
    if square > 1e-20 * (inverses * l).length_squared() {
        l += steepest * ((energy(start) - energy(l)) / square);
        l *= start.length() / l.length();
    }
    let about_l = precise_turn(momentum * (inverses[middle] * s));
    let mut frame = about_l * frame * turned;
    // The frame follows, so that L stays in the world.
    frame = precise_turn((frame * l).cross(momentum) / momentum.length_squared()) * frame;
    let rotation = (frame * inverse.frame.as_dquat().normalize().inverse()).normalize();
    let rotation = unit(rotation.as_quat());
    (rotation, inverse.principal_axes(rotation) * (inverses * l))
}

/// The rotation by a vector in rad, in f64.
fn precise_turn(angle: DVec3) -> DQuat {
    let length = angle.length();
    if length == 0.0 {
        return DQuat::IDENTITY;
    }
    let (sin, cos) = libm::sincos(0.5 * length);
    let v = angle * (sin / length);
    DQuat::from_xyzw(v.x, v.y, v.z, cos)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The energy, and the angular momentum in the world.
    fn energy_and_momentum(q: Quat, w: DVec3, inverse: &InverseInertia) -> (f64, DVec3) {
        let l = inverse.precise_momentum(q, w);
        (0.5 * w.dot(l), l)
    }

    /// A T-handle flips about its middle axis with a period that is an elliptic integral (L. Landau and E. Lifshitz, Mechanics, §37):
    /// ω₂ = 0 every 2·K(k²)/τ′, with K = π/(2·M(1, √(1 − k²))) by the arithmetic-geometric mean.
    #[test]
    fn a_t_handle_flips_with_the_period_of_its_elliptic_integral() {
        let moments = DVec3::new(1.0, 2.0, 3.0);
        let inverse =
            InverseInertia::of_moments(moments.as_vec3(), Quat::from_xyzw(0.5, 0.5, 0.5, 0.5));
        let own = inverse.frame.as_dquat();
        for (speed, hz) in [
            (1.0, 60.0),
            (6.0, 60.0),
            (20.0, 60.0),
            (6.0, 30.0),
            (6.0, 240.0),
        ] {
            let start = DVec3::new(1e-3, 1.0, 1e-3).normalize() * speed;
            let l = moments * start;
            let (l_squared, energy_2) = (l.length_squared(), l.dot(start));
            let [i_1, i_2, i_3] = moments.to_array();
            // L² > 2·E·I₂, or the axes 1 and 3 change their places.
            let (i_1, i_3) = if l_squared > energy_2 * i_2 {
                (i_1, i_3)
            } else {
                (i_3, i_1)
            };
            let rate = ((i_3 - i_2) * (l_squared - energy_2 * i_1) / (i_1 * i_2 * i_3)).sqrt();
            let k_squared = (i_2 - i_1) * (energy_2 * i_3 - l_squared)
                / ((i_3 - i_2) * (l_squared - energy_2 * i_1));
            let (mut a, mut b) = (1.0, (1.0 - k_squared).sqrt());
            for _ in 0..40 {
                (a, b) = (0.5 * (a + b), (a * b).sqrt());
            }
            let half_period = std::f64::consts::PI / a / rate;

            let (mut q, mut w) = (Quat::IDENTITY, own * start);
            let h = 1.0 / hz;
            let (mut flips, mut time, mut before) = (Vec::new(), 0.0, start.y);
            while flips.len() < 11 {
                (q, w) = free_rotation(q, w, &inverse, h as f32);
                time += f64::from(h as f32);
                let now = (inverse.principal_axes(q).inverse() * w).y;
                if now * before < 0.0 {
                    flips.push(time - h * now / (now - before));
                }
                before = now;
            }
            let found = (flips[10] - flips[0]) / 10.0;
            assert!(
                (found / half_period - 1.0).abs() < 1e-3,
                "{speed} rad/s at {hz} Hz: {found} s, not {half_period} s"
            );
        }
    }

    /// Over a million steps, whatever the three moments are.
    #[test]
    fn a_free_body_keeps_its_energy_and_its_angular_momentum() {
        for (moments, steps) in [
            (Vec3::new(1.0, 2.0, 3.0), 1_000_000),
            (Vec3::new(1.0, 1.01, 0.3), 200_000),
            (Vec3::new(2.0, 2.0, 1.0), 1_000_000),
        ] {
            let inverse = InverseInertia::of_moments(moments, Quat::IDENTITY);
            let (mut q, mut w) = (Quat::IDENTITY, DVec3::new(3.0, -4.0, 5.0));
            let (energy, l) = energy_and_momentum(q, w, &inverse);
            for _ in 0..steps {
                (q, w) = free_rotation(q, w, &inverse, 1.0 / 60.0);
            }
            let (energy_now, l_now) = energy_and_momentum(q, w, &inverse);
            assert!(
                (energy_now / energy - 1.0).abs() < 1e-6,
                "{energy_now} J of {energy} J"
            );
            assert!(
                (l_now.length() / l.length() - 1.0).abs() < 1e-6,
                "{l_now}, not {l}"
            );
            // Its direction has the rounding of the rotation.
            assert!(l_now.distance(l) < 1e-3 * l.length(), "{l_now}, not {l}");
        }
    }

    /// With two equal moments of inertia the exact solution of the symmetric top is known.
    #[test]
    fn an_asymmetric_top_becomes_a_symmetric_one() {
        let symmetric = InverseInertia::of_moments(Vec3::new(2.0, 2.0, 1.0), Quat::IDENTITY);
        let almost =
            InverseInertia::of_moments(Vec3::new(2.0, 2.0 * (1.0 + 1e-6), 1.0), Quat::IDENTITY);
        let w = DVec3::new(3.0, -4.0, 5.0);
        for s in [-0.5, -0.01, 0.003, 0.1, 1.0] {
            let (q, v) = free_rotation(Quat::IDENTITY, w, &symmetric, s);
            let (q_almost, v_almost) = free_rotation(Quat::IDENTITY, w, &almost, s);
            let off = (q - q_almost).length();
            assert!(off < 1e-4 * s.abs() + 1e-6, "{q}, {q_almost} after {s} s");
            assert!(
                v.distance(v_almost) < 1e-4 * v.length(),
                "{v}, {v_almost} after {s} s"
            );
        }
    }
}
