//! The points at which a core is nearest to one part of a surface: a triangle or a line segment.

use glam::{DVec3, Vec3};
use smallvec::SmallVec;

use super::{
    core::Core,
    surface::{Geometry, Part},
    triangle::{Region, closest_on_triangle},
};
use crate::kernel::closest_segment_points;

/// Distance, as a fraction of the radius, below which the way between two points has no direction.
const NO_WAY: f32 = 1e-5;

/// Sine of the angle to a face's normal under which a way from the edge counts as the normal: the way has more rounding errors.
const FLAT: f32 = 3e-4;

/// A point of a core that is nearest to a part of a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest {
    /// Where on the core: −1 and 1 are its ends.
    pub t: f32,
    /// Unit vector from the surface to the core.
    pub normal: Vec3,
    /// Distance in m between the core and the surface; negative for a core behind a surface with one side.
    pub distance: f32,
    /// The place on the part.
    place: Place,
}

/// Where on the surface a nearest point lies.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// On a face, or within a line.
    Inside,
    /// On edge `k` of a triangle.
    Edge { triangle: usize, k: usize },
    Vertex(u32),
}

impl Nearest {
    /// Whether the core is behind a surface with one side.
    pub fn is_behind(&self) -> bool {
        self.distance < 0.0
    }

    /// Whether another part of the surface is nearer there: a contact would be a ghost.
    pub fn is_ghost(&self, of: &Geometry) -> bool {
        match self.place {
            Place::Inside => false,
            Place::Edge { triangle, k } => {
                let mut corners = of.triangles[triangle];
                corners.rotate_left(k);
                let edge = (triangle, k);
                !(of.topology).is_normal_of_edge(&of.vertices, edge, corners, self.normal)
            }
            Place::Vertex(vertex) => {
                !of.topology
                    .is_normal_of_vertex(&of.vertices, vertex, self.normal)
            }
        }
    }
}

/// The nearest points of a part: one for a ball, up to five for a capsule.
pub(super) type NearestPoints = SmallVec<[Nearest; 5]>;

impl Geometry {
    /// The points of the core that are nearer than `most` to a part, each nearest among the points beside it.
    pub(super) fn nearest_points(&self, part: Part, core: &Core, most: f32) -> NearestPoints {
        let mut found = match part {
            Part::Triangle(triangle) => self.nearest_to_triangle(triangle, core),
            Part::Line(line) => self.nearest_to_line(line, core),
        };
        found.retain(|nearest| nearest.distance.abs() <= most);
        found
    }

    /// The nearest point of a part.
    pub(crate) fn nearest_point(&self, part: Part, core: &Core) -> Option<Nearest> {
        let found = self.nearest_points(part, core, f32::INFINITY);
        let distance = |nearest: &Nearest| nearest.distance.abs();
        found
            .into_iter()
            .min_by(|one, other| distance(one).total_cmp(&distance(other)))
    }

    fn nearest_to_triangle(&self, triangle: usize, core: &Core) -> NearestPoints {
        if core.is_ball() {
            return SmallVec::from_elem(self.from_point(triangle, core, 0.0), 1);
        }
        if let Some(ends) = self.crossing(triangle, core) {
            return SmallVec::from_slice(&ends);
        }
        let mut found = NearestPoints::new();
        for t in [-1.0, 1.0] {
            found.push(self.from_point(triangle, core, t));
        }
        let (corner, corners) = self.corners_from(triangle);
        let x = (core.x - corner).as_vec3();
        for k in 0..3 {
            let (start, end) = (corners[k], corners[(k + 1) % 3]);
            let (middle, half) = (0.5 * (start + end), 0.5 * (end - start));
            let (t, s) = closest_segment_points(x, core.half, middle, half);
            if t.abs() < 1.0 {
                let way = x + core.half * t - middle - half * s;
                let place = match s {
                    -1.0 => Place::Vertex(self.triangles[triangle][k]),
                    1.0 => Place::Vertex(self.triangles[triangle][(k + 1) % 3]),
                    _ => Place::Edge { triangle, k },
                };
                found.push(self.across(triangle, core, t, way, place));
            }
        }
        found
    }

    /// The nearest point of a triangle to the point of the core at `t`.
    fn from_point(&self, triangle: usize, core: &Core, t: f32) -> Nearest {
        let [a, b, c] = self.triangles[triangle];
        let (corner, [_, to_b, to_c]) = self.corners_from(triangle);
        let apart = core.at(t) - corner;
        let p = apart.as_vec3();
        let (q, region) = closest_on_triangle(p, to_b, to_c);
        let place = match region {
            Region::Face => {
                let n = self.normals[triangle];
                let height = apart.dot(n.as_dvec3()) as f32;
                let side = if self.has_two_sides(triangle) && height < 0.0 {
                    -1.0
                } else {
                    1.0
                };
                return Nearest {
                    t,
                    normal: n * side,
                    distance: height * side,
                    place: Place::Inside,
                };
            }
            Region::Edge(k) => Place::Edge { triangle, k },
            Region::Vertex(k) => Place::Vertex([a, b, c][k]),
        };
        self.across(triangle, core, t, p - q, place)
    }

    /// The nearest point on an edge or a vertex of a triangle, from which `way` leads to the core.
    fn across(&self, triangle: usize, core: &Core, t: f32, way: Vec3, place: Place) -> Nearest {
        let n = self.normals[triangle];
        let distance = way.length();
        let along = way.dot(n);
        let is_flat = (way - n * along).length() < FLAT * distance && along > 0.0;
        let (normal, distance) = if is_flat || distance < NO_WAY * core.radius {
            (n, distance)
        } else if along < 0.0 && !self.has_two_sides(triangle) {
            (-way / distance, -distance)
        } else {
            (way / distance, distance)
        };
        Nearest {
            t,
            normal,
            distance,
            place,
        }
    }

    /// The ends of a core that goes through a face: the face is a plane for both.
    fn crossing(&self, triangle: usize, core: &Core) -> Option<[Nearest; 2]> {
        let (corner, [_, to_b, to_c]) = self.corners_from(triangle);
        let n = self.normals[triangle];
        let height = |t: f32| (core.at(t) - corner).dot(n.as_dvec3()) as f32;
        let (low, high) = (height(-1.0), height(1.0));
        if low * high >= 0.0 {
            return None;
        }
        let t = -(low + high) / (high - low);
        let p = (core.at(t) - corner).as_vec3();
        let (_, region) = closest_on_triangle(p, to_b, to_c);
        if region != Region::Face {
            return None;
        }
        let side = if self.has_two_sides(triangle) && low + high < 0.0 {
            -1.0
        } else {
            1.0
        };
        Some([(-1.0, low), (1.0, high)].map(|(t, height)| Nearest {
            t,
            normal: n * side,
            distance: height * side,
            place: Place::Inside,
        }))
    }

    fn nearest_to_line(&self, line: usize, core: &Core) -> NearestPoints {
        let [start, end] = self.lines[line];
        let corner = self.vertices[start as usize].as_dvec3();
        let half = 0.5 * (self.vertices[end as usize] - self.vertices[start as usize]);
        let x = (core.x - corner).as_vec3();
        let mut found = NearestPoints::new();
        let mut push = |t: f32, s: f32| {
            let way = x + core.half * t - half - half * s;
            let distance = way.length();
            let place = match s {
                -1.0 => Place::Vertex(start),
                1.0 => Place::Vertex(end),
                _ => Place::Inside,
            };
            let normal = if distance < NO_WAY * core.radius {
                half.any_orthonormal_vector_or_z()
            } else {
                way / distance
            };
            found.push(Nearest {
                t,
                normal,
                distance,
                place,
            });
        };
        let beside = |t: f32| {
            let along = (x + core.half * t - half).dot(half);
            (along / half.length_squared()).clamp(-1.0, 1.0)
        };
        if core.is_ball() {
            push(0.0, beside(0.0));
            return found;
        }
        for t in [-1.0, 1.0] {
            push(t, beside(t));
        }
        let (t, s) = closest_segment_points(x, core.half, half, half);
        if t.abs() < 1.0 {
            push(t, s);
        }
        found
    }

    /// The first corner of a triangle, and all three from there.
    fn corners_from(&self, triangle: usize) -> (DVec3, [Vec3; 3]) {
        let [a, b, c] = self.triangles[triangle].map(|vertex| self.vertices[vertex as usize]);
        (a.as_dvec3(), [Vec3::ZERO, b - a, c - a])
    }
}

/// A unit vector at right angles to a line.
trait Across {
    fn any_orthonormal_vector_or_z(self) -> Vec3;
}

impl Across for Vec3 {
    fn any_orthonormal_vector_or_z(self) -> Vec3 {
        // For a line in the x–y plane it is in that plane, so that a flat scene stays flat.
        Self::Z.cross(self).try_normalize().unwrap_or(Self::X)
    }
}
