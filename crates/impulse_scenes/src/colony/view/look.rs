//! How a cell looks: one mesh and one material for all; length and colour ride in the mesh tag of each.

use bevy::{
    asset::{AssetPath, embedded_asset, embedded_path},
    mesh::MeshTag,
    pbr::MaterialPlugin,
    prelude::*,
    render::render_resource::AsBindGroup,
    shader::ShaderRef,
};
use bevy_impulse_collide::prelude::*;
use scene_kit::{
    color::{BLUE_TO_RED, ramp},
    press::Press,
};

use super::{colors::ColorBy, figures::Figures};
use crate::colony::{
    cell::{Cell, DIVISION, RADIUS},
    report::circumference,
};

pub(super) fn plugin(app: &mut App) {
    embedded_asset!(app, "cell.wgsl");
    app.add_plugins(MaterialPlugin::<CellMaterial>::default())
        .add_systems(Startup, make_looks);
}

/// Length in metres of the longest cylinder that can be shown.
const LONGEST: f32 = *DIVISION.end();

#[derive(Asset, AsBindGroup, TypePath, Clone)]
struct CellMaterial {
    /// The first component counts: WebGL2 has no smaller uniforms than these.
    #[uniform(0)]
    longest: Vec4,
}

impl CellMaterial {
    fn shader() -> ShaderRef {
        AssetPath::from_path_buf(embedded_path!("cell.wgsl"))
            .with_source("embedded")
            .into()
    }
}

impl Material for CellMaterial {
    fn vertex_shader() -> ShaderRef {
        Self::shader()
    }

    fn fragment_shader() -> ShaderRef {
        Self::shader()
    }

    fn enable_prepass() -> bool {
        false
    }

    fn enable_shadows() -> bool {
        false
    }
}

/// Data that all cells share.
#[derive(Resource)]
pub(super) struct Looks {
    mesh: Handle<Mesh>,
    material: Handle<CellMaterial>,
}

fn make_looks(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<CellMaterial>>,
) {
    let capsule = Capsule3d::new(RADIUS, LONGEST);
    commands.insert_resource(Looks {
        mesh: meshes.add(capsule.mesh().longitudes(12).latitudes(12)),
        material: materials.add(CellMaterial {
            longest: Vec4::splat(LONGEST),
        }),
    });
}

/// A cell that was not born, but put there, has no looks from its mother.
pub(super) fn dress(
    mut commands: Commands,
    looks: Res<Looks>,
    cells: Query<Entity, (With<Cell>, Without<MeshTag>)>,
) {
    for cell in &cells {
        commands.entity(cell).try_insert((
            Mesh3d(looks.mesh.clone()),
            MeshMaterial3d(looks.material.clone()),
            MeshTag::default(),
            Press::default(),
        ));
    }
}

/// Colours by place in a table, so that none has to be converted for each cell in each frame.
pub(super) struct Palettes {
    lineage: Vec<[u8; 3]>,
    direction: Vec<[u8; 3]>,
    pressure: Vec<[u8; 3]>,
}

impl Default for Palettes {
    fn default() -> Self {
        const COLORS: usize = 256;
        let table = |color: fn(f32) -> Srgba| {
            (0..COLORS)
                .map(|i| {
                    let [r, g, b, _] = color(i as f32 / (COLORS - 1) as f32).to_u8_array();
                    [r, g, b]
                })
                .collect()
        };
        Self {
            lineage: table(|x| color_of(ColorBy::Lineage, x)),
            direction: table(|x| color_of(ColorBy::Direction, x)),
            pressure: table(|x| color_of(ColorBy::Pressure, x)),
        }
    }
}

/// The colour of the part `x`, 0 to 1, of the quantity `color_by`.
pub(super) fn color_of(color_by: ColorBy, x: f32) -> Srgba {
    match color_by {
        // Not quite round the circle: the first and the last lineage are no sisters.
        ColorBy::Lineage => Oklcha::lch(0.74, 0.13, 20.0 + 320.0 * x).into(),
        ColorBy::Direction => Oklcha::lch(0.74, 0.13, 20.0 + 360.0 * x).into(),
        ColorBy::Pressure => ramp(&BLUE_TO_RED, x),
    }
}

/// Brings length and colour of every cell up to date.
pub(super) fn paint(
    mut cells: Query<(&Cell, &Capsule, &Transform, &Press, &mut MeshTag)>,
    palettes: Local<Palettes>,
    color_by: Res<ColorBy>,
    figures: Res<Figures>,
) {
    for (cell, capsule, transform, press, mut tag) in &mut cells {
        let (table, x) = match *color_by {
            ColorBy::Lineage => (&palettes.lineage, cell.place_of_lineage()),
            ColorBy::Direction => (&palettes.direction, direction(transform)),
            ColorBy::Pressure => {
                let pressure = press.force() / circumference(capsule);
                (&palettes.pressure, pressure / figures.pressure_scale)
            }
        };
        let mut color = table[(x.clamp(0.0, 1.0) * (table.len() - 1) as f32) as usize];
        if *color_by == ColorBy::Lineage {
            // Sisters' offspring are told apart by how light they are.
            let lightness = [100, 88, 94, 82][cell.id as usize % 4];
            color = color.map(|part| (u32::from(part) * lightness / 100) as u8);
        }
        let length = (255.0 * capsule.length / LONGEST).round() as u8;
        let [r, g, b] = color;
        tag.set_if_neq(MeshTag(u32::from_le_bytes([r, g, b, length])));
    }
}

/// Angle of the axis to X, over π: 0 to 1, either end of the axis.
fn direction(transform: &Transform) -> f32 {
    let axis = transform.local_y();
    (axis.y.atan2(axis.x) / std::f32::consts::PI).rem_euclid(1.0)
}
