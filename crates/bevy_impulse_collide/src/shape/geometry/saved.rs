//! A surface in a file.

use glam::{Quat, Vec2, Vec3};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use super::{
    build::{Builder, ColliderProblem},
    revolved::Revolved,
    surface::{Geometry, MeshSides, Shell},
    topology::Topology,
};

/// Largest difference of a unit vector's length from 1.
const UNIT: f32 = 1e-3;

/// The data of a surface, as they are after the cleaning. A surface that is made of them is the same to the bit.
#[derive(Default, Serialize, Deserialize)]
struct SavedSurface {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    corner_normals: Vec<[Vec3; 3]>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lines: Vec<[u32; 2]>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    solids: Vec<SavedSolid>,
    /// The end of the triangles of each shell.
    shells: Vec<(usize, MeshSides)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    problems: Vec<ColliderProblem>,
}

#[derive(Serialize, Deserialize)]
struct SavedSolid {
    centre: Vec3,
    rotation: Quat,
    outline: Vec<Vec2>,
}

/// Writes a surface, if there is one, and the problems of its data.
pub(crate) fn save<S: Serializer>(
    geometry: Option<&Geometry>,
    problems: &[ColliderProblem],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut saved = geometry.map_or_else(SavedSurface::default, SavedSurface::of);
    saved.problems = problems.to_vec();
    saved.serialize(serializer)
}

/// Reads a surface, and the problems of its data.
///
/// # Errors
///
/// If the data are not those of a surface: an index without a vertex, a number that is not finite, a triangle without area.
pub(crate) fn load<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<(Option<Geometry>, Vec<ColliderProblem>), D::Error> {
    let saved = SavedSurface::deserialize(deserializer)?;
    saved.check().map_err(D::Error::custom)?;
    let SavedSurface {
        vertices,
        triangles,
        corner_normals,
        lines,
        solids,
        shells,
        problems,
    } = saved;
    if triangles.is_empty() && lines.is_empty() && solids.is_empty() {
        return Ok((None, problems));
    }
    let solids = solids.into_iter().map(|solid| Revolved {
        centre: solid.centre,
        rotation: solid.rotation,
        outline: solid.outline.into(),
    });
    let shells = shells.into_iter().map(|(end, sides)| Shell { end, sides });
    let geometry = Geometry::new(
        vertices,
        triangles,
        corner_normals,
        lines,
        solids.collect(),
        shells.collect(),
    );
    Ok((Some(geometry), problems))
}

impl SavedSurface {
    fn of(geometry: &Geometry) -> Self {
        let solids = geometry.solids.iter().map(|solid| SavedSolid {
            centre: solid.centre,
            rotation: solid.rotation,
            outline: solid.outline.to_vec(),
        });
        let shells = geometry.shells.iter().map(|shell| (shell.end, shell.sides));
        Self {
            vertices: geometry.vertices.clone(),
            triangles: geometry.triangles.clone(),
            corner_normals: geometry.corner_normals.clone(),
            lines: geometry.lines.clone(),
            solids: solids.collect(),
            shells: shells.collect(),
            problems: Vec::new(),
        }
    }

    fn check(&self) -> Result<(), &'static str> {
        let is_vertex = |&i: &u32| (i as usize) < self.vertices.len();
        let mut indices = (self.triangles.as_flattened().iter()).chain(self.lines.as_flattened());
        let is_unit = |v: Vec3| (v.length() - 1.0).abs() < UNIT;
        let is_sound = |solid: &SavedSolid| {
            solid.centre.is_finite()
                && (solid.rotation.length() - 1.0).abs() < UNIT
                && solid.outline.len() > 1
                && solid.outline.iter().all(|point| point.is_finite())
        };
        let corners = &self.corner_normals;
        if !self.vertices.iter().all(|x| x.is_finite()) {
            Err("a vertex of the collider is not finite")
        } else if !indices.all(is_vertex) {
            Err("the collider has an index without a vertex")
        } else if !self.triangles.iter().all(|&corners| self.has_area(corners)) {
            Err("a triangle of the collider has no area")
        } else if !self.lines.iter().all(|&[a, b]| a != b) {
            Err("a line of the collider has no length")
        } else if !(corners.is_empty() || corners.len() == self.triangles.len()) {
            Err("some triangles of the collider have normals, and some have not")
        } else if !corners.as_flattened().iter().all(|&n| is_unit(n)) {
            Err("a normal of the collider is no unit vector")
        } else if !self.solids.iter().all(is_sound) {
            Err("a solid of the collider has no outline")
        } else {
            self.check_shells()
        }
    }

    fn has_area(&self, corners: [u32; 3]) -> bool {
        Builder::has_area_of(corners.map(|i| self.vertices[i as usize]))
    }

    fn check_shells(&self) -> Result<(), &'static str> {
        let mut start = 0;
        for &(end, sides) in &self.shells {
            let Some(own) = self.triangles.get(start..end) else {
                return Err("the collider has a shell without triangles");
            };
            if sides == MeshSides::Solid && !Topology::is_closed(own) {
                return Err("the collider has a solid that is not closed");
            }
            start = end;
        }
        if start == self.triangles.len() {
            Ok(())
        } else {
            Err("a triangle of the collider belongs to no shell")
        }
    }
}
