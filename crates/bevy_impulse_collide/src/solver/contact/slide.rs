//! The optional term of contacts whose surfaces move by themselves: belts, and kinematic bodies that turn.
//!
//! Friction compares the way of a body in the substep with the way of the surface under it. On a surface that turns at Ω, the
//! velocity at the start, V + Ω × r, is that of the tangent: whatever rides there would spiral out by Ω²·h/2 of its radius each
//! second. The mean along the way of the body is
//!
//!   u = V + Ω' × (r + (v − V)·h/2) + Ω × arm,
//!
//! with r from the centre of the surface to the centre of the body, the body's velocity v as the sweep finds it, and the arm from
//! there to the contact point. With |Ω'| = tan(|Ω|·h/2)/(h/2), a body that rides moves by just the turn of the surface, and the
//! velocity of a ball that rolls there turns without growing.

use fearless_simd::{f32x8, prelude::*};

use super::velocity::WideVelocity;
use crate::{
    body::IMMOVABLE,
    solver::simd::{Vector, Vectors},
};

/// Square of |Ω|·h/2 up to which the mean is that of the arc. A surface that turns faster turns by more than 80° in a substep.
const MOST_TURN: f32 = 0.5;

/// How the surfaces of a group's pairs slide over each other beside the sliding of the bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlideTerms {
    /// What is to be added to the velocity at which a slides over b. Its part along the normal has no meaning.
    velocity: Vectors,
    /// Ω'·h/2 of the surface that turns.
    turn: Vectors,
}

impl SlideTerms {
    pub const NONE: Self = Self {
        velocity: Vectors::ZERO,
        turn: Vectors::ZERO,
    };

    /// The terms of pairs with these velocities, whose `belts` move at this velocity relative to each other. `apart` leads from the
    /// centre of b to that of a.
    #[inline(always)]
    pub fn new<S: Simd>(
        simd: S,
        (a, b): (&WideVelocity<S>, &WideVelocity<S>),
        belts: Vector<S>,
        apart: Vector<S>,
        h: f32,
    ) -> Self {
        let of = |body: &WideVelocity<S>| {
            let is_kinematic =
                body.inverse_mass.simd_gt(0.0) & body.inverse_mass.simd_le(IMMOVABLE);
            body.w.where_or(is_kinematic, Vector::zero(simd))
        };
        let turning = of(a) + of(b);
        let half = f32x8::splat(simd, 0.5 * h);
        let most = f32x8::splat(simd, MOST_TURN);
        let y = (turning.dot(turning) * half * half).min(most);
        // tan √y / √y − 1
        let excess = y * (y * (y * (17.0 / 315.0) + 2.0 / 15.0) + 1.0 / 3.0);
        let one = f32x8::splat(simd, 1.0);
        Self {
            velocity: (belts - turning.scaled(excess).cross(apart)).into(),
            turn: turning.scaled((one + excess) * half).into(),
        }
    }

    /// The sliding of the surfaces, from that of the `bodies` at the contact point and the velocity of a relative to b.
    #[inline(always)]
    pub fn sliding<S: Simd>(&self, bodies: Vector<S>, relative: Vector<S>) -> Vector<S> {
        let simd = bodies.x.simd;
        let turned = self.turn.load(simd).cross(relative);
        (bodies + self.velocity.load(simd)) - turned
    }
}
