//! The width in which a pocket takes a ball.

use bevy::prelude::*;

use super::{
    arena::{Arena, Flight},
    comparison::{Comparison, Curve, Point},
};
use crate::table::{
    bed::above,
    pocket::Pocket,
    spec::{POOL_9, PocketSpec, PocketSpecs, TableSpec},
};

const INCH: f32 = 0.0254;

/// The table of the technical proofs.
static PROOF: TableSpec = TableSpec {
    pockets: Some(PocketSpecs {
        corner: PocketSpec {
            mouth: 4.5875 * INCH,
            turn: 38.0,
            shelf: 1.125 * INCH,
            hole: 2.75 * INCH,
        },
        side: PocketSpec {
            mouth: 5.0625 * INCH,
            turn: 76.0,
            shelf: 0.1875 * INCH,
            hole: 3.0 * INCH,
        },
    }),
    ..POOL_9
};

const HZ: f64 = 240.0;
/// From the mouth back to where the balls start, in m.
const RUN_UP: f32 = 0.25;
/// From ball to ball, in m.
const PITCH: f32 = 1e-3;
/// Half the width over which balls are tried, in m.
const REACH: f32 = 0.09;
/// A ball so far from the mouth in m has left it again.
const GONE: f32 = RUN_UP + REACH;
/// Speeds in m/s: one just carries a ball into the pocket, the other one is a hard shot.
const SLOW: f32 = 0.6;
const FAST: f32 = 3.5;
/// Seconds after which a ball that is not down stays up.
const LONGEST: [f32; 2] = [2.5, 0.6];

/// Angles from the axis of the pocket in degrees, and the widths in inches at low and at high speed.
type Widths = [(f64, [f64; 2])];

const SIDE: &Widths = &[
    (0.0, [3.29, 2.88]),
    (10.0, [3.23, 2.84]),
    (20.0, [3.02, 2.70]),
    (30.0, [2.68, 2.46]),
    (35.0, [2.47, 2.29]),
    (40.0, [2.23, 1.71]),
    (45.0, [1.96, 0.94]),
    (50.0, [1.62, 0.15]),
    (55.0, [1.16, 0.0]),
    (60.0, [0.72, 0.0]),
];

const CORNER: &Widths = &[
    (0.0, [2.67, 2.35]),
    (10.0, [2.61, 2.31]),
    (20.0, [2.43, 2.18]),
    (30.0, [2.32, 1.94]),
    (35.0, [2.67, 1.79]),
    (40.0, [2.94, 1.62]),
];

/// What has become of a ball.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Near,
    Down,
    Gone,
}

/// The pockets of the middle and of the corner.
pub fn compare() -> Vec<Comparison> {
    let mut arena = Arena::new(&PROOF, HZ);
    let table = arena.table().clone();
    let nearest = |to: Vec2| {
        let far = |pocket: &&Pocket| pocket.center.distance(to);
        let pockets = table.pockets.iter();
        pockets.min_by(|a, b| far(a).total_cmp(&far(b))).copied()
    };
    let kinds = [
        (
            "A middle pocket takes balls within this width",
            Vec2::Y * PROOF.half.y,
            Vec2::Y,
            SIDE,
        ),
        (
            "A corner pocket takes balls within this width",
            PROOF.half,
            Vec2::ONE.normalize(),
            CORNER,
        ),
    ];
    let compare = |(title, at, axis, widths): (_, Vec2, Vec2, &Widths)| {
        let pocket = nearest(at)?;
        let curves = [("slow", SLOW), ("fast", FAST)].into_iter().enumerate();
        let curves = curves.map(|(k, (name, speed))| {
            let points = widths.iter().map(|(angle, published)| Point {
                at: *angle,
                published: published[k] * f64::from(INCH) * 1e3,
                ours: 1e3
                    * f64::from(width(
                        &mut arena,
                        &pocket,
                        axis,
                        *angle as f32,
                        speed,
                        LONGEST[k],
                    )),
            });
            Curve::new(name, points.collect())
        });
        Some(Comparison {
            title,
            source: "computed: D. G. Alciatore, technical proofs 3.5 to 3.8, read off the curves",
            over: "angle between the ball's way and the axis of the pocket, degrees",
            of: "width, mm",
            curves: curves.collect(),
        })
    };
    kinds.into_iter().filter_map(compare).collect()
}

/// The width in m over which balls that come at this angle from the axis fall into the pocket.
fn width(
    arena: &mut Arena,
    pocket: &Pocket,
    axis: Vec2,
    degrees: f32,
    speed: f32,
    longest: f32,
) -> f32 {
    let spec = arena.table().spec;
    let radius = spec.ball.radius;
    let way = Vec2::from_angle(degrees.to_radians()).rotate(axis);
    // The middle of the mouth.
    let side = spec.pockets.map_or(0.0, |pockets| {
        let kind = if axis.x == 0.0 {
            pockets.side
        } else {
            pockets.corner
        };
        kind.shelf + kind.hole
    });
    let mouth = pocket.center - side * axis;
    let count = (REACH / PITCH) as i32;
    let starts = (-count..=count).map(|k| {
        let aside = k as f32 * PITCH * way.perp();
        mouth - RUN_UP * way + aside
    });
    let room = spec.half - radius;
    let flights: Vec<Flight> = starts
        .filter(|at| at.abs().cmple(room).all())
        .map(|at| Flight::on_bed(at, speed * way, 1.0, radius))
        .collect();
    arena.throw(&flights);
    let mut fates = vec![Fate::Near; flights.len()];
    let mut before = flights;
    for _ in 0..(longest * HZ as f32) as u32 {
        let after = arena.step();
        let near = fates.iter_mut().zip(before.iter().zip(&after));
        for (fate, (before, after)) in near.filter(|(fate, _)| **fate == Fate::Near) {
            let [from, to] = [before, after].map(|ball| above(ball.at, radius));
            if pocket.takes(from, to) {
                *fate = Fate::Down;
            } else if after.at.distance(mouth) > GONE {
                *fate = Fate::Gone;
            }
        }
        before = after;
    }
    let down = fates.iter().filter(|fate| **fate == Fate::Down);
    down.count() as f32 * PITCH
}
