//! How the colony looks: a lawn of rods in calm colours, seen a little from the side.

mod comparison;
mod look;
mod panel;
mod stage;

use bevy::prelude::*;
use bevy_egui::EguiPrimaryContextPass;
use bevy_impulse_collide::prelude::*;
use scene_kit::{
    RunOptions,
    pace::{Pace, keep_up},
    press::{Press, press},
    window::{KeyHelp, StatusLine, keys_are_free},
};

use super::{ColonyOptions, cell::Cell, found, report::circumference, walls::Walls};

pub(super) struct ColonyViewPlugin;

impl Plugin for ColonyViewPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins((look::plugin, stage::plugin, comparison::plugin))
            .insert_resource(KeyHelp::new([
                ("R", "grow another"),
                ("W", "walls: none, box, channel"),
                ("V", "colours: lineage, pressure, direction"),
                ("C", "compare the contact solvers"),
                ("F", "camera follows the colony"),
            ]))
            .init_resource::<ColorBy>()
            .init_resource::<Figures>()
            .add_systems(Startup, keep_up)
            .add_systems(
                Update,
                (
                    regrow.run_if(pressed(KeyCode::KeyR)),
                    next_walls.run_if(pressed(KeyCode::KeyW)),
                    next_colors.run_if(pressed(KeyCode::KeyV)),
                )
                    .chain()
                    .run_if(keys_are_free),
            )
            .add_systems(
                Update,
                (
                    look::dress,
                    press,
                    measure,
                    count_births.run_if(resource_changed::<Pace>),
                    look::paint,
                    show_status,
                )
                    .chain(),
            )
            .add_systems(EguiPrimaryContextPass, panel::show_controls);
    }
}

fn pressed(key: KeyCode) -> impl FnMut(Res<ButtonInput<KeyCode>>) -> bool + Clone {
    bevy::input::common_conditions::input_just_pressed(key)
}

/// Takes the colony away and lets another one grow.
fn regrow(
    mut commands: Commands,
    mut run: ResMut<RunOptions>,
    mut control: ResMut<StepControl>,
    bodies: Query<Entity, Or<(With<Cell>, With<Plane>)>>,
) {
    for body in &bodies {
        commands.entity(body).despawn();
    }
    run.seed = run.seed.wrapping_add(1);
    control.paused = false;
    commands.run_system_cached(found);
    commands.run_system_cached(stage::follow_again);
}

fn next_walls(mut commands: Commands, mut options: ResMut<ColonyOptions>) {
    options.walls = match options.walls {
        Walls::None => Walls::Box,
        Walls::Box => Walls::Channel,
        Walls::Channel => Walls::None,
    };
    commands.run_system_cached(regrow);
}

/// What the colours show.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ColorBy {
    /// Which of the first sixteen cells a cell comes from.
    #[default]
    Lineage,
    /// Pressure that the neighbours put on a cell.
    Pressure,
    /// Direction of the axis.
    Direction,
}

fn next_colors(mut color_by: ResMut<ColorBy>) {
    *color_by = match *color_by {
        ColorBy::Lineage => ColorBy::Pressure,
        ColorBy::Pressure => ColorBy::Direction,
        ColorBy::Direction => ColorBy::Lineage,
    };
}

/// The colony in numbers. Pressures are in N/m.
#[derive(Resource, Default)]
struct Figures {
    cells: usize,
    /// Divisions before a cell, mean over the cells.
    generation: f32,
    mean_pressure: f32,
    greatest_pressure: f32,
    /// What the last colour stands for.
    pressure_scale: f32,
    /// Born in a second of the clock on the wall.
    cells_per_second: f64,
}

fn measure(mut figures: ResMut<Figures>, cells: Query<(&Cell, &Capsule, &Press)>) {
    let count = cells.iter().len().max(1) as f32;
    let (mut generations, mut sum, mut greatest) = (0.0, 0.0, 0.0f32);
    for (cell, capsule, press) in &cells {
        let pressure = press.force() / circumference(capsule);
        generations += cell.generation as f32;
        sum += pressure;
        greatest = greatest.max(pressure);
    }
    figures.generation = generations / count;
    figures.mean_pressure = sum / count;
    figures.greatest_pressure = greatest;
    figures.pressure_scale = round_up(2.0 * figures.mean_pressure);
}

/// The next of …, 0.1, 0.2, 0.5, 1, 2, 5, 10, …, so that a scale changes seldom.
fn round_up(value: f32) -> f32 {
    let power = 10f32.powf(value.max(1e-3).log10().floor());
    let step = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|step| value <= step * power);
    step.unwrap_or(10.0) * power
}

fn count_births(
    mut figures: ResMut<Figures>,
    cells: Query<(), With<Cell>>,
    time: Res<Time<Real>>,
    mut counted: Local<f64>,
) {
    let now = time.elapsed_secs_f64();
    let count = cells.iter().len();
    let born = count.saturating_sub(figures.cells);
    figures.cells_per_second = born as f64 / (now - *counted).max(1e-3);
    (figures.cells, *counted) = (count, now);
}

fn show_status(
    mut status: ResMut<StatusLine>,
    cells: Query<(), With<Cell>>,
    options: Res<ColonyOptions>,
) {
    let count = cells.iter().len();
    let place = match options.walls {
        Walls::None => "",
        Walls::Box => " in a box",
        Walls::Channel => " in a channel",
    };
    let mut line = match count {
        1 => format!("1 cell{place}"),
        _ => format!("{count} cells{place}, all from one"),
    };
    if count >= options.cells as usize {
        line += "; the colony is grown";
    }
    status.set_if_neq(StatusLine(line));
}
