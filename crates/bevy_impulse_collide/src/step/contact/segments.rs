//! Where capsules are nearest to capsules, balls and planes, several pairs at a time: as `find/narrow_phase.rs` has it for one.

use bevy::prelude::*;
use wide::f32x4;

use crate::find::PARALLEL_SINE;
use crate::step::vector::Vector;

/// The lines that the bodies of several pairs are drawn about; a ball's has no length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segments {
    /// x_a − x_b; b's may be a point of a plane.
    pub x_ab: Vector,
    pub half_a: Vector,
    pub half_b: Vector,
    pub r_a: f32x4,
    pub r_b: f32x4,
}

/// A contact point of each pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// Unit vector from b to a.
    pub normal: Vector,
    pub depth: f32x4,
    /// From the centres to the contact point.
    pub arm_a: Vector,
    pub arm_b: Vector,
}

impl Segments {
    /// The two points at which capsules touch a plane of this normal.
    #[inline]
    pub fn on_plane(&self, normal: Vector) -> [Spot; 2] {
        [-f32x4::ONE, f32x4::ONE].map(|end| {
            let half = self.half_a.scaled(end);
            Spot {
                normal,
                depth: self.r_a - self.x_ab.plus_all(half).dot(normal),
                arm_a: half.plus(normal, -self.r_a),
                arm_b: Vector::ZERO,
            }
        })
    }

    /// The one point or two at which the pairs touch, and which have two. See `closest_segment_points` for the formulas.
    #[inline]
    pub fn nearest(&self) -> ([Spot; 2], f32x4) {
        let Self {
            x_ab,
            half_a,
            half_b,
            r_a,
            r_b,
        } = *self;
        let (one, zero) = (f32x4::ONE, f32x4::ZERO);
        let within = |t: f32x4| t.fast_max(-one).fast_min(one);
        let inverse = |x: f32x4| x.simd_gt(zero) & (one / x);
        let (aa, bb, ab) = (half_a.dot(half_a), half_b.dot(half_b), half_a.dot(half_b));
        let (ar, br) = (half_a.dot(x_ab), half_b.dot(x_ab));
        let (inverse_aa, inverse_bb) = (inverse(aa), inverse(bb));
        let denominator = aa * bb - ab * ab;
        let is_parallel = denominator.simd_le(f32x4::splat(1e-6) * aa * bb);

        // The stretch of a that lies beside b.
        let (end_1, end_2) = ((ab - ar) * inverse_aa, (-ab - ar) * inverse_aa);
        let low = within(end_1.fast_min(end_2));
        let high = within(end_1.fast_max(end_2));
        let crossing = within((ab * br - bb * ar) / denominator);
        let s = is_parallel.select(f32x4::HALF * (low + high), crossing);
        let t = (ab * s + br) * inverse_bb;
        let is_inside = t.abs().simd_le(one);
        let t = within(t);
        let s = is_inside.select(s, within((ab * t - ar) * inverse_aa));

        let cross = half_a.cross(half_b);
        let sine_limit = f32x4::splat(PARALLEL_SINE * PARALLEL_SINE);
        let is_double = aa.simd_gt(zero)
            & bb.simd_gt(zero)
            & cross.dot(cross).simd_le(sine_limit * aa * bb)
            & ((high - low) * aa.sqrt()).simd_ge(f32x4::splat(0.1) * (r_a + r_b));
        let beside = |s: f32x4| within((ab * s + br) * inverse_bb);
        let first = (is_double.select(low, s), is_double.select(beside(low), t));
        let first = self.spot(first.0, first.1);
        let second = if is_double.any() {
            self.spot(high, beside(high))
        } else {
            first
        };
        ([first, second], is_double)
    }

    /// The contact point between x_a + s·half_a and x_b + t·half_b.
    #[inline(always)]
    fn spot(&self, s: f32x4, t: f32x4) -> Spot {
        let (on_a, on_b) = (self.half_a.scaled(s), self.half_b.scaled(t));
        let d = self.x_ab.plus_all(on_a).minus(on_b);
        let distance = d.dot(d).sqrt();
        let is_apart = distance.simd_gt(f32x4::ZERO);
        let mut normal = d.scaled(is_apart & (f32x4::ONE / distance));
        if !is_apart.all() {
            // Lines that meet have no normal of their own: it is across a's, or b's where a is a ball.
            let across = Vector::from_lanes(std::array::from_fn(|lane| {
                let (a, b) = (self.half_a.lane(lane), self.half_b.lane(lane));
                let axis = if a == Vec3::ZERO { b } else { a };
                axis.try_normalize()
                    .map_or(Vec3::Y, |axis| axis.any_orthonormal_vector())
            }));
            normal = normal.where_or(is_apart, across);
        }
        let depth = self.r_a + self.r_b - distance;
        let half_depth = f32x4::HALF * depth;
        Spot {
            normal,
            depth,
            arm_a: on_a.plus(normal, half_depth - self.r_a),
            arm_b: on_b.plus(normal, self.r_b - half_depth),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::step::vector::LANES;
    use crate::{
        bodies::Shape,
        find::{Placed, manifold},
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
            let placed = |x: Vec3, axis: Vec3, half_length: f32| Placed {
                shape: if half_length == 0.0 {
                    Shape::Particle { radius: 0.3 }
                } else {
                    Shape::Capsule { radius: 0.3, half_length }
                },
                x,
                axis,
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
            let half = |body: &Placed| match body.shape {
                Shape::Capsule { half_length, .. } => body.axis * half_length,
                _ => Vec3::ZERO,
            };
            let all = |value: &dyn Fn(&(Placed, Placed)) -> Vec3| {
                Vector::from_lanes(std::array::from_fn(|lane| value(&pairs[lane])))
            };
            let segments = Segments {
                x_ab: all(&|(a, b)| a.x - b.x),
                half_a: all(&|(a, _)| half(a)),
                half_b: all(&|(_, b)| half(b)),
                r_a: f32x4::splat(0.3),
                r_b: f32x4::splat(0.3),
            };
            let (spots, is_double) = segments.nearest();
            for (lane, (a, b)) in pairs.iter().enumerate() {
                let points = manifold(a, b);
                let is_double = is_double.to_bitmask() & (1 << lane) != 0;
                prop_assert_eq!(points.len(), if is_double { 2 } else { 1 });
                for (point, spot) in points.iter().zip(spots) {
                    let depth = spot.depth.as_array()[lane];
                    prop_assert!((point.depth - depth).abs() < 1e-4, "{point:?} {depth}");
                    for (arm, x) in [(spot.arm_a, a.x), (spot.arm_b, b.x)] {
                        prop_assert!((x + arm.lane(lane)).distance(point.point) < 1e-3);
                    }
                    prop_assert!(spot.normal.lane(lane).distance(point.normal) < 1e-3);
                }
            }
        }
    }
}
