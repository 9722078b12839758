//! The table of failures.

use std::collections::BTreeMap;

use crate::{
    failure::{Failure, LawName},
    generate::kind_and_start,
};

/// Seeds that a line of the table names.
const SEEDS: usize = 8;

/// A line for each law, kind of world and start: how many worlds failed, and the first seeds.
pub fn table(results: &[(u64, Option<Failure>)]) -> String {
    let mut worlds = BTreeMap::<String, usize>::new();
    let mut failed = BTreeMap::<(LawName, String), Vec<u64>>::new();
    for (seed, failure) in results {
        let (kind, start) = kind_and_start(*seed);
        let class = format!("{kind:?} {start:?}");
        *worlds.entry(class.clone()).or_default() += 1;
        if let Some(failure) = failure {
            let key = (failure.law.name(), class);
            failed.entry(key).or_default().push(*seed);
        }
    }
    let mut text = format!(
        "{:<12} {:<20} {:>11} {:>7}  seeds\n",
        "law", "world", "failed", "part"
    );
    for ((law, class), seeds) in &failed {
        let all = worlds.get(class).copied().unwrap_or_default();
        let first: Vec<String> = seeds.iter().take(SEEDS).map(u64::to_string).collect();
        let part = 100.0 * seeds.len() as f64 / all as f64;
        text += &format!(
            "{:<12} {class:<20} {:>5}/{all:<5} {part:>6.1}%  {}\n",
            format!("{law:?}"),
            seeds.len(),
            first.join(" ")
        );
    }
    let count = results
        .iter()
        .filter(|(_, failure)| failure.is_some())
        .count();
    text + &format!("{count} of {} worlds failed\n", results.len())
}
