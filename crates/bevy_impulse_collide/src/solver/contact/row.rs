//! A contact point as a row of the contact problem, and how rows are made from pairs: those of contacts with rolling or spinning
//! friction, of what grows, and of a global system.

use bevy::prelude::*;

use super::{WarmStart, general::General};
use crate::{
    body::Bodies,
    collision::{ManifoldPoint, manifold},
    config::CollisionConfig,
    kernel::{tangential_velocity, turn},
    shape::{Shape, smaller_radius},
};

/// One contact point, and the impulses found for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub a: u32,
    pub b: u32,
    /// Which point of the pair's contact set.
    pub feature: u32,
    pub point: ManifoldPoint,
    /// Speed at which the gap may close: so fast that it is just gone when the substep ends.
    pub closing_allowed: f32,
    /// Whether the bodies pass each other in this substep, are clear of each other at the end, and were not pressed on each
    /// other a substep ago.
    pub is_passing: bool,
    pub friction: f32,
    pub normal_impulse: f32,
    pub friction_impulse: Vec3,
}

impl Row {
    /// Impulse on `a` so far, in N·s: normal and friction.
    pub fn impulse(&self) -> Vec3 {
        self.point.normal * self.normal_impulse + self.friction_impulse
    }
}

/// The rows of some pairs.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub rows: Vec<Row>,
    /// What else each row needs.
    pub general: Vec<General>,
}

impl Rows {
    pub fn clear(&mut self) {
        self.rows.clear();
        self.general.clear();
    }

    /// Adds the rows of `other`, and leaves it empty.
    pub fn append(&mut self, other: &mut Self) {
        self.rows.append(&mut other.rows);
        self.general.append(&mut other.general);
    }

    /// Adds a row for each point at which `a` and `b` touch, or will in this substep. `unresolved` tells that the jolt stage
    /// has left impacts of the pair over: then a fast approach is a contact too.
    pub fn add_pair(
        &mut self,
        bodies: &Bodies,
        config: &CollisionConfig,
        a: usize,
        b: usize,
        unresolved: bool,
    ) {
        let h = bodies.h;
        let radius = smaller_radius(&bodies.shape[a], &bodies.shape[b]);
        let margin = config.contact_margin * radius;
        let centre_velocity = bodies.velocity[a] - bodies.velocity[b];
        // What no jolt has stopped, a contact must.
        let slow = if unresolved || !config.stages.impulse_jolt {
            f32::INFINITY
        } else {
            let field = bodies.flight_acceleration(a) - bodies.flight_acceleration(b);
            config.resting_speed + field.length() * h
        };
        let particles = matches!(bodies.shape[a], Shape::Particle { .. })
            && matches!(bodies.shape[b], Shape::Particle { .. });
        if particles {
            // Most pairs are balls too far apart: they need no contact set to tell.
            let closing = slow.min(centre_velocity.length());
            let reach = bodies.shape[a].radius() + bodies.shape[b].radius() + margin + closing * h;
            if bodies.position[a].distance_squared(bodies.position[b]) > reach * reach {
                return;
            }
        }
        let launch = (bodies.launch_position[a] - bodies.position[a])
            - (bodies.launch_position[b] - bodies.position[b]);
        for (feature, &point) in manifold(&bodies.placed(a), &bodies.placed(b))
            .iter()
            .enumerate()
        {
            let n = point.normal;
            let velocity = if particles {
                // Both arms lie along the normal.
                centre_velocity
            } else {
                bodies.point_velocity(a, point.point - bodies.position[a])
                    - bodies.point_velocity(b, point.point - bodies.position[b])
            };
            let gap = -point.depth;
            let approach = (-n.dot(velocity)).max(0.0);
            if gap > margin + h * approach.min(slow) {
                continue;
            }
            let is_passing = particles
                && point.depth <= config.overlap_slop * radius
                && parts_again(bodies, a, b, launch, margin);
            let closing_allowed = gap.max(0.0) / h
                + n.dot(launch) / h
                + round_off_the_path(
                    bodies,
                    a,
                    b,
                    point.depth,
                    tangential_velocity(centre_velocity, n),
                    h,
                );
            self.add(
                bodies,
                config,
                (a, b, feature as u32),
                point,
                closing_allowed,
                is_passing,
            );
        }
    }

    fn add(
        &mut self,
        bodies: &Bodies,
        config: &CollisionConfig,
        (a, b, feature): (usize, usize, u32),
        point: ManifoldPoint,
        closing_allowed: f32,
        is_passing: bool,
    ) {
        let (material_a, material_b) = (bodies.material[a], bodies.material[b]);
        let rolling_friction = config
            .rolling_friction
            .combine(material_a.rolling_friction, material_b.rolling_friction);
        let spinning_friction = config
            .spinning_friction
            .combine(material_a.spinning_friction, material_b.spinning_friction);
        let frictions = (rolling_friction, spinning_friction);
        self.general
            .push(General::new(bodies, a, b, &point, frictions));
        self.rows.push(Row {
            a: a as u32,
            b: b as u32,
            feature,
            point,
            closing_allowed,
            is_passing,
            friction: config
                .friction
                .combine(material_a.friction, material_b.friction),
            normal_impulse: 0.0,
            friction_impulse: Vec3::ZERO,
        });
    }

    /// Takes over the impulses of rows that were there before, as much of them as the configuration says. Both lists are
    /// sorted by pair, so one pass finds them all. Then what passes goes: it has no contact.
    ///
    /// Friction and couples are vectors that turn with the bodies: in a heap that turns as one, they then are right from the
    /// start, and it does not creep.
    pub fn remember(
        &mut self,
        bodies: &Bodies,
        previous: &Self,
        previous_entities: &[Entity],
        warm_start: WarmStart,
    ) {
        let pairs_before = previous.rows.iter().map(|row| (row.a, row.b));
        let before = bodies.renumber(previous_entities, pairs_before);
        let mut before = &before[..];
        let mut start = 0;
        while let Some(first) = self.rows.get(start) {
            let pair = (first.a, first.b);
            let size = self.rows[start..]
                .iter()
                .take_while(|row| (row.a, row.b) == pair)
                .count();
            let earlier = before.iter().take_while(|found| found.pair < pair).count();
            before = &before[earlier..];
            let same = before.iter().take_while(|found| found.pair == pair).count();
            let (found, after) = before.split_at(same);
            before = after;

            let rows = &mut self.rows[start..start + size];
            let generals = &mut self.general[start..start + size];
            start += size;
            let is_plane = |i: u32| matches!(bodies.shape[i as usize], Shape::Plane);
            let moves = !is_plane(pair.0) && !is_plane(pair.1);
            for found in found {
                let old = &previous.rows[found.before];
                let shares = shares(old, rows, same, moves);
                let sign = if found.is_swapped { -1.0 } else { 1.0 };
                for ((row, general), share) in rows.iter_mut().zip(&mut *generals).zip(shares) {
                    let turned = |vector: Vec3| turned_with_pair(bodies, row, sign * vector);
                    general.couple +=
                        warm_start.friction * share * turned(previous.general[found.before].couple);
                    let friction_impulse = turned(old.friction_impulse);
                    row.is_passing &= old.normal_impulse <= 0.0;
                    row.normal_impulse += warm_start.normal * share * old.normal_impulse;
                    row.friction_impulse += warm_start.friction
                        * share
                        * tangential_velocity(friction_impulse, row.point.normal);
                }
            }
        }
        let mut rows = self.rows.iter();
        self.general
            .retain(|_| rows.next().is_some_and(|row| !row.is_passing));
        self.rows.retain(|row| !row.is_passing);
    }
}

/// What part of the impulse of `old`, one of the `before` points at which a pair touched, each of its `rows` now starts with.
///
/// On a plane, the points are a capsule's ends. Between two capsules, which are at one time nearest at one point and then along a
/// stretch with two, they are not the same ones: what was at one point is shared by two so that their torque is the same.
fn shares(old: &Row, rows: &[Row], before: usize, are_capsules: bool) -> [f32; 2] {
    match rows {
        [_] if are_capsules => [1.0, 0.0],
        [first, second] if are_capsules && before == 1 => {
            let (start, stretch) = (first.point.point, second.point.point - first.point.point);
            let along = (old.point.point - start).dot(stretch);
            let part = along.max(0.0) / stretch.length_squared().max(f32::MIN_POSITIVE);
            let part = part.min(1.0);
            [1.0 - part, part]
        }
        _ => {
            let is_same = |k: usize| rows.get(k).is_some_and(|row| row.feature == old.feature);
            [0, 1].map(|k| if is_same(k) { 1.0 } else { 0.0 })
        }
    }
}

/// `vector`, turned over a substep as the free bodies of the row turn on average.
fn turned_with_pair(bodies: &Bodies, row: &Row, vector: Vec3) -> Vec3 {
    let (mut w, mut count) = (Vec3::ZERO, 0.0);
    for i in [row.a as usize, row.b as usize] {
        if bodies.is_free(i) {
            w += bodies.angular_velocity[i];
            count += 1.0;
        }
    }
    if count < 2.0 || vector == Vec3::ZERO {
        // What lies on the ground rolls over it: its friction does not turn.
        return vector;
    }
    turn(w / count, bodies.h) * vector
}

/// Whether a ball passes another in this substep, and is clear of it at the end. The jolt stage has seen to what they had to
/// do with each other: the flat contact of a glancing pass would only take energy. A ball that rests on what is held does not
/// pass it: the field has given it a velocity that contacts will take.
fn parts_again(bodies: &Bodies, a: usize, b: usize, launch: Vec3, margin: f32) -> bool {
    let h = bodies.h;
    let is_held = !(bodies.is_pushed(a) && bodies.is_pushed(b));
    let pull = |i: usize| bodies.acceleration[i].length() as f32;
    let kick = if is_held {
        (pull(a) + pull(b)) * h
    } else {
        0.0
    };
    let path = (bodies.velocity[a] - bodies.velocity[b]) * h;
    let end = bodies.position[a] - bodies.position[b] + launch + path;
    let reach = bodies.shape[a].radius() + bodies.shape[b].radius();
    path.length() > margin + kick * h && end.length() >= reach
}

/// Speed at which two round surfaces that slide past each other may close at first, as a straight path over the substep
/// opens them up again: (d − √(d² − (v_t·h)²))/h, with d the distance at which they end. Without it every turning heap would
/// swell.
fn round_off_the_path(bodies: &Bodies, a: usize, b: usize, depth: f32, v_t: Vec3, h: f32) -> f32 {
    let (Shape::Particle { radius: r_a }, Shape::Particle { radius: r_b }) =
        (bodies.shape[a], bodies.shape[b])
    else {
        return 0.0;
    };
    // What overlaps may go on overlapping: to part it is the projection's task.
    let d = r_a + r_b - depth.max(0.0);
    // Past half the distance in a step the path is no longer a slide.
    let slide = (v_t.length() * h).min(0.5 * d);
    // The difference of the squares over the sum: it keeps its digits for a short slide.
    slide * slide / (d + (d * d - slide * slide).sqrt()) / h
}
