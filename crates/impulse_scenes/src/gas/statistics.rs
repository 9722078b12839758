//! Measurements of the gas, and their values by theory.

use bevy::{math::DVec3, prelude::*};
use bevy_impulse_collide::prelude::*;
use scene_kit::RunOptions;
use serde::Serialize;

use super::options::{BALL_VOLUME, GasOptions, RADIUS};

/// Part of the run that the gas gets to forget its lattice before its pressure, density and temperatures are averaged.
const EQUILIBRATION: f64 = 0.1;

/// Edge of the cube in the middle of the box in which density is measured, as a part of the box's: walls order the balls near them,
/// so the mean over the whole box is not the density of the bulk.
const INNER_EDGE: f32 = 0.6;

/// How far through a wall a ball must be to count as outside, as a part of its radius: far above rounding, far below sight.
const OUTSIDE: f32 = 0.01;

/// Sums over the steps so far.
#[derive(Resource, Clone, Debug, Default)]
pub(super) struct GasStatistics {
    time: f64,
    equilibrated_at: f64,
    start_energy: Option<f64>,
    energy_drift: f64,
    outside: u64,
    impacts: u64,
    averages: Averages,
}

/// Sums over the steps after the equilibration.
#[derive(Clone, Debug, Default)]
struct Averages {
    steps: u64,
    seconds: f64,
    /// In N·s, on all walls together.
    wall_impulse: f64,
    /// The same, in the middle of each wall alone.
    middle_impulse: f64,
    /// Balls in the inner cube.
    inner_balls: u64,
    /// m·v² in J, for each direction.
    doubled_energy: DVec3,
}

impl GasStatistics {
    pub fn new(run: &RunOptions) -> Self {
        let seconds = run.seconds.unwrap_or(10.0);
        Self {
            equilibrated_at: EQUILIBRATION * f64::from(seconds),
            ..default()
        }
    }
}

/// Adds the measurements of the last step.
pub(super) fn observe(
    mut statistics: ResMut<GasStatistics>,
    mut impacts: MessageReader<Impact>,
    options: Res<GasOptions>,
    time: Res<Time>,
    walls: Query<(), With<Plane>>,
    balls: Query<(&Mass, &Transform, &LinearVelocity), With<Particle>>,
) {
    let statistics = &mut *statistics;
    let half_inner = 0.5 * INNER_EDGE * options.side();
    let (mut wall_impulse, mut middle_impulse) = (0.0, 0.0);
    for impact in impacts.read() {
        statistics.impacts += 1;
        if walls.contains(impact.a) || walls.contains(impact.b) {
            let impulse = f64::from(impact.impulse.length());
            wall_impulse += impulse;
            let along_wall = impact.point.reject_from_normalized(impact.normal);
            if along_wall.abs().max_element() < half_inner {
                middle_impulse += impulse;
            }
        }
    }

    let outside = options.reach() + OUTSIDE * RADIUS;
    let mut inner_balls = 0;
    let mut doubled_energy = DVec3::ZERO;
    for (mass, transform, velocity) in &balls {
        let from_middle = transform.translation.abs().max_element();
        statistics.outside += u64::from(from_middle > outside);
        inner_balls += u64::from(from_middle < half_inner);
        doubled_energy += f64::from(mass.0) * velocity.as_dvec3().powf(2.0);
    }
    let energy = 0.5 * doubled_energy.element_sum();
    let start_energy = *statistics.start_energy.get_or_insert(energy);
    let drift = ((energy - start_energy) / start_energy).abs();
    statistics.energy_drift = statistics.energy_drift.max(drift);

    let dt = time.delta_secs_f64();
    statistics.time += dt;
    if statistics.time > statistics.equilibrated_at {
        let averages = &mut statistics.averages;
        averages.steps += 1;
        averages.seconds += dt;
        averages.wall_impulse += wall_impulse;
        averages.middle_impulse += middle_impulse;
        averages.inner_balls += inner_balls;
        averages.doubled_energy += doubled_energy;
    }
}

/// The gas against theory. Averages are over time, without the first tenth of the run (of 10 s if the run has no end).
#[derive(Serialize, Clone, Copy, Debug)]
pub struct GasReport {
    /// Z = P/(n·k·T). P is the sum of the impulses that the walls got from balls, over the time and over the area that the
    /// centres of balls reach: six squares whose edge is the box's less a ball's diameter. n is the number density in the
    /// cube in the middle whose edge is 60 % of the box's; k·T the mean of m·v²/3.
    ///
    /// This is above the pressure of an endless gas by 4·|γ|/edge: balls crowd at walls, so the surface tension γ of the
    /// gas there is negative. Scaled particle theory has γ = −9/(2π)·φ²·(1 + φ)/(1 − φ)³·k·T/d² for balls of diameter d:
    /// with 4,096 of them, 1 % at φ = 0.1 and 7 % at φ = 0.4.
    pub pressure_ratio: f64,
    /// Z from the middle of each wall alone, a square whose edge is 60 % of the box's: there the pressure is the bulk's.
    pub middle_pressure_ratio: f64,
    /// Z by N. F. Carnahan and K. E. Starling (1969), (1 + φ + φ² − φ³)/(1 − φ)³, for φ = `inner_fraction`.
    pub carnahan_starling: f64,
    /// Packing fraction φ of the same inner cube: n times the volume of a ball.
    pub inner_fraction: f64,
    /// Greatest change of the kinetic energy since the first step, as a part of it.
    pub energy_drift: f64,
    /// Kinetic energy in each direction, x, y and z, over the mean of the three.
    pub temperature_ratio: [f64; 3],
    /// How often, over all balls and steps, a ball reached through a wall by more than 1 % of its radius.
    pub outside: u64,
    /// Impacts in the whole run, between balls and on walls.
    pub impacts: u64,
}

impl GasReport {
    pub(super) fn new(statistics: &GasStatistics, options: &GasOptions) -> Self {
        let averages = &statistics.averages;
        let steps = averages.steps as f64;
        let inner_edge = f64::from(INNER_EDGE * options.side());

        let density = averages.inner_balls as f64 / steps / inner_edge.powi(3);
        let doubled_energy = averages.doubled_energy / steps;
        let temperature = doubled_energy.element_sum() / (3.0 * f64::from(options.balls));
        let pressure_ratio = |impulse: f64, edge: f64| {
            impulse / (averages.seconds * 6.0 * edge.powi(2)) / (density * temperature)
        };
        let inner_fraction = density * f64::from(BALL_VOLUME);
        Self {
            pressure_ratio: pressure_ratio(averages.wall_impulse, 2.0 * f64::from(options.reach())),
            middle_pressure_ratio: pressure_ratio(averages.middle_impulse, inner_edge),
            carnahan_starling: carnahan_starling(inner_fraction),
            inner_fraction,
            energy_drift: statistics.energy_drift,
            temperature_ratio: (3.0 * doubled_energy / doubled_energy.element_sum()).to_array(),
            outside: statistics.outside,
            impacts: statistics.impacts,
        }
    }
}

/// P/(n·k·T) of hard spheres with packing fraction `phi`.
pub(super) fn carnahan_starling(phi: f64) -> f64 {
    (1.0 + phi + phi.powi(2) - phi.powi(3)) / (1.0 - phi).powi(3)
}

/// The scene's part of the report.
pub fn gas_report(world: &mut World) -> GasReport {
    GasReport::new(
        world.resource::<GasStatistics>(),
        world.resource::<GasOptions>(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equation_of_state_begins_as_the_virial_series() {
        // 1 + 4φ + 10φ² + …
        let phi = 1e-3;
        assert!((carnahan_starling(phi) - (1.0 + 4.0 * phi + 10.0 * phi * phi)).abs() < 2e-8);
        assert!((carnahan_starling(0.4) - 6.925_925_925).abs() < 1e-8);
    }
}
