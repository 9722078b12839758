//! Lane, gutters, walls and pit as one sees them, and two lanes beside them.

use bevy::prelude::*;
use scene_kit::picture::picture;

use super::paint;
use crate::bowling::world::{
    lane::{APPROACH, END, Part, boxes, gutter, oil},
    measures::{BOARD, BOARDS, GUTTER, INCH, PINS, TO_PINS, WIDTH, board, spot},
};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn_floor);
}

/// From the middle of a lane to that of the next one.
pub(super) const NEXT_LANE: f32 = WIDTH + 2.0 * GUTTER + 0.28;

/// Length of the pieces of wood in a board.
const PIECE: f32 = 2.2;

/// A number from 0 to 1 that looks random.
fn noise(a: i32, b: i32) -> f32 {
    let mixed = (a.wrapping_mul(73_856_093) ^ b.wrapping_mul(19_349_663)) as u32;
    let mixed = mixed.wrapping_mul(2_654_435_761);
    (mixed >> 8) as f32 / (1 << 24) as f32
}

/// Wood: boards of several shades, with a seam between two.
fn wood(x: f32, along: f32) -> Vec3 {
    let across = x / BOARD + 0.5 * BOARDS;
    let number = across.floor() as i32;
    let piece = (along / PIECE + 7.0 * noise(number, 0)).floor() as i32;
    let grain = noise(
        (across * 9.0) as i32,
        (along * 3.0 + 9.0 * noise(number, 1)) as i32,
    );
    let shade = 0.86 + 0.10 * noise(number, piece) + 0.04 * grain;
    let seam = if (across.fract() - 0.5).abs() > 0.46 {
        0.86
    } else {
        1.0
    };
    // Maple where the ball lands and under the pins, pine between.
    let is_pine = (4.6..16.5).contains(&along);
    let tone = if is_pine {
        Vec3::new(0.86, 0.62, 0.34)
    } else {
        Vec3::new(0.88, 0.70, 0.46)
    };
    tone * shade * seam
}

/// The marks: ten dots 7 ft from the foul line, and seven arrows 12 to 16 ft from it, each on every fifth board.
fn is_mark(x: f32, along: f32) -> bool {
    const FOOT: f32 = 12.0 * INCH;
    let dot = [3.0, 5.0, 8.0, 11.0, 14.0, 26.0, 29.0, 32.0, 35.0, 37.0]
        .into_iter()
        .any(|number| Vec2::new(x - board(number), along - 7.0 * FOOT).length() < 0.45 * BOARD);
    let arrow = (1..=7).any(|k| {
        let number = 5.0 * k as f32;
        let tip = (15.8 - (number - 20.0).abs() / 15.0 * 3.3) * FOOT;
        let behind = tip - along;
        (0.0..0.16).contains(&behind) && (x - board(number)).abs() < 0.24 * behind
    });
    dot || arrow
}

/// The lane from the foul line to its end; the oil gives it a cool shine.
fn lane_picture() -> Image {
    let length = -END;
    picture(UVec2::new(39 * 8, 4096), |at| {
        let (x, along) = ((at.x - 0.5) * WIDTH, (1.0 - at.y) * length);
        let pin = (0..PINS).any(|index| {
            let spot = spot(index);
            Vec2::new(x - spot.x, along + spot.z).length() < 1.1 * INCH
        });
        let color = if is_mark(x, along) {
            Vec3::new(0.16, 0.09, 0.05)
        } else if pin {
            Vec3::new(0.30, 0.22, 0.15)
        } else {
            let oiled = 0.35 * oil(x, along);
            wood(x, along).lerp(Vec3::new(0.62, 0.66, 0.70), oiled)
        };
        Srgba::rgb(color.x, color.y, color.z)
    })
}

fn approach_picture(width: f32) -> Image {
    picture(UVec2::new(1024, 256), |at| {
        let color = 0.55 * wood((at.x - 0.5) * width, 20.0 + at.y * APPROACH);
        Srgba::rgb(color.x, color.y, color.z)
    })
}

fn spawn_floor(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut images: ResMut<Assets<Image>>,
) {
    let lane = materials.add(StandardMaterial {
        base_color_texture: Some(images.add(lane_picture())),
        perceptual_roughness: 0.28,
        reflectance: 0.6,
        ..default()
    });
    let hall = 3.0 * NEXT_LANE;
    let approach = materials.add(StandardMaterial {
        base_color_texture: Some(images.add(approach_picture(hall))),
        perceptual_roughness: 0.35,
        ..default()
    });
    let channel = materials.add(StandardMaterial {
        double_sided: true,
        cull_mode: None,
        ..paint(Color::srgb(0.07, 0.075, 0.09), 0.45)
    });
    let wall = materials.add(paint(Color::srgb(0.10, 0.10, 0.13), 0.6));
    let capping = materials.add(paint(Color::srgb(0.14, 0.12, 0.13), 0.5));
    let pit = materials.add(paint(Color::srgb(0.022, 0.022, 0.03), 0.95));
    let line = materials.add(paint(Color::srgb(0.05, 0.04, 0.04), 0.5));

    let surface = meshes.add(Plane3d::new(Vec3::Y, Vec2::new(0.5 * WIDTH, -0.5 * END)));
    let side = meshes.add(Cuboid::new(WIDTH, 0.2, -END - 0.01));
    let gutter = meshes.add(gutter());
    let lit = materials.add(StandardMaterial {
        emissive: LinearRgba::rgb(0.9, 0.75, 1.6),
        ..paint(Color::BLACK, 1.0)
    });
    let hall_wall = materials.add(paint(Color::srgb(0.16, 0.13, 0.20), 0.9));
    for side in [-1.0, 1.0] {
        // Walls with a strip of light, and strips under the ceiling.
        let x = side * (0.5 * hall + 0.6);
        for (size, at, material) in [
            (
                Vec3::new(0.1, 3.4, 26.0),
                Vec3::new(x, 1.4, -7.0),
                &hall_wall,
            ),
            (
                Vec3::new(0.03, 0.05, 26.0),
                Vec3::new(x - 0.06 * side, 1.1, -7.0),
                &lit,
            ),
            (
                Vec3::new(0.08, 0.03, 26.0),
                Vec3::new(0.35 * x, 2.96, -7.0),
                &lit,
            ),
            (
                Vec3::new(0.9, 0.2, -END),
                Vec3::new(x - 0.4 * side, -0.12, 0.5 * END),
                &capping,
            ),
        ] {
            commands.spawn((
                Mesh3d(meshes.add(Cuboid::from_size(size))),
                MeshMaterial3d(material.clone()),
                Transform::from_translation(at),
            ));
        }
    }
    commands.spawn((
        Name::new("Ceiling"),
        Mesh3d(meshes.add(Cuboid::new(hall + 1.3, 0.1, 26.0))),
        MeshMaterial3d(hall_wall.clone()),
        Transform::from_xyz(0.0, 3.05, -7.0),
    ));
    for next in [-1.0, 0.0, 1.0] {
        let middle = next * NEXT_LANE;
        commands.spawn((
            Mesh3d(surface.clone()),
            MeshMaterial3d(lane.clone()),
            Transform::from_xyz(middle, 0.0, 0.5 * END),
        ));
        commands.spawn((
            Mesh3d(side.clone()),
            MeshMaterial3d(capping.clone()),
            Transform::from_xyz(middle, -0.102, 0.5 * END),
        ));
        for side in [-1.0, 1.0] {
            commands.spawn((
                Mesh3d(gutter.clone()),
                MeshMaterial3d(channel.clone()),
                Transform::from_xyz(middle + side * 0.5 * (WIDTH + GUTTER), 0.0, 0.0),
            ));
        }
        for (size, mut at, part) in boxes() {
            if part == Part::Capping {
                // Level with the approach.
                at.y = -0.5 * size.y - 0.001;
            }
            let material = match part {
                Part::Gutter => &channel,
                Part::Capping => &capping,
                Part::Kickback => &wall,
                Part::Pit => &pit,
            };
            commands.spawn((
                Mesh3d(meshes.add(Cuboid::from_size(size))),
                MeshMaterial3d(material.clone()),
                Transform::from_translation(at + Vec3::X * middle),
            ));
        }
    }
    commands.spawn((
        Mesh3d(meshes.add(Plane3d::new(Vec3::Y, Vec2::new(0.5 * hall, 0.5 * APPROACH)))),
        MeshMaterial3d(approach),
        Transform::from_xyz(0.0, -0.001, 0.5 * APPROACH),
    ));
    commands.spawn((
        Name::new("Foul line"),
        Mesh3d(meshes.add(Cuboid::new(hall, 0.002, 0.03))),
        MeshMaterial3d(line),
        Transform::from_xyz(0.0, 0.0, 0.015),
    ));
    // The mask over the pins hides the machine.
    commands.spawn((
        Name::new("Mask"),
        Mesh3d(meshes.add(Cuboid::new(hall, 0.9, 0.05))),
        MeshMaterial3d(materials.add(mask(&mut images))),
        Transform::from_xyz(0.0, 1.32, -TO_PINS + 0.35),
    ));
}

/// A night sky with hills, and a sun that sets.
fn mask(images: &mut Assets<Image>) -> StandardMaterial {
    let image = images.add(picture(UVec2::new(1024, 256), |at| {
        let sun = Vec2::new((at.x - 0.5) * 4.6, at.y - 0.62);
        let hill = 0.72 + 0.06 * (11.0 * at.x).sin() + 0.04 * (27.0 * at.x + 1.0).sin();
        let color = if at.y > hill {
            Vec3::new(0.05, 0.03, 0.12)
        } else if sun.length() < 0.26 && (at.y * 22.0).fract() > 0.25 * at.y {
            Vec3::new(1.0, 0.55, 0.25)
        } else {
            Vec3::new(0.10, 0.05, 0.28).lerp(Vec3::new(0.75, 0.20, 0.42), at.y)
        };
        Srgba::rgb(color.x, color.y, color.z)
    }));
    StandardMaterial {
        base_color_texture: Some(image.clone()),
        emissive: LinearRgba::rgb(1.2, 1.2, 1.2),
        emissive_texture: Some(image),
        perceptual_roughness: 0.8,
        ..default()
    }
}
