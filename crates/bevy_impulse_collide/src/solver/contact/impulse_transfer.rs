//! The impulses of the last substep, when the broad phase has found all pairs anew.

use super::{
    class::is_plane,
    entry::StoredImpulse,
    graph::{ContactGraph, PER_TASK},
};
use crate::{body::Bodies, collision::BroadPhase, parallel::for_each};

/// Memory to find pairs again.
#[derive(Debug, Default)]
pub(super) struct EarlierPairs {
    /// The incremental pairs of the graph, sorted, each with its index.
    incremental: Vec<((u32, u32), usize)>,
}

impl EarlierPairs {
    /// Gives each present pair the impulses that it has in the `graph`. The bodies are the same.
    pub fn find_again(
        &mut self,
        graph: &ContactGraph,
        broad_phase: &BroadPhase,
        impulses: &mut [StoredImpulse],
    ) {
        self.incremental.clear();
        let incremental = graph.pairs.iter().copied().zip(0..).skip(graph.sorted);
        self.incremental.extend(incremental);
        self.incremental.sort_unstable();
        let base = broad_phase.base_pairs();
        let (of_base, of_incremental) = impulses.split_at_mut(base.len());
        let tasks = of_base.chunks_mut(PER_TASK).zip(base.chunks(PER_TASK));
        for_each(tasks, |(impulses, pairs)| self.take(graph, impulses, pairs));
        let pairs = &broad_phase.pairs[base.len()..];
        for (pair, impulse) in pairs.iter().zip(of_incremental) {
            self.take(
                graph,
                std::slice::from_mut(impulse),
                std::slice::from_ref(pair),
            );
        }
    }

    /// Gives each of a run of sorted `pairs` the impulses that it has.
    fn take(&self, graph: &ContactGraph, impulses: &mut [StoredImpulse], pairs: &[(u32, u32)]) {
        let Some(&start) = pairs.first() else {
            return;
        };
        let base = &graph.pairs[..graph.sorted];
        let first = base.partition_point(|&pair| pair < start);
        let mut base = base.iter().copied().zip(0..).skip(first).peekable();
        let first = self.incremental.partition_point(|&(pair, _)| pair < start);
        let mut incremental = self.incremental[first..].iter().copied().peekable();
        for (pair, impulse) in pairs.iter().zip(impulses) {
            while base.next_if(|(before, _)| before < pair).is_some() {}
            while incremental.next_if(|(before, _)| before < pair).is_some() {}
            let is_it = |(before, _): &((u32, u32), usize)| before == pair;
            let found = base.next_if(is_it).or_else(|| incremental.next_if(is_it));
            if let Some((_, k)) = found {
                *impulse = graph.stored_impulse(k);
            }
        }
    }

    /// Gives each present pair the impulses that it has in the `graph`, whose bodies had other indices.
    pub fn find_renumbered(
        &self,
        graph: &ContactGraph,
        bodies: &Bodies,
        broad_phase: &BroadPhase,
        impulses: &mut [StoredImpulse],
    ) {
        let before = bodies.renumber(&graph.entities, graph.pairs.iter().copied());
        let mut before = before.iter().peekable();
        for (&(a, b), impulse) in broad_phase.base_pairs().iter().zip(impulses) {
            while before.next_if(|found| found.pair < (a, b)).is_some() {}
            if let Some(found) = before.next_if(|found| found.pair == (a, b)) {
                *impulse = graph.stored_impulse(found.before);
                // A constraint has the plane second, whatever the order.
                let has_plane = is_plane(bodies, a as usize) || is_plane(bodies, b as usize);
                if found.is_swapped && !has_plane {
                    impulse.friction = -impulse.friction;
                    impulse.couple = -impulse.couple;
                }
            }
        }
    }
}
