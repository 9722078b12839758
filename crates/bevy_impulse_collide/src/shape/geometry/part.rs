//! The points at which a core is nearest to one part of a surface: a triangle, a line segment or a solid.

use glam::{DVec2, DVec3, Vec3};
use smallvec::SmallVec;

use super::{
    core::Core,
    patch::{Patch, PatchPoint},
    revolved::Revolved,
    surface::{Geometry, Part},
    triangle::{Region, closest_on_triangle},
};
use crate::kernel::closest_segment_points;

/// Distance, as a fraction of the radius, below which the way between two points has no direction.
const NO_WAY: f32 = 1e-5;

/// Barycentric coordinate below which a point of a curved triangle is on its rim.
const RIM: f64 = 1e-9;

/// Most steps of the search for the point within a capsule's core that is nearest to a curved triangle.
const MAX_ALTERNATIONS: usize = 16;

/// Sine of the angle between a smooth surface's normal and the way to the core, up to which the way starts from the nearest point.
pub(super) const SMOOTH: f32 = 1e-3;

/// Sine of the angle to a face's normal under which a way from the edge counts as the normal: the way has more rounding errors.
pub(super) const FLAT: f32 = 3e-4;

/// A point of a core that is nearest to a part of a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest {
    /// Where on the core: −1 and 1 are its ends.
    pub t: f32,
    /// Unit vector from the surface to the core.
    pub normal: Vec3,
    /// Distance in m between the core and the surface; negative for a core behind a surface with one side.
    pub distance: f32,
    /// Upper limit of the curvature of the surface there in 1/m; zero if it is flat.
    pub curvature: f32,
    /// Unit normal of the surface there. It is `normal`, up to the sign, if the point is on a face.
    pub(super) face: Vec3,
    /// The place on the part.
    pub(super) place: Place,
}

/// Where on the surface a nearest point lies.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// On a face, or within a line.
    Inside,
    /// On the plane of a face through which the core goes.
    Pierced,
    /// On edge `k` of a triangle.
    Edge { triangle: usize, k: usize },
    /// At corner `k` of a triangle.
    Corner { triangle: usize, k: usize },
    /// At an end of a line.
    End(u32),
    /// On the rim of a solid of revolution.
    Round,
}

impl Nearest {
    /// Whether the core is behind a surface with one side.
    pub fn is_behind(&self) -> bool {
        self.distance < 0.0
    }

    /// Whether the normal is the face's, and differs from another one by rounding.
    pub(super) fn is_straight_up(&self, other: Vec3) -> bool {
        self.normal == self.face && self.normal.distance_squared(other) < FLAT * FLAT
    }

    /// Whether the core goes through a face of the part.
    pub(super) fn is_piercing(&self) -> bool {
        matches!(self.place, Place::Pierced)
    }

    /// Whether the nearest point is within a face.
    pub fn is_on_face(&self) -> bool {
        matches!(self.place, Place::Inside | Place::Pierced)
    }

    /// Whether a part that shares the edge or the vertex is nearer there: a contact would be a ghost.
    pub(super) fn is_ghost(&self, of: &Geometry) -> bool {
        let is_off = || self.normal.cross(self.face).length() > SMOOTH;
        match self.place {
            Place::Inside | Place::Pierced | Place::Round => false,
            // A smooth surface has its nearest point where its normal leads to the core.
            Place::Edge { triangle, k } if of.topology.is_smooth(triangle, k) => is_off(),
            Place::Corner { triangle, k }
                if of.topology.is_smooth(triangle, k)
                    && of.topology.is_smooth(triangle, (k + 2) % 3) =>
            {
                is_off()
            }
            Place::Edge { triangle, k } => {
                let mut corners = of.triangles[triangle];
                corners.rotate_left(k);
                let edge = (triangle, k);
                !(of.topology).is_normal_of_edge(&of.vertices, edge, corners, self.normal)
            }
            Place::Corner { triangle, k } => {
                let vertex = of.triangles[triangle][k];
                !(of.topology).is_normal_of_vertex(&of.vertices, vertex, self.normal)
            }
            Place::End(vertex) => {
                !(of.topology).is_normal_of_vertex(&of.vertices, vertex, self.normal)
            }
        }
    }
}

/// Where a core is over the plane of a flat triangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Over {
    /// Unit normal of the triangle.
    pub normal: Vec3,
    /// The heights of both ends in m: below zero behind the triangle.
    pub heights: [f32; 2],
    /// Upper limit of their rounding errors in m.
    pub rounding: f32,
    pub has_two_sides: bool,
}

impl Over {
    /// Whether the whole core is farther from the plane than `distance`.
    fn is_beyond(&self, distance: f32) -> bool {
        let [low, high] = self.heights;
        let distance = distance + self.rounding;
        low.min(high) > distance || low.max(high) < -distance
    }
}

/// The nearest points of a part: one for a ball, up to five for a capsule.
pub(super) type NearestPoints = SmallVec<[Nearest; 5]>;

impl Geometry {
    /// Where a core is over the plane of a triangle of a flat surface; `None` for other parts. It takes much less time than the nearest
    /// point.
    pub(crate) fn over(&self, part: Part, core: &Core) -> Option<Over> {
        let Part::Triangle(triangle) = part else {
            return None;
        };
        if !self.is_flat() {
            return None;
        }
        let corner = self.vertices[self.triangles[triangle][0] as usize];
        let normal = self.normals[triangle];
        let apart = core.x - corner.as_dvec3();
        let (height, end) = (apart.dot(normal.as_dvec3()) as f32, core.half.dot(normal));
        let size = apart.as_vec3().abs().element_sum() + core.half.abs().element_sum();
        Some(Over {
            normal,
            heights: [height - end, height + end],
            rounding: 2.0 * f32::EPSILON * size,
            has_two_sides: self.has_two_sides(triangle),
        })
    }

    /// The points of the core that are nearer than `most` to a part, each nearest among the points beside it.
    pub(super) fn nearest_points(&self, part: Part, core: &Core, most: f32) -> NearestPoints {
        if most < f32::INFINITY && self.over(part, core).is_some_and(|it| it.is_beyond(most)) {
            return NearestPoints::new();
        }
        let mut found = match part {
            Part::Triangle(triangle) => self.nearest_to_triangle(triangle, core),
            Part::Line(line) => self.nearest_to_line(line, core),
            Part::Solid(solid) => nearest_to_solid(&self.solids[solid], core),
        };
        found.retain(|nearest| nearest.distance.abs() <= most);
        found
    }

    /// The nearest point of a part.
    pub(crate) fn nearest_point(&self, part: Part, core: &Core) -> Option<Nearest> {
        if let Part::Triangle(triangle) = part
            && core.is_ball()
            && self.is_flat()
        {
            return Some(self.nearest_to_point(triangle, core, 0.0));
        }
        let found = self.nearest_points(part, core, f32::INFINITY);
        let distance = |nearest: &Nearest| nearest.distance.abs();
        found
            .into_iter()
            .min_by(|one, other| distance(one).total_cmp(&distance(other)))
    }

    fn nearest_to_triangle(&self, triangle: usize, core: &Core) -> NearestPoints {
        if let Some(patch) = self.patch(triangle) {
            return self.nearest_to_patch(triangle, &patch, core);
        }
        if core.is_ball() {
            return SmallVec::from_elem(self.nearest_to_point(triangle, core, 0.0), 1);
        }
        if let Some(ends) = self.crossing(triangle, core) {
            return SmallVec::from_slice(&ends);
        }
        let mut found = NearestPoints::new();
        for t in [-1.0, 1.0] {
            found.push(self.nearest_to_point(triangle, core, t));
        }
        let (corner, corners) = self.corners_from(triangle);
        let corners = corners.map(|corner| corner.as_vec3());
        let x = (core.x - corner).as_vec3();
        for k in 0..3 {
            let (start, end) = (corners[k], corners[(k + 1) % 3]);
            let (middle, half) = (0.5 * (start + end), 0.5 * (end - start));
            let (t, s) = closest_segment_points(x, core.half, middle, half);
            if t.abs() < 1.0 {
                let way = x + core.half * t - middle - half * s;
                let place = match s {
                    -1.0 => Place::Corner { triangle, k },
                    1.0 => Place::Corner {
                        triangle,
                        k: (k + 1) % 3,
                    },
                    _ => Place::Edge { triangle, k },
                };
                found.push(self.at_rim(triangle, core, t, way, place));
            }
        }
        found
    }

    /// The nearest point of a flat triangle to the point of the core at `t`.
    fn nearest_to_point(&self, triangle: usize, core: &Core, t: f32) -> Nearest {
        let (corner, [_, to_b, to_c]) = self.corners_from(triangle);
        let apart = core.at(t) - corner;
        let (q, region) = closest_on_triangle(apart, to_b, to_c);
        let place = match region {
            Region::Face => {
                let n = self.normals[triangle];
                return self.on_face(triangle, t, n, apart.dot(n.as_dvec3()) as f32, 0.0);
            }
            Region::Edge(k) => Place::Edge { triangle, k },
            Region::Vertex(k) => Place::Corner { triangle, k },
        };
        self.at_rim(triangle, core, t, (apart - q).as_vec3(), place)
    }

    /// A nearest point on a face with the normal `n`, over which the core is at a `height`.
    fn on_face(&self, triangle: usize, t: f32, n: Vec3, height: f32, curvature: f32) -> Nearest {
        let side = if self.has_two_sides(triangle) && height < 0.0 {
            -1.0
        } else {
            1.0
        };
        Nearest {
            t,
            normal: n * side,
            distance: height * side,
            curvature,
            face: n,
            place: Place::Inside,
        }
    }

    /// The nearest point on an edge or a corner of a flat triangle, from which `way` leads to the core.
    fn at_rim(&self, triangle: usize, core: &Core, t: f32, way: Vec3, place: Place) -> Nearest {
        let n = self.normals[triangle];
        self.across(triangle, core, t, (way, n), place, 0.0)
    }

    /// The nearest point on an edge or a corner, where the face has the normal `n`, and from which `way` leads to the core.
    fn across(
        &self,
        triangle: usize,
        core: &Core,
        t: f32,
        (way, n): (Vec3, Vec3),
        place: Place,
        curvature: f32,
    ) -> Nearest {
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
            curvature,
            face: n,
            place,
        }
    }

    /// The nearest points of a curved triangle: for both ends of the core, and for a point between them.
    fn nearest_to_patch(&self, triangle: usize, patch: &Patch, core: &Core) -> NearestPoints {
        let (corner, [_, to_b, to_c]) = self.corners_from(triangle);
        let curvature = self.curvature(Part::Triangle(triangle));
        let start = |t: f32| {
            let (q, _) = closest_on_triangle(core.at(t) - corner, to_b, to_c);
            coordinates(q, to_b, to_c)
        };
        let nearest = |t: f32, (at, point): (DVec2, PatchPoint)| {
            let (way, n) = (core.at(t) - corner - point.x, point.normal());
            let place = match (at.x + at.y > 1.0 - RIM, at.x < RIM, at.y < RIM) {
                (false, false, false) => {
                    let (n, height) = (n.as_vec3(), way.dot(n) as f32);
                    return self.on_face(triangle, t, n, height, curvature);
                }
                (false, true, true) => Place::Corner { triangle, k: 0 },
                (true, false, true) => Place::Corner { triangle, k: 1 },
                (true, true, _) => Place::Corner { triangle, k: 2 },
                (false, false, true) => Place::Edge { triangle, k: 0 },
                (true, false, false) => Place::Edge { triangle, k: 1 },
                (false, true, false) => Place::Edge { triangle, k: 2 },
            };
            let way = (way.as_vec3(), n.as_vec3());
            self.across(triangle, core, t, way, place, curvature)
        };
        let at_end = |t: f32| nearest(t, patch.nearest(core.at(t) - corner, start(t)));
        if core.is_ball() {
            return SmallVec::from_elem(at_end(0.0), 1);
        }
        let mut found = NearestPoints::from_slice(&[at_end(-1.0), at_end(1.0)]);
        let half = core.half.as_dvec3();
        let mut t = 0.0;
        let mut found_there = patch.nearest(core.x - corner, start(0.0));
        for _ in 0..MAX_ALTERNATIONS {
            let (at, point) = found_there;
            let foot = point.x + corner - core.x;
            let next = (foot.dot(half) / half.length_squared()).clamp(-1.0, 1.0) as f32;
            let change = (next - t).abs();
            t = next;
            found_there = patch.nearest(core.at(t) - corner, at);
            if change < 1e-6 {
                break;
            }
        }
        if t.abs() < 1.0 {
            found.push(nearest(t, found_there));
        }
        found
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
        let (_, region) = closest_on_triangle(core.at(t) - corner, to_b, to_c);
        if region != Region::Face {
            return None;
        }
        let is_behind = self.has_two_sides(triangle) && low + high < 0.0;
        let side = if is_behind { -1.0 } else { 1.0 };
        Some([(-1.0, low), (1.0, high)].map(|(t, height)| Nearest {
            t,
            normal: n * side,
            distance: height * side,
            curvature: 0.0,
            face: n,
            place: Place::Pierced,
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
                -1.0 => Place::End(start),
                1.0 => Place::End(end),
                _ => Place::Inside,
            };
            let normal = if distance < NO_WAY * core.radius {
                across(half)
            } else {
                way / distance
            };
            found.push(Nearest {
                t,
                normal,
                distance,
                curvature: 0.0,
                face: normal,
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
    pub(super) fn corners_from(&self, triangle: usize) -> (DVec3, [DVec3; 3]) {
        let corner = |vertex: u32| self.vertices[vertex as usize].as_dvec3();
        let [a, b, c] = self.triangles[triangle].map(corner);
        (a, [DVec3::ZERO, b - a, c - a])
    }
}

/// The nearest point of a solid to the point of a core at `t`.
fn at_solid(solid: &Revolved, core: &Core, t: f32) -> Nearest {
    let found = solid.nearest((core.at(t) - solid.centre.as_dvec3()).as_vec3());
    Nearest {
        t,
        normal: found.normal,
        distance: found.distance,
        curvature: if found.is_curved { f32::INFINITY } else { 0.0 },
        face: found.normal,
        place: if found.is_on_rim {
            Place::Round
        } else {
            Place::Inside
        },
    }
}

/// The nearest point of a solid to a core. The distance is a convex function of t: its slope along the core rises, and is zero
/// where the normal is across the core.
pub(super) fn nearest_in_core(solid: &Revolved, core: &Core) -> Nearest {
    let at = |t: f32| at_solid(solid, core, t);
    let rises = |nearest: &Nearest| nearest.normal.dot(core.half) > 0.0;
    let (start, end) = (at(-1.0), at(1.0));
    if rises(&start) {
        return start;
    }
    if !rises(&end) {
        return end;
    }
    let (mut low, mut high) = (-1.0f32, 1.0);
    for _ in 0..f32::MANTISSA_DIGITS {
        let middle = 0.5 * (low + high);
        if rises(&at(middle)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    at(low)
}

/// The nearest points of a solid: for both ends of the core, and for the nearest point between them.
fn nearest_to_solid(solid: &Revolved, core: &Core) -> NearestPoints {
    let at = |t: f32| at_solid(solid, core, t);
    if core.is_ball() {
        return SmallVec::from_elem(at(0.0), 1);
    }
    let mut found = NearestPoints::from_slice(&[at(-1.0), at(1.0)]);
    // The distance from a convex solid is a convex function of t: each step leaves two thirds of the range. Where a core lies
    // along the solid, the function is level: the first search ends at the level's lower end, the second at its upper end.
    let level = NO_WAY * core.radius;
    for favours_high in [false, true] {
        let (mut low, mut high) = (-1.0f32, 1.0);
        while high - low > 1e-4 {
            let third = (high - low) / 3.0;
            let rise = at(high - third).distance - at(low + third).distance;
            let is_lower_part = if favours_high {
                rise > level
            } else {
                rise >= -level
            };
            if is_lower_part {
                high -= third;
            } else {
                low += third;
            }
        }
        let t = 0.5 * (low + high);
        if t.abs() < 0.999 {
            found.push(at(t));
        }
    }
    found
}

/// A unit vector at right angles to a line. For a line in the x–y plane it is in that plane, so that a flat scene stays flat.
fn across(line: Vec3) -> Vec3 {
    Vec3::Z.cross(line).try_normalize().unwrap_or(Vec3::X)
}

/// The coordinates of a point of the triangle (0, `b`, `c`).
fn coordinates(q: DVec3, b: DVec3, c: DVec3) -> DVec2 {
    let (bb, bc, cc) = (b.dot(b), b.dot(c), c.dot(c));
    let (qb, qc) = (q.dot(b), q.dot(c));
    let determinant = bb * cc - bc * bc;
    let at = DVec2::new(cc * qb - bc * qc, bb * qc - bc * qb) / determinant;
    let at = at.clamp(DVec2::ZERO, DVec2::ONE);
    at / (at.x + at.y).max(1.0)
}
