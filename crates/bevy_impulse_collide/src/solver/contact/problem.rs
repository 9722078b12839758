//! The contact problem of a substep, packed for the sweeps and cut into parts that threads sweep at once.

use std::{
    ops::Range,
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
};

use bevy::prelude::*;
use fearless_simd::{Level, dispatch};

use super::{
    WarmStart,
    capsules::{Capsules, LaneContact},
    colors::Colors,
    contacts::{Contact, Run, are_touching},
    general::Single,
    kind::{Kind, Nearness, is_plane},
    lanes::{BallGroup, Entry, Lanes, SIDE_BY_SIDE, Seats, Terms, pack, sweep},
    motion::Motion,
    place::Place,
    row::Rows,
    tally::{Sum, Tally},
};
use crate::{
    body::{Bodies, Growing, Material},
    collision::{BroadPhase, ManifoldPoint, manifold},
    config::{CollisionConfig, ContactMethod, MaterialRule},
    parallel::{fill_chunks, for_each, map_chunks},
    solver::{
        impact::Impacts,
        partition::{CellLayout, Cells, Partition},
        simd::LANES,
    },
};

/// Bodies, or pairs, that one task works on.
const PER_TASK: usize = 2048;

/// Sweeps over a part at a time. The contacts of a hundred thousand bodies fit in no cache near the processor, those of a part
/// do; with more in a row, parts would know too late of each other. The last ones over each part are plain: [`Problem::sweep`].
const SWEEPS_IN_A_ROW: u32 = 2;

/// The contact problem of one substep. Pairs have lanes of their own until all are found anew, or one falls asleep or wakes;
/// those with rolling or spinning friction come as rows anew.
#[derive(Debug, Default)]
pub(super) struct Problem {
    /// What the lanes were packed for.
    packed_for: Option<(u64, Rules)>,
    asleep: Vec<bool>,
    /// The pairs that were packed, the first so many of them sorted, and the bodies that they are of.
    pairs: Vec<(u32, u32)>,
    sorted: usize,
    entities: Vec<Entity>,
    /// Of each pair, where its lane is: a [`Seat`], or nowhere.
    seats: Vec<AtomicU64>,
    /// The pairs without lanes.
    pub general: Vec<(u32, u32)>,
    parts: Cells<Part>,
    places: Vec<Place>,
    /// The free bodies' motions, slab by slab. The first of each slab is the ground's.
    motions: Vec<Motion>,
    sums: Vec<Sum>,
    /// Of each pair: whether it touches.
    touches: Vec<AtomicBool>,
    /// Of each pair, from before it was packed.
    kept: Vec<Kept>,
    kept_before: Vec<Kept>,
    /// Room to sort the newcomers among the pairs, each with its number.
    newcomers: Vec<((u32, u32), usize)>,
    /// Whether any pair may come as rows.
    has_general: bool,
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
    part: usize,
    /// Of balls, or of capsules.
    is_balls: bool,
    group: usize,
    lane: usize,
}

impl Seat {
    /// What stands for no seat.
    const NOWHERE: u64 = u64::MAX;

    /// In one number, so that parts can tell of their pairs at once, each of its own.
    fn packed(self) -> u64 {
        let place = self.group * LANES + self.lane;
        (place as u64) << 16 | (self.part as u64) << 1 | u64::from(self.is_balls)
    }

    fn of(packed: u64) -> Option<Self> {
        let place = (packed >> 16) as usize;
        (packed != Self::NOWHERE).then_some(Self {
            part: (packed >> 1) as usize & 0x7fff,
            is_balls: packed & 1 != 0,
            group: place / LANES,
            lane: place % LANES,
        })
    }
}

/// The pairs of a part.
pub(in crate::solver) struct WidePairs<'a> {
    lanes: &'a [Lanes],
    seats: &'a [Seats],
    /// Indices of the pairs that are not balls with lanes.
    pub others: &'a [u32],
}

impl WidePairs<'_> {
    /// The balls with lanes.
    pub fn balls(&self) -> impl Iterator<Item = BallGroup<'_>> {
        let lanes = self.lanes.iter().zip(self.seats);
        lanes.map(|(lanes, seats)| lanes.balls(seats))
    }
}

/// Contacts that are swept together.
#[derive(Debug, Default)]
struct Part {
    /// Indices of the rows.
    rows: Vec<u32>,
    singles: Vec<Single>,
    lanes: Vec<Lanes>,
    seats: Vec<Seats>,
    /// The lanes with contacts that are active, and in runs, those that are swept side by side.
    active: Vec<u32>,
    side_by_side: Vec<Range<usize>>,
    /// How many colours the lanes have.
    color_count: u32,
    capsules: Capsules,
    /// The pairs that are not balls with lanes.
    others: Vec<u32>,
    /// How many of the part's pairs have been given lanes, if they want them.
    packed: usize,
    /// Pairs that want lanes, by kind and nearness.
    candidates: [[Vec<u32>; Nearness::COUNT]; Kind::ALL.len()],
    colors: Colors,
}

impl Problem {
    /// Forgets all impulses.
    pub fn clear(&mut self) {
        self.packed_for = None;
        self.pairs.clear();
        self.sorted = 0;
        self.seats.clear();
        self.kept.clear();
        self.sums.clear();
        self.parts.iter_mut().for_each(Part::clear);
    }

    /// Gives each pair a lane. It keeps that, and its impulses, until all pairs are found anew; those that come in between
    /// are added.
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
        let pairs = &broad_phase.pairs;
        if self.packed_for != packed_for || self.asleep != bodies.asleep {
            self.keep_impulses(bodies, broad_phase);
            self.packed_for = packed_for;
            self.asleep.clone_from(&bodies.asleep);
            self.list_asleep(bodies, config, asleep);
            self.parts.resize(&partition.layout);
            self.parts.iter_mut().for_each(Part::clear);
            self.seats.clear();
            self.general.clear();
            self.has_general = has_general(bodies, config);
        } else {
            self.kept.resize(pairs.len(), default());
            let newcomers = &pairs[self.pairs.len()..];
            self.pairs.extend_from_slice(newcomers);
        }
        self.add_lanes(bodies, config, partition);
    }

    /// Gives lanes to the pairs that have none yet.
    fn add_lanes(&mut self, bodies: &Bodies, config: &CollisionConfig, partition: &Partition) {
        let first = self.seats.len();
        if first == self.pairs.len() {
            return;
        }
        let (pairs, kept) = (&self.pairs, &self.kept);
        let is_general = |a, b| self.has_general && is_general(bodies, config, a, b);
        let general = pairs[first..].iter().filter(|&&(a, b)| is_general(a, b));
        self.general.extend(general);
        // Rows come sorted.
        self.general.sort_unstable();
        self.seats
            .resize_with(pairs.len(), || AtomicU64::new(Seat::NOWHERE));
        let seats = &self.seats;
        let parts = self.parts.iter_mut().zip(partition.pairs.iter());
        for_each(parts.enumerate(), |(slab, (part, own))| {
            let first = part.len();
            part.add(
                bodies,
                config,
                &partition.layout,
                slab,
                own,
                pairs,
                kept,
                is_general,
            );
            part.tell_seats(slab, first, seats);
        });
    }

    /// How the pairs of a part are seated, if all are that there are now.
    pub fn wide_pairs(&self, broad_phase: &BroadPhase, part: usize) -> Option<WidePairs<'_>> {
        let (revision, _) = self.packed_for?;
        if revision != broad_phase.revision || self.pairs.len() != broad_phase.pairs.len() {
            return None;
        }
        let part = self.parts.get(part);
        Some(WidePairs {
            lanes: &part.lanes,
            seats: &part.seats,
            others: &part.others,
        })
    }

    /// Lists the contacts of the pairs that sleep, with the impulses that they had when they fell asleep.
    fn list_asleep(&self, bodies: &Bodies, config: &CollisionConfig, list: &mut Run) {
        list.clear();
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
                let feature = feature as u32;
                list.push(bodies, pair, feature, &point, normal_impulse, impulse);
            }
        }
        list.sort();
    }

    /// Takes the impulses from the lanes over to the pairs that there are now.
    fn keep_impulses(&mut self, bodies: &Bodies, broad_phase: &BroadPhase) {
        let pairs = &broad_phase.pairs;
        let mut kept = std::mem::take(&mut self.kept_before);
        kept.clear();
        kept.resize(pairs.len(), default());
        let are_same = |(revision, _)| revision == broad_phase.revision;
        if self.packed_for.is_some_and(are_same) {
            // Some may have come, but none has gone.
            for_each(kept.chunks_mut(PER_TASK).enumerate(), |(k, kept)| {
                for (k, kept) in (k * PER_TASK..self.pairs.len()).zip(kept) {
                    *kept = self.kept(k);
                }
            });
        } else if self.entities == bodies.entity {
            self.newcomers.clear();
            let newcomers = self.pairs.iter().copied().zip(0..).skip(self.sorted);
            self.newcomers.extend(newcomers);
            self.newcomers.sort_unstable();
            let settled = broad_phase.base_pairs();
            let (kept, kept_of_newcomers) = kept.split_at_mut(settled.len());
            let tasks = kept.chunks_mut(PER_TASK).zip(settled.chunks(PER_TASK));
            for_each(tasks, |(kept, pairs)| self.take_over(kept, pairs));
            for (pair, kept) in pairs[settled.len()..].iter().zip(kept_of_newcomers) {
                self.take_over(std::slice::from_mut(kept), std::slice::from_ref(pair));
            }
        } else {
            let before = bodies.renumber(&self.entities, self.pairs.iter().copied());
            let mut before = before.iter().peekable();
            let settled = broad_phase.base_pairs();
            for (&(a, b), now) in settled.iter().zip(&mut kept) {
                while before.next_if(|found| found.pair < (a, b)).is_some() {}
                if let Some(found) = before.next_if(|found| found.pair == (a, b)) {
                    *now = self.kept(found.before);
                    // A lane has the plane second, whatever the order.
                    if found.is_swapped
                        && !is_plane(bodies, a as usize)
                        && !is_plane(bodies, b as usize)
                    {
                        now.friction_impulse = -now.friction_impulse;
                    }
                }
            }
            self.entities.clone_from(&bodies.entity);
        }
        self.kept_before = std::mem::replace(&mut self.kept, kept);
        self.pairs.clone_from(pairs);
        self.sorted = broad_phase.base_pairs().len();
    }

    /// What pair `k` has now. Pairs that sleep have no lanes: what was kept for them stays.
    fn kept(&self, k: usize) -> Kept {
        let seat = self.seats.get(k).map(|seat| Seat::of(seat.load(Relaxed)));
        let Some(Some(Seat {
            part,
            is_balls,
            group,
            lane,
        })) = seat
        else {
            return self.kept[k];
        };
        let part = self.parts.get(part);
        if is_balls {
            Kept::of_balls(&part.lanes[group], &part.seats[group], lane)
        } else {
            Kept::of_capsules(part.capsules.contacts(group, lane))
        }
    }

    /// Gives each of the `pairs`, a run of sorted ones, what it had before.
    fn take_over(&self, kept: &mut [Kept], pairs: &[(u32, u32)]) {
        let Some(&start) = pairs.first() else {
            return;
        };
        let settled = &self.pairs[..self.sorted];
        let first = settled.partition_point(|&pair| pair < start);
        let mut settled = settled.iter().copied().zip(0..).skip(first).peekable();
        let first = self.newcomers.partition_point(|&(pair, _)| pair < start);
        let mut newcomers = self.newcomers[first..].iter().copied().peekable();
        for (pair, kept) in pairs.iter().zip(kept) {
            while settled.next_if(|(before, _)| before < pair).is_some() {}
            while newcomers.next_if(|(before, _)| before < pair).is_some() {}
            let is_it = |(before, _): &((u32, u32), usize)| before == pair;
            let found = settled.next_if(is_it).or_else(|| newcomers.next_if(is_it));
            if let Some((_, k)) = found {
                *kept = self.kept(k);
            }
        }
    }

    /// Brings the contacts up to date with the bodies, and takes the `rows` in.
    pub fn prepare(
        &mut self,
        bodies: &Bodies,
        config: &CollisionConfig,
        warm_start: WarmStart,
        impacts: &Impacts,
        layout: &CellLayout,
        rows: &Rows,
    ) {
        let Self {
            parts,
            places,
            motions,
            ..
        } = self;
        fill_chunks(bodies.len(), PER_TASK, places, Place::NONE, |i| {
            Place::of(bodies, i, impacts.is_unresolved(i as u32))
        });
        layout.fill(motions, Motion::GROUND, |i| Motion::of(bodies, i));

        parts.iter_mut().for_each(|part| part.rows.clear());
        for (k, row) in rows.rows.iter().enumerate() {
            if bodies.is_at_rest(row.a as usize) && bodies.is_at_rest(row.b as usize) {
                continue;
            }
            if let Some(part) = layout.cell_of(bodies, row.a, row.b) {
                parts.get_mut(part).rows.push(k as u32);
            }
        }
        let terms = Terms::new(config, warm_start, bodies.h);
        for_each(parts.iter_mut().enumerate(), |(slab, part)| {
            let first = layout.range(slab).start;
            part.refresh(&terms, places, &motions[first..]);
            part.capsules.refresh(&terms, places, &motions[first..]);
            part.singles.clear();
            if config.contact_method != ContactMethod::Sweeps {
                return;
            }
            for &k in &part.rows {
                let (row, general) = (rows.rows[k as usize], rows.general[k as usize]);
                let place = |i: u32| place_in(bodies, layout, first, i);
                let places = (place(row.a), place(row.b));
                part.singles.push(Single::new(k, row, general, places));
            }
        });
    }

    /// Gives the impulses that the contacts start with.
    pub fn push_all(&mut self, layout: &CellLayout) {
        let push = |part: &mut Part, _, motions: &mut [Motion]| {
            for single in &part.singles {
                single.push_all(motions);
            }
            part.capsules.push_all(motions);
            dispatch!(Level::new(), simd => for &k in &part.active {
                part.lanes[k as usize].push_all(simd, motions);
            });
        };
        layout.for_each_cell(&mut self.parts, &mut self.motions, push);
    }

    /// So many sweeps over all contacts. The last one over a part sums its impulses.
    ///
    /// Over-relaxation carries a load through a heap in fewer sweeps, but leaves every contact with the approach that it has
    /// overshot by, as a separation. So the last sweeps go only as far as would just do.
    pub fn sweep(&mut self, bodies: &Bodies, config: &CollisionConfig, layout: &CellLayout) {
        self.begin_sums();
        let (touches, places) = (&self.touches, &self.places);
        let mut left = config.contact_iterations;
        loop {
            let in_a_row = left.min(SWEEPS_IN_A_ROW);
            left -= in_a_row;
            let is_last = left == 0;
            let relaxation = if is_last {
                1.0
            } else {
                config.contact_relaxation
            };
            let work = |part: &mut Part, first, motions: &mut [Motion], sums: &mut [Sum]| {
                for _ in 0..in_a_row {
                    part.sweep(relaxation, motions);
                }
                if is_last {
                    let mut tally = Tally::new(bodies, layout, places, first, sums);
                    part.sum(&mut tally, touches);
                }
            };
            let (parts, motions) = (&mut self.parts, &mut self.motions);
            layout.for_each_cell_of_both(parts, motions, &mut self.sums, work);
            if is_last {
                return;
            }
        }
    }

    /// Writes the impulses found into the rows.
    pub fn write_impulses(&self, rows: &mut Rows) {
        for single in self.parts.iter().flat_map(|part| &part.singles) {
            rows.rows[single.row_index as usize] = single.row;
            rows.general[single.row_index as usize] = single.general;
        }
    }

    /// Sums the impulses of the rows for each body.
    pub fn sum(&mut self, bodies: &Bodies, layout: &CellLayout, rows: &Rows) {
        self.begin_sums();
        let places = &self.places;
        layout.for_each_cell(&mut self.parts, &mut self.sums, |part, first, sums| {
            let mut tally = Tally::new(bodies, layout, places, first, sums);
            for &k in &part.rows {
                tally.push_row(&rows.rows[k as usize], &rows.general[k as usize]);
            }
        });
    }

    fn begin_sums(&mut self) {
        let none = Sum::default();
        fill_chunks(self.motions.len(), PER_TASK, &mut self.sums, none, |_| none);
        self.touches
            .resize_with(self.pairs.len(), AtomicBool::default);
        for_each(self.touches.chunks_mut(PER_TASK), |touches| {
            touches
                .iter_mut()
                .for_each(|touches| *touches.get_mut() = false);
        });
    }

    /// The sum of a free body.
    pub fn sum_of(&self, layout: &CellLayout, i: usize) -> Sum {
        self.sums
            .get(layout.solver_index(i))
            .copied()
            .unwrap_or_default()
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
                seats.active().map(move |lane| {
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
                    let point = contact.point(&self.places).point;
                    let v = velocity(contact.a, point) - velocity(contact.b, point);
                    v.dot(contact.normal) + contact.closing_allowed
                })
            })
        });
        let all = of_rows.chain(of_lanes).chain(of_capsules);
        -all.fold(0.0, f32::min)
    }

    /// Lists the contacts that have lanes, part by part.
    pub fn list(&self, lists: &mut Vec<Vec<Contact>>) {
        lists.resize_with(self.parts.iter().count(), Vec::new);
        for_each(self.parts.iter().zip(lists), |(part, list)| {
            list.clear();
            part.list(&self.entities, &self.places, list);
        });
    }

    /// Lists the pairs with lanes that touch: of those that are sorted, in sorted lists, and of the newcomers.
    pub fn list_touching(
        &self,
        sorted: &mut Vec<Vec<(u32, u32)>>,
        newcomers: &mut Vec<(u32, u32)>,
    ) {
        let touching = |range: Range<usize>, list: &mut Vec<(u32, u32)>| {
            list.clear();
            let touches = self.touches[range.clone()].iter().zip(&self.pairs[range]);
            let touching = touches.filter(|(touches, _)| touches.load(Relaxed));
            list.extend(touching.map(|(_, pair)| *pair));
        };
        sorted.truncate(self.sorted.div_ceil(PER_TASK));
        map_chunks(self.sorted, PER_TASK, sorted, touching);
        touching(self.sorted..self.pairs.len(), newcomers);
    }
}

impl LaneContact {
    fn point(&self, places: &[Place]) -> ManifoldPoint {
        ManifoldPoint {
            point: places[self.a as usize].position.truncate() + self.arm_a,
            normal: self.normal,
            depth: self.depth,
        }
    }

    fn is_touching(&self, places: &[Place]) -> bool {
        let [r_a, r_b] = [self.a, self.b].map(|i| places[i as usize].position.w);
        // A plane has none.
        let radius = if r_b > 0.0 { r_a.min(r_b) } else { r_a };
        are_touching(radius, self.depth, self.normal_impulse)
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

/// Whether there can be such pairs.
fn has_general(bodies: &Bodies, config: &CollisionConfig) -> bool {
    let rubs = |rule: MaterialRule, of: fn(&Material) -> Option<f32>| {
        rule.default > 0.0
            || bodies
                .material
                .iter()
                .any(|material| of(material) > Some(0.0))
    };
    config.contact_method != ContactMethod::Sweeps
        || bodies.growth.iter().any(|&growth| growth != Growing::NONE)
        || rubs(config.rolling_friction, |material| {
            material.rolling_friction
        })
        || rubs(config.spinning_friction, |material| {
            material.spinning_friction
        })
}

/// Where body `i` is among the motions from `first` on; what nothing moves has the ground's place.
fn place_in(bodies: &Bodies, layout: &CellLayout, first: usize, i: u32) -> u32 {
    if bodies.is_free(i as usize) {
        (layout.solver_index(i as usize) - first) as u32
    } else {
        0
    }
}

impl Part {
    fn clear(&mut self) {
        self.packed = 0;
        self.color_count = 0;
        self.active.clear();
        self.others.clear();
        self.lanes.clear();
        self.seats.clear();
        self.capsules.clear();
    }

    /// How many groups of balls and of capsules there are.
    fn len(&self) -> (usize, usize) {
        (self.lanes.len(), self.capsules.len())
    }

    /// Gives lanes to those of the part's `own` pairs that are new and need no rows.
    fn add(
        &mut self,
        bodies: &Bodies,
        config: &CollisionConfig,
        layout: &CellLayout,
        slab: usize,
        own: &[u32],
        pairs: &[(u32, u32)],
        kept: &[Kept],
        is_general: impl Fn(u32, u32) -> bool,
    ) {
        let new = &own[self.packed..];
        self.packed = own.len();
        if new.is_empty() {
            return;
        }
        let reach = layout.range(slab);
        self.candidates
            .as_flattened_mut()
            .iter_mut()
            .for_each(Vec::clear);
        for &k in new {
            let (a, b) = pairs[k as usize];
            let sleeps = bodies.is_at_rest(a as usize) && bodies.is_at_rest(b as usize);
            let wants_lane = !sleeps && !is_general(a, b);
            let (a, b) = (a as usize, b as usize);
            let kind = Kind::of(bodies, a, b);
            if wants_lane {
                let nearness = Nearness::of(bodies, kind, a, b);
                self.candidates[kind as usize][nearness as usize].push(k);
            }
            if !(wants_lane && kind.is_of_balls()) {
                self.others.push(k);
            }
        }
        for kind in Kind::ALL {
            self.colors.begin(reach.len());
            for &k in self.candidates[kind as usize].iter().flatten() {
                let (a, b) = pairs[k as usize];
                let is_flipped = is_plane(bodies, a as usize);
                let (a, b) = if is_flipped { (b, a) } else { (a, b) };
                let place = |i: u32| place_in(bodies, layout, reach.start, i);
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
            let (lanes, seats, capsules) = (&mut self.lanes, &mut self.seats, &mut self.capsules);
            let color = &mut self.color_count;
            self.colors.each_group(|group, is_new| {
                *color += u32::from(is_new);
                if kind.is_of_balls() {
                    let (group_lanes, group_seats) = pack(group, kind.is_on_plane(), *color);
                    lanes.push(group_lanes);
                    seats.push(group_seats);
                } else {
                    capsules.add(group, kind.is_on_plane());
                }
            });
        }
    }

    /// Tells where the pairs of the groups from `first` on, of balls and of capsules, are seated.
    fn tell_seats(&self, part: usize, first: (usize, usize), seats: &[AtomicU64]) {
        let tell = |is_balls: bool, group: usize, pairs: [u32; LANES]| {
            for (lane, pair) in pairs.into_iter().enumerate() {
                if let Some(seat) = seats.get(pair as usize) {
                    let own = Seat {
                        part,
                        is_balls,
                        group,
                        lane,
                    };
                    seat.store(own.packed(), Relaxed);
                }
            }
        };
        for group in first.0..self.seats.len() {
            tell(true, group, self.seats[group].pair);
        }
        for group in first.1..self.capsules.len() {
            tell(false, group, self.capsules.pairs(group));
        }
    }

    fn sweep(&mut self, relaxation: f32, motions: &mut [Motion]) {
        for single in &mut self.singles {
            single.sweep(motions);
        }
        self.capsules.sweep(relaxation, motions);
        dispatch!(Level::new(), simd => for some in &self.side_by_side {
            let some = &self.active[some.clone()];
            sweep(simd, &mut self.lanes, some, relaxation, motions);
        });
    }

    /// The contacts of capsules that are active, each with the index of its pair and which point of that it is.
    fn of_capsules(&self) -> impl Iterator<Item = (u32, u32, LaneContact)> {
        self.capsules.active().flat_map(move |group| {
            let pairs = self.capsules.pairs(group).into_iter().enumerate();
            pairs.flat_map(move |(lane, pair)| {
                let contacts = (0..).zip(self.capsules.contacts(group, lane));
                let active = contacts.filter(|(_, contact)| contact.is_active);
                active.map(move |(feature, contact)| (pair, feature, contact))
            })
        })
    }

    /// Lists the contacts that have lanes. The bodies are `entities`, and were at these places.
    fn list(&self, entities: &[Entity], places: &[Place], list: &mut Vec<Contact>) {
        let entity = |i: u32| entities[i as usize];
        list.extend(self.of_capsules().map(|(_, feature, contact)| {
            let of = (entity(contact.a), entity(contact.b));
            let point = contact.point(places);
            let is_touching = contact.is_touching(places);
            Contact::new(of, feature, &point, is_touching, contact.impulse())
        }));
        for &k in &self.active {
            let (lanes, seats) = (&self.lanes[k as usize], &self.seats[k as usize]);
            list.extend(seats.active().map(|lane| {
                let (a, b) = (seats.a[lane], seats.b[lane]);
                let x_a = places[a as usize].position.truncate();
                let point = ManifoldPoint {
                    point: x_a - lanes.normal(lane) * lanes.arm_a(lane),
                    normal: lanes.normal(lane),
                    depth: seats.depth(lane),
                };
                let is_touching = lanes.is_touching(seats, lane);
                Contact::new(
                    (entity(a), entity(b)),
                    0,
                    &point,
                    is_touching,
                    lanes.impulse(lane),
                )
            }));
        }
    }

    /// Sums the impulses of the part's contacts. LaneMask the pairs that touch.
    fn sum(&mut self, tally: &mut Tally, touches: &[AtomicBool]) {
        for single in &self.singles {
            tally.push_row(&single.row, &single.general);
        }
        for (pair, _, contact) in self.of_capsules() {
            let point = contact.point(tally.places).point;
            tally.push((contact.a, contact.b), point, contact.impulse(), Vec3::ZERO);
            if contact.is_touching(tally.places) {
                touches[pair as usize].store(true, Relaxed);
            }
        }
        let Tally { places, sums, .. } = tally;
        dispatch!(Level::new(), simd => for &k in &self.active {
            let (lanes, seats) = (&self.lanes[k as usize], &self.seats[k as usize]);
            let touching = lanes.sum(simd, seats, places, sums);
            for lane in touching.iter() {
                touches[seats.pair[lane] as usize].store(true, Relaxed);
            }
        });
    }

    /// Brings the lanes up to date. `motions` are those that they change.
    fn refresh(&mut self, terms: &Terms, places: &[Place], motions: &[Motion]) {
        self.active.clear();
        self.side_by_side.clear();
        let mut color = None;
        let lanes = self.lanes.iter_mut().zip(&mut self.seats);
        for (k, (lanes, seats)) in lanes.enumerate() {
            let is_active = dispatch!(Level::new(), simd => if seats.on_planes {
                lanes.refresh::<_, true>(simd, seats, terms, places, motions)
            } else {
                lanes.refresh::<_, false>(simd, seats, terms, places, motions)
            });
            if is_active {
                let at = self.active.len();
                self.active.push(k as u32);
                match self.side_by_side.last_mut() {
                    Some(some) if color == Some(seats.color) && some.len() < SIDE_BY_SIDE => {
                        some.end = at + 1;
                    }
                    _ => self.side_by_side.push(at..at + 1),
                }
                color = Some(seats.color);
            }
        }
    }
}
