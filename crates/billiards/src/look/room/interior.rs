//! Floor, walls and ceiling, with the room's light painted on.

use bevy::prelude::*;

use super::{
    light::RoomLight,
    wall::{Wall, Walls},
};
use crate::{
    look::shapes::{CORNERS, Facets},
    play::leaving::FLOOR,
    table::bed::above,
};

/// Height of the ceiling above the cloth, in m.
pub(super) const CEILING: f32 = 2.2;
/// Top of the panelling.
const PANELS: f32 = 0.24;
/// Tops of the skirting and of the picture rail, with their thickness.
const SKIRTING: f32 = FLOOR + 0.14;
const PICTURE_RAIL: f32 = 1.55;
const WOOD: LinearRgba = LinearRgba::rgb(0.64, 0.50, 0.41);

/// A floor of boards. The lamp's light and the table's shadow lie on it.
pub(super) fn floor(walls: &Walls, light: &RoomLight) -> Mesh {
    let mut floor = Facets::new(Vec3::X);
    floor.piece = 0.1;
    floor.quad(CORNERS.map(|corner| above(walls.half() * corner, FLOOR)));
    floor.painted(|at, normal| light.on(at, normal))
}

/// Wood up to the height of a table: upright boards behind rails and stiles.
pub(super) fn panelling(walls: &Walls, light: &RoomLight) -> Mesh {
    let mut wood = Facets::new(Vec3::Y);
    wood.piece = 0.3;
    for wall in walls.all() {
        panels(&mut wood, wall);
    }
    wood.painted(|at, normal| light.on(at, normal))
}

fn panels(wood: &mut Facets, wall: &Wall) {
    /// About the distance from one stile to the next.
    const PITCH: f32 = 0.62;
    const STILE: f32 = 0.045;
    let whole = [-wall.half, wall.half];
    wood.grain = Vec3::Y;
    wood.tint = WOOD;
    wall.face(wood, whole, [SKIRTING, PANELS], 0.006);
    let count = (2.0 * wall.half / PITCH).round();
    for k in 0..=count as u32 {
        let middle = wall.half * (2.0 * k as f32 / count - 1.0);
        let along = [middle - STILE, middle + STILE];
        wall.block(wood, along, [SKIRTING, PANELS], [0.006, 0.024]);
    }
    wood.grain = wall.right();
    for (height, out) in [
        ([FLOOR, SKIRTING], 0.030),
        ([SKIRTING, SKIRTING + 0.07], 0.024),
        ([PANELS - 0.11, PANELS - 0.03], 0.024),
        ([PANELS - 0.03, PANELS], 0.050),
    ] {
        wood.tint = WOOD * if out > 0.04 { 1.3 } else { 1.0 };
        wall.block(wood, whole, height, [0.0, out]);
    }
}

/// Papered walls with a picture rail, and the ceiling.
pub(super) fn walls(walls: &Walls, light: &RoomLight) -> Mesh {
    const PAPER: LinearRgba = LinearRgba::rgb(0.200, 0.095, 0.078);
    const PLASTER: LinearRgba = LinearRgba::rgb(0.42, 0.36, 0.28);
    let mut faces = Facets::new(Vec3::X);
    faces.piece = 0.15;
    for wall in walls.all() {
        let whole = [-wall.half, wall.half];
        faces.tint = PAPER;
        wall.face(&mut faces, whole, [PANELS, PICTURE_RAIL], 0.0);
        faces.tint = WOOD * 0.5;
        wall.block(
            &mut faces,
            whole,
            [PICTURE_RAIL, PICTURE_RAIL + 0.05],
            [0.0, 0.03],
        );
        faces.tint = PLASTER;
        wall.face(&mut faces, whole, [PICTURE_RAIL + 0.05, CEILING], 0.0);
    }
    faces.piece = 0.4;
    let [a, b, c, d] = CORNERS.map(|corner| above(walls.half() * corner, CEILING));
    faces.quad([d, c, b, a]);
    faces.painted(|at, normal| light.on(at, normal))
}
