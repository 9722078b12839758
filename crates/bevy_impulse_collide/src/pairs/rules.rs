//! The rules that a user's systems have given to pairs, as the stages read it.

use bevy::prelude::*;

use super::near_pairs::{NearPairs, RuledPair};
use crate::{
    body::{Bodies, BodyFlags, PairRule},
    config::MaterialRule,
    solver::{Constraints, joint::Joints},
};

impl Bodies {
    /// The rule of a pair, if a user's system has made one.
    pub(crate) fn rule_of(&self, a: usize, b: usize) -> Option<&PairRule> {
        if self.pair_rules.is_empty() {
            return None;
        }
        let pair = (a.min(b) as u32, a.max(b) as u32);
        let found = self.pair_rules.binary_search_by_key(&pair, |rule| rule.0);
        found.ok().map(|k| &self.pair_rules[k].1)
    }

    /// Coefficient of sliding friction of a pair.
    pub(crate) fn friction_of(&self, materials: MaterialRule, a: usize, b: usize) -> f32 {
        let own = self.rule_of(a, b).and_then(|rule| rule.friction);
        own.unwrap_or_else(|| {
            materials.combine(self.material[a].friction, self.material[b].friction)
        })
    }

    /// Restitution of a pair.
    pub(crate) fn restitution_of(&self, materials: MaterialRule, a: usize, b: usize) -> f32 {
        let own = self.rule_of(a, b).and_then(|rule| rule.restitution);
        own.unwrap_or_else(|| {
            materials.combine(self.material[a].restitution, self.material[b].restitution)
        })
    }

    /// Tangential restitution of a pair. If the centre of a dynamic body is beside the normal, it is zero: there friction changes
    /// the approach, and what it gives back could be more than it took.
    pub(crate) fn tangential_restitution_of(&self, a: usize, b: usize) -> f32 {
        let own = self
            .rule_of(a, b)
            .and_then(|rule| rule.tangential_restitution);
        let is_central =
            |i: usize| (self.shape[i].is_ball() && !self.is_aside(i)) || !self.is_dynamic(i);
        own.filter(|_| is_central(a) && is_central(b))
            .unwrap_or(0.0)
    }
}

/// Takes over the rules that the systems have given, and that joined bodies do not collide. The dynamic bodies of a pair with
/// another rule wake.
pub(crate) fn apply_rules(
    mut near: ResMut<NearPairs>,
    mut bodies: ResMut<Bodies>,
    constraints: Res<Constraints>,
) {
    let parted = constraints.get::<Joints>().map_or(&[][..], Joints::parted);
    if near.pairs.is_empty()
        && near.ruled.is_empty()
        && bodies.pair_rules.is_empty()
        && parted.is_empty()
    {
        bodies.note_rules(&[]);
        return;
    }
    let rules = NearPairs::with_parted(near.rules(), parted);
    let before = std::mem::replace(&mut near.ruled, rules);
    let differing = differing(&before, &near.ruled);
    bodies.note_rules(&differing);
    let of_differing = differing.into_iter().flat_map(|(a, b)| [a, b]);
    let changed = of_differing.filter_map(|entity| bodies.index_of(entity));
    let changed: Vec<u32> = changed.map(|i| i as u32).collect();
    for i in changed.iter().map(|&i| i as usize) {
        if bodies.is_dynamic(i) {
            bodies.flags[i].insert(BodyFlags::DISTURBED);
            bodies.activate(i);
        }
    }
    let mut rules: Vec<((u32, u32), PairRule)> = Vec::with_capacity(near.ruled.len());
    for &(entities, rule) in &near.ruled {
        let (a, b) = entities;
        let (Some(a), Some(b)) = (bodies.index_of(a), bodies.index_of(b)) else {
            continue;
        };
        // A joint on a part holds its compound.
        let is_parted = rule.is_ignored && parted.binary_search(&entities).is_ok();
        let [a, b] = [a, b].map(|i| if is_parted { bodies.whole_of(i) } else { i });
        // A rule for a compound is one for each of its parts.
        for a in bodies.with_parts(a).map(|a| a as u32) {
            let of_b = bodies.with_parts(b).map(|b| b as u32);
            rules.extend(of_b.map(|b| ((a.min(b), a.max(b)), rule)));
        }
    }
    rules.sort_by_key(|rule| rule.0);
    rules.dedup_by(|one, first| {
        let is_same = one.0 == first.0;
        if is_same {
            first.1.is_ignored |= one.1.is_ignored;
        }
        is_same
    });
    if rules == bodies.pair_rules {
        return;
    }
    let before = std::mem::replace(&mut bodies.pair_rules, rules);
    bodies.note_filters();
    // Friction changes with every step where it depends on the velocities. The pairs stay the same then.
    let now = &bodies.pair_rules;
    let ignored = |rule: &PairRule| rule.is_ignored.then_some(());
    let friction = |rule: &PairRule| rule.friction;
    let has_other_pairs = parts(&before, ignored).ne(parts(now, ignored));
    let has_other_friction = parts(&before, friction).ne(parts(now, friction));
    if has_other_pairs {
        let with_parts = changed.iter().flat_map(|&i| bodies.with_parts(i as usize));
        let changed: Vec<u32> = with_parts.map(|i| i as u32).collect();
        bodies.renew(&changed);
    }
    bodies.friction_revision += u64::from(has_other_friction);
}

/// The pairs of bodies for whose rule `of` gives something, with it.
fn parts<T>(
    rules: &[((u32, u32), PairRule)],
    of: impl Fn(&PairRule) -> Option<T>,
) -> impl Iterator<Item = ((u32, u32), T)> {
    rules
        .iter()
        .filter_map(move |(pair, rule)| Some((*pair, of(rule)?)))
}

/// The pairs with a rule in only one of two sorted lists, or with another one.
fn differing(one: &[RuledPair], other: &[RuledPair]) -> Vec<(Entity, Entity)> {
    let lacks = |list: &[RuledPair], rule: &RuledPair| {
        let found = list.binary_search_by_key(&rule.0, |other| other.0);
        found.map_or(true, |k| list[k].1 != rule.1)
    };
    let gone = one.iter().filter(|rule| lacks(other, rule));
    let new = other.iter().filter(|rule| lacks(one, rule));
    gone.chain(new).map(|rule| rule.0).collect()
}
