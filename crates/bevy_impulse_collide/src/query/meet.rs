//! A ball or a capsule in flight, and one body: conservative advancement on a parabola.

use bevy::prelude::*;
use glam::DVec3;
use smallvec::SmallVec;

use super::{body::Body, round::Round};
use crate::shape::{
    Shape,
    geometry::{Course, Touch, closing_time},
};

/// Gap at which two bodies touch, over the radius of the flying one. The gap is a closed form in f64.
const TOUCH: f64 = 1e-9;

/// Most steps to one body. Where the way just grazes it, each step leaves a quarter of the gap.
const MAX_STEPS: usize = 256;

/// Part of its radius by which a body goes on along a body that holds it.
const SLIDE: f64 = 0.25;

/// Depth over the radius by which a body may sink into its ground before that is a hit.
const SINKS: f64 = 2e-3;

/// Cosine of the angle between the normals of two touches up to which the same ground holds a body there.
const SAME_DIRECTION: f32 = 0.999;

impl Body {
    /// When a round shape first touches the body, on a course relative to it, between two times. It slides over the touches, given
    /// by normal and gap, for which `is_supported` is true.
    ///
    /// The plane through the nearest point, across the way to it, has the whole body behind it. On a parabola the gap to this plane
    /// is a parabola too, so each step leads to the plane and passes no touch.
    pub fn meet(
        &self,
        round: &Round,
        course: &Course,
        (from, until): (f64, f64),
        is_supported: impl Fn(Vec3, f64) -> bool,
    ) -> Option<(f64, Touch)> {
        if let Shape::Collider = self.shape {
            let core = self.local_core(course.x, round);
            let local = Course {
                x: core.x,
                velocity: self.direction_to_local(course.velocity),
                acceleration: self.direction_to_local(course.acceleration),
            };
            let is_supported = |normal: Vec3, gap: f64| is_supported(self.rotation * normal, gap);
            let geometry = self.geometry()?;
            let (time, touch) = geometry.meet(&core, &local, (from, until), is_supported)?;
            return Some((time, self.to_world(touch)));
        }
        let radius = f64::from(round.radius);
        let mut s = from;
        for _ in 0..MAX_STEPS {
            if s > until {
                return None;
            }
            let nearest = self.gap_to(course.at(s), round)?;
            let velocity = course.velocity_at(s);
            let v_n = nearest.normal.dot(velocity);
            let touch = TOUCH * radius;
            if nearest.gap <= touch && v_n < 0.0 {
                if !is_supported(nearest.normal.as_vec3(), nearest.gap) {
                    return Some((s, nearest.touch(round)));
                }
                s += SLIDE * radius / velocity.length();
            } else {
                let a_n = nearest.normal.dot(course.acceleration);
                s += closing_time(nearest.gap.max(touch), v_n, a_n)?;
            }
        }
        None
    }

    /// The touches of a round shape that lies on the body or nearly so: normals out of the body, and gaps in m.
    fn contacts(&self, x: DVec3, round: &Round) -> SmallVec<[(DVec3, f64); 4]> {
        let reach = Supports::REACH * round.radius;
        if let Some(geometry) = self.geometry() {
            let contacts = geometry.contacts(&self.local_core(x, round), reach);
            let to_world = |normal: Vec3| (self.rotation * normal).as_dvec3();
            let contacts = contacts.iter();
            return contacts
                .map(|contact| (to_world(contact.normal), f64::from(-contact.depth())))
                .collect();
        }
        let nearest = self.gap_to(x, round);
        let nearest = nearest.filter(|nearest| nearest.gap <= f64::from(reach));
        nearest.iter().map(|it| (it.normal, it.gap)).collect()
    }
}

/// The bodies on which a body lies at the start of its flight. They hold it: their ground takes what presses into them.
#[derive(Default)]
pub(super) struct Supports {
    /// Normals and gaps.
    grounds: SmallVec<[(Vec3, f64); 4]>,
}

impl Supports {
    /// Gap over the radius at which a body lies on another one.
    pub const REACH: f32 = 1e-3;

    /// Adds a body on which a round shape lies, and that has the velocity and acceleration `moving`. The course loses what presses
    /// into it. A shape that approaches faster than `resting` in m/s hits the body, and one that leaves it faster is free.
    pub fn add(
        &mut self,
        body: &Body,
        round: &Round,
        course: &mut Course,
        moving: (DVec3, DVec3),
        resting: f64,
    ) {
        for (normal, gap) in body.contacts(course.x, round) {
            let v_n = normal.dot(course.velocity - moving.0);
            let a_n = normal.dot(course.acceleration - moving.1);
            if v_n.abs() <= resting && a_n <= 0.0 {
                course.velocity -= normal * v_n;
                course.acceleration -= normal * a_n;
                self.grounds.push((normal.as_vec3(), gap));
            }
        }
    }

    /// Whether a touch with this normal and gap is one with the ground on which the body lies.
    pub fn hold(&self, normal: Vec3, gap: f64, radius: f32) -> bool {
        self.grounds.iter().any(|&(ground, at_start)| {
            ground.dot(normal) > SAME_DIRECTION
                && gap > at_start.min(0.0) - SINKS * f64::from(radius)
        })
    }
}
