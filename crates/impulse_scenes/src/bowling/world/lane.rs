//! The lane, its oil, the gutters, the walls beside the pins, and the pit.

use std::f32::consts::FRAC_PI_2;

use bevy::{
    asset::RenderAssetUsages,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};
use bevy_impulse_collide::prelude::*;

use super::measures::{
    BALL_RADIUS, BOARD, DECK, GUTTER, GUTTER_DEPTH, PIT, PIT_DEPTH, TO_PINS, WIDTH,
};

/// Friction of a ball on oil, and on the dry boards (D. Frohlich, What makes bowling balls hook?, Am. J. Phys. 72 (2004) 1170).
pub const OILED: f32 = 0.04;
/// See [`OILED`].
pub const DRY: f32 = 0.2;
/// How far from the foul line the oil reaches: 40 ft, as in many house patterns.
pub const OIL_LENGTH: f32 = 12.192;
/// The last part of the oil, which is brushed out thin.
const BRUSHED: f32 = 2.0;
/// Boards from the middle of the lane with full oil, and boards from there to its edge.
const FULL: f32 = 8.0;
const OUTER: f32 = 11.5;
/// The oil at the edge of the lane, as a part of that in the middle.
const EDGE_OIL: f32 = 0.4;

/// The lane, whose friction against the ball is that of the place.
#[derive(Component, Clone, Copy, Debug)]
pub struct Lane;

/// What stands beside and behind the lane, for the view.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The channel at the left or at the right.
    Gutter,
    /// The floor beside the gutter.
    Capping,
    /// The wall beside the pins.
    Kickback,
    /// The floor of the pit, and the cushion behind it.
    Pit,
}

/// How much oil is on the lane at `x` m from its middle, `along` m from the foul line: 1 is all, 0 is dry.
pub fn oil(x: f32, along: f32) -> f32 {
    let end = ((OIL_LENGTH - along) / BRUSHED).clamp(0.0, 1.0);
    let outer = ((x.abs() / BOARD - FULL) / OUTER).clamp(0.0, 1.0);
    end * 1.0.lerp(EDGE_OIL, outer)
}

/// Friction of a ball on the lane there.
pub fn friction(x: f32, along: f32) -> f32 {
    DRY.lerp(OILED, oil(x, along))
}

/// Gives the ball the friction of the place where it touches the lane. One lane with a hook has no seams, as many strips would.
pub fn oil_the_lane(mut pairs: ResMut<NearPairs>, lanes: Query<(), With<Lane>>) {
    for pair in pairs.iter_mut() {
        if lanes.contains(pair.a) || lanes.contains(pair.b) {
            pair.friction = Some(friction(pair.point.x, -pair.point.z));
        }
    }
}

/// Where the lane ends, and the pit begins.
pub const END: f32 = -TO_PINS - DECK;
/// Length of the approach on which the bowler stands.
pub const APPROACH: f32 = 4.6;

/// A gutter's surface: a part of a cylinder, from z = 0 to the end of the lane. Its middle line is x = 0.
pub fn gutter() -> Mesh {
    const ACROSS: usize = 12;
    const ALONG: usize = 20;
    // The circle through both edges and the deepest point.
    let radius = (0.25 * GUTTER * GUTTER + GUTTER_DEPTH * GUTTER_DEPTH) / (2.0 * GUTTER_DEPTH);
    debug_assert!(radius > BALL_RADIUS);
    let half = (0.5 * GUTTER / radius).asin();
    let half = if GUTTER_DEPTH > radius {
        2.0 * FRAC_PI_2 - half
    } else {
        half
    };
    let (mut positions, mut normals, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..=ALONG {
        for j in 0..=ACROSS {
            let angle = half * (2.0 * j as f32 / ACROSS as f32 - 1.0);
            let out = Vec3::new(angle.sin(), -angle.cos(), 0.0);
            let z = END * i as f32 / ALONG as f32;
            positions.push(radius * out + Vec3::new(0.0, radius - GUTTER_DEPTH, z));
            normals.push(-out);
        }
    }
    let row = ACROSS as u32 + 1;
    for i in 0..ALONG as u32 {
        for j in 0..ACROSS as u32 {
            let at = i * row + j;
            indices.extend([at, at + 1, at + row, at + 1, at + row + 1, at + row]);
        }
    }
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::default(),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, vec![[0.0_f32; 2]; positions.len()])
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
    .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
    .with_inserted_indices(Indices::U32(indices))
}

/// The boxes beside and behind the lane: their sizes, their middles, and what they are.
pub fn boxes() -> Vec<(Vec3, Vec3, Part)> {
    let outside = 0.5 * WIDTH + GUTTER;
    let back = END - PIT;
    let mut boxes = vec![
        (
            Vec3::new(2.0 * outside + 0.1, 0.1, PIT + 0.2),
            Vec3::new(0.0, -PIT_DEPTH - 0.05, END - 0.5 * PIT),
            Part::Pit,
        ),
        (
            Vec3::new(2.0 * outside + 0.1, 1.6, 0.1),
            Vec3::new(0.0, 0.4, back - 0.05),
            Part::Pit,
        ),
    ];
    for side in [-1.0, 1.0] {
        // From 30 cm before the head pin to the back of the pit.
        let begin = -TO_PINS + 0.3;
        boxes.push((
            Vec3::new(0.1, 1.4, begin - back),
            Vec3::new(side * (outside + 0.05), 0.3, 0.5 * (begin + back)),
            Part::Kickback,
        ));
        boxes.push((
            Vec3::new(0.3, 0.3, -begin),
            Vec3::new(side * (outside + 0.15), -0.13, 0.5 * begin),
            Part::Capping,
        ));
    }
    boxes
}

/// Restitution and friction of a part. Pins knock on the walls, and fall soft into the pit. No measurement was found.
fn material(part: Part) -> (Restitution, Friction) {
    let (restitution, friction) = match part {
        Part::Gutter | Part::Capping => (0.2, 0.2),
        Part::Kickback => (0.4, 0.3),
        Part::Pit => (0.02, 0.8),
    };
    (Restitution(restitution), Friction(friction))
}

/// Puts up everything that stands, the pins aside.
pub fn spawn_lane(mut commands: Commands) {
    // The approach is a part of it: the ball starts on the same surface.
    let length = APPROACH - END;
    commands.spawn((
        Lane,
        Collider::cuboid(WIDTH, 0.4, length),
        // Against pins. Against the ball, the oil tells the friction.
        (Restitution(0.3), Friction(DRY)),
        Transform::from_xyz(0.0, -0.2, APPROACH - 0.5 * length),
    ));
    let channel = gutter();
    for side in [-1.0, 1.0] {
        commands.spawn((
            Part::Gutter,
            Collider::smooth_from_mesh(&channel, MeshSides::Two),
            material(Part::Gutter),
            Transform::from_xyz(side * 0.5 * (WIDTH + GUTTER), 0.0, 0.0),
        ));
    }
    for (size, middle, part) in boxes() {
        commands.spawn((
            part,
            Collider::cuboid(size.x, size.y, size.z),
            material(part),
            Transform::from_translation(middle),
        ));
    }
    // Whatever flies off lands on the floor of the hall.
    commands.spawn((
        Plane::new(Vec3::Y),
        material(Part::Pit),
        Transform::from_xyz(0.0, -PIT_DEPTH - 0.2, 0.0),
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oil_is_thick_in_front_and_in_the_middle() {
        assert!((friction(0.0, 1.0) - OILED).abs() < 1e-6);
        assert!((friction(0.0, OIL_LENGTH) - DRY).abs() < 1e-6);
        assert!(friction(0.5 * WIDTH, 1.0) > friction(0.0, 1.0));
        assert!(friction(0.0, OIL_LENGTH - 0.5 * BRUSHED) > friction(0.0, 1.0));
    }
}
