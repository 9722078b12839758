//! The contacts of a body that divides.

use bevy::prelude::*;

use super::{
    entry::StoredImpulse, graph::ContactGraph, handle::Store, pose::SolverPose, view::ContactPoint,
};

/// A body that has divided into two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split {
    /// Index of the body that divided. It is now the first of the two.
    pub first: u32,
    /// The second, new body.
    pub second: Entity,
    /// Point at which the two touch, and the unit vector from the first to the second.
    pub point: Vec3,
    pub axis: Vec3,
}

impl ContactGraph {
    /// Gives each contact of a divided body, with its impulses, to the one of the two on the contact's side. The two get a contact
    /// with the impulse that keeps the second from being pushed through the first.
    pub(super) fn divide(&mut self, splits: &[Split]) {
        if splits.is_empty() {
            return;
        }
        // The pairs are no longer the broad phase's, even if a second body never takes part: they are found again by entity.
        self.packed_for = None;
        let mut split_of: Vec<Option<(u32, Split, Vec3)>> = vec![None; self.entities.len()];
        for &split in splits {
            let second = self.entities.len() as u32;
            split_of[split.first as usize] = Some((second, split, Vec3::ZERO));
            self.entities.push(split.second);
        }
        let is_split = |contact: &ContactPoint| {
            let has_split = |i: u32| split_of[i as usize].is_some();
            has_split(contact.a) || has_split(contact.b)
        };
        let of_cells = self.cells.iter().enumerate().flat_map(|(cell, contacts)| {
            let points = contacts.active_points();
            points.map(move |point| (cell, point))
        });
        // Contacts with colliders are found anew in every substep.
        let is_kept = |point: &ContactPoint| point.at.store != Store::Surfaces;
        let points: Vec<_> = of_cells
            .filter(|(_, point)| is_split(point) && is_kept(point))
            .collect();
        for (cell, contact) in points {
            let point = contact.point(&self.poses).point;
            let impulse = contact.impulse();
            let on_plane = self.poses[contact.b as usize].is_ground();
            let mut pair = (contact.a, contact.b);
            for (body, sign) in [(&mut pair.0, 1.0), (&mut pair.1, -1.0)] {
                if let Some((second, split, pushed)) = &mut split_of[*body as usize]
                    && split.axis.dot(point - split.point) > 0.0
                {
                    *body = *second;
                    *pushed += impulse * sign;
                }
            }
            if pair != (contact.a, contact.b) {
                let cell = self.cells.get_mut(cell);
                cell.set_impulse(contact.at, contact.feature, &StoredImpulse::default());
                let moved = StoredImpulse {
                    normal: contact.normal_impulse,
                    friction: contact.friction_impulse,
                    couple: contact.couple,
                    // On a plane, the points are at the capsule's ends.
                    second_share: if on_plane {
                        contact.feature as f32
                    } else {
                        0.0
                    },
                };
                self.add_stored_pair(pair, moved);
            }
        }
        for (second, split, pushed) in split_of.into_iter().flatten() {
            let between = StoredImpulse {
                normal: (-pushed.dot(split.axis)).max(0.0),
                second_share: 0.0,
                ..StoredImpulse::default()
            };
            self.add_stored_pair((split.first, second), between);
        }
    }

    /// Adds a pair that has impulses but no constraint, or adds to its impulses. They act on body `a`, or on `b` if `a` is a plane.
    fn add_stored_pair(&mut self, (a, b): (u32, u32), mut impulse: StoredImpulse) {
        let pair = (a.min(b), a.max(b));
        let is_plane = |i: u32| {
            self.poses
                .get(i as usize)
                .is_some_and(SolverPose::is_ground)
        };
        if a > b && !is_plane(a) && !is_plane(b) {
            impulse.friction = -impulse.friction;
            impulse.couple = -impulse.couple;
        }
        let start = self.handles.len();
        let known = self.pairs[start..].iter().position(|&other| other == pair);
        let Some(k) = known else {
            self.pairs.push(pair);
            self.impulses.push(impulse);
            return;
        };
        let sum = &mut self.impulses[start + k];
        let of_second = sum.second_share * sum.normal + impulse.second_share * impulse.normal;
        sum.normal += impulse.normal;
        sum.second_share = of_second / sum.normal.max(f32::MIN_POSITIVE);
        sum.friction += impulse.friction;
        sum.couple += impulse.couple;
    }
}
