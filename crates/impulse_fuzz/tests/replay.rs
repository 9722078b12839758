//! Every seed whose failure is mended runs without failure, and of a set of worlds no more fail than are known to.
//!
//! In the world that still fails, bodies overlap at the start: the projection turns a spinning capsule, which keeps its angular
//! momentum and changes its energy. The bar is zero.

use std::sync::Once;

use impulse_fuzz::{
    failure::Failure,
    fuzz::on_all_threads,
    generate::world,
    report::table,
    run::{catch_panics, run},
    seeds,
};

/// Steps of each world.
const STEPS: u32 = 300;

/// The worlds of the set.
const WORLDS: std::ops::Range<u64> = 1_000_000..1_000_500;

/// How many of them fail. Lower it with every defect that is mended.
const KNOWN_FAILURES: usize = 1;

fn results(seeds: impl Iterator<Item = u64> + Send) -> Vec<(u64, Option<Failure>)> {
    static CATCH: Once = Once::new();
    CATCH.call_once(catch_panics);
    on_all_threads(seeds, |seed| run(&world(seed), STEPS))
}

fn assert_at_most(allowed: usize, results: &[(u64, Option<Failure>)]) {
    let failed = results.iter().filter(|(_, failure)| failure.is_some());
    assert!(failed.count() <= allowed, "\n{}", table(results));
}

#[test]
fn mended_seeds_run_without_failure() {
    let seeds = seeds::mended().expect("seeds.txt is there");
    assert_at_most(0, &results(seeds.into_iter()));
}

#[test]
fn no_more_worlds_fail_than_are_known_to() {
    assert_at_most(KNOWN_FAILURES, &results(WORLDS));
}
