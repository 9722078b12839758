//! What the lanes need to know of a body, packed.

use glam::{DVec3, Vec4};

use crate::bodies::{Bodies, Shape};

/// Where a body is, and what draws it. Four vectors with a number beside each, in one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Place {
    /// Position, and the radius.
    pub position: Vec4,
    /// Where its flight is launched from, as seen from its position; beside it 1 if impacts of it were left over.
    pub launch: Vec4,
    /// Acceleration of its flight; a plane's normal.
    pub field: Vec4,
    /// From the centre of a capsule to the centre of a half-ball; beside it 1/I about its axis less 1/I across it.
    pub half: Vec4,
}

impl Place {
    pub const NONE: Self = Self {
        position: Vec4::ZERO,
        launch: Vec4::ZERO,
        field: Vec4::ZERO,
        half: Vec4::ZERO,
    };

    pub fn position(&self) -> DVec3 {
        self.position.truncate().as_dvec3()
    }

    /// Where the flight is launched from, as seen from the position.
    pub fn launch(&self) -> DVec3 {
        self.launch.truncate().as_dvec3()
    }

    pub fn of(bodies: &Bodies, i: usize, is_unresolved: bool) -> Self {
        let x = bodies.position[i];
        let field = match bodies.shape[i] {
            Shape::Plane => bodies.axis[i],
            _ => bodies.flight_acceleration(i),
        };
        Self {
            position: x.extend(bodies.shape[i].radius()),
            launch: (bodies.launch_position[i] - x).extend(if is_unresolved { 1.0 } else { 0.0 }),
            field: field.extend(0.0),
            half: match bodies.shape[i] {
                Shape::Capsule { half_length, .. } => {
                    let inertia = bodies.inverse_inertia[i];
                    (bodies.axis[i] * half_length).extend(inertia.axial - inertia.transverse)
                }
                _ => Vec4::ZERO,
            },
        }
    }
}
