//! The solver's record of a body, second half: its pose, and the fields that act on it. A solve only reads it.

use fearless_simd::{f32x8, mask32x8, prelude::*};
use glam::{DVec3, Vec4};

use super::{kick::field_kick, substep::Substep};
use crate::{
    body::{Bodies, Growing},
    shape::Shape,
    solver::simd::{LANES, Vector, load},
};

/// Four vectors with a number beside each, in one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct SolverPose {
    /// Position, and the radius.
    pub position: Vec4,
    /// Launch point of its flight, relative to its position; beside it 1 if impacts of the body are unresolved.
    pub launch: Vec4,
    /// Acceleration of its flight, and the magnitude of the fields' acceleration; for a plane, its normal.
    pub field: Vec4,
    /// From the centre of a capsule to the centre of a half-ball.
    pub half: Vec4,
}

impl SolverPose {
    pub const NONE: Self = Self {
        position: Vec4::ZERO,
        launch: Vec4::ZERO,
        field: Vec4::ZERO,
        half: Vec4::ZERO,
    };

    /// Whether the body is a plane: it has no radius.
    pub fn is_plane(&self) -> bool {
        self.position.w == 0.0
    }

    /// Whether impacts of the body are unresolved.
    pub fn is_unresolved(&self) -> bool {
        self.launch.w > 0.0
    }

    pub fn position(&self) -> DVec3 {
        self.position.truncate().as_dvec3()
    }

    /// The launch point of the flight, relative to the position.
    pub fn launch(&self) -> DVec3 {
        self.launch.truncate().as_dvec3()
    }

    pub fn of(bodies: &Bodies, i: usize, is_unresolved: bool) -> Self {
        let x = bodies.position[i];
        let field = match bodies.shape[i] {
            Shape::Plane => bodies.axis[i].extend(0.0),
            _ => {
                let by_fields = bodies.acceleration[i].length() as f32;
                bodies.flight_acceleration(i).extend(by_fields)
            }
        };
        Self {
            position: x.extend(bodies.shape[i].radius()),
            launch: (bodies.launch_position[i] - x).extend(if is_unresolved { 1.0 } else { 0.0 }),
            field,
            half: match bodies.shape[i] {
                Shape::Capsule { half_length, .. } => {
                    // A growing capsule has an axis even at zero length.
                    let half_length = match bodies.growth[i] {
                        Growing::NONE => half_length,
                        _ => half_length.max(1e-12),
                    };
                    (bodies.axis[i] * half_length).extend(0.0)
                }
                _ => Vec4::ZERO,
            },
        }
    }
}

/// The axis of a capsule's inertia, and beside it 1/I about the axis minus 1/I across it.
///
/// It is the axis from which the impacts of this substep have launched the capsule, as its angular velocity is: so a contact takes
/// as much energy as the solver finds. The contact points are those of its pose.
pub(super) fn inertia_axis(bodies: &Bodies, i: usize) -> Vec4 {
    match bodies.shape[i] {
        Shape::Capsule { .. } => {
            let inertia = bodies.inverse_inertia[i];
            let axis = bodies.launch_axis(i);
            axis.extend(inertia.axial - inertia.transverse)
        }
        Shape::Particle { .. } | Shape::Plane => Vec4::ZERO,
    }
}

/// Relative poses of several pairs.
pub(super) struct WidePose<S: Simd> {
    /// x_a − x_b; x_b may be a point of a plane.
    pub x_ab: Vector<S>,
    pub r_a: f32x8<S>,
    pub r_b: f32x8<S>,
    /// Launch offset of a minus launch offset of b.
    pub launch: Vector<S>,
    field_a: Vector<S>,
    field_b: Vector<S>,
    /// Sum of the magnitudes of the fields' accelerations.
    pub pulls: f32x8<S>,
    is_unresolved: mask32x8<S>,
}

impl<S: Simd> WidePose<S> {
    #[inline(always)]
    pub fn load(simd: S, poses: &[SolverPose], a: &[u32; LANES], b: &[u32; LANES]) -> Self {
        let (x_a, r_a) = load(simd, |i| poses[i].position, a);
        let (x_b, r_b) = load(simd, |i| poses[i].position, b);
        let (launch_a, unresolved_a) = load(simd, |i| poses[i].launch, a);
        let (launch_b, unresolved_b) = load(simd, |i| poses[i].launch, b);
        let (field_a, pull_a) = load(simd, |i| poses[i].field, a);
        let (field_b, pull_b) = load(simd, |i| poses[i].field, b);
        Self {
            x_ab: x_a.minus(x_b),
            r_a,
            r_b,
            launch: launch_a.minus(launch_b),
            field_a,
            field_b,
            pulls: pull_a + pull_b,
            is_unresolved: (unresolved_a + unresolved_b).simd_gt(0.0),
        }
    }

    /// Normals of the planes b.
    #[inline(always)]
    pub fn plane_normals(&self) -> Vector<S> {
        self.field_b
    }

    /// The smaller radii.
    #[inline(always)]
    pub fn radius(&self, on_planes: bool) -> f32x8<S> {
        if on_planes {
            self.r_a
        } else {
            self.r_a.min(self.r_b)
        }
    }

    /// Approach speeds up to which contacts stop the bodies. Where the impulse jolt has left impacts unresolved, contacts stop any
    /// approach.
    #[inline(always)]
    pub fn resting_speed(&self, on_planes: bool, substep: &Substep) -> f32x8<S> {
        let simd = self.r_a.simd;
        let field = if on_planes {
            self.field_a
        } else {
            self.field_a.minus(self.field_b)
        };
        let slow = field.dot(field).sqrt() * substep.h + substep.resting_speed;
        self.is_unresolved
            .select(f32x8::splat(simd, f32::INFINITY), slow)
    }
}

/// The data of a body that only optional terms need: couples and growth.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct BodyExtras {
    /// Velocity that the fields have given in this substep; beside it 1/G.
    pub kick: Vec4,
    /// Angular velocity that the fields have given in this substep.
    pub angular_kick: Vec4,
}

impl BodyExtras {
    pub const NONE: Self = Self {
        kick: Vec4::ZERO,
        angular_kick: Vec4::ZERO,
    };

    pub fn of(bodies: &Bodies, i: usize) -> Self {
        let (linear, angular) = field_kick(bodies, i);
        Self {
            kick: linear.extend(bodies.growth[i].inverse_inertia),
            angular_kick: angular.extend(0.0),
        }
    }

    /// 1/G in 1/kg; zero for a body that does not grow.
    pub fn inverse_growth_inertia(&self) -> f32 {
        self.kick.w
    }
}
