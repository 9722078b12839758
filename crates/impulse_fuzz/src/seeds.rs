//! The seeds that ever failed: one a line, with a reason after it.

use std::{fs, io, path::PathBuf};

/// The file with the seeds, in the folder of this crate.
pub fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("seeds.txt")
}

/// All seeds of the file. A line without a number in front is a comment.
pub fn known() -> io::Result<Vec<u64>> {
    let text = fs::read_to_string(file())?;
    let first_words = text
        .lines()
        .filter_map(|line| line.split_whitespace().next());
    Ok(first_words.filter_map(|word| word.parse().ok()).collect())
}

/// Adds a seed with its reason, unless the file has the seed already.
pub fn keep(seed: u64, reason: &str) -> io::Result<()> {
    if known()?.contains(&seed) {
        return Ok(());
    }
    let text = fs::read_to_string(file())?;
    fs::write(
        file(),
        format!("{text}{seed} {}\n", reason.replace('\n', " ")),
    )
}
