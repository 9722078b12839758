//! The surface of a collider: triangles, line segments and solids of revolution, in a tree of bounding boxes.

use bevy::prelude::*;
use glam::DVec3;
use parry3d::{
    bounding_volume::Aabb,
    partitioning::{Bvh, BvhBuildStrategy},
};
use smallvec::SmallVec;

use super::{
    core::Core, patch::Patch, revolved::Revolved, topology::Topology, triangle::closest_on_triangle,
};

/// Greatest curvature of a patch over the greatest mean curvature of its edges.
const CURVATURE_FACTOR: f32 = 2.0;

/// Greatest tangent of the tilt of a patch's normals over the greatest at its corners and middles.
const TILT_FACTOR: f32 = 1.5;

/// Tilt of the way from a point to a core by rounding.
const ROUNDED_TILT: f32 = 2e-3;

/// Difference of normals up to which a triangle is flat.
const SAME_NORMAL: f32 = 1e-6;

/// Which side of a triangle is outside.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub enum MeshSides {
    /// The mesh is closed, and solid inside. A body whose centre is found inside, up to its radius under the surface, is pushed
    /// out. A body that is deeper inside is not noticed.
    Solid,
    /// Bodies collide with the side from which the corners of a triangle run counter-clockwise. A body that comes from behind
    /// passes.
    One,
    /// Bodies collide with both sides. The mesh is a sheet without thickness.
    Two,
}

/// A part of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Triangle(usize),
    Line(usize),
    Solid(usize),
}

/// Triangles that lie one after another and have the same kind of sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shell {
    /// The end of its triangles.
    pub end: usize,
    pub sides: MeshSides,
}

/// How a triangle with normals leaves its plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Bend {
    /// Upper limit of the distance in m from a point of the curved surface to the flat triangle.
    bulge: f32,
    /// Upper limit of the curvature in 1/m.
    curvature: f32,
    /// Upper limit of the tangent of the angle between a normal of the curved surface and the flat triangle's.
    tilt: f32,
}

/// What the flat triangle under a curved one tells of it. It takes much less time than the nearest point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Glance {
    /// The length in m that a body can move with no contact nearer than the distance asked for: it is too far, or none of the
    /// triangle's normals leads to the core. Below zero, nothing is sure.
    pub clear_way: f32,
    /// The length in m that the body can move and stay behind the triangle, which has one side. Below zero, nothing is sure.
    pub way_behind: f32,
    /// Lower limit of the distance in m.
    pub least_distance: f32,
}

/// A surface in its own frame, in metres.
#[derive(Clone, Debug)]
pub struct Geometry {
    pub(super) vertices: Vec<Vec3>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// Unit normals of the triangles.
    pub(super) normals: Vec<Vec3>,
    /// Unit normals at the corners of each triangle: its surface is curved. Empty for a surface of flat triangles.
    pub(super) corner_normals: Vec<[Vec3; 3]>,
    /// Of each triangle; empty for a surface of flat triangles.
    bends: Vec<Bend>,
    pub(super) lines: Vec<[u32; 2]>,
    pub(super) solids: Vec<Revolved>,
    pub(super) shells: Vec<Shell>,
    pub(super) topology: Topology,
    pub(super) tree: Bvh,
}

impl Geometry {
    /// A surface from sound data: every index is a vertex, no triangle and no line is degenerate, and no two vertices are equal.
    pub(super) fn new(
        vertices: Vec<Vec3>,
        triangles: Vec<[u32; 3]>,
        corner_normals: Vec<[Vec3; 3]>,
        lines: Vec<[u32; 2]>,
        solids: Vec<Revolved>,
        shells: Vec<Shell>,
    ) -> Self {
        let normals: Vec<Vec3> = triangles
            .iter()
            .map(|&corners| face_normal(&vertices, corners))
            .collect();
        let topology = Topology::new(vertices.len(), &triangles, &corner_normals, &lines);
        let mut geometry = Self {
            vertices,
            triangles,
            normals,
            corner_normals,
            bends: Vec::new(),
            lines,
            solids,
            shells,
            topology,
            tree: Bvh::new(),
        };
        let curved = 0..geometry.corner_normals.len();
        geometry.bends = curved.map(|k| geometry.bend_of(k)).collect();
        let parts = geometry.triangles.len() + geometry.lines.len() + geometry.solids.len();
        let boxes = (0..parts).map(|leaf| {
            let part = geometry.part(leaf as u32);
            (leaf, geometry.bounds_of_part(part))
        });
        geometry.tree = Bvh::from_iter(BvhBuildStrategy::Binned, boxes);
        geometry
    }

    /// The curved surface of a triangle relative to its first corner; `None` for a flat triangle.
    pub(super) fn patch(&self, triangle: usize) -> Option<Patch> {
        let normals = self.corner_normals.get(triangle)?;
        let n = self.normals[triangle];
        if normals
            .iter()
            .all(|normal| normal.distance_squared(n) < SAME_NORMAL * SAME_NORMAL)
        {
            return None;
        }
        let corners = self.corners(Part::Triangle(triangle));
        let relative = [0, 1, 2].map(|k| corners[k] - corners[0]);
        Some(Patch::new(
            relative,
            normals.map(|normal| normal.as_dvec3().normalize()),
        ))
    }

    fn bend_of(&self, triangle: usize) -> Bend {
        let Some(patch) = self.patch(triangle) else {
            return Bend {
                tilt: ROUNDED_TILT,
                ..default()
            };
        };
        let indices = self.triangles[triangle];
        let corners = indices.map(|vertex| self.vertices[vertex as usize]);
        // The patch is in the convex hull of its control points.
        let flat = corners.map(|corner| corner - corners[0]);
        let heights = patch.control_points().map(|x| {
            let (foot, _) = closest_on_triangle(x, flat[1].as_dvec3(), flat[2].as_dvec3());
            foot.distance(x) as f32
        });
        let normals = self.corner_normals[triangle];
        let of_edge = |k: usize| {
            let next = (k + 1) % 3;
            normals[k].distance(normals[next]) / corners[k].distance(corners[next])
        };
        let n = self.normals[triangle];
        let middles = [(0.5, 0.0), (0.5, 0.5), (0.0, 0.5), (1.0 / 3.0, 1.0 / 3.0)];
        let of_middles = middles.map(|(v, w)| patch.at(v, w).normal().as_vec3());
        let tilts = normals.into_iter().chain(of_middles).map(|normal| {
            let cosine = normal.dot(n).max(f32::MIN_POSITIVE);
            normal.cross(n).length() / cosine
        });
        Bend {
            bulge: heights.fold(0.0, f32::max),
            tilt: ROUNDED_TILT + TILT_FACTOR * tilts.fold(0.0, f32::max),
            curvature: CURVATURE_FACTOR * (0..3).map(of_edge).fold(0.0, f32::max),
        }
    }

    /// Upper limit of the curvature of a part in 1/m; zero if it is flat.
    pub(crate) fn curvature(&self, part: Part) -> f32 {
        match part {
            Part::Triangle(triangle) => self.bends.get(triangle).map_or(0.0, |bend| bend.curvature),
            Part::Line(_) | Part::Solid(_) => 0.0,
        }
    }

    /// What is known of a curved triangle before its nearest point is, for contacts nearer than `distance` to the core.
    ///
    /// `None` for a part that is not curved.
    pub(crate) fn glance(&self, part: Part, core: &Core, distance: f32) -> Option<Glance> {
        let Part::Triangle(triangle) = part else {
            return None;
        };
        let bend = self.bends.get(triangle)?;
        let (corner, [_, to_b, to_c]) = self.corners_from(triangle);
        let x = core.x - corner;
        let (foot, _) = closest_on_triangle(x, to_b, to_c);
        let apart = (x - foot).as_vec3();
        let extent = bend.bulge + core.half.length();
        let least_distance = apart.length() - extent;
        let far = least_distance - distance;
        let height = apart.dot(self.normals[triangle]);
        // A way of `distance` that leads down by more than this is behind all of the triangle's normals.
        let way_behind = match self.has_two_sides(triangle) {
            true => f32::NEG_INFINITY,
            false => -height - extent - distance * bend.tilt,
        };
        let clear_way = if far > 0.0 || !self.topology.is_smooth_around(triangle) {
            far
        } else {
            // The core is beside the triangle, farther than its normals lead at this height. Each metre of the way changes both.
            let aside = (apart - height * self.normals[triangle]).length();
            let beside = (aside - height.abs() * bend.tilt) / (1.0 + bend.tilt);
            far.max(beside - extent)
        };
        Some(Glance {
            clear_way,
            way_behind,
            least_distance,
        })
    }

    /// The box that holds a part.
    pub(super) fn bounds_of_part(&self, part: Part) -> Aabb {
        match part {
            Part::Triangle(triangle) => self.bounds_of_triangle(triangle),
            Part::Line(line) => {
                bounds_of(self.lines[line].map(|vertex| self.vertices[vertex as usize]))
            }
            Part::Solid(solid) => bounds_of(self.solids[solid].bounds()),
        }
    }

    fn bounds_of_triangle(&self, triangle: usize) -> Aabb {
        let corners = self.triangles[triangle].map(|vertex| self.vertices[vertex as usize]);
        match self.patch(triangle) {
            None => bounds_of(corners),
            Some(patch) => {
                let points = patch.control_points().map(|x| x.as_vec3() + corners[0]);
                let mut bounds = bounds_of(points);
                let rounding = bounds.mins.abs().max(bounds.maxs.abs()) * f32::EPSILON;
                bounds.mins -= rounding;
                bounds.maxs += rounding;
                bounds
            }
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
        let leaves = self
            .tree
            .leaves(move |node| node.mins().cmple(high).all() && low.cmple(node.maxs()).all());
        leaves.map(|leaf| self.part(leaf))
    }

    /// The parts whose boxes are within `radius` of a point.
    pub(crate) fn parts_near(&self, x: Vec3, radius: f32) -> impl Iterator<Item = Part> {
        // The position is rounded.
        let radius = radius + x.abs().max_element() * f32::EPSILON;
        let leaves = self.tree.leaves(move |node| {
            let nearest = x.clamp(node.mins(), node.maxs());
            nearest.distance_squared(x) <= radius * radius
        });
        leaves.map(|leaf| self.part(leaf))
    }

    pub(super) fn part(&self, leaf: u32) -> Part {
        let leaf = leaf as usize;
        match leaf.checked_sub(self.triangles.len()) {
            None => Part::Triangle(leaf),
            Some(line) if line < self.lines.len() => Part::Line(line),
            Some(other) => Part::Solid(other - self.lines.len()),
        }
    }

    /// Points whose convex hull holds a part; none for a solid.
    pub(crate) fn hull(&self, part: Part) -> SmallVec<[DVec3; 3]> {
        let corners = self.corners(part);
        let patch = match part {
            Part::Triangle(triangle) => self.patch(triangle),
            Part::Line(_) | Part::Solid(_) => None,
        };
        match patch {
            Some(patch) => patch.control_points().map(|x| x + corners[0]).collect(),
            None => corners,
        }
    }

    /// The corners of a part; none of a solid.
    pub(crate) fn corners(&self, part: Part) -> SmallVec<[DVec3; 3]> {
        let indices: &[u32] = match part {
            Part::Triangle(triangle) => &self.triangles[triangle],
            Part::Line(line) => &self.lines[line],
            Part::Solid(_) => &[],
        };
        let corners = indices
            .iter()
            .map(|&i| self.vertices[i as usize].as_dvec3());
        corners.collect()
    }

    /// The number of the shell that a part belongs to. All lines are one shell, and each solid is one.
    pub(super) fn shell_of(&self, part: Part) -> usize {
        match part {
            Part::Triangle(triangle) => self.shells.partition_point(|shell| shell.end <= triangle),
            Part::Line(_) => self.shells.len(),
            Part::Solid(solid) => self.shells.len() + 1 + solid,
        }
    }

    pub(super) fn sides(&self, triangle: usize) -> MeshSides {
        self.shells[self.shell_of(Part::Triangle(triangle))].sides
    }

    /// Whether its triangles are flat: it has no normals at vertices.
    pub(super) fn is_flat(&self) -> bool {
        self.corner_normals.is_empty()
    }

    pub(super) fn has_two_sides(&self, triangle: usize) -> bool {
        self.sides(triangle) == MeshSides::Two
    }

    /// Whether there are several shells, lines or solids, which have no vertices in common.
    pub(super) fn has_several_pieces(&self) -> bool {
        let of_lines = usize::from(!self.lines.is_empty());
        self.shells.len() + self.solids.len() + of_lines > 1
    }
}

/// The unit normal of a triangle. In f64: triangles of one plane then have the same normal.
pub(super) fn face_normal(vertices: &[Vec3], corners: [u32; 3]) -> Vec3 {
    let [a, b, c] = corners.map(|vertex| vertices[vertex as usize].as_dvec3());
    (b - a).cross(c - a).normalize_or_zero().as_vec3()
}

fn bounds_of(corners: impl IntoIterator<Item = Vec3>) -> Aabb {
    let none = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let (low, high) = corners
        .into_iter()
        .fold(none, |(low, high), x| (low.min(x), high.max(x)));
    Aabb::new(low, high)
}
