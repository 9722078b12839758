//! Directions all around, as the corners of small triangles.

use bevy::{math::DVec3, platform::collections::HashMap, prelude::*};

/// The corners of an icosahedron, whose triangles are cut into four again and again.
pub(super) struct Sphere {
    /// Unit vectors.
    pub directions: Vec<Vec3>,
    /// Indices of their corners; seen from outside they go round to the left.
    pub triangles: Vec<[u32; 3]>,
}

impl Sphere {
    /// 20·4ⁿ triangles, for n `cuts`. Each new corner is in the middle of an edge, pushed out to the sphere: no sine is taken.
    pub fn new(cuts: u32) -> Self {
        const GOLDEN: f32 = 1.618_034;
        let (a, b) = (1.0, GOLDEN);
        let corners = [
            [-a, b, 0.0],
            [a, b, 0.0],
            [-a, -b, 0.0],
            [a, -b, 0.0],
            [0.0, -a, b],
            [0.0, a, b],
            [0.0, -a, -b],
            [0.0, a, -b],
            [b, 0.0, -a],
            [b, 0.0, a],
            [-b, 0.0, -a],
            [-b, 0.0, a],
        ];
        let mut directions = corners.map(|at| Vec3::from(at).normalize()).to_vec();
        let mut triangles = vec![
            [0, 11, 5],
            [0, 5, 1],
            [0, 1, 7],
            [0, 7, 10],
            [0, 10, 11],
            [1, 5, 9],
            [5, 11, 4],
            [11, 10, 2],
            [10, 7, 6],
            [7, 1, 8],
            [3, 9, 4],
            [3, 4, 2],
            [3, 2, 6],
            [3, 6, 8],
            [3, 8, 9],
            [4, 9, 5],
            [2, 4, 11],
            [6, 2, 10],
            [8, 6, 7],
            [9, 8, 1],
        ];
        for _ in 0..cuts {
            let mut middles: HashMap<(u32, u32), u32> = HashMap::default();
            let mut middle = |a: u32, b: u32| {
                *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                    let sum = directions[a as usize] + directions[b as usize];
                    directions.push(sum.normalize());
                    directions.len() as u32 - 1
                })
            };
            triangles = triangles
                .into_iter()
                .flat_map(|[a, b, c]| {
                    let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
                    [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]
                })
                .collect();
        }
        Self {
            directions,
            triangles,
        }
    }

    /// Volume in m³ of the solid whose surface is at these distances in m from its centre, one for each direction.
    pub fn volume(&self, distances: &[f32]) -> f64 {
        let corner = |k: u32| -> DVec3 {
            let k = k as usize;
            (self.directions[k] * distances[k]).as_dvec3()
        };
        let triangles = self.triangles.iter();
        // Six times the volume of the tetrahedron over a triangle.
        let sixfold = triangles.map(|&[a, b, c]| corner(a).dot(corner(b).cross(corner(c))));
        sixfold.sum::<f64>() / 6.0
    }
}

/// The outermost distance in m from the origin, in each of these directions, that lies in one of the `balls`, which have a centre
/// and a radius. Zero where there is none.
pub(super) fn outline(directions: &[Vec3], balls: &[(Vec3, f32)]) -> Vec<f32> {
    let mut distances = vec![0.0_f32; directions.len()];
    for &(center, radius) in balls {
        let inside = radius * radius - center.length_squared();
        for (distance, direction) in distances.iter_mut().zip(directions) {
            let along = center.dot(*direction);
            // |s·d − c|² = r²
            let squared = along * along + inside;
            if squared >= 0.0 {
                *distance = distance.max(along + squared.sqrt());
            }
        }
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_face_outwards_and_close() {
        let sphere = Sphere::new(3);
        assert_eq!(sphere.triangles.len(), 1280);
        assert_eq!(sphere.directions.len(), 642);
        for &[a, b, c] in &sphere.triangles {
            let [a, b, c] = [a, b, c].map(|k| sphere.directions[k as usize]);
            assert!((b - a).cross(c - a).dot(a + b + c) > 0.0);
        }
    }

    #[test]
    fn a_ball_has_its_volume_wherever_it_is() {
        let sphere = Sphere::new(4);
        for center in [Vec3::ZERO, Vec3::new(0.3, -0.2, 0.5)] {
            let distances = outline(&sphere.directions, &[(center, 2.0)]);
            let volume = sphere.volume(&distances);
            let law = 4.0 / 3.0 * std::f64::consts::PI * 8.0;
            assert!((volume / law - 1.0).abs() < 5e-3, "{volume} m³ of {law} m³");
        }
    }

    #[test]
    fn beside_a_ball_there_is_nothing() {
        let distances = outline(&[Vec3::X, Vec3::Y, -Vec3::X], &[(Vec3::X * 5.0, 1.0)]);
        assert_eq!(distances, [6.0, 0.0, 0.0]);
    }
}
