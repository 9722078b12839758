//! Finds the colliders that touch each other.

use bevy::prelude::*;
use glam::{Vec3, Vec3A};
use parry3d::{
    bounding_volume::Aabb as TreeBox,
    partitioning::{Bvh, BvhBuildStrategy},
};

use super::bounds::{fat_margin, swept_aabb};
use crate::body::{Bodies, SeamBox, Seams};

/// Margin of a box, over the greatest radius of a body: surfaces that lie nearer are flush.
const FLUSH: f32 = 1e-4;

/// The same over the coordinates of the box: rounding.
const ROUNDING: f32 = 4.0 * f32::EPSILON;

/// What [`find_seams`] keeps from one substep to the next.
#[derive(Default)]
pub(crate) struct SeamSearch {
    /// The revision of the bodies for which the seams were found.
    revision: Option<u64>,
    margin: f32,
    boxes: Vec<SeamBox>,
    /// The boxes of the static colliders, by their numbers in `still`: the tree wants numbers without gaps.
    tree: Bvh,
    still: Vec<u32>,
    /// The kinematic colliders.
    moving: Vec<u32>,
}

/// Brings the list of colliders that touch each other up to date.
pub(crate) fn find_seams(mut bodies: ResMut<Bodies>, mut search: Local<SeamSearch>) {
    if bodies.colliders.len() < 2 {
        if !bodies.seams.is_empty() {
            bodies.seams.clear();
        }
        search.revision = None;
        return;
    }
    let mut seams = std::mem::take(&mut bodies.seams);
    search.update(&bodies, &mut seams);
    bodies.seams = seams;
}

impl SeamSearch {
    fn update(&mut self, bodies: &Bodies, seams: &mut Seams) {
        if self.revision != Some(bodies.renewal.revision())
            || seams.boxes.len() != bodies.colliders.len()
        {
            self.revision = Some(bodies.renewal.revision());
            self.find_still(bodies, seams);
        }
        let is_outside = |&k: &u32| {
            let now = seam_box(bodies, bodies.colliders[k as usize] as usize, self.margin);
            !seams.boxes[k as usize].contains(&now)
        };
        if self.moving.iter().any(is_outside) {
            self.find_moving(bodies, seams);
        }
    }

    /// Finds the seams between static colliders, if any of these has changed.
    fn find_still(&mut self, bodies: &Bodies, seams: &mut Seams) {
        let of_body = |i: usize| match bodies.shape[i].is_compound() {
            true => 0.0,
            false => bodies.shape[i].radius(),
        };
        let largest = (0..bodies.len()).map(of_body).fold(0.0, f32::max);
        let margin = FLUSH * largest;
        let boxes = bodies
            .colliders
            .iter()
            .map(|&i| seam_box(bodies, i as usize, margin));
        let before = std::mem::take(&mut self.boxes);
        self.boxes.extend(boxes);
        self.margin = margin;
        // The world may have gone back to a snapshot, with the seams of that time.
        if are_same(&before, &self.boxes) && are_same(&seams.boxes, &self.boxes) {
            return;
        }
        seams.clear();
        seams.boxes.extend_from_slice(&self.boxes);
        let boxes = &seams.boxes;
        self.moving.clear();
        let numbers = 0..boxes.len() as u32;
        self.moving
            .extend(numbers.clone().filter(|&k| boxes[k as usize].is_moving));
        self.still.clear();
        self.still
            .extend(numbers.filter(|&k| !boxes[k as usize].is_moving));
        let leaves = self.still.iter().map(|&k| {
            let SeamBox { min, max, .. } = boxes[k as usize];
            TreeBox::new(min.into(), max.into())
        });
        self.tree = Bvh::from_iter(BvhBuildStrategy::Binned, leaves.enumerate());
        for &k in &self.still {
            let touching = self.still_near(&boxes[k as usize]);
            let others = touching.filter(|&other| other != k);
            seams.still.extend(others.map(|other| (k, other)));
        }
        seams.still.sort_unstable();
        if !self.moving.is_empty() {
            self.find_moving(bodies, seams);
        }
    }

    /// Finds the seams of kinematic colliders, with boxes that hold for some substeps.
    fn find_moving(&mut self, bodies: &Bodies, seams: &mut Seams) {
        let Seams { boxes, moving, .. } = seams;
        for &k in &self.moving {
            let i = bodies.colliders[k as usize] as usize;
            boxes[k as usize] = seam_box(bodies, i, self.margin + fat_margin(bodies, i));
        }
        moving.clear();
        // Along the longest side of the scene, by their lower sides: those which may overlap follow each other.
        let lows = || self.moving.iter().map(|&k| boxes[k as usize].min);
        let spread =
            lows().fold(Vec3A::NEG_INFINITY, Vec3A::max) - lows().fold(Vec3A::INFINITY, Vec3A::min);
        let along = spread.max_position();
        self.moving.sort_unstable_by(|&one, &other| {
            let low = |k: u32| boxes[k as usize].min[along];
            low(one).total_cmp(&low(other)).then(one.cmp(&other))
        });
        for (n, &k) in self.moving.iter().enumerate() {
            let bounds = &boxes[k as usize];
            let later = self.moving[n + 1..].iter().copied();
            let later =
                later.take_while(|&other| boxes[other as usize].min[along] <= bounds.max[along]);
            let later = later.filter(|&other| boxes[other as usize].overlaps(bounds));
            for other in self.still_near(bounds).chain(later) {
                moving.extend([(k, other), (other, k)]);
            }
        }
        moving.sort_unstable();
    }

    /// The static colliders whose boxes touch this one.
    fn still_near(&self, bounds: &SeamBox) -> impl Iterator<Item = u32> {
        let (low, high): (Vec3, Vec3) = (bounds.min.into(), bounds.max.into());
        let leaves = self
            .tree
            .leaves(move |node| node.mins().cmple(high).all() && low.cmple(node.maxs()).all());
        leaves.map(|leaf| self.still[leaf as usize])
    }
}

/// Whether the boxes of static colliders are the same, and the same colliders move.
fn are_same(one: &[SeamBox], other: &[SeamBox]) -> bool {
    let is_same = |(one, other): (&SeamBox, &SeamBox)| {
        one.is_moving == other.is_moving && (one.is_moving || one == other)
    };
    one.len() == other.len() && one.iter().zip(other).all(is_same)
}

/// The box that holds a collider in this substep, with a margin in m.
fn seam_box(bodies: &Bodies, i: usize, margin: f32) -> SeamBox {
    let swept = swept_aabb(bodies, i, 0.0, 0.0);
    let margin = Vec3A::splat(margin) + swept.min.abs().max(swept.max.abs()) * ROUNDING;
    SeamBox {
        min: swept.min - margin,
        max: swept.max + margin,
        is_moving: !bodies.is_static(i),
    }
}
