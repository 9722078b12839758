//! Balls that overlap balls or planes are pushed apart, several pairs at a time.

use wide::f32x4;

use super::Shift;
use crate::{
    bodies::{Bodies, IMMOVABLE, Shape},
    config::{CollisionConfig, ProjectionLaw, ProjectionStrength},
    step::{
        contact::BallGroup,
        vector::{LANES, Vector, beside, load},
    },
};

/// Balls nearer than this part of the distance that they should have nearly coincide: their velocities alone can not keep the
/// angular momentum while a push turns them round each other.
const NEAR: f32 = 0.7;

/// Where a body is and how it moves, to twice the digits. In one cache line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// Position, and the radius.
    x: f32x4,
    x_rest: f32x4,
    /// Velocity, and the inverse mass; of a plane, its normal.
    v: f32x4,
    v_rest: f32x4,
}

impl Spot {
    pub const NONE: Self = Self {
        x: f32x4::ZERO,
        x_rest: f32x4::ZERO,
        v: f32x4::ZERO,
        v_rest: f32x4::ZERO,
    };

    pub fn of(bodies: &Bodies, i: usize) -> Self {
        let v = match bodies.shape[i] {
            Shape::Plane => bodies.axis[i],
            _ => bodies.velocity[i],
        };
        Self {
            x: beside(bodies.position[i], bodies.shape[i].radius()),
            x_rest: beside(bodies.position_rest[i], 0.0),
            v: beside(v, bodies.inverse_mass[i]),
            v_rest: beside(bodies.velocity_rest[i], 0.0),
        }
    }
}

/// What a substep is like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    slop: f32x4,
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
            slop: f32x4::splat(config.overlap_slop),
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
    fn factors(&self, ease: f32x4) -> f32x4 {
        match self.factor {
            Some(factor) => f32x4::splat(factor),
            None => f32x4::new(
                ease.to_array()
                    .map(|ease| self.strength.factor(ease, self.h)),
            ),
        }
    }
}

/// Several pairs of which some overlap: where the bodies are among the part's, how they stood and moved against each other when
/// the stage began, and how near they may come: not at all, in the lane of a pair that does not overlap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Overlaps {
    a: [u32; LANES],
    b: [u32; LANES],
    x_ab: Vector,
    /// Of balls on planes, the planes' normals.
    v_ab: Vector,
    reach: f32x4,
}

impl Overlaps {
    /// Those of several pairs of balls that overlap; and those that overlap by so much that they must be pushed another way.
    pub fn find(
        terms: &Terms,
        spots: &[Spot],
        balls: &BallGroup,
    ) -> (Option<Self>, impl Iterator<Item = (u32, u32)>) {
        let (x_a, r_a) = load(|i| spots[i].x, balls.a);
        let (x_b, r_b) = load(|i| spots[i].x, balls.b);
        let zero = f32x4::ZERO;
        let reach = balls.is_used & (r_a + r_b - terms.slop * r_a.fast_min(r_b));
        let apart = x_a.minus(x_b);
        let d_squared = apart.dot(apart);
        // What rounding has taken from the positions decides nothing here.
        let overlaps = d_squared.simd_lt(reach * reach);
        if overlaps.none() {
            return (None, near(balls, zero));
        }
        let is_near = overlaps & d_squared.simd_lt(f32x4::splat(NEAR * NEAR) * reach * reach);
        let (rest_a, _) = load(|i| spots[i].x_rest, balls.a);
        let (rest_b, _) = load(|i| spots[i].x_rest, balls.b);
        let (v_a, _) = load(|i| spots[i].v, balls.a);
        let (v_b, _) = load(|i| spots[i].v, balls.b);
        let (v_rest_a, _) = load(|i| spots[i].v_rest, balls.a);
        let (v_rest_b, _) = load(|i| spots[i].v_rest, balls.b);
        let found = Self {
            a: *balls.places.0,
            b: *balls.places.1,
            x_ab: apart.plus_all(rest_a.minus(rest_b)),
            v_ab: v_a.minus(v_b).plus_all(v_rest_a.minus(v_rest_b)),
            reach: overlaps & !is_near & reach,
        };
        (Some(found), near(balls, is_near))
    }

    /// Those of several balls that overlap planes.
    pub fn on_planes(terms: &Terms, spots: &[Spot], balls: &BallGroup) -> Option<Self> {
        let (x_a, r_a) = load(|i| spots[i].x, balls.a);
        let (x_b, _) = load(|i| spots[i].x, balls.b);
        let (n, _) = load(|i| spots[i].v, balls.b);
        let reach = balls.is_used & (r_a - terms.slop * r_a);
        let apart = x_a.minus(x_b);
        let overlaps = apart.dot(n).simd_lt(reach);
        if overlaps.none() {
            return None;
        }
        let (rest_a, _) = load(|i| spots[i].x_rest, balls.a);
        Some(Self {
            a: *balls.places.0,
            b: *balls.places.1,
            x_ab: apart.plus_all(rest_a),
            v_ab: n,
            reach: overlaps & reach,
        })
    }

    /// Pushes the pairs apart that are nearer than they may be; whether any was.
    ///
    /// The centres move by Δ·n against each other, shared by mass, and of two balls v_t becomes v_t·d/(d + Δ): the angular
    /// momentum m_ab·d·n × v stays.
    #[inline]
    pub fn push_apart<const PLANES: bool>(&self, terms: &Terms, shifts: &mut [Shift]) -> bool {
        let (shift_a, inverse_mass_a) = load(|i| shifts[i].x, &self.a);
        let (shift_b, inverse_mass_b) = load(|i| shifts[i].x, &self.b);
        let x_ab = self.x_ab.plus_all(shift_a.minus(shift_b));
        let (n, d);
        if PLANES {
            n = self.v_ab;
            d = x_ab.dot(n);
        } else {
            d = x_ab.dot(x_ab).sqrt();
            n = x_ab.scaled(f32x4::ONE / d.fast_max(f32x4::splat(f32::MIN_POSITIVE)));
        }
        let ease = inverse_mass_a + inverse_mass_b;
        let is_moved = d.simd_lt(self.reach) & ease.simd_gt(f32x4::ZERO);
        if is_moved.none() {
            return false;
        }
        let push = is_moved & (terms.factors(ease) * (self.reach - d));
        let inverse_ease = is_moved & (f32x4::ONE / ease);
        let (share_a, share_b) = (inverse_mass_a * inverse_ease, inverse_mass_b * inverse_ease);
        let (mut v_a, moved_a) = load(|i| shifts[i].v, &self.a);
        let (mut v_b, moved_b) = load(|i| shifts[i].v, &self.b);
        if !PLANES && terms.conserves {
            // Against what nothing moves, nothing is kept.
            let lightest = inverse_mass_a.fast_min(inverse_mass_b);
            let conserves = is_moved & lightest.simd_gt(f32x4::splat(IMMOVABLE));
            let v_ab = self.v_ab.plus_all(v_a.minus(v_b));
            let v_t = v_ab.plus(n, -n.dot(v_ab));
            let change = v_t.scaled(conserves & (push / (d + push)));
            v_a = v_a.plus(change, -share_a);
            v_b = v_b.plus(change, share_b);
        }
        let moved = is_moved & f32x4::ONE;
        let shift_a = shift_a.plus(n, push * share_a);
        store(
            shifts,
            &self.a,
            shift_a,
            inverse_mass_a,
            v_a,
            moved_a.fast_max(moved),
        );
        if !PLANES {
            let shift_b = shift_b.plus(n, -(push * share_b));
            store(
                shifts,
                &self.b,
                shift_b,
                inverse_mass_b,
                v_b,
                moved_b.fast_max(moved),
            );
        }
        true
    }
}

#[inline(always)]
fn store(
    shifts: &mut [Shift],
    places: &[u32; LANES],
    x: Vector,
    inverse_mass: f32x4,
    v: Vector,
    moved: f32x4,
) {
    let x = f32x4::transpose([x.x, x.y, x.z, inverse_mass]);
    let v = f32x4::transpose([v.x, v.y, v.z, moved]);
    for lane in 0..LANES {
        shifts[places[lane] as usize] = Shift {
            x: x[lane],
            v: v[lane],
        };
    }
}

/// The pairs in these lanes.
fn near(balls: &BallGroup, lanes: f32x4) -> impl Iterator<Item = (u32, u32)> {
    let (a, b, lanes) = (*balls.a, *balls.b, lanes.to_bitmask());
    let some = (0..LANES).filter(move |lane| lanes & (1 << lane) != 0);
    some.map(move |lane| (a[lane], b[lane]))
}
