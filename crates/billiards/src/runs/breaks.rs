//! Many racks broken with random cues, to see that no ball ever moves in an impossible way.

use std::f32::consts::TAU;

use bevy::{platform::time::Instant, prelude::*, time::TimeUpdateStrategy};
use bevy_impulse_collide::prelude::*;
use rand::Rng;
use scene_kit::{
    RunOptions,
    headless::{self, progress_bar},
    report::{StepMs, open_report},
    scene_app,
};
use serde::Serialize;

use super::{hanging::some_ball_hangs, report::write_report};
use crate::{
    options::Options,
    play::{
        blow::{Blow, MISCUE},
        leaving::Falling,
        state::{Game, Phase, Rerack, Shot},
    },
    plugin::BilliardsPlugin,
    rules::Ball,
    table::{
        balls::LastPosition,
        bed::Table,
        cushion::NOSE_RADIUS,
        rack::{Gaps, Rack},
    },
};

/// Fixed steps that are made before anything else of Bevy's turn.
const STEPS_AT_ONCE: u32 = 16;
/// Seconds after which a break should long be over.
const LONGEST: f64 = 60.0;
/// How far in radians the cue points past the first ball of the rack.
const AIM: f32 = 0.02;
/// How far in radians a steady player's cue is off the line to the first ball.
const STEADY: f32 = 0.002;
/// A blow as soft as this, in m/s, still reaches the rack.
const SOFTEST: f32 = 2.0;
/// Range of the cue's elevation in radians: level enough for a break, and a jump shot for every fifth.
const LEVEL: (f32, f32) = (0.03, 0.15);
const STEEP: (f32, f32) = (0.15, 0.8);

/// Part of the blow's energy by which the balls' energy may grow, by rounding and by balls that the cloth lifts out of itself.
const ENERGY: f32 = 1e-3;

/// The fate of the balls.
#[derive(Serialize, Debug, Default)]
struct BreaksReport {
    /// Racks broken.
    breaks: u32,
    /// Fixed steps per second.
    hz: f64,
    /// Object balls that fell into a pocket.
    pocketed: usize,
    /// The same, a break.
    pocketed_a_break: f64,
    /// Breaks that pocketed none.
    dry: usize,
    /// Median distance in m between an object ball that stayed and the middle of its rack.
    spread: f32,
    /// Cue balls that did.
    scratches: usize,
    /// Balls that flew over the cushions.
    jumped_off: usize,
    /// Balls that left the table in some other way.
    escaped: usize,
    /// Breaks that ended with a ball above or below the cloth, or in another ball or a cushion.
    hanging: usize,
    /// Breaks in which the balls gained energy.
    gaining: usize,
    /// Breaks that did not end.
    endless: usize,
    /// Seconds until all balls lay still: of half of the breaks, and of the longest.
    seconds: [f64; 2],
    /// Wall-clock milliseconds for that.
    wall_ms: Option<StepMs>,
}

/// Counts while balls roll.
#[derive(Resource, Default)]
struct Seen {
    scratches: usize,
    jumped_off: usize,
    escaped: usize,
    gaining: usize,
    /// Steps of this break.
    steps: u32,
    /// Energy of the balls in J: from the blow, in the last step, and the least so far.
    given: f32,
    last: f32,
    least: f32,
    gains: bool,
}

impl Seen {
    fn look_at(&mut self, energy: f32) {
        if self.steps == 0 {
            (self.given, self.last, self.least) = (energy, energy, energy);
            self.gains = false;
        }
        self.steps += 1;
        if energy > self.least + ENERGY * self.given && !self.gains {
            self.gains = true;
            self.gaining += 1;
        }
        // For one step after an impact the velocity shown includes the contacts before it: a low energy in that step alone is not
        // real.
        self.least = self.least.min(energy.max(self.last));
        self.last = energy;
    }
}

/// Breaks `count` racks.
pub fn run(options: &RunOptions, billiards: &Options, count: u32) -> Result<(), String> {
    let to = open_report(options)?;
    let mut app = scene_app("Breaks", options);
    // The break with which every headless game starts has no speed.
    app.add_plugins(BilliardsPlugin(Options {
        speed: 0.0,
        ..billiards.clone()
    }))
    .init_resource::<Seen>()
    .add_systems(FixedLast, watch);
    headless::start(&mut app);
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(STEPS_AT_ONCE));

    let mut report = BreaksReport {
        hz: options.rate(),
        ..default()
    };
    app.world_mut().resource_mut::<Game>().racks = options.seed << 32;
    let (mut seconds, mut wall_ms, mut spread) = (Vec::new(), Vec::new(), Vec::new());
    let progress = progress_bar(count.into(), "breaks");
    for number in 0..count {
        rack(&mut app, billiards.aside);
        let blow = if billiards.full {
            full_blow(options, &app, number, billiards)
        } else {
            random_blow(options, &app, number, billiards.speed)
        };
        let began = Instant::now();
        seconds.push(break_rack(&mut app, blow, options.rate()));
        wall_ms.push(1e3 * began.elapsed().as_secs_f64());
        report.look_at(&mut app, &mut spread)?;
        progress.inc(1);
    }
    progress.finish_and_clear();

    seconds.sort_by(f64::total_cmp);
    report.breaks = count;
    report.pocketed_a_break = report.pocketed as f64 / f64::from(count);
    spread.sort_by(f32::total_cmp);
    report.spread = spread.get(spread.len() / 2).copied().unwrap_or_default();
    report.endless = seconds.iter().filter(|time| **time >= LONGEST).count();
    report.seconds = [seconds[seconds.len() / 2], seconds[seconds.len() - 1]];
    report.wall_ms = Some(StepMs::of(wall_ms));
    let seen = app.world().resource::<Seen>();
    (report.scratches, report.jumped_off, report.escaped) =
        (seen.scratches, seen.jumped_off, seen.escaped);
    report.gaining = seen.gaining;
    write_report(&report, to)
}

/// A blow at the rack, anywhere on the cue ball, of at most the speed `fastest`.
fn random_blow(options: &RunOptions, app: &App, number: u32, fastest: f32) -> Blow {
    let mut rng = options.rng(u64::from(number) + 1);
    let world = app.world();
    let (spec, rack) = (
        world.resource::<Table>().spec,
        world.resource::<Game>().rack,
    );
    let aim = rng.random_range(-AIM..=AIM);
    let (low, high) = if rng.random_ratio(1, 5) { STEEP } else { LEVEL };
    let off = 0.999 * MISCUE * rng.random_range(0.0f32..=1.0).sqrt();
    let speed = rng.random_range(SOFTEST.min(fastest)..=fastest);
    let direction = Vec2::from_angle(aim).rotate(way_to_rack(rack, world));
    Blow {
        elevation: rng.random_range(low..=high),
        tip: off * Vec2::from_angle(TAU * rng.random_range(0.0..1.0)),
        ..Blow::centered(&spec.cue, &spec.ball, direction, speed)
    }
}

/// A level blow that hits the first ball of the rack as fully as a player can.
fn full_blow(options: &RunOptions, app: &App, number: u32, billiards: &Options) -> Blow {
    let aim = options
        .rng(u64::from(number) + 1)
        .random_range(-STEADY..=STEADY);
    let world = app.world();
    let (spec, rack) = (
        world.resource::<Table>().spec,
        world.resource::<Game>().rack,
    );
    let from = spec.head_spot() + billiards.aside * Vec2::Y;
    let way = (rack.target(spec) - from).normalize();
    let direction = Vec2::from_angle(aim).rotate(way);
    Blow::centered(&spec.cue, &spec.ball, direction, billiards.speed)
}

fn way_to_rack(rack: Rack, world: &World) -> Vec2 {
    let table = world.resource::<Table>().spec;
    let places = rack.places(table, Gaps::None);
    let cue_ball = places.first().map_or(table.head_spot(), |(_, at)| *at);
    (rack.target(table) - cue_ball).normalize()
}

/// Racks the balls, and puts the cue ball so far beside its spot, in m.
fn rack(app: &mut App, aside: f32) {
    app.world_mut().write_message(Rerack);
    app.update();
    let world = app.world_mut();
    let mut balls = world.query::<(&Ball, &mut Transform, &mut LastPosition)>();
    let cue_ball = balls.iter_mut(world).find(|(ball, ..)| **ball == Ball::CUE);
    if let Some((_, mut place, mut last)) = cue_ball {
        place.translation.z += aside;
        last.0 = place.translation;
    }
}

/// Breaks, and steps until all balls lie still. Returns the seconds that this took.
fn break_rack(app: &mut App, blow: Blow, rate: f64) -> f64 {
    let world = app.world_mut();
    world.write_message(Shot(blow));
    world.resource_mut::<Seen>().steps = 0;
    loop {
        app.update();
        let world = app.world();
        let seconds = f64::from(world.resource::<Seen>().steps) / rate;
        if world.resource::<Game>().phase == Phase::Aim || seconds > LONGEST {
            return seconds;
        }
    }
}

impl BreaksReport {
    fn look_at(&mut self, app: &mut App, spread: &mut Vec<f32>) -> Result<(), String> {
        let world = app.world_mut();
        let pocketed = world.resource::<Game>().pocketed.len();
        self.pocketed += pocketed;
        self.dry += usize::from(pocketed == 0);
        let rack = world.resource::<Game>().rack;
        let places = rack.places(world.resource::<Table>().spec, Gaps::None);
        let object_balls = places.iter().filter(|(ball, _)| *ball != Ball::CUE);
        let count = object_balls.clone().count() as f32;
        let middle = object_balls.map(|(_, at)| *at).sum::<Vec2>() / count;
        let mut on_table = world.query_filtered::<(&Ball, &Transform), With<Particle>>();
        let stayed = on_table.iter(world).filter(|(ball, _)| **ball != Ball::CUE);
        spread.extend(stayed.map(|(_, at)| at.translation.xz().distance(middle)));
        self.hanging += usize::from(some_ball_hangs(world)?);
        Ok(())
    }
}

/// Counts steps, and how balls leave the table.
fn watch(
    mut seen: ResMut<Seen>,
    leaving: Query<(&Ball, &Falling, &LastPosition), Added<Falling>>,
    balls: Query<
        (
            &Particle,
            &Mass,
            &Transform,
            &LinearVelocity,
            &AngularVelocity,
        ),
        With<Ball>,
    >,
    game: Res<Game>,
    table: Res<Table>,
    gravity: Res<Gravity>,
) {
    if game.phase == Phase::Roll {
        let energy = |(ball, mass, at, v, w): (
            &Particle,
            &Mass,
            &Transform,
            &LinearVelocity,
            &AngularVelocity,
        )| {
            let rim = ball.radius * w.0;
            let motion = 0.5 * (v.length_squared() + 0.4 * rim.length_squared());
            mass.0 * (motion - gravity.0.dot(at.translation))
        };
        seen.look_at(balls.iter().map(energy).sum());
    }
    for (ball, falling, place) in &leaving {
        let over = table.spec.nose_axis(NOSE_RADIUS) + NOSE_RADIUS;
        match (falling.is_in_pocket(), *ball) {
            (true, Ball::CUE) => seen.scratches += 1,
            (true, _) => {}
            (false, _) if place.0.y > over => seen.jumped_off += 1,
            (false, _) => seen.escaped += 1,
        }
    }
}
