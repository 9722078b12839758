//! Removes the net force and the net torque from the accelerations of self-gravity. Forces between bodies have neither.

use glam::{DMat3, DVec3};

/// Changes the accelerations a of bodies with mass m at x so that Σm·a = 0 and Σm·x×a = 0: to a − |a|·(λ + μ×(x − c)).
///
/// This is the smallest change in Σm·|δa|²/|a|. With the weights w = m·|a| and their centre c, λ = Σm·a/Σw and μ = J⁻¹·Σm·(x −
/// c)×a, where J is the inertia tensor of the weights.
///
/// Rounding and expansions leave a net force. It is far smaller than the error of a single force, but it would push the same
/// way step after step. The weights take it from the bodies that cause it. Spread evenly, the rounding of the forces in a dense
/// clump could be larger than the whole attraction of a distant body.
pub(super) fn balance(
    bodies: impl Iterator<Item = (f64, DVec3)> + Clone,
    accelerations: &mut [DVec3],
) {
    // Twice: the first time leaves its own rounding.
    for _ in 0..2 {
        let (mut weight, mut center, mut force) = (0.0, DVec3::ZERO, DVec3::ZERO);
        for ((m, x), &a) in bodies.clone().zip(&*accelerations) {
            let w = m * a.length();
            weight += w;
            center += w * x;
            force += m * a;
        }
        if weight == 0.0 {
            return;
        }
        center /= weight;
        let (mut torque, mut second) = (DVec3::ZERO, DMat3::ZERO);
        for ((m, x), &a) in bodies.clone().zip(&*accelerations) {
            let x = x - center;
            let w = m * a.length();
            torque += m * x.cross(a);
            second += DMat3::from_cols(w * x.x * x, w * x.y * x, w * x.z * x);
        }
        let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
        let inertia = DMat3::from_diagonal(DVec3::splat(trace)) - second;
        let (push, turn) = (force / weight, solve(inertia, torque));
        for ((_, x), a) in bodies.clone().zip(&mut *accelerations) {
            *a -= a.length() * (push + turn.cross(x - center));
        }
    }
}

/// The smallest μ with J·μ = τ, in the sense of least squares: J is singular for bodies on a line.
///
/// Jacobi's rotations find the principal axes. They leave a coordinate axis exactly, if it is a principal axis already, as in a
/// flat scene.
fn solve(mut inertia: DMat3, torque: DVec3) -> DVec3 {
    let mut axes = DMat3::IDENTITY;
    for _ in 0..12 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let off = inertia.col(p)[q];
            if off == 0.0 {
                continue;
            }
            let slope = 0.5 * (inertia.col(q)[q] - inertia.col(p)[p]) / off;
            let t = slope.signum() / (slope.abs() + (slope * slope + 1.0).sqrt());
            let cos = 1.0 / (t * t + 1.0).sqrt();
            let mut turn = DMat3::IDENTITY;
            turn.col_mut(p)[p] = cos;
            turn.col_mut(q)[q] = cos;
            turn.col_mut(q)[p] = t * cos;
            turn.col_mut(p)[q] = -t * cos;
            inertia = turn.transpose() * inertia * turn;
            axes *= turn;
        }
    }
    let moments = DVec3::new(inertia.x_axis.x, inertia.y_axis.y, inertia.z_axis.z);
    let least = 1e-12 * moments.max_element();
    let turned = axes.transpose() * torque;
    let share = |k: usize| {
        if moments[k] > least {
            turned[k] / moments[k]
        } else {
            0.0
        }
    };
    axes * DVec3::new(share(0), share(1), share(2))
}
