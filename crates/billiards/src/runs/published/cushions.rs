//! A ball on a cushion.

use bevy::prelude::*;

use super::{
    arena::{Arena, Flight},
    comparison::{Comparison, Curve, Point},
};
use crate::table::{
    cushion::NOSE_RADIUS,
    spec::{POOL_9, SNOOKER, TableSpec},
};

/// Steps per second: friction on the cloth changes a velocity by 2 mm/s in one.
const HZ: f64 = 1200.0;
/// Steps per second for a ball that moves along the table.
const LENGTHS_HZ: f64 = 240.0;
/// From the ball to the cushion, in m.
const GAP: f32 = 1e-3;
/// m/s in a mile per hour.
const MPH: f64 = 0.44704;

/// Spin of the balls, over that with which they roll, and its name.
const SPINS: [(f32, &str); 3] = [(1.0, "rolls"), (0.0, "slides"), (-1.0, "draws")];

/// Angles from the cushion in degrees, and the speeds and angles after the impact, for each of [`SPINS`].
const MATHAVAN_2010: [(f64, [(f64, f64); 3]); 5] = [
    (30.0, [(0.861, 34.0), (0.788, 36.2), (0.808, 35.8)]),
    (45.0, [(0.847, 52.7), (0.756, 56.2), (0.800, 54.9)]),
    (60.0, [(0.867, 68.8), (0.785, 70.8), (0.825, 71.1)]),
    (75.0, [(0.897, 80.0), (0.822, 81.5), (0.853, 82.9)]),
    (90.0, [(0.910, 90.0), (0.837, 90.0), (0.866, 90.0)]),
];

/// Speeds in mph, and lengths of the table.
const TP_B6: [(f64, f64); 5] = [
    (1.5, 0.903),
    (3.0, 1.684),
    (7.0, 3.005),
    (12.0, 3.69),
    (20.0, 4.715),
];

/// All comparisons of cushions.
pub fn compare() -> Vec<Comparison> {
    let mut snooker = Arena::new(&SNOOKER, HZ);
    let [speeds, angles] = after_impact(&mut snooker);
    vec![square_on(&mut snooker), speeds, angles, lengths(&POOL_9)]
}

/// Speeds before and after of balls that roll square into a cushion.
fn square_on(arena: &mut Arena) -> Comparison {
    // Published for 0.28 to 3.5 m/s.
    let speeds = (1..=7).map(|k| 0.5 * f64::from(k));
    let balls: Vec<(f32, f32, f32)> = speeds.map(|v| (v as f32, 90.0, 1.0)).collect();
    let points = rebounds(arena, &balls).into_iter().map(|(before, after)| {
        let v = f64::from(before.length());
        Point {
            at: v,
            published: -0.0877 * v * v + 1.131 * v - 0.0953,
            ours: f64::from(after.length()),
        }
    });
    Comparison {
        title: "A ball rolls square into the cushion of a snooker table",
        source: "measured: S. Mathavan, M. R. Jackson, R. M. Parkin, Am. J. Phys. 77 (2009) 788, the curve through 31 shots",
        over: "speed before, m/s",
        of: "speed after, m/s",
        curves: vec![Curve::new("rolls", points.collect())],
    }
}

/// Speeds and angles after the impact at 1 m/s.
fn after_impact(arena: &mut Arena) -> [Comparison; 2] {
    let curves = SPINS.iter().enumerate().map(|(k, &(roll, name))| {
        let balls: Vec<(f32, f32, f32)> = MATHAVAN_2010
            .iter()
            .map(|(angle, _)| (1.0, *angle as f32, roll))
            .collect();
        let found = rebounds(arena, &balls);
        let points = |of: fn((f64, f64)) -> f64, ours: fn(Vec2) -> f32| {
            let both = MATHAVAN_2010.iter().zip(&found);
            both.map(|((at, published), (_, after))| Point {
                at: *at,
                published: of(published[k]),
                ours: ours(*after).into(),
            })
            .collect()
        };
        let speeds = points(|(speed, _)| speed, Vec2::length);
        // From the cushion, on the side on which the ball moves on.
        let angles = points(|(_, angle)| angle, |v| (-v.y).atan2(v.x).to_degrees());
        (Curve::new(name, speeds), Curve::new(name, angles))
    });
    let (speeds, angles) = curves.unzip();
    let of = |of: &'static str, curves: Vec<Curve>| Comparison {
        title: "A ball meets the cushion of a snooker table at 1 m/s",
        source: "computed by the equations of S. Mathavan, M. R. Jackson, R. M. Parkin, Proc. IMechE C 224 (2010) 1863",
        over: "angle between the cushion and the way to it, degrees",
        of,
        curves,
    };
    [
        of("speed after, m/s", speeds),
        of("angle after, degrees", angles),
    ]
}

/// Velocities just before and after the impact, along the cushion and into it, of balls with a speed in m/s, an angle from the
/// cushion in degrees, and a spin over that with which they roll.
fn rebounds(arena: &mut Arena, balls: &[(f32, f32, f32)]) -> Vec<(Vec2, Vec2)> {
    let spec = arena.table().spec;
    let contact = spec.half.y + NOSE_RADIUS - spec.nose_distance(NOSE_RADIUS);
    let flights: Vec<Flight> = balls
        .iter()
        .enumerate()
        .map(|(k, &(speed, angle, roll))| {
            // All on one half of the long side, far from the pockets.
            let x = spec.half.x * (0.25 + 0.04 * k as f32);
            let way = Vec2::from_angle(angle.to_radians());
            let at = Vec2::new(x, contact - GAP);
            Flight::on_bed(at, speed * way, roll, spec.ball.radius)
        })
        .collect();
    arena.throw(&flights);
    let mut before = flights;
    let mut found: Vec<Option<(Vec2, Vec2)>> = vec![None; balls.len()];
    let slowest = balls.iter().map(|ball| ball.0).fold(f32::MAX, f32::min);
    let steps = HZ as f32 * 8.0 * GAP / slowest.max(0.1);
    for _ in 0..steps as u32 + 2 {
        let after = arena.step();
        for ((found, before), after) in found.iter_mut().zip(&before).zip(&after) {
            let (was, is) = (before.velocity.xz(), after.velocity.xz());
            if found.is_none() && was.y > 0.0 && is.y < 0.0 {
                *found = Some((was, is));
            }
        }
        before = after;
    }
    let none = (Vec2::NAN, Vec2::NAN);
    found
        .into_iter()
        .map(|found| found.unwrap_or(none))
        .collect()
}

/// How far a ball rolls along the table, off the short cushions.
fn lengths(spec: &'static TableSpec) -> Comparison {
    let mut arena = Arena::new(spec, LENGTHS_HZ);
    let flights: Vec<Flight> = TP_B6
        .iter()
        .enumerate()
        .map(|(k, (mph, _))| {
            // Side by side, from the head cushion on.
            let y = spec.half.y * (0.2 * k as f32 - 0.4);
            let x = spec.ball.radius - spec.half.x + GAP;
            let velocity = (mph * MPH) as f32 * Vec2::X;
            Flight::on_bed(Vec2::new(x, y), velocity, 1.0, spec.ball.radius)
        })
        .collect();
    arena.throw(&flights);
    let mut ways = vec![0.0; flights.len()];
    let mut before = flights;
    loop {
        let after = arena.step();
        let mut fastest = 0.0f32;
        for ((way, before), after) in ways.iter_mut().zip(&before).zip(&after) {
            *way += (after.at - before.at).length();
            fastest = fastest.max(after.velocity.length());
        }
        before = after;
        if fastest < 1e-3 {
            break;
        }
    }
    let points = TP_B6.iter().zip(&ways).map(|((mph, lengths), way)| Point {
        at: *mph,
        published: *lengths,
        ours: (way / (2.0 * spec.half.x)).into(),
    });
    Comparison {
        title: "A ball runs up and down a 9-foot pool table",
        source: "computed: D. G. Alciatore, technical proof B.6, with cushions of restitution 0.7",
        over: "speed of the ball, mph",
        of: "lengths of the table",
        curves: vec![Curve::new("rolls from the start", points.collect())],
    }
}
