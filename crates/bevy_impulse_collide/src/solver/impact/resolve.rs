//! Impacts, soonest first: the queue of predicted impacts.

use std::cmp::Reverse;

use super::{
    impacts::Impacts,
    predicted::{Predicted, predict},
};
use crate::{
    body::Bodies,
    collision::{BallFilter, BroadPhase, CapsuleFilter, PAIRS_PER_FILTER},
    config::CollisionConfig,
    parallel::map_chunks,
};

/// Number of pairs whose impacts one task predicts.
const PAIRS_PER_TASK: usize = 4096;

/// Number of bodies whose filters one task makes.
const BODIES_PER_TASK: usize = 2048;

/// Resolves the impacts of this substep, soonest first.
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
        changed,
        unresolved,
        set,
        candidates,
        predicted,
        ball_filters,
        capsule_filters,
    } = impacts;
    queue.clear();
    unresolved.resize(bodies.len(), false);
    let (h, resting_speed) = (bodies.h, config.resting_speed);
    ball_filters.update(bodies, BODIES_PER_TASK, BallFilter::UNKNOWN, |i| {
        BallFilter::of(bodies, i)
    });
    if bodies.have_capsules {
        capsule_filters.update(bodies, BODIES_PER_TASK, CapsuleFilter::NONE, |i| {
            CapsuleFilter::of(bodies, i)
        });
    } else {
        capsule_filters.clear();
    }
    let may_capsules_hit = |a: u32, b: u32| match (
        capsule_filters.get(a as usize),
        capsule_filters.get(b as usize),
    ) {
        (Some(a), Some(b)) => a.may_hit(b, resting_speed, h),
        _ => true,
    };
    let pairs = &broad_phase.pairs;
    let predicted = map_chunks(
        pairs.len(),
        PAIRS_PER_TASK,
        predicted,
        |range, predicted| {
            for pairs in pairs[range].chunks(PAIRS_PER_FILTER) {
                let filters = std::array::from_fn(|k| {
                    let (a, b) = pairs[k.min(pairs.len() - 1)];
                    (&ball_filters[a as usize], &ball_filters[b as usize])
                });
                let may_hit = BallFilter::may_hit(filters, resting_speed, h);
                if may_hit == 0 {
                    continue;
                }
                let is_left = |&(k, _): &(usize, _)| may_hit & 1 << k != 0;
                for (k, &(a, b)) in pairs.iter().enumerate().filter(is_left) {
                    let are_balls = filters[k].0.is_ball() && filters[k].1.is_ball();
                    if are_balls || may_capsules_hit(a, b) {
                        predicted.extend(predict(bodies, config, changes, a, b, 0.0));
                    }
                }
            }
        },
    );
    for found in predicted {
        queue.extend(found.drain(..));
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
        // If the surfaces of a later impact almost touch already, it is simultaneous with the first.
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
            if changes[i as usize] == 0 {
                changed.push(i);
                bodies.activate(i as usize);
            }
            changes[i as usize] += 1;
            ball_filters[i as usize] = BallFilter::of(bodies, i as usize);
            broad_phase.resweep(bodies, i as usize, time, config.contact_margin);
        }
        for (k, &i) in set.bodies().iter().enumerate() {
            if changes[i as usize] >= config.impacts_per_body {
                unresolved[i as usize] = true;
                continue;
            }
            let is_ball = |i: usize| ball_filters[i].is_ball();
            let are_balls = |j| is_ball(i as usize) && is_ball(j);
            broad_phase.find_candidates(
                bodies,
                i as usize,
                config.contact_margin,
                are_balls,
                candidates,
            );
            for chunk in candidates.chunks(PAIRS_PER_FILTER) {
                let filters = std::array::from_fn(|n| {
                    let j = chunk[n.min(chunk.len() - 1)];
                    (&ball_filters[i as usize], &ball_filters[j as usize])
                });
                let may_hit = BallFilter::may_hit(filters, resting_speed, h);
                for (_, &j) in (0..).zip(chunk).filter(|(n, _)| may_hit & 1 << n != 0) {
                    // If both bodies of a pair have changed, the first one predicts the pair.
                    if set.index_of(j).is_none_or(|index| index >= k) {
                        let (low, high) = (i.min(j), i.max(j));
                        queue.extend(predict(bodies, config, changes, low, high, time));
                    }
                }
            }
        }
    }
    broad_phase.commit_added();
}
