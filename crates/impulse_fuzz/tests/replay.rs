//! Every seed that ever failed runs without failure, and so do new worlds.
//!
//! The environment variable `IMPULSE_FUZZ_SEED` gives the first seed of the new worlds: set it to the date in CI. Without it the
//! seed is fixed, so that a run can be repeated.

use std::{env, sync::Once};

use impulse_fuzz::{
    failure::Failure,
    fuzz::on_all_threads,
    generate::world,
    report::table,
    seeds,
    simulation::{catch_panics, run},
};

/// Steps of each world.
const STEPS: u32 = 300;

/// Number of new worlds.
const NEW_WORLDS: u64 = 500;

/// The first seed if the environment gives none.
const FIRST_SEED: u64 = 1_000_000;

fn assert_sound(seeds: impl Iterator<Item = u64> + Send) {
    static CATCH: Once = Once::new();
    CATCH.call_once(catch_panics);
    let results: Vec<(u64, Option<Failure>)> =
        on_all_threads(seeds, |seed| run(&world(seed), STEPS));
    assert!(
        results.iter().all(|(_, failure)| failure.is_none()),
        "\n{}",
        table(&results)
    );
}

#[test]
fn known_seeds_run_without_failure() {
    let seeds = seeds::known().expect("seeds.txt is there");
    assert_sound(seeds.into_iter());
}

#[test]
fn new_worlds_run_without_failure() {
    let given = env::var("IMPULSE_FUZZ_SEED").ok();
    let first = given.and_then(|text| text.parse().ok());
    let first = first.unwrap_or(FIRST_SEED);
    assert_sound(first..first + NEW_WORLDS);
}
