//! The command line of the game.

use std::{num::NonZeroU32, path::PathBuf};

use clap::Args;
use scene_kit::{number::number, options::RESEARCH};

use crate::{
    play::matches::Skill,
    runs::published::Subject,
    table::{rack::Rack, spec::TableKind},
};

/// Command line options of the game.
#[derive(Args, Clone, Debug, Default)]
pub struct Options {
    /// How the balls are set up
    #[arg(long, value_name = "GAME", value_enum, default_value_t)]
    pub rack: Rack,
    /// Rack the balls with a template, with gaps under 0.02 mm; a triangle leaves 0.05 to 0.2 mm
    #[arg(long)]
    pub template: bool,
    /// The table [default: the rack's own table]
    #[arg(help_heading = RESEARCH, long, value_name = "SIZE", value_enum, requires = "headless")]
    pub table: Option<TableKind>,
    /// Speed of the cue ball in the break of a headless run, in m/s; the seed picks its exact aim
    #[arg(help_heading = RESEARCH, long, value_name = "V", default_value_t = 9.0, value_parser = break_speed, allow_negative_numbers = true)]
    pub speed: f32,
    /// Break N racks with random cues, each until all balls lie still, and count the fate of the balls
    #[arg(help_heading = RESEARCH, long, value_name = "N", requires = "headless", value_parser = clap::value_parser!(u32).range(1..))]
    pub breaks: Option<u32>,
    /// Hit the first ball of each rack fully, at the full speed, instead of a random cue
    #[arg(help_heading = RESEARCH, long, requires = "breaks")]
    pub full: bool,
    /// How far beside the head spot the cue ball starts in these breaks, in m
    #[arg(help_heading = RESEARCH, long, value_name = "D", requires = "full", default_value_t = 0.0, value_parser = aside, allow_negative_numbers = true)]
    pub aside: f32,
    /// The computer plays N frames of the rack's game against itself, and counts what must never happen
    #[arg(help_heading = RESEARCH, long, value_name = "N", requires = "headless", conflicts_with = "breaks", value_parser = clap::value_parser!(u32).range(1..))]
    pub self_play: Option<u32>,
    /// Points that win a frame of straight pool [default: 100]
    #[arg(long, value_name = "N", requires = "self_play")]
    pub points: Option<NonZeroU32>,
    /// How well the two computers play, with a comma between them [default: club]
    #[arg(
        help_heading = RESEARCH,
        long,
        value_name = "SKILLS",
        value_enum,
        value_delimiter = ',',
        requires = "self_play"
    )]
    pub skills: Vec<Skill>,
    /// Play the shots of FILE instead, each on open cloth, and report the motion of their balls
    #[arg(
        help_heading = RESEARCH,
        long,
        value_name = "FILE",
        requires = "headless",
        conflicts_with_all = ["breaks", "self_play"]
    )]
    pub shots: Option<PathBuf>,
    /// Find the strokes behind the tracked three-cushion shots of FILE, and report how far the game is from the tracks
    #[arg(
        help_heading = RESEARCH,
        long,
        value_name = "FILE",
        requires = "headless",
        conflicts_with_all = ["breaks", "self_play", "shots"]
    )]
    pub tracks: Option<PathBuf>,
    /// Constants of the tracked table, as JSON or as an earlier report [default: the carom table's]
    #[arg(help_heading = RESEARCH, long, value_name = "FILE", requires = "tracks")]
    pub constants: Option<PathBuf>,
    /// Fit the constants to every other tracked shot
    #[arg(help_heading = RESEARCH, long, requires = "tracks")]
    pub fit_constants: bool,
    /// Compare the game with published figures
    #[arg(
        help_heading = RESEARCH,
        long,
        value_name = "SUBJECT",
        value_enum,
        requires = "headless",
        conflicts_with_all = ["breaks", "self_play", "shots", "tracks"]
    )]
    pub published: Option<Subject>,
    /// Folder for the curves of this comparison, as SVG
    #[arg(help_heading = RESEARCH, long, value_name = "FOLDER", requires = "published")]
    pub plots: Option<PathBuf>,
    /// Play nine-ball over the network: wait for the other player at this UDP port
    #[arg(long, value_name = "PORT", conflicts_with_all = ["headless", "shot", "join"])]
    pub host: Option<u16>,
    /// Play over the network with the player who waits at this address, such as 192.168.0.7:7000
    #[arg(long, value_name = "ADDRESS", conflicts_with_all = ["headless", "shot"])]
    pub join: Option<String>,
    /// Frames that win the match over the network [default: 3]
    #[arg(long, value_name = "N", requires = "host")]
    pub frames: Option<NonZeroU32>,
    /// Begin with the shot saved in FILE: in a window it waits to be played, headless it is played at once
    #[arg(long, value_name = "FILE", conflicts_with_all = ["breaks", "self_play", "shots", "tracks", "published"])]
    pub shot: Option<PathBuf>,
}

fn aside(text: &str) -> Result<f32, String> {
    number(
        text,
        |aside| (-0.4..=0.4).contains(&aside),
        "distance from -0.4 to 0.4 m",
    )
}

fn break_speed(text: &str) -> Result<f32, String> {
    number(
        text,
        |speed| (0.0..=20.0).contains(&speed),
        "speed from 0 to 20 m/s",
    )
}
