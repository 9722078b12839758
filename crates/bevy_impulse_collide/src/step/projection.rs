use bevy::prelude::*;

use crate::{
    bodies::{Bodies, Shape, smaller_radius},
    config::CollisionConfig,
    find::{BroadPhase, ManifoldPoint, manifold},
    kernel::{
        PairProjection, conserve_angular_momentum, projection_shift, reduced_mass, turn,
    },
};

/// Stage 6: overlap that is left is pushed out with factor k_p, pair by pair. Velocities change only so far as to keep the
/// pair's angular momentum, which the push alone would raise whenever the pair turns.
pub fn projection(
    mut bodies: ResMut<Bodies>,
    config: Res<CollisionConfig>,
    broad_phase: Res<BroadPhase>,
) {
    if !config.stages.projection {
        return;
    }
    let bodies = &mut *bodies;
    for _ in 0..config.projection_iterations {
        let mut moved = false;
        for &(a, b) in &broad_phase.pairs {
            moved |= project_pair(bodies, &config, a as usize, b as usize);
        }
        if !moved {
            break;
        }
    }
    bodies.launch_position.copy_from_slice(&bodies.position);
    bodies.launch_rotation.copy_from_slice(&bodies.rotation);
}

fn project_pair(bodies: &mut Bodies, config: &CollisionConfig, a: usize, b: usize) -> bool {
    let radius = smaller_radius(&bodies.shape[a], &bodies.shape[b]);
    let slop = config.overlap_slop * radius;
    if let (Shape::Particle { radius: r_a }, Shape::Particle { radius: r_b }) =
        (bodies.shape[a], bodies.shape[b])
    {
        // Most pairs are balls that do not overlap: they need no contact set to tell.
        let reach = r_a + r_b - slop;
        let d_squared = bodies.position[a].distance_squared(bodies.position[b]);
        if d_squared >= reach * reach {
            return false;
        }
    }
    let points = manifold(&bodies.placed(a), &bodies.placed(b));
    let mut moved = false;
    for point in &points {
        if point.depth > slop {
            push_apart(bodies, config, a, b, point, point.depth - slop);
            moved = true;
        }
    }
    moved
}

/// Moves and turns the pair by a positional impulse P along the normal at the contact point: Δx = P/m, Δθ = I⁻¹·(r × P).
fn push_apart(
    bodies: &mut Bodies,
    config: &CollisionConfig,
    a: usize,
    b: usize,
    point: &ManifoldPoint,
    overlap: f32,
) {
    let n = point.normal;
    let (arm_a, arm_b) = (point.point - bodies.position[a], point.point - bodies.position[b]);
    let (w_a, w_b) = (bodies.inverse_mass[a], bodies.inverse_mass[b]);
    // A ball's normal goes through its centre: nothing turns it.
    let torque = |i: usize, arm: Vec3| match bodies.shape[i] {
        Shape::Capsule { .. } => arm.cross(n),
        _ => Vec3::ZERO,
    };
    let (torque_a, torque_b) = (torque(a, arm_a), torque(b, arm_b));
    let ease = w_a
        + w_b
        + bodies.inverse_inertia[a].quadratic(bodies.axis[a], torque_a)
        + bodies.inverse_inertia[b].quadratic(bodies.axis[b], torque_b);
    let k_p = config.projection.factor(ease, bodies.h);
    let p = projection_shift(k_p, ease.recip(), overlap);
    if w_a > 0.0 && w_b > 0.0 {
        let (dv_a, dv_b, dw_a, dw_b) = conserve_angular_momentum(PairProjection {
            x_ab: bodies.position[a] - bodies.position[b],
            v_ab: bodies.velocity[a] - bodies.velocity[b],
            push: n * (p / reduced_mass(w_a, w_b)),
            inverse_mass: (w_a, w_b),
            inertia: (
                (bodies.inverse_inertia[a], bodies.axis[a]),
                (bodies.inverse_inertia[b], bodies.axis[b]),
            ),
        });
        bodies.velocity[a] += dv_a;
        bodies.velocity[b] += dv_b;
        bodies.angular_velocity[a] += dw_a;
        bodies.angular_velocity[b] += dw_b;
    }
    for (i, sign, torque) in [(a, 1.0, torque_a), (b, -1.0, torque_b)] {
        bodies.position[i] += n * (sign * p * bodies.inverse_mass[i]);
        if torque != Vec3::ZERO && bodies.is_free(i) {
            turn_capsule(bodies, i, torque * (sign * p));
        }
    }
}

/// Turns a capsule by I⁻¹·`l`, and keeps its angular momentum: its angular velocity follows the inertia tensor round.
fn turn_capsule(bodies: &mut Bodies, i: usize, l: Vec3) {
    let inertia = bodies.inverse_inertia[i];
    let momentum = inertia.inverse_mul(bodies.axis[i], bodies.angular_velocity[i]);
    let rotation = turn(inertia.mul(bodies.axis[i], l), 1.0) * bodies.rotation[i];
    bodies.rotation[i] = rotation.normalize();
    bodies.axis[i] = bodies.rotation[i] * Vec3::Y;
    bodies.angular_velocity[i] = inertia.mul(bodies.axis[i], momentum);
}
