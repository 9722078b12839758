//! Bodies that move on, without turning, against a surface.

use glam::{DVec3, Vec3};

use super::{
    box_entry::BoxEntry,
    core::Core,
    course::{Course, closing_time},
    part::{Nearest, nearest_in_core},
    ray::POINT,
    surface::{Geometry, Part},
};

/// Gap at which a body touches a part, over the body's radius.
const TOUCH: f64 = 1e-6;

/// The same over the size of the part and of the core: the rounding of a distance.
const ROUNDING: f64 = 2e-7;

/// Most steps along the way to a part.
const MAX_STEPS: usize = 256;

/// Part of its radius by which a body goes on along a part that it slides over.
const SLIDE: f64 = 0.25;

/// How a moving body touches a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Touch {
    /// Unit vector from the surface to the body.
    pub normal: Vec3,
    /// Where on the body's core, from −1 to 1.
    pub t: f32,
    /// From the surface to this point of the core along the normal, in m: the radius, or less for a body that starts in the
    /// surface.
    pub gap: f32,
}

impl Geometry {
    /// Where a body around a core first touches the surface, if it moves along the unit vector `direction` by `limit` metres at
    /// most. A body that already touches the surface hits it at once, unless it moves away from it.
    pub(crate) fn sweep(&self, core: &Core, direction: DVec3, limit: f32) -> Option<(f32, Touch)> {
        let closes = |touch: &Touch| touch.normal.as_dvec3().dot(direction) < 0.0;
        let contacts = self.contacts(core, 0.0);
        let mut touches = contacts.iter().flat_map(|contact| {
            contact.points.iter().map(|point| Touch {
                normal: contact.normal,
                t: point.t,
                gap: core.radius - point.depth,
            })
        });
        if let Some(touch) = touches.find(closes) {
            return Some((0.0, touch));
        }
        // Contacts are found under the surface of a solid, but not deep in it.
        if let Some((gap, normal)) = self.signed_distance(core.x)
            && gap < -core.radius
        {
            let touch = Touch {
                normal,
                t: 0.0,
                gap,
            };
            return closes(&touch).then_some((0.0, touch));
        }
        let boxes = BoxEntry::new(core.x, direction, core.half.abs() + core.radius);
        let course = Course::straight(core.x, direction);
        self.first_hit(limit, boxes, |part, limit| {
            let way = self.way_to(part, core, &course, limit);
            let (distance, touch) = self.touch(part, core, &course, way, |_, _| false)?;
            Some((distance as f32, touch))
        })
    }

    /// When a body around a core first touches the surface on its course between two times. It slides over the touches, given by
    /// normal and gap, for which `is_supported` is true.
    pub(crate) fn meet(
        &self,
        core: &Core,
        course: &Course,
        (from, until): (f64, f64),
        is_supported: impl Fn(Vec3, f64) -> bool,
    ) -> Option<(f64, Touch)> {
        let (middle, half) = course.bounds((from, until));
        let all = Core { x: middle, ..*core };
        let (low, high) = all.bounds(0.0);
        let half = half.as_vec3() * (1.0 + f32::EPSILON);
        let parts = self.parts_in((low - half, high + half));
        let touches =
            parts.filter_map(|part| self.touch(part, core, course, (from, until), &is_supported));
        touches.min_by(|(one, _), (other, _)| one.total_cmp(other))
    }

    /// The stretch of a straight way on which a body may touch a part: it is near the ball around the part.
    pub(super) fn way_to(
        &self,
        part: Part,
        core: &Core,
        course: &Course,
        limit: f32,
    ) -> (f64, f64) {
        let bounds = self.bounds_of_part(part);
        let reach = core.radius + bounds.half_extents().length() + core.half.length();
        let ahead = (bounds.center().as_dvec3() - core.x).dot(course.velocity);
        let (start, end) = (ahead - f64::from(reach), ahead + f64::from(reach));
        (start.max(0.0), end.min(f64::from(limit)))
    }

    /// Where a body on its course first touches a part from its outside, between two places.
    ///
    /// The body goes on by steps that are surely free. The plane through the nearest point, across the way to it, has the whole
    /// of a flat or convex part behind it, so the step leads to this plane. A part with the curvature κ leaves the plane by
    /// κ·w²·s²/2 at most, w the body's speed. Source: B. Mirtich, Impulse-based dynamic simulation of rigid body systems (1996),
    /// 2.3.2: conservative advancement.
    pub(super) fn touch(
        &self,
        part: Part,
        core: &Core,
        course: &Course,
        (from, until): (f64, f64),
        is_supported: impl Fn(Vec3, f64) -> bool,
    ) -> Option<(f64, Touch)> {
        let radius = f64::from(core.radius);
        let size = self.bounds_of_part(part).half_extents().length() + core.half.length();
        let touch = TOUCH * radius + ROUNDING * f64::from(size);
        let bend = self.bend_towards(part, core);
        let is_point = core.radius == POINT;
        let is_solid = matches!(part, Part::Solid(_));
        let mut s = from;
        for _ in 0..MAX_STEPS {
            if s > until {
                return None;
            }
            let moved = Core {
                x: course.at(s),
                ..*core
            };
            let nearest = self.nearest_on_way(part, &moved)?;
            let is_behind = nearest.is_behind() && !is_solid;
            let side = if is_behind { -1.0 } else { 1.0 };
            let gap = side * f64::from(nearest.distance) - radius;
            let (v, normal) = (course.velocity_at(s), side * nearest.normal.as_dvec3());
            let v_n = normal.dot(v);
            if gap < -touch && is_solid && is_point {
                // It starts inside.
                return None;
            }
            let is_on_it = gap <= touch;
            if is_on_it && (v_n < 0.0 || is_point && s > from) {
                if is_supported(nearest.normal, gap) {
                    s += SLIDE * radius / v.length();
                    continue;
                }
                let found = match part {
                    Part::Triangle(triangle) if is_point => Some(Touch {
                        normal: self.normal_seen(triangle, nearest.face, v)?,
                        t: 0.0,
                        gap: 0.0,
                    }),
                    _ if is_behind => None,
                    _ if is_point || !self.is_ghost(&nearest, &moved, |_| false) => {
                        Some(touch_at(&nearest))
                    }
                    // The core lies along the part: another point of it is as near.
                    _ => {
                        let points = self.nearest_points(part, &moved, (radius + touch) as f32);
                        let is_real = |it: &&Nearest| {
                            !it.is_behind() && !self.is_ghost(it, &moved, |_| false)
                        };
                        points.iter().find(is_real).map(touch_at)
                    }
                };
                return found.map(|touch| (s, touch));
            }
            let gap = gap.max(touch);
            s += match bend {
                Bend::None => closing_time(gap, v_n, normal.dot(course.acceleration))?,
                Bend::Curved { bend, turn } => {
                    let most = course.most_speed((s, until));
                    let a_n = normal.dot(course.acceleration) - bend * most * most;
                    let step = closing_time(gap, (v_n - turn * most).max(-most), a_n);
                    step.unwrap_or(f64::INFINITY).max(gap / most)
                }
                Bend::TooNarrow => gap / course.most_speed((s, until)),
            };
        }
        None
    }

    /// The nearest point of a part. For a capsule and a solid it is more exact than that of contacts: an error in the normal would
    /// tilt the plane that keeps the body off.
    fn nearest_on_way(&self, part: Part, core: &Core) -> Option<Nearest> {
        match part {
            Part::Solid(solid) if !core.is_ball() => {
                Some(nearest_in_core(&self.solids[solid], core))
            }
            _ => self.nearest_point(part, core),
        }
    }

    /// How a part bends towards a body. For a ball in a hollow of the curvature κ, the centre sees the curvature 1/(1/κ − r).
    fn bend_towards(&self, part: Part, core: &Core) -> Bend {
        let is_curved = matches!(part, Part::Triangle(triangle) if self.patch(triangle).is_some());
        if !is_curved {
            return Bend::None;
        }
        let curvature = f64::from(self.curvature(part));
        let room = 1.0 - curvature * f64::from(core.radius);
        if room <= 0.0 {
            return Bend::TooNarrow;
        }
        let bend = curvature / room;
        let turn = bend * f64::from(2.0 * core.half.length());
        Bend::Curved { bend, turn }
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

/// How a part leaves the plane through its nearest point, towards a body.
#[derive(Clone, Copy, Debug)]
enum Bend {
    /// It is flat or convex.
    None,
    Curved {
        /// Upper limit of the curvature in 1/m that the core sees.
        bend: f64,
        /// Upper limit of the angle in rad between the normals under two points of the core.
        turn: f64,
    },
    /// The body does not fit in the hollow: only the gap itself is free.
    TooNarrow,
}

fn touch_at(nearest: &Nearest) -> Touch {
    Touch {
        normal: nearest.normal,
        t: nearest.t,
        gap: nearest.distance,
    }
}
