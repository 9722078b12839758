//! The lines that show a surface: its creases and its rim.

use std::f32::consts::TAU;

use bevy::prelude::*;

use super::{revolved::Revolved, surface::Geometry};

/// Sine of the angle between two flat triangles up to which no edge is seen between them.
const FLAT: f32 = 1e-3;

/// Lines that stand for a circle.
const CIRCLE: u32 = 32;

/// Lines that stand for the curved side of a solid of revolution.
const MERIDIANS: u32 = 8;

impl Geometry {
    /// The lines that show the surface, in its frame, in m: the edges of its triangles, without those within a flat face; its
    /// line segments; and circles and side lines of its solids. Curved triangles show all their edges, as straight lines.
    pub fn edges(&self) -> impl Iterator<Item = [Vec3; 2]> {
        let triangles = (0..self.triangles.len()).flat_map(move |triangle| {
            let edges = (0..3).filter(move |&k| self.is_edge_seen(triangle, k));
            edges.map(move |k| {
                let corners = self.triangles[triangle];
                [corners[k], corners[(k + 1) % 3]]
            })
        });
        let ends = triangles.chain(self.lines.iter().copied());
        ends.map(move |ends| ends.map(|vertex| self.vertices[vertex as usize]))
            .chain(self.solids.iter().flat_map(Revolved::edges))
    }

    /// Whether edge `k` of a triangle is drawn for this triangle.
    fn is_edge_seen(&self, triangle: usize, k: usize) -> bool {
        let Some(opposite) = self.topology.opposite(triangle, k) else {
            return true;
        };
        let corners = self.triangles[triangle];
        let own = corners[(k + 2) % 3];
        // An edge that two triangles share is drawn once.
        own <= opposite && (self.is_curved(triangle) || !self.is_flat_across(corners, k, opposite))
    }

    fn is_curved(&self, triangle: usize) -> bool {
        !self.is_flat() && self.patch(triangle).is_some()
    }

    /// Whether the triangle with these corners goes on flat beyond its edge `k`, up to the vertex `opposite`.
    fn is_flat_across(&self, corners: [u32; 3], k: usize, opposite: u32) -> bool {
        let vertex = |i: u32| self.vertices[i as usize];
        let start = vertex(corners[k]);
        let along = (vertex(corners[(k + 1) % 3]) - start).normalize_or_zero();
        let across = |i: u32| {
            let way = vertex(i) - start;
            (way - along * along.dot(way)).normalize_or_zero()
        };
        let (own, other) = (across(corners[(k + 2) % 3]), across(opposite));
        own.dot(other) < 0.0 && own.cross(other).length() < FLAT
    }
}

impl Revolved {
    fn edges(&self) -> impl Iterator<Item = [Vec3; 2]> {
        let at = |point: Vec2, sector: u32, of: u32| {
            let (sin, cos) = (TAU * sector as f32 / of as f32).sin_cos();
            self.centre + self.rotation * Vec3::new(point.x * cos, point.y, point.x * sin)
        };
        let rims = self.outline.iter().filter(|point| point.x > 0.0);
        let circles = rims.flat_map(move |&rim| {
            (0..CIRCLE).map(move |k| [k, k + 1].map(|sector| at(rim, sector, CIRCLE)))
        });
        let sides = self
            .outline
            .windows(2)
            .filter(|ends| ends[0].y != ends[1].y);
        let meridians = sides.flat_map(move |ends| {
            (0..MERIDIANS).map(move |k| [ends[0], ends[1]].map(|end| at(end, k, MERIDIANS)))
        });
        circles.chain(meridians)
    }
}

#[cfg(test)]
mod tests {
    use bevy::math::{Vec2, Vec3};

    use crate::{components::Collider, shape::MeshSides};

    fn edges(collider: &Collider) -> Vec<[Vec3; 2]> {
        let geometry = collider.geometry().expect("its data are sound");
        geometry.edges().collect()
    }

    fn length(collider: &Collider) -> f32 {
        let edges = edges(collider).into_iter();
        edges.map(|[start, end]| start.distance(end)).sum()
    }

    #[test]
    fn a_box_has_twelve_edges() {
        let cuboid = Collider::cuboid(1.0, 2.0, 3.0);
        assert_eq!(edges(&cuboid).len(), 12);
        assert!((length(&cuboid) - 4.0 * (1.0 + 2.0 + 3.0)).abs() < 1e-5);
    }

    #[test]
    fn a_flat_terrain_shows_its_rim_only() {
        let terrain = Collider::height_field(&[0.0; 8 * 5], 8, Vec2::new(7.0, 4.0));
        assert!((length(&terrain) - 2.0 * (7.0 + 4.0)).abs() < 1e-4);
    }

    #[test]
    fn a_fold_is_seen_and_a_sheet_of_two_triangles_is_not_cut() {
        let quad = |height: f32| {
            let corners = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, height, 1.0), Vec3::Z];
            Collider::trimesh(corners, [[0, 2, 1], [0, 3, 2]], MeshSides::Two)
        };
        assert_eq!(edges(&quad(0.0)).len(), 4);
        assert_eq!(edges(&quad(0.1)).len(), 5);
        // Folded back on itself.
        let corners = [Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::new(0.3, 0.0, 0.9)];
        let folded = Collider::trimesh(corners, [[0, 1, 2], [0, 3, 1]], MeshSides::Two);
        assert_eq!(edges(&folded).len(), 5);
    }

    #[test]
    fn a_curved_mesh_shows_its_triangles() {
        let corners = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 0.0, 1.0), Vec3::Z];
        let middle = Vec3::new(0.5, 0.0, 0.5);
        // The normals of a dome lead away from its axis.
        let vertices = corners.map(|x| (x, Vec3::Y + 0.3 * (x - middle)));
        let dome = Collider::smooth_trimesh(vertices, [[0, 2, 1], [0, 3, 2]], MeshSides::Two);
        assert_eq!(edges(&dome).len(), 5);
    }

    #[test]
    fn the_lines_of_a_cylinder_and_of_a_cone_lie_on_their_surface() {
        let (radius, height) = (0.5, 2.0);
        for [start, end] in edges(&Collider::cylinder(radius, height)) {
            for x in [start, end] {
                assert!((Vec2::new(x.x, x.z).length() - radius).abs() < 1e-6);
                assert!((x.y.abs() - 0.5 * height).abs() < 1e-6);
            }
        }
        for [start, end] in edges(&Collider::cone(radius, height)) {
            for x in [start, end] {
                let from_axis = radius * (0.5 - x.y / height);
                assert!((Vec2::new(x.x, x.z).length() - from_axis).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn a_polyline_shows_its_lines() {
        let points = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0)];
        let expected = [[points[0], points[1]], [points[1], points[2]]];
        assert_eq!(edges(&Collider::polyline(points)), expected);
    }
}
