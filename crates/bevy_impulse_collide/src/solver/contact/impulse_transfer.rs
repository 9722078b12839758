//! Transfer of the last substep's impulses to the present pairs, when the broad phase has found all pairs anew.

use super::{
    entry::StoredImpulse,
    graph::{ContactGraph, PER_TASK},
    sleeping::SleepingPair,
};
use crate::{
    body::{Bodies, BodyFlags, Renumbered, is_gone},
    collision::BroadPhase,
    parallel::for_each,
};

impl ContactGraph {
    /// Takes the impulses over to the broad phase's present pairs.
    pub(super) fn take_over_impulses(&mut self, bodies: &Bodies, broad_phase: &BroadPhase) {
        let fallen_asleep = self.fallen_asleep(bodies);
        let mut impulses = std::mem::take(&mut self.impulses_before);
        impulses.clear();
        impulses.resize(broad_phase.pairs.len(), StoredImpulse::default());
        let are_same_pairs = self
            .packed_for
            .is_some_and(|(revision, ..)| revision == broad_phase.revision)
            && self.gone == broad_phase.gone.len();
        // Before a body of the last sleeping pair may be found gone.
        let did_any_sleep = !self.sleeping.is_empty();
        if self.entities != bodies.entity {
            self.find_renumbered(bodies, broad_phase, &mut impulses);
            self.sleeping
                .renumber(bodies, &self.entities, &self.surfaces);
            self.entities.clone_from(&bodies.entity);
        } else if are_same_pairs {
            for_each(
                impulses.chunks_mut(PER_TASK).enumerate(),
                |(k, impulses)| {
                    for (k, impulse) in (k * PER_TASK..self.pairs.len()).zip(impulses) {
                        *impulse = self.stored_impulse(k);
                    }
                },
            );
        } else {
            self.find_again(broad_phase, &mut impulses);
        }
        if did_any_sleep || !fallen_asleep.is_empty() {
            self.surfaces.exchange(bodies);
            (self.sleeping).exchange(
                bodies,
                &broad_phase.pairs,
                &mut impulses,
                fallen_asleep,
                &self.surfaces,
            );
            self.sleeping.leave_out_awake(bodies);
        }
        self.impulses_before = std::mem::replace(&mut self.impulses, impulses);
        self.pairs.clone_from(&broad_phase.pairs);
        self.sorted = broad_phase.base_pairs().len();
    }

    /// The pairs with an active contact of which no body is moved by impulses now, sorted, with their present indices.
    fn fallen_asleep(&self, bodies: &Bodies) -> Vec<SleepingPair> {
        if !bodies.any(BodyFlags::ASLEEP) {
            return Vec::new();
        }
        let before = bodies.renumber(&self.entities, self.pairs.iter().copied());
        let pairs = before.iter().filter(|found| bodies.are_held(found.pair));
        let pairs = pairs.map(|found| SleepingPair {
            pair: found.pair,
            impulse: (self.stored_impulse(found.before)).renumbered(bodies, found),
        });
        pairs
            .filter(|sleeping| sleeping.impulse.is_active())
            .collect()
    }

    /// Gives each present pair the impulses that it has in the graph. The bodies are the same.
    fn find_again(&mut self, broad_phase: &BroadPhase, impulses: &mut [StoredImpulse]) {
        self.incremental.clear();
        let incremental = self.pairs.iter().copied().zip(0..).skip(self.sorted);
        self.incremental.extend(incremental);
        self.incremental.sort_unstable();
        let base = broad_phase.base_pairs();
        let (of_base, of_incremental) = impulses.split_at_mut(base.len());
        let tasks = of_base.chunks_mut(PER_TASK).zip(base.chunks(PER_TASK));
        for_each(tasks, |(impulses, pairs)| self.take(impulses, pairs));
        let pairs = &broad_phase.pairs[base.len()..];
        for (pair, impulse) in pairs.iter().zip(of_incremental) {
            self.take(std::slice::from_mut(impulse), std::slice::from_ref(pair));
        }
    }

    /// Gives each of a run of sorted `pairs` the impulses that it has in the graph.
    fn take(&self, impulses: &mut [StoredImpulse], pairs: &[(u32, u32)]) {
        let Some(&start) = pairs.first() else {
            return;
        };
        let base = &self.pairs[..self.sorted];
        let first = base.partition_point(|&pair| pair.0 < start.0);
        let base = base.iter().copied().zip(0..).skip(first);
        // Pairs that are gone are out of order.
        let mut base = base.filter(|&(pair, _)| !is_gone(pair)).peekable();
        let first = self.incremental.partition_point(|&(pair, _)| pair < start);
        let mut incremental = self.incremental[first..].iter().copied().peekable();
        for (pair, impulse) in pairs.iter().zip(impulses) {
            while base.next_if(|(before, _)| before < pair).is_some() {}
            while incremental.next_if(|(before, _)| before < pair).is_some() {}
            let is_it = |(before, _): &((u32, u32), usize)| before == pair;
            let found = base.next_if(is_it).or_else(|| incremental.next_if(is_it));
            if let Some((_, k)) = found {
                *impulse = self.stored_impulse(k);
            }
        }
    }

    /// Gives each present pair the impulses that it has in the graph. The bodies had other indices there.
    fn find_renumbered(
        &self,
        bodies: &Bodies,
        broad_phase: &BroadPhase,
        impulses: &mut [StoredImpulse],
    ) {
        let before = bodies.renumber(&self.entities, self.pairs.iter().copied());
        let impulse_of = |found: &Renumbered| {
            let impulse = self.stored_impulse(found.before);
            impulse.renumbered(bodies, found)
        };
        let base = broad_phase.base_pairs();
        let (of_base, of_incremental) = impulses.split_at_mut(base.len());
        let mut next = before.iter().peekable();
        for (&pair, impulse) in base
            .iter()
            .zip(of_base)
            .filter(|(pair, _)| !is_gone(**pair))
        {
            while next.next_if(|found| found.pair < pair).is_some() {}
            if let Some(found) = next.next_if(|found| found.pair == pair) {
                *impulse = impulse_of(found);
            }
        }
        let incremental = &broad_phase.pairs[base.len()..];
        for (pair, impulse) in incremental.iter().zip(of_incremental) {
            if let Ok(at) = before.binary_search_by_key(pair, |found| found.pair) {
                *impulse = impulse_of(&before[at]);
            }
        }
    }
}

impl StoredImpulse {
    /// The impulses of a pair whose bodies have other indices now.
    pub(super) fn renumbered(mut self, bodies: &Bodies, found: &Renumbered) -> Self {
        let (a, b) = found.pair;
        // A constraint has the plane second, in both orders.
        if found.is_swapped && !bodies.has_ground(a as usize, b as usize) {
            self.friction = -self.friction;
            self.couple = -self.couple;
        }
        self
    }
}
