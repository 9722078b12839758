//! A recording is played: without a window it says whether the bits are the same, and in a window it shows the bodies.

mod view;

use std::{num::NonZero, path::PathBuf};

use bevy::prelude::*;
use bevy_impulse_recorder::{Outcome, Recording, play, play_headless};
use clap::Parser;
use scene_kit::{RunOptions, has_window, scene_app};

/// Plays a recording of a world: the last seconds before somebody pressed F12, or before a value could not be used.
#[derive(Parser, Clone, Debug)]
#[command(name = "replay")]
pub struct ReplayOptions {
    /// The file
    file: PathBuf,
    /// Play it without a window, and say whether all steps end in the recorded bits
    #[arg(long)]
    headless: bool,
    /// Threads; the bits are the same on any number of them [default: one on each core]
    #[arg(long, value_name = "N", requires = "headless")]
    threads: Option<NonZero<usize>>,
}

/// Plays the file of the options. It fails if the file cannot be read, or if a step ends in other bits.
pub fn show(options: ReplayOptions) -> AppExit {
    let recording = match Recording::read(&options.file) {
        Ok(recording) => recording,
        Err(error) => {
            eprintln!("error: {error}");
            return AppExit::error();
        }
    };
    println!("{}", about(&recording));
    if let Some(doubt) = recording.doubt() {
        println!("The bits may differ: {doubt}.");
    }
    if options.headless {
        let outcome = play_headless(recording, options.threads);
        println!("{outcome}");
        return exit(&outcome);
    }
    in_window(recording)
}

/// What a recording is, in a line.
fn about(recording: &Recording) -> String {
    let header = &recording.header;
    format!(
        "{}: {} steps, {:.1} s; {} entities at the start, {} steps with changes from outside; version {}, {}",
        header.why,
        recording.steps(),
        recording.seconds(),
        recording.entities(),
        recording.edited_steps(),
        header.version,
        header.system
    )
}

fn exit(outcome: &Outcome) -> AppExit {
    match outcome {
        Outcome::LeftTheBits { .. } => AppExit::error(),
        Outcome::Playing | Outcome::SameBits { .. } => AppExit::Success,
    }
}

fn in_window(recording: Recording) -> AppExit {
    let rate = recording
        .step_length()
        .map(|length| length.as_secs_f64().recip());
    let options = RunOptions {
        hz: rate,
        ..default()
    };
    let mut app = scene_app("Replay", &options);
    if !has_window(&app) {
        eprintln!("error: no window can open here; --headless plays the recording without one");
        return AppExit::error();
    }
    play(recording, &mut app);
    let left = view::add(&mut app);
    let exit = app.run();
    match left.load(std::sync::atomic::Ordering::Relaxed) {
        true => AppExit::error(),
        false => exit,
    }
}
