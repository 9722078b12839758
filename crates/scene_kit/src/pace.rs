//! The speed of the physics, and the overlap that it leaves.

use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_impulse_collide::{prelude::*, smaller_radius};

use crate::app::steps_now;

/// Measures [`Pace`] and [`LastStep`]. It is a plugin: `app.add_plugins(pace::plugin)`.
pub fn plugin(app: &mut App) {
    app.init_resource::<Stopwatch>()
        .init_resource::<Pace>()
        .init_resource::<LastStep>()
        .add_systems(
            FixedPostUpdate,
            (
                begin.before(ImpulseSystems::Gather).run_if(steps_now),
                end.after(ImpulseSystems::WriteBack),
            ),
        )
        .add_systems(Update, read);
}

/// Where the physics takes longer than real time, it goes slowly rather than in leaps: two steps a frame at the most.
pub fn keep_up(mut clock: ResMut<Time<Virtual>>, fixed: Res<Time<Fixed>>) {
    clock.set_max_delta(2 * fixed.timestep());
}

/// Seconds from one reading to the next.
const INTERVAL: f64 = 0.5;

/// Time of the steps since the last reading.
#[derive(Resource)]
struct Stopwatch {
    step_began: Option<Instant>,
    steps: u32,
    busy: Duration,
    read: Instant,
}

impl Default for Stopwatch {
    fn default() -> Self {
        Self {
            step_began: None,
            steps: 0,
            busy: Duration::ZERO,
            read: Instant::now(),
        }
    }
}

/// Wall-clock time of the last step.
#[derive(Resource, Default)]
pub struct LastStep(pub Duration);

/// The last reading; there is one every half second.
#[derive(Resource, Default)]
pub struct Pace {
    /// Steps in a second of wall-clock time.
    pub steps_per_second: f64,
    /// Wall-clock time of a step in ms; `None` if none was made.
    pub step_ms: Option<f64>,
    /// Points at which bodies touch.
    pub contacts: usize,
    /// Mean depth at these over the smaller radius.
    pub overlap: f64,
}

fn begin(mut stopwatch: ResMut<Stopwatch>) {
    stopwatch.step_began = Some(Instant::now());
}

fn end(mut stopwatch: ResMut<Stopwatch>, mut last: ResMut<LastStep>) {
    if let Some(began) = stopwatch.step_began.take() {
        last.0 = began.elapsed();
        stopwatch.steps += 1;
        stopwatch.busy += last.0;
    }
}

fn read(
    mut stopwatch: ResMut<Stopwatch>,
    mut pace: ResMut<Pace>,
    contacts: Res<Contacts>,
    bodies: Res<Bodies>,
) {
    let elapsed = stopwatch.read.elapsed().as_secs_f64();
    if elapsed < INTERVAL {
        return;
    }
    let steps = f64::from(stopwatch.steps);
    let (touching, overlap) = overlaps(&contacts, &bodies);
    *pace = Pace {
        steps_per_second: steps / elapsed,
        step_ms: (steps > 0.0).then(|| 1e3 * stopwatch.busy.as_secs_f64() / steps),
        contacts: touching,
        overlap,
    };
    *stopwatch = default();
}

/// Contacts that touch, and the mean of their depths over the smaller radius.
pub fn overlaps(contacts: &Contacts, bodies: &Bodies) -> (usize, f64) {
    let shape = |entity| bodies.index_of(entity).map(|i| &bodies.shape[i]);
    let (mut touching, mut sum) = (0, 0.0);
    for contact in contacts.iter().filter(|contact| contact.is_touching) {
        let (Some(a), Some(b)) = (shape(contact.a), shape(contact.b)) else {
            continue;
        };
        touching += 1;
        sum += f64::from(contact.depth.max(0.0) / smaller_radius(a, b));
    }
    (touching, sum / touching.max(1) as f64)
}
