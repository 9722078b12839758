//! The command line of the scene.

use clap::Args;

/// Command line options of the pinball table.
#[derive(Args, Clone, Debug, Default)]
pub struct PinballOptions {
    /// Play N games, each with dice of its own, and count what must never happen
    #[arg(help_heading = scene_kit::options::RESEARCH, long, value_name = "N", requires = "headless", value_parser = clap::value_parser!(u32).range(1..))]
    pub games: Option<u32>,
    /// The computer plays, until you press a key of the game
    #[arg(long, conflicts_with = "headless")]
    pub demo: bool,
}
