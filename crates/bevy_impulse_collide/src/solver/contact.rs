//! Stage 4: resting and rolling contacts. Balls and capsules that touch have lanes; what grows, or has rolling or spinning
//! friction, and all contacts of a global system, have rows. They are brought up to date, started from the last substep's
//! impulses, swept or solved at once, and applied, in the order of the functions below.

mod capsules;
mod colors;
mod contacts;
mod foresight;
mod general;
mod global;
mod growth;
mod interrupted;
mod kind;
mod lanes;
mod motion;
mod place;
mod problem;
mod row;
mod segments;
mod split;
mod tally;

use bevy::prelude::*;
use glam::DVec3;

pub use self::contacts::{Contact, Contacts};
pub(super) use self::lanes::BallGroup;
pub(crate) use self::split::Split;
use self::{
    foresight::foresee,
    global::Global,
    growth::{drive_growth, slow_growth},
    interrupted::Interrupted,
    problem::Problem,
    row::Rows,
};
use crate::solver::{
    impact::Impacts,
    partition::{CellLayout, Partition},
};
use crate::{
    body::Bodies,
    collision::BroadPhase,
    config::{CollisionConfig, ContactMethod},
    parallel::map_chunks,
    shape::Shape,
    solver::report::SolverReport,
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
    global: Global,
    /// Length of the last substep in s.
    h_before: f32,
}

/// Parts of the last substep's impulses that start this one's.
#[derive(Clone, Copy, Debug)]
struct WarmStart {
    normal: f32,
    friction: f32,
}

impl WarmStart {
    /// The forces stay; so where a user has changed the step or the substeps, the impulses are as much greater as the substep is
    /// longer than the last one.
    fn new(config: &CollisionConfig, h_before: f32, h: f32) -> Self {
        let stretch = if h_before > 0.0 { h / h_before } else { 1.0 };
        let normal = config.warm_start * stretch;
        Self {
            normal,
            friction: normal * config.friction_warm_start,
        }
    }
}

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
    mut partition: ResMut<Partition>,
    mut solver: ResMut<ContactSolver>,
    mut contacts: ResMut<Contacts>,
    mut report: ResMut<SolverReport>,
) {
    let bodies = &mut *bodies;
    let ContactSolver {
        rows,
        previous,
        previous_entities,
        found,
        interrupted,
        global,
        h_before,
    } = &mut *solver;
    let warm_start = WarmStart::new(&config, *h_before, bodies.h);
    *h_before = bodies.h;
    drive_growth(bodies);
    std::mem::swap(rows, previous);
    rows.clear();
    partition.update(bodies, &broad_phase);
    let layout = &partition.layout;
    if !config.stages.contact {
        contacts.clear();
        apply_sums(bodies, &contacts.problem, layout);
        return;
    }

    interrupted.find(bodies, previous, previous_entities, &contacts, &impacts);
    contacts.begin();
    let Contacts {
        problem, asleep, ..
    } = &mut *contacts;
    problem.pack(bodies, &config, &broad_phase, &partition, asleep);
    find_rows(rows, found, bodies, &config, &problem.general, &impacts);
    rows.remember(bodies, previous, previous_entities, warm_start);
    previous_entities.clone_from(&bodies.entity);
    problem.prepare(bodies, &config, warm_start, &impacts, layout, rows);
    report.iterations = match config.contact_method {
        ContactMethod::Sweeps => {
            problem.push_all(layout);
            problem.sweep(bodies, &config, layout);
            problem.write_impulses(rows);
            config.contact_iterations
        }
        ContactMethod::Global(solver) => {
            let iterations = global.solve(bodies, &solver, rows);
            problem.sum(bodies, layout, rows);
            iterations
        }
    };
    apply_sums(bodies, problem, layout);
    slow_growth(bodies, rows);
    if report.measures_residual {
        report.residual = problem.residual(bodies, rows);
    }
    interrupted.apply(bodies, rows);
    foresee(bodies, rows);
    contacts.end(bodies, rows);
}

fn find_rows(
    rows: &mut Rows,
    found: &mut Vec<Rows>,
    bodies: &Bodies,
    config: &CollisionConfig,
    pairs: &[(u32, u32)],
    impacts: &Impacts,
) {
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

/// What turns a change of velocity by contacts into their acceleration, in 1/s. The first substep of a body kicks it from
/// v(t), not from v(t−h/2): half as long.
fn contact_rate(steps: u32, h: f32) -> f32 {
    if steps == 0 { 2.0 / h } else { 1.0 / h }
}

/// Sets each velocity anew from the sum of the impulses found, taken in f64. The sweeps have rounded at every one of their
/// small changes, here and there differently for the two bodies of a pair; this rounds once, so momenta do not wander.
///
/// What contacts did is kept, as the next substep's best guess. A hit that the jolt stage left over is no such guess, so
/// the guess is at most a few times the field that presses the body on its neighbours.
fn apply_sums(bodies: &mut Bodies, problem: &Problem, layout: &CellLayout) {
    let h = bodies.h;
    bodies.for_each_run(|first, mut run| {
        for i in 0..run.len() {
            let (Shape::Particle { radius } | Shape::Capsule { radius, .. }) = run.shape[i] else {
                continue;
            };
            if !run.is_pushed(i) {
                continue;
            }
            if run.asleep[i] {
                run.hold(i);
                continue;
            }
            let launch = run.launch_position[i] - run.position[i];
            let (linear, angular) = problem.sum_of(layout, first + i).about(launch);
            let dv: DVec3 = linear / f64::from(run.mass[i]);
            let dw = run.inverse_inertia[i].mul(run.launch_axis(i), angular.as_vec3());
            run.add_velocity(i, dv);
            run.angular_velocity[i] += dw;

            let rate = contact_rate(run.steps[i], h);
            let limit = 2.0 * run.acceleration[i].length() as f32;
            run.contact_acceleration[i] = (dv.as_vec3() * rate).clamp_length_max(limit);
            run.contact_angular_acceleration[i] =
                (dw * rate).clamp_length_max(2.5 * limit / radius);
        }
    });
}
