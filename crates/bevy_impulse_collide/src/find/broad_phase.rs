use bevy::prelude::*;

use super::grid::{Aabb, CellRange, Grid};
use crate::{
    bodies::{Bodies, Shape},
    config::CollisionConfig,
};

/// Bodies that cover more cells than this are tested against all others instead.
const MAX_CELLS: u64 = 64;

/// The pairs that may meet in this substep: those whose boxes, swept over the substep, overlap.
#[derive(Resource, Clone, Debug, Default)]
pub struct BroadPhase {
    /// Indices into [`Bodies`], the lower first, sorted. At least one body of each pair is free.
    pub pairs: Vec<(u32, u32)>,
    swept: Vec<Aabb>,
    /// The cells that each body has been entered in.
    entered: Vec<CellRange>,
    grid: Grid,
    /// Bodies too large or too fast for the grid.
    large: Vec<u32>,
    /// For each body, the last query that found it, so that it is found once.
    found_by: Vec<u32>,
    queries: u32,
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
        self.pairs.clear();
        self.large.clear();
        self.swept.clear();
        self.swept
            .extend((0..bodies.len()).map(|i| swept_box(bodies, i, 0.0, margin)));
        self.found_by.clear();
        self.found_by.resize(bodies.len(), 0);
        self.queries = 0;
        self.grid.reset(cell_size(bodies), bodies.len());
        self.entered.clear();
        self.entered
            .extend(self.swept.iter().map(|aabb| self.grid.range(aabb)));

        for i in 0..bodies.len() {
            if matches!(bodies.shape[i], Shape::Plane) {
                continue;
            }
            let aabb = self.swept[i];
            let range = self.entered[i];
            if range.count() > MAX_CELLS {
                self.large.push(i as u32);
                continue;
            }
            for cell in range.cells() {
                for j in self.grid.in_cell(cell) {
                    let other = &self.swept[j as usize];
                    // Two boxes may share many cells; the one that holds the lower corner of their common part speaks.
                    let corner = Aabb {
                        min: aabb.min.max(other.min),
                        max: aabb.min.max(other.min),
                    };
                    if aabb.overlaps(other)
                        && self.grid.range(&corner).cells().next() == Some(cell)
                        && (bodies.is_free(i) || bodies.is_free(j as usize))
                    {
                        self.pairs.push((j, i as u32));
                    }
                }
                self.grid.insert(cell, i as u32);
            }
        }
        self.add_large_pairs(bodies);
        self.add_plane_pairs(bodies, margin);
        self.pairs.sort_unstable();
    }

    fn add_large_pairs(&mut self, bodies: &Bodies) {
        for (k, &i) in self.large.iter().enumerate() {
            for j in 0..bodies.len() as u32 {
                if j == i
                    || matches!(bodies.shape[j as usize], Shape::Plane)
                    || !(bodies.is_free(i as usize) || bodies.is_free(j as usize))
                    || !self.swept[i as usize].overlaps(&self.swept[j as usize])
                    || self.large[..k].contains(&j)
                {
                    continue;
                }
                self.pairs.push((i.min(j), i.max(j)));
            }
        }
    }

    fn add_plane_pairs(&mut self, bodies: &Bodies, margin: f32) {
        for &plane in &bodies.planes {
            for i in 0..bodies.len() as u32 {
                if bodies.is_free(i as usize)
                    && self.reaches_plane(bodies, i as usize, plane as usize, margin)
                {
                    self.pairs.push((i.min(plane), i.max(plane)));
                }
            }
        }
    }

    fn reaches_plane(&self, bodies: &Bodies, i: usize, plane: usize, margin: f32) -> bool {
        let aabb = &self.swept[i];
        let normal = bodies.axis[plane];
        let centre = 0.5 * (aabb.min + aabb.max) - bodies.position[plane];
        let half = 0.5 * (aabb.max - aabb.min);
        centre.dot(normal) - half.dot(normal.abs()) <= margin * bodies.shape[i].radius()
    }

    /// After an impact at `from` seconds into the substep: sweeps body `i` along its new path, and calls `meet` for each
    /// body that it may meet on it.
    pub(crate) fn resweep(
        &mut self,
        bodies: &Bodies,
        i: usize,
        from: f32,
        margin: f32,
        mut meet: impl FnMut(usize),
    ) {
        let aabb = swept_box(bodies, i, from, margin);
        self.swept[i] = aabb;
        self.queries += 1;
        self.found_by[i] = self.queries;
        let range = self.grid.range(&aabb);
        let before = self.entered[i];
        let entered = before.union(&range);
        if entered.count() > MAX_CELLS {
            for j in 0..bodies.len() {
                if j != i
                    && !matches!(bodies.shape[j], Shape::Plane)
                    && aabb.overlaps(&self.swept[j])
                {
                    meet(j);
                }
            }
            if !self.large.contains(&(i as u32)) {
                self.large.push(i as u32);
            }
        } else {
            for cell in range.cells() {
                for j in self.grid.in_cell(cell) {
                    let j = j as usize;
                    if self.found_by[j] != self.queries {
                        self.found_by[j] = self.queries;
                        if aabb.overlaps(&self.swept[j]) {
                            meet(j);
                        }
                    }
                }
            }
            if entered != before {
                for cell in entered.cells().filter(|&cell| !before.contains(cell)) {
                    self.grid.insert(cell, i as u32);
                }
                self.entered[i] = entered;
            }
            for &j in &self.large {
                let j = j as usize;
                if self.found_by[j] != self.queries && aabb.overlaps(&self.swept[j]) {
                    meet(j);
                }
            }
        }
        for &plane in &bodies.planes {
            if self.reaches_plane(bodies, i, plane as usize, margin) {
                meet(plane as usize);
            }
        }
    }
}

/// Twice the mean bounding radius of the free bodies is a cell: a body then covers few cells, and a cell holds few bodies.
fn cell_size(bodies: &Bodies) -> f32 {
    let mut sum = 0.0;
    let mut count = 0.0;
    for i in 0..bodies.len() {
        if bodies.is_free(i) {
            sum += bodies.shape[i].bounding_radius();
            count += 1.0;
        }
    }
    if count > 0.0 { 2.2 * sum / count } else { 1.0 }
}

/// The box that holds body `i` from `from` seconds into the substep to its end.
fn swept_box(bodies: &Bodies, i: usize, from: f32, margin: f32) -> Aabb {
    if matches!(bodies.shape[i], Shape::Plane) {
        return Aabb::EMPTY;
    }
    let radius = bodies.shape[i].radius() * (1.0 + margin);
    let half = match bodies.shape[i] {
        // A free capsule may turn in the step: its ball holds it however it does.
        Shape::Capsule { half_length, .. } if bodies.is_free(i) => {
            Vec3::splat(radius + half_length)
        }
        Shape::Capsule { half_length, .. } => bodies.axis[i].abs() * half_length + radius,
        _ => Vec3::splat(radius),
    };
    let around = |x: Vec3| Aabb {
        min: x - half,
        max: x + half,
    };
    let real = bodies.position[i];
    if !bodies.is_free(i) {
        return around(real);
    }
    let a = bodies.flight_acceleration(i);
    let at = |s: f32| bodies.launch_position[i] + bodies.velocity[i] * s + a * (0.5 * s * s);
    let mut aabb = around(at(from)).union(&around(at(bodies.h)));
    // A parabola may turn inside the step, on each axis at its own time −v/a.
    for axis in 0..3 {
        let turn = -bodies.velocity[i][axis] / a[axis];
        if turn > from && turn < bodies.h {
            let x = at(turn)[axis];
            aabb.min[axis] = aabb.min[axis].min(x - half[axis]);
            aabb.max[axis] = aabb.max[axis].max(x + half[axis]);
        }
    }
    aabb
}
