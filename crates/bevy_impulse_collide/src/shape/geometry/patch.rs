//! The curved surface of a triangle with normals at its corners: a triangular Gregory patch.
//!
//! Source: D. J. Walton, D. S. Meek, A triangular G1 patch from boundary curves, Computer-Aided Design 28 (1996), 113–123. Two
//! patches that share an edge and its normals share the boundary curve and the tangent planes along it: the surface has no
//! crease.

use glam::{DVec2, DVec3};

/// Most steps of the search for the nearest point.
const MAX_STEPS: usize = 32;

/// Most halvings of a step.
const MAX_HALVINGS: usize = 8;

/// Distance from the rim, in barycentric coordinates, that is rounding.
const RIM: f64 = 1e-9;

/// Length of a step that is taken without a look at the distance: rounding hides so small a change of it.
const SURE: f64 = 1e-4;

/// Change of the barycentric coordinates at which the search ends.
const CONVERGED: f64 = 1e-10;

/// The same for a whole step of Newton's method: the error that it leaves is about the square of its length.
const CONVERGED_BY_NEWTON: f64 = 1e-5;

/// Determinant of the Hessian, over that of a flat patch, up to which it counts as zero.
const FLAT: f64 = 1e-3;

/// A patch of degree 4, in coordinates (v, w): corner 0 has (0, 0), corner 1 (1, 0), corner 2 (0, 1); u = 1 − v − w.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    /// Control points on the boundary, edge by edge: the corner where the edge starts, and three points along it.
    edges: [[DVec3; 4]; 3],
    /// Control points inside, two for each edge. The two next to a corner are blended.
    inner: [[DVec3; 2]; 3],
}

/// A point of a patch and the derivatives there.
#[derive(Clone, Copy, Debug)]
pub(super) struct PatchPoint {
    pub x: DVec3,
    pub by_v: DVec3,
    pub by_w: DVec3,
}

impl PatchPoint {
    /// Unit normal.
    pub fn normal(&self) -> DVec3 {
        self.by_v.cross(self.by_w).normalize_or_zero()
    }
}

/// The boundary of a patch along one edge, from a corner with one normal to a corner with another.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// Control points of the cubic curve.
    points: [DVec3; 4],
    /// Unit vectors across the curve, in the tangent planes: the control points of a quadratic.
    across: [DVec3; 3],
}

impl Edge {
    /// The cubic curve has tangents at right angles to the normals: section 3 of the source.
    fn new([start, end]: [DVec3; 2], [n_0, n_1]: [DVec3; 2]) -> Self {
        let d = end - start;
        let (a, a_0, a_1) = (n_0.dot(n_1), n_0.dot(d), n_1.dot(d));
        let rho = 6.0 * (2.0 * a_0 + a * a_1) / (4.0 - a * a);
        let sigma = 6.0 * (2.0 * a_1 + a * a_0) / (4.0 - a * a);
        let first = start + (6.0 * d - 2.0 * rho * n_0 + sigma * n_1) / 18.0;
        let second = end - (6.0 * d + rho * n_0 - 2.0 * sigma * n_1) / 18.0;
        let across_0 = n_0.cross(first - start).normalize_or_zero();
        let across_2 = n_1.cross(end - second).normalize_or_zero();
        Self {
            points: [start, first, second, end],
            across: [
                across_0,
                (across_0 + across_2).normalize_or_zero(),
                across_2,
            ],
        }
    }

    /// The differences of the control points: a third of the control points of the curve's derivative.
    fn steps(&self) -> [DVec3; 3] {
        [0, 1, 2].map(|k| self.points[k + 1] - self.points[k])
    }

    /// The first four of the five control points of the same curve in degree 4.
    fn raised(&self) -> [DVec3; 4] {
        let [a, b, c, d] = self.points;
        [a, (a + 3.0 * b) / 4.0, (b + c) / 2.0, (3.0 * c + d) / 4.0]
    }

    /// The two control points inside the patch next to this edge. `before` and `after` are the control points next to its corners
    /// on the two other edges.
    ///
    /// Along the edge, the derivative towards the opposite corner is 4·D(t), with D₀ = `before` − V₀ and D₃ = `after` − V₃. The
    /// patch has the tangent planes of the edge if D(t) = λ(t)·W(t) + μ(t)·A(t), with linear λ and μ: W are the steps, A is
    /// across.
    fn inner(&self, before: DVec3, after: DVec3) -> [DVec3; 2] {
        let ([w_0, w_1, w_2], [a_0, a_1, a_2]) = (self.steps(), self.across);
        let [start, first, second, end] = self.points;
        let (d_0, d_3) = (before - start, after - end);
        let along = |d: DVec3, w: DVec3| d.dot(w) / w.length_squared().max(f64::MIN_POSITIVE);
        let (l_0, l_1) = (along(d_0, w_0), along(d_3, w_2));
        let (m_0, m_1) = (d_0.dot(a_0), d_3.dot(a_2));
        [
            first + (2.0 * l_0 * w_1 + l_1 * w_0 + 2.0 * m_0 * a_1 + m_1 * a_0) / 3.0,
            second + (l_0 * w_2 + 2.0 * l_1 * w_1 + m_0 * a_2 + 2.0 * m_1 * a_1) / 3.0,
        ]
    }
}

impl Patch {
    /// The patch of a triangle with these corners and unit normals.
    pub fn new(corners: [DVec3; 3], normals: [DVec3; 3]) -> Self {
        let edges = [0, 1, 2].map(|k| {
            let next = (k + 1) % 3;
            Edge::new([corners[k], corners[next]], [normals[k], normals[next]])
        });
        let raised = edges.map(|edge| edge.raised());
        let inner = [0, 1, 2].map(|k| {
            let (before, after) = (raised[(k + 2) % 3][3], raised[(k + 1) % 3][1]);
            edges[k].inner(before, after)
        });
        Self {
            edges: raised,
            inner,
        }
    }

    /// All control points. The patch is in their convex hull.
    pub fn control_points(&self) -> impl Iterator<Item = DVec3> {
        let inner = self.inner.into_iter().flatten();
        self.edges.into_iter().flatten().chain(inner)
    }

    /// The point at coordinates (v, w).
    pub fn at(&self, v: f64, w: f64) -> PatchPoint {
        let u = 1.0 - v - w;
        let mut point = PatchPoint {
            x: DVec3::ZERO,
            by_v: DVec3::ZERO,
            by_w: DVec3::ZERO,
        };
        // On the edge from corner i to corner j, with coordinates p and q.
        for (edge, [p, q], [dp, dq]) in [
            (self.edges[0], [u, v], [[-1.0, -1.0], [1.0, 0.0]]),
            (self.edges[1], [v, w], [[1.0, 0.0], [0.0, 1.0]]),
            (self.edges[2], [w, u], [[0.0, 1.0], [-1.0, -1.0]]),
        ] {
            let [a, b, c, d] = edge;
            // p⁴·a + 4·p³q·b + 6·p²q²·c + 4·p·q³·d
            let (pp, qq) = (p * p, q * q);
            point.x +=
                pp * pp * a + 4.0 * pp * p * q * b + 6.0 * pp * qq * c + 4.0 * p * qq * q * d;
            let by_p = 4.0 * (pp * p * a + 3.0 * pp * q * b + 3.0 * p * qq * c + qq * q * d);
            let by_q = 4.0 * (pp * p * b + 3.0 * pp * q * c + 3.0 * p * qq * d);
            point.by_v += by_p * dp[0] + by_q * dq[0];
            point.by_w += by_p * dp[1] + by_q * dq[1];
        }
        // Next to the corner with coordinate p, of which the edges lead to the corners with q and with r: 12·p²·q·r·blend.
        for (corner, [p, q, r], [dp, dq, dr]) in [
            (0, [u, v, w], [[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]]),
            (1, [v, w, u], [[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]),
            (2, [w, u, v], [[0.0, 1.0], [-1.0, -1.0], [1.0, 0.0]]),
        ] {
            let one = self.inner[corner][0];
            let other = self.inner[(corner + 2) % 3][1];
            let sum = (q + r).max(1e-12);
            let blend = (q * one + r * other) / sum;
            let factor = 12.0 * p * p * q * r;
            point.x += factor * blend;
            let (by_p, by_q, by_r) = (24.0 * p * q * r, 12.0 * p * p * r, 12.0 * p * p * q);
            for (k, by) in [(0, &mut point.by_v), (1, &mut point.by_w)] {
                *by += (by_p * dp[k] + by_q * dq[k] + by_r * dr[k]) * blend;
                *by += factor * ((one - blend) * dq[k] + (other - blend) * dr[k]) / sum;
            }
        }
        point
    }

    /// The second derivatives at coordinates (v, w): twice by v, by v and w, twice by w.
    fn bends(&self, v: f64, w: f64) -> [DVec3; 3] {
        let u = 1.0 - v - w;
        let mut bends = [DVec3::ZERO; 3];
        for (edge, [p, q], [dp, dq]) in [
            (self.edges[0], [u, v], [[-1.0, -1.0], [1.0, 0.0]]),
            (self.edges[1], [v, w], [[1.0, 0.0], [0.0, 1.0]]),
            (self.edges[2], [w, u], [[0.0, 1.0], [-1.0, -1.0]]),
        ] {
            let [a, b, c, d] = edge;
            let (pp, pq, qq) = (p * p, p * q, q * q);
            let by_pp = 12.0 * (pp * a + 2.0 * pq * b + qq * c);
            let by_pq = 12.0 * (pp * b + 2.0 * pq * c + qq * d);
            let by_qq = 12.0 * (pp * c + 2.0 * pq * d);
            for (bend, i, j) in bend_axes(&mut bends) {
                *bend += by_pp * (dp[i] * dp[j])
                    + by_pq * (dp[i] * dq[j] + dq[i] * dp[j])
                    + by_qq * (dq[i] * dq[j]);
            }
        }
        // 12·p²·F(q, r) with F = one·q²r/(q + r) + other·q·r²/(q + r).
        for (corner, [p, q, r], [dp, dq, dr]) in [
            (0, [u, v, w], [[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]]),
            (1, [v, w, u], [[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]),
            (2, [w, u, v], [[0.0, 1.0], [-1.0, -1.0], [1.0, 0.0]]),
        ] {
            let one = self.inner[corner][0];
            let other = self.inner[(corner + 2) % 3][1];
            let sum = (q + r).max(1e-12);
            let (a, b) = (q / sum, r / sum);
            let f = q * r * (a * one + b * other);
            let by_q = (q * b * (1.0 + b)) * one + (r * b * b) * other;
            let by_r = (q * a * a) * one + (r * a * (1.0 + a)) * other;
            let by_qq = 2.0 * b * b * b * (one - other);
            let by_rr = 2.0 * a * a * a * (other - one);
            let by_qr = (a * a * (a + 3.0 * b)) * one + (b * b * (b + 3.0 * a)) * other;
            for (bend, i, j) in bend_axes(&mut bends) {
                *bend += 24.0 * f * (dp[i] * dp[j])
                    + 24.0 * p * by_q * (dp[i] * dq[j] + dq[i] * dp[j])
                    + 24.0 * p * by_r * (dp[i] * dr[j] + dr[i] * dp[j])
                    + 12.0
                        * p
                        * p
                        * (by_qq * (dq[i] * dq[j])
                            + by_qr * (dq[i] * dr[j] + dr[i] * dq[j])
                            + by_rr * (dr[i] * dr[j]));
            }
        }
        bends
    }

    /// The point that is nearest to `x`, with its coordinates, from a start near it: by Newton's method, on the patch or along its
    /// edges.
    pub fn nearest(&self, x: DVec3, start: DVec2) -> (DVec2, PatchPoint) {
        let mut at = on_rim(start);
        let mut point = self.at(at.x, at.y);
        for _ in 0..MAX_STEPS {
            let (mut step, is_newton) = step(x, at, &point, &self.bends(at.x, at.y));
            // On a patch that is strongly bent, a whole step may lead too far.
            let before = point.x.distance_squared(x);
            let (mut next, mut next_point) = (at, point);
            for _ in 0..MAX_HALVINGS {
                next = on_rim(at + step);
                next_point = self.at(next.x, next.y);
                let is_nearer = next_point.x.distance_squared(x) <= before;
                if is_nearer || step.length_squared() < SURE * SURE {
                    break;
                }
                step *= 0.5;
            }
            (at, point) = (next, next_point);
            let converged = match is_newton {
                true => CONVERGED_BY_NEWTON,
                false => CONVERGED,
            };
            if step.length_squared() < converged * converged {
                break;
            }
        }
        (at, point)
    }
}

/// The second derivatives, each with the numbers of its two coordinates.
fn bend_axes(bends: &mut [DVec3; 3]) -> [(&mut DVec3, usize, usize); 3] {
    let [vv, vw, ww] = bends;
    [(vv, 0, 0), (vw, 0, 1), (ww, 1, 1)]
}

/// The next step of the search for the point that is nearest to `x`, from a `point` of a patch with these second derivatives. Its
/// end is on the patch. Also tells whether it is a whole step of Newton's method.
///
/// Half of the squared distance has the gradient −g and the Hessian by_i·by_j − away·bend_ij. Without the second term, each step
/// would leave the part away·bend of the error: half of it, where a ball lies in a channel twice as wide as the ball.
fn step(x: DVec3, at: DVec2, point: &PatchPoint, bends: &[DVec3; 3]) -> (DVec2, bool) {
    let (by_v, by_w, away) = (point.by_v, point.by_w, x - point.x);
    let squares = [by_v.dot(by_v), by_v.dot(by_w), by_w.dot(by_w)];
    let hessian = [0, 1, 2].map(|k| squares[k] - away.dot(bends[k]));
    let determinant_of = |[vv, vw, ww]: [f64; 3]| vv * ww - vw * vw;
    // Where the Hessian is not positive, the way without the second term still leads down.
    let is_convex = hessian[0] > 0.0 && determinant_of(hessian) > FLAT * determinant_of(squares);
    let matrix = if is_convex { hessian } else { squares };
    let [vv, vw, ww] = matrix;
    let (g_v, g_w) = (by_v.dot(away), by_w.dot(away));
    let free = DVec2::new(ww * g_v - vw * g_w, vv * g_w - vw * g_v) / determinant_of(matrix);
    if let Some((step, is_whole)) = inside(at, free) {
        return (step, is_whole && is_convex);
    }
    let slide = (g_v - g_w) / (vv - 2.0 * vw + ww);
    let edges = [
        (at.y <= 0.0, DVec2::new(g_v / vv, 0.0)),
        (at.x <= 0.0, DVec2::new(0.0, g_w / ww)),
        (at.x + at.y >= 1.0, DVec2::new(slide, -slide)),
    ];
    let on_edges = edges.into_iter().filter(|(is_there, _)| *is_there);
    let steps = on_edges.filter_map(|(_, step)| inside(at, step));
    let gain = |(step, _): &(DVec2, bool)| step.x * g_v + step.y * g_w;
    let (step, is_whole) = steps
        .max_by(|one, other| gain(one).total_cmp(&gain(other)))
        .unwrap_or_default();
    (step, is_whole && is_convex)
}

/// A point of the triangle; on its rim, if it is there up to rounding.
fn on_rim(at: DVec2) -> DVec2 {
    let snapped = |coordinate: f64| if coordinate < RIM { 0.0 } else { coordinate };
    let (v, w) = (snapped(at.x), snapped(at.y));
    if v + w > 1.0 - RIM {
        // 1 − v has no rounding error for v from 1/2 on: v + w is 1 exactly.
        return match v > w {
            true => DVec2::new(v.min(1.0), 1.0 - v.min(1.0)),
            false => DVec2::new(1.0 - w.min(1.0), w.min(1.0)),
        };
    }
    DVec2::new(v, w)
}

/// The part of a step that stays on the triangle, and whether it is all of it; none if the step leads out at once.
fn inside(at: DVec2, step: DVec2) -> Option<(DVec2, bool)> {
    let room = |coordinate: f64, change: f64| match change < 0.0 {
        true => (coordinate / -change).min(1.0),
        false => 1.0,
    };
    let rest = 1.0 - at.x - at.y;
    let part = room(at.x, step.x)
        .min(room(at.y, step.y))
        .min(room(rest.max(0.0), -step.x - step.y));
    let is_still = step.length_squared() < CONVERGED * CONVERGED;
    (step.is_finite() && (part > 1e-12 || is_still)).then(|| (step * part, part == 1.0))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn vector() -> impl Strategy<Value = DVec3> {
        let axis = || -1.0..1.0f64;
        (axis(), axis(), axis()).prop_map(DVec3::from)
    }

    /// Corners about (0, 0), (1, 0), (0, 1) and their mirror image beyond the edge from 1 to 2, and normals that are mostly up.
    fn two_patches(bend: f64) -> impl Strategy<Value = [Patch; 2]> {
        let normal = move || vector().prop_map(move |v| (DVec3::Z + bend * v).normalize());
        let shake = || vector().prop_map(|v| 0.15 * v);
        let four = || {
            (
                [shake(), shake(), shake(), shake()],
                [normal(), normal(), normal(), normal()],
            )
        };
        four().prop_map(|(shakes, n)| {
            let flat = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::X + DVec3::Y];
            let [a, b, c, d] = [0, 1, 2, 3].map(|k| flat[k] + shakes[k]);
            [
                Patch::new([a, b, c], [n[0], n[1], n[2]]),
                Patch::new([c, b, d], [n[2], n[1], n[3]]),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]

        /// Two patches have the same points and the same tangent planes along their common edge.
        #[test]
        fn there_is_no_crease([one, other] in two_patches(0.5), t in 0.0..1.0f64) {
            let (p, q) = (one.at(1.0 - t, t), other.at(1.0 - t, 0.0));
            prop_assert!(p.x.distance(q.x) < 1e-12);
            prop_assert!(p.normal().cross(q.normal()).length() < 1e-6, "{} {}", p.normal(), q.normal());
        }

        #[test]
        fn derivatives_are_those_of_the_points([one, _] in two_patches(0.5), v in 0.05..0.4f64, w in 0.05..0.4f64) {
            let e = 1e-6;
            let point = one.at(v, w);
            let by_v = (one.at(v + e, w).x - one.at(v - e, w).x) / (2.0 * e);
            let by_w = (one.at(v, w + e).x - one.at(v, w - e).x) / (2.0 * e);
            prop_assert!(point.by_v.distance(by_v) < 1e-6);
            prop_assert!(point.by_w.distance(by_w) < 1e-6);
            let [vv, vw, ww] = one.bends(v, w);
            let (right, left) = (one.at(v + e, w), one.at(v - e, w));
            let (up, down) = (one.at(v, w + e), one.at(v, w - e));
            prop_assert!(vv.distance((right.by_v - left.by_v) / (2.0 * e)) < 1e-6);
            prop_assert!(vw.distance((right.by_w - left.by_w) / (2.0 * e)) < 1e-6);
            prop_assert!(ww.distance((up.by_w - down.by_w) / (2.0 * e)) < 1e-6);
        }

        /// The corners have the normals that were asked for.
        #[test]
        fn corners_have_their_normals(n in [vector(), vector(), vector()]) {
            let n = n.map(|n| (DVec3::Z + 0.5 * n).normalize());
            let patch = Patch::new([DVec3::ZERO, DVec3::X, DVec3::Y], n);
            for (k, (v, w)) in [(1e-7, 1e-7), (1.0 - 2e-7, 1e-7), (1e-7, 1.0 - 2e-7)].into_iter().enumerate() {
                prop_assert!(patch.at(v, w).normal().cross(n[k]).length() < 1e-4);
            }
        }

        /// No point of a grid around the nearest point is nearer. A patch that is bent may have another such point far away.
        #[test]
        fn no_point_beside_it_is_nearer(
            [one, _] in two_patches(0.2),
            x in vector(),
            out in vector(),
            height in -0.05..0.05f64,
        ) {
            let near = one.at(x.x.abs() * 0.5, x.y.abs() * 0.5);
            // Many of these points are beside the patch.
            let x = near.x + near.normal() * height + 0.1 * DVec3::new(out.x, out.y, 0.0);
            let start = DVec2::new(x.x, x.y).clamp(DVec2::ZERO, DVec2::ONE);
            let (nearest, point) = one.nearest(x, start / (start.x + start.y).max(1.0));
            let distance = point.x.distance(x);
            for i in 0..=20 {
                for j in 0..=20 - i {
                    let at = DVec2::new(f64::from(i), f64::from(j)) / 20.0;
                    let other = one.at(at.x, at.y).x.distance(x);
                    let is_beside = at.distance(nearest) < 0.1;
                    prop_assert!(!is_beside || distance <= other + 1e-6, "{distance} {other}");
                }
            }
        }

        /// A patch of a cylinder is the cylinder, to the fourth order of its angle.
        #[test]
        fn a_cylinder_stays_round(angle in 0.01..0.4f64, length in 0.1..2.0f64, v in 0.0..0.5f64, w in 0.0..0.5f64) {
            let on = |angle: f64, z: f64| DVec3::new(angle.sin(), angle.cos(), z);
            let normal = |x: DVec3| DVec3::new(x.x, x.y, 0.0);
            let corners = [on(0.0, 0.0), on(angle, 0.0), on(angle, length)];
            let x = Patch::new(corners, corners.map(normal)).at(v, w).x;
            let error = (normal(x).length() - 1.0).abs();
            prop_assert!(error < 0.01 * angle.powi(4), "{error}");
        }
    }
}
