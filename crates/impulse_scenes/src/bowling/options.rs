//! The command line of the scene.

use clap::Args;

/// Command line options of the bowling lane.
#[derive(Args, Clone, Debug, Default)]
pub struct BowlingOptions {
    /// Throw N balls at each of many entry angles and boards, and print how many strike, in percent
    #[arg(help_heading = scene_kit::options::RESEARCH, long, value_name = "N", requires = "headless", value_parser = clap::value_parser!(u32).range(1..))]
    pub odds: Option<u32>,
    /// The computer plays, until you throw
    #[arg(long, conflicts_with = "headless")]
    pub demo: bool,
}
