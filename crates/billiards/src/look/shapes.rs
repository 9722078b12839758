//! A mesh put together from flat faces.

use bevy::{asset::RenderAssetUsages, mesh::PrimitiveTopology, prelude::*};

/// Triangles with flat normals; texture coordinates are metres, u along the grain.
pub(super) struct Facets {
    grain: Vec3,
    positions: Vec<Vec3>,
    uvs: Vec<Vec2>,
}

impl Facets {
    /// No faces yet. The unit vector `grain` says where the texture's u goes.
    pub(super) fn new(grain: Vec3) -> Self {
        Self {
            grain,
            positions: Vec::new(),
            uvs: Vec::new(),
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
        self.uvs
            .extend(corners.map(|corner| Vec2::new(corner.dot(u), corner.dot(v))));
    }

    /// A face with four corners, counter-clockwise as seen from outside.
    pub(super) fn quad(&mut self, [a, b, c, d]: [Vec3; 4]) {
        self.triangle([a, b, c]);
        self.triangle([a, c, d]);
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

    /// A convex face, counter-clockwise as seen from outside.
    pub(super) fn fan(&mut self, corners: &[Vec3]) {
        if let Some((first, rest)) = corners.split_first() {
            for pair in rest.windows(2) {
                self.triangle([*first, pair[0], pair[1]]);
            }
        }
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
