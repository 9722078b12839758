//! Wakes bodies that have been disturbed or touched.

use bevy::prelude::*;

use super::graph::Islands;
use crate::{
    body::Bodies,
    collision::{BroadPhase, manifold},
    config::CollisionConfig,
    shape::smaller_radius,
    solver::{contact::Contacts, impact::Impacts},
};

/// Fraction by which an acceleration may change without waking a body.
const TOLERANCE: f32 = 1e-3;

/// Before the velocities change: wakes bodies that have been disturbed since the last step, or are pulled differently than when
/// they fell asleep.
pub(crate) fn wake_disturbed(
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
        // Bodies that leant on a body that is gone.
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

/// Between the impacts and the contacts: wakes bodies that have been hit, and bodies that an awake body touches.
pub(crate) fn wake_touched(
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
            && !bodies.stands_still(i)
            && !bodies.stands_still(j)
            && touch(bodies, &config, i, j)
        {
            seeds.push(if bodies.asleep[i] { a } else { b });
        }
    }
    islands.wake(bodies, &contacts);
}

/// Whether two bodies touch, or may in this substep.
fn touch(bodies: &Bodies, config: &CollisionConfig, a: usize, b: usize) -> bool {
    // The far parts of a turning kinematic body may approach.
    let turning = |i: usize| {
        let apart = bodies.position[a] - bodies.position[b];
        match bodies.is_pushed(i) {
            true => 0.0,
            false => bodies.angular_velocity[i].cross(apart).length(),
        }
    };
    let speed = (bodies.velocity[a] - bodies.velocity[b]).length() + turning(a) + turning(b);
    let radius = smaller_radius(&bodies.shape[a], &bodies.shape[b]);
    let reach = config.contact_margin * radius + speed * bodies.h;
    let points = manifold(&bodies.placed(a), &bodies.placed(b));
    points.iter().any(|point| point.depth >= -reach)
}
