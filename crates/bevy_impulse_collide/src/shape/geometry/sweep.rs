//! Bodies that move straight on, without turning, against a surface.

use glam::{DVec3, Vec3};

use super::{
    box_entry::BoxEntry,
    core::Core,
    ray::{POINT, SurfaceHit},
    surface::{Geometry, Part},
};

/// Gap at which a body touches a part, over the body's radius.
const TOUCH: f64 = 1e-6;

/// The same over the size of the part: the rounding of a distance.
const ROUNDING: f64 = 2e-7;

/// Most steps along the way to a part.
const MAX_STEPS: usize = 128;

impl Geometry {
    /// Where a body around a core first touches the surface, if it moves along the unit vector `direction` by `limit` metres at
    /// most. A body that already touches the surface hits it at once, unless it moves away from it.
    pub(crate) fn sweep(&self, core: &Core, direction: DVec3, limit: f32) -> Option<SurfaceHit> {
        let at_once = |normal: Vec3| SurfaceHit {
            distance: 0.0,
            normal,
        };
        let closes = |normal: &Vec3| normal.as_dvec3().dot(direction) < 0.0;
        let mut normals = self.contacts(core, 0.0).into_iter().map(|it| it.normal);
        if let Some(normal) = normals.find(closes) {
            return Some(at_once(normal));
        }
        // Contacts are found under the surface of a solid, but not deep in it.
        if let Some((distance, normal)) = self.signed_distance(core.x)
            && distance < -core.radius
        {
            return closes(&normal).then(|| at_once(normal));
        }
        let boxes = BoxEntry::new(core.x, direction, core.half.abs() + core.radius);
        self.first_hit(limit, boxes, |part, limit| {
            self.touch(part, core, direction, limit)
        })
    }

    /// Where a body first touches a part from its outside.
    ///
    /// The body goes on by steps that are surely free. The plane through the nearest point, across the way to it, has the whole
    /// of a flat or convex part behind it, so the step leads to this plane. A part with the curvature κ leaves the plane by
    /// κ·s²/2 at most. Source: B. Mirtich, Impulse-based dynamic simulation of rigid body systems (1996), 2.3.2: conservative
    /// advancement.
    pub(super) fn touch(
        &self,
        part: Part,
        core: &Core,
        direction: DVec3,
        limit: f32,
    ) -> Option<SurfaceHit> {
        let radius = f64::from(core.radius);
        let bounds = self.bounds_of_part(part);
        let touch = TOUCH * radius + ROUNDING * f64::from(bounds.half_extents().length());
        let is_convex = !matches!(part, Part::Triangle(triangle) if self.patch(triangle).is_some());
        let curvature = f64::from(self.curvature(part));
        let (centre, size) = (bounds.center().as_dvec3(), bounds.half_extents().length());
        let reach = radius + f64::from(size) + f64::from(core.half.length());
        // To the ball around the part.
        let ahead = (centre - core.x).dot(direction);
        let (mut along, end) = ((ahead - reach).max(0.0), ahead + reach);
        let is_point = core.radius == POINT;
        let is_solid = matches!(part, Part::Solid(_));
        for _ in 0..MAX_STEPS {
            if along > end.min(f64::from(limit)) {
                return None;
            }
            let moved = Core {
                x: core.x + direction * along,
                ..*core
            };
            let nearest = self.nearest_point(part, &moved)?;
            let is_behind = nearest.is_behind() && !is_solid;
            let side = if is_behind { -1.0 } else { 1.0 };
            let gap = side * f64::from(nearest.distance) - radius;
            let closing = -side * direction.dot(nearest.normal.as_dvec3());
            if gap < -touch && is_solid {
                // It starts inside.
                return None;
            }
            if gap <= touch && (closing > 0.0 || is_point && along > 0.0) {
                let normal = match part {
                    Part::Triangle(triangle) if is_point => {
                        self.normal_seen(triangle, nearest.face, direction)
                    }
                    _ if is_behind || !is_point && nearest.is_ghost(self) => None,
                    _ => Some(nearest.normal),
                };
                return normal.map(|normal| SurfaceHit {
                    distance: along as f32,
                    normal,
                });
            }
            let gap = gap.max(touch);
            along += if !is_convex {
                curved_step(gap, closing, curvature, radius)
            } else if closing > 0.0 {
                gap / closing
            } else {
                return None;
            };
        }
        None
    }

    /// The normal of a triangle's face on the side from which a ray comes, if the triangle has this side.
    fn normal_seen(&self, triangle: usize, face: Vec3, direction: DVec3) -> Option<Vec3> {
        if direction.dot(face.as_dvec3()) < 0.0 {
            Some(face)
        } else {
            self.has_two_sides(triangle).then_some(-face)
        }
    }
}

/// A step that is free over a gap that closes by `closing` for each metre, to a surface of this curvature in 1/m: the root of
/// gap = closing·s + κ·s²/2. For a ball in a hollow κ is 1/(1/κ − r). A ball too large for the hollow takes the gap.
fn curved_step(gap: f64, closing: f64, curvature: f64, radius: f64) -> f64 {
    let room = 1.0 - curvature * radius;
    if room <= 0.0 {
        return gap;
    }
    let bend = curvature / room;
    let step = 2.0 * gap / (closing + (closing * closing + 2.0 * bend * gap).sqrt());
    // Without curvature, a gap that opens has no end.
    if step.is_finite() { step.max(gap) } else { gap }
}
