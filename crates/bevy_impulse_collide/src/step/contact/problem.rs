//! The contact problem of a substep, packed for the sweeps and cut into parts that threads sweep at once.

use bevy::prelude::*;
use glam::DVec3;

use super::{
    capsules::{Capsules, LaneContact},
    colors::Colors,
    general::Single,
    kind::{Kind, Nearness, TOUCH, is_plane},
    lanes::{Entry, Lanes, Seats, Terms, pack},
    motion::Motion,
    place::Place,
    row::Rows,
    vector::LANES,
};
use crate::{
    bodies::{Bodies, Growing, smaller_radius},
    config::{CollisionConfig, ContactMethod, MaterialRule},
    find::{BroadPhase, Contact, Contacts, ManifoldPoint, Run, manifold},
    parallel::{for_each, map_chunks},
    step::{
        Impacts,
        slabs::{NO_BODY, Partition, Parts, Slabs},
    },
};

/// Sum of the impulses on a body, and of the angular impulses about its centre.
pub(super) type Sums = (DVec3, DVec3);

/// Bodies, or pairs, that one task works on.
const PER_TASK: usize = 2048;

/// The contact problem of one substep. Pairs have lanes of their own as long as the pairs are the same; those with rolling or
/// spinning friction come as rows anew.
#[derive(Debug, Default)]
pub(super) struct Problem {
    /// What the lanes were packed for.
    packed_for: Option<(u64, Rules)>,
    asleep: Vec<bool>,
    /// The pairs that were packed, and the bodies that they are of.
    pairs: Vec<(u32, u32)>,
    entities: Vec<Entity>,
    /// Of each pair, where its lane is.
    seats: Vec<Option<Seat>>,
    /// The pairs without lanes.
    pub general: Vec<(u32, u32)>,
    parts: Parts<Part>,
    places: Vec<Place>,
    /// The free bodies' motions, slab by slab. The first of each slab is the ground's.
    motions: Vec<Motion>,
    sums: Vec<Sums>,
    /// Of each pair, from before it was packed anew.
    kept: Vec<Kept>,
    kept_before: Vec<Kept>,
}

/// What a pair keeps while it has no lane.
#[derive(Clone, Copy, Debug, Default)]
struct Kept {
    normal_impulse: f32,
    friction_impulse: Vec3,
    /// Part of them that the second of two points has given.
    second_share: f32,
    is_active: bool,
}

impl Kept {
    fn of_balls(lanes: &Lanes, seats: &Seats, lane: usize) -> Self {
        Self {
            normal_impulse: lanes.normal_impulse(lane),
            friction_impulse: lanes.friction_impulse(lane),
            second_share: 0.0,
            is_active: seats.is_active(lane),
        }
    }

    fn of_capsules([first, second]: [LaneContact; 2]) -> Self {
        let normal_impulse = first.normal_impulse + second.normal_impulse;
        Self {
            normal_impulse,
            friction_impulse: first.friction_impulse + second.friction_impulse,
            second_share: second.normal_impulse / normal_impulse.max(f32::MIN_POSITIVE),
            is_active: first.is_active || second.is_active,
        }
    }
}

/// Sliding, rolling and spinning friction, and how impulses are found.
type Rules = ([MaterialRule; 3], ContactMethod);

/// Where the lane of a pair is.
#[derive(Clone, Copy, Debug)]
struct Seat {
    part: u32,
    /// Of balls, or of capsules.
    is_balls: bool,
    lanes: u32,
    lane: u32,
}

/// Contacts that are swept together.
#[derive(Debug, Default)]
struct Part {
    /// Indices of the rows.
    rows: Vec<u32>,
    singles: Vec<Single>,
    lanes: Vec<Lanes>,
    seats: Vec<Seats>,
    /// From this one on, the lanes are of balls on planes.
    planes_from: usize,
    /// The lanes with contacts that are active.
    active: Vec<u32>,
    capsules: Capsules,
    /// Pairs that want lanes.
    candidates: Vec<(Kind, Nearness, u32)>,
    colors: Colors,
}

impl Problem {
    /// Forgets all impulses.
    pub fn clear(&mut self) {
        self.packed_for = None;
        self.pairs.clear();
        self.kept.clear();
        self.sums.clear();
    }

    /// Gives each pair its lane, if the pairs are others than before. It keeps its impulses.
    pub fn pack(
        &mut self,
        bodies: &Bodies,
        config: &CollisionConfig,
        broad_phase: &BroadPhase,
        partition: &Partition,
        asleep: &mut Run,
    ) {
        let frictions = [
            config.friction,
            config.rolling_friction,
            config.spinning_friction,
        ];
        let rules = (frictions, config.contact_method);
        let packed_for = Some((broad_phase.revision, rules));
        if self.packed_for == packed_for && self.asleep == bodies.asleep {
            return;
        }
        self.packed_for = packed_for;
        self.asleep.clone_from(&bodies.asleep);
        self.keep_impulses(bodies, &broad_phase.pairs);

        let pairs = &broad_phase.pairs;
        self.general.clear();
        let general = pairs
            .iter()
            .filter(|&&(a, b)| is_general(bodies, config, a, b));
        self.general.extend(general);
        self.parts.resize(&partition.slabs);
        let parts = self.parts.iter_mut().zip(partition.pairs.iter());
        let kept = &self.kept;
        for_each(parts.enumerate(), |(slab, (part, own))| {
            part.pack(bodies, config, &partition.slabs, slab, own, pairs, kept);
        });

        self.list_asleep(bodies, config, asleep);
        self.seats.clear();
        self.seats.resize(pairs.len(), None);
        for (k, part) in self.parts.iter().enumerate() {
            let balls = part.seats.iter().map(|seats| seats.pair).enumerate();
            let capsules = (0..part.capsules.len()).map(|j| (j, part.capsules.pairs(j)));
            for ((j, pairs), is_balls) in
                (balls.map(|group| (group, true))).chain(capsules.map(|group| (group, false)))
            {
                for (lane, pair) in pairs.into_iter().enumerate() {
                    if let Some(seat) = self.seats.get_mut(pair as usize) {
                        *seat = Some(Seat {
                            part: k as u32,
                            is_balls,
                            lanes: j as u32,
                            lane: lane as u32,
                        });
                    }
                }
            }
        }
    }

    /// Lists the contacts of the pairs that sleep, with the impulses that they had when they fell asleep.
    fn list_asleep(&self, bodies: &Bodies, config: &CollisionConfig, list: &mut Run) {
        list.contacts.clear();
        list.touching.clear();
        for (&pair, kept) in self.pairs.iter().zip(&self.kept) {
            let (a, b) = (pair.0 as usize, pair.1 as usize);
            let sleeps = bodies.is_at_rest(a) && bodies.is_at_rest(b);
            if !sleeps || !kept.is_active || is_general(bodies, config, pair.0, pair.1) {
                continue;
            }
            // What is kept is the impulse on the ball, where one is a plane.
            let sign = if is_plane(bodies, a) { -1.0 } else { 1.0 };
            let points = manifold(&bodies.placed(a), &bodies.placed(b));
            let shares = match points.len() {
                1 => [1.0, 0.0],
                _ => [1.0 - kept.second_share, kept.second_share],
            };
            for (feature, (&point, share)) in points.iter().zip(shares).enumerate() {
                let normal_impulse = share * kept.normal_impulse;
                let friction_impulse = share * sign * kept.friction_impulse;
                let impulse = point.normal * normal_impulse + friction_impulse;
                list.push(bodies, pair, feature as u32, point, normal_impulse, impulse);
            }
        }
    }

    /// Takes the impulses from the lanes over to the `pairs` that there are now. Both lists are sorted, so one pass finds them
    /// all.
    fn keep_impulses(&mut self, bodies: &Bodies, pairs: &[(u32, u32)]) {
        let Self {
            kept, kept_before, ..
        } = self;
        // Pairs that sleep have no lanes: what was kept for them stays.
        std::mem::swap(kept, kept_before);
        kept_before.resize(self.pairs.len(), default());
        for part in self.parts.iter() {
            for (lanes, seats) in part.lanes.iter().zip(&part.seats) {
                for (lane, &pair) in seats.pair.iter().enumerate() {
                    if let Some(kept) = kept_before.get_mut(pair as usize) {
                        *kept = Kept::of_balls(lanes, seats, lane);
                    }
                }
            }
            for group in 0..part.capsules.len() {
                for (lane, pair) in part.capsules.pairs(group).into_iter().enumerate() {
                    if let Some(kept) = kept_before.get_mut(pair as usize) {
                        *kept = Kept::of_capsules(part.capsules.contacts(group, lane));
                    }
                }
            }
        }
        kept.clear();
        kept.resize(pairs.len(), default());
        if self.entities == bodies.entity {
            let before = self.pairs.iter().zip(kept_before.iter());
            take_over(kept, pairs, before.map(|(pair, kept)| (*pair, *kept)));
        } else {
            let before = bodies.renumber(&self.entities, self.pairs.iter().copied());
            let before = before.iter().map(|found| {
                let (a, b) = found.pair;
                let mut kept = kept_before[found.before];
                // A lane has the plane second, whatever the order.
                if found.is_swapped
                    && !is_plane(bodies, a as usize)
                    && !is_plane(bodies, b as usize)
                {
                    kept.friction_impulse = -kept.friction_impulse;
                }
                (found.pair, kept)
            });
            take_over(kept, pairs, before);
            self.entities.clone_from(&bodies.entity);
        }
        self.pairs.clear();
        self.pairs.extend_from_slice(pairs);
    }

    /// Brings the contacts up to date with the bodies, and takes the `rows` in.
    pub fn prepare(
        &mut self,
        bodies: &Bodies,
        config: &CollisionConfig,
        impacts: &Impacts,
        slabs: &Slabs,
        rows: &Rows,
    ) {
        let Self {
            parts,
            places,
            motions,
            ..
        } = self;
        places.resize(bodies.len(), Place::NONE);
        for_each(places.chunks_mut(PER_TASK).enumerate(), |(k, places)| {
            for (i, place) in (k * PER_TASK..).zip(places) {
                *place = Place::of(bodies, i, impacts.is_unresolved(i as u32));
            }
        });
        motions.resize(slabs.body_at().len(), Motion::GROUND);
        let chunks = motions.chunks_mut(PER_TASK);
        for_each(
            chunks.zip(slabs.body_at().chunks(PER_TASK)),
            |(motions, body_at)| {
                for (motion, &i) in motions.iter_mut().zip(body_at) {
                    *motion = match i {
                        NO_BODY => Motion::GROUND,
                        i => Motion::of(bodies, i as usize),
                    };
                }
            },
        );

        parts.iter_mut().for_each(|part| part.rows.clear());
        for (k, row) in rows.rows.iter().enumerate() {
            if bodies.is_at_rest(row.a as usize) && bodies.is_at_rest(row.b as usize) {
                continue;
            }
            if let Some(part) = slabs.part(bodies, row.a, row.b) {
                parts.get_mut(part).rows.push(k as u32);
            }
        }
        let terms = Terms::new(config, bodies.h);
        for_each(parts.iter_mut().enumerate(), |(slab, part)| {
            let first = slabs.reach(slab).start;
            part.refresh(&terms, places, &motions[first..]);
            part.capsules.refresh(&terms, places, &motions[first..]);
            part.singles.clear();
            if config.contact_method != ContactMethod::Sweeps {
                return;
            }
            for &k in &part.rows {
                let (row, general) = (rows.rows[k as usize], rows.general[k as usize]);
                let place = |i: u32| place_in(bodies, slabs, first, i);
                let places = (place(row.a), place(row.b));
                part.singles.push(Single::new(k, row, general, places));
            }
        });
    }

    /// Gives the impulses that the contacts start with.
    pub fn push_all(&mut self, slabs: &Slabs) {
        let push = |part: &mut Part, _, motions: &mut [Motion]| {
            for single in &part.singles {
                single.push_all(motions);
            }
            part.capsules.push_all(motions);
            for &k in &part.active {
                part.lanes[k as usize].push_all(motions);
            }
        };
        slabs.for_each_part(&mut self.parts, &mut self.motions, push);
    }

    /// One sweep over all contacts.
    pub fn sweep(&mut self, slabs: &Slabs) {
        let sweep = |part: &mut Part, _, motions: &mut [Motion]| {
            for single in &mut part.singles {
                single.sweep(motions);
            }
            part.capsules.sweep(motions);
            for &k in &part.active {
                part.lanes[k as usize].sweep(motions);
            }
        };
        slabs.for_each_part(&mut self.parts, &mut self.motions, sweep);
    }

    /// Writes the impulses found into the rows.
    pub fn write_impulses(&self, rows: &mut Rows) {
        for single in self.parts.iter().flat_map(|part| &part.singles) {
            rows.rows[single.row_index as usize] = single.row;
            rows.general[single.row_index as usize] = single.general;
        }
    }

    /// Sums the impulses for each body, in f64.
    pub fn sum(&mut self, bodies: &Bodies, slabs: &Slabs, rows: &Rows) {
        self.sums.clear();
        self.sums.resize(self.motions.len(), default());
        let add = |part: &mut Part, first: usize, sums: &mut [Sums]| {
            let mut push = |a: u32, b: u32, point: DVec3, impulse: DVec3, couple: DVec3| {
                let (a, b) = (a as usize, b as usize);
                // Of two free bodies, seen from where they launch, as the integration will have it, which after an impact is
                // not where they are: so their angular momentum stays. A contact with the ground goes with the body.
                let from = if bodies.is_free(a) && bodies.is_free(b) {
                    &bodies.launch_position
                } else {
                    &bodies.position
                };
                for (i, sign) in [(a, 1.0), (b, -1.0)] {
                    if bodies.is_free(i) {
                        let (linear, angular) = &mut sums[slabs.place(i) - first];
                        let arm = point - from[i].as_dvec3();
                        *linear += sign * impulse;
                        *angular += sign * (arm.cross(impulse) + couple);
                    }
                }
            };
            for &k in &part.rows {
                let (row, general) = (&rows.rows[k as usize], &rows.general[k as usize]);
                let (impulse, couple) = (row.impulse().as_dvec3(), general.couple.as_dvec3());
                push(row.a, row.b, row.point.point.as_dvec3(), impulse, couple);
            }
            for group in part.capsules.active() {
                for contact in (0..LANES).flat_map(|lane| part.capsules.contacts(group, lane)) {
                    if contact.is_active {
                        let point = contact.point(bodies).as_dvec3();
                        let impulse = contact.impulse().as_dvec3();
                        push(contact.a, contact.b, point, impulse, DVec3::ZERO);
                    }
                }
            }
            for &k in &part.active {
                let (lanes, seats) = (&part.lanes[k as usize], &part.seats[k as usize]);
                for lane in (0..LANES).filter(|&lane| seats.is_active(lane)) {
                    let impulse = lanes.impulse(lane).as_dvec3();
                    let point = contact_point(bodies, lanes, seats, lane).as_dvec3();
                    push(seats.a[lane], seats.b[lane], point, impulse, DVec3::ZERO);
                }
            }
        };
        slabs.for_each_part(&mut self.parts, &mut self.sums, add);
    }

    /// What [`sum`](Self::sum) found for a free body.
    pub fn sums_of(&self, slabs: &Slabs, i: usize) -> Sums {
        self.sums.get(slabs.place(i)).copied().unwrap_or_default()
    }

    /// Greatest speed in m/s at which a contact closes faster than it may, with the velocities as they are now.
    pub fn residual(&self, bodies: &Bodies, rows: &Rows) -> f32 {
        let velocity = |i: u32, point: Vec3| {
            let i = i as usize;
            bodies.point_velocity(i, point - bodies.position[i])
        };
        let of_rows = rows.rows.iter().map(|row| {
            let point = row.point.point;
            let v = velocity(row.a, point) - velocity(row.b, point);
            v.dot(row.point.normal) + row.closing_allowed
        });
        let of_lanes = self.parts.iter().flat_map(|part| {
            part.active.iter().flat_map(|&k| {
                let (lanes, seats) = (&part.lanes[k as usize], &part.seats[k as usize]);
                let active = (0..LANES).filter(|&lane| seats.is_active(lane));
                active.map(move |lane| {
                    // Both arms lie along the normal.
                    let (a, b) = (seats.a[lane] as usize, seats.b[lane] as usize);
                    let v = bodies.velocity[a] - bodies.velocity[b];
                    v.dot(lanes.normal(lane)) + lanes.closing_allowed(lane)
                })
            })
        });
        let velocity = &velocity;
        let of_capsules = self.parts.iter().flat_map(|part| {
            part.capsules.active().flat_map(move |group| {
                let contacts = (0..LANES).flat_map(move |lane| part.capsules.contacts(group, lane));
                let active = contacts.filter(|contact| contact.is_active);
                active.map(|contact| {
                    let point = contact.point(bodies);
                    let v = velocity(contact.a, point) - velocity(contact.b, point);
                    v.dot(contact.normal) + contact.closing_allowed
                })
            })
        });
        let all = of_rows.chain(of_lanes).chain(of_capsules);
        -all.fold(0.0, f32::min)
    }

    /// Lists all contacts, sorted by their bodies.
    pub fn list(&self, bodies: &Bodies, rows: &Rows, list: &mut Contacts) {
        let runs = self.pairs.len().div_ceil(PER_TASK);
        list.runs.truncate(runs);
        map_chunks(self.pairs.len(), PER_TASK, &mut list.runs, |range, run| {
            run.contacts.clear();
            run.touching.clear();
            for (&pair, seat) in self.pairs[range.clone()].iter().zip(&self.seats[range]) {
                let Some(seat) = *seat else {
                    continue;
                };
                let (part, lane) = (self.parts.get(seat.part as usize), seat.lane as usize);
                if !seat.is_balls {
                    let contacts = part.capsules.contacts(seat.lanes as usize, lane);
                    run.push_capsules(bodies, pair, contacts);
                    continue;
                }
                let lanes = seat.lanes;
                let (lanes, seats) = (&part.lanes[lanes as usize], &part.seats[lanes as usize]);
                if seats.is_active(lane) {
                    // The lane may have the pair in the other order.
                    let sign = if seats.a[lane] == pair.0 { 1.0 } else { -1.0 };
                    run.push(
                        bodies,
                        pair,
                        0,
                        ManifoldPoint {
                            point: contact_point(bodies, lanes, seats, lane),
                            normal: sign * lanes.normal(lane),
                            depth: seats.depth(lane),
                        },
                        lanes.normal_impulse(lane),
                        sign * lanes.impulse(lane),
                    );
                }
            }
        });
        if rows.rows.is_empty() {
            return;
        }
        let mut others = Run::default();
        for row in &rows.rows {
            let pair = (row.a, row.b);
            let normal_impulse = row.normal_impulse;
            let impulse = row.impulse();
            others.push(
                bodies,
                pair,
                row.feature,
                row.point,
                normal_impulse,
                impulse,
            );
        }
        let mut touching = Vec::new();
        list.extend_with_touching(&mut touching);
        touching.append(&mut others.touching);
        touching.sort_unstable();
        list.runs.iter_mut().for_each(|run| run.touching.clear());
        others.touching = touching;
        list.runs.push(others);
    }
}

impl Run {
    fn push_capsules(&mut self, bodies: &Bodies, pair: (u32, u32), contacts: [LaneContact; 2]) {
        for (feature, contact) in contacts.iter().enumerate() {
            if contact.is_active {
                // The lane may have the pair in the other order.
                let sign = if contact.a == pair.0 { 1.0 } else { -1.0 };
                let point = ManifoldPoint {
                    point: contact.point(bodies),
                    normal: sign * contact.normal,
                    depth: contact.depth,
                };
                let impulse = sign * contact.impulse();
                let normal_impulse = contact.normal_impulse;
                self.push(bodies, pair, feature as u32, point, normal_impulse, impulse);
            }
        }
    }

    fn push(
        &mut self,
        bodies: &Bodies,
        pair: (u32, u32),
        feature: u32,
        point: ManifoldPoint,
        normal_impulse: f32,
        impulse: Vec3,
    ) {
        let (a, b) = (pair.0 as usize, pair.1 as usize);
        let radius = smaller_radius(&bodies.shape[a], &bodies.shape[b]);
        let is_touching = normal_impulse > 0.0 || point.depth >= -TOUCH * radius;
        if is_touching {
            self.touching.push(pair);
        }
        let (a, b) = (bodies.entity[a], bodies.entity[b]);
        // The contact tells of the body whose entity sorts first.
        let sign = if a < b { 1.0 } else { -1.0 };
        self.contacts.push(Contact {
            a: a.min(b),
            b: a.max(b),
            feature,
            point: point.point,
            normal: sign * point.normal,
            depth: point.depth,
            is_touching,
            impulse: sign * impulse,
        });
    }
}

impl LaneContact {
    fn point(&self, bodies: &Bodies) -> Vec3 {
        bodies.position[self.a as usize] + self.arm_a
    }
}

fn contact_point(bodies: &Bodies, lanes: &Lanes, seats: &Seats, lane: usize) -> Vec3 {
    bodies.position[seats.a[lane] as usize] - lanes.normal(lane) * lanes.arm_a(lane)
}

/// Goes through two sorted lists of pairs, and gives each of the `pairs` what was kept for it before.
fn take_over(
    kept: &mut [Kept],
    pairs: &[(u32, u32)],
    before: impl Iterator<Item = ((u32, u32), Kept)>,
) {
    let mut before = before.peekable();
    for (pair, kept) in pairs.iter().zip(kept) {
        while before.next_if(|(before, _)| before < pair).is_some() {}
        if let Some((_, before)) = before.next_if(|(before, _)| before == pair) {
            *kept = before;
        }
    }
}

/// Whether the contacts of a pair are rows: those of what grows, those with rolling or spinning friction, and all of a global system.
fn is_general(bodies: &Bodies, config: &CollisionConfig, a: u32, b: u32) -> bool {
    let (a, b) = (a as usize, b as usize);
    let (one, other) = (&bodies.material[a], &bodies.material[b]);
    let rolling = config.rolling_friction;
    let spinning = config.spinning_friction;
    let grows = |i: usize| bodies.growth[i] != Growing::NONE;
    config.contact_method != ContactMethod::Sweeps
        || grows(a)
        || grows(b)
        || rolling.combine(one.rolling_friction, other.rolling_friction) > 0.0
        || spinning.combine(one.spinning_friction, other.spinning_friction) > 0.0
}

/// Where body `i` is among the motions from `first` on; what nothing moves has the ground's place.
fn place_in(bodies: &Bodies, slabs: &Slabs, first: usize, i: u32) -> u32 {
    if bodies.is_free(i as usize) {
        (slabs.place(i as usize) - first) as u32
    } else {
        0
    }
}

impl Part {
    /// Gives lanes to those of the part's `own` pairs that need no rows.
    fn pack(
        &mut self,
        bodies: &Bodies,
        config: &CollisionConfig,
        slabs: &Slabs,
        slab: usize,
        own: &[u32],
        pairs: &[(u32, u32)],
        kept: &[Kept],
    ) {
        self.lanes.clear();
        self.seats.clear();
        self.capsules.clear();
        let reach = slabs.reach(slab);
        self.candidates.clear();
        for &k in own {
            let (a, b) = pairs[k as usize];
            let sleeps = bodies.is_at_rest(a as usize) && bodies.is_at_rest(b as usize);
            if !sleeps && !is_general(bodies, config, a, b) {
                let (a, b) = (a as usize, b as usize);
                let kind = Kind::of(bodies, a, b);
                let nearness = Nearness::of(bodies, kind, a, b);
                self.candidates.push((kind, nearness, k));
            }
        }
        for kind in Kind::ALL {
            match kind {
                Kind::BallOnPlane => self.planes_from = self.lanes.len(),
                Kind::CapsuleOnPlane => self.capsules.begin_planes(),
                Kind::Balls | Kind::Capsules => {}
            }
            self.colors.begin(reach.len());
            for nearness in Nearness::ALL {
                for &(of, stands, k) in &self.candidates {
                    if (of, stands) != (kind, nearness) {
                        continue;
                    }
                    let (a, b) = pairs[k as usize];
                    let is_flipped = is_plane(bodies, a as usize);
                    let (a, b) = if is_flipped { (b, a) } else { (a, b) };
                    let place = |i: u32| place_in(bodies, slabs, reach.start, i);
                    let material = |i: u32| bodies.material[i as usize].friction;
                    let kept = kept[k as usize];
                    self.colors.add(Entry {
                        pair: k,
                        bodies: (a, b),
                        places: (place(a), place(b)),
                        friction: config.friction.combine(material(a), material(b)),
                        normal_impulse: kept.normal_impulse,
                        friction_impulse: kept.friction_impulse,
                        second_share: kept.second_share,
                    });
                }
            }
            let (lanes, seats, capsules) = (&mut self.lanes, &mut self.seats, &mut self.capsules);
            self.colors.each_group(|group| {
                if kind.is_of_balls() {
                    let (group_lanes, group_seats) = pack(group);
                    lanes.push(group_lanes);
                    seats.push(group_seats);
                } else {
                    capsules.add(group);
                }
            });
        }
    }

    /// Brings the lanes up to date. `motions` are those that they change.
    fn refresh(&mut self, terms: &Terms, places: &[Place], motions: &[Motion]) {
        self.active.clear();
        let lanes = self.lanes.iter_mut().zip(&mut self.seats);
        for (k, (lanes, seats)) in lanes.enumerate() {
            let is_active = if k < self.planes_from {
                lanes.refresh::<false>(seats, terms, places, motions)
            } else {
                lanes.refresh::<true>(seats, terms, places, motions)
            };
            if is_active {
                self.active.push(k as u32);
            }
        }
    }
}
