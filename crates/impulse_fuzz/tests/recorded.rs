//! Random worlds are recorded, and played to the same bits.

use bevy_impulse_recorder::{Outcome, Recording, play_headless};
use impulse_fuzz::{
    failure::{Failure, Law},
    fuzz::on_all_threads,
    generate::world,
    run::{catch_panics, record},
};

const STEPS: u32 = 150;

/// Each world, as if a law had broken in its last step. The file's text goes between.
#[test]
fn random_worlds_are_played_to_the_same_bits() {
    catch_panics();
    let played = on_all_threads(1..120u64, |seed| {
        let failure = Failure {
            step: STEPS - 1,
            law: Law::Momentum(0.0),
        };
        let recording = record(&world(seed), &failure)?;
        let text = recording.to_text().expect("it can be written");
        let again = Recording::from_text(&text).expect("it can be read");
        let steps = again.steps();
        let is_same = play_headless(again, None) == Outcome::SameBits { steps };
        Some((steps, is_same))
    });
    let other = played
        .iter()
        .filter(|(_, it)| !it.is_some_and(|(_, is_same)| is_same));
    let other: Vec<u64> = other.map(|(seed, _)| *seed).collect();
    assert!(other.is_empty(), "these seeds leave the bits: {other:?}");
    // Where a world is put back to an earlier step, its recording begins anew.
    let full = played
        .iter()
        .filter(|(_, it)| it.is_some_and(|(steps, _)| steps == STEPS as usize));
    assert!(full.count() > 60);
}
