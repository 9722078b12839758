//! Balls of random sizes, at once or in a stream.

use bevy::{platform::time::Instant, prelude::*};
use bevy_impulse_collide::prelude::*;
use rand::Rng;
use scene_kit::RunOptions;

use super::{
    ball::{ball, ball_volume, flying_ball},
    drum::Drum,
    options::{DENSITY, PileOptions, RADIUS},
    stack::stack,
    vessel::Vessel,
};

/// Seconds in which all balls come in.
const SECONDS: f32 = 8.0;

/// Largest radius over the smallest.
const SPREAD: f32 = 100.0;

/// Part of its volume that a settled heap of equal balls fills with balls.
const PACKING: f32 = 0.6;

/// The same if small balls fill the gaps between large ones.
const POLYDISPERSE_PACKING: f32 = 0.65;

/// Edge of the cube that a ball gets, over its diameter, where it is to settle soon.
const LOOSE: f32 = 1.05;

/// The same in the stream.
const LOOSER: f32 = 1.15;

/// Piles poured so far; each has random numbers of its own.
#[derive(Resource, Default)]
pub(super) struct Pourings(u64);

/// Wall-clock seconds that it took to bring the balls into the world, if all came at once.
#[derive(Resource, Clone, Copy, Debug)]
pub(super) struct SpawnSeconds(pub f64);

/// Balls on their way to the inlet, a column of them that comes down at an even speed.
#[derive(Resource)]
pub(super) struct Stream {
    /// Radius, and place over the inlet; the last is the lowest.
    waiting: Vec<(f32, Vec3)>,
    /// Of the column, in m/s.
    speed: f32,
    /// Since the first step, in s.
    time: f32,
}

impl Stream {
    fn new(radii: &[f32], places: Vec<Vec3>) -> Self {
        let mut waiting: Vec<_> = radii.iter().copied().zip(places).collect();
        waiting.sort_by(|(_, a), (_, b)| b.y.total_cmp(&a.y));
        let height = waiting.first().map_or(0.0, |(_, highest)| highest.y);
        Self {
            waiting,
            speed: height / SECONDS,
            time: 0.0,
        }
    }

    /// How many balls are still to come.
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// The balls that have come through the inlet since the last call: radius, place, and how long they have been falling.
    fn arrivals(&mut self) -> impl Iterator<Item = (f32, Vec3, f32)> {
        let (speed, time) = (self.speed, self.time);
        let reached = speed * time;
        let first = self.waiting.partition_point(|(_, place)| place.y > reached);
        let arrived = self.waiting.drain(first..).rev();
        arrived.map(move |(radius, place)| (radius, place, time - place.y / speed))
    }
}

/// Radii of all of the balls, in metres.
fn radii(rng: &mut impl Rng, options: &PileOptions) -> Vec<f32> {
    // The mean of r³ over radii that are uniform in their logarithm, from 1 to s: (s³ − 1)/(3·ln s).
    let mean_cube = (SPREAD.powi(3) - 1.0) / (3.0 * SPREAD.ln());
    let smallest = RADIUS / mean_cube.cbrt();
    (0..options.balls)
        .map(|_| {
            if options.polydisperse {
                smallest * SPREAD.powf(rng.random())
            } else {
                RADIUS
            }
        })
        .collect()
}

/// Puts up the vessel, and the balls in it or over it.
pub(super) fn set_up(world: &mut World) {
    let options = world.resource::<PileOptions>().clone();
    let mut pourings = world.resource_mut::<Pourings>();
    pourings.0 += 1;
    let pouring = pourings.0;
    let mut rng = world.resource::<RunOptions>().rng(pouring);

    let radii = radii(&mut rng, &options);
    let largest = radii.iter().copied().fold(0.0, f32::max);
    let packing = if options.polydisperse {
        POLYDISPERSE_PACKING
    } else {
        PACKING
    };
    let volume = radii.iter().copied().map(ball_volume).sum::<f32>() / packing;
    world.insert_resource(Gravity::default());
    let vessel = if options.drum {
        let vessel = Vessel::new_drum(volume, largest);
        world.insert_resource(Drum::new(vessel.depth(), options.drum_speed));
        vessel
    } else {
        world.remove_resource::<Drum>();
        Vessel::new_box(volume, largest)
    };
    vessel.spawn(world);
    world.insert_resource(vessel);

    let mut places = Vec::new();
    if options.settled {
        let edge = LOOSE * 2.0 * largest;
        places = stack(&mut rng, &radii, edge, LOOSE, vessel.cells(edge));
    }
    let (inside, outside) = radii.split_at(places.len());
    let bundles: Vec<_> = inside
        .iter()
        .zip(places)
        .map(|(&radius, place)| ball(radius, DENSITY, place))
        .collect();
    let began = Instant::now();
    world.spawn_batch(bundles);
    let seconds = began.elapsed().as_secs_f64();
    if outside.is_empty() {
        world.insert_resource(SpawnSeconds(seconds));
        world.remove_resource::<Stream>();
    } else {
        let edge = LOOSER * 2.0 * largest;
        let places = stack(&mut rng, outside, edge, LOOSER, vessel.inlet().cells(edge));
        world.insert_resource(Stream::new(outside, places));
        world.remove_resource::<SpawnSeconds>();
    }
}

/// Lets in the balls that have reached the inlet, at the places to which they have fallen since.
pub(super) fn pour(
    mut commands: Commands,
    mut stream: ResMut<Stream>,
    vessel: Res<Vessel>,
    drum: Option<Res<Drum>>,
    time: Res<Time>,
) {
    let gravity = Gravity::default().0;
    let height = vessel.inlet().height;
    let start = -stream.speed * Vec3::Y;
    for (radius, place, fallen) in stream.arrivals() {
        let inlet = place.with_y(height);
        let position = inlet + (start + 0.5 * fallen * gravity) * fallen;
        let velocity = start + fallen * gravity;
        let drum = drum.as_deref();
        commands.spawn(flying_ball(radius, DENSITY, position, velocity, drum));
    }
    stream.time += time.delta_secs();
    if stream.waiting.is_empty() {
        commands.remove_resource::<Stream>();
    }
}
