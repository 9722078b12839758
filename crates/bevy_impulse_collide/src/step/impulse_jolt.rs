//! Stage 3: impacts, soonest first. Here is the queue of predicted impacts; when two bodies will meet is found in
//! `find/next_impact.rs`, and what their impact does in `impact_set.rs`.

use std::{
    cmp::{Ordering, Reverse},
    collections::BinaryHeap,
};

use bevy::prelude::*;

use super::impact_set::ImpactSet;
use crate::{
    bodies::{Bodies, Shape},
    config::CollisionConfig,
    events::Impact,
    find::{BroadPhase, Course, LOOKS, Rod, next_impact},
    parallel::{fill_chunks, map_chunks},
};

/// The impacts of this fixed step, in time order, and what the stage keeps between calls so as not to allocate.
#[derive(Resource, Default)]
pub struct Impacts {
    /// Resolved impacts of all substeps so far.
    pub resolved: Vec<Impact>,
    queue: BinaryHeap<Reverse<Predicted>>,
    /// How often each body's flight has changed in this substep: a prediction made before is void.
    changes: Vec<u32>,
    /// Which bodies had more impacts than were allowed, or were waiting for theirs when time was up.
    unresolved: Vec<bool>,
    set: ImpactSet,
    met: Vec<u32>,
    predicted: Vec<Vec<Reverse<Predicted>>>,
    courses: Vec<Course>,
    rods: Vec<Rod>,
}

/// Pairs that one task predicts the impacts of, and bodies whose flights it packs.
const PAIRS_PER_TASK: usize = 4096;
const BODIES_PER_TASK: usize = 2048;

impl Impacts {
    /// Whether an impact has changed the flight of a body in this substep.
    pub(crate) fn has_changed(&self, i: usize) -> bool {
        self.changes.get(i).is_some_and(|&changes| changes > 0)
    }

    /// Whether impacts of a body in this substep were left over.
    pub(crate) fn is_unresolved(&self, i: u32) -> bool {
        self.unresolved.get(i as usize).copied().unwrap_or(false)
    }
}

/// An impact that will happen if neither body's flight changes before.
#[derive(Clone, Copy, Debug)]
struct Predicted {
    time: f32,
    a: u32,
    b: u32,
    changes: (u32, u32),
}

impl Ord for Predicted {
    fn cmp(&self, other: &Self) -> Ordering {
        self.time
            .total_cmp(&other.time)
            .then_with(|| (self.a, self.b, self.changes).cmp(&(other.a, other.b, other.changes)))
    }
}

impl PartialOrd for Predicted {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Predicted {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Predicted {}

/// Stage 3: the impacts inside this substep, soonest first, each at its own place on the bodies' parabolas
/// x(s) = x + v·s + a·s²/2. Impacts at the same moment are resolved together, by generalised reflections; after each, only
/// the flights of its bodies are predicted anew. Then the second half kick takes v(t) to v(t+h/2); that is given even with
/// the stage off, or gravity would be halved.
///
/// An impact changes v by Δv and back-dates the launch by −Δv·s, so that integrating over the whole substep lands where
/// the flight after the impact does. Approaches too slow to be impacts are left to the contact stage, and so is whatever
/// is left when the impacts allowed are used up.
pub fn impulse_jolt(
    mut bodies: ResMut<Bodies>,
    config: Res<CollisionConfig>,
    mut broad_phase: ResMut<BroadPhase>,
    mut impacts: ResMut<Impacts>,
) {
    let bodies = &mut *bodies;
    impacts.unresolved.clear();
    impacts.changes.clear();
    if config.stages.impulse_jolt {
        resolve_impacts(bodies, &config, &mut broad_phase, &mut impacts);
    }
    let h = bodies.h;
    let is_corrected = config.stages.half_step_correction;
    bodies.for_each_run(|_, mut run| {
        for i in 0..run.len() {
            let kick = if is_corrected { 0.5 * h } else { h };
            // The contacts' half kick, which a new body has not had, served the flights only: the contact stage gives it in full.
            let unkick = if is_corrected && run.steps[i] > 0 {
                0.5 * h
            } else {
                0.0
            };
            let dv = run.acceleration[i] * f64::from(kick)
                - run.contact_acceleration[i].as_dvec3() * f64::from(unkick);
            let dw =
                run.angular_acceleration[i] * kick - run.contact_angular_acceleration[i] * unkick;
            run.add_velocity(i, dv);
            // The change was meant for the rotation at t. For a capsule that an impact has re-launched from another one, its
            // angular momentum is what must come over.
            let inertia = run.inverse_inertia[i];
            let momentum = inertia.inverse_mul(run.axis[i], dw);
            let launch_axis = run.launch_axis(i);
            run.angular_velocity[i] += inertia.mul(launch_axis, momentum);
        }
    });
}

fn resolve_impacts(
    bodies: &mut Bodies,
    config: &CollisionConfig,
    broad_phase: &mut BroadPhase,
    impacts: &mut Impacts,
) {
    let Impacts {
        resolved,
        queue,
        changes,
        unresolved,
        set,
        met,
        predicted,
        courses,
        rods,
    } = impacts;
    queue.clear();
    unresolved.resize(bodies.len(), false);
    changes.clear();
    changes.resize(bodies.len(), 0);
    let (h, resting_speed) = (bodies.h, config.resting_speed);
    fill_chunks(
        bodies.len(),
        BODIES_PER_TASK,
        courses,
        Course::UNKNOWN,
        |i| Course::of(bodies, i),
    );
    let is_capsule = |shape: &Shape| matches!(shape, Shape::Capsule { .. });
    if bodies.shape.iter().any(is_capsule) {
        fill_chunks(bodies.len(), BODIES_PER_TASK, rods, Rod::NONE, |i| {
            Rod::of(bodies, i)
        });
    } else {
        rods.clear();
    }
    let may_hit_as_rods = |a: u32, b: u32| match (rods.get(a as usize), rods.get(b as usize)) {
        (Some(a), Some(b)) => a.may_hit(b, resting_speed, h),
        _ => true,
    };
    let pairs = &broad_phase.pairs;
    let predicted = map_chunks(
        pairs.len(),
        PAIRS_PER_TASK,
        predicted,
        |range, predicted| {
            for pairs in pairs[range].chunks(LOOKS) {
                let looks = std::array::from_fn(|k| {
                    let (a, b) = pairs[k.min(pairs.len() - 1)];
                    (&courses[a as usize], &courses[b as usize])
                });
                let may_hit = Course::may_hit(looks, resting_speed, h);
                if may_hit == 0 {
                    continue;
                }
                let is_left = |&(k, _): &(usize, _)| may_hit & 1 << k != 0;
                for (k, &(a, b)) in pairs.iter().enumerate().filter(is_left) {
                    let are_balls = looks[k].0.is_ball() && looks[k].1.is_ball();
                    if are_balls || may_hit_as_rods(a, b) {
                        predicted.extend(predict(bodies, config, changes, a, b, 0.0));
                    }
                }
            }
        },
    );
    for part in predicted {
        queue.extend(part.drain(..));
    }
    let allowed = (config.impacts_per_substep * bodies.len() as f32) as usize;
    let mut left = allowed.max(config.least_impacts as usize);
    let is_valid = |changes: &[u32], next: &Predicted| {
        next.changes == (changes[next.a as usize], changes[next.b as usize])
    };
    while let Some(Reverse(first)) = queue.pop() {
        if !is_valid(changes, &first) {
            continue;
        }
        if left == 0 {
            let rest = queue.drain().map(|Reverse(next)| next);
            for next in rest.chain([first]).filter(|next| is_valid(changes, next)) {
                unresolved[next.a as usize] = true;
                unresolved[next.b as usize] = true;
            }
            break;
        }
        let time = first.time;
        set.begin(time);
        set.add(first.a, first.b);
        // Impacts so soon after the first that their surfaces all but touch already are simultaneous with it.
        while set.len() < left
            && let Some(&Reverse(next)) = queue.peek()
        {
            if is_valid(changes, &next) {
                if !set.is_simultaneous(bodies, next.a, next.b, next.time) {
                    break;
                }
                set.add(next.a, next.b);
            }
            queue.pop();
        }
        left -= set.len();
        set.resolve(bodies, config, resolved);

        for &i in set.bodies() {
            changes[i as usize] += 1;
            courses[i as usize] = Course::of(bodies, i as usize);
            broad_phase.resweep(bodies, i as usize, time, config.contact_margin);
        }
        for (k, &i) in set.bodies().iter().enumerate() {
            if changes[i as usize] >= config.impacts_per_body {
                unresolved[i as usize] = true;
                continue;
            }
            let is_ball = |i: usize| courses[i].is_ball();
            let are_balls = |j| is_ball(i as usize) && is_ball(j);
            broad_phase.find_met(bodies, i as usize, config.contact_margin, are_balls, met);
            for met in met.chunks(LOOKS) {
                let looks = std::array::from_fn(|n| {
                    let j = met[n.min(met.len() - 1)];
                    (&courses[i as usize], &courses[j as usize])
                });
                let may_hit = Course::may_hit(looks, resting_speed, h);
                for (_, &j) in (0..).zip(met).filter(|(n, _)| may_hit & 1 << n != 0) {
                    // A pair of which both have changed is predicted from the first of them.
                    if set.index_of(j).is_none_or(|index| index >= k) {
                        let (low, high) = (i.min(j), i.max(j));
                        queue.extend(predict(bodies, config, changes, low, high, time));
                    }
                }
            }
        }
    }
    broad_phase.take_added();
}

fn predict(
    bodies: &Bodies,
    config: &CollisionConfig,
    changes: &[u32],
    a: u32,
    b: u32,
    from: f32,
) -> Option<Reverse<Predicted>> {
    let time = next_impact(bodies, config, a as usize, b as usize, from)?;
    Some(Reverse(Predicted {
        time,
        a,
        b,
        changes: (changes[a as usize], changes[b as usize]),
    }))
}
