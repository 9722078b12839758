//! The growth of a group over the contacts.

use std::ops::Range;

use super::{MAX_HEAVY, MAX_NEAR, MAX_POINTS};
use crate::{
    body::Bodies,
    solver::contact::{graph::ContactGraph, view::ContactPoint},
};

/// How much nearer a body counts that lies where the load goes: the eccentricity of the ellipsoid that the group fills.
const ALONG_LOAD: f32 = 0.8;

/// Most bodies of a place with many heavy ones, where small groups are looked for.
const MOST_BODIES: u32 = 512;

/// The pairs of heavy bodies on light ones, and the pairs of each body at the places where they are. Found again when the places
/// change.
#[derive(Debug, Default)]
pub(super) struct Contacts {
    version: Option<u64>,
    /// The heavy and the light body of each pair, and the pair; place by place.
    pub seeds: Vec<(u32, u32, u32)>,
    pub places: Vec<HeavyPlace>,
    /// What is at the place of each root, while the places are being found.
    crowds: Vec<Crowd>,
    /// The places' roots, and whether each body is at one of the places, while they are being found.
    roots: Vec<u32>,
    are_here: Vec<bool>,
    /// The end of each body's pairs in `pairs`.
    ends: Vec<u32>,
    pairs: Vec<u32>,
    /// Whether any of these pairs is with a collider.
    have_colliders: bool,
    /// The active points with colliders in this substep, each with the number of its cell, sorted by pair.
    surfaces: Vec<(usize, ContactPoint)>,
}

/// How many bodies are at a place.
#[derive(Clone, Copy, Debug, Default)]
struct Crowd {
    bodies: u32,
    heavy: u32,
    /// Whether the body of this number is heavy, at whatever place.
    is_heavy: bool,
}

impl Crowd {
    /// Whether it is a heap of bodies of all sizes, which the sweeps carry.
    fn is_heap(&self) -> bool {
        self.bodies > MOST_BODIES && self.heavy as usize > MAX_HEAVY
    }
}

/// A place with heavy bodies.
#[derive(Clone, Debug)]
pub(super) struct HeavyPlace {
    /// Its pairs among the seeds.
    pub seeds: Range<usize>,
    /// Number of its heavy bodies.
    pub heavy: usize,
}

impl Contacts {
    /// Brings the lists up to date.
    pub fn update(&mut self, graph: &mut ContactGraph, bodies: &Bodies) {
        if self.version != Some(graph.places.version()) {
            self.version = Some(graph.places.version());
            self.find_places(graph, bodies);
            self.list_pairs(graph, bodies);
        }
        self.surfaces.clear();
        if self.have_colliders {
            for (number, cell) in graph.cells.iter().enumerate() {
                let points = cell.surface_points().map(|point| (number, point));
                self.surfaces.extend(points);
            }
            // Stable: the points of a pair keep their order.
            self.surfaces.sort_by_key(|(_, point)| point.pair);
        }
    }

    fn find_places(&mut self, graph: &mut ContactGraph, bodies: &Bodies) {
        let Self {
            seeds,
            places,
            roots,
            crowds,
            ..
        } = self;
        let ordered = |k: u32| {
            let (a, b) = wholes_of(bodies, graph.pairs[k as usize]);
            let is_a = bodies.mass[a as usize] > bodies.mass[b as usize];
            let (heavy, light) = if is_a { (a, b) } else { (b, a) };
            (heavy, light, k)
        };
        let sets = &mut graph.places;
        crowds.clear();
        crowds.resize(bodies.len(), Crowd::default());
        for i in (0..bodies.len()).filter(|&i| !bodies.is_part(i)) {
            crowds[sets.root(i)].bodies += 1;
        }
        seeds.clear();
        seeds.extend(sets.heavy().iter().map(|&k| ordered(k)));
        for &(heavy, ..) in &*seeds {
            if !std::mem::replace(&mut crowds[heavy as usize].is_heavy, true) {
                crowds[sets.root(heavy as usize)].heavy += 1;
            }
        }
        seeds.retain(|&(heavy, ..)| !crowds[sets.root(heavy as usize)].is_heap());
        seeds.sort_by_cached_key(|&(heavy, _, k)| (sets.root(heavy as usize), heavy, k));
        roots.clear();
        roots.extend(seeds.iter().map(|seed| sets.root(seed.0 as usize) as u32));
        places.clear();
        let mut start = 0;
        for place in roots.chunk_by(|one, other| one == other) {
            let range = start..start + place.len();
            start = range.end;
            places.push(HeavyPlace {
                seeds: range,
                heavy: crowds[place[0] as usize].heavy as usize,
            });
        }
        roots.dedup();
    }

    /// Lists the pairs of each body at a place with heavy bodies, by counting.
    fn list_pairs(&mut self, graph: &mut ContactGraph, bodies: &Bodies) {
        let Self {
            roots,
            are_here,
            ends,
            pairs,
            have_colliders,
            ..
        } = self;
        let sets = &mut graph.places;
        are_here.clear();
        are_here.extend(
            (0..bodies.len()).map(|i| {
                bodies.is_dynamic(i) && roots.binary_search(&(sets.root(i) as u32)).is_ok()
            }),
        );
        ends.clear();
        ends.resize(bodies.len() + 1, 0);
        *have_colliders = false;
        let mut count = 0;
        for &pair in &graph.pairs {
            let (a, b) = wholes_of(bodies, pair);
            for i in [a, b] {
                if are_here[i as usize] {
                    ends[i as usize + 1] += 1;
                    count += 1;
                    *have_colliders |= bodies.has_collider(pair.0 as usize, pair.1 as usize);
                }
            }
        }
        for i in 0..bodies.len() {
            ends[i + 1] += ends[i];
        }
        pairs.clear();
        pairs.resize(count, 0);
        for (k, &pair) in (0..).zip(&graph.pairs) {
            let (a, b) = wholes_of(bodies, pair);
            for i in [a, b] {
                if are_here[i as usize] {
                    let next = &mut ends[i as usize];
                    pairs[*next as usize] = k;
                    *next += 1;
                }
            }
        }
    }

    /// The pairs of a body.
    fn pairs_of(&self, body: u32) -> &[u32] {
        let start = body.checked_sub(1).map_or(0, |i| self.ends[i as usize]);
        &self.pairs[start as usize..self.ends[body as usize] as usize]
    }

    /// The active points of pair `k`.
    pub fn of(&self, graph: &ContactGraph, k: u32) -> impl Iterator<Item = (usize, ContactPoint)> {
        let first = self.surfaces.partition_point(|(_, point)| point.pair < k);
        let on_surface = self.surfaces[first..].iter().copied();
        let on_surface = on_surface.take_while(move |(_, point)| point.pair == k);
        graph.points_of(k).chain(on_surface)
    }

    /// The number of active points of pair `k`.
    pub fn count(&self, graph: &ContactGraph, k: u32) -> usize {
        let first = self.surfaces.partition_point(|(_, point)| point.pair < k);
        let on_surface = self.surfaces[first..].iter();
        let on_surface = on_surface.take_while(|(_, point)| point.pair == k);
        graph.count_points_of(k) + on_surface.count()
    }

    /// The active points of a body.
    pub fn of_body(
        &self,
        graph: &ContactGraph,
        body: u32,
    ) -> impl Iterator<Item = (usize, ContactPoint)> {
        let pairs = self.pairs_of(body).iter();
        pairs.flat_map(move |&k| self.of(graph, k))
    }
}

/// The bodies that move the bodies of a pair.
fn wholes_of(bodies: &Bodies, (a, b): (u32, u32)) -> (u32, u32) {
    let whole_of = |i: u32| bodies.whole_of(i as usize) as u32;
    (whole_of(a), whole_of(b))
}

/// A group of bodies in contact.
#[derive(Debug, Default)]
pub(super) struct Group {
    /// The number of the present group.
    number: u64,
    /// The last group that each body has been seen in, and the last one that holds all its contacts.
    seen: Vec<u64>,
    inside: Vec<u64>,
    /// The last group that each pair is in.
    taken: Vec<u64>,
    /// The groups that have outgrown the bound in this substep, in order.
    outgrown: Vec<u64>,
    /// Whether the present group has reached one of these: then it is a part of that island.
    meets_outgrown: bool,
    /// The bodies seen, in the order in which the group has reached them.
    reached: Vec<u32>,
    /// How far away the load is felt, of each of these bodies, in m.
    distances: Vec<f32>,
    /// Its pairs in contact, and the number of their points.
    pairs: Vec<u32>,
    count: usize,
    points: Vec<(usize, ContactPoint)>,
}

impl Group {
    /// Forgets the groups of the last substep. Returns the number before that of the next group.
    pub fn begin(&mut self, bodies: usize, pairs: usize) -> u64 {
        self.seen.resize(bodies, 0);
        self.inside.resize(bodies, 0);
        self.taken.resize(pairs, 0);
        self.outgrown.clear();
        self.number += 1;
        self.number
    }

    /// The number of the last group that a body has been seen in.
    pub fn seen_in(&self, body: u32) -> Option<u64> {
        self.seen.get(body as usize).copied()
    }

    /// Whether that group was too large.
    pub fn has_outgrown(&self, group: u64) -> bool {
        self.outgrown.binary_search(&group).is_ok()
    }

    /// Grows the group of all bodies in contact with the `sources`. Whether it is small enough.
    pub fn grow(
        &mut self,
        sources: &[u32],
        contacts: &Contacts,
        graph: &ContactGraph,
        bodies: &Bodies,
    ) -> bool {
        self.start(sources);
        let mut at = 0;
        while let Some(&body) = self.reached.get(at) {
            let fits = self.take_in(body, MAX_POINTS, contacts, graph, bodies);
            if !fits || self.meets_outgrown {
                self.outgrown.push(self.number);
                return false;
            }
            at += 1;
        }
        true
    }

    /// Grows the group of the bodies nearest to the `sources`, as many as it can hold. It reaches farther the way the load goes: a
    /// body at the distance d from a source counts as if it were at |d| − e·⟨d, â⟩, with the field's direction â.
    pub fn grow_near(
        &mut self,
        sources: &[u32],
        contacts: &Contacts,
        graph: &ContactGraph,
        bodies: &Bodies,
    ) {
        self.start(sources);
        let distance = |i: u32| {
            let of = |&source: &u32| {
                let way = bodies.position[i as usize].as_vec3()
                    - bodies.position[source as usize].as_vec3();
                let field = bodies.acceleration[source as usize].as_vec3();
                way.length() - ALONG_LOAD * way.dot(field.normalize_or_zero())
            };
            sources.iter().map(of).fold(f32::INFINITY, f32::min)
        };
        let mut at = 0;
        let mut sorted = 0;
        while at < self.reached.len() {
            self.distances
                .extend(self.reached[sorted..].iter().map(|&i| distance(i)));
            sorted = self.reached.len();
            // The nearest of those that are left comes next.
            let left = at..self.reached.len();
            let nearest = left.min_by(|&i, &j| self.distances[i].total_cmp(&self.distances[j]));
            let nearest = nearest.unwrap_or(at);
            self.reached.swap(at, nearest);
            self.distances.swap(at, nearest);
            self.take_in(self.reached[at], MAX_NEAR, contacts, graph, bodies);
            at += 1;
        }
    }

    fn start(&mut self, sources: &[u32]) {
        self.number += 1;
        self.meets_outgrown = false;
        self.pairs.clear();
        self.count = 0;
        self.reached.clear();
        self.distances.clear();
        for &body in sources {
            self.seen[body as usize] = self.number;
            self.reached.push(body);
        }
    }

    /// Takes all contacts of a body in, if there are not more than `most` then.
    fn take_in(
        &mut self,
        body: u32,
        most: usize,
        contacts: &Contacts,
        graph: &ContactGraph,
        bodies: &Bodies,
    ) -> bool {
        let (number, before) = (self.number, self.pairs.len());
        let mut count = self.count;
        for &k in contacts.pairs_of(body) {
            if self.taken[k as usize] == number {
                continue;
            }
            let points = contacts.count(graph, k);
            if points > 0 {
                self.pairs.push(k);
                count += points;
            }
            if count > most {
                self.pairs.truncate(before);
                return false;
            }
        }
        self.count = count;
        self.inside[body as usize] = number;
        for &k in &self.pairs[before..] {
            self.taken[k as usize] = number;
            let (a, b) = wholes_of(bodies, graph.pairs[k as usize]);
            for i in [a, b] {
                let seen = self.seen[i as usize];
                if seen != number && bodies.responds(i as usize) {
                    self.meets_outgrown |= self.has_outgrown(seen);
                    self.seen[i as usize] = number;
                    self.reached.push(i);
                }
            }
        }
        true
    }

    /// The bodies of the group of which some contacts are not in it.
    pub fn rim(&self) -> impl Iterator<Item = u32> {
        let reached = self.reached.iter().copied();
        reached.filter(|&i| self.inside[i as usize] != self.number)
    }

    /// The points of the group, each with the number of its cell, in the same order whatever the cells.
    pub fn sorted_points(
        &mut self,
        contacts: &Contacts,
        graph: &ContactGraph,
    ) -> &[(usize, ContactPoint)] {
        self.points.clear();
        for &k in &self.pairs {
            self.points.extend(contacts.of(graph, k));
        }
        self.points
            .sort_by_key(|(_, point)| (point.pair, point.feature));
        &self.points
    }

    /// The points as they were sorted.
    pub fn points(&self) -> &[(usize, ContactPoint)] {
        &self.points
    }
}
