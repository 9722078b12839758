//! Impacts, soonest first: the queue of predicted impacts.

use std::cmp::Reverse;

use bevy::math::Vec3;

use super::{
    impact_set::ImpactSet,
    impacts::{Impacts, Unresolved},
    pause::PausedBody,
    predicted::{Predicted, predict},
};
use crate::{
    body::{Bodies, Turn, is_gone},
    collision::{BallFilter, BroadPhase, CapsuleFilter, PAIRS_PER_FILTER},
    config::CollisionConfig,
    parallel::map_chunks,
    shape::smaller_radius,
    solver::joint::Joints,
};

/// Number of pairs whose impacts one task predicts.
const PAIRS_PER_TASK: usize = 512;

/// The same for pairs with a collider, which take much more time.
const SURFACE_PAIRS_PER_TASK: usize = 8;

/// Number of bodies whose filters one task makes.
const BODIES_PER_TASK: usize = 2048;

/// The relative path of a pair in a substep, as a fraction of the smaller radius, on which contacts can stop its approach: the
/// normals are those at the start. After an impact, the path includes the way back to where the flight starts.
const SLOW_PATH: f32 = 1.0;

/// The same in a dense flow, where a body has had its impacts of this substep.
const CROWDED_PATH: f32 = 2.0;

/// Impacts of a body in a substep from which it is in a dense flow, if its impacts are not nearly elastic.
const CROWDED_FROM: f32 = 4.0;

/// Resolves the impacts of this substep, soonest first.
pub(crate) fn resolve_impacts(
    bodies: &mut Bodies,
    config: &CollisionConfig,
    broad_phase: &mut BroadPhase,
    impacts: &mut Impacts,
    mut joints: Option<&mut Joints>,
    gravity: Vec3,
) {
    if let Some(joints) = &mut joints {
        joints.find_joined(bodies);
    }
    let allowed = (config.impacts_per_substep * bodies.len() as f32) as usize;
    let mut jolt = Jolt {
        bodies,
        config,
        broad_phase,
        impacts,
        joints,
        left: allowed.max(config.least_impacts as usize),
    };
    jolt.predict_all();
    while let Some(first) = jolt.next() {
        if jolt.left == 0 || jolt.is_crowded(first.a, first.b) {
            // The contacts solve many impacts at once, which a large heap of capsules needs.
            jolt.leave_to_contacts(&first);
        } else if jolt.must_wait(&first) {
            jolt.wait(&first);
        } else {
            jolt.resolve(&first);
        }
    }
    broad_phase.commit_added();
    for paused in &impacts.paused {
        paused.release(bodies, gravity);
    }
    bodies.place_parts();
}

/// The impacts of a substep while they are resolved.
struct Jolt<'a> {
    bodies: &'a mut Bodies,
    config: &'a CollisionConfig,
    broad_phase: &'a mut BroadPhase,
    impacts: &'a mut Impacts,
    joints: Option<&'a mut Joints>,
    /// How many more impacts are allowed.
    left: usize,
}

impl Jolt<'_> {
    /// Puts the first impact of every pair into the queue.
    fn predict_all(&mut self) {
        let Self {
            bodies,
            config,
            broad_phase,
            impacts,
            ..
        } = self;
        let Impacts {
            queue,
            changes,
            unresolved,
            predicted,
            on_surfaces,
            surface_pairs,
            ball_filters,
            capsule_filters,
            ..
        } = &mut **impacts;
        let bodies: &Bodies = bodies;
        queue.clear();
        unresolved.resize(bodies.len(), Unresolved::Nothing);
        let (h, resting_speed) = (bodies.h, config.resting_speed);
        ball_filters.update(bodies, BODIES_PER_TASK, BallFilter::UNKNOWN, |i| {
            BallFilter::of(bodies, i)
        });
        if bodies.have_capsules {
            capsule_filters.update(bodies, BODIES_PER_TASK, CapsuleFilter::NONE, |i| {
                CapsuleFilter::of(bodies, i)
            });
        } else {
            capsule_filters.clear();
        }
        let may_capsules_hit = |a, b| may_capsules_hit(capsule_filters, (a, b), resting_speed, h);
        let pairs = &broad_phase.pairs;
        let predicted = map_chunks(
            pairs.len(),
            PAIRS_PER_TASK,
            predicted,
            |range, (predicted, on_surfaces)| {
                on_surfaces.clear();
                for pairs in pairs[range].chunks(PAIRS_PER_FILTER) {
                    let filters = std::array::from_fn(|k| {
                        let (a, b) = pairs[k.min(pairs.len() - 1)];
                        (&ball_filters[a as usize], &ball_filters[b as usize])
                    });
                    let may_hit = BallFilter::may_hit(filters, resting_speed, h);
                    if may_hit == 0 {
                        continue;
                    }
                    let is_left = |&(k, _): &(usize, _)| may_hit & 1 << k != 0;
                    for (k, &(a, b)) in pairs.iter().enumerate().filter(is_left) {
                        if is_gone((a, b)) {
                            continue;
                        }
                        let are_balls = filters[k].0.is_ball() && filters[k].1.is_ball();
                        if bodies.has_collider(a as usize, b as usize) {
                            on_surfaces.push((a, b));
                        } else if are_balls || may_capsules_hit(a, b) {
                            predicted.extend(predict(bodies, config, changes, a, b, 0.0));
                        }
                    }
                }
            },
        );
        surface_pairs.clear();
        for (found, with_colliders) in predicted {
            queue.extend(found.drain(..));
            surface_pairs.extend_from_slice(with_colliders);
        }
        let surface_pairs = &*surface_pairs;
        let predicted = map_chunks(
            surface_pairs.len(),
            SURFACE_PAIRS_PER_TASK,
            on_surfaces,
            |range, predicted| {
                let pairs = surface_pairs[range].iter();
                predicted.extend(
                    pairs.filter_map(|&(a, b)| predict(bodies, config, changes, a, b, 0.0)),
                );
            },
        );
        for found in predicted {
            queue.extend(found.drain(..));
        }
    }

    /// Takes the next impact out of the queue.
    fn next(&mut self) -> Option<Predicted> {
        while let Some(Reverse(next)) = self.impacts.queue.pop() {
            if self.impacts.is_valid(&next) {
                return Some(next);
            }
        }
        None
    }

    /// Resolves an impact, and all impacts at the same moment.
    fn resolve(&mut self, first: &Predicted) {
        let time = first.time;
        self.impacts.set.begin(time);
        self.impacts.set.add(first.a, first.b);
        // If the surfaces of a later impact almost touch already, it is simultaneous with the first.
        while self.impacts.set.len() < self.left
            && let Some(&Reverse(next)) = self.impacts.queue.peek()
        {
            if self.impacts.is_valid(&next) {
                let set = &mut self.impacts.set;
                if !set.is_simultaneous(self.bodies, self.config, (next.a, next.b), next.time)
                    || self.must_wait(&next)
                    || self.is_crowded(next.a, next.b)
                {
                    break;
                }
                self.impacts.set.add(next.a, next.b);
            }
            self.impacts.queue.pop();
        }
        let Impacts { set, resolved, .. } = &mut *self.impacts;
        self.left -= set.len();
        let joints = self.joints.as_deref_mut();
        set.resolve(self.bodies, self.config, joints, resolved);
        for k in 0..self.impacts.set.len() {
            let (a, b) = self.impacts.set.pairs[k];
            for i in [a, b] {
                if self.is_joined(i) && self.impacts.unresolved(i as usize) != Unresolved::Paused {
                    self.impacts.unresolved[i as usize] = Unresolved::Joined;
                }
            }
        }

        for k in 0..self.impacts.set.bodies().len() {
            let i = self.impacts.set.bodies()[k];
            for i in self.bodies.with_parts(i as usize) {
                self.note_change(i as u32, time);
                let margin = self.config.contact_margin;
                self.broad_phase.resweep(self.bodies, i, time, margin);
            }
        }
        for k in 0..self.impacts.set.bodies().len() {
            let i = self.impacts.set.bodies()[k];
            for i in self.bodies.with_parts(i as usize) {
                // If both bodies of a pair have changed, the first one predicts the pair.
                self.predict_again(i as u32, time, |set, j| {
                    set.index_of(j).is_none_or(|index| index >= k)
                });
            }
        }
    }

    /// Makes the predictions of a body, or of a part, void: its flight has changed at `time`.
    fn note_change(&mut self, i: u32, time: f32) {
        if !self.bodies.sensors.is_empty() {
            let turn = Turn::of(self.bodies, i, time);
            self.impacts.turns.push(turn);
        }
        let (i, impacts) = (i as usize, &mut *self.impacts);
        if impacts.changes[i] == 0 {
            impacts.changed.push(i as u32);
            self.bodies.activate(i);
        }
        impacts.changes[i] += 1;
        impacts.ball_filters[i] = BallFilter::of(self.bodies, i);
        if let Some(filter) = impacts.capsule_filters.get_mut(i) {
            *filter = CapsuleFilter::of(self.bodies, i);
        }
    }

    /// Predicts the impacts of body `i` with its neighbours for which `is_wanted`, given the body that moves each, after `time`.
    fn predict_again(&mut self, i: u32, time: f32, is_wanted: impl Fn(&ImpactSet, u32) -> bool) {
        if self.bodies.shape[i as usize].is_compound() {
            return;
        }
        let Impacts {
            set,
            queue,
            changes,
            unresolved,
            candidates,
            ball_filters,
            capsule_filters,
            ..
        } = &mut *self.impacts;
        let (bodies, config) = (&*self.bodies, self.config);
        let may_capsules_hit =
            |j| may_capsules_hit(capsule_filters, (i, j), config.resting_speed, bodies.h);
        let is_ball = |i: usize| ball_filters[i].is_ball();
        let are_balls = |j| is_ball(i as usize) && is_ball(j);
        self.broad_phase.find_candidates(
            bodies,
            i as usize,
            config.contact_margin,
            are_balls,
            candidates,
        );
        for chunk in candidates.chunks(PAIRS_PER_FILTER) {
            let filters = std::array::from_fn(|n| {
                let j = chunk[n.min(chunk.len() - 1)];
                (&ball_filters[i as usize], &ball_filters[j as usize])
            });
            let may_hit = BallFilter::may_hit(filters, config.resting_speed, bodies.h);
            for (_, &j) in (0..).zip(chunk).filter(|(n, _)| may_hit & 1 << n != 0) {
                let whole = bodies.whole_of(j as usize) as u32;
                if is_wanted(set, whole) && (are_balls(j as usize) || may_capsules_hit(j)) {
                    let (low, high) = (i.min(j), i.max(j));
                    if is_crowded(bodies, config, changes, (low, high)) {
                        leave_to_contacts(bodies, unresolved, (low, high));
                    } else {
                        queue.extend(predict(bodies, config, changes, low, high, time));
                    }
                }
            }
        }
    }

    /// Whether an impact is above the allowed numbers, or not known to happen.
    fn must_wait(&self, next: &Predicted) -> bool {
        !next.is_impact || self.is_limited(next.a) || self.is_limited(next.b)
    }

    fn is_limited(&self, i: u32) -> bool {
        self.impacts.changes[i as usize] >= self.config.impacts_per_body
            || self.impacts.unresolved(i as usize) == Unresolved::Paused
    }

    /// Leaves such an impact to the contact stage, or lets its bodies wait: the bodies that have reached the limit, or else the
    /// other one.
    fn wait(&mut self, next: &Predicted) {
        // A body that waits would hold up those that are joined to it.
        let is_joined = |i: u32| self.is_joined(i);
        if is_joined(next.a)
            || is_joined(next.b)
            || is_slow(self.bodies, (next.a, next.b), SLOW_PATH)
        {
            self.leave_to_contacts(next);
            return;
        }
        let [a, b] = [next.a, next.b].map(|i| {
            let is_paused = self.impacts.unresolved(i as usize) == Unresolved::Paused;
            self.bodies.is_dynamic(i as usize) && !is_paused
        });
        let [limited_a, limited_b] =
            [next.a, next.b].map(|i| !next.is_impact || self.is_limited(i));
        let any = a && limited_a || b && limited_b;
        for (i, may_wait, is_limited) in [(next.a, a, limited_a), (next.b, b, limited_b)] {
            if !may_wait || any && !is_limited {
                continue;
            }
            self.pause(i, next.time);
        }
    }

    fn is_joined(&self, i: u32) -> bool {
        let whole = self.bodies.whole_of(i as usize);
        let joints = self.joints.as_deref();
        joints.is_some_and(|joints| joints.articulation_of(whole).is_some())
    }

    fn leave_to_contacts(&mut self, pair: &Predicted) {
        leave_to_contacts(self.bodies, &mut self.impacts.unresolved, (pair.a, pair.b));
    }

    /// See the function [`is_crowded`].
    fn is_crowded(&self, a: u32, b: u32) -> bool {
        is_crowded(self.bodies, self.config, &self.impacts.changes, (a, b))
    }

    fn pause(&mut self, i: u32, time: f32) {
        let whole = self.bodies.whole_of(i as usize);
        let paused = PausedBody::pause(self.bodies, whole, time);
        self.bodies.place_parts_of(whole);
        self.impacts.paused.push(paused);
        for i in self.bodies.with_parts(whole) {
            self.impacts.unresolved[i] = Unresolved::Paused;
            self.note_change(i as u32, time);
            let margin = self.config.contact_margin;
            self.broad_phase.resweep(self.bodies, i, time, margin);
        }
        // A paused body is an obstacle at rest.
        for i in self.bodies.with_parts(whole) {
            self.predict_again(i as u32, time, |_, _| true);
        }
    }
}

/// Whether a pair with a capsule may have an impact in a substep of `h` seconds. Without capsules there are no filters.
fn may_capsules_hit(
    filters: &[CapsuleFilter],
    (a, b): (u32, u32),
    resting_speed: f32,
    h: f32,
) -> bool {
    match (filters.get(a as usize), filters.get(b as usize)) {
        (Some(a), Some(b)) => a.may_hit(b, resting_speed, h),
        _ => true,
    }
}

/// Whether a pair is in a dense flow, and contacts can stop its approach, without a bounce. There a body has had [`CROWDED_FROM`]
/// impacts in this substep, and with the coefficient e of the pair e/(1 − e): e to this power is a half or less. An elastic pair never
/// is. Neither are two compounds, which may meet at many points.
fn is_crowded(
    bodies: &Bodies,
    config: &CollisionConfig,
    changes: &[u32],
    (a, b): (u32, u32),
) -> bool {
    let (i, j) = (a as usize, b as usize);
    let changes = changes[i].max(changes[j]) as f32;
    if changes < CROWDED_FROM || bodies.is_part(i) && bodies.is_part(j) {
        return false;
    }
    let restitution = bodies.restitution_of(config.restitution, i, j);
    changes * (1.0 - restitution) >= restitution && is_slow(bodies, (a, b), CROWDED_PATH)
}

/// Whether the relative path of a pair in the substep is short: at most this fraction of the smaller radius.
fn is_slow(bodies: &Bodies, (a, b): (u32, u32), most: f32) -> bool {
    let (a, b) = (a as usize, b as usize);
    let radius = smaller_radius(&bodies.shape[a], &bodies.shape[b]);
    let [whole_a, whole_b] = [a, b].map(|i| bodies.whole_of(i));
    // The speed of a core's ends about the centre of mass.
    let turning = |i: usize| {
        let reach = bodies.shape[i].core_reach() + bodies.offset[i].length();
        bodies.angular_velocity[i].as_vec3().length() * reach
    };
    let back = |i: usize| bodies.flight_shift[i];
    let acceleration = bodies.flight_acceleration(a) - bodies.flight_acceleration(b);
    let velocity = bodies.velocity[whole_a].as_vec3() - bodies.velocity[whole_b].as_vec3();
    let speed = velocity.length() + acceleration.length() * bodies.h + turning(a) + turning(b);
    (back(a) - back(b)).length() + speed * bodies.h <= most * radius
}

/// Leaves the impacts of a pair in this substep to the contact stage.
fn leave_to_contacts(bodies: &Bodies, unresolved: &mut [Unresolved], (a, b): (u32, u32)) {
    for i in [a, b].map(|i| bodies.whole_of(i as usize)) {
        for i in bodies.with_parts(i) {
            if bodies.is_dynamic(i) && unresolved[i] == Unresolved::Nothing {
                unresolved[i] = Unresolved::ToContacts;
            }
        }
    }
}
