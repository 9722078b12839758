//! What was published about cushions, pockets and massés, beside what the game does.
//!
//! - [`comparison`]: the published figures and the game's
//! - [`arena`]: many balls on one table that do not meet each other
//! - [`cushions`]: a ball on a cushion
//! - [`pockets`]: the width in which a pocket takes a ball
//! - [`masse`]: the way of a ball that a raised cue hits beside the centre
//! - [`plots`](mod@plots): curves as drawings

pub mod arena;
pub mod comparison;
pub mod cushions;
pub mod masse;
pub mod plots;
pub mod pockets;
#[cfg(test)]
mod tests;

use std::path::Path;

use clap::ValueEnum;
use scene_kit::{RunOptions, report::open_report};

use self::comparison::Comparison;
use super::report::write_report;

/// What is compared.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A ball on a cushion: speeds and angles after the impact
    Cushions,
    /// The width in which a pocket takes a ball, by its angle and speed
    Pockets,
    /// The way of a ball that a raised cue hits beside the centre
    Masse,
}

impl Subject {
    /// The game's figures beside the published ones.
    pub fn compare(self) -> Vec<Comparison> {
        match self {
            Self::Cushions => cushions::compare(),
            Self::Pockets => pockets::compare(),
            Self::Masse => vec![masse::compare()],
        }
    }

    fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// Compares, and reports to where `options` say, or to standard output. Curves go into the folder `plots`.
pub fn run(options: &RunOptions, subject: Subject, plots: Option<&Path>) -> Result<(), String> {
    let to = open_report(options)?;
    let comparisons = subject.compare();
    if let Some(folder) = plots {
        for (k, comparison) in comparisons.iter().enumerate() {
            let file = folder.join(format!("{}-{}.svg", subject.name(), k + 1));
            plots::plot(comparison, &file)
                .map_err(|problem| format!("{}: {problem}", file.display()))?;
        }
    }
    write_report(&comparisons, to)
}
