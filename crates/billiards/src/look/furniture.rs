//! The table as a piece of furniture: cloth, cushions, rails, tray and legs.

use std::f32::consts::{FRAC_PI_2, TAU};

use bevy::{math::Affine2, prelude::*};

use super::{
    pockets::{self, CASTING_REACH},
    shapes::{CORNERS, Facets},
    textures,
};
use crate::{
    play::leaving::{FLOOR, Tray},
    rules::snooker,
    table::{
        bed::{Table, above},
        cushion::{CUSHION_DEPTH, Cushion, RAIL_HEIGHT, RAIL_WIDTH},
        pocket::Pocket,
        rack::Rack,
        spec::{D_RADIUS, TableKind, TableSpec},
    },
};

/// Bottom of the rails, and of the cabinet under them.
pub(super) const RAIL_BOTTOM: f32 = -0.03;
const CABINET_BOTTOM: f32 = -0.17;

pub(super) struct Materials {
    cloth: Handle<StandardMaterial>,
    wood: Handle<StandardMaterial>,
    /// Of what stands under the bed: it mirrors nothing.
    dull_wood: Handle<StandardMaterial>,
    casting: Handle<StandardMaterial>,
    hole: Handle<StandardMaterial>,
    pearl: Handle<StandardMaterial>,
    brass: Handle<StandardMaterial>,
    cord: Handle<StandardMaterial>,
}

impl Materials {
    fn new(images: &mut Assets<Image>, materials: &mut Assets<StandardMaterial>) -> Self {
        let wood = StandardMaterial {
            base_color_texture: Some(images.add(textures::wood())),
            uv_transform: Affine2::from_scale(Vec2::new(1.5, 5.0)),
            ..default()
        };
        let cloth = images.add(textures::cloth());
        let mut add = |material| materials.add(material);
        Self {
            cloth: add(StandardMaterial {
                base_color: Color::srgb(0.02, 0.40, 0.28),
                base_color_texture: Some(cloth),
                uv_transform: Affine2::from_scale(Vec2::splat(2.0)),
                perceptual_roughness: 1.0,
                reflectance: 0.0,
                ..default()
            }),
            wood: add(StandardMaterial {
                perceptual_roughness: 0.35,
                reflectance: 0.3,
                ..wood.clone()
            }),
            dull_wood: add(StandardMaterial {
                perceptual_roughness: 1.0,
                reflectance: 0.0,
                ..wood
            }),
            casting: add(StandardMaterial {
                base_color: Color::srgb(0.20, 0.15, 0.12),
                perceptual_roughness: 0.6,
                reflectance: 0.1,
                ..default()
            }),
            hole: add(StandardMaterial {
                base_color: Color::srgb(0.03, 0.025, 0.02),
                perceptual_roughness: 1.0,
                reflectance: 0.0,
                double_sided: true,
                cull_mode: None,
                ..default()
            }),
            pearl: add(StandardMaterial {
                base_color: Color::srgb(0.95, 0.92, 0.84),
                perceptual_roughness: 0.4,
                ..default()
            }),
            brass: add(StandardMaterial {
                base_color: Color::srgb(0.72, 0.52, 0.24),
                metallic: 0.5,
                perceptual_roughness: 0.4,
                ..default()
            }),
            cord: add(StandardMaterial {
                base_color: Color::srgb(0.62, 0.55, 0.40),
                perceptual_roughness: 1.0,
                reflectance: 0.0,
                double_sided: true,
                cull_mode: None,
                ..default()
            }),
        }
    }
}

/// A part of the table.
#[derive(Component)]
pub(super) struct Furniture;

/// Sets the table up. One that stood there is taken away.
pub(super) fn spawn_furniture(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut look: Local<Option<Materials>>,
    table: Res<Table>,
    before: Query<Entity, With<Furniture>>,
) {
    for piece in &before {
        commands.entity(piece).despawn();
    }
    let look = look.get_or_insert_with(|| Materials::new(&mut images, &mut materials));
    let spec = table.spec;
    let mut put = |name: &'static str,
                   mesh: Mesh,
                   material: &Handle<StandardMaterial>,
                   transform: Transform| {
        commands.spawn((
            Name::new(name),
            Furniture,
            Mesh3d(meshes.add(mesh)),
            MeshMaterial3d(material.clone()),
            transform,
        ));
    };

    put("Bed", bed(&table), &look.cloth, default());
    for cushion in &table.cushions {
        put(
            "Cushion cloth",
            cushion_cloth(cushion, spec),
            &look.cloth,
            default(),
        );
        put("Rail", rail(cushion, &table.pockets), &look.wood, default());
    }
    let kind = TableKind::of(spec);
    for pocket in &table.pockets {
        let place = pockets::place(pocket);
        if kind == TableKind::Snooker {
            let [leather, plates] = pockets::plated(pocket, spec);
            put("Pocket leather", leather, &look.casting, place);
            put("Pocket plates", plates, &look.brass, place);
            put("Pocket net", pockets::net(pocket), &look.cord, place);
        } else {
            put(
                "Pocket casting",
                pockets::casting(pocket, spec),
                &look.casting,
                place,
            );
            put("Pocket", pockets::hole(pocket), &look.hole, place);
        }
    }
    for (at, turn) in sights(spec) {
        let flat = Quat::from_rotation_y(turn) * Quat::from_rotation_x(-FRAC_PI_2);
        let place = Transform::from_translation(above(at, RAIL_HEIGHT + 4e-4)).with_rotation(flat);
        put(
            "Sight",
            Rhombus::new(0.011, 0.022).into(),
            &look.pearl,
            place,
        );
    }
    for spot in spots(spec) {
        let place = Transform::from_translation(above(spot, 4e-4))
            .with_rotation(Quat::from_rotation_x(-FRAC_PI_2));
        put("Spot", Circle::new(0.007).into(), &look.hole, place);
    }
    if kind == TableKind::Snooker {
        put("Baulk line", baulk_line(spec), &look.pearl, default());
    }
    put("Cabinet", cabinet(spec), &look.dull_wood, default());
    let tray_for_balls = Tray::of(spec);
    if !table.pockets.is_empty() && tray_for_balls.is_open {
        put(
            "Tray",
            tray(&tray_for_balls, spec),
            &look.dull_wood,
            default(),
        );
    }
    let legs = spec.half - Vec2::new(0.12, 0.055);
    for x in [-legs.x, legs.x] {
        for z in [-legs.y, legs.y] {
            let leg = ConicalFrustum {
                radius_top: 0.075,
                radius_bottom: 0.045,
                height: CABINET_BOTTOM - FLOOR,
            };
            put(
                "Leg",
                leg.into(),
                &look.dull_wood,
                Transform::from_xyz(x, (CABINET_BOTTOM + FLOOR) / 2.0, z),
            );
        }
    }
}

/// The flat cloth, cut out round the pockets. It reaches under the cushions.
fn bed(table: &Table) -> Mesh {
    let edge = table.spec.half + CUSHION_DEPTH - 0.002;
    let mut outline = Vec::new();
    if table.pockets.is_empty() {
        outline.extend(CORNERS.map(|corner| corner * edge));
    }
    for pocket in &table.pockets {
        let rim = (0..8 * pockets::RIM_PIECES).map(|i| {
            let angle = TAU * i as f32 / (8 * pockets::RIM_PIECES) as f32;
            pocket.center + pocket.radius * Vec2::from_angle(angle)
        });
        let cut: Vec<Vec2> = rim.filter(|at| at.abs().cmple(edge).all()).collect();
        outline.extend(cut);
    }
    // From the table's middle each ray meets the outline once, so the angle orders it.
    outline.sort_by(|a, b| b.to_angle().total_cmp(&a.to_angle()));
    outline.dedup_by(|a, b| a.distance(*b) < 1e-5);
    let mut cloth = Facets::new(Vec3::X);
    for (i, at) in outline.iter().enumerate() {
        let next = outline[(i + 1) % outline.len()];
        cloth.triangle([Vec3::ZERO, above(*at, 0.0), above(next, 0.0)]);
    }
    cloth.mesh()
}

/// A cushion's cloth, from under the nose over it and back to the wood, with its two end faces.
fn cushion_cloth(cushion: &Cushion, table: &TableSpec) -> Mesh {
    let nose = table.cushion.nose_height;
    // Depth behind the nose line, and height.
    let profile: [(f32, f32); 7] = [
        (0.022, 0.0),
        (0.004, nose - 0.008),
        (0.0, nose - 0.003),
        (0.0, nose + 0.002),
        (0.003, nose + 0.006),
        (0.012, nose + 0.009),
        (CUSHION_DEPTH, RAIL_HEIGHT - 0.001),
    ];
    let [start, end] =
        [0, 1].map(|end| profile.map(|(depth, height)| above(cushion.face(end, depth), height)));
    let foot = |end| above(cushion.face(end, CUSHION_DEPTH), 0.0);
    let mut cloth = Facets::new(above(cushion.outward.perp(), 0.0));
    cloth.strip(&start, &end);
    let face = |line: [Vec3; 7], foot: Vec3| line.into_iter().chain([foot]).collect::<Vec<_>>();
    cloth.fan(&face(start, foot(0)));
    let mut other = face(end, foot(1));
    other.reverse();
    cloth.fan(&other);
    cloth.mesh()
}

/// The wood behind a cushion, from casting to casting. Without pockets the long rails go to the corners.
fn rail(cushion: &Cushion, pockets: &[Pocket]) -> Mesh {
    const PROFILE: [(f32, f32); 6] = [
        (CUSHION_DEPTH, 0.0),
        (CUSHION_DEPTH, RAIL_HEIGHT),
        (RAIL_WIDTH - 0.012, RAIL_HEIGHT),
        (RAIL_WIDTH - 0.003, RAIL_HEIGHT - 0.004),
        (RAIL_WIDTH, RAIL_HEIGHT - 0.013),
        (RAIL_WIDTH, RAIL_BOTTOM),
    ];
    let along = cushion.outward.perp();
    let nose = cushion.outward * cushion.tips[0].dot(cushion.outward);
    let [start, end] = cushion.tips.map(|tip| {
        let from_tip = |pocket: &&Pocket| pocket.center.distance(tip);
        let nearest = pockets
            .iter()
            .min_by(|a, b| from_tip(a).total_cmp(&from_tip(b)));
        let (reach, tip) = (tip.dot(along).signum(), tip.dot(along));
        let at = match nearest {
            Some(pocket) => {
                let to_pocket = pocket.center.dot(along);
                to_pocket - CASTING_REACH * (to_pocket - tip).signum()
            }
            None if cushion.outward.y != 0.0 => tip + reach * RAIL_WIDTH,
            None => tip + reach * CUSHION_DEPTH,
        };
        PROFILE.map(|(depth, height)| above(nose + cushion.outward * depth + along * at, height))
    });
    let mut wood = Facets::new(above(along, 0.0));
    wood.strip(&start, &end);
    if pockets.is_empty() {
        wood.fan(&start);
        let mut end = end;
        end.reverse();
        wood.fan(&end);
    }
    wood.mesh()
}

/// The inlays of the rails, an eighth of the table's length apart, with their angle about y.
fn sights(table: &TableSpec) -> impl Iterator<Item = (Vec2, f32)> {
    let out = table.half + (CUSHION_DEPTH + RAIL_WIDTH) / 2.0;
    let pitch = table.half.x / 4.0;
    // Snooker is played without them.
    let has_sights = TableKind::of(table) != TableKind::Snooker;
    let long = [-3.0, -2.0, -1.0, 1.0, 2.0, 3.0].map(|i| (Vec2::new(i * pitch, out.y), 0.0));
    let short = [-1.0, 0.0, 1.0].map(|i| (Vec2::new(out.x, i * pitch), FRAC_PI_2));
    long.into_iter()
        .chain(short)
        .filter(move |_| has_sights)
        .flat_map(|(at, turn)| [(at, turn), (-at, turn)])
}

/// The marks of spots on the cloth.
fn spots(table: &TableSpec) -> Vec<Vec2> {
    match TableKind::of(table) {
        TableKind::Snooker => {
            let colors = snooker::COLORS.iter();
            colors
                .map(|color| Rack::Snooker.spot(table, color))
                .collect()
        }
        TableKind::Carom => vec![table.head_spot(), Vec2::ZERO, table.foot_spot()],
        TableKind::Pool7 | TableKind::Pool8 | TableKind::Pool9 => {
            vec![table.head_spot(), table.foot_spot()]
        }
    }
}

/// Snooker's baulk line and D, drawn on the cloth.
fn baulk_line(table: &TableSpec) -> Mesh {
    /// Half the width of the line in m: twice as wide as chalk draws it, so that it is whole from across the room.
    const HALF_WIDTH: f32 = 0.003;
    const HEIGHT: f32 = 4e-4;
    let (x, half) = (table.baulk_line(), table.half.y);
    let at = |x: f32, z: f32| Vec3::new(x, HEIGHT, z);
    let mut line = Facets::new(Vec3::X);
    line.strip(
        &[at(x + HALF_WIDTH, -half), at(x + HALF_WIDTH, half)],
        &[at(x - HALF_WIDTH, -half), at(x - HALF_WIDTH, half)],
    );
    let middle = Vec2::X * x;
    let ring = |radius: f32| {
        pockets::arc(middle, radius, FRAC_PI_2, 3.0 * FRAC_PI_2)
            .map(|at| above(at, HEIGHT))
            .collect::<Vec<_>>()
    };
    line.strip(&ring(D_RADIUS + HALF_WIDTH), &ring(D_RADIUS - HALF_WIDTH));
    line.mesh()
}

/// The four boards under the rails.
fn cabinet(table: &TableSpec) -> Mesh {
    // A snooker table's nets hang free outside of it.
    const INSET: f32 = 0.018;
    const INSET_OF_NETS: f32 = 0.17;
    let has_nets = TableKind::of(table) == TableKind::Snooker;
    let inset = if has_nets { INSET_OF_NETS } else { INSET };
    let outer = table.half + RAIL_WIDTH - inset;
    let mut boards = Facets::new(Vec3::X);
    let ring = |height| {
        let round = CORNERS.into_iter().chain([CORNERS[0]]);
        round
            .map(|corner| above(outer * corner, height))
            .collect::<Vec<_>>()
    };
    boards.strip(&ring(RAIL_BOTTOM), &ring(CABINET_BOTTOM));
    boards.mesh()
}

/// A trough along the table for the balls that fell.
fn tray(tray: &Tray, table: &TableSpec) -> Mesh {
    const BOARD: f32 = 0.014;
    let board = table.half.y + RAIL_WIDTH - 0.02;
    let floor = tray.height - tray.radius;
    let lip = floor + 0.022;
    let front = tray.z + tray.radius + 0.004;
    let end = tray.half_length;
    let mut trough = Facets::new(Vec3::X);
    trough.block(
        Vec3::new(-end, floor - BOARD, board),
        Vec3::new(end, floor, front),
    );
    trough.block(
        Vec3::new(-end, floor - BOARD, front),
        Vec3::new(end, lip, front + BOARD),
    );
    for x in [-end - BOARD, end] {
        trough.block(
            Vec3::new(x, floor - BOARD, board),
            Vec3::new(x + BOARD, lip, front + BOARD),
        );
    }
    trough.mesh()
}
