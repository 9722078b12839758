//! The point of a triangle that is nearest to a point.

use glam::DVec3;

/// The part of a triangle on which a point lies. Edge `k` leads from vertex `k` to the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Region {
    Face,
    Edge(usize),
    Vertex(usize),
}

/// The point of the triangle (0, `b`, `c`) that is nearest to `p`, and the part on which it lies.
///
/// In f64: near an edge of a long triangle, the products of `f32` would find neither the face nor a normal of the edge, and a ball
/// would fall through between two triangles.
///
/// Source: C. Ericson, Real-Time Collision Detection (2005), 5.1.5.
pub(super) fn closest_on_triangle(p: DVec3, b: DVec3, c: DVec3) -> (DVec3, Region) {
    let (d1, d2) = (b.dot(p), c.dot(p));
    if d1 <= 0.0 && d2 <= 0.0 {
        return (DVec3::ZERO, Region::Vertex(0));
    }
    let (d3, d4) = (b.dot(p - b), c.dot(p - b));
    if d3 >= 0.0 && d4 <= d3 {
        return (b, Region::Vertex(1));
    }
    let on_c = d1 * d4 - d3 * d2;
    if on_c <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return (b * (d1 / (d1 - d3)), Region::Edge(0));
    }
    let (d5, d6) = (b.dot(p - c), c.dot(p - c));
    if d6 >= 0.0 && d5 <= d6 {
        return (c, Region::Vertex(2));
    }
    let on_b = d5 * d2 - d1 * d6;
    if on_b <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return (c * (d2 / (d2 - d6)), Region::Edge(2));
    }
    let on_a = d3 * d6 - d5 * d4;
    if on_a <= 0.0 && d4 >= d3 && d5 >= d6 {
        let along = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return (b + (c - b) * along, Region::Edge(1));
    }
    let sum = on_a + on_b + on_c;
    (b * (on_b / sum) + c * (on_c / sum), Region::Face)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn vector() -> impl Strategy<Value = DVec3> {
        let axis = || -1.0..1.0f64;
        (axis(), axis(), axis()).prop_map(DVec3::from)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        /// No point of a grid on the triangle is nearer.
        #[test]
        fn no_other_point_is_nearer(p in vector(), b in vector(), c in vector()) {
            let area = b.cross(c).length();
            prop_assume!(area > 0.02 * b.length() * c.length());
            let (nearest, _) = closest_on_triangle(p, b, c);
            let distance = nearest.distance(p);
            for i in 0..=20 {
                for j in 0..=20 - i {
                    let q = b * (i as f64 / 20.0) + c * (j as f64 / 20.0);
                    prop_assert!(distance <= q.distance(p) + 1e-12);
                }
            }
        }

        /// The way from the nearest point is at right angles to the part on which the point lies.
        #[test]
        fn the_region_fits(p in vector(), b in vector(), c in vector()) {
            let area = b.cross(c).length();
            prop_assume!(area > 0.02 * b.length() * c.length());
            let corners = [DVec3::ZERO, b, c];
            let (nearest, region) = closest_on_triangle(p, b, c);
            let way = p - nearest;
            match region {
                Region::Vertex(k) => prop_assert_eq!(nearest, corners[k]),
                Region::Edge(k) => {
                    let edge = corners[(k + 1) % 3] - corners[k];
                    prop_assert!(way.dot(edge).abs() < 1e-10 * edge.length());
                }
                Region::Face => {
                    prop_assert!(way.dot(b).abs() < 1e-10);
                    prop_assert!(way.dot(c).abs() < 1e-10);
                }
            }
        }
    }
}
