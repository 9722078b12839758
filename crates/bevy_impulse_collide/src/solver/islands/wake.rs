//! Wakes bodies that have been disturbed or touched.

use bevy::prelude::*;
use glam::DVec3;

use super::{graph::Islands, sleep::HORIZON};
use crate::{
    body::{Bodies, BodyFlags},
    collision::{BroadPhase, manifold},
    config::CollisionConfig,
    shape::{Geometry, Shape},
    solver::{
        contact::{Constraints, Contacts},
        impact::Impacts,
    },
};

/// Fraction of its weight with which a quiet body must press on a sleeping body to wake it.
const MIN_PRESS: f32 = 0.01;

/// Fraction by which an acceleration may change without waking a body, if it would not make the body faster than the sleep speed.
const TOLERANCE: f32 = 1e-3;

/// Before the velocities change: wakes bodies that have been disturbed since the last step, or are pulled differently than when
/// they fell asleep.
pub(crate) fn wake_disturbed(
    mut bodies: ResMut<Bodies>,
    config: Res<CollisionConfig>,
    contacts: Res<Contacts>,
    constraints: Res<Constraints>,
    mut islands: ResMut<Islands>,
) {
    let bodies = &mut *bodies;
    islands.list_constrained(bodies, &constraints);
    let orphans = std::mem::take(&mut islands.orphans);
    let config_before = match &islands.config {
        Some(before) if *before == *config => None,
        _ => islands.config.replace(config.clone()),
    };
    let is_revised = islands.revision != bodies.renewal.revision();
    islands.revision = bodies.renewal.revision();
    islands.has_appeared = is_revised && bodies.any(BodyFlags::APPEARED);
    if !bodies.any(BodyFlags::ASLEEP) {
        return;
    }
    if config.sleep_speed == 0.0 || !config.stages.contact {
        bodies.clear(BodyFlags::ASLEEP);
        bodies.activate_all();
        return;
    }
    islands.seeds.clear();
    for i in bodies.active() {
        // No step has found yet what carries a sleeper that has just come.
        let is_driven = || {
            bodies.velocity[i] != DVec3::ZERO
                || (!bodies.has_appeared(i) && is_pulled_otherwise(bodies, i, config.sleep_speed))
        };
        if bodies.is_disturbed(i) || (bodies.is_asleep(i) && is_driven()) {
            islands.seeds.push(i as u32);
        }
    }
    // So does what a constraint held that has ended.
    let ended = constraints.ended().iter().flat_map(|&(a, b)| [a, b]);
    let orphans = orphans.into_iter().chain(ended);
    let orphans = orphans.filter_map(|entity| bodies.index_of(entity));
    islands.seeds.extend(orphans.map(|i| i as u32));
    if let Some(before) = config_before {
        feel(bodies, (&before, &config), &contacts, &mut islands.seeds);
    }
    // A sleeper that comes back, or comes into a world that is there: what it leant on may have gone. In a world that has just been
    // loaded, all bodies appear at once.
    let are_all_new = || (0..bodies.len()).all(|i| bodies.has_appeared(i));
    if islands.has_appeared && !are_all_new() {
        let come = (0..bodies.len()).filter(|&i| bodies.has_appeared(i) && bodies.is_asleep(i));
        islands.seeds.extend(come.map(|i| i as u32));
    }
    if is_revised {
        // Bodies that leant on a body that is gone.
        for contact in contacts.iter() {
            if let (Some(i), None) | (None, Some(i)) =
                (bodies.index_of(contact.a), bodies.index_of(contact.b))
            {
                islands.seeds.push(i as u32);
            }
        }
    }
    let changed = bodies
        .active()
        .filter(|&i| bodies.is_disturbed(i) && !bodies.is_dynamic(i));
    for i in changed {
        islands.seeds.extend(touched_sleepers(bodies, i));
    }
    bodies.clear(BodyFlags::DISTURBED);
    islands.wake(bodies, &contacts);
}

/// The sleepers that a static or kinematic body touches after it has changed: it may have come into them, or let go of them.
fn touched_sleepers(bodies: &Bodies, i: usize) -> impl Iterator<Item = u32> {
    let reach = match bodies.shape[i] {
        Shape::Plane => f32::INFINITY,
        Shape::Collider => bodies.geometry[i].get().map_or(0.0, Geometry::reach),
        Shape::Particle { .. } | Shape::Capsule { .. } | Shape::Compound { .. } => {
            bodies.shape[i].bounding_radius()
        }
    };
    let sleepers = (0..bodies.len()).filter(|&j| bodies.is_asleep(j));
    let touched = sleepers.filter(move |&j| {
        let most = reach + 2.0 * bodies.shape[j].bounding_radius();
        let apart = bodies.position[i]
            .as_vec3()
            .distance_squared(bodies.position[j].as_vec3());
        apart <= most * most && will_touch(bodies, i, j)
    });
    touched.map(|j| j as u32)
}

/// Lists the sleepers on which contacts act otherwise with another configuration, given before and now.
fn feel(
    bodies: &Bodies,
    (before, now): (&CollisionConfig, &CollisionConfig),
    contacts: &Contacts,
    seeds: &mut Vec<u32>,
) {
    if differ_in_forces(before, now) {
        let asleep = (0..bodies.len()).filter(|&i| bodies.is_asleep(i));
        return seeds.extend(asleep.map(|i| i as u32));
    }
    let coefficients = |config: &CollisionConfig, a: usize, b: usize| {
        let (one, other) = (&bodies.material[a], &bodies.material[b]);
        let rolling =
            (config.rolling_friction).combine(one.rolling_friction, other.rolling_friction);
        let spinning =
            (config.spinning_friction).combine(one.spinning_friction, other.spinning_friction);
        [
            bodies.friction_of(config.friction, a, b),
            bodies.restitution_of(config.restitution, a, b),
            rolling,
            spinning,
        ]
    };
    for contact in contacts
        .iter()
        .filter(|contact| contact.impulse != Vec3::ZERO)
    {
        let (Some(a), Some(b)) = (bodies.index_of(contact.a), bodies.index_of(contact.b)) else {
            continue;
        };
        if coefficients(before, a, b) != coefficients(now, a, b) {
            let asleep = [a, b].into_iter().filter(|&i| bodies.is_asleep(i));
            seeds.extend(asleep.map(|i| i as u32));
        }
    }
}

/// Whether contacts may act otherwise with another configuration, whatever the materials are, or less counts as rest.
fn differ_in_forces(before: &CollisionConfig, now: &CollisionConfig) -> bool {
    let forces = |config: &CollisionConfig| {
        let CollisionConfig {
            stages,
            flat,
            contact_margin,
            contact_method,
            contact_iterations,
            projection_iterations,
            projection,
            overlap_slop,
            ..
        } = *config;
        let counts = (contact_iterations, projection_iterations);
        (
            stages,
            flat,
            contact_method,
            counts,
            projection,
            [contact_margin, overlap_slop],
        )
    };
    forces(before) != forces(now) || now.sleep_speed < before.sleep_speed
}

/// Whether the fields pull a sleeper otherwise than when it fell asleep, so that it moves. `speed` is the sleep speed in m/s.
fn is_pulled_otherwise(bodies: &Bodies, i: usize, speed: f32) -> bool {
    let differ = |field: Vec3, held: Vec3, most: f32| {
        let most = most.min(TOLERANCE * held.length());
        (field + held).length_squared() > most * most
    };
    let field = bodies.acceleration[i].as_vec3() + bodies.joint_acceleration[i];
    let turning = bodies.angular_acceleration[i] + bodies.joint_angular_acceleration[i];
    differ(field, bodies.contact_acceleration[i], speed / HORIZON)
        || differ(
            turning,
            bodies.contact_angular_acceleration[i],
            f32::INFINITY,
        )
}

/// After the impacts: wakes bodies that have been hit, and bodies that an awake body will touch or presses on.
pub(crate) fn wake_touched(
    mut bodies: ResMut<Bodies>,
    mut broad_phase: ResMut<BroadPhase>,
    impacts: Res<Impacts>,
    contacts: Res<Contacts>,
    mut islands: ResMut<Islands>,
) {
    let bodies = &mut *bodies;
    let has_appeared = std::mem::take(&mut islands.has_appeared);
    if !bodies.any(BodyFlags::ASLEEP) {
        if has_appeared {
            bodies.clear(BodyFlags::APPEARED);
        }
        return;
    }
    let Islands {
        seeds, constrained, ..
    } = &mut *islands;
    seeds.clear();
    if has_appeared {
        let pairs = broad_phase.all_pairs();
        seeds.extend(pairs.filter_map(|pair| sleeper_in_new_body(bodies, pair)));
        bodies.clear(BodyFlags::APPEARED);
    }
    let hit = impacts.changed().iter();
    seeds.extend(hit.filter(|&&i| bodies.is_asleep(i as usize)));
    for (k, &(a, b)) in broad_phase.pairs.iter().enumerate() {
        let (sleeper, other) = match (bodies.is_asleep(a as usize), bodies.is_asleep(b as usize)) {
            (true, false) => (a, b),
            (false, true) => (b, a),
            _ => continue,
        };
        let other = other as usize;
        let disturbs = match bodies.quiet_for[other] > 0.0 {
            true => contacts.impulse_of(k, (a, b)) > least_press(bodies, other),
            false => !bodies.is_steady(other) && will_touch(bodies, a as usize, b as usize),
        };
        if disturbs {
            seeds.push(sleeper);
        }
    }
    let is_awake = |i: u32| !bodies.is_asleep(i as usize) && !bodies.is_steady(i as usize);
    seeds.extend(
        constrained
            .iter()
            .filter_map(|&(a, b)| match (is_awake(a), is_awake(b)) {
                (true, false) => Some(b),
                (false, true) => Some(a),
                _ => None,
            }),
    );
    islands.wake(bodies, &contacts);
    broad_phase.set_resting_aside(bodies);
}

/// The sleeper of a pair, if the other body has just appeared in it. A body that moves by itself is looked at where it is awake.
fn sleeper_in_new_body(bodies: &Bodies, (a, b): (u32, u32)) -> Option<u32> {
    let [i, j] = [a, b].map(|body| body as usize);
    let (sleeper, new) = match (bodies.is_asleep(i), bodies.is_asleep(j)) {
        (true, false) => (i, j),
        (false, true) => (j, i),
        _ => return None,
    };
    let comes = bodies.has_appeared(new) && !bodies.has_appeared(sleeper);
    (comes && will_touch(bodies, i, j)).then_some(sleeper as u32)
}

/// The impulse in N·s in a substep with which a quiet body must press on a sleeping one to wake it.
fn least_press(bodies: &Bodies, i: usize) -> f32 {
    MIN_PRESS * bodies.mass[i] * bodies.acceleration[i].length() as f32 * bodies.h
}

/// Whether two bodies touch, or may in this substep.
fn will_touch(bodies: &Bodies, a: usize, b: usize) -> bool {
    // The far parts of a turning body may approach.
    let turning = |i: usize| match bodies.shape[i] {
        Shape::Particle { .. } if !bodies.is_aside(i) => 0.0,
        Shape::Particle { .. } | Shape::Capsule { .. } | Shape::Compound { .. } => {
            let reach = bodies.shape[i].bounding_radius() + bodies.offset[i].length();
            bodies.angular_velocity[i].as_vec3().length() * reach
        }
        Shape::Plane | Shape::Collider => {
            let apart = bodies.position[a].as_vec3() - bodies.position[b].as_vec3();
            let other = if i == a { b } else { a };
            let reach = bodies.shape[other].bounding_radius();
            let w = bodies.angular_velocity[i].as_vec3();
            if w == Vec3::ZERO {
                0.0
            } else {
                w.cross(apart).length() + w.length() * reach
            }
        }
    };
    let accelerations = bodies.flight_acceleration(a) - bodies.flight_acceleration(b);
    let speed = (bodies.velocity[a].as_vec3() - bodies.velocity[b].as_vec3()).length()
        + accelerations.length() * bodies.h
        + turning(a)
        + turning(b);
    let reach = speed * bodies.h;
    let points = manifold(&bodies.placed(a), &bodies.placed(b), reach);
    points.iter().any(|point| point.depth >= -reach)
}
