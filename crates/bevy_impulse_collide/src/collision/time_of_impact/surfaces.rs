//! The time at which a ball or a capsule hits a collider: for each part of the surface on its way, by conservative advancement.

use std::cell::OnceCell;

use bevy::prelude::*;
use glam::DVec3;
use smallvec::SmallVec;

use super::{
    advancement::{
        LARGEST_FALL, MAX_ITERATIONS, MAX_RESTING, RESTING_GAP, STEPS_PER_DOUBLING, TOUCH,
    },
    flight_path::{CoreAt, FlightPath},
    meeting::Meeting,
    resting::{Landed, SlowApproach},
    sight::EndGap,
};
use crate::{
    body::{Bodies, Flight},
    collision::joined::Joined,
    config::CollisionConfig,
    shape::geometry::{Core, Foot, Geometry, Part},
};

/// Path, as a fraction of the radius, by which a body goes on along a part that it overlaps, and that gives no contact.
const STEP_PAST: f32 = 0.25;

/// Gap, as a fraction of the radius, up to which the normal is still nearly the same when the gap has closed.
const NEAR: f32 = 0.05;

/// Most steps along a way that is clear of a curved part, and the shortest such way as a fraction of the radius. Where more or
/// shorter ones would follow, the nearest point tells more.
const CLEAR_STEPS: usize = 8;
const LEAST_CLEAR_WAY: f32 = 0.02;

/// Cosine of the angle between normals up to which a body rests in both directions.
const SAME_DIRECTION: f32 = 0.9;

/// A body on its way to a collider in this substep.
struct Approach<'a> {
    bodies: &'a Bodies,
    config: &'a CollisionConfig,
    body: usize,
    collider: usize,
    geometry: &'a Geometry,
    joined: Joined<'a>,
    path: FlightPath,
    surface: FlightPath,
    radius: f32,
    /// Greatest magnitude of the second derivative of a gap to a fixed point of the surface.
    most: f32,
    /// Upper limit of the relative speed of the surfaces until the end of the substep.
    fastest: f32,
    /// Whether the collider turns.
    turns: bool,
    from: f32,
    /// What is there at `from`.
    start: Look,
    held: OnceCell<SmallVec<[Held; 4]>>,
}

/// The body and the collider at one time.
struct Look {
    at: CoreAt,
    under: Flight,
    /// The body in the collider's frame.
    core: Core,
}

impl Look {
    fn of((path, surface): (&FlightPath, &FlightPath), s: f32) -> Self {
        let (at, under) = (path.core_at(s), surface.at(s));
        let core = Core::in_frame(
            (at.x.as_dvec3(), at.half),
            path.shape.radius(),
            (under.x, under.rotation),
        );
        Self { at, under, core }
    }
}

/// A direction in which a body that has just started rests on the surface, and the speed in m/s that the field may still give it
/// there. Contacts hold it, but only after its first flight.
struct Held {
    normal: Vec3,
    speed: f32,
}

/// The time after `from` at which a round body hits a collider faster than resting bodies do.
pub(super) fn round_on_surface(
    bodies: &Bodies,
    config: &CollisionConfig,
    (body, collider): (usize, usize),
    from: f32,
) -> Option<Meeting> {
    let geometry = bodies.geometry[collider].get()?;
    let (path, surface) = (
        FlightPath::of(bodies, body),
        FlightPath::of(bodies, collider),
    );
    let rest = bodies.h - from;
    let spin = surface.start.w.length();
    let mut approach = Approach {
        held: OnceCell::new(),
        start: Look::of((&path, &surface), from),
        fastest: 0.0,
        most: path.acceleration.length() + path.end_acceleration() + spin * spin * geometry.reach(),
        turns: !bodies.is_static(collider) && spin > 0.0,
        radius: bodies.shape[body].radius(),
        bodies,
        config,
        body,
        collider,
        geometry,
        joined: Joined::new(bodies, body, collider),
        path,
        surface,
        from,
    };
    approach.fastest = approach.fastest(rest);
    if approach.fastest < config.resting_speed {
        return None;
    }
    let mut first: Option<Meeting> = None;
    approach.for_each_part(|part| {
        // The order of the parts has no meaning: the time decides, and an impact before a search that has ended.
        if let Some(meeting) = approach.meet(part)
            && first.is_none_or(|first| meeting.is_before(&first))
        {
            first = Some(meeting);
        }
    });
    first
}

impl Approach<'_> {
    /// Upper limit of the relative speed of the surfaces in `rest` seconds.
    fn fastest(&self, rest: f32) -> f32 {
        let (path, surface) = (&self.path, &self.surface);
        let Look { at, under, .. } = &self.start;
        let speed = (at.v - surface.start.v).length() + path.end_speed();
        let turning = if self.turns {
            let way = (at.v - surface.start.v).length() * rest;
            let arm = (at.x - under.x).length() + path.half_length + way;
            surface.start.w.length() * arm
        } else {
            0.0
        };
        speed + turning + self.most * rest
    }

    fn look(&self, s: f32) -> Look {
        Look::of((&self.path, &self.surface), s)
    }

    /// The parts of the surface that the body may meet.
    fn for_each_part(&self, visit: impl FnMut(Part)) {
        let rest = self.bodies.h - self.from;
        if self.path.half_length > 0.0 || self.turns {
            return self.geometry.parts_in(self.swept_box()).for_each(visit);
        }
        // The way is in the ball about its middle.
        let s = self.from + 0.5 * rest;
        let middle = self.look(s).core;
        let way = 0.5 * rest * self.fastest;
        let reach = self.radius * (1.0 + TOUCH) + way;
        let parts = self.geometry.parts_near(middle.x.as_vec3(), reach);
        parts.for_each(visit);
    }

    /// The box, in the collider's frame, that holds the body from `from` to the end of the substep.
    fn swept_box(&self) -> (Vec3, Vec3) {
        let h = self.bodies.h;
        let rest = h - self.from;
        let bounds = |core: Core| core.bounds(TOUCH * self.radius);
        let (start, end) = (bounds(self.start.core), bounds(self.look(h).core));
        // A parabola leaves its chord by a·t²/8 at most. A capsule that turns may leave the boxes of both ends of the way.
        let turned = self.path.end_speed() * rest;
        let mut sag = 0.125 * self.path.acceleration.length() * rest * rest + turned;
        if self.turns {
            sag += self.fastest * rest;
        }
        (start.0.min(end.0) - sag, start.1.max(end.1) + sag)
    }

    /// The contacts on which a body that has just started rests.
    fn find_held(&self) -> SmallVec<[Held; 4]> {
        let (bodies, h) = (self.bodies, self.bodies.h);
        let mut held = SmallVec::new();
        if self.from > 0.0 || bodies.contact_acceleration[self.body] != Vec3::ZERO {
            return held;
        }
        let at = &self.start.at;
        let place = (at.x.as_dvec3(), at.half);
        let (reach, way) = (RESTING_GAP * self.radius, self.fastest * h);
        let (path, radius, config) = (&self.path, self.radius, self.config);
        let hold = |collider: usize, normal: Vec3| {
            let under = bodies.fly(collider, 0.0);
            let field = path.acceleration.dot(normal).abs();
            let arm = at.x - under.x;
            let v_n = normal.dot(at.v - under.v - under.w.cross(arm));
            if field * h * h < LARGEST_FALL * radius && v_n >= -config.resting_speed {
                let speed = 0.5 * h * field;
                held.push(Held { normal, speed });
            }
        };
        (self.joined).for_each_support((place, radius), (reach, way), hold);
        held
    }

    /// The speed that the field may give the body along `normal`, and that is no impact.
    fn held(&self, normal: Vec3) -> f32 {
        let held = self.held.get_or_init(|| self.find_held());
        let along = held
            .iter()
            .filter(|held| held.normal.dot(normal) > SAME_DIRECTION);
        along.map(|held| held.speed).fold(0.0, f32::max)
    }

    /// Whether the whole body stays on one side of a flat triangle's plane, and does not touch it.
    fn stays_off(&self, part: Part) -> bool {
        let Look { at, under, core } = &self.start;
        let Some(over) = self.geometry.over(part, core).filter(|_| !self.turns) else {
            return false;
        };
        let normal = under.rotation * over.normal;
        let rest = self.bodies.h - self.from;
        let (v, end) = (normal.dot(at.v - under.v), normal.dot(at.rate));
        let ends = over.heights.into_iter().zip([v - end, v + end]);
        let is_off = |side: f32, radius: f32| {
            ends.clone().all(|(height, rate)| {
                let gap = side * height - radius - over.rounding - TOUCH * self.radius;
                let rate = side * rate;
                gap > 0.0 && EndGap { gap, rate }.safe_time(self.most, gap) > rest
            })
        };
        is_off(1.0, self.radius) || is_off(-1.0, if over.has_two_sides { self.radius } else { 0.0 })
    }

    /// When the body meets one part of the surface. Both are convex: while the gap between them along one normal is open, they do
    /// not touch.
    fn meet(&self, part: Part) -> Option<Meeting> {
        if self.stays_off(part) {
            return None;
        }
        let (bodies, radius, h) = (self.bodies, self.radius, self.bodies.h);
        let slow = SlowApproach::of(bodies, self.config, self.body, self.collider);
        let mut s = self.from;
        let curvature = self.geometry.curvature(part);
        // A curved surface comes nearer to a body that moves along it.
        let most = self.most + curvature * self.fastest * self.fastest;
        let mut landed = Landed::default();
        let mut slow_until = f32::NEG_INFINITY;
        for step in 0..MAX_ITERATIONS {
            let tolerance = TOUCH * radius * (1 << (step / STEPS_PER_DOUBLING)) as f32;
            let look = self.look(s);
            let Look { at, under, core } = &look;
            if step < CLEAR_STEPS
                && let Some(glance) = self.geometry.glance(part, core, radius * (1.0 + TOUCH))
            {
                let way = glance.clear_way;
                let clear = way / self.fastest;
                if s + clear.max(glance.way_behind / self.fastest) > h {
                    return None;
                }
                if way > LEAST_CLEAR_WAY * radius {
                    s += clear;
                    continue;
                }
            }
            let nearest = self.geometry.nearest_point(part, core)?;
            let normal = under.rotation * nearest.normal;
            let gap = nearest.distance.abs() - radius;
            let on_core = at.half * nearest.t;
            let foot = at.x + on_core - normal * nearest.distance;
            let away = if nearest.is_behind() { -normal } else { normal };
            let gaps = self.gaps(part, &look, (foot, away));
            let safe = gaps
                .iter()
                .map(|end| end.safe_time(most, end.gap.max(0.0) + tolerance));
            let mut safe = safe.fold(f32::INFINITY, f32::min);
            if gap <= NEAR * radius {
                let under_foot = under.v + under.w.cross(foot - under.x);
                let velocity = at.v + at.rate * nearest.t - under_foot;
                let v_n = normal.dot(velocity);
                // Contacts turn a core that moves along a curved surface.
                let along = velocity.reject_from_normalized(normal);
                let turned = h * curvature * along.length_squared();
                let end = usize::from(nearest.t > 0.0);
                let pull = -self.path.acceleration.dot(normal);
                let resting =
                    slow.along(normal) + self.held(normal) + landed.gained(end, s, pull) + turned;
                let is_contact = gap <= tolerance && !nearest.is_behind() && {
                    let covers = |foot: &Foot| self.joined.covers(foot, s);
                    !self.geometry.is_ghost(&nearest, core, covers)
                };
                if is_contact {
                    if v_n < -resting && s > slow_until {
                        return Some(Meeting {
                            time: s,
                            is_impact: true,
                        });
                    }
                    if self.path.half_length == 0.0 || Landed::holds_capsule(radius, pull, h) {
                        landed.note(end, s);
                    }
                }
                // The distance from a convex part is a convex function of the place: on a straight way, an approach becomes slower
                // only. So beside a part, too, what is slow now stays slow for this time.
                if !nearest.is_behind() {
                    let slow = gaps.iter().map(|end| end.rest_time(most, resting));
                    let slow = slow.fold(f32::INFINITY, f32::min);
                    slow_until = s + slow;
                    safe = safe.max(slow);
                }
                let rests = is_contact && gap <= RESTING_GAP * radius && v_n >= -resting;
                if gap <= tolerance && (rests || !is_contact) {
                    let speed = (at.v - under_foot).length() + self.path.end_speed();
                    let past = (STEP_PAST * radius / speed).min(h / MAX_RESTING);
                    safe = safe.max(past);
                }
            }
            if s + safe > h || s >= h {
                return None;
            }
            s += safe;
        }
        Some(Meeting {
            time: s,
            is_impact: false,
        })
    }

    /// The gaps along `normal` between the ends of the core and the part: its foot, or all its corners if the collider turns.
    fn gaps(
        &self,
        part: Part,
        Look { at, under, .. }: &Look,
        (foot, normal): (Vec3, Vec3),
    ) -> SmallVec<[EndGap; 6]> {
        let between = |(end, v): (Vec3, Vec3), corner: Vec3| EndGap {
            gap: normal.dot(end - corner) - self.radius,
            rate: normal.dot(v - under.v - under.w.cross(corner - under.x)),
        };
        if !self.turns {
            return at.ends().map(|end| between(end, foot)).collect();
        }
        if matches!(part, Part::Solid(_)) {
            // Its rim has no corners: no gap closes faster than this.
            let gap = normal.dot(at.x - foot) - self.path.half_length - self.radius;
            let rate = -self.fastest;
            return SmallVec::from_iter([EndGap { gap, rate }]);
        }
        let place = |x: DVec3| under.x + under.rotation * x.as_vec3();
        let corners: SmallVec<[Vec3; 3]> =
            self.geometry.hull(part).into_iter().map(place).collect();
        let all = at
            .ends()
            .flat_map(|end| corners.iter().map(move |&corner| between(end, corner)));
        all.collect()
    }
}
