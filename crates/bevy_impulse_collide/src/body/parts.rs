//! Parts: the balls and capsules of a compound. Each has an index of its own, as a shape that meets others; the compound moves it.
//!
//! Broad phase, contact points, times of impact, materials, layers and messages are those of the parts. Mass, velocities, impulses and
//! sleep are those of the compound: a stage asks [`Bodies::whole_of`] for its index. The place and the motion of a part follow from
//! those of the compound: [`Bodies::place_parts`] finds them after each stage.

use bevy::prelude::*;
use glam::DVec3;

use super::{flags::BodyFlags, flight::Flight, store::Bodies};
use crate::kernel::compose;

/// Which bodies are parts of which. Empty in a world without compounds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    /// The compound and the part, sorted.
    of: Vec<(u32, u32)>,
    /// The body that moves each body: a part's compound, or itself.
    whole_of: Vec<u32>,
}

impl Parts {
    /// Whether no body has parts.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// The compound and the part, for each part.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize)> {
        self.of
            .iter()
            .map(|&(whole, part)| (whole as usize, part as usize))
    }

    /// Each compound with parts.
    pub fn wholes(&self) -> impl Iterator<Item = usize> {
        let by_whole = self.of.chunk_by(|one, other| one.0 == other.0);
        by_whole.map(|parts| parts[0].0 as usize)
    }

    /// The parts of a compound.
    fn of(&self, whole: usize) -> &[(u32, u32)] {
        let start = self.of.partition_point(|&(of, _)| (of as usize) < whole);
        let parts = &self.of[start..];
        &parts[..parts.partition_point(|&(of, _)| of as usize == whole)]
    }
}

/// The flags that a part has from its compound.
const SHARED: BodyFlags = BodyFlags::ASLEEP.union(BodyFlags::FRESH);

impl Bodies {
    /// Lists the parts. A part whose compound takes no part in the step has no mass and does not move.
    pub(super) fn list_parts(&mut self) {
        let Self { parts, whole, .. } = &mut *self;
        parts.of.clear();
        parts.whole_of.clear();
        if whole.iter().all(|&whole| whole == Entity::PLACEHOLDER) {
            return;
        }
        let found: Vec<Option<usize>> = (0..self.len())
            .map(|i| {
                let whole = self.whole[i];
                (whole != Entity::PLACEHOLDER).then(|| self.index_of(whole))?
            })
            .collect();
        let parts = &mut self.parts;
        for (i, whole) in (0..).zip(found) {
            let whole = whole.map_or(i, |whole| whole as u32);
            parts.whole_of.push(whole);
            if whole != i {
                parts.of.push((whole, i));
            }
        }
        parts.of.sort_unstable();
    }

    /// The body that moves body `i`: the compound that it is a part of, or itself.
    #[inline]
    pub(crate) fn whole_of(&self, i: usize) -> usize {
        self.parts
            .whole_of
            .get(i)
            .map_or(i, |&whole| whole as usize)
    }

    /// Whether a ball is a body by itself, or the only part of a compound.
    pub(crate) fn is_by_itself(&self, i: usize) -> bool {
        !self.is_part(i) || self.is_one_ball(self.whole_of(i))
    }

    /// The mass of a body in kg; zero for a part, whose mass its compound has.
    pub(crate) fn own_mass(&self, i: usize) -> f32 {
        match self.is_part(i) {
            true => 0.0,
            false => self.mass[i],
        }
    }

    /// Whether two bodies have surfaces of their own, and are not parts of one compound.
    pub(super) fn are_apart(&self, a: usize, b: usize) -> bool {
        let has_surface = |i: usize| !self.shape[i].is_compound();
        has_surface(a) && has_surface(b) && self.whole_of(a) != self.whole_of(b)
    }

    /// A body and its parts: the indices that have its motion.
    pub(crate) fn with_parts(&self, whole: usize) -> impl Iterator<Item = usize> + use<> {
        let parts: smallvec::SmallVec<[usize; 8]> = match self.parts.is_empty() {
            true => smallvec::SmallVec::new(),
            false => self
                .parts
                .of(whole)
                .iter()
                .map(|part| part.1 as usize)
                .collect(),
        };
        std::iter::once(whole).chain(parts)
    }

    /// Position of the centre of mass of the body that moves body `i`, in m.
    #[inline]
    pub(crate) fn centre_of_mass(&self, i: usize) -> DVec3 {
        self.position[self.whole_of(i)]
    }

    /// From the centre of mass to the centre of a part, in world axes, in m; zero for a body by itself.
    #[inline]
    pub(crate) fn arm_of_part(&self, i: usize) -> Vec3 {
        match self.is_aside(i) {
            true => self.rotation[self.whole_of(i)] * self.offset[i],
            false => Vec3::ZERO,
        }
    }

    /// The same at the start of the flight.
    #[inline]
    pub(crate) fn flight_arm_of_part(&self, i: usize) -> Vec3 {
        match self.is_aside(i) {
            true => self.flight_rotation[self.whole_of(i)] * self.offset[i],
            false => Vec3::ZERO,
        }
    }

    /// A part while its compound is `at` a place.
    pub(crate) fn part_at(&self, i: usize, at: &Flight) -> Flight {
        let arm = at.rotation * self.offset[i];
        let rotation = compose(at.rotation, self.part_rotation[i]);
        Flight {
            x: at.x + arm,
            rotation,
            axis: self.shape[i].axis_at(rotation, self.local_axis[i]),
            v: at.v + at.w.cross(arm),
            w: at.w,
        }
    }

    /// Finds the places and motions of all parts from those of their compounds.
    pub(crate) fn place_parts(&mut self) {
        if self.parts.is_empty() {
            return;
        }
        for k in 0..self.parts.of.len() {
            let (whole, part) = self.parts.of[k];
            self.place_part(whole as usize, part as usize);
        }
    }

    /// The same for the parts of one body.
    pub(crate) fn place_parts_of(&mut self, whole: usize) {
        if self.parts.is_empty() {
            return;
        }
        for part in self.with_parts(whole).skip(1) {
            self.place_part(whole, part);
        }
    }

    fn place_part(&mut self, whole: usize, i: usize) {
        let (offset, own) = (self.offset[i], self.part_rotation[i]);
        let rotation = compose(self.rotation[whole], own);
        let (arm, flight_arm) = (
            self.rotation[whole] * offset,
            self.flight_rotation[whole] * offset,
        );
        self.position[i] = self.position[whole] + arm.as_dvec3();
        self.rotation[i] = rotation;
        self.axis[i] = self.shape[i].axis_at(rotation, self.local_axis[i]);
        let spin = self.angular_velocity[whole];
        self.velocity[i] = self.velocity[whole] + spin.cross(flight_arm.as_dvec3());
        self.angular_velocity[i] = spin;
        self.acceleration[i] = self.acceleration[whole];
        self.angular_acceleration[i] = self.angular_acceleration[whole];
        self.contact_acceleration[i] = self.contact_acceleration[whole];
        self.contact_angular_acceleration[i] = self.contact_angular_acceleration[whole];
        self.joint_acceleration[i] = self.joint_acceleration[whole];
        self.joint_angular_acceleration[i] = self.joint_angular_acceleration[whole];
        self.flight_shift[i] = self.flight_shift[whole] + (flight_arm - arm);
        self.flight_rotation[i] = compose(self.flight_rotation[whole], own);
        self.quiet_for[i] = self.quiet_for[whole];
        let shared = self.flags[whole] & SHARED;
        self.flags[i] = (self.flags[i] - SHARED) | shared;
    }

    /// Lets what a user has changed of a compound count for its parts too.
    pub(crate) fn mark_parts(&mut self) {
        let news = BodyFlags::DISTURBED | BodyFlags::SWITCHED;
        for k in 0..self.parts.of.len() {
            let (whole, part) = self.parts.of[k];
            let (whole, part) = (whole as usize, part as usize);
            // Stages visit the parts of a body that they visit.
            if self.is_active(whole) {
                self.activate(part);
            }
            let shared = (self.flags[whole] | self.flags[part]) & news;
            self.flags[whole].insert(shared);
            let shared = self.flags[whole] & news;
            self.flags[part].insert(shared);
        }
    }
}
