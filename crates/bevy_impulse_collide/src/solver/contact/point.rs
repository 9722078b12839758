//! The general kernel: pairs of any shapes that touch at one point or at two, several pairs at a time, with optional terms for
//! rolling friction, spinning friction and growth.

use std::sync::atomic::Ordering::Relaxed;

use fearless_simd::dispatch;
use glam::Vec3;

use super::{
    accumulator::accumulate,
    class::PairClass,
    couple::CoupleTerms,
    entry::{BallGroup, EntryGroup, PairEntry, StoredImpulse},
    handle::{LaneIndex, Store},
    point_data::{PointPairs, Points},
    point_prepare::prepare,
    point_solve::{Optional, solve_both, solve_one},
    rows::{RowInput, RowSums, RowVelocities, Rows},
    slide::SlideTerms,
    stretch::{GrowthSpeeds, StretchTerms},
    surface::SurfaceTerms,
    velocity::WideVelocity,
    view::ContactPoint,
};
use crate::solver::{
    simd::{LANES, LaneMask, Numbers},
    simd_limit::level,
};

/// Pairs in groups of [`LANES`]. No two pairs of a group share a moving body. The two points of a pair are solved together; while
/// no pair of a group touches at two points, the second points cost nothing.
///
/// A pair keeps its lane and its impulses until the broad phase finds all pairs anew. A lane without a pair, or with bodies that
/// are apart, has zero effective masses: it changes nothing.
#[derive(Debug, Default)]
pub(super) struct PointContacts {
    pub(super) pairs: Vec<PointPairs>,
    /// The first and the second points of each group.
    pub(super) points: [Vec<Points>; 2],
    /// Optional terms of both points, for the groups that have them.
    pub(super) couples: Vec<[CoupleTerms; 2]>,
    pub(super) stretches: Vec<[StretchTerms; 2]>,
    pub(super) surfaces: Vec<SurfaceTerms>,
    /// Of the groups with a surface that moves by itself.
    pub(super) slides: Vec<SlideTerms>,
    active: Vec<ActiveGroup>,
}

/// A group with active contacts.
#[derive(Clone, Copy, Debug)]
struct ActiveGroup {
    group: u32,
    /// Whether second points are active.
    is_double: bool,
}

impl PointContacts {
    /// Forgets all pairs.
    pub fn clear(&mut self) {
        self.pairs.clear();
        self.points.iter_mut().for_each(Vec::clear);
        self.couples.clear();
        self.stretches.clear();
        self.surfaces.clear();
        self.slides.clear();
        self.active.clear();
    }

    /// Adds a group of pairs of one class; for pairs with colliders, with the contact of each lane.
    pub fn add(&mut self, group: &EntryGroup, class: PairClass, surface: Option<SurfaceTerms>) {
        // A lane without a pair has the ground for both bodies.
        let points = [0, 1].map(|k| Points {
            a: group.each(|entry| entry.slots.0),
            b: group.each(|entry| entry.slots.1),
            friction: group.number(|entry| entry.friction),
            normal_impulse: group.number(|entry| entry.impulse.shares()[k].normal),
            friction_impulse: group.vector(|entry| entry.impulse.shares()[k].friction),
            ..Points::NONE
        });
        for (all, points) in self.points.iter_mut().zip(points) {
            all.push(points);
        }
        let couples = group
            .any(|entry| entry.rolling_friction > 0.0 || entry.spinning_friction > 0.0)
            .then(|| {
                let terms = |k: usize| {
                    CoupleTerms::new(
                        group,
                        group.vector(|entry| entry.impulse.shares()[k].couple),
                    )
                };
                self.couples.push([terms(0), terms(1)]);
                self.couples.len() as u32 - 1
            });
        let stretch = group.any(|entry| entry.grows).then(|| {
            self.stretches.push([StretchTerms::NONE; 2]);
            self.stretches.len() as u32 - 1
        });
        let surface = surface.map(|surface| {
            self.surfaces.push(surface);
            self.surfaces.len() as u32 - 1
        });
        let slide = group.any(|entry| entry.has_moving_surface).then(|| {
            self.slides.push(SlideTerms::NONE);
            self.slides.len() as u32 - 1
        });
        self.pairs.push(PointPairs {
            pair: group.each(|entry| entry.pair),
            a: group.each(|entry| entry.bodies.0),
            b: group.each(|entry| entry.bodies.1),
            class,
            is_used: group.is_used(),
            on_ground: group.marks(|entry| entry.slots.0 == 0 || entry.slots.1 == 0),
            was_double: group.marks(|entry| entry.impulse.second_share > 0.0),
            is_active: [LaneMask::NONE; 2],
            depth: [Numbers::ZERO; 2],
            couples,
            stretch,
            surface,
            slide,
        });
    }

    /// The number of groups.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// The balls among the groups, for the projection stage.
    pub fn balls(&self) -> impl Iterator<Item = BallGroup<'_>> {
        let groups = self.pairs.iter().zip(&self.points[0]);
        let balls = groups.filter(|(pairs, _)| !pairs.class.has_capsule);
        balls.map(|(pairs, points)| BallGroup {
            a: &pairs.a,
            b: &pairs.b,
            slots: (&points.a, &points.b),
            on_planes: pairs.class.on_plane,
            is_used: pairs.is_used,
            friction: &points.friction,
        })
    }

    /// The active contact points of the groups that `which` picks.
    pub fn active_points(
        &self,
        which: impl Fn(&PointPairs) -> bool,
    ) -> impl Iterator<Item = ContactPoint> {
        let groups = self.active.iter().map(|active| active.group as usize);
        let groups = groups.filter(move |&group| which(&self.pairs[group]));
        groups.flat_map(move |group| (0..LANES).flat_map(move |lane| self.points_of(group, lane)))
    }

    /// The active contact points of the pairs of bodies that are `wanted`.
    pub fn points_between(
        &self,
        wanted: impl Fn(u32, u32) -> bool + Copy,
    ) -> impl Iterator<Item = ContactPoint> {
        let groups = self.active.iter().map(|active| active.group as usize);
        groups.flat_map(move |group| {
            let pairs = &self.pairs[group];
            let lanes = (0..LANES).filter(move |&lane| wanted(pairs.a[lane], pairs.b[lane]));
            lanes.flat_map(move |lane| self.points_of(group, lane))
        })
    }

    /// The bodies of each active pair.
    pub fn touching_bodies(&self) -> impl Iterator<Item = (u32, u32)> {
        let groups = self
            .active
            .iter()
            .map(|active| &self.pairs[active.group as usize]);
        groups.flat_map(|pairs| {
            let [first, second] = pairs.is_active;
            let lanes = first.iter().chain(second.iter());
            lanes.map(|lane| (pairs.a[lane], pairs.b[lane]))
        })
    }

    /// The number of active contact points of a lane.
    pub fn count_points_of(&self, group: usize, lane: usize) -> usize {
        let active = self.pairs[group].is_active.iter();
        active.filter(|active| active.has(lane)).count()
    }

    /// The active contact points of a lane.
    pub fn points_of(&self, group: usize, lane: usize) -> impl Iterator<Item = ContactPoint> {
        let pairs = &self.pairs[group];
        let active = (0..2).filter(move |&k| pairs.is_active[k].has(lane));
        active.map(move |k| {
            let points = &self.points[k][group];
            let couple = pairs.couples.map_or(Vec3::ZERO, |couples| {
                self.couples[couples as usize][k].couple.lane(lane)
            });
            ContactPoint {
                pair: pairs.pair[lane],
                feature: k as u32,
                at: LaneIndex {
                    store: match pairs.surface {
                        Some(_) => Store::Surfaces,
                        None => Store::Points,
                    },
                    group,
                    lane,
                },
                a: pairs.a[lane],
                b: pairs.b[lane],
                slots: (points.a[lane], points.b[lane]),
                normal: points.normal.lane(lane),
                arm_a: points.arm_a.lane(lane),
                depth: pairs.depth[k].lane(lane),
                closing_allowed: points.closing_allowed.lane(lane),
                friction: points.friction.lane(lane),
                normal_impulse: points.normal_impulse.lane(lane),
                friction_impulse: points.friction_impulse.lane(lane),
                couple,
            }
        })
    }

    /// Takes the pair out of a lane.
    pub fn take_out(&mut self, group: usize, lane: usize) {
        for feature in 0..2 {
            self.set_impulse(group, lane, feature, &StoredImpulse::default());
            let points = &mut self.points[feature as usize][group];
            (points.a[lane], points.b[lane]) = PairEntry::NONE.slots;
            points.is_active.remove(lane);
        }
        let pairs = &mut self.pairs[group];
        pairs.pair[lane] = PairEntry::NONE.pair;
        (pairs.a[lane], pairs.b[lane]) = PairEntry::NONE.bodies;
        let [first, second] = &mut pairs.is_active;
        for mask in [
            &mut pairs.is_used,
            &mut pairs.on_ground,
            &mut pairs.was_double,
            first,
            second,
        ] {
            mask.remove(lane);
        }
    }

    /// Sets the impulses of a point of a lane.
    pub fn set_impulse(&mut self, group: usize, lane: usize, feature: u32, new: &StoredImpulse) {
        let points = &mut self.points[feature as usize][group];
        points.normal_impulse.0[lane] = new.normal;
        points.friction_impulse.set_lane(lane, new.friction);
        if let Some(couples) = self.pairs[group].couples {
            let terms = &mut self.couples[couples as usize][feature as usize];
            terms.couple.set_lane(lane, new.couple);
        }
    }
}

impl Rows for PointContacts {
    fn prepare(&mut self, input: &RowInput) {
        self.active.clear();
        for group in 0..self.pairs.len() {
            let pairs = &mut self.pairs[group];
            let [first, second] = &mut self.points;
            let points = [&mut first[group], &mut second[group]];
            let couples = pairs.couples.map(|k| &mut self.couples[k as usize]);
            let stretch = pairs.stretch.map(|k| &mut self.stretches[k as usize]);
            let surface = pairs.surface.map(|k| &self.surfaces[k as usize]);
            let slide = pairs.slide.map(|k| &mut self.slides[k as usize]);
            let is_active = dispatch!(level(), simd => prepare(
                simd, pairs, points, couples, stretch, surface, slide, input,
            ));
            if is_active.contains(&true) {
                self.active.push(ActiveGroup {
                    group: group as u32,
                    is_double: is_active[1],
                });
            }
        }
    }

    fn warm_start(&mut self, velocities: &mut RowVelocities) {
        let RowVelocities {
            velocities,
            growth_speeds,
        } = velocities;
        dispatch!(level(), simd => for active in &self.active {
            let group = active.group as usize;
            let pairs = &self.pairs[group];
            for k in 0..if active.is_double { 2 } else { 1 } {
                let points = &self.points[k][group];
                let mut a = WideVelocity::load(simd, velocities, &points.a);
                let mut b = WideVelocity::load(simd, velocities, &points.b);
                let impulse = points.impulse(simd);
                points.push(&mut a, &mut b, impulse);
                if let Some(couples) = pairs.couples {
                    let couple = self.couples[couples as usize][k].couple.load(simd);
                    points.inertias(simd).twist(&mut a, &mut b, couple);
                }
                if let Some(stretch) = pairs.stretch {
                    let stretch = self.stretches[stretch as usize][k].load(simd);
                    let mut speeds = GrowthSpeeds::load(simd, growth_speeds, &points.a, &points.b);
                    stretch.push(&mut speeds, impulse);
                    speeds.store(growth_speeds, &points.a, &points.b);
                }
                a.store(velocities, &points.a);
                b.store(velocities, &points.b);
            }
        });
    }

    fn solve(&mut self, relaxation: f32, velocities: &mut RowVelocities) {
        let RowVelocities {
            velocities,
            growth_speeds,
        } = velocities;
        let [first, second] = &mut self.points;
        dispatch!(level(), simd => for active in &self.active {
            let group = active.group as usize;
            let pairs = &self.pairs[group];
            let points = [&mut first[group], &mut second[group]];
            let couples = pairs.couples.map(|k| &mut self.couples[k as usize]);
            let stretch = pairs.stretch.map(|k| &self.stretches[k as usize]);
            let slide = pairs.slide.map(|k| &self.slides[k as usize]);
            let optional = Optional { couples, stretch, slide, growth_speeds };
            // Without optional terms, the compiler leaves their code out.
            match (active.is_double, pairs.class.is_extended) {
                (false, false) => {
                    solve_one(simd, points[0], Optional::none(), relaxation, velocities);
                }
                (true, false) => {
                    solve_both(simd, points, Optional::none(), relaxation, velocities);
                }
                (false, true) => solve_one(simd, points[0], optional, relaxation, velocities),
                (true, true) => solve_both(simd, points, optional, relaxation, velocities),
            }
        });
    }

    fn accumulate(&self, sums: &mut RowSums) {
        let RowSums {
            poses,
            sums,
            touches,
            ..
        } = sums;
        for contact in self.active_points(|_| true) {
            accumulate(&contact, poses, sums);
            if contact.is_touching(poses) {
                touches[contact.pair as usize].store(true, Relaxed);
            }
        }
    }
}

#[cfg(test)]
mod tests;
