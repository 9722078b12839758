//! The laws of a table without pockets in closed form, for three balls or a few more: much faster than a world, and so fast
//! enough for a search. Impacts are the physics' own, from its [`kernel`](bevy_impulse_collide::kernel).
//!
//! A ball slides, rolls, flies or lies. On the cloth, friction turns a sliding ball's contact velocity u straight to zero in
//! 2|u|/(7·μ·g) seconds; then it rolls, and slows by μ_r·g (W. Leckie and M. Greenspan, An event-based pool physics simulator,
//! 2005).

use bevy::math::{DVec2, DVec3, Quat, Vec3};
use bevy_impulse_collide::kernel::{
    EffectiveMass, ImpactLaw, InverseInertia, Support, coupling, impact_impulse,
    supported_impact_impulses, with_tangential_restitution,
};

use crate::table::{
    cushion::NOSE_RADIUS,
    spec::{BallSpec, CushionSpec, TableSpec},
};

/// Time between two looks for impacts, in s. A ball's way between them counts as straight.
const STEP: f64 = 0.004;
/// Bounces off the cloth slower than this, in m/s, are over.
const SETTLES: f64 = 0.02;
/// Most impacts between two looks.
const IMPACTS: usize = 24;
/// Steps within which a second impact with the same cushion is the same contact.
const STEPS_AT_CUSHION: usize = 6;
/// The sides of the table.
const SIDES: [(usize, DVec3); 4] = [
    (0, DVec3::X),
    (1, DVec3::NEG_X),
    (2, DVec3::Z),
    (3, DVec3::NEG_Z),
];
/// A contact velocity under which a ball rolls, in m/s.
const ROLLS: f64 = 1e-6;

/// A ball: its centre, velocity and angular velocity in world axes. The cloth is at y = 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ball {
    /// In m.
    pub x: DVec3,
    /// In m/s.
    pub v: DVec3,
    /// In rad/s.
    pub w: DVec3,
}

/// A table without pockets.
#[derive(Clone, Copy, Debug)]
pub struct ClosedForm {
    sliding: f64,
    rolling: f64,
    spin_decay: f64,
    cloth_restitution: f32,
    ball: BallSpec,
    cushion: CushionSpec,
    /// Of a ball.
    radius: f64,
    /// A centre at the height of a ball that lies goes as far as this.
    reach: DVec2,
    /// Sine of the angle at which a nose meets a ball that lies, as seen from its centre.
    nose: f64,
    g: f64,
}

/// The ways of balls: where they are after every step.
#[derive(Clone, Debug, Default)]
pub struct Ways {
    /// Time between two places in s.
    pub step: f64,
    /// How many balls there are.
    pub balls: usize,
    /// The places of all balls at the start, then after the first step, and so on.
    pub places: Vec<DVec2>,
}

impl Ways {
    /// Where ball `i` is on the bed after `t` seconds.
    pub fn at(&self, i: usize, t: f64) -> DVec2 {
        let last = self.steps() - 1;
        let steps = (t / self.step).max(0.0);
        let k = (steps as usize).min(last);
        let next = (k + 1).min(last);
        let at = |k: usize| self.places[k * self.balls + i];
        at(k).lerp(at(next), steps.fract())
    }

    /// Times at which places are known.
    pub fn steps(&self) -> usize {
        self.places.len() / self.balls
    }
}

/// Something that a ball meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hit {
    /// A cushion.
    Cushion,
    /// The ball of this index.
    Ball(usize),
}

/// An impact.
#[derive(Clone, Copy, Debug)]
enum Met {
    /// Of a ball with a cushion, whose normal points to the ball.
    Cushion(usize, DVec3),
    Balls(usize, usize),
}

impl ClosedForm {
    /// The laws of a table under the gravity `g` m/s².
    pub fn new(table: &TableSpec, g: f64) -> Self {
        let TableSpec {
            ball,
            cloth,
            cushion,
            ..
        } = table;
        Self {
            sliding: cloth.sliding.into(),
            rolling: cloth.rolling.into(),
            spin_decay: cloth.spin_decay.into(),
            cloth_restitution: cloth.restitution,
            ball: *ball,
            cushion: *cushion,
            radius: ball.radius.into(),
            reach: (table.half + NOSE_RADIUS - table.nose_distance(NOSE_RADIUS)).as_dvec2(),
            nose: (cushion.nose_height / ball.radius - 1.0).into(),
            g,
        }
    }

    /// A ball that lies at `at`.
    pub fn lying(&self, at: DVec2) -> Ball {
        Ball {
            x: DVec3::new(at.x, self.radius, at.y),
            ..Ball::default()
        }
    }

    /// The ways of `balls` for `seconds`, or until all lie still.
    pub fn play(&self, balls: &[Ball], seconds: f64) -> Ways {
        let mut balls = balls.to_vec();
        let mut after = balls.clone();
        let count = (seconds / STEP).ceil() as usize + 1;
        let mut places = Vec::with_capacity(balls.len() * (count + 1));
        places.extend(balls.iter().map(on_bed));
        for _ in 0..count {
            if !balls.iter().any(|ball| self.moves(ball)) {
                break;
            }
            self.step(&mut balls, &mut after, |_| {});
            places.extend(balls.iter().map(on_bed));
        }
        Ways {
            step: STEP,
            balls: balls.len(),
            places,
        }
    }

    /// What the first of `balls` meets, in order, until it has met two balls, lies still, or `seconds` are over: other balls by their
    /// indices, and cushions.
    pub fn met_by_first(&self, balls: &[Ball], seconds: f64) -> Vec<Hit> {
        let mut balls = balls.to_vec();
        let mut after = balls.clone();
        let mut hits: Vec<Hit> = Vec::new();
        let mut last_cushion: Option<(DVec3, usize)> = None;
        for step in 0..(seconds / STEP).ceil() as usize {
            self.step(&mut balls, &mut after, |met| match met {
                Met::Cushion(0, normal) => {
                    // A ball in a cushion may meet it several times: that is one contact.
                    let is_new = last_cushion.is_none_or(|(last, then)| {
                        last.dot(normal) < 0.5 || step > then + STEPS_AT_CUSHION
                    });
                    last_cushion = Some((normal, step));
                    if is_new {
                        hits.push(Hit::Cushion);
                    }
                }
                Met::Balls(0, other) if hits.last() != Some(&Hit::Ball(other)) => {
                    hits.push(Hit::Ball(other));
                }
                _ => {}
            });
            let first = hits.iter().find(|hit| **hit != Hit::Cushion);
            let met_two = hits
                .iter()
                .any(|hit| *hit != Hit::Cushion && Some(hit) != first);
            if met_two || !self.moves(&balls[0]) {
                break;
            }
        }
        hits
    }

    /// `after` has room for all balls. Calls `note` for each impact.
    fn step(&self, balls: &mut [Ball], after: &mut [Ball], mut note: impl FnMut(Met)) {
        let mut left = STEP;
        for _ in 0..IMPACTS {
            after.copy_from_slice(balls);
            for ball in after.iter_mut() {
                self.advance(ball, left);
            }
            let Some((part, met)) = self.first_impact(balls, after) else {
                balls.copy_from_slice(after);
                return;
            };
            for ball in balls.iter_mut() {
                self.advance(ball, part * left);
            }
            left *= 1.0 - part;
            note(met);
            match met {
                Met::Cushion(i, normal) => self.hit_cushion(&mut balls[i], normal),
                Met::Balls(i, j) => {
                    let (mut a, mut b) = (balls[i], balls[j]);
                    self.hit_ball(&mut a, &mut b);
                    (balls[i], balls[j]) = (a, b);
                }
            }
        }
    }

    fn moves(&self, ball: &Ball) -> bool {
        ball.v != DVec3::ZERO || ball.w.x != 0.0 || ball.w.z != 0.0 || self.flies(ball)
    }

    fn flies(&self, ball: &Ball) -> bool {
        ball.v.y > 0.0 || ball.x.y > self.radius
    }

    /// Moves a ball that meets nothing but the cloth.
    fn advance(&self, ball: &mut Ball, mut t: f64) {
        if !self.moves(ball) && ball.w.y == 0.0 {
            return;
        }
        while t > 0.0 && self.flies(ball) {
            // The height falls to the radius.
            let (up, over) = (ball.v.y, ball.x.y - self.radius);
            let lands = (up + (up * up + 2.0 * self.g * over).sqrt()) / self.g;
            let part = lands.min(t);
            ball.x += part * ball.v - DVec3::Y * (0.5 * self.g * part * part);
            ball.v.y -= self.g * part;
            t -= part;
            if lands <= part {
                ball.x.y = self.radius;
                self.land(ball);
            }
        }
        let turn = self.spin_decay * t;
        ball.w.y -= ball.w.y.clamp(-turn, turn);
        let slip = self.slip(ball);
        let speed = slip.length();
        if speed > ROLLS {
            let friction = self.sliding * self.g;
            let part = t.min(speed / (3.5 * friction));
            self.slow(ball, slip / speed * friction, part);
            let spin = 2.5 * friction * part / self.radius;
            ball.w += DVec3::Y.cross(slip / speed) * spin;
            t -= part;
            if t <= 0.0 {
                return;
            }
        }
        let speed = ball.v.length();
        let friction = self.rolling * self.g;
        if speed <= friction * t {
            let stops = if friction > 0.0 { speed / friction } else { t };
            self.slow(ball, ball.v.normalize_or_zero() * friction, stops);
            (ball.v, ball.w.x, ball.w.z) = (DVec3::ZERO, 0.0, 0.0);
        } else {
            self.slow(ball, ball.v / speed * friction, t);
            let roll = DVec3::Y.cross(ball.v) / self.radius;
            (ball.w.x, ball.w.z) = (roll.x, roll.z);
        }
    }

    fn slow(&self, ball: &mut Ball, by: DVec3, t: f64) {
        ball.x += ball.v * t - by * (0.5 * t * t);
        ball.v -= by * t;
    }

    /// Velocity of the point that touches the cloth.
    fn slip(&self, ball: &Ball) -> DVec3 {
        let slip = ball.v - ball.w.cross(DVec3::Y) * self.radius;
        DVec3::new(slip.x, 0.0, slip.z)
    }

    /// The impact of a ball that comes down on the cloth.
    pub fn land(&self, ball: &mut Ball) {
        let arm = DVec3::NEG_Y * self.radius;
        let restitution = if -ball.v.y * f64::from(self.cloth_restitution) < SETTLES {
            0.0
        } else {
            self.cloth_restitution
        };
        let velocity = (ball.v + ball.w.cross(arm)).as_vec3();
        let impulse = self.immovable(velocity, arm, DVec3::Y, (restitution, self.sliding as f32));
        self.push(ball, arm, impulse);
        if restitution == 0.0 {
            ball.v.y = 0.0;
        }
    }

    /// Impulse on a ball of mass 1 that meets something immovable with its point at `arm`, which has the velocity `velocity`.
    fn immovable(
        &self,
        velocity: Vec3,
        arm: DVec3,
        normal: DVec3,
        (restitution, friction): (f32, f32),
    ) -> DVec3 {
        let mass = self.mass_at(arm);
        let law = ImpactLaw::default();
        let normal = normal.as_vec3();
        impact_impulse(law, mass, normal, velocity, restitution, friction).as_dvec3()
    }

    /// Inverse inertia of a ball of mass 1.
    fn inverse_inertia(&self) -> InverseInertia {
        InverseInertia::sphere(1.0, self.radius as f32)
    }

    fn mass_at(&self, arm: DVec3) -> EffectiveMass {
        let none = (0.0, InverseInertia::ZERO, Quat::IDENTITY, Vec3::ZERO);
        EffectiveMass::new(
            (1.0, self.inverse_inertia(), Quat::IDENTITY, arm.as_vec3()),
            none,
        )
    }

    fn push(&self, ball: &mut Ball, arm: DVec3, impulse: DVec3) {
        ball.v += impulse;
        ball.w += arm.cross(impulse) * (2.5 / (self.radius * self.radius));
    }

    fn hit_ball(&self, a: &mut Ball, b: &mut Ball) {
        let normal = (a.x - b.x).normalize();
        let (arm_a, arm_b) = (-normal * self.radius, normal * self.radius);
        let velocity = a.v + a.w.cross(arm_a) - b.v - b.w.cross(arm_b);
        let sliding = velocity.reject_from_normalized(normal).length();
        let of = |arm: DVec3| (1.0, self.inverse_inertia(), Quat::IDENTITY, arm.as_vec3());
        let impulse = impact_impulse(
            ImpactLaw::default(),
            EffectiveMass::new(of(arm_a), of(arm_b)),
            normal.as_vec3(),
            velocity.as_vec3(),
            self.ball.restitution,
            self.ball.friction.at(sliding as f32),
        )
        .as_dvec3();
        self.push(a, arm_a, impulse);
        self.push(b, arm_b, -impulse);
        for ball in [a, b] {
            // The cloth holds a ball that friction presses on it.
            if !self.flies(ball) && ball.v.y < 0.0 {
                self.land(ball);
            }
        }
    }

    /// `normal` points from the nose to the ball.
    fn hit_cushion(&self, ball: &mut Ball, normal: DVec3) {
        let arm = -normal * self.radius;
        let velocity = ball.v + ball.w.cross(arm);
        let approach = -velocity.dot(normal) as f32;
        let velocity = with_tangential_restitution(
            velocity.as_vec3(),
            normal.as_vec3(),
            self.cushion.tangential_restitution,
        );
        let restitution = self.cushion.restitution_at(approach);
        let material = (
            restitution.min(self.ball.restitution),
            self.cushion.friction,
        );
        if self.flies(ball) {
            let impulse = self.immovable(velocity, arm, normal, material);
            self.push(ball, arm, impulse);
            return;
        }
        let below = DVec3::NEG_Y * self.radius;
        let inverse_inertia = self.inverse_inertia().across();
        let support = Support {
            mass: self.mass_at(below),
            coupling: coupling(1.0, inverse_inertia, arm.as_vec3(), below.as_vec3()),
            normal: Vec3::Y,
            velocity: self.slip(ball).as_vec3(),
            friction: self.sliding as f32,
        };
        let (impulse, from_below) = supported_impact_impulses(
            ImpactLaw::default(),
            self.mass_at(arm),
            normal.as_vec3(),
            velocity,
            material,
            &support,
        );
        self.push(ball, arm, impulse.as_dvec3());
        self.push(ball, below, from_below.as_dvec3());
        if ball.v.y.abs() < SETTLES {
            ball.v.y = 0.0;
        }
    }

    /// The first impact on straight ways from `before` to `after`, and the part of the ways until then.
    fn first_impact(&self, before: &[Ball], after: &[Ball]) -> Option<(f64, Met)> {
        let mut first: Option<(f64, Met)> = None;
        let mut note = |part: f64, met: Met| {
            if first.is_none_or(|(earlier, _)| part < earlier) {
                first = Some((part, met));
            }
        };
        for (i, (from, to)) in before.iter().zip(after).enumerate() {
            let beyond = on_bed(to).abs().cmpgt(self.reach - self.radius).any();
            let sides = if beyond { &SIDES[..] } else { &[] };
            for &(side, out) in sides {
                let Some((goes, sine)) = self.reach_of(from, side) else {
                    continue;
                };
                let (near, far) = (from.x.dot(out), to.x.dot(out));
                if far > goes && from.v.dot(out) > 0.0 {
                    let part = ((goes - near) / (far - near)).clamp(0.0, 1.0);
                    let normal = -out * (1.0 - sine * sine).sqrt() - DVec3::Y * sine;
                    note(part, Met::Cushion(i, normal));
                }
            }
            for (j, (other_from, other_to)) in before.iter().zip(after).enumerate().skip(i + 1) {
                let apart = other_from.x - from.x;
                let way = (other_to.x - other_from.x) - (to.x - from.x);
                let (square, nears) = (way.length_squared(), apart.dot(way));
                if nears >= 0.0 || apart.dot(other_from.v - from.v) >= 0.0 {
                    continue;
                }
                let beyond = apart.length_squared() - 4.0 * self.radius * self.radius;
                let root = nears * nears - square * beyond;
                if root > 0.0 {
                    let part = (-nears - root.sqrt()) / square;
                    if part <= 1.0 {
                        note(part.max(0.0), Met::Balls(i, j));
                    }
                }
            }
        }
        first
    }

    /// How far the centre of `ball` may go towards one of the sides, and the sine of the angle at which it meets the nose;
    /// none if it flies over the nose.
    fn reach_of(&self, ball: &Ball, side: usize) -> Option<(f64, f64)> {
        let reach = self.reach[side / 2];
        if !self.flies(ball) {
            return Some((reach, self.nose));
        }
        let both = self.radius + f64::from(NOSE_RADIUS);
        let axis = self.radius + self.nose * both;
        let sine = (axis - ball.x.y) / both;
        let behind = |sine: f64| both * (1.0 - sine * sine).sqrt();
        (sine.abs() < 1.0).then(|| (reach + behind(self.nose) - behind(sine), sine))
    }
}

fn on_bed(ball: &Ball) -> DVec2 {
    DVec2::new(ball.x.x, ball.x.z)
}
