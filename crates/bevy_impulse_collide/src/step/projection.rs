use bevy::prelude::*;
use glam::DVec3;

use crate::{
    bodies::{Bodies, Shape, smaller_radius},
    config::{CollisionConfig, ProjectionLaw},
    find::{BroadPhase, ManifoldPoint, manifold},
    kernel::{
        projection_shift, projection_velocity_change, reduced_mass, reduced_mass_ratio, turn,
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
    let (arm_a, arm_b) = (
        point.point - bodies.position[a],
        point.point - bodies.position[b],
    );
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
    let conserves = w_a > 0.0 && w_b > 0.0 && config.projection_law == ProjectionLaw::Conserving;
    let momentum_before = orbital_momentum(bodies, a, b);
    if conserves {
        let push = n * (p / reduced_mass(w_a, w_b));
        let x_ab = bodies.position[a] - bodies.position[b];
        let v_ab = bodies.velocity[a] - bodies.velocity[b];
        let change = projection_velocity_change(x_ab, v_ab, push).as_dvec3();
        bodies.add_velocity(a, change * f64::from(reduced_mass_ratio(w_a, w_b)));
        bodies.add_velocity(b, -change * f64::from(reduced_mass_ratio(w_b, w_a)));
    }
    for (i, sign, torque) in [(a, 1.0, torque_a), (b, -1.0, torque_b)] {
        let share = (n * (sign * p)).as_dvec3() * f64::from(bodies.inverse_mass[i]);
        bodies.set_position(i, bodies.precise_position(i) + share);
        if torque != Vec3::ZERO && bodies.is_free(i) {
            turn_capsule(bodies, i, torque * (sign * p));
        }
    }
    if conserves {
        let momentum_after = orbital_momentum(bodies, a, b);
        give_to_spins(bodies, a, b, (momentum_before - momentum_after).as_vec3());
    }
}

/// m_ab·x_ab × v_ab: the pair's angular momentum about its own centre of mass.
fn orbital_momentum(bodies: &Bodies, a: usize, b: usize) -> DVec3 {
    let (m_a, m_b) = (f64::from(bodies.mass[a]), f64::from(bodies.mass[b]));
    let x_ab = bodies.precise_position(a) - bodies.precise_position(b);
    let v_ab = bodies.precise_velocity(a) - bodies.precise_velocity(b);
    x_ab.cross(v_ab) * (m_a * m_b / (m_a + m_b))
}

/// Gives the angular momentum that the velocities could not take, and what rounding of the positions has changed, to the
/// spins: to each body in proportion to its inertia, so both change their spin alike.
fn give_to_spins(bodies: &mut Bodies, a: usize, b: usize, lack: Vec3) {
    let (inertia_a, inertia_b) = (bodies.inverse_inertia[a], bodies.inverse_inertia[b]);
    let share_a = inertia_b.transverse / (inertia_a.transverse + inertia_b.transverse);
    bodies.angular_velocity[a] += inertia_a.mul(bodies.axis[a], lack * share_a);
    bodies.angular_velocity[b] += inertia_b.mul(bodies.axis[b], lack * (1.0 - share_a));
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
