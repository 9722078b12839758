//! Sleep: bodies that rest on something that does not move, and touch only bodies that rest too, are left alone.
//!
//! What presses on each other, directly or by way of others, is an island. An island falls asleep as a whole, when all its bodies have
//! been quiet for a while, and wakes as a whole. Balls that float free never sleep, however slow they are.

use bevy::prelude::*;

use crate::{
    bodies::{Bodies, smaller_radius},
    config::CollisionConfig,
    find::{BroadPhase, manifold},
    solver::contact::Contacts,
    step::Impacts,
};

/// Part of an acceleration by which it may change without waking a body.
const TOLERANCE: f32 = 1e-3;

/// Overlap, as a fraction of the smaller radius, with which a body does not fall asleep: it is still being pushed out.
const MOST_OVERLAP: f32 = 1e-3;

/// Fixed steps between two looks for islands to put to sleep.
const STEPS_BETWEEN_LOOKS: u32 = 8;

/// Who presses on whom, and room to work in.
#[derive(Resource, Debug, Default)]
pub(crate) struct Islands {
    links: Vec<(u32, u32)>,
    parents: Vec<u32>,
    seeds: Vec<u32>,
    marks: Vec<bool>,
    steps: u32,
    /// The revision of the bodies that was last looked at.
    revision: u64,
}

/// Before the velocities move on: wakes what has been disturbed since the last step, or is pulled otherwise than when it fell
/// asleep.
pub(crate) fn rouse_disturbed(
    mut bodies: ResMut<Bodies>,
    config: Res<CollisionConfig>,
    contacts: Res<Contacts>,
    mut islands: ResMut<Islands>,
) {
    let bodies = &mut *bodies;
    if !bodies.asleep.contains(&true) {
        return;
    }
    if config.sleep_speed == 0.0 || !config.stages.contact {
        bodies.asleep.fill(false);
        return;
    }
    islands.seeds.clear();
    for i in 0..bodies.len() {
        if bodies.disturbed[i] || (bodies.asleep[i] && is_pulled_otherwise(bodies, i)) {
            islands.seeds.push(i as u32);
        }
    }
    if islands.revision != bodies.revision {
        islands.revision = bodies.revision;
        // Those that leant on a body that is gone.
        for contact in contacts.iter() {
            if let (Some(i), None) | (None, Some(i)) =
                (bodies.index_of(contact.a), bodies.index_of(contact.b))
            {
                islands.seeds.push(i as u32);
            }
        }
    }
    bodies.disturbed.fill(false);
    islands.wake(bodies, &contacts);
}

fn is_pulled_otherwise(bodies: &Bodies, i: usize) -> bool {
    let differ = |field: Vec3, held: Vec3| {
        (field + held).length_squared() > TOLERANCE * TOLERANCE * held.length_squared()
    };
    let field = bodies.acceleration[i].as_vec3();
    let turning = bodies.angular_acceleration[i];
    differ(field, bodies.contact_acceleration[i])
        || differ(turning, bodies.contact_angular_acceleration[i])
}

/// Between the impacts and the contacts: wakes what has been hit, and what a body that is awake touches.
pub(crate) fn rouse_touched(
    mut bodies: ResMut<Bodies>,
    config: Res<CollisionConfig>,
    broad_phase: Res<BroadPhase>,
    impacts: Res<Impacts>,
    contacts: Res<Contacts>,
    mut islands: ResMut<Islands>,
) {
    let bodies = &mut *bodies;
    if !bodies.asleep.contains(&true) {
        return;
    }
    let seeds = &mut islands.seeds;
    seeds.clear();
    for i in (0..bodies.len()).filter(|&i| bodies.asleep[i]) {
        if impacts.has_changed(i) {
            seeds.push(i as u32);
        }
    }
    for &(a, b) in &broad_phase.pairs {
        let (i, j) = (a as usize, b as usize);
        if bodies.asleep[i] != bodies.asleep[j]
            && bodies.is_free(i)
            && bodies.is_free(j)
            && touch(bodies, &config, i, j)
        {
            seeds.push(if bodies.asleep[i] { a } else { b });
        }
    }
    islands.wake(bodies, &contacts);
}

/// Whether two bodies touch, or may in this substep.
fn touch(bodies: &Bodies, config: &CollisionConfig, a: usize, b: usize) -> bool {
    let speed = (bodies.velocity[a] - bodies.velocity[b]).length();
    let radius = bodies.shape[a].radius().min(bodies.shape[b].radius());
    let reach = config.contact_margin * radius + speed * bodies.h;
    let points = manifold(&bodies.placed(a), &bodies.placed(b));
    points.iter().any(|point| point.depth >= -reach)
}

/// After the step: puts islands to sleep of which every body has been quiet for long enough, and that something fixed
/// holds up.
pub(crate) fn doze_off(
    mut bodies: ResMut<Bodies>,
    config: Res<CollisionConfig>,
    contacts: Res<Contacts>,
    time: Res<Time>,
    mut islands: ResMut<Islands>,
) {
    if config.sleep_speed == 0.0 {
        return;
    }
    let bodies = &mut *bodies;
    let (speed, delay, elapsed) = (config.sleep_speed, config.sleep_delay, time.delta_secs());
    let half = 0.5 * bodies.h;
    bodies.for_each_run(|_, run| {
        for i in 0..run.len() {
            let a = run.acceleration[i].as_vec3() + run.contact_acceleration[i];
            let v = run.velocity[i] + a * half;
            let rim = run.angular_velocity[i].length() * run.shape[i].radius();
            let is_quiet =
                run.is_pushed(i) && v.length().max(rim) < speed && run.growth[i].rate == 0.0;
            run.quiet_for[i] = if is_quiet {
                run.quiet_for[i] + elapsed
            } else {
                0.0
            };
        }
    });
    islands.steps += 1;
    let drowsy = |bodies: &Bodies, i: usize| !bodies.asleep[i] && bodies.quiet_for[i] >= delay;
    if !islands.steps.is_multiple_of(STEPS_BETWEEN_LOOKS)
        || !(0..bodies.len()).any(|i| drowsy(bodies, i))
    {
        return;
    }

    islands.join(bodies, &contacts);
    let Islands {
        links,
        parents,
        marks,
        ..
    } = &mut *islands;
    // Islands that something holds up.
    marks.clear();
    marks.resize(bodies.len(), false);
    for &(a, b) in links.iter() {
        let (a, b) = (a as usize, b as usize);
        match (bodies.is_free(a), bodies.is_free(b)) {
            (true, false) => marks[root(parents, a)] = true,
            (false, true) => marks[root(parents, b)] = true,
            _ => {}
        }
    }
    for i in 0..bodies.len() {
        if bodies.is_free(i) && bodies.quiet_for[i] < delay {
            marks[root(parents, i)] = false;
        }
    }
    for contact in contacts.iter() {
        let (Some(a), Some(b)) = (bodies.index_of(contact.a), bodies.index_of(contact.b)) else {
            continue;
        };
        let radius = smaller_radius(&bodies.shape[a], &bodies.shape[b]);
        if contact.depth > MOST_OVERLAP * radius {
            for i in [a, b].into_iter().filter(|&i| bodies.is_free(i)) {
                marks[root(parents, i)] = false;
            }
        }
    }
    for i in 0..bodies.len() {
        if drowsy(bodies, i) && marks[root(parents, i)] {
            bodies.put_to_sleep(i);
        }
    }
}

impl Islands {
    /// Wakes the islands of all seeds. A seed that nothing moves wakes the islands that lean on it.
    fn wake(&mut self, bodies: &mut Bodies, contacts: &Contacts) {
        if self.seeds.is_empty() {
            return;
        }
        self.join(bodies, contacts);
        let Self {
            links,
            parents,
            seeds,
            marks,
            ..
        } = self;
        marks.clear();
        marks.resize(bodies.len(), false);
        for &seed in seeds.iter() {
            marks[root(parents, seed as usize)] = true;
        }
        for &(a, b) in links.iter() {
            let (a, b) = (a as usize, b as usize);
            for (fixed, other) in [(a, b), (b, a)] {
                if !bodies.is_free(fixed) && marks[fixed] && bodies.is_free(other) {
                    marks[root(parents, other)] = true;
                }
            }
        }
        for i in 0..bodies.len() {
            if bodies.asleep[i] && marks[root(parents, i)] {
                bodies.asleep[i] = false;
                bodies.quiet_for[i] = 0.0;
            }
        }
    }

    /// Joins free bodies that press on each other: those of one island have one root.
    fn join(&mut self, bodies: &Bodies, contacts: &Contacts) {
        let Self { links, parents, .. } = self;
        let index_of = |entity: Entity| bodies.index_of(entity).map(|i| i as u32);
        links.clear();
        links.extend(
            contacts
                .iter()
                .filter(|contact| contact.impulse != Vec3::ZERO)
                .filter_map(|contact| Some((index_of(contact.a)?, index_of(contact.b)?))),
        );
        parents.clear();
        parents.extend(0..bodies.len() as u32);
        for &(a, b) in links.iter() {
            let (a, b) = (a as usize, b as usize);
            if bodies.is_free(a) && bodies.is_free(b) {
                let (a, b) = (root(parents, a), root(parents, b));
                parents[a.max(b)] = a.min(b) as u32;
            }
        }
    }
}

/// The root of a body's island; the way to it is halved on the way.
fn root(parents: &mut [u32], mut i: usize) -> usize {
    while parents[i] as usize != i {
        parents[i] = parents[parents[i] as usize];
        i = parents[i] as usize;
    }
    i
}

impl Bodies {
    /// Whether the body stays where it is in this substep: it sleeps, or nothing moves it.
    pub(crate) fn is_at_rest(&self, i: usize) -> bool {
        self.asleep[i] || !self.is_free(i)
    }

    /// Puts a body to rest: what it touches holds it against every field.
    fn put_to_sleep(&mut self, i: usize) {
        self.asleep[i] = true;
        self.columns().hold(i);
    }
}
