//! What a headless run of the marbles measures.

use bevy::prelude::*;
use serde::Serialize;

use super::{
    course::Station,
    laps::{Record, Run},
    marble::Marble,
    walk::Walks,
};

/// Measurements of the marble run.
#[derive(Serialize, Clone, Debug, PartialEq)]
pub struct MarblesReport {
    /// Marbles in the world.
    pub marbles: usize,
    /// Marbles between the lift and the tray at the end.
    pub running: usize,
    /// Runs that passed all stations.
    pub laps: u32,
    /// Mean time of these in s.
    pub mean_lap_s: Option<f64>,
    /// The shortest of these times in s.
    pub best_lap_s: Option<f32>,
    /// Marbles that fell off before a station.
    pub fell: Vec<(&'static str, u32)>,
    /// Marbles that stayed somewhere on the run.
    pub stuck: u32,
    /// Marbles that left the run and its tray.
    pub lost: u32,
    /// Marbles in each bin of the Galton board.
    pub bins: Vec<u32>,
    /// Their standard deviation in bins, and that of the binomial law.
    pub bins_spread: Option<f64>,
    /// See [`bins_spread`](Self::bins_spread).
    pub binomial_spread: f64,
    /// The correlation of a marble's decisions at neighbouring rows of the board. The binomial law holds if it is 0.
    pub row_to_row_correlation: Option<f64>,
}

/// Measures the marble run as it is now.
pub fn marbles_report(world: &mut World) -> MarblesReport {
    let marbles = world.query::<&Marble>().iter(world).count();
    let running = world.query::<&Run>().iter(world).count();
    let record = world.resource::<Record>();
    MarblesReport {
        marbles,
        running,
        laps: record.laps,
        mean_lap_s: record.mean_seconds(),
        best_lap_s: record.best.map(|(_, seconds)| seconds),
        fell: Station::ALL
            .iter()
            .map(|station| station.name())
            .zip(record.fell)
            .collect(),
        stuck: record.stuck,
        lost: record.lost,
        bins: record.walks.bins.to_vec(),
        bins_spread: record.walks.spread(),
        binomial_spread: Walks::binomial_spread(),
        row_to_row_correlation: record.walks.correlation(),
    }
}
