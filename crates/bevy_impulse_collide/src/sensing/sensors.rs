//! Which bodies are in which sensors, and the systems that find out.

use bevy::prelude::*;
use smallvec::SmallVec;

use super::{
    crossing::{self, Side},
    gap::Encounter,
    zones::Zones,
};
use crate::{
    body::{Bodies, PerBody, Pose, Turn, pieces},
    messages::{SensorEntered, SensorLeft},
    parallel::map_chunks,
    solver::impact::Impacts,
};

/// Number of bodies whose ways one task follows.
const BODIES_PER_TASK: usize = 1024;

/// The bodies that are in [`Sensor`](crate::components::Sensor)s now.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// /// Lifts what is in a draught.
/// fn lift(sensors: Res<Sensors>, draughts: Query<Entity, With<Sensor>>, mut balls: Query<&mut ExternalForce>) {
///     for draught in &draughts {
///         for ball in sensors.inside(draught) {
///             if let Ok(mut force) = balls.get_mut(ball) {
///                 force.0 = Vec3::Y * 12.0;
///             }
///         }
///     }
/// }
/// # bevy::ecs::system::assert_is_system(lift);
/// ```
#[derive(Resource, Debug, Default)]
pub struct Sensors {
    /// Each sensor with a body in it, sorted.
    inside: Vec<(Entity, Entity)>,
    /// The same pairs with the body first, sorted.
    by_body: Vec<(Entity, Entity)>,
    /// What happened in this fixed step.
    crossings: Vec<Crossing>,
}

/// A body enters or leaves a sensor.
#[derive(Clone, Copy, Debug)]
struct Crossing {
    /// Seconds from the start of the fixed step.
    time: f32,
    sensor: Entity,
    body: Entity,
    enters: bool,
}

impl Sensors {
    /// The bodies in a sensor, in the order of their entities.
    pub fn inside(&self, sensor: Entity) -> impl Iterator<Item = Entity> {
        seconds_of(&self.inside, sensor)
    }

    /// The sensors that a body is in, in the order of their entities.
    pub fn around(&self, body: Entity) -> impl Iterator<Item = Entity> {
        seconds_of(&self.by_body, body)
    }

    /// Each sensor with a body in it, sorted.
    pub(crate) fn pairs(&self) -> &[(Entity, Entity)] {
        &self.inside
    }

    /// Replaces all pairs, after a world was put back to an earlier state.
    pub(crate) fn put_back(&mut self, mut pairs: Vec<(Entity, Entity)>) {
        pairs.sort_unstable();
        self.inside = pairs;
        self.index_bodies();
    }

    /// Brings `inside` up to date with the crossings from number `first` on.
    fn follow(&mut self, first: usize) {
        let crossings = &mut self.crossings[first..];
        crossings.sort_by(|one, other| {
            let order = one.time.total_cmp(&other.time);
            order.then((one.sensor, one.body).cmp(&(other.sensor, other.body)))
        });
        for crossing in crossings {
            let pair = (crossing.sensor, crossing.body);
            match (self.inside.binary_search(&pair), crossing.enters) {
                (Err(place), true) => self.inside.insert(place, pair),
                (Ok(place), false) => drop(self.inside.remove(place)),
                _ => {}
            }
        }
        self.index_bodies();
    }

    fn index_bodies(&mut self) {
        self.by_body.clear();
        let swapped = self.inside.iter().map(|&(sensor, body)| (body, sensor));
        self.by_body.extend(swapped);
        self.by_body.sort_unstable();
    }
}

/// The second entities of the pairs with this first one.
fn seconds_of(pairs: &[(Entity, Entity)], first: Entity) -> impl Iterator<Item = Entity> {
    let start = pairs.partition_point(|pair| pair.0 < first);
    let of_first = pairs[start..]
        .iter()
        .take_while(move |pair| pair.0 == first);
    of_first.map(|pair| pair.1)
}

/// The memory of the search between calls.
#[derive(Resource, Default)]
pub(crate) struct SensedWays {
    /// Where each body was at the start of the substep.
    before: PerBody<Pose>,
    zones: Zones,
    /// The crossings that each task has found.
    found: Vec<Vec<Crossing>>,
    /// The turns of this substep by their bodies.
    turns: Vec<Turn>,
}

/// Notes where every body is at the start of a substep.
pub(crate) fn note_poses(bodies: Res<Bodies>, mut ways: ResMut<SensedWays>) {
    if !bodies.sensors.is_empty() {
        ways.before
            .update(&bodies, BODIES_PER_TASK, Pose::ORIGIN, |i| {
                Pose::of(&bodies, i)
            });
    }
}

/// Finds which bodies have entered and left the sensors in this substep.
pub(crate) fn find_crossings(
    bodies: Res<Bodies>,
    impacts: Res<Impacts>,
    mut ways: ResMut<SensedWays>,
    mut sensors: ResMut<Sensors>,
) {
    let SensedWays {
        before,
        zones,
        found,
        turns,
    } = &mut *ways;
    if bodies.sensors.is_empty() {
        zones.clear();
        return;
    }
    turns.clear();
    turns.extend_from_slice(impacts.turns());
    // Stable: the turns of a body stay in the order of their times.
    turns.sort_by_key(|turn| turn.body);

    let have_changed = zones.update(&bodies, before);
    let start = bodies.time - bodies.h;
    let (zones, turns, known) = (&*zones, &*turns, &*sensors);
    let found = map_chunks(bodies.len(), BODIES_PER_TASK, found, |range, found| {
        found.clear();
        let mut search = |i: usize| {
            if is_sensed(&bodies, i) {
                follow_body(&bodies, i, before[i], turns, zones, known, |crossing| {
                    found.push(Crossing {
                        time: start + crossing.time,
                        ..crossing
                    });
                });
            }
        };
        if have_changed {
            range.for_each(search);
        } else {
            bodies.active_in(range).for_each(&mut search);
        }
    });
    let first = sensors.crossings.len();
    for crossings in found {
        sensors.crossings.append(crossings);
    }
    if sensors.crossings.len() > first {
        sensors.follow(first);
    }
}

/// Whether sensors see a body. Of a compound they see the parts.
fn is_sensed(bodies: &Bodies, i: usize) -> bool {
    let shape = &bodies.shape[i];
    !bodies.is_static(i) && shape.is_round() && !shape.is_compound() && !bodies.is_sensor(i)
}

/// Finds the crossings of one body, with times in seconds from the start of the substep.
fn follow_body(
    bodies: &Bodies,
    i: usize,
    start: Pose,
    turns: &[Turn],
    zones: &Zones,
    known: &Sensors,
    mut tell: impl FnMut(Crossing),
) {
    let body = bodies.entity[i];
    let mut around: SmallVec<[usize; 8]> = known
        .around(body)
        .filter_map(|it| zones.of(bodies, it))
        .collect();
    let inside = around.clone();
    let first = turns.partition_point(|turn| (turn.body as usize) < i);
    let mine = turns[first..].partition_point(|turn| turn.body as usize == i);
    let way = pieces(bodies, i, start, &turns[first..first + mine]);
    let reach = bodies.shape[i].bounding_radius();
    for piece in &way {
        let (low, high) = piece.bounds();
        around.extend(zones.near(low - reach, high + reach));
    }
    around.sort_unstable();
    around.dedup();
    for k in around {
        let zone = zones.get(k);
        let mut side = match inside.contains(&k) {
            true => Side::Inside,
            false => Side::Outside,
        };
        let mut cross = |time: f32, side: Side| {
            tell(Crossing {
                time,
                sensor: zone.entity,
                body,
                enters: side == Side::Inside,
            });
        };
        if !bodies.layers[i].interacts_with(bodies.layers[zone.sensor]) {
            if side == Side::Inside {
                cross(0.0, Side::Outside);
            }
            continue;
        }
        for piece in &way {
            let encounter = Encounter::new(bodies, (i, piece), (zone.sensor, &zone.way));
            side = crossing::find_crossings(&encounter, (piece.from, piece.to), side, &mut cross);
        }
    }
}

/// Writes the messages of this fixed step. A body leaves a sensor when one of the two is gone.
pub(crate) fn write_crossings(
    bodies: Res<Bodies>,
    mut sensors: ResMut<Sensors>,
    mut entered: MessageWriter<SensorEntered>,
    mut left: MessageWriter<SensorLeft>,
) {
    if sensors.inside.is_empty() && sensors.crossings.is_empty() {
        return;
    }
    let Sensors {
        inside, crossings, ..
    } = &mut *sensors;
    let is_there = |&(sensor, body): &(Entity, Entity)| {
        let indices = bodies.index_of(sensor).zip(bodies.index_of(body));
        indices.is_some_and(|(sensor, body)| bodies.is_sensor(sensor) && is_sensed(&bodies, body))
    };
    let before = inside.len();
    left.write_batch(
        inside
            .extract_if(.., |pair| !is_there(pair))
            .map(|(sensor, body)| SensorLeft {
                sensor,
                body,
                time: 0.0,
                by_despawn: true,
            }),
    );
    let is_any_gone = inside.len() < before;
    for crossing in crossings.drain(..) {
        let Crossing {
            time,
            sensor,
            body,
            enters,
        } = crossing;
        if enters {
            entered.write(SensorEntered { sensor, body, time });
        } else {
            left.write(SensorLeft {
                sensor,
                body,
                time,
                by_despawn: false,
            });
        }
    }
    if is_any_gone {
        sensors.index_bodies();
    }
}
