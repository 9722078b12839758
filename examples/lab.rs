//! The laboratory: one world, stepped by up to six methods side by side, with their figures.
//!
//! ```sh
//! cargo run --example lab                                                      # watch, and change every parameter
//! cargo run --example lab -- --scene planet                                    # ways to hold a planet together
//! cargo run --example lab -- --headless --scene all --table lab.md --plots .   # measure every scene by every method
//! ```

use bevy::prelude::*;
use clap::Parser;
use impulse_scenes::lab::{LabOptions, LabPlugin, run_lab};
use scene_kit::{RunOptions, console, run_scene, scene_app};

/// One world, stepped by many methods side by side.
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    run: RunOptions,
    #[command(flatten)]
    lab: LabOptions,
}

pub(crate) fn main() -> AppExit {
    let Options { run, lab } = scene_kit::parse();
    if run.headless {
        return match run_lab(&run, &lab) {
            Ok(()) => AppExit::Success,
            Err(problem) => {
                console::tell_error(&problem);
                AppExit::error()
            }
        };
    }
    let mut app = scene_app("Laboratory", &run);
    app.add_plugins(LabPlugin(lab));
    run_scene(app, "lab", &run, |_world| ())
}
