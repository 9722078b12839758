//! Starts the run that the command line asks for.

use std::{io::Write, path::PathBuf};

use bevy::prelude::*;
use scene_kit::{RunOptions, console, report::open_output, run_scene, scene_app};

use super::{
    compare::{Trial, write_attempts},
    options::ColonyOptions,
    plugin::ColonyPlugin,
    report::{Cells, colony_report, write_cells},
};

/// Fixed steps per second that suit the scene: 400 in a generation.
pub(super) const RATE: f64 = 100.0;

/// Runs the colony or the comparison, by the command line.
pub fn run(run: RunOptions, colony: ColonyOptions) -> AppExit {
    let run = run.or_hz(RATE).or_headless_seconds(colony.longest_run());
    grow(&run, colony).unwrap_or_else(|problem| {
        console::tell_error(&problem);
        AppExit::error()
    })
}

fn grow(run: &RunOptions, colony: ColonyOptions) -> Result<AppExit, String> {
    let open = |path: &Option<PathBuf>| path.as_deref().map(open_output).transpose();
    let mut cells_out = open(&colony.cells_out)?;
    let mut compare = open(&colony.compare.clone().filter(|_| run.headless))?;
    let mut app = scene_app("Colony", run);
    app.add_plugins(ColonyPlugin(colony));
    let mut written = Ok(());
    let exit = run_scene(app, "colony", run, |world| {
        let report = colony_report(world);
        written = write_files(world, cells_out.as_mut(), compare.as_mut());
        report
    });
    written?;
    Ok(exit)
}

fn write_files(
    world: &mut World,
    cells: Option<&mut impl Write>,
    compare: Option<&mut impl Write>,
) -> Result<(), String> {
    if let Some(file) = cells {
        write_cells(&Cells::of(world), file)
            .map_err(|problem| format!("cannot write the cells: {problem}"))?;
    }
    if let Some(file) = compare {
        let trial = world
            .run_system_cached(Trial::of)
            .map_err(|problem| format!("cannot compare the solvers: {problem}"))?;
        write_attempts(&trial.run(), file)
            .map_err(|problem| format!("cannot write the comparison: {problem}"))?;
    }
    Ok(())
}
