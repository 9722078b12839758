//! Which pairs of bodies may meet in a substep. What meets whom exactly, and when, is found in `narrow_phase.rs` and
//! `next_impact.rs`.

use bevy::prelude::*;
use glam::Vec3A;

use super::{
    core::Core,
    grid::{Aabb, Entry, Grid},
    outside::Outside,
    partners::Partners,
};
use crate::{
    bodies::{Bodies, Shape},
    config::CollisionConfig,
    parallel::{for_each, map_chunks},
};

/// Bodies that one task finds the pairs of.
const BODIES_PER_TASK: usize = 1024;

/// A box that overlaps more cells than this is tested against all bodies instead.
const MAX_CELLS: usize = 512;

/// Room that a body at rest is given on all sides, as a part of its radius, and the most that any body is given for its
/// speed. What moves further in a substep than this gets no room for more.
const ROOM_AT_REST: f32 = 0.05;
const MOST_ROOM: f32 = 0.25;
/// So many bodies may have left their rooms, and one in so many, before all pairs are found anew.
const LEAST_STRAYS: usize = 64;
const BODIES_PER_STRAY: usize = 64;
/// So many pairs may be newcomers, and one in so many, before all pairs are found anew: one body that goes on and on leaves its
/// old pairs behind.
const LEAST_NEWCOMERS: usize = 256;
const PAIRS_PER_NEWCOMER: usize = 8;

/// Substeps that a body's room should last.
const SUBSTEPS_OF_ROOM: f32 = 8.0;

/// The pairs that may meet in this substep, and some that may soon.
///
/// Each body has some room about the box that it sweeps in a substep, and a pair is one whose rooms are near enough. So the
/// list holds until a body leaves its room: in a heap at rest, for many substeps.
#[derive(Resource, Clone, Debug, Default)]
pub struct BroadPhase {
    /// Indices into [`Bodies`], the lower first. At least one body of each pair is free. Sorted, but for the newcomers: those
    /// that have been found since all pairs were, in the order in which they were.
    pub pairs: Vec<(u32, u32)>,
    /// Another number whenever all pairs are found anew.
    pub(crate) revision: u64,
    /// How many pairs are no newcomers.
    settled: usize,
    /// Whom each body is paired with.
    partners: Partners,
    /// What the pairs were found for: the bodies' revision, and the margin.
    found_for: Option<(u64, f32)>,
    swept: Vec<Aabb>,
    rooms: Vec<Aabb>,
    /// Where the bodies were when they were given their rooms.
    cores: Vec<Core>,
    /// Bodies that have left their rooms, as each task has found them.
    left: Vec<Vec<u32>>,
    grid: Grid,
    /// Bodies that the grid does not tell of: they are too large for it, or have left their place in it.
    strays: Vec<u32>,
    is_stray: Vec<bool>,
    /// Bodies that impacts of this substep take out of their rooms.
    outside: Outside,
    /// Pairs of bodies in the grid, and those of planes and strays.
    found: Vec<Vec<(u32, u32)>>,
    found_beside: Vec<Vec<(u32, u32)>>,
    /// Room to find newcomers.
    met: Vec<u32>,
    /// Pairs about to be newcomers.
    added: Vec<(u32, u32)>,
}

/// Brings the pairs up to date, from positions and velocities at the start of the substep.
pub(crate) fn find_pairs(
    bodies: Res<Bodies>,
    config: Res<CollisionConfig>,
    mut broad_phase: ResMut<BroadPhase>,
) {
    broad_phase.update(&bodies, config.contact_margin);
}

impl BroadPhase {
    pub(crate) fn update(&mut self, bodies: &Bodies, margin: f32) {
        self.outside.clear();
        let leavers = self.sweep(bodies, margin);
        let found_for = Some((bodies.revision, margin));
        let most_strays = LEAST_STRAYS.max(bodies.len() / BODIES_PER_STRAY);
        let most_newcomers = LEAST_NEWCOMERS.max(self.settled / PAIRS_PER_NEWCOMER);
        let newcomers = self.pairs.len() - self.settled;
        let may_follow = self.strays.len() + leavers <= most_strays && newcomers <= most_newcomers;
        if self.found_for != found_for || (leavers > 0 && !may_follow) {
            self.find(bodies, margin);
            self.found_for = found_for;
            self.revision += 1;
        } else if leavers > 0 {
            self.follow_leavers(bodies, margin);
        }
    }

    /// Sweeps all boxes over the substep; how many bodies have left their rooms.
    fn sweep(&mut self, bodies: &Bodies, margin: f32) -> usize {
        self.swept.resize(bodies.len(), Aabb::EMPTY);
        self.rooms.resize(bodies.len(), Aabb::EMPTY);
        self.cores.resize(bodies.len(), Core::NONE);
        let tasks = bodies.len().div_ceil(BODIES_PER_TASK);
        self.left.resize_with(tasks, Vec::new);
        let chunks = self.swept.chunks_mut(BODIES_PER_TASK);
        let chunks = chunks.zip(&mut self.left).enumerate();
        let (rooms, cores) = (&self.rooms, &self.cores);
        for_each(chunks, |(k, (boxes, left))| {
            left.clear();
            for (i, swept) in (k * BODIES_PER_TASK..).zip(boxes) {
                *swept = swept_box(bodies, i, 0.0, margin);
                if !(rooms[i].contains(swept) && cores[i].is_near(bodies, i)) {
                    left.push(i as u32);
                }
            }
        });
        self.left.iter().map(Vec::len).sum()
    }

    /// Gives the few bodies that have left their rooms new ones, and finds their pairs. Those that they had before stay, even
    /// if they are far from each other now.
    fn follow_leavers(&mut self, bodies: &Bodies, margin: f32) {
        let left = std::mem::take(&mut self.left);
        for &i in left.iter().flatten() {
            self.make_room(bodies, i as usize, margin);
            if !std::mem::replace(&mut self.is_stray[i as usize], true) {
                self.strays.push(i);
            }
        }
        let mut met = std::mem::take(&mut self.met);
        for &i in left.iter().flatten() {
            met.clear();
            self.meet(bodies, &self.rooms, i as usize, margin, &mut met);
            self.add(i, &met);
        }
        (self.left, self.met) = (left, met);
        self.take_added();
    }

    fn make_room(&mut self, bodies: &Bodies, i: usize, margin: f32) {
        (self.rooms[i], self.cores[i]) = room_and_core(bodies, i, &self.swept[i], margin);
    }

    fn find(&mut self, bodies: &Bodies, margin: f32) {
        let rooms = self.rooms.chunks_mut(BODIES_PER_TASK);
        let chunks = rooms
            .zip(self.cores.chunks_mut(BODIES_PER_TASK))
            .enumerate();
        let swept = &self.swept;
        for_each(chunks, |(k, (rooms, cores))| {
            for ((i, room), core) in (k * BODIES_PER_TASK..).zip(rooms).zip(cores) {
                (*room, *core) = room_and_core(bodies, i, &swept[i], margin);
            }
        });
        self.grid.build(&self.rooms, |i| ball_label(bodies, i));
        self.strays.clear();
        self.is_stray.clear();
        for i in 0..bodies.len() {
            let is_stray = !self.grid.has(i as u32) && !matches!(bodies.shape[i], Shape::Plane);
            self.is_stray.push(is_stray);
            if is_stray {
                self.strays.push(i as u32);
            }
        }
        // They are few: of larger cells, there are fewer to look into.
        let cell = 2.0 * self.grid.mean_cell();
        self.outside.reset(bodies.len(), cell);

        let Self {
            rooms,
            cores,
            grid,
            strays,
            is_stray,
            found,
            found_beside,
            ..
        } = self;
        let found = map_chunks(grid.len(), BODIES_PER_TASK, found, |range, pairs| {
            pairs.clear();
            for k in range {
                grid.neighbours(k, |one, other| {
                    let (a, b) = (one.body.min(other.body), one.body.max(other.body));
                    let (i, j) = (a as usize, b as usize);
                    let may_meet = balls_may_meet(one, other, margin).unwrap_or_else(|| {
                        may_meet(bodies, rooms, i, j, margin) && cores[i].may_meet(&cores[j])
                    });
                    if may_meet {
                        pairs.push((a, b));
                    }
                });
            }
        });
        let found_beside = map_chunks(
            bodies.len(),
            BODIES_PER_TASK,
            found_beside,
            |range, pairs| {
                pairs.clear();
                for i in range {
                    let body = i as u32;
                    let is_pushed = bodies.is_pushed(i);
                    if matches!(bodies.shape[i], Shape::Plane) {
                        continue;
                    }
                    for &stray in strays.iter() {
                        // Of two strays, the later one finds the other.
                        let is_mine = stray < body || !is_stray[i];
                        if is_mine
                            && stray != body
                            && may_meet(bodies, rooms, i, stray as usize, margin)
                        {
                            pairs.push((body.min(stray), body.max(stray)));
                        }
                    }
                    for &plane in bodies.planes.iter().filter(|_| is_pushed) {
                        if reaches_plane(bodies, i, &rooms[i], plane as usize, margin) {
                            pairs.push((body.min(plane), body.max(plane)));
                        }
                    }
                }
            },
        );
        let found = found.iter().chain(found_beside.iter()).flatten().copied();
        self.partners.list(bodies.len(), found, &mut self.pairs);
        self.settled = self.pairs.len();
    }

    /// The pairs that are no newcomers, sorted.
    pub(crate) fn settled(&self) -> &[(u32, u32)] {
        &self.pairs[..self.settled]
    }

    /// Adds the pairs of a body and those that it has met, unless they are known; [`take_added`](Self::take_added) makes them
    /// count.
    fn add(&mut self, i: u32, met: &[u32]) {
        let new = met
            .iter()
            .filter(|&&j| !self.partners.are_paired(i, j))
            .map(|&j| (i.min(j), i.max(j)));
        self.added.extend(new);
    }

    /// Makes the pairs added newcomers.
    pub(crate) fn take_added(&mut self) {
        self.added.sort_unstable();
        self.added.dedup();
        for pair in self.added.drain(..) {
            self.partners.link(pair);
            self.pairs.push(pair);
        }
    }

    /// After an impact at `from` seconds into the substep: sweeps body `i` along its new path.
    pub(crate) fn resweep(&mut self, bodies: &Bodies, i: usize, from: f32, margin: f32) {
        let aabb = swept_box(bodies, i, from, margin);
        self.swept[i] = aabb;
        let stays = self.rooms[i].contains(&aabb) && self.cores[i].is_near(bodies, i);
        if !stays || self.outside.has(i) {
            self.outside.put(i, &aabb);
        }
    }

    /// Lists in `met` the bodies that body `i`, which has been swept anew, may meet on its path, and partners of its that
    /// `are_looked_at` by the caller, near or not. [`take_added`](Self::take_added) makes their pairs count.
    pub(crate) fn find_met(
        &mut self,
        bodies: &Bodies,
        i: usize,
        margin: f32,
        are_looked_at: impl Fn(usize) -> bool,
        met: &mut Vec<u32>,
    ) {
        met.clear();
        if self.outside.has(i) {
            self.meet(bodies, &self.swept, i, margin, met);
            self.add(i as u32, met);
        } else {
            // Of those that stay in their rooms too, it meets only whom it is paired with.
            met.extend(self.partners.of(i).filter(|&j| {
                let j = j as usize;
                !self.outside.has(j)
                    && (are_looked_at(j) || self.is_met(bodies, &self.swept, i, j, margin))
            }));
            let known = met.len();
            self.meet_outside(bodies, &self.swept, i, margin, met);
            self.add(i as u32, &met[known..]);
        }
    }

    /// Lists the bodies that body `i` may meet while both are in their boxes.
    fn meet(&self, bodies: &Bodies, boxes: &[Aabb], i: usize, margin: f32, met: &mut Vec<u32>) {
        let mut meet = |j: u32| {
            if !self.outside.has(j as usize) && self.is_met(bodies, boxes, i, j as usize, margin) {
                met.push(j);
            }
        };
        let is_found = self.grid.within(&boxes[i], MAX_CELLS, |j| {
            if !self.is_stray[j as usize] {
                meet(j);
            }
        });
        if is_found {
            self.strays.iter().copied().for_each(&mut meet);
            bodies.planes.iter().copied().for_each(meet);
        } else {
            // One that is large is held against all bodies.
            (0..bodies.len() as u32).for_each(meet);
        }
        self.meet_outside(bodies, boxes, i, margin, met);
    }

    /// Lists those outside their rooms that body `i` may meet.
    fn meet_outside(
        &self,
        bodies: &Bodies,
        boxes: &[Aabb],
        i: usize,
        margin: f32,
        met: &mut Vec<u32>,
    ) {
        self.outside.for_each_near(&boxes[i], |j| {
            if j as usize != i && may_meet(bodies, boxes, i, j as usize, margin) {
                met.push(j);
            }
        });
    }

    /// Whether body `i` may meet another one, or a plane, while both are in their boxes.
    fn is_met(&self, bodies: &Bodies, boxes: &[Aabb], i: usize, j: usize, margin: f32) -> bool {
        match bodies.shape[j] {
            Shape::Plane => bodies.is_pushed(i) && reaches_plane(bodies, i, &boxes[i], j, margin),
            _ => is_near(bodies, boxes, i, j, margin),
        }
    }
}

/// Whether body `i` may meet another one, which is no plane, while both are in their boxes.
fn is_near(bodies: &Bodies, boxes: &[Aabb], i: usize, j: usize, margin: f32) -> bool {
    j != i && boxes[i].overlaps(&boxes[j]) && may_meet(bodies, boxes, i, j, margin)
}

fn reaches_plane(bodies: &Bodies, i: usize, swept: &Aabb, plane: usize, margin: f32) -> bool {
    let normal = Vec3A::from(bodies.axis[plane]);
    let centre = 0.5 * (swept.min + swept.max) - Vec3A::from(bodies.position[plane]);
    let half = 0.5 * (swept.max - swept.min);
    centre.dot(normal) - half.dot(normal.abs()) <= margin * bodies.shape[i].radius()
}

/// Room that a body gets on all sides of its swept box, in m.
fn room_for(bodies: &Bodies, i: usize) -> f32 {
    if !bodies.is_free(i) {
        return 0.0;
    }
    let radius = bodies.shape[i].radius();
    let path = (bodies.velocity[i].length() + tip_speed(bodies, i)) * bodies.h;
    let wanted = if path < MOST_ROOM * radius {
        SUBSTEPS_OF_ROOM * path
    } else {
        0.0
    };
    wanted.clamp(ROOM_AT_REST * radius, MOST_ROOM * radius)
}

/// Whether two bodies may touch while each is in its box.
fn may_meet(bodies: &Bodies, boxes: &[Aabb], a: usize, b: usize, margin: f32) -> bool {
    if !(bodies.is_pushed(a) || bodies.is_pushed(b)) {
        return false;
    }
    if let (Shape::Particle { radius: r_a }, Shape::Particle { radius: r_b }) =
        (bodies.shape[a], bodies.shape[b])
    {
        return are_in_reach(&boxes[a], &boxes[b], r_a + r_b, margin);
    }
    boxes[a].gap(&boxes[b]).max_element() <= 0.0
}

/// Whether balls whose radii sum up to `radii` may touch while each is in its box.
fn are_in_reach(a: &Aabb, b: &Aabb, radii: f32, margin: f32) -> bool {
    // The boxes that their centres are in are smaller by the radii.
    let reach = radii * (1.0 + margin);
    let gap = (a.gap(b) + reach).max(Vec3A::ZERO);
    gap.length_squared() <= reach * reach
}

/// All that the grid need know of a ball: its radius, below zero if nothing pushes it. Infinite for other shapes.
fn ball_label(bodies: &Bodies, i: usize) -> f32 {
    match bodies.shape[i] {
        Shape::Particle { radius } if bodies.is_pushed(i) => radius,
        Shape::Particle { radius } => -radius,
        _ => f32::INFINITY,
    }
}

/// What [`may_meet`] tells of two balls, without a look at [`Bodies`]; `None` if one is no ball.
fn balls_may_meet(one: &Entry, other: &Entry, margin: f32) -> Option<bool> {
    let radii = one.label.abs() + other.label.abs();
    let is_pushed = one.label.max(other.label) > 0.0;
    (radii < f32::INFINITY)
        .then(|| is_pushed && are_in_reach(&one.aabb, &other.aabb, radii, margin))
}

/// Speed in m/s at which the ends of a free capsule go about its centre. It stays, however the capsule tumbles.
pub(super) fn tip_speed(bodies: &Bodies, i: usize) -> f32 {
    match bodies.shape[i] {
        Shape::Capsule { half_length, .. } if bodies.is_free(i) => {
            let w = bodies.angular_velocity[i];
            half_length * w.cross(bodies.launch_axis(i)).length()
        }
        _ => 0.0,
    }
}

/// The room that a body is given, and where it is now.
fn room_and_core(bodies: &Bodies, i: usize, swept: &Aabb, margin: f32) -> (Aabb, Core) {
    let room = room_for(bodies, i);
    let core = Core::new(bodies, i, swept, room, margin);
    (core.room(swept, room), core)
}

/// The box that holds body `i` from `from` seconds into the substep to its end.
fn swept_box(bodies: &Bodies, i: usize, from: f32, margin: f32) -> Aabb {
    if matches!(bodies.shape[i], Shape::Plane) {
        return Aabb::EMPTY;
    }
    let radius = bodies.shape[i].radius() * (1.0 + margin);
    let half = match bodies.shape[i] {
        Shape::Capsule { half_length, .. } => {
            let turned = tip_speed(bodies, i) * bodies.h;
            Vec3A::from(bodies.launch_axis(i).abs()) * half_length + (radius + turned)
        }
        _ => Vec3A::splat(radius),
    };
    if !bodies.is_free(i) {
        let x = Vec3A::from(bodies.position[i]);
        return Aabb {
            min: x - half,
            max: x + half,
        };
    }
    let x = Vec3A::from(bodies.launch_position[i]);
    let v = Vec3A::from(bodies.velocity[i]);
    let a = Vec3A::from(bodies.flight_acceleration(i));
    let at = |s: Vec3A| x + s * (v + a * (0.5 * s));
    let (h, from) = (Vec3A::splat(bodies.h), Vec3A::splat(from));
    let (start, end) = (at(from), at(h));
    // A parabola may turn inside the step, on each axis at its own time −v/a.
    let turn = -v / a;
    let turns = turn.cmpgt(from) & turn.cmplt(h);
    let extreme = at(Vec3A::select(turns, turn, h));
    Aabb {
        min: start.min(end).min(extreme) - half,
        max: start.max(end).max(extreme) + half,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{bodies::Material, kernel::InverseInertia};

    /// Balls of these places, radii and velocities, the first of them fixed, over a plane.
    fn bodies(balls: &[(Vec3, f32, Vec3)]) -> Bodies {
        let mut bodies = Bodies {
            h: 0.01,
            ..default()
        };
        for (i, &(x, radius, v)) in balls.iter().enumerate() {
            let shape = Shape::Particle { radius };
            let inverse_mass = if i == 0 { 0.0 } else { 1.0 };
            bodies.push_for_test(shape, x, v, inverse_mass);
        }
        bodies.planes.push(balls.len() as u32);
        bodies.push_for_test(Shape::Plane, Vec3::ZERO, Vec3::ZERO, 0.0);
        bodies
    }

    impl Bodies {
        pub(crate) fn push_for_test(&mut self, shape: Shape, x: Vec3, v: Vec3, inverse_mass: f32) {
            self.entity.push(Entity::PLACEHOLDER);
            self.shape.push(shape);
            self.axis.push(Vec3::Y);
            self.position.push(x);
            self.launch_position.push(x);
            self.velocity.push(v);
            self.inverse_mass.push(inverse_mass);
            self.inverse_inertia.push(InverseInertia::ZERO);
            self.material.push(Material::default());
            self.acceleration.push(default());
            self.contact_acceleration.push(Vec3::ZERO);
        }
    }

    /// Every pair that may meet, by looking at all of them.
    fn all_pairs(bodies: &Bodies, margin: f32) -> Vec<(u32, u32)> {
        let plane = bodies.len() - 1;
        let boxes: Vec<_> = (0..plane)
            .map(|i| swept_box(bodies, i, 0.0, margin))
            .collect();
        let mut pairs = Vec::new();
        for i in 0..plane {
            for j in i + 1..plane {
                if may_meet(bodies, &boxes, i, j, margin) {
                    pairs.push((i as u32, j as u32));
                }
            }
            if bodies.is_free(i) && reaches_plane(bodies, i, &boxes[i], plane, margin) {
                pairs.push((i as u32, plane as u32));
            }
        }
        pairs
    }

    fn vector(range: f32) -> impl Strategy<Value = Vec3> {
        let axis = || -range..range;
        (axis(), axis(), axis()).prop_map(Vec3::from)
    }

    /// However long one body goes on and on, its old pairs do not pile up.
    #[test]
    fn pairs_do_not_pile_up() {
        let row = (0..2000).map(|k| (Vec3::X * k as f32, 0.5, Vec3::ZERO));
        let mut bodies = bodies(&row.collect::<Vec<_>>());
        let mut broad_phase = BroadPhase::default();
        let mut most = 0;
        for step in 0..1900 {
            bodies.position[1] = Vec3::new(step as f32 + 0.5, 0.9, 0.0);
            bodies.launch_position[1] = bodies.position[1];
            broad_phase.update(&bodies, 0.01);
            most = most.max(broad_phase.pairs.len());
        }
        let at_first = 2 * 2000;
        assert!(most < at_first + at_first / 4, "{most} pairs");
    }

    proptest! {
        #[test]
        fn finds_what_looking_at_all_pairs_finds(
            balls in prop::collection::vec(
                (vector(20.0), -2.0..2.0f32, vector(1.0), 0.0..4.0f32), 2..60),
            offset in prop::sample::select(vec![0.0, 3e3, -5e4]),
        ) {
            // Radii from a hundredth to a hundred, speeds from one to ten thousand.
            let balls: Vec<_> = balls
                .into_iter()
                .map(|(x, size, v, speed)| {
                    (x + offset, 10f32.powf(size), v * 10f32.powf(speed))
                })
                .collect();
            let bodies = bodies(&balls);
            let mut broad_phase = BroadPhase::default();
            broad_phase.update(&bodies, 0.01);
            prop_assert!(broad_phase.pairs.is_sorted_by(|a, b| a < b));
            for pair in all_pairs(&bodies, 0.01) {
                prop_assert!(broad_phase.pairs.contains(&pair));
            }
        }

        #[test]
        fn finds_all_on_a_path_that_has_changed(
            balls in prop::collection::vec((vector(10.0), -1.5..1.0f32, vector(100.0)), 2..40),
            // Slow enough to stay, and fast enough to cross everything.
            changes in prop::collection::vec((1..40usize, vector(2.0), 0.0..3.0f32), 1..20),
        ) {
            let balls: Vec<_> = balls
                .into_iter()
                .map(|(x, size, v)| (x, 10f32.powf(size), v))
                .collect();
            let mut bodies = bodies(&balls);
            let mut broad_phase = BroadPhase::default();
            broad_phase.update(&bodies, 0.01);
            for (i, v, speed) in changes {
                let (i, v) = (i % balls.len(), v * 10f32.powf(speed));
                if !bodies.is_free(i) {
                    continue;
                }
                bodies.velocity[i] = v;
                let mut met = Vec::new();
                broad_phase.resweep(&bodies, i, 0.0, 0.01);
                broad_phase.find_met(&bodies, i, 0.01, |_| false, &mut met);
                met.sort_unstable();
                let i = i as u32;
                let mut expected: Vec<u32> = all_pairs(&bodies, 0.01)
                    .into_iter()
                    .filter(|&(a, b)| a == i || b == i)
                    .map(|(a, b)| a + b - i)
                    .collect();
                expected.sort_unstable();
                prop_assert_eq!(met, expected);
            }
            broad_phase.take_added();
            let mut pairs = broad_phase.pairs.clone();
            pairs.sort_unstable();
            prop_assert!(pairs.is_sorted_by(|a, b| a < b));
            for pair in all_pairs(&bodies, 0.01) {
                prop_assert!(pairs.contains(&pair));
            }
        }
    }
}
