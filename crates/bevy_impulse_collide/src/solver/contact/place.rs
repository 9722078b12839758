//! What the lanes need to know of a body, packed.

use fearless_simd::{f32x8, mask32x8, prelude::*};
use glam::{DVec3, Vec4};

use super::lanes::Terms;
use crate::{
    body::Bodies,
    shape::Shape,
    solver::simd::{LANES, Vector, load},
};

/// Where a body is, and what draws it. Four vectors with a number beside each, in one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Place {
    /// Position, and the radius.
    pub position: Vec4,
    /// Where its flight is launched from, as seen from its position; beside it 1 if impacts of it were left over.
    pub launch: Vec4,
    /// Acceleration of its flight, and how great that by fields is; a plane's normal.
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
                    let inertia = bodies.inverse_inertia[i];
                    (bodies.axis[i] * half_length).extend(inertia.axial - inertia.transverse)
                }
                _ => Vec4::ZERO,
            },
        }
    }
}

/// How the bodies of several pairs stand to each other.
pub(super) struct Places<S: Simd> {
    /// x_a − x_b; b's may be a point of a plane.
    pub x_ab: Vector<S>,
    pub r_a: f32x8<S>,
    pub r_b: f32x8<S>,
    /// How far a's launch is from its position, less b's.
    pub launch: Vector<S>,
    field_a: Vector<S>,
    field_b: Vector<S>,
    /// What fields accelerate the bodies by, one and the other.
    pub pulls: f32x8<S>,
    is_unresolved: mask32x8<S>,
}

impl<S: Simd> Places<S> {
    #[inline(always)]
    pub fn load(simd: S, places: &[Place], a: &[u32; LANES], b: &[u32; LANES]) -> Self {
        let (x_a, r_a) = load(simd, |i| places[i].position, a);
        let (x_b, r_b) = load(simd, |i| places[i].position, b);
        let (launch_a, unresolved_a) = load(simd, |i| places[i].launch, a);
        let (launch_b, unresolved_b) = load(simd, |i| places[i].launch, b);
        let (field_a, pull_a) = load(simd, |i| places[i].field, a);
        let (field_b, pull_b) = load(simd, |i| places[i].field, b);
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

    /// The normals of the planes that b are.
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

    /// Approach speeds up to which it is contacts that stop the bodies. Where the jolt stage has left impacts over, they stop a fast
    /// approach too.
    #[inline(always)]
    pub fn resting_speed(&self, on_planes: bool, terms: &Terms) -> f32x8<S> {
        let simd = self.r_a.simd;
        let field = if on_planes {
            self.field_a
        } else {
            self.field_a.minus(self.field_b)
        };
        let slow = field.dot(field).sqrt() * terms.h + terms.resting_speed;
        self.is_unresolved
            .select(f32x8::splat(simd, f32::INFINITY), slow)
    }
}
