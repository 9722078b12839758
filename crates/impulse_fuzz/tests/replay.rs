//! Every seed whose failure is mended runs without failure, and so does every world of a set.

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

fn results(seeds: impl Iterator<Item = u64> + Send) -> Vec<(u64, Option<Failure>)> {
    static CATCH: Once = Once::new();
    CATCH.call_once(catch_panics);
    on_all_threads(seeds, |seed| run(&world(seed), STEPS))
}

fn assert_none(results: &[(u64, Option<Failure>)]) {
    let failed = results.iter().any(|(_, failure)| failure.is_some());
    assert!(!failed, "\n{}", table(results));
}

#[test]
fn mended_seeds_run_without_failure() {
    let seeds = seeds::mended().expect("seeds.txt is there");
    assert_none(&results(seeds.into_iter()));
}

#[test]
fn no_world_of_the_set_fails() {
    assert_none(&results(WORLDS));
}
