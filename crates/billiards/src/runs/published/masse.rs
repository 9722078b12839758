//! The way of a ball that a raised cue hits beside the centre.

use bevy::prelude::*;

use super::{
    arena::{Arena, Flight},
    comparison::{Comparison, Curve, Point},
};
use crate::{
    play::blow::Blow,
    table::spec::{CAROM, CueSpec},
};

const HZ: f64 = 480.0;
/// Of the cue, in m/s.
const SPEED: f32 = 1.2;
/// Longer than any ball slides.
const SECONDS: f64 = 1.5;
/// Elevations of the cue in degrees.
const ELEVATIONS: [f32; 6] = [30.0, 40.0, 50.0, 60.0, 70.0, 80.0];
/// Right of the centre and below it, in radii, and the name.
const TIPS: [(f32, f32, &str); 3] = [
    (0.3, 0.0, "hit 0.3 radii right"),
    (0.3, 0.2, "hit 0.3 right, 0.2 low"),
    (0.2, -0.2, "hit 0.2 right, 0.2 high"),
];

/// The angle between the cue and the ball's last way, on open cloth.
pub fn compare() -> Comparison {
    let mut arena = Arena::new(&CAROM, HZ);
    let curves = TIPS.map(|(right, below, name)| {
        let ours = final_angles(&mut arena, right, below);
        let points = ELEVATIONS.iter().zip(ours).map(|(elevation, ours)| Point {
            at: (*elevation).into(),
            published: coriolis(*elevation, right, below).into(),
            ours: ours.into(),
        });
        Curve::new(name, points.collect())
    });
    Comparison {
        title: "A massé ends at this angle from the cue",
        source: "closed form: G.-G. Coriolis, Théorie mathématique des effets du jeu de billard, 1835, in D. G. Alciatore, \
                 technical proof A.19",
        over: "elevation of the cue, degrees",
        of: "angle, degrees",
        curves: curves.into(),
    }
}

/// tan θ = a·sin φ/(cos φ − b), with a right of the centre and b below it in radii: whatever the friction and the speed.
pub fn coriolis(elevation: f32, right: f32, below: f32) -> f32 {
    let (sin, cos) = elevation.to_radians().sin_cos();
    (right * sin).atan2(cos - below).to_degrees()
}

/// The angles of the last ways to the right of the cue, in degrees, for all elevations.
fn final_angles(arena: &mut Arena, right: f32, below: f32) -> Vec<f32> {
    let spec = arena.table().spec;
    // Squirt is not part of the formula.
    let cue = CueSpec {
        end_mass: 1e-9,
        ..spec.cue
    };
    let flights: Option<Vec<Flight>> = ELEVATIONS
        .iter()
        .map(|elevation| {
            let blow = Blow {
                direction: Vec2::X,
                elevation: elevation.to_radians(),
                tip: Vec2::new(right, -below),
                speed: SPEED,
            };
            let struck = blow.strike(&cue, &spec.ball).ok()?;
            Some(Flight {
                at: -0.5 * spec.half.x * Vec2::X,
                velocity: struck.velocity,
                spin: struck.spin,
            })
        })
        .collect();
    let Some(flights) = flights else {
        return vec![f32::NAN; ELEVATIONS.len()];
    };
    arena.throw(&flights);
    for _ in 1..(SECONDS * HZ) as u32 {
        arena.step();
    }
    let last = arena.step();
    last.iter()
        .map(|ball| ball.velocity.z.atan2(ball.velocity.x).to_degrees())
        .collect()
}
