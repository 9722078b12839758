//! The last resort at a wall: no centre passes a static plane.

use bevy::prelude::*;
use smallvec::SmallVec;

use crate::{
    body::{Bodies, Columns},
    shape::Shape,
};

/// The static planes of the world: a point of each, and its normal.
pub(crate) struct StaticPlanes(SmallVec<[(Vec3, Vec3); 8]>);

/// The ends of a body's core.
pub(crate) type CoreEnds = [Vec3; 2];

pub(crate) fn core_ends(run: &Columns, i: usize) -> CoreEnds {
    let half = match run.shape[i] {
        Shape::Capsule { half_length, .. } => run.axis[i] * half_length,
        Shape::Particle { .. } | Shape::Plane => Vec3::ZERO,
    };
    [run.position[i] + half, run.position[i] - half]
}

impl StaticPlanes {
    pub fn of(bodies: &Bodies) -> Self {
        let planes = bodies.planes.iter().map(|&plane| plane as usize);
        let fixed = planes.filter(|&plane| !bodies.is_free(plane));
        Self(
            fixed
                .map(|plane| (bodies.position[plane], bodies.axis[plane]))
                .collect(),
        )
    }

    /// Moves a body back along the normals of the planes that its core has passed since `before`. A core that was behind a plane
    /// already goes no deeper.
    pub fn stop(&self, run: &mut Columns, i: usize, before: CoreEnds) {
        // In a corner, the way back from one plane may lead behind another.
        for &(point, normal) in self.0.iter().chain(&self.0) {
            let height = |ends: CoreEnds| {
                let [a, b] = ends.map(|end| normal.dot(end - point));
                a.min(b)
            };
            let depth = height(before).min(0.0) - height(core_ends(run, i));
            if depth > 0.0 {
                let x = run.precise_position(i) + (normal * depth).as_dvec3();
                run.set_position(i, x);
                run.launch_position[i] = run.position[i];
            }
        }
    }
}
