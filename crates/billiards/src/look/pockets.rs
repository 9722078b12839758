//! The pockets as they are seen: a pool table's castings and holes, a snooker table's leather, brass plates and nets.
//!
//! All shapes are made for a pocket on the +z side, a corner for +x too, as seen from the pocket's centre.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use bevy::prelude::*;

use super::{furniture::RAIL_BOTTOM, shapes::Facets};
use crate::{
    play::leaving::POCKET_DEPTH,
    table::{
        bed::above,
        cushion::{CUSHION_DEPTH, RAIL_WIDTH},
        pocket::Pocket,
        spec::TableSpec,
    },
};

/// From a pocket's centre to where the straight wood of the rails starts.
pub(super) const CASTING_REACH: f32 = 0.09;
/// Top of the castings round the pockets above the cloth.
const CASTING_HEIGHT: f32 = 0.052;
/// Straight pieces that a pocket's rim is made of.
pub(super) const RIM_PIECES: usize = 40;

fn is_side(pocket: &Pocket) -> bool {
    pocket.center.x == 0.0
}

/// Where the shapes of this pocket go, and how they are turned.
pub(super) fn place(pocket: &Pocket) -> Transform {
    let turns = match (
        is_side(pocket),
        pocket.center.x > 0.0,
        pocket.center.y > 0.0,
    ) {
        (true, _, true) | (false, true, true) => 0.0,
        (false, true, false) => 1.0,
        (true, _, false) | (false, false, false) => 2.0,
        (false, false, true) => 3.0,
    };
    Transform::from_translation(above(pocket.center, 0.0))
        .with_rotation(Quat::from_rotation_y(turns * FRAC_PI_2))
}

/// The ring round a pocket, open to the bed.
pub(super) fn casting(pocket: &Pocket, table: &TableSpec) -> Mesh {
    let [inner, outer] = lines(pocket, table);
    ring(&evenly(&inner), &evenly(&outer))
}

/// The ring round a snooker pocket: the leather inside, and the brass plates outside.
pub(super) fn plated(pocket: &Pocket, table: &TableSpec) -> [Mesh; 2] {
    /// Width of the leather in m.
    const LEATHER: f32 = 0.034;
    let [inner, outer] = lines(pocket, table).map(|line| evenly(&line));
    let between = inner.iter().zip(&outer);
    let between: Vec<Vec2> = between
        .map(|(inner, outer)| *inner + (*outer - *inner).clamp_length_max(LEATHER))
        .collect();
    [ring(&inner, &between), ring(&between, &outer)]
}

/// A net of cords under a snooker pocket.
pub(super) fn net(pocket: &Pocket) -> Mesh {
    const MESHES: usize = 14;
    const ROWS: usize = 6;
    /// Half the thickness of a cord in m.
    const CORD: f32 = 0.0012;
    let knot = |column: f32, row: usize| {
        let depth = row as f32 / ROWS as f32;
        let radius = pocket.radius * (1.0 - 0.45 * depth.powi(3));
        let at = radius * Vec2::from_angle(TAU * column / MESHES as f32);
        above(at, -POCKET_DEPTH * depth)
    };
    let mut net = Facets::new(Vec3::X);
    for row in 0..ROWS {
        for column in 0..MESHES {
            // Each row of knots is half a mesh beside the one above.
            let from = column as f32 + 0.5 * (row % 2) as f32;
            for to in [from - 0.5, from + 0.5] {
                let [top, bottom] = [knot(from, row), knot(to, row + 1)];
                let aside = CORD * (bottom - top).cross(top.with_y(0.0)).normalize_or_zero();
                net.quad([top - aside, top + aside, bottom + aside, bottom - aside]);
            }
        }
    }
    net.mesh()
}

/// The lines along the inside and the outside of a pocket's ring.
fn lines(pocket: &Pocket, table: &TableSpec) -> [Vec<Vec2>; 2] {
    if is_side(pocket) {
        side_lines(pocket, table)
    } else {
        corner_lines(pocket, table)
    }
}

/// The lines along the inside and the outside of a corner pocket's ring.
fn corner_lines(pocket: &Pocket, table: &TableSpec) -> [Vec<Vec2>; 2] {
    const ROUNDING: f32 = 0.045;
    let offset = pocket.center.x.abs() - table.half.x;
    let (back, outer) = (CUSHION_DEPTH - offset, RAIL_WIDTH - offset);
    let inside = (back / pocket.radius).asin();
    let mut inner = vec![Vec2::new(-CASTING_REACH, back)];
    inner.extend(arc(
        Vec2::ZERO,
        pocket.radius,
        PI - inside,
        inside - FRAC_PI_2,
    ));
    inner.push(Vec2::new(back, -CASTING_REACH));
    let mut rim = vec![Vec2::new(-CASTING_REACH, outer)];
    rim.extend(arc(Vec2::splat(outer - ROUNDING), ROUNDING, FRAC_PI_2, 0.0));
    rim.push(Vec2::new(outer, -CASTING_REACH));
    [inner, rim]
}

/// The lines along the inside and the outside of a side pocket's ring.
fn side_lines(pocket: &Pocket, table: &TableSpec) -> [Vec<Vec2>; 2] {
    let offset = pocket.center.y.abs() - table.half.y;
    let (back, outer) = (CUSHION_DEPTH - offset, RAIL_WIDTH - offset);
    let inside = (back / pocket.radius).asin();
    let mut inner = vec![Vec2::new(-CASTING_REACH, back)];
    inner.extend(arc(Vec2::ZERO, pocket.radius, PI - inside, inside));
    inner.push(Vec2::new(CASTING_REACH, back));
    let rim = [-CASTING_REACH, CASTING_REACH].map(|x| Vec2::new(x, outer));
    [inner, rim.to_vec()]
}

/// Points of a part of a circle.
pub(super) fn arc(center: Vec2, radius: f32, from: f32, to: f32) -> impl Iterator<Item = Vec2> {
    (0..=RIM_PIECES).map(move |i| {
        center + radius * Vec2::from_angle(from.lerp(to, i as f32 / RIM_PIECES as f32))
    })
}

/// The solid between two lines round a pocket.
fn ring(inner: &[Vec2], outer: &[Vec2]) -> Mesh {
    let wall: Vec<_> = inner.iter().map(|at| above(*at, -0.005)).collect();
    let lip: Vec<_> = inner.iter().map(|at| above(*at, CASTING_HEIGHT)).collect();
    let edge: Vec<_> = inner
        .iter()
        .zip(outer)
        .map(|(inner, outer)| {
            above(
                *outer + (*inner - *outer).clamp_length_max(0.009),
                CASTING_HEIGHT,
            )
        })
        .collect();
    let shoulder: Vec<_> = outer
        .iter()
        .map(|at| above(*at, CASTING_HEIGHT - 0.012))
        .collect();
    let skirt: Vec<_> = outer.iter().map(|at| above(*at, RAIL_BOTTOM)).collect();
    let mut ring = Facets::new(Vec3::X);
    for pair in [wall, lip, edge, shoulder, skirt].windows(2) {
        ring.strip(&pair[0], &pair[1]);
    }
    ring.mesh()
}

/// Points at equal distances along a line.
fn evenly(line: &[Vec2]) -> Vec<Vec2> {
    let length: f32 = line.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let pieces = 2 * RIM_PIECES;
    (0..=pieces)
        .map(|i| {
            let mut left = length * i as f32 / pieces as f32;
            for pair in line.windows(2) {
                let piece = pair[0].distance(pair[1]);
                if left <= piece {
                    return pair[0].lerp(pair[1], left / piece);
                }
                left -= piece;
            }
            line[line.len() - 1]
        })
        .collect()
}

/// The inside of a pocket under the bed.
pub(super) fn hole(pocket: &Pocket) -> Mesh {
    let ring = |height| {
        arc(Vec2::ZERO, pocket.radius, 0.0, TAU)
            .map(|at| above(at, height))
            .collect::<Vec<_>>()
    };
    let (top, bottom) = (ring(-0.001), ring(-POCKET_DEPTH));
    let mut hole = Facets::new(Vec3::X);
    hole.strip(&top, &bottom);
    hole.fan(&bottom);
    hole.mesh()
}
