//! The overlaps of one cell of the partition.

use fearless_simd::{Level, dispatch};

use super::{
    balls::{Overlaps, Spot, Terms},
    capsules::{Point, points},
    pair::{overlap, project_pair},
    shift::Shift,
    turning::Turning,
};
use crate::{
    body::Bodies,
    config::CollisionConfig,
    solver::{contact::BallGroup, partition::Slabs},
};

/// Pairs that are pushed apart together: those that overlap.
#[derive(Debug, Default)]
pub(super) struct Part {
    balls: Vec<Overlaps>,
    on_planes: Vec<Overlaps>,
    points: Vec<Point>,
    others: Vec<(u32, u32)>,
    pub moved: bool,
}

impl Part {
    pub fn is_empty(&self) -> bool {
        self.balls.is_empty() && self.on_planes.is_empty() && !self.turns()
    }

    /// Whether there are pairs of which a push may turn a body.
    pub fn turns(&self) -> bool {
        !(self.points.is_empty() && self.others.is_empty())
    }

    pub fn clear(&mut self) {
        self.balls.clear();
        self.on_planes.clear();
        self.points.clear();
        self.others.clear();
    }

    /// Takes those pairs of balls that overlap.
    pub fn find_balls<'a>(
        &mut self,
        terms: &Terms,
        spots: &[Spot],
        groups: impl Iterator<Item = BallGroup<'a>>,
    ) {
        dispatch!(Level::new(), simd => for balls in groups {
            if balls.on_planes {
                let overlaps = Overlaps::on_planes(simd, terms, spots, &balls);
                self.on_planes.extend(overlaps);
            } else {
                let (overlaps, near) = Overlaps::find(simd, terms, spots, &balls);
                self.balls.extend(overlaps);
                let near = near.iter().map(|lane| (balls.a[lane], balls.b[lane]));
                self.others.extend(near);
            }
        });
    }

    /// Takes a pair if it overlaps. `first` is the part's first place.
    pub fn find_other(
        &mut self,
        bodies: &Bodies,
        config: &CollisionConfig,
        slabs: &Slabs,
        first: usize,
        pair: (u32, u32),
    ) {
        let (a, b) = (pair.0 as usize, pair.1 as usize);
        if bodies.is_at_rest(a) && bodies.is_at_rest(b) {
            return;
        }
        if bodies.shape[a].is_capsule() || bodies.shape[b].is_capsule() {
            let place = |i: usize| match bodies.is_free(i) {
                true => (slabs.place(i) - first) as u32,
                false => 0,
            };
            let found = points(bodies, config, (a, b), [place(a), place(b)]);
            self.points.extend(found);
        } else if overlap(bodies, config, a, b) {
            self.others.push(pair);
        }
    }

    pub fn push_balls_apart(&mut self, terms: &Terms, shifts: &mut [Shift]) {
        self.moved = dispatch!(Level::new(), simd => {
            let mut moved = false;
            for overlaps in &self.balls {
                moved |= overlaps.push_apart::<_, false>(simd, terms, shifts);
            }
            for overlaps in &self.on_planes {
                moved |= overlaps.push_apart::<_, true>(simd, terms, shifts);
            }
            moved
        });
    }

    pub fn push_others_apart(
        &mut self,
        bodies: &Bodies,
        config: &CollisionConfig,
        slabs: &Slabs,
        first: usize,
        shifts: &mut [Shift],
        turnings: &mut [Turning],
    ) {
        for point in &self.points {
            self.moved |= point.push_apart(config, bodies.h, shifts, turnings);
        }
        for &(a, b) in &self.others {
            let place = |i| slabs.place(i) - first;
            let (a, b) = (a as usize, b as usize);
            self.moved |= project_pair(bodies, config, shifts, turnings, place, a, b);
        }
    }
}
