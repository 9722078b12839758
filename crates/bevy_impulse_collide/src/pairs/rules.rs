//! What a user's systems have said about pairs, as the stages read it.

use bevy::prelude::*;

use super::near_pairs::NearPairs;
use crate::{body::Bodies, config::MaterialRule};

/// The rule of one pair.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PairRule {
    pub is_ignored: bool,
    pub friction: Option<f32>,
    pub restitution: Option<f32>,
}

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
}

/// A rule of a pair of entities.
pub(super) type Said = ((Entity, Entity), PairRule);

/// Takes over what the systems have said. The dynamic bodies of a pair with another rule wake.
pub(crate) fn apply_rules(mut near: ResMut<NearPairs>, mut bodies: ResMut<Bodies>) {
    if near.pairs.is_empty() && near.said.is_empty() && bodies.pair_rules.is_empty() {
        return;
    }
    let said = near.rules();
    let before = std::mem::replace(&mut near.said, said);
    for (a, b) in differing(&before, &near.said) {
        for i in [a, b]
            .map(|entity| bodies.index_of(entity))
            .into_iter()
            .flatten()
        {
            if bodies.is_pushed(i) {
                bodies.disturbed[i] = true;
                bodies.activate(i);
            }
        }
    }
    let of_indices = near.said.iter().filter_map(|&((a, b), rule)| {
        let (a, b) = (bodies.index_of(a)? as u32, bodies.index_of(b)? as u32);
        Some(((a.min(b), a.max(b)), rule))
    });
    let mut rules: Vec<((u32, u32), PairRule)> = of_indices.collect();
    rules.sort_unstable_by_key(|rule| rule.0);
    if rules != bodies.pair_rules {
        bodies.pair_rules = rules;
        bodies.note_filters();
        bodies.revision += 1;
    }
}

/// The pairs with a rule in only one of two sorted lists, or with another one.
fn differing(one: &[Said], other: &[Said]) -> Vec<(Entity, Entity)> {
    let lacks = |list: &[Said], rule: &Said| {
        let found = list.binary_search_by_key(&rule.0, |other| other.0);
        found.map_or(true, |k| list[k].1 != rule.1)
    };
    let gone = one.iter().filter(|rule| lacks(other, rule));
    let new = other.iter().filter(|rule| lacks(one, rule));
    gone.chain(new).map(|rule| rule.0).collect()
}
