//! Pushes balls apart that overlap balls or planes, several pairs at a time.

use fearless_simd::{f32x8, prelude::*};
use glam::{DVec3, Vec3, Vec4};

use super::position_change::PositionChange;
use crate::{
    body::{Bodies, IMMOVABLE},
    config::{CollisionConfig, ProjectionLaw, ProjectionStrength},
    shape::Shape,
    solver::{
        contact::BallGroup,
        simd::{LANES, LaneMask, Numbers, Vector, Vectors, load, only, unload},
    },
};

/// Balls nearer than this fraction of their proper distance nearly coincide: their velocities alone cannot conserve the angular
/// momentum while a push turns them round each other.
const NEAR: f32 = 0.7;

/// Overlap, as a fraction of the smaller radius, above which a push has no limit.
const DEEP: f32 = 0.02;

/// Speed, in radii per second, at which pushes part any pair.
const LEAST_SPEED: f32 = 3e-4;

/// Speeds, in radii per second, that are added for a pair that does not move, and for such a pair with friction. They fade as the
/// pair moves, and are zero from the relative speed [`STILL`], in radii per second too.
const STILL_SPEED: f32 = 3e-3;
const GRIPPING_STILL_SPEED: f32 = 0.03;
const STILL: f32 = 2e-4;

/// Multiple of the approach speed that is added: the overlap that the contacts could not prevent. With the whole of it, balls
/// without friction keep each other moving.
const APPROACH_FACTOR: f32 = 0.8;

/// Multiple of the relative speed that is added for a pair with friction. A heap that settles has little overlap, and a heap that
/// lies still is not moved by its own pushes.
const SPEED_FACTOR: f32 = 3.0;

/// Friction from which on the relative speed counts in full. Balls without friction slide on each other all the time: pushes in
/// proportion to that speed keep it up, and the heap boils.
const FULL_FRICTION: f32 = 0.03;

/// Multiple of v²·h/d that is added. Half of v²·h/d is the speed at which a ball that slides on another leaves the tangent.
const CURVATURE_FACTOR: f32 = 2.0;

/// Position and velocity of a ball or plane, to twice the digits, in one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct BallState {
    /// Position, and the radius.
    x: Vec4,
    x_low: Vec4,
    /// Velocity, and the inverse mass; for a plane, its normal.
    v: Vec4,
    v_low: Vec4,
}

impl BallState {
    pub const NONE: Self = Self {
        x: Vec4::ZERO,
        x_low: Vec4::ZERO,
        v: Vec4::ZERO,
        v_low: Vec4::ZERO,
    };

    pub fn of(bodies: &Bodies, i: usize) -> Self {
        let split = |v: DVec3| (v.as_vec3(), (v - v.as_vec3().as_dvec3()).as_vec3());
        let (x, x_low) = split(bodies.position[i]);
        let (v, v_low) = match bodies.shape[i] {
            Shape::Plane => (bodies.axis[i], Vec3::ZERO),
            Shape::Particle { .. }
            | Shape::Capsule { .. }
            | Shape::Collider
            | Shape::Compound { .. } => split(bodies.velocity[i]),
        };
        Self {
            x: x.extend(bodies.shape[i].radius()),
            x_low: x_low.extend(0.0),
            v: v.extend(if bodies.is_asleep(i) {
                0.0
            } else {
                bodies.inverse_mass[i]
            }),
            v_low: v_low.extend(0.0),
        }
    }
}

/// Parameters of the pushes in a substep.
#[derive(Clone, Copy, Debug)]
pub(super) struct PushParams {
    slop: f32,
    strength: ProjectionStrength,
    /// The factor k_p, if it is the same for all pairs.
    factor: Option<f32>,
    conserves: bool,
    h: f32,
}

impl PushParams {
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

    /// The distances up to which the sweeps of a substep push pairs apart that are at the `distance` and should be at `reach`.
    /// `radius` is the smaller one.
    ///
    /// Every push lifts balls that fall back. In a heap at rest, these falls make new overlaps, and the heap never lies still.
    #[inline(always)]
    fn limited_reach<S: Simd>(
        &self,
        (distance, reach): (f32x8<S>, f32x8<S>),
        radius: f32x8<S>,
        (apart, velocity): (Vector<S>, Vector<S>),
        friction: f32x8<S>,
    ) -> f32x8<S> {
        let simd = distance.simd;
        let squared = velocity.dot(velocity);
        let relative = squared.sqrt();
        let approach = (-apart.dot(velocity) / distance).max(0.0);
        let grip = (friction / FULL_FRICTION).min(1.0);
        let still = (f32x8::splat(simd, 1.0) - relative / (radius * STILL)).max(0.0);
        let of_still = still * (grip * GRIPPING_STILL_SPEED + STILL_SPEED);
        let speed = radius * (of_still + LEAST_SPEED)
            + approach * APPROACH_FACTOR
            + relative * grip * SPEED_FACTOR
            + squared / distance * (self.h * CURVATURE_FACTOR);
        let limited = distance + speed * self.h;
        limited.max(reach - radius * DEEP).min(reach)
    }

    /// The factors k_p for these inverse reduced masses.
    #[inline(always)]
    fn factors<S: Simd>(&self, inverse_mass: f32x8<S>) -> f32x8<S> {
        let simd = inverse_mass.simd;
        match self.factor {
            Some(factor) => f32x8::splat(simd, factor),
            None => {
                let factors =
                    inverse_mass.map(|inverse_mass| self.strength.factor(inverse_mass, self.h));
                factors.simd_into(simd)
            }
        }
    }
}

/// Several pairs, of which at least one overlaps: solver indices in the cell's range, relative position and velocity when the stage
/// began, and the distance below which they are pushed apart. It is zero in the lane of a pair that does not overlap.
#[derive(Clone, Copy, Debug)]
pub(super) struct WideOverlap {
    a: [u32; LANES],
    b: [u32; LANES],
    x_ab: Vectors,
    /// For balls on planes, the planes' normals.
    v_ab: Vectors,
    reach: Numbers,
}

impl WideOverlap {
    /// The pairs of balls that overlap, and the lanes with an overlap so deep that another method must push them apart.
    #[inline(always)]
    pub fn find<S: Simd>(
        simd: S,
        params: &PushParams,
        ball_states: &[BallState],
        balls: &BallGroup,
    ) -> (Option<Self>, LaneMask) {
        let (x_a, r_a) = load(simd, |i| ball_states[i].x, balls.a);
        let (x_b, r_b) = load(simd, |i| ball_states[i].x, balls.b);
        let reach = r_a + r_b - r_a.min(r_b) * params.slop;
        let apart = x_a - x_b;
        let d_squared = apart.dot(apart);
        // The rounding errors of the positions do not matter for this test.
        let overlaps = balls.is_used.load(simd) & d_squared.simd_lt(reach * reach);
        if !LaneMask::from(overlaps).any() {
            return (None, LaneMask::NONE);
        }
        let is_near = overlaps & d_squared.simd_lt(reach * (NEAR * NEAR) * reach);
        let (low_a, _) = load(simd, |i| ball_states[i].x_low, balls.a);
        let (low_b, _) = load(simd, |i| ball_states[i].x_low, balls.b);
        let (v_a, _) = load(simd, |i| ball_states[i].v, balls.a);
        let (v_b, _) = load(simd, |i| ball_states[i].v, balls.b);
        let (v_low_a, _) = load(simd, |i| ball_states[i].v_low, balls.a);
        let (v_low_b, _) = load(simd, |i| ball_states[i].v_low, balls.b);
        let v_ab = (v_a - v_b) + (v_low_a - v_low_b);
        let distances = (d_squared.sqrt(), reach);
        let friction = balls.friction.load(simd);
        let reach = params.limited_reach(distances, r_a.min(r_b), (apart, v_ab), friction);
        let found = Self {
            a: *balls.slots.0,
            b: *balls.slots.1,
            x_ab: (apart + (low_a - low_b)).into(),
            v_ab: v_ab.into(),
            reach: only(overlaps & !is_near, reach).into(),
        };
        (Some(found), is_near.into())
    }

    /// The balls that overlap planes.
    #[inline(always)]
    pub fn on_planes<S: Simd>(
        simd: S,
        params: &PushParams,
        ball_states: &[BallState],
        balls: &BallGroup,
    ) -> Option<Self> {
        let (x_a, r_a) = load(simd, |i| ball_states[i].x, balls.a);
        let (x_b, _) = load(simd, |i| ball_states[i].x, balls.b);
        let (n, _) = load(simd, |i| ball_states[i].v, balls.b);
        let reach = r_a - r_a * params.slop;
        let apart = x_a - x_b;
        let overlaps = balls.is_used.load(simd) & apart.dot(n).simd_lt(reach);
        if !LaneMask::from(overlaps).any() {
            return None;
        }
        let (low_a, _) = load(simd, |i| ball_states[i].x_low, balls.a);
        Some(Self {
            a: *balls.slots.0,
            b: *balls.slots.1,
            x_ab: (apart + low_a).into(),
            v_ab: n.into(),
            reach: only(overlaps, reach).into(),
        })
    }

    /// Pushes apart the pairs that are too near. Returns whether there was one.
    ///
    /// The centres move by Δ·n relative to each other, shared by mass. For two balls v_t becomes v_t·d/(d + Δ): the angular
    /// momentum m_ab·d·n × v stays.
    #[inline(always)]
    pub fn push_apart<S: Simd, const PLANES: bool>(
        &self,
        simd: S,
        params: &PushParams,
        position_changes: &mut [PositionChange],
    ) -> bool {
        let (shift_a, inverse_mass_a) = load(simd, |i| position_changes[i].x, &self.a);
        let (shift_b, inverse_mass_b) = load(simd, |i| position_changes[i].x, &self.b);
        let (x_ab, v_ab) = (self.x_ab.load(simd), self.v_ab.load(simd));
        let x_ab = x_ab + (shift_a - shift_b);
        let (n, d);
        if PLANES {
            n = v_ab;
            d = x_ab.dot(n);
        } else {
            d = x_ab.dot(x_ab).sqrt();
            n = x_ab.scaled(1.0 / d.max(f32::MIN_POSITIVE));
        }
        let reach = self.reach.load(simd);
        let inverse_mass = inverse_mass_a + inverse_mass_b;
        let is_moved = d.simd_lt(reach) & inverse_mass.simd_gt(0.0);
        if !LaneMask::from(is_moved).any() {
            return false;
        }
        let mut push = params.factors(inverse_mass) * (reach - d);
        if PLANES {
            // Nothing passes a plane: at least the centre comes out.
            push = push.max(-d);
        }
        let push = only(is_moved, push);
        let reduced_mass = only(is_moved, 1.0 / inverse_mass);
        let (share_a, share_b) = (inverse_mass_a * reduced_mass, inverse_mass_b * reduced_mass);
        let (mut v_a, moved_a) = load(simd, |i| position_changes[i].v, &self.a);
        let (mut v_b, moved_b) = load(simd, |i| position_changes[i].v, &self.b);
        if !PLANES && params.conserves {
            // A pair with an immovable body conserves nothing.
            let lightest = inverse_mass_a.min(inverse_mass_b);
            let conserves = is_moved & lightest.simd_gt(IMMOVABLE);
            let v_ab = v_ab + (v_a - v_b);
            let v_t = v_ab.add_scaled(n, -n.dot(v_ab));
            let change = v_t.scaled(only(conserves, push / (d + push)));
            v_a = v_a.add_scaled(change, -share_a);
            v_b = v_b.add_scaled(change, share_b);
        }
        let moved = only(is_moved, f32x8::splat(simd, 1.0));
        let x = (shift_a.add_scaled(n, push * share_a), inverse_mass_a);
        store(position_changes, &self.a, x, (v_a, moved_a.max(moved)));
        if !PLANES {
            let x = (shift_b.add_scaled(n, -(push * share_b)), inverse_mass_b);
            store(position_changes, &self.b, x, (v_b, moved_b.max(moved)));
        }
        true
    }
}

#[inline(always)]
fn store<S: Simd>(
    position_changes: &mut [PositionChange],
    solver_indices: &[u32; LANES],
    (x, inverse_mass): (Vector<S>, f32x8<S>),
    (v, moved): (Vector<S>, f32x8<S>),
) {
    let (x, v) = (unload(x, inverse_mass), unload(v, moved));
    for lane in 0..LANES {
        position_changes[solver_indices[lane] as usize] = PositionChange {
            x: x[lane],
            v: v[lane],
        };
    }
}
