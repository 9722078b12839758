//! Curved sheets: tracks, funnels, bowls. Marbles collide with a coarse mesh of each, and a fine one is drawn.

use std::f32::consts::TAU;

use bevy::{asset::RenderAssetUsages, mesh::Indices, mesh::PrimitiveTopology, prelude::*};

use super::path::{Frame, Path};

/// Points of the upper side of a sheet, in rows. Seen from above, a row runs to the right, and the next row is ahead.
pub(super) struct Sheet {
    points: Vec<Vec3>,
    columns: usize,
    /// A row ends where it begins: its last point is its first one.
    is_ring: bool,
    /// Rows and columns from one that marbles collide with to the next.
    coarseness: [usize; 2],
}

impl Sheet {
    fn rows(&self) -> usize {
        self.points.len() / self.columns
    }

    fn at(&self, row: usize, column: usize) -> Vec3 {
        self.points[row * self.columns + column]
    }

    /// The unit normal of the upper side at a point: from differences of the second order, so that it is exact on circles.
    fn normal(&self, row: usize, column: usize) -> Vec3 {
        let across = if self.is_ring && (column == 0 || column == self.columns - 1) {
            self.at(row, 1) - self.at(row, self.columns - 2)
        } else {
            difference(column, self.columns, |k| self.at(row, k))
        };
        let along = difference(row, self.rows(), |k| self.at(k, column));
        across.cross(along).normalize()
    }

    /// What marbles collide with: the upper side alone, without thickness. The curved triangles of
    /// [`Collider::smooth_from_mesh`](bevy_impulse_collide::prelude::Collider::smooth_from_mesh) go through few points as well as
    /// through many, and a marble near fewer triangles takes less time.
    pub fn skin(&self) -> Mesh {
        let [by_row, by_column] = self.coarseness;
        let rows = every(self.rows(), by_row);
        let columns = every(self.columns, by_column);
        let points: Vec<_> = rows
            .iter()
            .flat_map(|&row| columns.iter().map(move |&column| (row, column)))
            .map(|(row, column)| (self.at(row, column), self.normal(row, column)))
            .collect();
        let mut faces = Faces::default();
        faces.grid(&points, columns.len(), false);
        faces.mesh()
    }

    /// What is drawn: this sheet, a lower side `thickness` metres below it, and the edges between them.
    pub fn shell(&self, thickness: f32) -> Mesh {
        let (rows, columns) = (self.rows(), self.columns);
        let mut faces = Faces::default();
        let (mut upper, mut lower) = (Vec::new(), Vec::new());
        for row in 0..rows {
            for column in 0..columns {
                let (x, n) = (self.at(row, column), self.normal(row, column));
                upper.push((x, n));
                lower.push((x - thickness * n, -n));
            }
        }
        faces.grid(&upper, columns, false);
        faces.grid(&lower, columns, true);
        let point =
            |side: &[(Vec3, Vec3)], row: usize, column: usize| side[row * columns + column].0;
        let mut edge =
            |places: &mut dyn Iterator<Item = (usize, usize)>| {
                let places: Vec<_> = places.collect();
                faces.strip(places.iter().map(|&(row, column)| {
                    [point(&upper, row, column), point(&lower, row, column)]
                }));
            };
        edge(&mut (0..columns).map(|column| (0, column)));
        edge(&mut (0..columns).rev().map(|column| (rows - 1, column)));
        if !self.is_ring {
            edge(&mut (0..rows).rev().map(|row| (row, 0)));
            edge(&mut (0..rows).map(|row| (row, columns - 1)));
        }
        faces.mesh()
    }
}

/// Every `step`-th of so many numbers, and the last one.
fn every(count: usize, step: usize) -> Vec<usize> {
    (0..count - 1).step_by(step).chain([count - 1]).collect()
}

/// The derivative along a row of points by their number, of the second order.
fn difference(k: usize, count: usize, at: impl Fn(usize) -> Vec3) -> Vec3 {
    match k {
        _ if count == 2 => at(1) - at(0),
        0 => -3.0 * at(0) + 4.0 * at(1) - at(2),
        _ if k == count - 1 => 3.0 * at(k) - 4.0 * at(k - 1) + at(k - 2),
        _ => at(k + 1) - at(k - 1),
    }
}

/// Vertices with normals, and triangles between them.
#[derive(Default)]
struct Faces {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    indices: Vec<u32>,
}

impl Faces {
    fn grid(&mut self, points: &[(Vec3, Vec3)], columns: usize, is_turned: bool) {
        let first = self.positions.len() as u32;
        let (rows, columns) = ((points.len() / columns) as u32, columns as u32);
        for &(x, n) in points {
            self.positions.push(x);
            self.normals.push(n);
        }
        for row in 0..rows - 1 {
            for column in 0..columns - 1 {
                let a = first + row * columns + column;
                let (b, c, d) = (a + 1, a + columns, a + columns + 1);
                let two = if is_turned {
                    [a, c, b, b, c, d]
                } else {
                    [a, b, c, b, d, c]
                };
                self.indices.extend(two);
            }
        }
    }

    /// A flat strip between pairs of points, each quad with its own normal.
    fn strip(&mut self, pairs: impl Iterator<Item = [Vec3; 2]>) {
        let pairs: Vec<_> = pairs.collect();
        for quad in pairs.windows(2) {
            let [[a, b], [c, d]] = [quad[0], quad[1]];
            let n = (b - a).cross(c - a).normalize_or_zero();
            let first = self.positions.len() as u32;
            self.positions.extend([a, b, c, d]);
            self.normals.extend([n; 4]);
            self.indices.extend([0, 1, 2, 1, 3, 2].map(|k| first + k));
        }
    }

    fn mesh(self) -> Mesh {
        Mesh::new(
            PrimitiveTopology::TriangleList,
            RenderAssetUsages::default(),
        )
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, self.normals)
        .with_inserted_indices(Indices::U32(self.indices))
    }
}

/// The cross-section of a track: an arc of a circle, open at the top.
#[derive(Clone, Copy, Debug)]
pub(super) struct Channel {
    /// Of the arc, in m.
    pub radius: f32,
    /// From the lowest point to either rim, in rad.
    pub reach: f32,
}

impl Channel {
    /// Points across the arc.
    const COLUMNS: usize = 9;

    /// The sheet of a track along a path. The path is the lowest line of the channel.
    pub fn along(&self, path: &Path) -> Sheet {
        let points = path
            .frames()
            .iter()
            .flat_map(|frame| (0..Self::COLUMNS).map(move |column| self.point(frame, column)));
        Sheet {
            points: points.collect(),
            columns: Self::COLUMNS,
            is_ring: false,
            coarseness: [3, 2],
        }
    }

    fn point(&self, frame: &Frame, column: usize) -> Vec3 {
        let part = column as f32 / (Self::COLUMNS - 1) as f32;
        let (sin, cos) = libm::sincosf((2.0 * part - 1.0) * self.reach);
        frame.at + self.radius * (sin * frame.right() + (1.0 - cos) * frame.up)
    }
}

/// Longest straight in m between two rows of a sheet that a curve makes.
const LONGEST: f32 = 0.18;

/// Quads round an axis, as they are drawn.
const SECTORS: usize = 96;

/// The sheet that a curve makes as it turns about Y. The curve leads inwards: points are (distance from the axis, height).
pub(super) fn revolved(curve: &[Vec2]) -> Sheet {
    let points = curve.iter().flat_map(|point| {
        (0..=SECTORS).map(move |column| {
            let angle = TAU * (column % SECTORS) as f32 / SECTORS as f32;
            let (sin, cos) = libm::sincosf(angle);
            Vec3::new(point.x * cos, point.y, -point.x * sin)
        })
    });
    Sheet {
        points: points.collect(),
        columns: SECTORS + 1,
        is_ring: true,
        coarseness: [1, 6],
    }
}

/// A line through points, with each corner but the ends rounded to an arc of this radius in m.
pub(super) fn rounded(points: &[Vec2], radius: f32) -> Vec<Vec2> {
    /// Points of an arc.
    const ARC: u32 = 3;
    /// Least points of a straight.
    const STRAIGHT: u32 = 2;
    let mut line = vec![points[0]];
    let straight_to = |line: &mut Vec<Vec2>, end: Vec2| {
        let start = line[line.len() - 1];
        let count = ((start.distance(end) / LONGEST).ceil() as u32).max(STRAIGHT);
        line.extend((1..=count).map(|k| start.lerp(end, k as f32 / count as f32)));
    };
    for corner in points.windows(3) {
        let [before, x, after] = [corner[0], corner[1], corner[2]];
        let (back, ahead) = ((before - x).normalize(), (after - x).normalize());
        // The arc touches both sides at r·cot(α/2) from a corner with the angle α between its sides.
        let half = 0.5 * libm::acosf(back.dot(ahead));
        let (start, end) = (
            x + back * radius / libm::tanf(half),
            x + ahead * radius / libm::tanf(half),
        );
        let middle = x + (back + ahead).normalize() * radius / libm::sinf(half);
        straight_to(&mut line, start);
        let (from, to) = (start - middle, end - middle);
        let angle = from.angle_to(to);
        line.extend(
            (1..=ARC)
                .map(|k| libm::sincosf(angle * k as f32 / ARC as f32))
                .map(|(sin, cos)| middle + Vec2::new(cos, sin).rotate(from)),
        );
    }
    straight_to(&mut line, points[points.len() - 1]);
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(mesh: &Mesh) -> (Vec<Vec3>, Vec<Vec3>, Vec<usize>) {
        let read = |attribute| {
            let values = mesh
                .attribute(attribute)
                .and_then(|values| values.as_float3());
            values.unwrap().iter().map(|&v| Vec3::from(v)).collect()
        };
        (
            read(Mesh::ATTRIBUTE_POSITION),
            read(Mesh::ATTRIBUTE_NORMAL),
            mesh.indices().unwrap().iter().collect(),
        )
    }

    fn sheets() -> [Sheet; 2] {
        let path = Path::new(Vec3::ZERO, Vec3::X)
            .straight(0.1)
            .turn(0.1, 2.0)
            .loop_round(0.1, 0.05);
        let channel = Channel {
            radius: 0.015,
            reach: 1.8,
        };
        let cone: Vec<Vec2> = (0..9)
            .map(|k| Vec2::new(0.3 - 0.03 * k as f32, -0.01 * k as f32))
            .collect();
        [channel.along(&path), revolved(&cone)]
    }

    #[test]
    fn triangles_face_as_their_normals() {
        let meshes = sheets().map(|sheet| [sheet.skin(), sheet.shell(0.002)]);
        for mesh in meshes.as_flattened() {
            let (positions, normals, indices) = data(mesh);
            for corners in indices.chunks(3) {
                let [a, b, c] = [corners[0], corners[1], corners[2]];
                let face = (positions[b] - positions[a]).cross(positions[c] - positions[a]);
                for corner in [a, b, c] {
                    // A coarse triangle spans a sixth of a circle.
                    assert!(face.normalize().dot(normals[corner]) > 0.5, "{a} {b} {c}");
                }
            }
        }
    }

    #[test]
    fn a_shell_is_closed() {
        // The sum of the area vectors of a closed surface is zero.
        for sheet in sheets() {
            let (positions, _, indices) = data(&sheet.shell(0.002));
            let sum: Vec3 = indices
                .chunks(3)
                .map(|k| {
                    let [a, b, c] = [positions[k[0]], positions[k[1]], positions[k[2]]];
                    (b - a).cross(c - a)
                })
                .sum();
            assert!(sum.length() < 1e-5, "{sum}");
        }
    }

    #[test]
    fn the_lowest_line_of_a_channel_is_its_path() {
        let path = Path::new(Vec3::ZERO, Vec3::X).straight(0.1).turn(0.1, 2.0);
        let channel = Channel {
            radius: 0.015,
            reach: 1.8,
        };
        let (positions, normals, _) = data(&channel.along(&path).shell(0.002));
        for frame in path.frames() {
            let lowest = positions
                .iter()
                .position(|x| x.distance(frame.at) < 1e-6)
                .unwrap();
            assert!(normals[lowest].dot(frame.up) > 0.999);
        }
    }
}
