//! The report of a headless run of the planet.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use scene_kit::{RunOptions, app::StepsMade, headless::MeasureStart};
use serde::Serialize;

use super::{
    comet::{comet, spawn_comet},
    options::PlanetOptions,
    rock::Ball,
};
use crate::gathering::{
    comet::Comet,
    heap::{HeapShape, Rock, escaped},
    past::{Course, Past, comet_is_due, halfway},
};

/// The scene's part of the report. Lengths in metres, angular velocities in rad/s.
#[derive(Serialize, Clone, Copy, Debug)]
pub struct PlanetReport {
    /// Radius about the centre of mass that holds 90 % of the mass.
    radius90: Course,
    /// |L| over the moment of inertia about L's axis, of the balls within `radius90`.
    omega: Course,
    /// Balls that the gravity of the rest cannot hold.
    escaped: usize,
    /// Kinetic energy of the balls within `radius90`, spins included, beyond that of their rigid rotation and common
    /// translation, over the magnitude of the potential energy; null without gravity.
    vibration: f64,
    /// Relative error of the forces of self-gravity at the end, against the direct sum.
    #[serde(skip_serializing_if = "Option::is_none")]
    force_error: Option<ForceErrorReport>,
    /// The comet thrown at the planet. The `start` then has energy, momentum and angular momentum just after the throw.
    #[serde(skip_serializing_if = "Option::is_none")]
    comet: Option<Comet>,
}

/// Errors of that many balls are smaller.
#[derive(Serialize, Clone, Copy, Debug)]
struct ForceErrorReport {
    /// Half of them.
    median: f64,
    /// 99 of 100.
    p99: f64,
}

impl From<ForceError> for ForceErrorReport {
    fn from(error: ForceError) -> Self {
        Self {
            median: error.median,
            p99: error.percentile_99,
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Past>()
        .add_systems(PostStartup, |mut past: ResMut<Past>, balls: Query<Ball>| {
            past.start = shape(&balls);
        })
        .add_systems(FixedUpdate, throw_comet.run_if(is_due))
        .add_systems(FixedLast, measure_middle.run_if(halfway));
}

fn shape(balls: &Query<Ball>) -> HeapShape {
    HeapShape::of(balls.iter().map(Rock::from))
}

fn measure_middle(mut past: ResMut<Past>, balls: Query<Ball>) {
    past.middle = shape(&balls);
}

fn is_due(options: Res<PlanetOptions>, steps: Res<StepsMade>, run: Res<RunOptions>) -> bool {
    comet_is_due(options.comet, steps.0, &run)
}

/// Throws a comet along −X. The end of this step counts as the start of the run: after it nothing comes from outside.
fn throw_comet(
    mut commands: Commands,
    mut past: ResMut<Past>,
    options: Res<PlanetOptions>,
    balls: Query<Ball>,
    time: Res<Time>,
) {
    let course = (Vec3::X, options.spin_axis().cross(Vec3::X));
    let comet = comet(&shape(&balls), &options, course, time.elapsed_secs_f64());
    spawn_comet(&mut commands, &comet);
    past.comet = Some(comet);
    commands.init_resource::<MeasureStart>();
}

/// The scene's part of the report.
pub fn planet_report(world: &mut World) -> PlanetReport {
    let rocks: Vec<Rock> = world.query::<Ball>().iter(world).map(Rock::from).collect();
    let end = HeapShape::of(rocks.iter().copied());
    let constant = world
        .get_resource::<SelfGravity>()
        .map_or(0.0, |field| field.constant);
    let measured = world.run_system_cached(|measure: Measure| {
        (measure.measure().potential_energy, measure.force_error())
    });
    let (potential_energy, force_error) = measured.unwrap_or((f64::NAN, None));
    let past = world.resource::<Past>();
    PlanetReport {
        radius90: past.course(&end, |shape| shape.radius90),
        omega: past.course(&end, |shape| shape.omega),
        escaped: escaped(rocks, constant),
        vibration: end.vibration_energy / potential_energy.abs(),
        force_error: force_error.map(Into::into),
        comet: past.comet,
    }
}
