//! The events of a ball in a shot, at their own time rather than a step's.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

/// Speed in m/s, of a ball or of its surface, that counts as none.
const NONE: f32 = 1e-4;

/// A ball at some moment, and how its motion changes until the next impact.
#[derive(Clone, Copy, Debug, Default)]
pub struct Motion {
    /// Its centre, in m.
    pub x: Vec3,
    /// Its velocity, in m/s.
    pub v: Vec3,
    /// Its angular velocity, in rad/s.
    pub w: Vec3,
    acceleration: Vec3,
    angular_acceleration: Vec3,
}

impl Motion {
    /// At the end of a step, from the ball's components.
    pub fn new(
        transform: &Transform,
        velocity: &LinearVelocity,
        angular_velocity: &AngularVelocity,
        acceleration: &Acceleration,
    ) -> Self {
        Self {
            x: transform.translation,
            v: velocity.0,
            w: angular_velocity.0,
            acceleration: acceleration.field + acceleration.contact,
            angular_acceleration: acceleration.angular_field + acceleration.angular_contact,
        }
    }

    /// `s` seconds later.
    fn fly(&self, s: f32) -> Self {
        Self {
            x: self.x + self.v * s + self.acceleration * (0.5 * s * s),
            v: self.v + self.acceleration * s,
            w: self.w + self.angular_acceleration * s,
            ..*self
        }
    }
}

/// The laws of the ball and the cloth.
#[derive(Clone, Copy, Debug)]
pub struct Laws {
    /// Mass in kg.
    pub mass: f32,
    /// Radius in m.
    pub radius: f32,
    /// How fast a sliding ball's sliding ends: 7/2·μ_s·g, in m/s².
    pub slide: f32,
    /// How fast a rolling ball slows: μ_r·g, in m/s².
    pub roll: f32,
    /// How fast side spin dies: 5/2·μ_sp·g/R, in rad/s².
    pub spin: f32,
}

impl Laws {
    /// Velocity of the ball's lowest point.
    fn slip(&self, motion: &Motion) -> Vec3 {
        let slip = motion.v + motion.w.cross(Vec3::NEG_Y * self.radius);
        slip.with_y(0.0)
    }

    /// Velocity of the equator, as far as it turns about the vertical.
    fn spin(&self, motion: &Motion) -> Vec3 {
        Vec3::Y * (motion.w.y * self.radius)
    }

    fn hit(&self, motion: &mut Motion, normal: Vec3, impulse: Vec3) {
        motion.v += impulse / self.mass;
        // The arm is −R·n, and I = 2/5·m·R².
        motion.w -= 2.5 * normal.cross(impulse) / (self.mass * self.radius);
    }
}

/// An impact as one of its bodies has it.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    /// Seconds from the start of the step.
    pub time: f32,
    /// The obstacle that it met.
    pub met: Met,
    /// Unit vector from that to the ball.
    pub normal: Vec3,
    /// On the ball, in N·s.
    pub impulse: Vec3,
}

/// The obstacles that a ball can meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Met {
    /// Another ball.
    Ball,
    /// A cushion.
    Cushion,
    /// The cloth, which an impact presses it on.
    Cloth,
}

/// A velocity that fades away: sliding, rolling, or spinning.
#[derive(Clone, Copy, Debug)]
struct Fading {
    /// How much of it goes in a second.
    rate: f32,
    /// When it was last seen, and its value then.
    seen: Option<(f64, Vec3)>,
}

impl Fading {
    fn new(rate: f32) -> Self {
        Self { rate, seen: None }
    }

    /// Starts anew with `velocity`.
    fn start(&mut self, t: f64, velocity: Vec3) {
        self.seen = (velocity.length() > NONE).then_some((t, velocity));
    }

    /// When it will be gone.
    fn end(&self) -> Option<f64> {
        self.seen
            .map(|(t, velocity)| t + f64::from(velocity.length() / self.rate))
    }

    /// Goes on with `velocity` at `t`, a step of `h` seconds later. When it went, if it is gone by now.
    fn step(&mut self, t: f64, h: f64, velocity: Vec3) -> Option<f64> {
        let end = self.end()?;
        if end <= t || velocity.length() <= NONE {
            self.seen = None;
            return Some(end.min(t));
        }
        // The velocity shown within a step of the end is the step's, not the moment's.
        if end > t + h {
            self.seen = Some((t, velocity));
        }
        None
    }
}

/// A ball that is watched.
#[derive(Component, Clone, Debug)]
pub struct Watch {
    laws: Laws,
    /// At the end of the last step.
    motion: Motion,
    sliding: Fading,
    rolling: Fading,
    /// Velocity of the equator.
    spinning: Fading,
    still_since: f64,
    /// Times at which it began to roll.
    pub rolling_at: Vec<f64>,
    /// After its first impact with a ball.
    pub after_ball: Option<Motion>,
    /// After its first impact with a cushion.
    pub after_cushion: Option<Motion>,
}

impl Watch {
    /// Of a ball at the start.
    pub fn new(laws: Laws, x: Vec3, v: Vec3, w: Vec3) -> Self {
        let motion = Motion {
            x,
            v,
            w,
            ..default()
        };
        let mut watch = Self {
            laws,
            motion,
            sliding: Fading::new(laws.slide),
            rolling: Fading::new(laws.roll),
            spinning: Fading::new(laws.spin * laws.radius),
            still_since: 0.0,
            rolling_at: Vec::new(),
            after_ball: None,
            after_cushion: None,
        };
        watch.start(0.0, &motion);
        watch
    }

    /// Where it is now.
    pub fn motion(&self) -> &Motion {
        &self.motion
    }

    /// Whether it neither moves nor spins.
    pub fn is_still(&self) -> bool {
        self.motion.v.length() <= NONE && self.motion.w.length() * self.laws.radius <= NONE
    }

    /// When it came to rest.
    pub fn still_since(&self) -> f64 {
        self.still_since
    }

    /// A step of `h` seconds from `start` on, with these impacts in it, has brought it to `now`.
    pub fn step(&mut self, start: f64, h: f64, hits: &[Hit], now: Motion) {
        let (mut motion, mut s) = (self.motion, 0.0);
        for moment in hits.chunk_by(|one, next| one.time == next.time) {
            let time = moment[0].time;
            motion = motion.fly(time - s);
            s = time;
            for hit in moment {
                self.laws.hit(&mut motion, hit.normal, hit.impulse);
            }
            let t = start + f64::from(time);
            self.rolling_at
                .extend(self.sliding.end().filter(|end| *end < t));
            self.start(t, &motion);
            let met = |what| moment.iter().any(|hit| hit.met == what);
            if met(Met::Ball) {
                self.after_ball.get_or_insert(motion);
            }
            if met(Met::Cushion) {
                self.after_cushion.get_or_insert(motion);
            }
        }
        let t = start + h;
        self.rolling_at
            .extend(self.sliding.step(t, h, self.laws.slip(&now)));
        if self.sliding.seen.is_some() {
            // A ball that slides back may stand for a moment.
            self.rolling.start(t, now.v);
        }
        let ends = [
            self.rolling.step(t, h, now.v),
            self.spinning.step(t, h, self.laws.spin(&now)),
        ];
        self.still_since = ends.into_iter().flatten().fold(self.still_since, f64::max);
        self.motion = now;
    }

    fn start(&mut self, t: f64, motion: &Motion) {
        self.sliding.start(t, self.laws.slip(motion));
        self.rolling.start(t, motion.v);
        self.spinning.start(t, self.laws.spin(motion));
    }
}
