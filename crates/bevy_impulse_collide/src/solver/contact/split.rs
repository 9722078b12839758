//! What becomes of the contacts of a body that becomes two.

use bevy::prelude::*;

use super::{ContactSolver, row::Row};
use crate::body::Bodies;

/// A body that has become two, for the contacts to follow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split {
    /// Index of the body that goes on.
    pub first: u32,
    /// The new one.
    pub second: Entity,
    /// Where they touch, and the unit vector from the first to the second.
    pub point: Vec3,
    pub axis: Vec3,
}

impl ContactSolver {
    /// Gives the contacts of bodies that have become two to the one that is on their side, so that they go on with their
    /// impulses; and one between the two, with the impulse that keeps the second from being pushed through the first.
    pub(crate) fn hand_over(&mut self, bodies: &Bodies, splits: &[Split]) {
        let Self {
            rows,
            previous_entities,
            ..
        } = self;
        if *previous_entities != bodies.entity {
            // The stage has not run: there is nothing to hand over.
            return;
        }
        let mut split_of: Vec<Option<(u32, Split, Vec3)>> = vec![None; previous_entities.len()];
        for &split in splits {
            split_of[split.first as usize] =
                Some((previous_entities.len() as u32, split, Vec3::ZERO));
            previous_entities.push(split.second);
        }
        for row in &mut rows.rows {
            let impulse = row.impulse();
            for (body, sign) in [(&mut row.a, 1.0), (&mut row.b, -1.0)] {
                if let Some(Some((second, split, pushed))) = split_of.get_mut(*body as usize)
                    && split.axis.dot(row.point.point - split.point) > 0.0
                {
                    *body = *second;
                    *pushed += impulse * sign;
                }
            }
        }
        for (second, split, pushed) in split_of.into_iter().flatten() {
            if let (Some(&row), Some(&general)) = (rows.rows.first(), rows.general.first()) {
                rows.rows.push(Row {
                    a: split.first,
                    b: second,
                    feature: 0,
                    normal_impulse: (-pushed.dot(split.axis)).max(0.0),
                    friction_impulse: Vec3::ZERO,
                    ..row
                });
                rows.general.push(general.without_couple());
            }
        }
    }
}
