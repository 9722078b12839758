//! Impacts, soonest first: the queue of predicted impacts.

use std::cmp::Reverse;

use super::{
    impacts::Impacts,
    predicted::{Predicted, predict},
};
use crate::{
    body::Bodies,
    collision::{BroadPhase, Course, LOOKS, Rod},
    config::CollisionConfig,
    parallel::{fill_chunks, map_chunks},
    shape::Shape,
};

/// Pairs that one task predicts the impacts of, and bodies whose flights it packs.
const PAIRS_PER_TASK: usize = 4096;

const BODIES_PER_TASK: usize = 2048;

pub(crate) fn resolve_impacts(
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
    if bodies.shape.iter().any(Shape::is_capsule) {
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
