//! A golf ball that rolls to the hole: which putts fall in, and which lip out.
//!
//! B. W. Holmes, Putting: How a golf ball and hole interact, American Journal of Physics 59 (1991), has this model: a ball that
//! leaves the near rim flies freely until it meets the far rim. With the radius R of the hole and r of the ball, and with the way
//! of the centre at the distance δ from the middle of the hole:
//!
//! - The centre is over the near rim √(R² − δ²) before the middle. There the ball leaves the green at once if its velocity into the
//!   hole, v·√(1 − δ²/R²), is above √(g·r): the rim cannot hold it on a circle of radius r.
//! - The ball meets the wall of the hole √((R − r)² − δ²) behind the middle. Its centre has fallen by ½·g·(ℓ/v)² by then, on the
//!   way ℓ(δ) = √(R² − δ²) + √((R − r)² − δ²).
//! - If it has fallen by r or more, the wall meets it at its equator or above, and it cannot come out. So it falls in below the
//!   speed v(δ) = ℓ(δ)·√(g/2r). For δ = 0 that is (2·R − r)·√(g/2r) = 1.31 m/s.
//!
//! A ball that is a little faster meets the rim below its equator. How fast it may be then depends on the material.

use bevy::{math::DVec2, prelude::*};
use bevy_impulse_collide::prelude::*;
use laws::*;

const G: f32 = 9.81;

/// Radius of a golf ball in m, its mass in kg, and the radius and the least depth of the hole in m, by the Rules of Golf.
const BALL: f32 = 0.02135;
const MASS: f32 = 0.0459;
const HOLE: f32 = 0.054;
const DEPTH: f32 = 0.1016;

/// Steps in a second. A ball leaves the near rim up to half a step too early or too late, and reaches the far rim higher or lower
/// by that: 0.3 mm at this rate.
const HZ: f64 = 960.0;

/// Sides of the hole. A side is 1.6e-5 m nearer to the middle than a corner: 0.03 % of the hole's radius.
const SIDES: u32 = 128;

/// A level green with a hole around the origin, from the middle of the bottom to the edge of the green.
fn green() -> Collider {
    let rings = [(1e-3, -DEPTH), (HOLE, -DEPTH), (HOLE, 0.0), (0.5, 0.0)];
    revolved(&rings, SIDES, MeshSides::One)
}

/// A putt along +X that rolls without sliding.
#[derive(Clone, Copy)]
struct Putt {
    /// Speed in m/s.
    speed: f32,
    /// Distance of the way of the centre from the middle of the hole, in m.
    offset: f32,
    e: f32,
    mu: f32,
}

impl Putt {
    /// Lets the ball roll until it is in the hole, wholly under the green, or has left the hole. Gives the velocity with which it
    /// leaves, or nothing.
    fn play(self) -> Option<Vec3> {
        let v = Vec3::X * self.speed;
        let ball = (
            Particle::new(BALL),
            Mass(MASS),
            LinearVelocity(v),
            AngularVelocity(Vec3::Y.cross(v) / BALL),
            Transform::from_xyz(-1.2 * HOLE, BALL, self.offset),
        );
        let material = (Restitution(self.e), Friction(self.mu));
        let mut ball = Ball::on(awake(HZ), green(), material, ball);
        let mut was_over = false;
        for _ in 0..(5.0 * HZ) as usize {
            ball.step();
            let x = ball.x();
            let distance = x.xz().length();
            was_over |= distance < HOLE;
            if x.y < -BALL {
                return None;
            }
            if was_over && distance > HOLE + BALL {
                return Some(ball.v());
            }
        }
        panic!("the ball neither falls in nor leaves: {}", ball.x());
    }

    fn falls_in(self) -> bool {
        self.play().is_none()
    }
}

/// The speed v(δ) in m/s up to which every putt falls in.
fn sure_speed(offset: f32) -> f32 {
    let way =
        (HOLE * HOLE - offset * offset).sqrt() + ((HOLE - BALL).powi(2) - offset * offset).sqrt();
    way * (G / (2.0 * BALL)).sqrt()
}

/// The speed in m/s at which a putt that falls in becomes one that does not, between these, by bisection to 1/256 of their
/// distance.
fn greatest_speed(mut low: f32, mut high: f32, falls_in: impl Fn(f32) -> bool) -> f32 {
    assert!(falls_in(low), "{low} m/s lips out");
    assert!(!falls_in(high), "{high} m/s falls in");
    for _ in 0..8 {
        let middle = 0.5 * (low + high);
        *(if falls_in(middle) {
            &mut low
        } else {
            &mut high
        }) = middle;
    }
    0.5 * (low + high)
}

/// Whether a smooth ball with e = 0 that comes over the middle with this speed in m/s leaves the hole: flights that end at the far
/// rim, where it loses the velocity along the normal, until it rests on the rim. From there it comes over if its energy is enough.
fn comes_over(speed: f64) -> bool {
    const STEP: f64 = 1e-6;
    let [g, ball, hole] = [G, BALL, HOLE].map(f64::from);
    // From the far rim.
    let (mut x, mut v) = (DVec2::new(-2.0 * hole, ball), DVec2::new(speed, 0.0));
    loop {
        loop {
            x += (v - DVec2::Y * (0.5 * g * STEP)) * STEP;
            v.y -= g * STEP;
            if x.x > 0.0 || x.y < 0.0 {
                return x.x > 0.0;
            }
            if x.length() < ball && x.dot(v) < 0.0 {
                break;
            }
        }
        let normal = x.normalize();
        v -= normal * normal.dot(v);
        if v.x < 0.0 {
            return false;
        }
        if v.length_squared() < g * ball * normal.y {
            return 0.5 * v.length_squared() > g * ball * (1.0 - normal.y);
        }
    }
}

/// Below the speed v(δ) every putt falls in, however the ball bounces, and smooth or rough. The part of a hundredth is for the
/// step and for the sides of the hole.
#[test]
fn slow_putts_fall_in() {
    for [e, mu] in [[0.0, 0.0], [0.0, 0.5], [0.5, 0.0], [0.5, 0.5]] {
        for part in [0.0, 0.2, 0.4, 0.55, -0.4] {
            let offset = part * HOLE;
            for below in [0.5, 0.8, 0.99] {
                let speed = below * sure_speed(offset);
                let putt = Putt {
                    speed,
                    offset,
                    e,
                    mu,
                };
                assert!(
                    putt.falls_in(),
                    "{speed} m/s at {part} R, e {e}, friction {mu}"
                );
            }
        }
    }
}

/// A smooth ball with e = 0 over the middle of the hole comes over the far rim from the speed of the closed forms, 1.86 m/s.
#[test]
fn a_smooth_central_putt_comes_over_at_the_speed_of_the_closed_forms() {
    let expected = greatest_speed(1.4, 2.4, |speed| !comes_over(speed.into()));
    let measured = greatest_speed(1.4, 2.4, |speed| {
        let putt = Putt {
            speed,
            offset: 0.0,
            e: 0.0,
            mu: 0.0,
        };
        putt.falls_in()
    });
    println!("{measured} m/s of {expected} m/s");
    assert_near(
        "the greatest speed",
        measured.into(),
        expected.into(),
        0.01 * f64::from(expected),
    );
}

/// The greatest speed of a putt that falls in becomes less with the offset, as v(δ) does: it is between v(δ) and this multiple of
/// it. A rough ball lips out at a lower speed than a smooth one, because its spin carries it over the far rim.
#[test]
fn the_greatest_speed_falls_with_the_offset() {
    let greatest = |part: f32, mu: f32, most: f32| {
        let offset = part * HOLE;
        let sure = sure_speed(offset);
        let speed = greatest_speed(0.99 * sure, most * sure, |speed| {
            let putt = Putt {
                speed,
                offset,
                e: 0.0,
                mu,
            };
            putt.falls_in()
        });
        println!(
            "friction {mu}, {part} R: {speed} m/s = {} v(δ)",
            speed / sure
        );
        speed
    };
    let mut before = [f32::INFINITY; 2];
    for part in [0.0, 0.2, 0.4, 0.55] {
        let [smooth, rough] = [greatest(part, 0.0, 1.5), greatest(part, 0.5, 1.3)];
        assert!(
            smooth < before[0] && rough < before[1],
            "at {part} R: {smooth}, {rough} m/s"
        );
        assert!(rough < smooth, "at {part} R: {smooth}, {rough} m/s");
        before = [smooth, rough];
    }
}

/// A fast putt near the side of the hole lips out: it leaves towards the side of the hole's middle, the more so the slower it is,
/// and it does not gain energy. A putt on the other side goes the same way, mirrored.
#[test]
fn fast_putts_near_the_side_lip_out() {
    for mu in [0.0, 0.5] {
        let turn = |speed: f32, offset: f32| {
            let putt = Putt {
                speed,
                offset,
                e: 0.0,
                mu,
            };
            let v = putt.play().expect("it lips out");
            println!("friction {mu}, {offset} m, {speed} m/s: {v}");
            assert!(v.length() <= speed, "{v} m/s after {speed} m/s");
            v.z.atan2(v.x).to_degrees()
        };
        let offset = 0.8 * HOLE;
        let turns = [1.0, 1.5, 2.5].map(|speed| turn(speed, offset));
        assert!(
            turns[0] < 1.5 * turns[1] && turns[1] < 1.5 * turns[2],
            "{turns:?}"
        );
        assert!(turns[2] < -2.0, "{turns:?}");
        assert_near(
            "the turn on the other side",
            turn(1.5, -offset).into(),
            (-turns[1]).into(),
            0.1,
        );
    }
}
