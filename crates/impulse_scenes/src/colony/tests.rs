//! The colony without a window.

use std::{collections::HashSet, f32::consts::PI};

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use clap::Parser;
use rand::Rng;
use scene_kit::{RunOptions, headless::start};

use super::{
    ColonyOptions, ColonyPlugin,
    alignment::{Rod, correlation_length},
    cell::Cell,
    colony_report,
    compare::{Method, Trial},
    course::Course,
    report::{Cells, write_cells},
    walls::half_widths,
};

#[derive(Parser)]
struct Scene {
    #[command(flatten)]
    run: RunOptions,
    #[command(flatten)]
    colony: ColonyOptions,
}

/// The options of a command line.
fn scene(words: &str) -> Result<Scene, clap::Error> {
    let words = ["colony"].into_iter().chain(words.split_whitespace());
    Scene::try_parse_from(words)
}

/// A colony as the command line says it, before its first step.
fn colony(words: &str) -> App {
    let Scene { run, colony } = scene(words).unwrap();
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        ImpulseCollidePlugin { interpolate: false },
        ColonyPlugin(colony),
    ))
    .insert_resource(run)
    .insert_resource(Time::<Fixed>::from_hz(super::run::RATE));
    start(&mut app);
    app
}

/// The app when the colony has its full number of cells, or at the limit of steps.
fn grown(words: &str) -> App {
    const MOST_STEPS: usize = 5000;
    let mut app = colony(words);
    for _ in 0..MOST_STEPS {
        app.update();
        if app.should_exit().is_some() {
            break;
        }
    }
    app
}

fn csv(app: &mut App) -> String {
    let mut text = Vec::new();
    write_cells(&Cells::of(app.world_mut()), &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn cells(app: &mut App) -> Vec<Cell> {
    let cells = Cells::of(app.world_mut()).0;
    cells.into_iter().map(|(_, cell, ..)| cell).collect()
}

#[test]
fn every_division_makes_one_cell_more() {
    let mut app = colony("--cells 64 --seed 1");
    let mut before = 1;
    while app.should_exit().is_none() {
        app.update();
        let report = colony_report(app.world_mut());
        assert_eq!(report.cells as u64, 1 + report.divisions);
        assert!(report.cells >= before, "a cell is gone");
        before = report.cells;
    }
    assert!(before >= 64);
}

#[test]
fn every_cell_has_a_parent_that_existed() {
    let cells = cells(&mut grown("--cells 100 --seed 2"));
    let ids: HashSet<u64> = cells.iter().map(|cell| cell.id).collect();
    assert_eq!(ids.len(), cells.len());
    // Two ids for each division, so ids that are not here belong to mothers.
    let issued = 1 + 2 * (cells.len() as u64 - 1);
    for cell in &cells {
        assert!((1..cell.id).contains(&cell.parent), "{cell:?}");
        assert!(cell.id <= issued && !ids.contains(&cell.parent), "{cell:?}");
    }
    // The leaves of a tree in which every mother has two daughters: Kraft's sum is 1.
    let sum: f64 = cells
        .iter()
        .map(|cell| 0.5f64.powi(cell.generation as i32))
        .sum();
    assert_eq!(sum, 1.0);
}

#[test]
fn lineages_are_those_of_the_first_sixteen_cells() {
    let cells = cells(&mut grown("--cells 100 --seed 3"));
    for lineage in 0..16 {
        let of_it = cells
            .iter()
            .filter(|cell| cell.generation >= 4 && cell.lineage == lineage);
        let sum: f64 = of_it.map(|cell| 0.5f64.powi(cell.generation as i32)).sum();
        assert_eq!(sum, 0.0625, "lineage {lineage}");
    }
}

#[test]
fn the_same_seed_gives_the_same_cells_and_another_seed_others() {
    let grow = |seed: u64| csv(&mut grown(&format!("--cells 100 --seed {seed}")));
    let first = grow(4);
    assert_eq!(first, grow(4));
    assert_ne!(first, grow(5));
}

#[test]
fn the_colony_stays_flat_and_hardly_overlaps() {
    let mut app = grown("--cells 200 --seed 6");
    for (_, cell, transform, _) in Cells::of(app.world_mut()).0 {
        assert_eq!(transform.translation.z, 0.0, "{cell:?}");
        assert_eq!(transform.local_y().z, 0.0, "{cell:?}");
    }
    let overlap = app.world().resource::<Course>().greatest_overlap();
    assert!(overlap < 0.02, "{overlap}");
}

#[test]
fn walls_hold_the_colony() {
    for walls in ["box", "channel"] {
        let words = format!("--cells 150 --walls {walls} --seed 7");
        let mut app = grown(&words);
        let half = half_widths(&scene(&words).unwrap().colony);
        let cells = Cells::of(app.world_mut()).0;
        assert!(cells.len() >= 150, "{walls}: {} cells", cells.len());
        for (_, cell, transform, _) in cells {
            let outside = transform.translation.truncate().abs().cmpgt(half);
            assert!(!outside.any(), "{walls}: {cell:?} at {transform:?}");
        }
    }
}

/// Rods on a square lattice. `angle` gives their direction at x.
fn lattice(mut angle: impl FnMut(f32) -> f32) -> Vec<Rod> {
    const SIDE: i32 = 40;
    (0..SIDE * SIDE)
        .map(|i| {
            let place = Vec2::new((i % SIDE) as f32, (i / SIDE) as f32);
            Rod::new(place, Vec2::from_angle(angle(place.x)))
        })
        .collect()
}

#[test]
fn parallel_rods_are_correlated_at_any_distance() {
    let rods = lattice(|_| 0.4);
    assert_eq!(correlation_length(&rods), None);
    // Either end of an axis is as good as the other.
    let turned = lattice(|x| 0.4 + PI * x);
    assert_eq!(correlation_length(&turned), None);
}

#[test]
fn the_correlation_length_of_turning_rods_is_that_of_bessels_function() {
    // With θ = k·x, ⟨cos 2k·Δx⟩ over all directions of a distance r is J₀(2k·r), which is 1/e at 2k·r = 1.7835.
    let k = 0.1;
    let length = correlation_length(&lattice(|x| k * x)).unwrap();
    let exact = 1.7835 / (2.0 * f64::from(k));
    assert!(
        (length / exact - 1.0).abs() < 0.05,
        "{length} instead of {exact}"
    );
}

#[test]
fn rods_that_know_nothing_of_each_other_are_correlated_over_less_than_their_distance() {
    let mut rng = RunOptions::default().rng(8);
    let rods = lattice(|_| rng.random_range(0.0..PI));
    let length = correlation_length(&rods).unwrap();
    assert!(length < 1.0, "{length}");
}

#[test]
fn both_solvers_come_to_an_end_and_the_global_one_first() {
    // A hundred cells are few enough for either.
    let mut app = grown("--cells 200 --seed 9");
    let trial = app.world_mut().run_system_cached(Trial::of).unwrap();
    let attempts = trial.run();
    let residuals = |method: Method| -> Vec<f32> {
        let of_it = attempts.iter().filter(|attempt| attempt.method == method);
        of_it.map(|attempt| attempt.residual).collect()
    };
    // The powers of two after which a thousandth of the approach is left.
    let [sweeps, global] = Method::ALL.map(|method| {
        let residuals = residuals(method);
        let least = 1e-3 * residuals[0];
        let end = residuals.iter().position(|&residual| residual < least);
        end.unwrap_or_else(|| panic!("{residuals:?}"))
    });
    assert!(global < sweeps, "{global} and {sweeps}");
}

#[test]
fn bad_counts_and_walls_are_refused() {
    for words in [
        "--cells 0",
        "--cells 1000001",
        "--cells many",
        "--walls sea",
        "--inertia 0",
        "--inertia nan",
        "--cells-out cells.csv",
    ] {
        assert!(scene(words).is_err(), "{words}");
    }
    assert!(scene("--cells 32768 --walls box --inertia 1e6").is_ok());
}
