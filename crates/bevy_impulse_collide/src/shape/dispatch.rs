//! The shapes as one type. Each shape has a file of its own; the matches here have no wildcard, so that the compiler lists the
//! missing parts of a new shape.

use glam::{Quat, Vec3};

use super::{ball, capsule, half_space};
use crate::kernel::InverseInertia;

/// A shape in world measures, without its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A ball.
    Particle {
        /// In metres.
        radius: f32,
    },
    /// A half-space. Its outward normal is the body's axis.
    Plane,
    /// A cylinder with half-balls on its ends, along the body's axis.
    Capsule {
        /// In metres.
        radius: f32,
        /// From the centre to the centre of either half-ball, in metres.
        half_length: f32,
    },
    /// A static or kinematic surface of triangles, lines and solids, which its [`Collider`](crate::components::Collider) component holds.
    Collider,
    /// Balls and capsules that move as one body. Each of them is a shape of its own; the body has no other surface.
    Compound {
        /// Radius of the ball about the centre of mass that holds all of them, in metres.
        radius: f32,
    },
}

impl Shape {
    /// Radius of the round part in metres; zero for a plane or a collider.
    pub fn radius(&self) -> f32 {
        match *self {
            Self::Particle { radius }
            | Self::Capsule { radius, .. }
            | Self::Compound { radius } => radius,
            Self::Plane | Self::Collider => half_space::RADIUS,
        }
    }

    /// Radius of the ball about the centre that holds the shape, in metres; infinite for a plane or a collider.
    pub fn bounding_radius(&self) -> f32 {
        match *self {
            Self::Particle { radius } | Self::Compound { radius } => radius,
            Self::Capsule {
                radius,
                half_length,
            } => capsule::bounding_radius(radius, half_length),
            Self::Plane | Self::Collider => half_space::BOUNDING_RADIUS,
        }
    }

    /// From the centre to an end of the core, the segment on the axis of a capsule, in m; zero for other shapes.
    #[inline]
    pub(crate) fn core_half(&self, axis: Vec3) -> Vec3 {
        match *self {
            Self::Capsule { half_length, .. } => axis * half_length,
            Self::Particle { .. } | Self::Plane | Self::Collider | Self::Compound { .. } => {
                Vec3::ZERO
            }
        }
    }

    /// Distance in m from the middle of the core to its ends.
    pub(crate) fn core_reach(&self) -> f32 {
        match *self {
            Self::Capsule { half_length, .. } => half_length,
            Self::Particle { .. } | Self::Plane | Self::Collider | Self::Compound { .. } => 0.0,
        }
    }

    /// Inverse inertia of a body of `mass` kg; a capsule may have the inertia of a rod of its length over all.
    pub(crate) fn inverse_inertia(&self, mass: f32, is_rod: bool) -> InverseInertia {
        match *self {
            Self::Particle { radius } => ball::inverse_inertia(mass, radius),
            Self::Capsule {
                radius,
                half_length,
            } => capsule::inverse_inertia(mass, radius, half_length, is_rod),
            // Its parts give a compound its inertia.
            Self::Plane | Self::Collider | Self::Compound { .. } => half_space::INVERSE_INERTIA,
        }
    }

    /// Axis of a body that has turned to `rotation`, from its axis in its own frame. A ball has no visible axis: its axis stays.
    pub(crate) fn axis_at(&self, rotation: Quat, local_axis: Vec3) -> Vec3 {
        match self {
            Self::Capsule { .. } | Self::Plane => rotation * local_axis,
            Self::Particle { .. } | Self::Collider | Self::Compound { .. } => Vec3::Y,
        }
    }

    /// Whether it is a ball.
    pub(crate) fn is_ball(&self) -> bool {
        match self {
            Self::Particle { .. } => true,
            Self::Capsule { .. } | Self::Plane | Self::Collider | Self::Compound { .. } => false,
        }
    }

    /// Whether it is a capsule.
    pub(crate) fn is_capsule(&self) -> bool {
        match self {
            Self::Capsule { .. } => true,
            Self::Particle { .. } | Self::Plane | Self::Collider | Self::Compound { .. } => false,
        }
    }

    /// Whether it is a half-space.
    pub(crate) fn is_plane(&self) -> bool {
        match self {
            Self::Plane => true,
            Self::Particle { .. }
            | Self::Capsule { .. }
            | Self::Collider
            | Self::Compound { .. } => false,
        }
    }

    /// Whether it is a surface of triangles, lines and solids.
    pub(crate) fn is_collider(&self) -> bool {
        match self {
            Self::Collider => true,
            Self::Particle { .. } | Self::Capsule { .. } | Self::Plane | Self::Compound { .. } => {
                false
            }
        }
    }

    /// Whether it has no surface of its own.
    pub(crate) fn is_compound(&self) -> bool {
        match self {
            Self::Compound { .. } => true,
            Self::Particle { .. } | Self::Capsule { .. } | Self::Plane | Self::Collider => false,
        }
    }

    /// Whether it is a ball or a capsule, or made of them: a shape that may be dynamic.
    pub(crate) fn is_round(&self) -> bool {
        match self {
            Self::Particle { .. } | Self::Capsule { .. } | Self::Compound { .. } => true,
            Self::Plane | Self::Collider => false,
        }
    }
}

/// The radius by which a pair's overlaps are measured: the smaller radius, or the round body's radius on a plane.
pub fn smaller_radius(a: &Shape, b: &Shape) -> f32 {
    match (a.radius(), b.radius()) {
        (0.0, r) | (r, 0.0) => r,
        (r_a, r_b) => r_a.min(r_b),
    }
}
