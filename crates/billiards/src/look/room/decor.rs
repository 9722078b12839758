//! What stands and hangs along the walls: cues, pictures, lights, a bench, a window on the night, and a bar.

use bevy::prelude::*;

use super::{
    light::{Glow, RoomLight},
    wall::{Wall, Walls},
};
use crate::{
    look::{shapes::Facets, textures::ball_color},
    play::leaving::FLOOR,
    rules::Ball,
};

const DARK_WOOD: LinearRgba = LinearRgba::rgb(0.130, 0.062, 0.036);
const BRASS: LinearRgba = LinearRgba::rgb(0.55, 0.36, 0.13);
const LEATHER: LinearRgba = LinearRgba::rgb(0.23, 0.055, 0.045);

/// Height of the lights on the walls above the cloth, and how far they stand out, in m.
const SCONCE: (f32, f32) = (0.98, 0.13);
/// Light of the bar's shelf, and of the moon in the window.
const BAR_LIGHT: Vec3 = Vec3::new(0.24, 0.16, 0.08);
const MOON: Vec3 = Vec3::new(0.030, 0.045, 0.075);

/// Where a wall's two lights are: so far from its middle.
fn sconces(wall: &Wall) -> [f32; 2] {
    [-0.62 * wall.half, 0.62 * wall.half]
}

/// The lights on the walls, in the bar and in the window.
pub(super) fn glows(walls: &Walls) -> Vec<Glow> {
    const WARM: Vec3 = Vec3::new(0.110, 0.080, 0.050);
    let (height, out) = SCONCE;
    let on_walls = [&walls.back, &walls.front, &walls.foot]
        .into_iter()
        .flat_map(|wall| {
            sconces(wall).map(|right| Glow {
                at: wall.at(right, height, out),
                color: WARM,
            })
        });
    let bar = [-0.6, 0.0, 0.6].map(|right| Glow {
        at: walls.head.at(right, 0.95, 0.30),
        color: BAR_LIGHT / 3.0,
    });
    let moon = Glow {
        at: walls.foot.at(0.0, 0.8, 0.5),
        color: MOON,
    };
    on_walls.chain(bar).chain([moon]).collect()
}

/// All of it as one mesh.
pub(super) fn furniture(walls: &Walls, light: &RoomLight) -> Mesh {
    let mut things = Facets::new(Vec3::Y);
    for wall in [&walls.back, &walls.front, &walls.foot] {
        for right in sconces(wall) {
            sconce(&mut things, wall, right);
        }
    }
    cue_rack(&mut things, &walls.back, -0.9);
    picture(&mut things, &walls.back, 0.9);
    picture(&mut things, &walls.front, 0.0);
    window(&mut things, &walls.foot);
    bench(&mut things, &walls.foot);
    bar(&mut things, &walls.head);
    let mut lit = things.painted(|at, normal| light.on(at, normal));
    let same = lit.merge(&shining(walls).painted(|_, _| Vec3::ONE));
    debug_assert!(same.is_ok(), "both have the same attributes");
    lit
}

/// What has light of its own: the shades on the walls, the panes of the window, and a tube over the bar.
fn shining(walls: &Walls) -> Facets {
    const SHADE: LinearRgba = LinearRgba::rgb(1.1, 0.72, 0.36);
    let mut things = Facets::new(Vec3::Y);
    things.tint = SHADE;
    let (height, out) = SCONCE;
    for wall in [&walls.back, &walls.front, &walls.foot] {
        for right in sconces(wall) {
            let outline = [(0.045, 0.09), (0.075, -0.09)];
            things.turned(wall.at(right, height, out), &outline, 16);
        }
    }
    walls
        .head
        .block(&mut things, [-BAR, BAR], [1.30, 1.33], [0.04, 0.10]);
    panes(&mut things, &walls.foot);
    things
}

/// The arm of a light.
fn sconce(things: &mut Facets, wall: &Wall, right: f32) {
    let (height, out) = SCONCE;
    things.tint = BRASS;
    wall.block(
        things,
        [right - 0.04, right + 0.04],
        [height - 0.22, height - 0.06],
        [0.0, 0.015],
    );
    wall.block(
        things,
        [right - 0.008, right + 0.008],
        [height - 0.14, height - 0.12],
        [0.0, out],
    );
}

/// Cues on a board.
fn cue_rack(things: &mut Facets, wall: &Wall, right: f32) {
    const CUES: usize = 6;
    const PITCH: f32 = 0.11;
    const SHAFT: LinearRgba = LinearRgba::rgb(0.62, 0.40, 0.19);
    let half = 0.5 * PITCH * CUES as f32;
    let whole = [right - half - 0.03, right + half + 0.03];
    things.tint = DARK_WOOD;
    wall.block(things, whole, [-0.50, -0.44], [0.0, 0.10]);
    wall.block(things, whole, [0.62, 0.70], [0.0, 0.05]);
    for k in 0..CUES {
        let at = wall.at(right - half + PITCH * (k as f32 + 0.5), 0.0, 0.065);
        things.tint = SHAFT;
        things.turned(at, &[(0.006, 1.0), (0.010, 0.25)], 8);
        things.tint = if k % 2 == 0 { DARK_WOOD } else { LEATHER };
        things.turned(at, &[(0.010, 0.25), (0.015, -0.44)], 8);
    }
}

/// A picture of nine balls in a frame.
fn picture(things: &mut Facets, wall: &Wall, right: f32) {
    const MIDDLE: f32 = 0.95;
    const HALF: f32 = 0.34;
    const PAPER: LinearRgba = LinearRgba::rgb(0.62, 0.54, 0.40);
    let square = |half: f32| ([right - half, right + half], [MIDDLE - half, MIDDLE + half]);
    things.tint = BRASS * 0.6;
    let (along, height) = square(HALF);
    wall.block(things, along, height, [0.0, 0.03]);
    things.tint = PAPER;
    let (along, height) = square(HALF - 0.035);
    wall.face(things, along, height, 0.031);
    // A diamond, row by row.
    let rows = [1, 2, 3, 2, 1];
    let mut number = 0;
    for (row, count) in rows.into_iter().enumerate() {
        for k in 0..count {
            number += 1;
            things.tint = ball_color(Ball(number)).into();
            let aside = 0.105 * (k as f32 - 0.5 * (count - 1) as f32);
            let up = 0.091 * (2.0 - row as f32);
            wall.disc(things, right + aside, MIDDLE + up, 0.033, 0.05);
        }
    }
}

/// Half the width of the window, its sill and its lintel.
const WINDOW: f32 = 0.62;
const SILL: f32 = 0.36;
const LINTEL: f32 = 1.42;

/// The frame of a window.
fn window(things: &mut Facets, wall: &Wall) {
    things.tint = DARK_WOOD;
    wall.block(things, [-WINDOW, WINDOW], [SILL, LINTEL], [0.0, 0.02]);
    let sill = [-WINDOW - 0.06, WINDOW + 0.06];
    wall.block(things, sill, [SILL - 0.04, SILL], [0.0, 0.09]);
}

/// The night in the window, lighter higher up.
fn panes(things: &mut Facets, wall: &Wall) {
    const NIGHT: LinearRgba = LinearRgba::rgb(0.012, 0.024, 0.055);
    const COLUMNS: usize = 4;
    const ROWS: usize = 3;
    const BARS: f32 = 0.03;
    let (wide, tall) = (2.0 * WINDOW / COLUMNS as f32, (LINTEL - SILL) / ROWS as f32);
    for row in 0..ROWS {
        things.tint = NIGHT * (1.0 + 0.5 * row as f32);
        let low = SILL + row as f32 * tall;
        for column in 0..COLUMNS {
            let left = -WINDOW + column as f32 * wide;
            let pane = [left + BARS, left + wide - BARS];
            wall.face(things, pane, [low + BARS, low + tall - BARS], 0.022);
        }
    }
}

/// A long seat.
fn bench(things: &mut Facets, wall: &Wall) {
    let along = [-1.0, 1.0];
    things.piece = 0.3;
    things.tint = DARK_WOOD;
    wall.block(things, along, [FLOOR, FLOOR + 0.36], [0.03, 0.42]);
    things.tint = LEATHER;
    wall.block(things, along, [FLOOR + 0.36, FLOOR + 0.46], [0.03, 0.46]);
    for k in 0..4 {
        let left = -1.0 + 0.5 * k as f32;
        let cushion = [left + 0.006, left + 0.494];
        wall.block(things, cushion, [FLOOR + 0.46, FLOOR + 0.86], [0.03, 0.11]);
    }
    things.piece = f32::INFINITY;
}

/// Half the length of the bar.
const BAR: f32 = 1.25;

/// A bar with shelves of bottles that is lit from above.
fn bar(things: &mut Facets, wall: &Wall) {
    const TOP: f32 = FLOOR + 1.08;
    const SHELVES: [f32; 2] = [0.48, 0.88];
    things.piece = 0.3;
    things.tint = DARK_WOOD;
    wall.block(things, [-BAR, BAR], [FLOOR, TOP - 0.05], [0.62, 1.0]);
    things.tint = DARK_WOOD * 1.8;
    wall.block(
        things,
        [-BAR - 0.05, BAR + 0.05],
        [TOP - 0.05, TOP],
        [0.56, 1.08],
    );
    // The back, darker than the shelves before it.
    things.piece = 0.1;
    things.tint = DARK_WOOD * 0.9;
    wall.face(things, [-BAR, BAR], [FLOOR, 1.34], 0.032);
    things.piece = f32::INFINITY;
    for shelf in SHELVES {
        things.tint = DARK_WOOD * 2.0;
        wall.block(things, [-BAR, BAR], [shelf - 0.03, shelf], [0.03, 0.24]);
        for k in 0..14 {
            let right = -BAR + 0.12 + 0.174 * k as f32;
            bottle(
                things,
                wall.at(right, shelf, 0.14),
                k + (10.0 * shelf) as usize,
            );
        }
    }
    for right in [-0.8, 0.0, 0.8] {
        stool(things, wall.at(right, 0.0, 1.35));
    }
}

fn bottle(things: &mut Facets, at: Vec3, kind: usize) {
    const GLASS: [LinearRgba; 5] = [
        LinearRgba::rgb(0.45, 0.20, 0.04),
        LinearRgba::rgb(0.06, 0.26, 0.09),
        LinearRgba::rgb(0.62, 0.56, 0.44),
        LinearRgba::rgb(0.34, 0.07, 0.03),
        LinearRgba::rgb(0.10, 0.22, 0.36),
    ];
    let (tall, wide) = (
        0.24 + 0.02 * (kind % 4) as f32,
        0.030 + 0.004 * (kind % 3) as f32,
    );
    things.tint = GLASS[kind % GLASS.len()];
    let outline = [
        (0.012, tall),
        (0.012, 0.72 * tall),
        (wide, 0.55 * tall),
        (wide, 0.0),
    ];
    things.turned(at, &outline, 10);
}

fn stool(things: &mut Facets, at: Vec3) {
    const SEAT: f32 = FLOOR + 0.74;
    things.tint = LEATHER;
    things.turned(
        at,
        &[(0.002, SEAT), (0.17, SEAT - 0.01), (0.17, SEAT - 0.07)],
        20,
    );
    things.tint = BRASS * 0.25;
    things.turned(
        at,
        &[(0.025, SEAT - 0.07), (0.025, FLOOR + 0.03), (0.15, FLOOR)],
        12,
    );
}
