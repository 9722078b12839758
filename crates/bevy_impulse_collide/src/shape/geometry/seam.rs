//! Where solids, or meshes without common vertices, lie flush beside each other: the edges between them are no edges.
//!
//! `topology` tells the same of triangles that share an edge.

use glam::{DVec3, Quat, Vec3};

use super::{
    core::Core,
    part::{Nearest, Place, SMOOTH},
    ray::POINT,
    surface::{Geometry, MeshSides, Part},
    topology::CONE_TOLERANCE,
    triangle::closest_on_triangle,
};

/// Greatest distance of surfaces that lie flush, over the radius of the body on them. A step that is higher is a step.
const FLUSH: f32 = CONE_TOLERANCE;

/// Rounding of a place on a surface, over its coordinates: of the vertices, of the position and of the rotation.
const ROUNDING: f32 = 2.0 * f32::EPSILON;

/// The point of a surface at which a body touches an edge or a vertex.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foot {
    /// The point in m.
    pub x: DVec3,
    /// Unit vector to the body.
    pub normal: Vec3,
    /// Radius of the body in m.
    pub radius: f32,
    /// Rounding error of the point in m.
    rounding: f32,
}

impl Foot {
    fn new(nearest: &Nearest, core: &Core) -> Self {
        let way = nearest.normal.as_dvec3() * f64::from(nearest.distance);
        let x = core.at(nearest.t) - way;
        Self {
            x,
            normal: nearest.normal,
            radius: core.radius,
            rounding: rounding_of(x) + ROUNDING * core.radius,
        }
    }

    /// The same in world coordinates, if this is in the frame of a collider that is at `origin` with `rotation`.
    pub fn in_world(&self, (origin, rotation): (Vec3, Quat)) -> Self {
        let x = origin.as_dvec3() + rotation.as_dquat().normalize() * self.x;
        Self {
            x,
            normal: rotation * self.normal,
            rounding: self.rounding + rounding_of(x),
            ..*self
        }
    }

    /// The same in the frame of a collider that is at `origin` with `rotation`, if this is in world coordinates.
    pub fn in_frame(&self, (origin, rotation): (Vec3, Quat)) -> Self {
        let back = rotation.inverse();
        let x = back.as_dquat().normalize() * (self.x - origin.as_dvec3());
        Self {
            x,
            normal: back * self.normal,
            rounding: self.rounding + rounding_of(x),
            ..*self
        }
    }

    /// Greatest distance in m of a surface that lies flush.
    pub fn slack(&self) -> f32 {
        FLUSH * self.radius + self.rounding
    }

    /// Sine of the angle under which a surface may rise towards the body and is not nearer to it. It is the slack over the radius,
    /// so of two edges along a gap of the slack, no place is under both others' surfaces.
    fn tolerance(&self) -> f32 {
        CONE_TOLERANCE + self.rounding / self.radius
    }

    /// Whether a way from this point leads up to the body.
    fn is_under(&self, way: Vec3) -> bool {
        self.normal.dot(way) > self.tolerance() * way.length() + self.rounding
    }
}

fn rounding_of(x: DVec3) -> f32 {
    ROUNDING * x.abs().max_element() as f32
}

impl Geometry {
    /// Whether a contact is a ghost: another part of the surface is nearer there, or `covers` the contact from outside.
    pub(crate) fn is_ghost(
        &self,
        nearest: &Nearest,
        core: &Core,
        covers: impl Fn(&Foot) -> bool,
    ) -> bool {
        if nearest.is_ghost(self) {
            return true;
        }
        if nearest.is_on_face() {
            return false;
        }
        let foot = Foot::new(nearest, core);
        let is_own = |part: Part| self.has_place(part, nearest);
        (self.may_join_at(nearest) && self.goes_on_beside(&foot, is_own)) || covers(&foot)
    }

    /// Whether a contact's place belongs to a part: no point of that part is nearer than the contact.
    fn has_place(&self, part: Part, nearest: &Nearest) -> bool {
        let Part::Triangle(own) = part else {
            return false;
        };
        match nearest.place {
            Place::Edge { triangle, .. } => triangle == own,
            Place::Corner { triangle, k } => {
                self.triangles[own].contains(&self.triangles[triangle][k])
            }
            Place::Inside | Place::Pierced | Place::End(_) | Place::Round => false,
        }
    }

    /// Whether parts that do not share vertices may lie beside each other at an edge or a vertex.
    fn may_join_at(&self, nearest: &Nearest) -> bool {
        if self.has_several_pieces() {
            return true;
        }
        match nearest.place {
            Place::Edge { triangle, k } => self.topology.opposite(triangle, k).is_none(),
            Place::Corner { triangle, k } => self.topology.is_on_rim(self.triangles[triangle][k]),
            Place::Inside | Place::Pierced | Place::End(_) | Place::Round => false,
        }
    }

    /// Whether a part of the surface goes on from the foot of a contact towards the body: then this part is nearer.
    ///
    /// A contact is where the distance from the body is least. A flat or convex part that holds the foot is nowhere nearer if no
    /// way within it leads up along the normal.
    pub(crate) fn goes_on(&self, foot: &Foot) -> bool {
        self.goes_on_beside(foot, |_| false)
    }

    /// The same for the parts that are not the contact's own.
    fn goes_on_beside(&self, foot: &Foot, is_own: impl Fn(Part) -> bool) -> bool {
        let slack = foot.slack();
        let x = foot.x.as_vec3();
        self.parts_in((x - slack, x + slack))
            .any(|part| !is_own(part) && self.part_goes_on(part, foot))
    }

    fn part_goes_on(&self, part: Part, foot: &Foot) -> bool {
        let point = Core {
            x: foot.x,
            half: Vec3::ZERO,
            radius: POINT,
        };
        let Some(nearest) = self.nearest_point(part, &point) else {
            return false;
        };
        if nearest.distance.abs() > foot.slack() {
            return false;
        }
        let touched = foot.x - (nearest.normal * nearest.distance).as_dvec3();
        match part {
            Part::Triangle(triangle) => {
                let facing = nearest.face.dot(foot.normal);
                let sides = self.sides(triangle);
                if facing < 0.0 && sides == MeshSides::One {
                    return false;
                }
                // The way to the body leads into the solid.
                let is_within = facing < -foot.tolerance()
                    && sides == MeshSides::Solid
                    && self.is_inside_of(triangle, touched, foot.slack());
                is_within
                    || match self.patch(triangle) {
                        Some(_) => self.patch_goes_on(part, &nearest, touched, foot),
                        None => self.triangle_leads_up(triangle, touched, foot),
                    }
            }
            Part::Line(_) => {
                let ways = self.corners(part);
                ways.iter()
                    .any(|end| foot.is_under((end - touched).as_vec3()))
            }
            Part::Solid(solid) => {
                let solid = &self.solids[solid];
                let farthest = solid.farthest(solid.rotation.inverse() * foot.normal);
                let farthest = solid.centre + solid.rotation * farthest;
                foot.is_under((farthest.as_dvec3() - touched).as_vec3())
            }
        }
    }

    /// Whether a point of a triangle is farther than `margin` from its edges.
    fn is_inside_of(&self, triangle: usize, x: DVec3, margin: f32) -> bool {
        let (corner, corners) = self.corners_from(triangle);
        let x = x - corner;
        (0..3).all(|k| {
            let (start, end) = (corners[k], corners[(k + 1) % 3]);
            let along = (end - start).normalize_or_zero();
            along.cross(x - start).length() > f64::from(margin)
        })
    }

    /// Whether a way in a flat triangle leads up from a point of it: the way that the normal's shadow takes, or along an edge.
    fn triangle_leads_up(&self, triangle: usize, touched: DVec3, foot: &Foot) -> bool {
        let face = self.normals[triangle];
        let shadow = (foot.normal - face * face.dot(foot.normal)).normalize_or_zero();
        let (corner, corners) = self.corners_from(triangle);
        let ahead = touched + (shadow * foot.radius).as_dvec3();
        let (ahead, _) = closest_on_triangle(ahead - corner, corners[1], corners[2]);
        let mut ways = corners.into_iter().chain([ahead]);
        ways.any(|end| foot.is_under((corner + end - touched).as_vec3()))
    }

    /// The same for a curved triangle, whose ways lie in its tangent plane.
    fn patch_goes_on(&self, part: Part, nearest: &Nearest, touched: DVec3, foot: &Foot) -> bool {
        let tilt = foot.normal - nearest.face * nearest.face.dot(foot.normal);
        if tilt.length() <= SMOOTH {
            return false;
        }
        if nearest.is_on_face() {
            return true;
        }
        let corners = self.corners(part);
        let middle = corners.iter().sum::<DVec3>() / corners.len() as f64;
        tilt.dot((middle - touched).as_vec3()) > 0.0
    }
}
