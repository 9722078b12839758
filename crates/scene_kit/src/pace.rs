//! The speed of the physics, how it keeps up with real time, and the overlap that it leaves.

use std::time::Duration;

use bevy::{
    app::{RunFixedMainLoop, RunFixedMainLoopSystems},
    platform::time::Instant,
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_impulse_collide::{prelude::*, smaller_radius};

use crate::app::{StepsMade, steps_now};

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

/// Where the physics takes longer than real time, it goes slowly rather than in leaps: the steps of a frame take as long as the rest
/// of the frame at the most, or [`LONGEST`] if that is more. Cheap steps keep up with real time, however slow the frames are.
pub(crate) fn keep_up(app: &mut App) {
    app.init_resource::<FrameSteps>().add_systems(
        RunFixedMainLoop,
        (
            begin_frame.in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
            bound_frame.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
        )
            .run_if(is_real_time),
    );
}

/// A film sets the clock itself, however long a frame takes.
fn is_real_time(clock: Res<TimeUpdateStrategy>) -> bool {
    matches!(*clock, TimeUpdateStrategy::Automatic)
}

/// Seconds of wall-clock time that the steps of a fast frame may take. There are two steps at least.
const LONGEST: f64 = 1.0 / 30.0;

/// Share of the last frame in the mean time of a step.
const NEWS: f64 = 0.1;

/// The steps of this frame.
#[derive(Resource)]
struct FrameSteps {
    began: Instant,
    /// When those of the last frame had ended.
    ended: Instant,
    /// Seconds between the two.
    rest: f64,
    /// Steps made before it.
    before: u64,
    /// Mean seconds of wall-clock time of a step, the scene's own systems included. None: there was no step yet.
    each: Option<f64>,
    /// Time that a frame may bring, if steps take no time.
    most: Duration,
}

impl FromWorld for FrameSteps {
    fn from_world(world: &mut World) -> Self {
        Self {
            began: Instant::now(),
            ended: Instant::now(),
            rest: 0.0,
            before: 0,
            each: None,
            most: world.resource::<Time<Virtual>>().max_delta(),
        }
    }
}

fn begin_frame(mut frame: ResMut<FrameSteps>, made: Res<StepsMade>) {
    frame.began = Instant::now();
    frame.rest = (frame.began - frame.ended).as_secs_f64();
    frame.before = made.0;
}

fn bound_frame(
    mut frame: ResMut<FrameSteps>,
    mut clock: ResMut<Time<Virtual>>,
    made: Res<StepsMade>,
    fixed: Res<Time<Fixed>>,
) {
    frame.ended = Instant::now();
    let steps = made.0 - frame.before;
    if steps == 0 {
        return;
    }
    let now = (frame.ended - frame.began).as_secs_f64() / steps as f64;
    let each = frame
        .each
        .map_or(now, |before| before + NEWS * (now - before));
    frame.each = Some(each);
    let (step, speed) = (fixed.timestep(), clock.relative_speed_f64());
    let bound = LONGEST.max(frame.rest);
    clock.set_max_delta(longest_frame((each, bound), step, speed, frame.most));
}

/// The longest time that a frame may bring, where a step of the length `step` takes `each` seconds, all of them may take `bound`
/// seconds, and the game's time goes `speed` times as fast as real time.
fn longest_frame(
    (each, bound): (f64, f64),
    step: Duration,
    speed: f64,
    most: Duration,
) -> Duration {
    let two = 2 * step;
    let steps = (bound / each.max(1e-9) / speed.max(1.0)).min(1e6);
    step.mul_f64(steps).clamp(two, most.max(two))
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
    let shape = |entity| bodies.index_of(entity).map(|i| bodies.get(i).shape());
    let (mut touching, mut sum) = (0, 0.0);
    for contact in contacts.iter().filter(|contact| contact.is_touching) {
        let (Some(a), Some(b)) = (shape(contact.a), shape(contact.b)) else {
            continue;
        };
        touching += 1;
        sum += f64::from(contact.depth.max(0.0) / smaller_radius(&a, &b));
    }
    (touching, sum / touching.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cheap_steps_keep_up_and_dear_steps_go_slowly() {
        let (step, most) = (Duration::from_millis(4), Duration::from_millis(250));
        let longest = |each, speed| longest_frame((each, LONGEST), step, speed, most);
        // A step of 20 µs: a frame of a quarter of a second is made up for.
        assert_eq!(longest(2e-5, 1.0), most);
        // A step of 8 ms at 250 Hz: as many steps as the bound allows, and never fewer than two.
        let bounded = longest(8e-3, 1.0).as_secs_f64() / step.as_secs_f64();
        assert!((bounded * 8e-3 - LONGEST).abs() < 1e-6, "{bounded}");
        assert_eq!(longest(1.0, 1.0), 2 * step);
        // Fast forward: each second brings four seconds of steps.
        let fast = longest(8e-4, 4.0).as_secs_f64() / step.as_secs_f64();
        assert!((fast * 4.0 * 8e-4 - LONGEST).abs() < 1e-6, "{fast}");
    }
}
