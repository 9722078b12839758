//! Curves in the plane of the playfield, and the solids and sheets that they bound.
//!
//! A point is (x, z) in m: x to the right, z to the player. Walking along a curve, its normal points to the right.

use std::f32::consts::TAU;

use bevy::{
    asset::RenderAssetUsages,
    math::Vec2,
    mesh::{Indices, Mesh, PrimitiveTopology},
    prelude::*,
};

/// Largest angle in rad between two neighbouring points of an arc. The surfaces between them are curved, so it may be coarse.
const ARC_STEP: f32 = 0.2;
/// Largest distance in m between two neighbouring points of a line.
const LINE_STEP: f32 = 0.012;

/// A point of a curve.
#[derive(Clone, Copy, Debug)]
pub struct Station {
    /// Where it is.
    pub at: Vec2,
    /// Unit normal, to the right of the direction of travel.
    pub normal: Vec2,
    /// Length of the curve up to here, in m.
    pub along: f32,
}

/// A smooth curve of lines and arcs, drawn as with a pen.
#[derive(Clone, Debug)]
pub struct Path {
    at: Vec2,
    length: f32,
    stations: Vec<Station>,
}

impl Path {
    /// Sets the pen down.
    pub fn start(at: Vec2) -> Self {
        Self {
            at,
            length: 0.0,
            stations: Vec::new(),
        }
    }

    fn pass(&mut self, at: Vec2, normal: Vec2, along: f32) {
        self.stations.push(Station { at, normal, along });
    }

    /// A straight line to a point.
    pub fn line(mut self, to: Vec2) -> Self {
        let (from, start) = (self.at, self.length);
        let way = to - from;
        let normal = way.normalize_or_zero().perp();
        let parts = (way.length() / LINE_STEP).ceil().max(1.0) as u32;
        for part in 0..=parts {
            let t = part as f32 / parts as f32;
            self.pass(from.lerp(to, t), normal, start + t * way.length());
        }
        (self.at, self.length) = (to, start + way.length());
        self
    }

    /// A circular arc about a point, by an angle in rad: positive to the right.
    pub fn arc(mut self, centre: Vec2, angle: f32) -> Self {
        let (radius, start) = (self.at - centre, self.length);
        let length = angle.abs() * radius.length();
        let parts = (angle.abs() / ARC_STEP).ceil().max(1.0) as u32;
        for part in 0..=parts {
            let t = part as f32 / parts as f32;
            let to = Vec2::from_angle(t * angle).rotate(radius);
            let normal = -angle.signum() * to.normalize_or_zero();
            self.pass(centre + to, normal, start + t * length);
        }
        self.at = centre + Vec2::from_angle(angle).rotate(radius);
        self.length = start + length;
        self
    }

    /// Its points in order.
    pub fn stations(&self) -> &[Station] {
        &self.stations
    }

    /// Its length in m.
    pub fn length(&self) -> f32 {
        self.length
    }

    /// The sheet over it between two heights in m. It faces to the right of the path.
    pub fn sheet(&self, bottom: f32, top: f32) -> Mesh {
        let mut surface = Surface::default();
        surface.sides(&self.stations, bottom, top);
        surface.mesh()
    }

    /// The road along it: a strip of this half width in m, at the height in m that `profile` gives at each length of the path,
    /// together with the slope dh/ds. It faces up.
    pub fn road(&self, half: f32, profile: impl Fn(f32) -> (f32, f32)) -> Mesh {
        let mut surface = Surface::default();
        let edge = |station: &Station, side: f32| {
            let (height, slope) = profile(station.along);
            let at = station.at + side * half * station.normal;
            // The direction of travel is the normal turned left by a quarter.
            let ahead = -station.normal.perp();
            let normal = Vec3::new(-slope * ahead.x, 1.0, -slope * ahead.y).normalize();
            (Vec3::new(at.x, height, at.y), normal)
        };
        for pair in self.stations.windows(2) {
            let [from, to] = [&pair[0], &pair[1]];
            if from.along < to.along {
                surface.quad([
                    edge(from, 1.0),
                    edge(to, 1.0),
                    edge(to, -1.0),
                    edge(from, -1.0),
                ]);
            }
        }
        surface.mesh()
    }
}

/// The closed rim of a solid. The solid is on the left of the rim: from above the rim runs counter-clockwise.
#[derive(Clone, Debug)]
pub struct Outline {
    rim: Vec<Station>,
    /// Triangles that fill it, counter-clockwise as seen from above.
    filling: Vec<[Vec2; 3]>,
}

impl Outline {
    /// The convex hull of circles (centre, radius in m) that lie around it in counter-clockwise order.
    pub fn hull(circles: &[(Vec2, f32)]) -> Self {
        let count = circles.len();
        // The common tangent of two neighbouring circles has the normal n with n·t = (r₁ − r₂)/d.
        let tangent = |i: usize| {
            let ((a, r_a), (b, r_b)) = (circles[i % count], circles[(i + 1) % count]);
            let way = b - a;
            let along = (r_a - r_b) / way.length();
            let t = way.normalize_or_zero();
            along * t + (1.0 - along * along).max(0.0).sqrt() * t.perp()
        };
        let mut path = Path::start(circles[0].0 + circles[0].1 * tangent(0));
        for i in 0..count {
            let (centre, radius) = circles[(i + 1) % count];
            let (before, after) = (tangent(i), tangent(i + 1));
            let left = (-before.angle_to(after)).rem_euclid(TAU);
            path = path.line(centre + radius * before).arc(centre, -left);
        }
        let middle = circles.iter().map(|circle| circle.0).sum::<Vec2>() / count as f32;
        let rim = closed(path.stations);
        let filling = rim.windows(2).map(|pair| [middle, pair[0].at, pair[1].at]);
        Self {
            filling: filling.collect(),
            rim,
        }
    }

    /// A bar of this half width in m between two points, with round ends.
    pub fn bar(a: Vec2, b: Vec2, half: f32) -> Self {
        Self::hull(&[(a, half), (b, half)])
    }

    /// A band of this half width in m along a path, with round ends.
    pub fn band(path: &Path, half: f32) -> Self {
        use std::f32::consts::PI;
        let stations = &path.stations;
        let (first, last) = (stations[0], stations[stations.len() - 1]);
        let shifted = |station: &Station, side: f32| Station {
            at: station.at + side * half * station.normal,
            normal: side * station.normal,
            ..*station
        };
        let cap = |end: Station, side: f32| {
            let start = end.at + side * half * end.normal;
            Path::start(start).arc(end.at, -PI).stations
        };
        let mut rim: Vec<Station> = stations.iter().map(|s| shifted(s, 1.0)).collect();
        rim.extend(cap(last, 1.0));
        let turn = rim.len();
        rim.extend(stations.iter().rev().map(|s| shifted(s, -1.0)));
        rim.extend(cap(first, -1.0));
        let rim = closed(rim);
        let count = stations.len();
        let (right, front) = rim[..turn].split_at(count);
        let (left, back) = rim[turn..].split_at(count);
        let mut filling = Vec::new();
        for i in 1..count {
            let [a, b] = [right[i - 1].at, right[i].at];
            let [c, d] = [left[count - 1 - i].at, left[count - i].at];
            filling.extend([[a, b, c], [a, c, d]]);
        }
        for cap in [front, back] {
            let fan = cap
                .windows(2)
                .map(|pair| [cap[0].at, pair[0].at, pair[1].at]);
            filling.extend(fan);
        }
        Self { rim, filling }
    }

    /// The solid over it between two heights in m.
    pub fn prism(&self, bottom: f32, top: f32) -> Mesh {
        let mut surface = Surface::default();
        surface.sides(&self.rim, bottom, top);
        for &[a, b, c] in &self.filling {
            let at = |p: Vec2, height: f32| Vec3::new(p.x, height, p.y);
            surface.triangle([a, b, c].map(|p| (at(p, top), Vec3::Y)));
            surface.triangle([a, c, b].map(|p| (at(p, bottom), Vec3::NEG_Y)));
        }
        surface.mesh()
    }
}

/// The stations of a rim that ends where it begins, with one place for stations that differ by rounding only: the solid over it
/// has no gap.
fn closed(mut rim: Vec<Station>) -> Vec<Station> {
    const ROUNDING: f32 = 1e-6;
    for i in 1..rim.len() {
        if rim[i].at.distance(rim[i - 1].at) < ROUNDING {
            rim[i].at = rim[i - 1].at;
        }
    }
    let first = rim[0].at;
    for station in rim.iter_mut().rev() {
        if station.at.distance(first) > ROUNDING {
            break;
        }
        station.at = first;
    }
    rim
}

/// Triangles with a normal at each corner.
#[derive(Default)]
struct Surface {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
}

impl Surface {
    /// Corners counter-clockwise as seen from outside.
    fn triangle(&mut self, corners: [(Vec3, Vec3); 3]) {
        let [a, b, c] = corners.map(|corner| corner.0);
        // A curve has two stations where a line meets an arc: no area is between them.
        if (b - a).cross(c - a).length_squared() > 1e-18 {
            self.positions.extend([a, b, c]);
            self.normals.extend(corners.map(|corner| corner.1));
        }
    }

    fn quad(&mut self, [a, b, c, d]: [(Vec3, Vec3); 4]) {
        self.triangle([a, b, c]);
        self.triangle([a, c, d]);
    }

    /// The sides over a rim.
    fn sides(&mut self, rim: &[Station], bottom: f32, top: f32) {
        let corner = |station: &Station, height: f32| {
            let Station { at, normal, .. } = station;
            (
                Vec3::new(at.x, height, at.y),
                Vec3::new(normal.x, 0.0, normal.y),
            )
        };
        for pair in rim.windows(2) {
            let [from, to] = [&pair[0], &pair[1]];
            if from.at.distance(to.at) > 1e-6 {
                self.quad([
                    corner(from, bottom),
                    corner(to, bottom),
                    corner(to, top),
                    corner(from, top),
                ]);
            }
        }
    }

    fn mesh(self) -> Mesh {
        let uvs: Vec<Vec2> = self.positions.iter().map(|at| at.xz()).collect();
        let indices = (0..self.positions.len() as u32).collect();
        Mesh::new(
            PrimitiveTopology::TriangleList,
            RenderAssetUsages::default(),
        )
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, self.normals)
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, uvs)
        .with_inserted_indices(Indices::U32(indices))
    }
}

#[cfg(test)]
mod tests {
    use bevy_impulse_collide::prelude::*;

    use super::super::{Side, measures::*};
    use super::*;

    /// An open mesh is a problem of a solid collider.
    #[test]
    fn every_solid_is_closed() {
        let mut outlines = vec![
            ramp::outer_wall(),
            Outline::hull(&ramp::island()),
            Outline::hull(&WEDGE.map(|corner| (corner, RAIL))),
            Outline::bar(BANK[0], BANK[1], RAIL),
            Outline::bar(GATE[0], GATE[1], RAIL),
        ];
        for side in Side::BOTH {
            outlines.push(flipper::outline(side));
            let [end, bend, top] = inlane_guide(side);
            outlines.extend([Outline::bar(end, bend, RAIL), Outline::bar(bend, top, RAIL)]);
        }
        for outline in outlines {
            let solid = Collider::smooth_from_mesh(&outline.prism(0.0, 0.1), MeshSides::Solid);
            assert_eq!(solid.problems(), &[], "{outline:?}");
        }
    }

    /// A hull of circles has the area of the polygon of its centres, a strip along each side, and a whole circle.
    #[test]
    fn a_hull_has_the_area_of_its_parts() {
        let (radius, width, height) = (0.01, 0.2, 0.1);
        let corners = [(0.0, 0.0), (0.0, height), (width, height), (width, 0.0)];
        let hull = Outline::hull(&corners.map(|(x, z)| (Vec2::new(x, z), radius)));
        let area = |[a, b, c]: [Vec2; 3]| -0.5 * (b - a).perp_dot(c - a);
        let found: f32 = hull.filling.iter().map(|&triangle| area(triangle)).sum();
        let expected = width * height
            + 2.0 * radius * (width + height)
            + std::f32::consts::PI * radius * radius;
        assert!(
            (found / expected - 1.0).abs() < 1e-3,
            "{found} not {expected}"
        );
    }
}
