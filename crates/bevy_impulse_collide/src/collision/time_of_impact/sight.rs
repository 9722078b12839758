//! What a search for the meeting of two round shapes, or of one and a plane, sees at one time: where they are nearest, and the gaps
//! between the ends of their cores.

use bevy::prelude::*;
use smallvec::SmallVec;

use super::flight_path::{CoreAt, FlightPath};
use crate::{
    collision::manifold::{PARALLEL_SINE, across},
    kernel::closest_segment_points,
    shape::Shape,
};

/// Least sine of the angle between two capsules that cross.
const LEAST_SINE: f32 = 0.2;

/// Length of the part in which two parallel capsules lie side by side, over the sum of their radii, from which they touch at two points.
const SIDE_BY_SIDE: f32 = 0.1;

/// A gap along a fixed normal: the separation of one end of either core, or of an end and a plane.
pub(super) struct EndGap {
    pub gap: f32,
    /// Its first derivative in m/s; below zero while the ends approach.
    pub rate: f32,
}

impl EndGap {
    /// Time in which the gap cannot shrink by `way`, if its second derivative is at least −`most`: the root of w + ġ·s − B·s²/2.
    pub fn safe_time(&self, most: f32, way: f32) -> f32 {
        let root = (self.rate * self.rate + 2.0 * most * way).sqrt();
        if self.rate < 0.0 {
            2.0 * way / (root - self.rate)
        } else if most > 0.0 {
            (self.rate + root) / most
        } else {
            f32::INFINITY
        }
    }

    /// Time in which the approach of ends that touch cannot become faster than `resting`.
    pub fn rest_time(&self, most: f32, resting: f32) -> f32 {
        ((self.rate + resting) / most).max(0.0)
    }
}

/// Two shapes at one time.
pub(super) struct Sight<'a> {
    paths: (&'a FlightPath, &'a FlightPath),
    a: CoreAt,
    b: CoreAt,
    /// The sum of the radii.
    reach: f32,
    first: NearPoint,
    second: Option<NearPoint>,
    end_gaps: SmallVec<[EndGap; 4]>,
}

/// A point at which two shapes are nearest.
#[derive(Clone, Copy)]
pub(super) struct NearPoint {
    /// Unit vector from b to a.
    pub normal: Vec3,
    /// In m.
    pub gap: f32,
    /// Its derivative in m/s.
    pub rate: f32,
    /// The end of the capsule that the point is at, 0 or 1.
    pub end: usize,
    /// Places on the cores, −1 to 1.
    at: (f32, f32),
}

impl<'a> Sight<'a> {
    /// The shapes on their paths at `s` seconds into the substep.
    #[inline]
    pub fn of(path_a: &'a FlightPath, path_b: &'a FlightPath, s: f32) -> Self {
        let paths = (path_a, path_b);
        let (a, b) = (path_a.core_at(s), path_b.core_at(s));
        let reach = path_a.shape.radius() + path_b.shape.radius();
        match (path_a.shape, path_b.shape) {
            (_, Shape::Plane) => Self::on_plane(paths, (a, b), (path_b, 1.0), s),
            (Shape::Plane, _) => Self::on_plane(paths, (a, b), (path_a, -1.0), s),
            _ => Self::of_rounds(paths, (a, b), reach),
        }
    }

    fn of_rounds(
        paths: (&'a FlightPath, &'a FlightPath),
        (a, b): (CoreAt, CoreAt),
        reach: f32,
    ) -> Self {
        let (d, v) = (a.x - b.x, a.v - b.v);
        let (s, t) = closest_segment_points(d, a.half, Vec3::ZERO, b.half);
        let is_longer = paths.0.half_length > 0.0;
        let point = |(s, t): (f32, f32), fallback: Vec3| {
            let c = d + a.half * s - b.half * t;
            let normal = c.try_normalize().unwrap_or(fallback);
            NearPoint {
                normal,
                gap: c.length() - reach,
                rate: normal.dot(v + a.rate * s - b.rate * t),
                end: usize::from(if is_longer { s } else { t } > 0.0),
                at: (s, t),
            }
        };
        let fallback = || match (is_longer, paths.1.half_length > 0.0) {
            (true, true) => across(a.half),
            (true, false) => -across(a.half),
            (false, true) => across(b.half),
            (false, false) => Vec3::Y,
        };
        let nearest = point((s, t), Vec3::ZERO);
        let nearest = match nearest.normal == Vec3::ZERO {
            true => point((s, t), fallback()),
            false => nearest,
        };
        let (mut first, mut second) = (nearest, None);
        let (aa, bb) = (a.half.length_squared(), b.half.length_squared());
        let sine_squared = a.half.cross(b.half).length_squared();
        if aa > 0.0 && bb > 0.0 && sine_squared <= PARALLEL_SINE * PARALLEL_SINE * aa * bb {
            // The part of a that lies beside b, from the ends of b projected on a's axis.
            let end = |sign: f32| (b.half * sign - d).dot(a.half) / aa;
            let (one, other) = (end(-1.0), end(1.0));
            let low = one.min(other).clamp(-1.0, 1.0);
            let high = one.max(other).clamp(-1.0, 1.0);
            if (high - low) * aa.sqrt() >= SIDE_BY_SIDE * reach {
                let on_b = |s: f32| ((d + a.half * s).dot(b.half) / bb).clamp(-1.0, 1.0);
                first = point((low, on_b(low)), nearest.normal);
                second = Some(point((high, on_b(high)), nearest.normal));
            }
        }
        let n = nearer(&first, second.as_ref()).normal;
        let (base, v_n) = (n.dot(d) - reach, n.dot(v));
        let (e_a, e_b) = (n.dot(a.half), n.dot(b.half));
        let (r_a, r_b) = (n.dot(a.rate), n.dot(b.rate));
        let end_gap = |i: f32, j: f32| EndGap {
            gap: base + e_a * i - e_b * j,
            rate: v_n + r_a * i - r_b * j,
        };
        // A ball has one end.
        let mut end_gaps = SmallVec::new();
        let signs = |length: f32| {
            if length > 0.0 {
                &[1.0, -1.0][..]
            } else {
                &[1.0][..]
            }
        };
        for &i in signs(aa) {
            for &j in signs(bb) {
                end_gaps.push(end_gap(i, j));
            }
        }
        Self {
            paths,
            a,
            b,
            reach,
            first,
            second,
            end_gaps,
        }
    }

    /// `sign` is 1 if the plane is b, −1 if it is a.
    fn on_plane(
        paths: (&'a FlightPath, &'a FlightPath),
        (a, b): (CoreAt, CoreAt),
        (plane, sign): (&FlightPath, f32),
        s: f32,
    ) -> Self {
        let (path, core) = if sign > 0.0 {
            (paths.0, a)
        } else {
            (paths.1, b)
        };
        let radius = path.shape.radius();
        let plane = plane.at(s);
        let point = |end: f32| {
            let arm = core.x + core.half * end - plane.x;
            let velocity = core.v + core.rate * end - plane.v - plane.w.cross(arm);
            NearPoint {
                normal: plane.axis * sign,
                gap: plane.axis.dot(arm) - radius,
                rate: plane.axis.dot(velocity),
                end: usize::from(end > 0.0),
                at: (end, end),
            }
        };
        let has_length = path.half_length > 0.0;
        let (first, second) = match has_length {
            true => (point(-1.0), Some(point(1.0))),
            false => (point(0.0), None),
        };
        let gaps = [Some(first), second].into_iter().flatten();
        let end_gaps = gaps.map(|point| EndGap {
            gap: point.gap,
            rate: point.rate,
        });
        Self {
            paths,
            a,
            b,
            reach: radius,
            first,
            second,
            end_gaps: end_gaps.collect(),
        }
    }

    /// The points at which they are nearest: one, or one at each end of what lies side by side.
    pub fn points(&self) -> impl Iterator<Item = &NearPoint> {
        std::iter::once(&self.first).chain(&self.second)
    }

    /// The nearest of all.
    pub fn nearest(&self) -> &NearPoint {
        nearer(&self.first, self.second.as_ref())
    }

    /// The gaps between the ends of two cores along the nearest point's normal. While all are open, nothing meets: the shapes are
    /// convex, and the normal separates them.
    pub fn end_gaps(&self) -> &[EndGap] {
        &self.end_gaps
    }

    /// Time in which two cores that cross cannot approach faster than `resting`, if their nearest points lie inside both; zero if these
    /// may be ends.
    ///
    /// Points that stay on the cores approach along the normal with an acceleration of at most `most`, if the normal stays. The bodies
    /// have the relative acceleration `fall`. The nearest points slide along the cores with no more than u/sin φ, where no point is
    /// faster than u. So they pass points that have another speed by the cores' rotation. The normal turns by no more than u/|d|.
    pub fn crossing_rest_time(&self, (most, fall, h): (f32, f32, f32), resting: f32) -> f32 {
        let (a, b) = self.paths;
        let nearest = self.nearest();
        let turning = (a.turning_speed() + b.turning_speed()) * h;
        let is_point = |path: &FlightPath| path.half_length == 0.0;
        let sine = if is_point(a) || is_point(b) {
            1.0
        } else {
            self.a.half.cross(self.b.half).length() / (a.half_length * b.half_length)
        };
        let sine = sine - turning;
        if sine < LEAST_SINE {
            return 0.0;
        }
        let speed = (self.a.v - self.b.v).length() + fall * h + a.end_speed() + b.end_speed();
        let sliding = speed / sine;
        let distance = self.reach + nearest.gap;
        let turned = (speed * h / distance).min(1.0);
        let mut most = most + fall * turned + speed * speed / distance;
        let mut inside = f32::INFINITY;
        for (path, at) in [(a, nearest.at.0), (b, nearest.at.1)] {
            if !is_point(path) {
                most += path.end_speed() / path.half_length * sliding;
                inside = inside.min((1.0 - at.abs()) * path.half_length / sliding);
            }
        }
        ((nearest.rate + resting) / most).min(inside).max(0.0)
    }
}

/// Of two points that are as near, the second.
fn nearer<'a>(first: &'a NearPoint, second: Option<&'a NearPoint>) -> &'a NearPoint {
    second
        .filter(|second| second.gap <= first.gap)
        .unwrap_or(first)
}
