//! Stage 4: resting and rolling contacts. A contact point is a row of the contact problem; rows are made, started from the
//! last substep's impulses, swept, and applied, in the order of the functions below.

mod foresight;
mod general;
mod interrupted;
mod lanes;
mod motion;
mod problem;
mod row;

use bevy::prelude::*;
use glam::DVec3;

use self::{foresight::foresee, interrupted::Interrupted, problem::Problem, row::Rows};
use super::Impacts;
use crate::{
    bodies::{Bodies, Shape, smaller_radius},
    config::CollisionConfig,
    find::{BroadPhase, Contact, Contacts},
    parallel::map_chunks,
};

/// What the contact stage keeps from one substep to the next.
#[derive(Resource, Default)]
pub struct ContactSolver {
    rows: Rows,
    /// The last substep's rows, sorted as they were, and the bodies that they are of.
    previous: Rows,
    previous_entities: Vec<Entity>,
    found: Vec<Rows>,
    interrupted: Interrupted,
    problem: Problem,
}

/// Gap, as a fraction of the smaller radius, within which two bodies touch although nothing presses them together.
const TOUCH: f32 = 1e-3;

/// Pairs that one task looks at.
const PAIRS_PER_TASK: usize = 4096;

/// Stage 4: resting and rolling contacts. Each contact point holds the velocity along its normal at or above the speed at
/// which its gap may close, with an impulse that only pushes; Coulomb friction holds the point of contact, rolling and
/// spinning friction hold the turning. Sequential impulses, clamped as accumulated, start from those of the last substep.
pub fn contact(
    mut bodies: ResMut<Bodies>,
    config: Res<CollisionConfig>,
    broad_phase: Res<BroadPhase>,
    impacts: Res<Impacts>,
    mut solver: ResMut<ContactSolver>,
    mut contacts: ResMut<Contacts>,
) {
    let bodies = &mut *bodies;
    let ContactSolver {
        rows,
        previous,
        previous_entities,
        found,
        interrupted,
        problem,
    } = &mut *solver;
    std::mem::swap(rows, previous);
    rows.clear();
    if config.stages.contact {
        find_rows(rows, found, bodies, &config, &broad_phase, &impacts);
    }
    rows.remember(bodies, previous, previous_entities, &config);
    interrupted.find(bodies, rows, previous, previous_entities, &impacts);
    previous_entities.clone_from(&bodies.entity);

    problem.prepare(bodies, rows);
    problem.push_all();
    for _ in 0..config.contact_iterations {
        problem.sweep();
    }
    problem.write_impulses(rows);
    problem.sum(bodies, rows);
    apply_sums(bodies, problem);
    interrupted.apply(bodies, rows);
    foresee(bodies, rows);

    contacts.0.clear();
    contacts.0.extend(rows.rows.iter().map(|row| {
        let (a, b) = (row.a as usize, row.b as usize);
        let radius = smaller_radius(&bodies.shape[a], &bodies.shape[b]);
        Contact {
            a: bodies.entity[a],
            b: bodies.entity[b],
            feature: row.feature,
            point: row.point.point,
            normal: row.point.normal,
            depth: row.point.depth,
            is_touching: row.normal_impulse > 0.0 || row.point.depth >= -TOUCH * radius,
            impulse: row.impulse(),
        }
    }));
}

fn find_rows(
    rows: &mut Rows,
    found: &mut Vec<Rows>,
    bodies: &Bodies,
    config: &CollisionConfig,
    broad_phase: &BroadPhase,
    impacts: &Impacts,
) {
    let pairs = &broad_phase.pairs;
    let parts = map_chunks(pairs.len(), PAIRS_PER_TASK, found, |range, rows| {
        for &(a, b) in &pairs[range] {
            let unresolved = impacts.is_unresolved(a) || impacts.is_unresolved(b);
            rows.add_pair(bodies, config, a as usize, b as usize, unresolved);
        }
    });
    for part in parts {
        rows.append(part);
    }
}

/// Sets each velocity anew from the sum of the impulses found, taken in f64. The sweeps have rounded at every one of their
/// small changes, here and there differently for the two bodies of a pair; this rounds once, so momenta do not wander.
///
/// What contacts did is kept, as the next substep's best guess. A hit that the jolt stage left over is no such guess, so
/// the guess is at most a few times the field that presses the body on its neighbours.
fn apply_sums(bodies: &mut Bodies, problem: &Problem) {
    for i in 0..bodies.len() {
        let (Shape::Particle { radius } | Shape::Capsule { radius, .. }) = bodies.shape[i] else {
            continue;
        };
        if !bodies.is_free(i) {
            continue;
        }
        let (linear, angular) = problem.sums_of(i);
        let dv: DVec3 = linear / f64::from(bodies.mass[i]);
        let dw = bodies.inverse_inertia[i].mul(bodies.launch_axis(i), angular.as_vec3());
        bodies.add_velocity(i, dv);
        bodies.angular_velocity[i] += dw;

        // The first substep of a body kicks it from v(t), not from v(t−h/2): half as long.
        let rate = if bodies.steps[i] == 0 { 2.0 } else { 1.0 } / bodies.h;
        let limit = 2.0 * bodies.acceleration[i].length() as f32;
        bodies.contact_acceleration[i] = (dv.as_vec3() * rate).clamp_length_max(limit);
        bodies.contact_angular_acceleration[i] = (dw * rate).clamp_length_max(2.5 * limit / radius);
    }
}
