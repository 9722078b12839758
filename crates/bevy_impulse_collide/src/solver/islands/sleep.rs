//! Puts idle islands to sleep.

use bevy::prelude::*;

use super::{drift::Drift, graph::Islands};
use crate::{
    body::{Accelerations, Bodies, Columns, SQUEEZES},
    config::CollisionConfig,
    shape::smaller_radius,
    solver::contact::{Constraints, Contacts},
};

/// Overlap, as a fraction of the smaller radius, with which two bodies do not fall asleep at once: they are still being pushed
/// apart.
const MAX_OVERLAP: f32 = 0.025;

/// Multiple of the sleep delay after which a quiet body stays quiet, whatever pushes and accelerates it. A small body that a heavy one
/// presses into a corner has no other place: it overlaps, and contacts and projection move it to and fro.
const LONG_QUIET: f32 = 4.0;

/// Seconds within which what rests may not come to move: a body on a gentle slope is slow for long.
pub(super) const HORIZON: f32 = 10.0;

/// A ball spins freely if the acceleration of its rim in m/s² is under the sleep speed times this rate in 1/s.
const MAX_TORQUE: f32 = 0.05;

/// Greatest acceleration of the rim over that of the centre of a ball that rolls between others. A ball whose spin a couple slows
/// has a greater one, and comes to rest by itself.
const ROLLING: f32 = 20.0;

/// Fixed steps between two checks.
const STEPS_BETWEEN_CHECKS: u32 = 8;

/// After the step: puts an island to sleep if all its bodies have been idle for long enough and a body that stands still holds it
/// up.
pub(crate) fn put_to_sleep(
    mut bodies: ResMut<Bodies>,
    config: Res<CollisionConfig>,
    contacts: Res<Contacts>,
    constraints: Res<Constraints>,
    time: Res<Time>,
    mut islands: ResMut<Islands>,
) {
    if config.sleep_speed == 0.0 {
        return;
    }
    let bodies = &mut *bodies;
    let (speed, delay, elapsed) = (config.sleep_speed, config.sleep_delay, time.delta_secs());
    bodies.for_each_run(|_, run| {
        for i in 0..run.len() {
            if run.is_asleep(i) {
                continue;
            }
            run.quiet_for[i] = if is_quiet(&run, i, speed) {
                run.quiet_for[i] + elapsed
            } else {
                0.0
            };
        }
    });
    islands.steps += 1;
    if !islands.steps.is_multiple_of(STEPS_BETWEEN_CHECKS) {
        return;
    }
    // A delay of zero asks for one quiet step.
    let has_been_quiet = |bodies: &Bodies, i: usize, delay: f32| {
        let quiet_for = bodies.quiet_for[i];
        quiet_for > 0.0 && quiet_for >= delay
    };
    let is_idle =
        |bodies: &Bodies, i: usize| !bodies.is_asleep(i) && has_been_quiet(bodies, i, delay);
    if !bodies.active().any(|i| is_idle(bodies, i)) {
        return;
    }

    islands.list_constrained(bodies, &constraints);
    let has_long_been_quiet =
        |bodies: &Bodies, i: usize| has_been_quiet(bodies, i, LONG_QUIET * delay);
    // Without a heavy body and a kinematic one, none of this is squeezed.
    let may_squeeze = bodies.mass_ratio >= SQUEEZES || bodies.have_kinematic;
    let is_long = |i: usize| !bodies.is_asleep(i) && has_long_been_quiet(bodies, i);
    if may_squeeze && bodies.active().any(is_long) {
        islands.find_squeezed(bodies, &contacts);
    } else {
        islands.squeezed.clear();
    }
    islands.join(bodies, contacts.awake());
    let Islands {
        links,
        sets,
        marks,
        squeezed,
        leans,
        drifts,
        ..
    } = &mut *islands;
    // Bodies of similar masses part in the end: these need no such rule.
    let is_stuck = |bodies: &Bodies, i: usize| {
        squeezed.get(i).is_some_and(|&is_squeezed| is_squeezed) && has_long_been_quiet(bodies, i)
    };
    // What contacts and joints give a body that rests is known one by one: they need not cancel.
    let is_held = |bodies: &Bodies, i: usize| {
        bodies.joint_acceleration[i] != Vec3::ZERO && has_long_been_quiet(bodies, i)
    };
    leans.clear();
    leans.resize(bodies.len(), false);
    // Islands that a body holds up.
    marks.clear();
    marks.resize(bodies.len(), false);
    for &(a, b) in links.iter() {
        let (a, b) = (a as usize, b as usize);
        match (bodies.is_steady(a), bodies.is_steady(b)) {
            (false, true) => marks[sets.root(a)] = true,
            (true, false) => marks[sets.root(b)] = true,
            // The world holds it.
            (false, false) if a == b => marks[sets.root(a)] = true,
            _ => {}
        }
    }
    for &(a, b) in links.iter() {
        let (a, b) = (a as usize, b as usize);
        if a != b && !bodies.is_steady(a) && !bodies.is_steady(b) {
            leans[a] = true;
            leans[b] = true;
        }
    }
    for i in bodies.active() {
        let rests = || {
            // Neighbours push a body to and fro. One that touches no other has the acceleration that it will have.
            let is_lone = !leans[i] && !has_been_quiet(bodies, i, HORIZON);
            !bodies.never_sleeps(i)
                && has_been_quiet(bodies, i, delay)
                && (is_stuck(bodies, i)
                    || is_held(bodies, i)
                    || stays_quiet(bodies, i, speed, delay))
                && (!is_lone || stays_quiet(bodies, i, speed, HORIZON))
        };
        if !bodies.is_asleep(i) && !bodies.is_steady(i) && !rests() {
            marks[sets.root(i)] = false;
        }
    }
    for contact in contacts.awake() {
        let (Some(a), Some(b)) = (bodies.index_of(contact.a), bodies.index_of(contact.b)) else {
            continue;
        };
        let radius = smaller_radius(&bodies.shape[a], &bodies.shape[b]);
        let [a, b] = [a, b].map(|i| bodies.whole_of(i));
        let may_part = |i: usize| {
            let moves = !bodies.is_asleep(i) && !bodies.is_steady(i);
            moves && !is_stuck(bodies, i)
        };
        if contact.depth > MAX_OVERLAP * radius && (may_part(a) || may_part(b)) {
            for i in [a, b].into_iter().filter(|&i| !bodies.is_steady(i)) {
                marks[sets.root(i)] = false;
            }
        }
    }
    if marks.contains(&true) {
        drifts.clear();
        drifts.resize(bodies.len(), Drift::default());
        for i in bodies.active() {
            if leans[i] && bodies.responds(i) && marks[sets.root(i)] {
                drifts[sets.root(i)].add(bodies, i);
            }
        }
        for (mark, drift) in marks.iter_mut().zip(drifts.iter()) {
            *mark &= !drift.leads_on(speed, HORIZON);
        }
    }
    let fallen: Vec<usize> = bodies
        .active()
        .filter(|&i| !bodies.is_part(i) && is_idle(bodies, i) && marks[sets.root(i)])
        .collect();
    for i in fallen {
        let spins = spins_freely(bodies, i, speed);
        bodies.put_to_sleep(i, spins);
    }
}

/// Whether a body moves so slowly that it counts as resting. The turning of a ball moves nothing.
fn is_quiet(run: &Columns, i: usize, speed: f32) -> bool {
    if !run.is_dynamic(i) || run.growth[i].rate != 0.0 {
        return false;
    }
    let accelerations = Accelerations::of_run(run, i);
    let radius = run.shape[i].radius();
    let turns_slowly = || run.angular_velocity[i].as_vec3().length() * radius < speed;
    let turns_on = || {
        let linear = accelerations.linear.length();
        let rim = accelerations.angular.length() * radius;
        run.is_plain_ball(i) && rim < ROLLING * linear + MAX_TORQUE * speed
    };
    run.velocity[i].as_vec3().length() < speed && (turns_slowly() || turns_on())
}

/// Whether a body is still quiet after another `delay` seconds at its present acceleration.
fn stays_quiet(bodies: &Bodies, i: usize, speed: f32, delay: f32) -> bool {
    let later = bodies.velocity[i].as_vec3() + Accelerations::of(bodies, i).linear * delay;
    later.length() < speed
}

/// Whether a quiet body spins on the spot: no contact slows its spin.
fn spins_freely(bodies: &Bodies, i: usize, speed: f32) -> bool {
    let radius = bodies.shape[i].radius();
    let torque = Accelerations::of(bodies, i).angular.length();
    bodies.is_plain_ball(i)
        && bodies.angular_velocity[i].as_vec3().length() * radius >= speed
        && torque * radius < MAX_TORQUE * speed
        && bodies.angular_damping[i] == 0.0
}
