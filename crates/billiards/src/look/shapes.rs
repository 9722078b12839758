//! A mesh put together from flat faces.

use std::f32::consts::TAU;

use bevy::{
    asset::RenderAssetUsages,
    mesh::{PrimitiveTopology, VertexAttributeValues},
    prelude::*,
};

/// The corners of a square on the floor, counter-clockwise as seen from above.
pub(super) const CORNERS: [Vec2; 4] = [
    Vec2::new(-1.0, 1.0),
    Vec2::new(1.0, 1.0),
    Vec2::new(1.0, -1.0),
    Vec2::new(-1.0, -1.0),
];

/// Triangles with flat normals; texture coordinates are metres, u along the grain.
pub(super) struct Facets {
    /// The unit vector that says where the texture's u goes, for the faces to come.
    pub(super) grain: Vec3,
    /// The colour of the faces to come, if the mesh is [painted](Self::painted).
    pub(super) tint: LinearRgba,
    /// Faces to come with four corners are cut into pieces that are no longer than this, in m.
    pub(super) piece: f32,
    positions: Vec<Vec3>,
    uvs: Vec<Vec2>,
    tints: Vec<LinearRgba>,
}

impl Facets {
    /// No faces yet. The unit vector `grain` says where the texture's u goes.
    pub(super) fn new(grain: Vec3) -> Self {
        Self {
            grain,
            tint: LinearRgba::WHITE,
            piece: f32::INFINITY,
            positions: Vec::new(),
            uvs: Vec::new(),
            tints: Vec::new(),
        }
    }

    /// A triangle whose corners are counter-clockwise as seen from outside.
    pub(super) fn triangle(&mut self, corners: [Vec3; 3]) {
        let [a, b, c] = corners;
        let normal = (b - a).cross(c - a).normalize_or(Vec3::Y);
        let along = self.grain.reject_from_normalized(normal);
        let u = along
            .try_normalize()
            .unwrap_or_else(|| normal.any_orthonormal_vector());
        let v = normal.cross(u);
        self.positions.extend(corners);
        self.tints.extend([self.tint; 3]);
        self.uvs
            .extend(corners.map(|corner| Vec2::new(corner.dot(u), corner.dot(v))));
    }

    /// A face with four corners, counter-clockwise as seen from outside.
    pub(super) fn quad(&mut self, [a, b, c, d]: [Vec3; 4]) {
        let pieces = |length: f32| (length / self.piece).ceil().max(1.0) as usize;
        let (columns, rows) = (pieces(a.distance(b)), pieces(b.distance(c)));
        let at = |column: usize, row: usize| {
            let (u, v) = (column as f32 / columns as f32, row as f32 / rows as f32);
            a.lerp(b, u).lerp(d.lerp(c, u), v)
        };
        for row in 0..rows {
            for column in 0..columns {
                let [a, b] = [0, 1].map(|right| at(column + right, row));
                let [d, c] = [0, 1].map(|right| at(column + right, row + 1));
                self.triangle([a, b, c]);
                self.triangle([a, c, d]);
            }
        }
    }

    /// A surface between two lines of as many points. Going along `from` with `to` on the right, one sees its outside.
    pub(super) fn strip(&mut self, from: &[Vec3], to: &[Vec3]) {
        for (from, to) in from.windows(2).zip(to.windows(2)) {
            self.quad([from[0], to[0], to[1], from[1]]);
        }
    }

    /// A block between two opposite corners, the first with the smallest coordinates.
    pub(super) fn block(&mut self, min: Vec3, max: Vec3) {
        let corner =
            |i: usize| Vec3::select(BVec3::new(i & 1 != 0, i & 2 != 0, i & 4 != 0), max, min);
        // Bits of a corner's number: 1 is x, 2 is y, 4 is z.
        for face in [
            [0, 4, 6, 2],
            [1, 3, 7, 5],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 2, 3, 1],
            [4, 5, 7, 6],
        ] {
            self.quad(face.map(corner));
        }
    }

    /// A body turned about an upright axis through `at`, by the radii and heights of its outline from the top down.
    pub(super) fn turned(&mut self, at: Vec3, outline: &[(f32, f32)], sides: usize) {
        let ring = |&(radius, height): &(f32, f32)| -> Vec<Vec3> {
            let angles = (0..=sides).map(|side| TAU * (side % sides) as f32 / sides as f32);
            angles
                .map(|angle| at + Vec3::new(radius * angle.cos(), height, -radius * angle.sin()))
                .collect()
        };
        for pair in outline.windows(2) {
            self.strip(&ring(&pair[0]), &ring(&pair[1]));
        }
    }

    /// A convex face, counter-clockwise as seen from outside.
    pub(super) fn fan(&mut self, corners: &[Vec3]) {
        if let Some((first, rest)) = corners.split_first() {
            for pair in rest.windows(2) {
                self.triangle([*first, pair[0], pair[1]]);
            }
        }
    }

    /// The mesh of all faces with colours at its corners: tints times `light`, which depends on a place and the normal there.
    pub(super) fn painted(mut self, light: impl Fn(Vec3, Vec3) -> Vec3) -> Mesh {
        let tints = std::mem::take(&mut self.tints);
        let places = self.positions.clone();
        let mesh = self.mesh();
        let normals = match mesh.attribute(Mesh::ATTRIBUTE_NORMAL) {
            Some(VertexAttributeValues::Float32x3(normals)) => normals.as_slice(),
            _ => &[],
        };
        let colors: Vec<[f32; 4]> = tints
            .iter()
            .zip(places.iter().zip(normals))
            .map(|(tint, (at, normal))| {
                (tint.to_vec3() * light(*at, Vec3::from(*normal)))
                    .extend(1.0)
                    .to_array()
            })
            .collect();
        mesh.with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colors)
    }

    /// The mesh of all faces.
    pub(super) fn mesh(self) -> Mesh {
        Mesh::new(
            PrimitiveTopology::TriangleList,
            RenderAssetUsages::RENDER_WORLD,
        )
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, self.uvs)
        .with_computed_flat_normals()
    }
}
