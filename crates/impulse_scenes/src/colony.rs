//! A colony: one rod-shaped cell grows, divides and divides again, until thousands of cells push each other apart on a plane.
//!
//! A cell is a [`Capsule`] in the plane z = 0 whose length grows until it is twice as long over all as at its birth; then it
//! divides, and the daughters lie at a small angle to each other. Nothing else moves the cells than that they do not fit where
//! they are, and drag soon ends every motion: such is the world of bacteria. What is seen comes from this
//! alone: the rods align with their neighbours in patches, and the pressure rises towards the middle.
//!
//! All contacts hang together, as each cell in the middle must push all those out to the rim: they are solved as one system,
//! [`ContactMethod::Global`].
//!
//! Lengths are in units that a biologist reads as micrometres; four seconds stand for a generation.

mod alignment;
mod cell;
mod compare;
mod course;
mod report;
#[cfg(test)]
mod tests;
mod view;
mod walls;

use std::{io::Write, path::PathBuf};

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use clap::Args;
use scene_kit::{
    RunOptions, has_window, number::positive, pace, report::open_output, run_scene, scene_app,
};

use self::{
    compare::{Trial, write_attempts},
    course::Course,
    report::{Cells, write_cells},
    walls::Walls,
};
pub use report::{ColonyReport, colony_report};

/// What the command line says about the colony.
#[derive(Args, Resource, Clone, Debug, PartialEq)]
pub struct ColonyOptions {
    /// Cells at which it ends: headless the run, in a window the growth until it is told to go on
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub cells: u32,
    /// What the colony grows against
    #[arg(long, value_name = "WALLS", value_enum, default_value_t)]
    pub walls: Walls,
    /// Inertia of a cell's growth in kg: the larger, the less pressure slows it. A cell weighs 2 to 5 kg
    #[arg(long, value_name = "G", default_value_t = 1e4, value_parser = positive, allow_negative_numbers = true)]
    pub inertia: f32,
    /// Write all cells of a headless run to FILE as CSV; '-' is standard output
    #[arg(long, value_name = "FILE", requires = "headless")]
    pub cells_out: Option<PathBuf>,
    /// Compare the two ways to solve the contacts on the grown colony: what is left of the approach over the work; in a window
    /// as a plot, headless as CSV to FILE [default: standard output]
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub compare: Option<PathBuf>,
}

impl ColonyOptions {
    /// Simulated seconds in which a colony that nothing holds back has long reached its size.
    fn longest_run(&self) -> f32 {
        3.0 * cell::GENERATION * (1.0 + (self.cells as f32).log2())
    }
}

/// Fixed steps per second that suit the scene: 400 in a generation.
const RATE: f64 = 100.0;

/// How the contacts are solved. A large colony would need more products with its matrix for one step by itself; but the impulses that
/// a step begins with come from the step before, and so the steps solve it together. As drag soon ends every motion, velocities may
/// part what overlaps.
const SOLVER: GlobalSolver = GlobalSolver {
    iterations: 120,
    tolerance: 0.1,
    regularisation: 1e-5,
    friction_passes: 1,
    stabilisation: 0.2,
};

/// Gap, as a part of the radius, within which cells are contacts: at the rim of a large colony they come fast.
const MARGIN: f32 = 0.25;

/// Runs what the command line asks for.
pub fn run(run: RunOptions, colony: ColonyOptions) -> AppExit {
    let run = run.or_hz(RATE).or_headless_seconds(colony.longest_run());
    grow(&run, colony).unwrap_or_else(|problem| {
        eprintln!("error: {problem}");
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

/// The scene: puts the first cell down at start-up, and shows the colony if there is a window.
pub struct ColonyPlugin(pub ColonyOptions);

impl Plugin for ColonyPlugin {
    fn build(&self, app: &mut App) {
        pace::plugin(app);
        app.insert_resource(self.0.clone())
            .insert_resource(Gravity::ZERO)
            .init_resource::<Course>()
            .register_type::<cell::Cell>()
            .add_systems(Startup, found)
            .add_systems(
                FixedLast,
                (
                    cell::name_daughters,
                    course::record.run_if(resource_changed::<pace::LastStep>),
                    course::end_at_size,
                )
                    .chain(),
            )
            .add_systems(
                PreUpdate,
                set_laws.run_if(resource_exists_and_changed::<ColonyOptions>),
            );
        if has_window(app) {
            app.add_plugins(view::ColonyViewPlugin);
        }
    }
}

/// Puts up the walls, and the first cell between them.
fn found(
    mut commands: Commands,
    mut course: ResMut<Course>,
    options: Res<ColonyOptions>,
    run: Res<RunOptions>,
) {
    *course = Course::default();
    for wall in walls::planes(&options) {
        commands.spawn(wall);
    }
    commands.spawn(cell::founder(&run, course.next_id(), options.inertia));
}

/// Brings the physics, and the cells that are there, to what the options say.
fn set_laws(
    mut config: ResMut<CollisionConfig>,
    mut growing: Query<&mut Growth>,
    options: Res<ColonyOptions>,
) {
    // Nothing bounces, rubs or falls asleep.
    config.stages.impulse_jolt = false;
    config.friction.default = 0.0;
    config.sleep_speed = 0.0;
    config.contact_method = ContactMethod::Global(SOLVER);
    config.contact_margin = MARGIN;
    for mut growth in &mut growing {
        growth.inertia = options.inertia;
    }
}
