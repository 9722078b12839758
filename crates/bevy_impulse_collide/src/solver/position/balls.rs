//! Balls that overlap balls or planes are pushed apart, several pairs at a time.

use fearless_simd::{f32x8, prelude::*};
use glam::Vec4;

use super::shift::Shift;
use crate::{
    body::{Bodies, IMMOVABLE},
    config::{CollisionConfig, ProjectionLaw, ProjectionStrength},
    shape::Shape,
    solver::{
        contact::BallGroup,
        simd::{LANES, Marks, Numbers, Vector, Vectors, load, only, unload},
    },
};

/// Balls nearer than this part of the distance that they should have nearly coincide: their velocities alone can not keep the
/// angular momentum while a push turns them round each other.
const NEAR: f32 = 0.7;

/// Where a body is and how it moves, to twice the digits. In one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Spot {
    /// Position, and the radius.
    x: Vec4,
    x_rest: Vec4,
    /// Velocity, and the inverse mass; of a plane, its normal.
    v: Vec4,
    v_rest: Vec4,
}

impl Spot {
    pub const NONE: Self = Self {
        x: Vec4::ZERO,
        x_rest: Vec4::ZERO,
        v: Vec4::ZERO,
        v_rest: Vec4::ZERO,
    };

    pub fn of(bodies: &Bodies, i: usize) -> Self {
        let v = match bodies.shape[i] {
            Shape::Plane => bodies.axis[i],
            Shape::Particle { .. } | Shape::Capsule { .. } => bodies.velocity[i],
        };
        Self {
            x: bodies.position[i].extend(bodies.shape[i].radius()),
            x_rest: bodies.position_rest[i].extend(0.0),
            v: v.extend(bodies.inverse_mass[i]),
            v_rest: bodies.velocity_rest[i].extend(0.0),
        }
    }
}

/// What a substep is like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    slop: f32,
    strength: ProjectionStrength,
    /// The factor k_p, if it is the same for all pairs.
    factor: Option<f32>,
    conserves: bool,
    h: f32,
}

impl Terms {
    pub fn new(config: &CollisionConfig, h: f32) -> Self {
        let strength = config.projection;
        Self {
            slop: config.overlap_slop,
            strength,
            factor: match strength {
                ProjectionStrength::Factor(_) => Some(strength.factor(1.0, h)),
                ProjectionStrength::Stiffness(_) => None,
            },
            conserves: config.projection_law == ProjectionLaw::Conserving,
            h,
        }
    }

    /// The factors k_p for these inverse reduced masses.
    #[inline(always)]
    fn factors<S: Simd>(&self, ease: f32x8<S>) -> f32x8<S> {
        let simd = ease.simd;
        match self.factor {
            Some(factor) => f32x8::splat(simd, factor),
            None => {
                let factors = ease.map(|ease| self.strength.factor(ease, self.h));
                factors.simd_into(simd)
            }
        }
    }
}

/// Several pairs of which some overlap: where the bodies are among the part's, how they stood and moved against each other when
/// the stage began, and how near they may come: not at all, in the lane of a pair that does not overlap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Overlaps {
    a: [u32; LANES],
    b: [u32; LANES],
    x_ab: Vectors,
    /// Of balls on planes, the planes' normals.
    v_ab: Vectors,
    reach: Numbers,
}

impl Overlaps {
    /// Those of several pairs of balls that overlap; and those that overlap by so much that they must be pushed another way.
    #[inline(always)]
    pub fn find<S: Simd>(
        simd: S,
        terms: &Terms,
        spots: &[Spot],
        balls: &BallGroup,
    ) -> (Option<Self>, Marks) {
        let (x_a, r_a) = load(simd, |i| spots[i].x, balls.a);
        let (x_b, r_b) = load(simd, |i| spots[i].x, balls.b);
        let reach = r_a + r_b - r_a.min(r_b) * terms.slop;
        let apart = x_a.minus(x_b);
        let d_squared = apart.dot(apart);
        // What rounding has taken from the positions decides nothing here.
        let overlaps = balls.is_used.load(simd) & d_squared.simd_lt(reach * reach);
        if !Marks::from(overlaps).any() {
            return (None, Marks::NONE);
        }
        let is_near = overlaps & d_squared.simd_lt(reach * (NEAR * NEAR) * reach);
        let (rest_a, _) = load(simd, |i| spots[i].x_rest, balls.a);
        let (rest_b, _) = load(simd, |i| spots[i].x_rest, balls.b);
        let (v_a, _) = load(simd, |i| spots[i].v, balls.a);
        let (v_b, _) = load(simd, |i| spots[i].v, balls.b);
        let (v_rest_a, _) = load(simd, |i| spots[i].v_rest, balls.a);
        let (v_rest_b, _) = load(simd, |i| spots[i].v_rest, balls.b);
        let found = Self {
            a: *balls.places.0,
            b: *balls.places.1,
            x_ab: apart.plus_all(rest_a.minus(rest_b)).into(),
            v_ab: v_a.minus(v_b).plus_all(v_rest_a.minus(v_rest_b)).into(),
            reach: only(overlaps & !is_near, reach).into(),
        };
        (Some(found), is_near.into())
    }

    /// Those of several balls that overlap planes.
    #[inline(always)]
    pub fn on_planes<S: Simd>(
        simd: S,
        terms: &Terms,
        spots: &[Spot],
        balls: &BallGroup,
    ) -> Option<Self> {
        let (x_a, r_a) = load(simd, |i| spots[i].x, balls.a);
        let (x_b, _) = load(simd, |i| spots[i].x, balls.b);
        let (n, _) = load(simd, |i| spots[i].v, balls.b);
        let reach = r_a - r_a * terms.slop;
        let apart = x_a.minus(x_b);
        let overlaps = balls.is_used.load(simd) & apart.dot(n).simd_lt(reach);
        if !Marks::from(overlaps).any() {
            return None;
        }
        let (rest_a, _) = load(simd, |i| spots[i].x_rest, balls.a);
        Some(Self {
            a: *balls.places.0,
            b: *balls.places.1,
            x_ab: apart.plus_all(rest_a).into(),
            v_ab: n.into(),
            reach: only(overlaps, reach).into(),
        })
    }

    /// Pushes the pairs apart that are nearer than they may be; whether any was.
    ///
    /// The centres move by Δ·n against each other, shared by mass, and of two balls v_t becomes v_t·d/(d + Δ): the angular
    /// momentum m_ab·d·n × v stays.
    #[inline(always)]
    pub fn push_apart<S: Simd, const PLANES: bool>(
        &self,
        simd: S,
        terms: &Terms,
        shifts: &mut [Shift],
    ) -> bool {
        let (shift_a, inverse_mass_a) = load(simd, |i| shifts[i].x, &self.a);
        let (shift_b, inverse_mass_b) = load(simd, |i| shifts[i].x, &self.b);
        let (x_ab, v_ab) = (self.x_ab.load(simd), self.v_ab.load(simd));
        let x_ab = x_ab.plus_all(shift_a.minus(shift_b));
        let (n, d);
        if PLANES {
            n = v_ab;
            d = x_ab.dot(n);
        } else {
            d = x_ab.dot(x_ab).sqrt();
            n = x_ab.scaled(1.0 / d.max(f32::MIN_POSITIVE));
        }
        let reach = self.reach.load(simd);
        let ease = inverse_mass_a + inverse_mass_b;
        let is_moved = d.simd_lt(reach) & ease.simd_gt(0.0);
        if !Marks::from(is_moved).any() {
            return false;
        }
        let push = only(is_moved, terms.factors(ease) * (reach - d));
        let inverse_ease = only(is_moved, 1.0 / ease);
        let (share_a, share_b) = (inverse_mass_a * inverse_ease, inverse_mass_b * inverse_ease);
        let (mut v_a, moved_a) = load(simd, |i| shifts[i].v, &self.a);
        let (mut v_b, moved_b) = load(simd, |i| shifts[i].v, &self.b);
        if !PLANES && terms.conserves {
            // Against what nothing moves, nothing is kept.
            let lightest = inverse_mass_a.min(inverse_mass_b);
            let conserves = is_moved & lightest.simd_gt(IMMOVABLE);
            let v_ab = v_ab.plus_all(v_a.minus(v_b));
            let v_t = v_ab.plus(n, -n.dot(v_ab));
            let change = v_t.scaled(only(conserves, push / (d + push)));
            v_a = v_a.plus(change, -share_a);
            v_b = v_b.plus(change, share_b);
        }
        let moved = only(is_moved, f32x8::splat(simd, 1.0));
        let x = (shift_a.plus(n, push * share_a), inverse_mass_a);
        store(shifts, &self.a, x, (v_a, moved_a.max(moved)));
        if !PLANES {
            let x = (shift_b.plus(n, -(push * share_b)), inverse_mass_b);
            store(shifts, &self.b, x, (v_b, moved_b.max(moved)));
        }
        true
    }
}

#[inline(always)]
fn store<S: Simd>(
    shifts: &mut [Shift],
    places: &[u32; LANES],
    (x, inverse_mass): (Vector<S>, f32x8<S>),
    (v, moved): (Vector<S>, f32x8<S>),
) {
    let (x, v) = (unload(x, inverse_mass), unload(v, moved));
    for lane in 0..LANES {
        shifts[places[lane] as usize] = Shift {
            x: x[lane],
            v: v[lane],
        };
    }
}
