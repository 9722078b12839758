//! The flight of a body to a meeting: where its core is, and bounds of how it turns.

use bevy::prelude::*;
use glam::DVec3;

use crate::{
    body::{Bodies, Flight},
    kernel::{InverseInertia, compose, free_rotation, precession, turn},
    shape::Shape,
};

/// The flight of a body, without its rotation about its own axis, which changes no gap.
pub(super) struct FlightPath {
    /// Of the body; a part's compound.
    pub start: Flight,
    pub acceleration: Vec3,
    turning: Turning,
    pub half_length: f32,
    /// Greatest distance of an end of the core from the body's centre of mass, in m.
    pub reach: f32,
    /// Of a part beside the centre of mass of its compound: where it is in it.
    part: Option<PartPlace>,
    /// |ω × n| of a plane.
    tilting: f32,
    pub shape: Shape,
    arc: Arc,
}

/// How the core of a body that turns about a fixed axis with ω turns: u + (ω × u)·sin(ωs)/ω + (ω × (ω × u))·(1 − cos(ωs))/ω².
struct Arc {
    /// From the centre to an end of the core, in m.
    half: Vec3,
    rate: Vec3,
    bend: Vec3,
    /// ω².
    square: f32,
}

/// Squared angle in rad² up to which the series below are exact in `f32`.
const SMALL_ANGLE_SQUARED: f32 = 0.5;

impl Arc {
    fn new(half: Vec3, w: Vec3) -> Self {
        let rate = w.cross(half);
        Self {
            half,
            rate,
            bend: w.cross(rate),
            square: w.length_squared(),
        }
    }

    /// u after `s` seconds, and its derivative.
    #[inline]
    fn at(&self, s: f32) -> (Vec3, Vec3) {
        let x = self.square * s * s;
        // sin(y)/y and (1 − cos(y))/y² of y² = x.
        let (sine, versine) = if x < SMALL_ANGLE_SQUARED {
            (
                1.0 - x / 6.0 * (1.0 - x / 20.0 * (1.0 - x / 42.0)),
                0.5 * (1.0 - x / 12.0 * (1.0 - x / 30.0 * (1.0 - x / 56.0))),
            )
        } else {
            let (sin, cos) = libm::sincosf(x.sqrt());
            (sin / x.sqrt(), (1.0 - cos) / x)
        };
        let (sine, cos) = (sine * s, 1.0 - x * versine);
        (
            self.half + self.rate * sine + self.bend * (versine * s * s),
            self.rate * cos + self.bend * sine,
        )
    }
}

/// The core of a round shape at some time: the segment from x − `half` to x + `half`, with the velocities of x and of `half`.
#[derive(Clone, Copy)]
pub(super) struct CoreAt {
    pub x: Vec3,
    pub v: Vec3,
    pub half: Vec3,
    pub rate: Vec3,
}

impl CoreAt {
    /// The places of the ends, and their velocities: one of a ball.
    pub fn ends(&self) -> impl Iterator<Item = (Vec3, Vec3)> {
        let signs = match self.half == Vec3::ZERO {
            true => &[0.0][..],
            false => &[1.0, -1.0][..],
        };
        (signs.iter()).map(|&sign| (self.x + self.half * sign, self.v + self.rate * sign))
    }
}

/// The place of a part in its compound.
struct PartPlace {
    offset: Vec3,
    rotation: Quat,
}

/// How a core turns.
enum Turning {
    /// About a fixed axis, in rad/s: without the body's rotation about its own axis, which changes no gap.
    Precession(Vec3),
    /// As a free body without symmetry about its core: with its angular velocity, its inertia, and an upper limit in rad/s.
    Free(DVec3, InverseInertia, f32),
}

/// Upper limit, in m/s², of the acceleration of the ends about the centre of a body that turns freely with at most `fastest` rad/s:
/// |ω̇ × r + ω × (ω × r)|, where |ω̇| = |I⁻¹·(L × ω)| is at most as large as ω².
pub(super) fn asymmetric_tip_acceleration(fastest: f32, half_length: f32) -> f32 {
    2.0 * fastest * fastest * half_length
}

impl FlightPath {
    pub fn of(bodies: &Bodies, i: usize) -> Self {
        let shape = bodies.shape[i];
        let part = bodies.is_aside(i).then(|| PartPlace {
            offset: bodies.offset[i],
            rotation: bodies.part_rotation[i],
        });
        let start = match part {
            Some(_) => bodies.fly(bodies.whole_of(i), 0.0),
            None => bodies.fly(i, 0.0),
        };
        let is_static = bodies.is_static(i);
        let inertia = bodies.inverse_inertia[i];
        let turning = match shape {
            _ if part.is_some() && !is_static => {
                let inertia = bodies.inverse_inertia[bodies.whole_of(i)];
                Turning::Free(bodies.angular_velocity[i], inertia, bodies.fastest_turn(i))
            }
            _ if is_static => Turning::Precession(Vec3::ZERO),
            Shape::Capsule { .. } if inertia.is_symmetric_about_y() => {
                Turning::Precession(precession(start.axis, start.w, &inertia))
            }
            Shape::Capsule { .. } => {
                Turning::Free(bodies.angular_velocity[i], inertia, bodies.fastest_turn(i))
            }
            Shape::Plane | Shape::Collider => Turning::Precession(start.w),
            Shape::Particle { .. } | Shape::Compound { .. } => Turning::Precession(Vec3::ZERO),
        };
        let (half_length, tilting) = match shape {
            Shape::Capsule { half_length, .. } => (half_length, 0.0),
            Shape::Plane => (0.0, bodies.tilting(i).length()),
            Shape::Particle { .. } | Shape::Collider | Shape::Compound { .. } => (0.0, 0.0),
        };
        let aside = part.as_ref().map_or(0.0, |part| part.offset.length());
        let arc = match turning {
            Turning::Precession(w) => Arc::new(start.axis * half_length, w),
            Turning::Free(..) => Arc::new(Vec3::ZERO, Vec3::ZERO),
        };
        Self {
            start,
            acceleration: bodies.flight_acceleration(i),
            turning,
            half_length,
            reach: aside + half_length,
            part,
            tilting,
            shape,
            arc,
        }
    }

    /// The core at `s` seconds into the substep.
    #[inline]
    pub fn at(&self, s: f32) -> Flight {
        let at = self.body_at(s);
        let Some(part) = &self.part else {
            return at;
        };
        let arm = at.rotation * part.offset;
        let rotation = compose(at.rotation, part.rotation);
        Flight {
            x: at.x + arm,
            rotation,
            axis: rotation * Vec3::Y,
            v: at.v + at.w.cross(arm),
            w: at.w,
        }
    }

    /// The core at `s` seconds into the substep.
    #[inline]
    pub fn core_at(&self, s: f32) -> CoreAt {
        if let (Turning::Precession(_), None) = (&self.turning, &self.part) {
            let (half, rate) = self.arc.at(s);
            return CoreAt {
                x: self.start.x + self.start.v * s + self.acceleration * (0.5 * s * s),
                v: self.start.v + self.acceleration * s,
                half,
                rate,
            };
        }
        let at = self.at(s);
        let half = at.axis * self.half_length;
        CoreAt {
            x: at.x,
            v: at.v,
            half,
            rate: at.w.cross(half),
        }
    }

    #[inline]
    fn body_at(&self, s: f32) -> Flight {
        let Flight {
            x,
            rotation,
            axis,
            v,
            w,
        } = self.start;
        let (x, v_s) = (
            x + v * s + self.acceleration * (0.5 * s * s),
            v + self.acceleration * s,
        );
        match &self.turning {
            Turning::Precession(Vec3::ZERO) => Flight {
                x,
                rotation,
                axis,
                v: v_s,
                w,
            },
            Turning::Precession(precession) => {
                let turned = turn(*precession, s);
                Flight {
                    x,
                    axis: turned * axis,
                    v: v_s,
                    rotation: compose(turned, rotation),
                    w: turned * w,
                }
            }
            Turning::Free(spin, inertia, _) => {
                let (rotation, w) = free_rotation(rotation, *spin, inertia, s);
                Flight {
                    x,
                    axis: rotation * Vec3::Y,
                    v: v_s,
                    rotation,
                    w: w.as_vec3(),
                }
            }
        }
    }

    /// Greatest speed in rad/s at which the core turns.
    pub fn turning_speed(&self) -> f32 {
        match self.turning {
            Turning::Precession(precession) => precession.length(),
            Turning::Free(.., fastest) => fastest,
        }
    }

    /// Greatest speed of the ends about the centre of mass. About a fixed axis it is constant.
    pub fn end_speed(&self) -> f32 {
        match self.turning {
            Turning::Precession(precession) => {
                self.half_length * precession.cross(self.start.axis).length()
            }
            Turning::Free(.., fastest) => self.reach * fastest,
        }
    }

    /// Greatest acceleration of the ends relative to the centre of mass: Ω·|Ω × â|·ℓ about a fixed axis, where it is constant too.
    pub fn end_acceleration(&self) -> f32 {
        match self.turning {
            Turning::Precession(precession) => precession.length() * self.end_speed(),
            Turning::Free(.., fastest) => asymmetric_tip_acceleration(fastest, self.reach),
        }
    }

    /// Largest second derivative of a gap to this plane by its tilting, in `rest` seconds: 2·|ṅ|·|v| + |n̈|·|d| for the point of
    /// the other body at d from the plane's point.
    pub fn tilting_acceleration(&self, other: &Self, rest: f32) -> f32 {
        if self.tilting == 0.0 {
            return 0.0;
        }
        let gained = (self.acceleration.length() + other.acceleration.length()) * rest;
        let speed = (other.start.v - self.start.v).length() + gained + other.end_speed();
        let distance = (other.start.x - self.start.x).length() + other.reach + speed * rest;
        self.tilting * (2.0 * speed + self.start.w.length() * distance)
    }
}
