//! What the lanes need to know of a body, packed.

use glam::DVec3;
use wide::f32x4;

use crate::{
    bodies::{Bodies, Shape},
    step::vector::{beside, vector_of},
};

/// Where a body is, and what draws it. Four vectors with a number beside each, in one cache line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Position, and the radius.
    pub position: f32x4,
    /// Where its flight is launched from, as seen from its position; beside it 1 if impacts of it were left over.
    pub launch: f32x4,
    /// Acceleration of its flight; a plane's normal.
    pub field: f32x4,
    /// From the centre of a capsule to the centre of a half-ball; beside it 1/I about its axis less 1/I across it.
    pub half: f32x4,
}

impl Place {
    pub const NONE: Self = Self {
        position: f32x4::ZERO,
        launch: f32x4::ZERO,
        field: f32x4::ZERO,
        half: f32x4::ZERO,
    };

    pub fn position(&self) -> DVec3 {
        vector_of(self.position).as_dvec3()
    }

    /// Where the flight is launched from, as seen from the position.
    pub fn launch(&self) -> DVec3 {
        vector_of(self.launch).as_dvec3()
    }

    pub fn of(bodies: &Bodies, i: usize, is_unresolved: bool) -> Self {
        let x = bodies.position[i];
        let field = match bodies.shape[i] {
            Shape::Plane => bodies.axis[i],
            _ => bodies.flight_acceleration(i),
        };
        Self {
            position: beside(x, bodies.shape[i].radius()),
            launch: beside(
                bodies.launch_position[i] - x,
                if is_unresolved { 1.0 } else { 0.0 },
            ),
            field: beside(field, 0.0),
            half: match bodies.shape[i] {
                Shape::Capsule { half_length, .. } => {
                    let inertia = bodies.inverse_inertia[i];
                    beside(
                        bodies.axis[i] * half_length,
                        inertia.axial - inertia.transverse,
                    )
                }
                _ => f32x4::ZERO,
            },
        }
    }
}
