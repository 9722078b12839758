//! Surfaces from arrays: sound data is used, and the rest is told.

use std::fmt;

use bevy::prelude::*;
use glam::Mat3;

use super::{
    revolved::Revolved,
    surface::{Geometry, MeshSides, Shell, face_normal},
    topology::Topology,
};

/// Area of a triangle, as a fraction of its longest side squared, under which it is degenerate.
const LEAST_AREA: f32 = 1e-6;

/// Least cosine of the angle between the normal at a corner and that of the triangle.
const LEAST_COSINE: f32 = 0.2;

/// A problem of the data of a collider. What can be used of the data is used.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub enum ColliderProblem {
    /// So many vertices are NaN or infinite. Their triangles are left out.
    NotFinite(usize),
    /// So many triangles or lines have an index without a vertex. They are left out.
    NoVertex(usize),
    /// So many triangles have no area, or lines no length. They are left out.
    Degenerate(usize),
    /// A solid was asked for, but the mesh is not closed. It collides from the front only.
    NotClosed,
    /// The points have no hull with a volume.
    NoHull,
    /// A cylinder or a cone has different scales across its axis. It is left out.
    NotRound,
    /// A measure is not a number above zero.
    Measure,
    /// Nothing is left of the data.
    Empty,
    /// The `Mesh` has no positions in the main world, or is no list of triangles.
    NoTriangles,
}

impl fmt::Display for ColliderProblem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::NotFinite(count) => write!(
                f,
                "has {count} vertices that are not finite; their triangles are left out"
            ),
            Self::NoVertex(count) => write!(
                f,
                "has {count} triangles or lines with an index that no vertex has; they are left out"
            ),
            Self::Degenerate(count) => write!(
                f,
                "has {count} triangles without area, or lines without length; they are left out"
            ),
            Self::NotClosed => f.write_str(
                "is to be solid, but its mesh is not closed; bodies collide with its front only",
            ),
            Self::NotRound => f.write_str(
                "has a cylinder or a cone with different scales across its axis; it is left out",
            ),
            Self::NoHull => f.write_str("has points without a hull that has a volume"),
            Self::Measure => f.write_str("has a measure that is not a number above 0"),
            Self::Empty => f.write_str(
                "has nothing that bodies could touch; it is left out until that is mended",
            ),
            Self::NoTriangles => f.write_str(
                "has a Mesh without positions in the main world, or not made of triangles",
            ),
        }
    }
}

/// Collects the parts of a surface.
#[derive(Clone, Debug, Default)]
pub(crate) struct Builder {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// Unit normals at the corners of each triangle; empty while no mesh has normals.
    corner_normals: Vec<[Vec3; 3]>,
    lines: Vec<[u32; 2]>,
    solids: Vec<Revolved>,
    shells: Vec<Shell>,
    pub problems: Vec<ColliderProblem>,
}

impl Builder {
    pub fn tell(&mut self, problem: ColliderProblem) {
        self.problems.push(problem);
    }

    /// Adds a mesh of flat triangles.
    pub fn mesh(
        &mut self,
        vertices: impl IntoIterator<Item = Vec3>,
        triangles: impl IntoIterator<Item = [u32; 3]>,
        sides: MeshSides,
    ) {
        let triangles = triangles.into_iter().map(|triangle| (triangle, None));
        self.curved_mesh(vertices, triangles, sides);
    }

    /// Adds a mesh. Triangles may have normals at their corners, of any length above zero: they are curved.
    pub fn curved_mesh(
        &mut self,
        vertices: impl IntoIterator<Item = Vec3>,
        triangles: impl IntoIterator<Item = ([u32; 3], Option<[Vec3; 3]>)>,
        sides: MeshSides,
    ) {
        let first = self.vertices.len() as u32;
        let weld = self.add_vertices(vertices);
        let before = self.triangles.len();
        let (mut without, mut degenerate) = (0, 0);
        for (triangle, normals) in triangles {
            let corners = triangle.map(|index| weld.get(index as usize).copied());
            let [Some(a), Some(b), Some(c)] = corners else {
                without += 1;
                continue;
            };
            if [a, b, c].contains(&NOT_FINITE) {
                continue;
            }
            if self.has_area([a, b, c]) {
                self.add_normals([a, b, c], normals);
                self.triangles.push([a, b, c]);
            } else {
                degenerate += 1;
            }
        }
        self.tell_counts(without, degenerate);
        let own = &self.triangles[before..];
        let local: Vec<[u32; 3]> = own.iter().map(|own| own.map(|i| i - first)).collect();
        let sides = match sides {
            MeshSides::Solid if !Topology::is_closed(&local) => {
                if !local.is_empty() {
                    self.tell(ColliderProblem::NotClosed);
                }
                MeshSides::One
            }
            sides => sides,
        };
        let end = self.triangles.len();
        self.shells.push(Shell { end, sides });
    }

    /// Adds lines.
    pub fn lines(
        &mut self,
        vertices: impl IntoIterator<Item = Vec3>,
        lines: impl IntoIterator<Item = [u32; 2]>,
    ) {
        let weld = self.add_vertices(vertices);
        let (mut without, mut degenerate) = (0, 0);
        for line in lines {
            let [Some(a), Some(b)] = line.map(|index| weld.get(index as usize).copied()) else {
                without += 1;
                continue;
            };
            if [a, b].contains(&NOT_FINITE) {
                continue;
            }
            if a == b {
                degenerate += 1;
            } else {
                self.lines.push([a, b]);
            }
        }
        self.tell_counts(without, degenerate);
    }

    /// Adds the convex hull of points, as a solid.
    pub fn hull(&mut self, points: impl IntoIterator<Item = Vec3>) {
        let all: Vec<Vec3> = points.into_iter().collect();
        let finite: Vec<Vec3> = all.iter().copied().filter(|x| x.is_finite()).collect();
        if finite.len() < all.len() {
            self.tell(ColliderProblem::NotFinite(all.len() - finite.len()));
        }
        match parry3d::transformation::try_convex_hull(&finite) {
            Ok((vertices, triangles)) if triangles.len() >= 4 => {
                self.mesh(vertices, triangles, MeshSides::Solid);
            }
            _ => self.tell(ColliderProblem::NoHull),
        }
    }

    /// Adds a solid.
    pub fn solid(&mut self, solid: Revolved) {
        self.solids.push(solid);
    }

    /// Adds another surface after a linear map and a shift.
    pub fn moved(&mut self, other: &Geometry, linear: Mat3, shift: Vec3) {
        let place = |i: u32| linear * other.vertices[i as usize] + shift;
        let turn = linear.inverse().transpose();
        let is_mirrored = linear.determinant() < 0.0;
        let order = |corners: [usize; 3]| match is_mirrored {
            true => [corners[0], corners[2], corners[1]],
            false => corners,
        };
        let [a, b, c] = order([0, 1, 2]);
        let mut start = 0;
        for shell in &other.shells {
            // Three vertices for each triangle: they are joined again.
            let corners = other.triangles[start..shell.end].as_flattened();
            let vertices: Vec<Vec3> = corners.iter().map(|&i| place(i)).collect();
            let triangles = (start..shell.end).map(|k| {
                let first = 3 * (k - start) as u32;
                let corners = [first, first + 1, first + 2];
                let normals = other.corner_normals.get(k);
                let normals = normals.map(|normals| [a, b, c].map(|k| turn * normals[k]));
                ([corners[a], corners[b], corners[c]], normals)
            });
            self.curved_mesh(vertices, triangles, shell.sides);
            start = shell.end;
        }
        if !other.lines.is_empty() {
            let ends = other.lines.as_flattened();
            let vertices: Vec<Vec3> = ends.iter().map(|&i| place(i)).collect();
            let lines = (0..other.lines.len() as u32).map(|k| [2 * k, 2 * k + 1]);
            self.lines(vertices, lines);
        }
        for solid in &other.solids {
            match solid.moved(linear, shift) {
                Some(solid) => self.solid(solid),
                None => self.tell(ColliderProblem::NotRound),
            }
        }
    }

    /// The surface; `None` if nothing is left of the data.
    pub fn build(mut self) -> (Option<Geometry>, Vec<ColliderProblem>) {
        if self.triangles.is_empty() && self.lines.is_empty() && self.solids.is_empty() {
            self.tell(ColliderProblem::Empty);
            return (None, self.problems);
        }
        if !self.corner_normals.is_empty() {
            self.fill_normals();
        }
        let Self {
            vertices,
            triangles,
            corner_normals,
            lines,
            solids,
            shells,
            problems,
        } = self;
        let geometry = Geometry::new(vertices, triangles, corner_normals, lines, solids, shells);
        (Some(geometry), problems)
    }

    /// Adds vertices, each place once. Returns the index of each.
    fn add_vertices(&mut self, vertices: impl IntoIterator<Item = Vec3>) -> Vec<u32> {
        // −0 and 0 are one place.
        let all: Vec<Vec3> = vertices.into_iter().map(|x| x + Vec3::ZERO).collect();
        let mut order: Vec<u32> = (0..all.len() as u32).collect();
        let key = |i: u32| all[i as usize].to_array().map(f32::to_bits);
        order.sort_unstable_by_key(|&i| (key(i), i));
        let mut weld = vec![NOT_FINITE; all.len()];
        let mut not_finite = 0;
        // In the order of the first of each place.
        let mut first_of = vec![0; all.len()];
        for same in order.chunk_by(|&one, &other| key(one) == key(other)) {
            for &i in same {
                first_of[i as usize] = same[0];
            }
        }
        for (i, &x) in all.iter().enumerate() {
            if !x.is_finite() {
                not_finite += 1;
                continue;
            }
            let first = first_of[i] as usize;
            if first == i {
                weld[i] = self.vertices.len() as u32;
                self.vertices.push(x);
            } else {
                weld[i] = weld[first];
            }
        }
        if not_finite > 0 {
            self.tell(ColliderProblem::NotFinite(not_finite));
        }
        weld
    }

    /// Records the normals of the triangle that comes next. Normals that lead to its back are turned round: the curved surface is
    /// the same. A normal without a direction, or far from that of the triangle, is replaced by the triangle's own.
    fn add_normals(&mut self, corners: [u32; 3], normals: Option<[Vec3; 3]>) {
        if normals.is_none() && self.corner_normals.is_empty() {
            return;
        }
        self.fill_normals();
        let n = face_normal(&self.vertices, corners);
        let is_turned = normals.is_some_and(|normals| normals.iter().sum::<Vec3>().dot(n) < 0.0);
        let normals = normals.map(|normals| {
            if is_turned {
                normals.map(|n| -n)
            } else {
                normals
            }
        });
        let sound = |normal: Vec3| {
            let unit = normal.try_normalize();
            unit.filter(|unit| unit.dot(n) > LEAST_COSINE).unwrap_or(n)
        };
        self.corner_normals
            .push(normals.map_or([n; 3], |normals| normals.map(sound)));
    }

    /// Gives the triangles that have no normals yet their own.
    fn fill_normals(&mut self) {
        for &corners in &self.triangles[self.corner_normals.len()..] {
            let n = face_normal(&self.vertices, corners);
            self.corner_normals.push([n; 3]);
        }
    }

    fn has_area(&self, corners: [u32; 3]) -> bool {
        Self::has_area_of(corners.map(|vertex| self.vertices[vertex as usize]))
    }

    /// Whether the triangle with these corners has an area, and so a normal.
    pub(super) fn has_area_of([a, b, c]: [Vec3; 3]) -> bool {
        let area = (b - a).as_dvec3().cross((c - a).as_dvec3()).length() as f32;
        let sides = [b - a, c - b, a - c].map(Vec3::length_squared);
        let longest = sides.into_iter().fold(0.0, f32::max);
        area > LEAST_AREA * longest && face_normal(&[a, b, c], [0, 1, 2]) != Vec3::ZERO
    }

    fn tell_counts(&mut self, without: usize, degenerate: usize) {
        if without > 0 {
            self.tell(ColliderProblem::NoVertex(without));
        }
        if degenerate > 0 {
            self.tell(ColliderProblem::Degenerate(degenerate));
        }
    }
}

/// Stands for a vertex that is not finite.
const NOT_FINITE: u32 = u32::MAX;

/// The triangles of a grid of `columns` × `rows` points, row by row, with the normal up if rows lead along X and columns along Z.
pub(crate) fn grid_triangles(columns: u32, rows: u32) -> impl Iterator<Item = [u32; 3]> {
    let cells = (0..rows.saturating_sub(1))
        .flat_map(move |row| (0..columns.saturating_sub(1)).map(move |column| (row, column)));
    cells.flat_map(move |(row, column)| {
        let a = row * columns + column;
        let (b, c, d) = (a + 1, a + columns, a + columns + 1);
        [[a, c, b], [b, c, d]]
    })
}

/// The points of a height field: `heights` row by row, on the rectangle of `size` around the origin.
pub(crate) fn grid_points(heights: &[f32], columns: usize, size: Vec2) -> Vec<Vec3> {
    let rows = heights.len() / columns.max(1);
    let step = |count: usize, size: f32| size / (count.max(2) - 1) as f32;
    let (dx, dz) = (step(columns, size.x), step(rows, size.y));
    let points = heights.iter().enumerate().map(|(k, &height)| {
        let (row, column) = (k / columns.max(1), k % columns.max(1));
        let x = column as f32 * dx - 0.5 * size.x;
        let z = row as f32 * dz - 0.5 * size.y;
        Vec3::new(x, height, z)
    });
    points.collect()
}
