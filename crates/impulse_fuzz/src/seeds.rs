//! The seeds that ever failed: one a line, with a reason after it. `open` stands before a failure that is not mended.

use std::{fs, io, path::PathBuf};

/// The file with the seeds, in the folder of this crate.
pub fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("seeds.txt")
}

/// All seeds of the file whose failure is mended. A line without a number in front is a comment, or the seed of an open failure.
pub fn mended() -> io::Result<Vec<u64>> {
    let text = fs::read_to_string(file())?;
    let first_words = text
        .lines()
        .filter_map(|line| line.split_whitespace().next());
    Ok(first_words.filter_map(|word| word.parse().ok()).collect())
}

/// Adds a seed as open, with its reason, unless the file has the seed already.
pub fn keep(seed: u64, reason: &str) -> io::Result<()> {
    let text = fs::read_to_string(file())?;
    let number = seed.to_string();
    let seed_of = |line: &str| line.trim_start_matches("open ").split(' ').next() == Some(&number);
    if text.lines().any(seed_of) {
        return Ok(());
    }
    fs::write(
        file(),
        format!("{text}open {seed} {}\n", reason.replace('\n', " ")),
    )
}
