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

/// Takes over what the systems have said. Bodies of a pair with another rule wake.
pub(crate) fn apply_rules(near: Res<NearPairs>, mut bodies: ResMut<Bodies>) {
    if near.0.is_empty() && bodies.pair_rules.is_empty() {
        return;
    }
    let mut rules: Vec<((u32, u32), PairRule)> = near
        .iter()
        .filter_map(|pair| {
            let rule = pair.rule();
            let (a, b) = (
                bodies.index_of(pair.a)? as u32,
                bodies.index_of(pair.b)? as u32,
            );
            (rule != PairRule::default()).then_some(((a.min(b), a.max(b)), rule))
        })
        .collect();
    rules.sort_unstable_by_key(|rule| rule.0);
    if rules == bodies.pair_rules {
        return;
    }
    let before = std::mem::take(&mut bodies.pair_rules);
    let is_in = |list: &[((u32, u32), PairRule)], rule: &((u32, u32), PairRule)| {
        let found = list.binary_search_by_key(&rule.0, |other| other.0);
        found.is_ok_and(|k| list[k].1 == rule.1)
    };
    let of_one = |list: &[_], other: &[_]| {
        let differing: Vec<(u32, u32)> = (list.iter())
            .filter(|&rule| !is_in(other, rule))
            .map(|rule| rule.0)
            .collect();
        differing
    };
    for (a, b) in [of_one(&before, &rules), of_one(&rules, &before)].concat() {
        for i in [a as usize, b as usize] {
            // The body may be gone.
            if i < bodies.len() {
                bodies.disturbed[i] = true;
                bodies.activate(i);
            }
        }
    }
    bodies.pair_rules = rules;
    bodies.note_filters();
    bodies.revision += 1;
}
