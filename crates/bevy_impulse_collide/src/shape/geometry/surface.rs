//! The surface of a collider: triangles and line segments, in a tree of bounding boxes.

use glam::{DVec3, Vec3};
use parry3d::{
    bounding_volume::Aabb,
    partitioning::{Bvh, BvhBuildStrategy},
};
use smallvec::SmallVec;

use super::topology::Topology;

/// Which side of a triangle is outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshSides {
    /// The mesh is closed, and solid inside. A body whose centre is found inside, but not far from the surface, is pushed out.
    Solid,
    /// Bodies collide with the side from which the corners of a triangle run counter-clockwise. From behind they pass.
    One,
    /// Bodies collide with both sides. The mesh is a sheet without thickness.
    Two,
}

/// A part of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Triangle(usize),
    Line(usize),
}

/// Triangles that lie one after another and have the same kind of sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shell {
    /// The end of its triangles.
    pub end: usize,
    pub sides: MeshSides,
}

/// A surface in its own frame, in metres.
#[derive(Clone, Debug)]
pub struct Geometry {
    pub(super) vertices: Vec<Vec3>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// Unit normals of the triangles.
    pub(super) normals: Vec<Vec3>,
    pub(super) lines: Vec<[u32; 2]>,
    pub(super) shells: Vec<Shell>,
    pub(super) topology: Topology,
    tree: Bvh,
}

impl Geometry {
    /// A surface from sound data: every index is a vertex, no triangle and no line is degenerate, and no two vertices are equal.
    pub(super) fn new(
        vertices: Vec<Vec3>,
        triangles: Vec<[u32; 3]>,
        lines: Vec<[u32; 2]>,
        shells: Vec<Shell>,
    ) -> Self {
        let normals = triangles
            .iter()
            .map(|&corners| face_normal(&vertices, corners))
            .collect();
        let boxes = triangles
            .iter()
            .map(|corners| bounds_of(&vertices, corners))
            .chain(lines.iter().map(|ends| bounds_of(&vertices, ends)));
        let tree = Bvh::from_iter(BvhBuildStrategy::Binned, boxes.enumerate());
        Self {
            topology: Topology::new(vertices.len(), &triangles, &lines),
            vertices,
            triangles,
            normals,
            lines,
            shells,
            tree,
        }
    }

    /// The lowest and the highest corner of the box that holds the surface.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        let all = self.tree.root_aabb();
        (all.mins, all.maxs)
    }

    /// The corners of the surface.
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// The triangles, by the indices of their corners.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The line segments, by the indices of their ends.
    pub fn lines(&self) -> &[[u32; 2]] {
        &self.lines
    }

    /// Distance in m from the origin to the farthest point.
    pub(crate) fn reach(&self) -> f32 {
        let (low, high) = self.bounds();
        low.abs().max(high.abs()).length()
    }

    /// The parts whose boxes meet the box between two corners.
    pub(crate) fn parts_in(&self, (low, high): (Vec3, Vec3)) -> impl Iterator<Item = Part> {
        let leaves = self.tree.leaves(move |node| {
            node.mins().cmple(high).all() && low.cmple(node.maxs()).all()
        });
        leaves.map(|leaf| {
            let leaf = leaf as usize;
            match leaf.checked_sub(self.triangles.len()) {
                None => Part::Triangle(leaf),
                Some(line) => Part::Line(line),
            }
        })
    }

    /// The corners of a part.
    pub(crate) fn corners(&self, part: Part) -> SmallVec<[DVec3; 3]> {
        let indices: &[u32] = match part {
            Part::Triangle(triangle) => &self.triangles[triangle],
            Part::Line(line) => &self.lines[line],
        };
        let corners = indices.iter().map(|&i| self.vertices[i as usize].as_dvec3());
        corners.collect()
    }

    /// The number of the shell that a part belongs to. All lines are one shell.
    pub(super) fn shell_of(&self, part: Part) -> usize {
        match part {
            Part::Triangle(triangle) => self.shells.partition_point(|shell| shell.end <= triangle),
            Part::Line(_) => self.shells.len(),
        }
    }

    pub(super) fn has_two_sides(&self, triangle: usize) -> bool {
        let shell = self.shell_of(Part::Triangle(triangle));
        self.shells[shell].sides == MeshSides::Two
    }
}

/// The unit normal of a triangle. In f64: triangles of one plane then have the same normal.
pub(super) fn face_normal(vertices: &[Vec3], corners: [u32; 3]) -> Vec3 {
    let [a, b, c] = corners.map(|vertex| vertices[vertex as usize].as_dvec3());
    (b - a).cross(c - a).normalize_or_zero().as_vec3()
}

fn bounds_of(vertices: &[Vec3], corners: &[u32]) -> Aabb {
    let corners = corners.iter().map(|&vertex| vertices[vertex as usize]);
    let (low, high) = corners.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), x| {
        (low.min(x), high.max(x))
    });
    Aabb::new(low, high)
}
