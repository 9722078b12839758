//! Manifolds of several pairs at a time: the nearest points of capsules and balls to each other and to planes. The manifold of one
//! pair has the same formulas.

use bevy::prelude::*;
use fearless_simd::{f32x8, mask32x8, prelude::*};

use super::pose::WideAside;
use crate::collision::PARALLEL_SINE;
use crate::solver::simd::{LaneMask, Vector, Vectors, only};

/// The core segments of the bodies of several pairs. The segment of a ball has no length.
#[derive(Clone, Copy)]
pub(super) struct WideSegments<S: Simd> {
    /// x_a − x_b; x_b may be a point of a plane.
    pub x_ab: Vector<S>,
    pub half_a: Vector<S>,
    pub half_b: Vector<S>,
    pub r_a: f32x8<S>,
    pub r_b: f32x8<S>,
}

/// A contact point of each pair.
#[derive(Clone, Copy)]
pub(super) struct ClosestPoint<S: Simd> {
    /// Unit vector from b to a.
    pub normal: Vector<S>,
    pub depth: f32x8<S>,
    /// From the centres to the contact point.
    pub arm_a: Vector<S>,
    pub arm_b: Vector<S>,
}

impl<S: Simd> ClosestPoint<S> {
    /// With the arms from the centres of mass, where the cores lie aside of them.
    #[inline(always)]
    pub fn beside(self, aside: &WideAside<S>) -> Self {
        Self {
            arm_a: self.arm_a + aside.a,
            arm_b: self.arm_b + aside.b,
            ..self
        }
    }
}

impl<S: Simd> WideSegments<S> {
    /// The two points at which capsules touch a plane of this normal.
    #[inline(always)]
    pub fn on_plane(&self, normal: Vector<S>) -> [ClosestPoint<S>; 2] {
        [
            self.end_on_plane(-1.0, normal),
            self.end_on_plane(1.0, normal),
        ]
    }

    #[inline(always)]
    fn end_on_plane(&self, end: f32, normal: Vector<S>) -> ClosestPoint<S> {
        let simd = self.r_a.simd;
        let half = self.half_a.scaled(f32x8::splat(simd, end));
        let arm_a = half.add_scaled(normal, -self.r_a);
        ClosestPoint {
            normal,
            depth: self.r_a - (self.x_ab + half).dot(normal),
            arm_a,
            arm_b: self.x_ab + arm_a,
        }
    }

    /// The one or two contact points of the pairs, and the lanes that have two. See `closest_segment_points` for the formulas.
    #[inline(always)]
    pub fn nearest(&self, is_used: mask32x8<S>) -> ([ClosestPoint<S>; 2], mask32x8<S>) {
        let Self {
            x_ab,
            half_a,
            half_b,
            r_a,
            r_b,
        } = *self;
        let (aa, bb, ab) = (half_a.dot(half_a), half_b.dot(half_b), half_a.dot(half_b));
        let (ar, br) = (half_a.dot(x_ab), half_b.dot(x_ab));
        let inverse_aa = only(aa.simd_gt(0.0), 1.0 / aa);
        let inverse_bb = only(bb.simd_gt(0.0), 1.0 / bb);
        let denominator = aa * bb - ab * ab;
        let is_parallel = denominator.simd_le(aa * 1e-6 * bb);

        // The part of segment a that lies beside segment b.
        let (end_1, end_2) = ((ab - ar) * inverse_aa, (-ab - ar) * inverse_aa);
        let low = within(end_1.min(end_2));
        let high = within(end_1.max(end_2));
        let crossing = within((ab * br - bb * ar) / denominator);
        let s = is_parallel.select((low + high) * 0.5, crossing);
        let t = (ab * s + br) * inverse_bb;
        let is_inside = t.abs().simd_le(1.0);
        let t = within(t);
        let s = is_inside.select(s, within((ab * t - ar) * inverse_aa));

        let cross = half_a.cross(half_b);
        let is_double = aa.simd_gt(0.0)
            & bb.simd_gt(0.0)
            & cross
                .dot(cross)
                .simd_le(aa * (PARALLEL_SINE * PARALLEL_SINE) * bb)
            & ((high - low) * aa.sqrt()).simd_ge((r_a + r_b) * 0.1);
        let (beside_low, beside_high) =
            ((ab * low + br) * inverse_bb, (ab * high + br) * inverse_bb);
        let (s, t) = (
            is_double.select(low, s),
            is_double.select(within(beside_low), t),
        );
        let first = self.closest_point(s, t, is_used);
        let second = if LaneMask::from(is_double).any() {
            self.closest_point(high, within(beside_high), is_used)
        } else {
            first
        };
        ([first, second], is_double)
    }

    /// The contact point between x_a + s·half_a and x_b + t·half_b.
    #[inline(always)]
    fn closest_point(&self, s: f32x8<S>, t: f32x8<S>, is_used: mask32x8<S>) -> ClosestPoint<S> {
        let (on_a, on_b) = (self.half_a.scaled(s), self.half_b.scaled(t));
        let d = (self.x_ab + on_a) - on_b;
        let distance = d.dot(d).sqrt();
        let is_apart = distance.simd_gt(0.0);
        let mut normal = d.scaled(only(is_apart, 1.0 / distance));
        if LaneMask::from(is_used & !is_apart).any() {
            // Segments that meet have no normal of their own. It is taken across the axis of a, or of b if a is a ball.
            let (a, b) = (Vectors::from(self.half_a), Vectors::from(self.half_b));
            normal = normal.where_or(is_apart, across(&a, &b).load(distance.simd));
        }
        let depth = self.r_a + self.r_b - distance;
        let half_depth = depth * 0.5;
        ClosestPoint {
            normal,
            depth,
            arm_a: on_a.add_scaled(normal, half_depth - self.r_a),
            arm_b: on_b.add_scaled(normal, self.r_b - half_depth),
        }
    }
}

/// The nearest number from −1 to 1.
#[inline(always)]
fn within<S: Simd>(t: f32x8<S>) -> f32x8<S> {
    t.max(-1.0).min(1.0)
}

/// A unit vector across the axis of each a, or across the axis of b if a has no axis.
#[cold]
fn across(a: &Vectors, b: &Vectors) -> Vectors {
    Vectors::from_lanes(std::array::from_fn(|lane| {
        let (a, b) = (a.lane(lane), b.lane(lane));
        let axis = if a == Vec3::ZERO { b } else { a };
        axis.try_normalize()
            .map_or(Vec3::Y, |axis| axis.any_orthonormal_vector())
    }))
}

#[cfg(test)]
mod tests {
    use fearless_simd::{Level, dispatch};
    use proptest::prelude::*;

    use super::*;
    use crate::solver::simd::{LANES, Numbers};
    use crate::{
        collision::manifold,
        shape::{Placed, Shape},
    };

    fn vector(size: f32) -> impl Strategy<Value = Vec3> {
        let axis = move || -size..size;
        (axis(), axis(), axis()).prop_map(Vec3::from)
    }

    proptest! {
        #[test]
        fn many_at_once_are_as_one_at_a_time(
            pairs in prop::collection::vec(
                (vector(1.5), vector(1.0), vector(1.0), 0.0..1.0f32, 0.0..1.0f32, 0..3), LANES),
        ) {
            let placed = |x: Vec3, axis: Vec3, half_length: f32| {
                let shape = if half_length == 0.0 {
                    Shape::Particle { radius: 0.3 }
                } else {
                    Shape::Capsule { radius: 0.3, half_length }
                };
                Placed::new(shape, x, axis)
            };
            let pairs: Vec<(Placed, Placed)> = pairs
                .into_iter()
                .map(|(x, u, v, l_a, l_b, kind)| {
                    let u = u.try_normalize().unwrap_or(Vec3::Y);
                    // All directions, nearly parallel ones, and balls.
                    let (v, l_b) = match kind {
                        0 => (v.try_normalize().unwrap_or(Vec3::Y), l_b),
                        1 => ((u + 0.05 * v).normalize(), l_b),
                        _ => (Vec3::Y, 0.0),
                    };
                    (placed(x, u, l_a), placed(Vec3::ZERO, v, l_b))
                })
                .collect();
            let half = |body: &Placed| body.shape.core_half(body.axis);
            let all = |value: &dyn Fn(&(Placed, Placed)) -> Vec3| {
                Vectors::from_lanes(std::array::from_fn(|lane| value(&pairs[lane])))
            };
            let x_ab = all(&|(a, b)| a.x - b.x);
            let (half_a, half_b) = (all(&|(a, _)| half(a)), all(&|(_, b)| half(b)));
            let (closest, is_double) = dispatch!(Level::new(), simd => {
                let segments = WideSegments {
                    x_ab: x_ab.load(simd),
                    half_a: half_a.load(simd),
                    half_b: half_b.load(simd),
                    r_a: f32x8::splat(simd, 0.3),
                    r_b: f32x8::splat(simd, 0.3),
                };
                let (closest, is_double) = segments.nearest(LaneMask::of([true; LANES]).load(simd));
                let closest = closest.map(|spot| (
                    Vectors::from(spot.normal),
                    Numbers::from(spot.depth),
                    [Vectors::from(spot.arm_a), Vectors::from(spot.arm_b)],
                ));
                (closest, LaneMask::from(is_double))
            });
            for (lane, (a, b)) in pairs.iter().enumerate() {
                let points = manifold(a, b, f32::INFINITY);
                prop_assert_eq!(points.len(), if is_double.has(lane) { 2 } else { 1 });
                for (point, (normal, depth, arms)) in points.iter().zip(closest) {
                    let depth = depth.lane(lane);
                    prop_assert!((point.depth - depth).abs() < 1e-4, "{point:?} {depth}");
                    for (arm, x) in arms.into_iter().zip([a.x, b.x]) {
                        prop_assert!((x + arm.lane(lane)).distance(point.point) < 1e-3);
                    }
                    prop_assert!(normal.lane(lane).distance(point.normal) < 1e-3);
                }
            }
        }
    }
}
