//! The distance of a point from a surface.

use glam::{DVec3, Vec3};
use smallvec::SmallVec;

use super::{
    core::Core,
    part::Nearest,
    ray::POINT,
    surface::{Geometry, MeshSides, Part},
};

/// Difference of two distances, as a fraction, up to which they are equal: at an edge, two parts are equally near.
const EQUAL: f32 = 1e-4;

impl Geometry {
    /// The distance in m of a point from the surface, and the unit vector from the nearest point of the surface, or to it if the
    /// point is inside a solid: the distance is then negative.
    pub(crate) fn signed_distance(&self, x: DVec3) -> Option<(f32, Vec3)> {
        // The shells are one body: the distance is the least, and the deepest inside.
        let shells = 0..self.shell_count();
        let distances = shells.filter_map(|shell| self.distance_of_shell(shell, x));
        distances.min_by(|(one, _), (other, _)| one.total_cmp(other))
    }

    fn distance_of_shell(&self, shell: usize, x: DVec3) -> Option<(f32, Vec3)> {
        let point = Core {
            x,
            half: Vec3::ZERO,
            radius: POINT,
        };
        let p = x.as_vec3();
        let nearest = |leaf: u32| {
            let part = self.part(leaf);
            let is_here = self.shell_of(part) == shell;
            is_here.then(|| self.nearest_point(part, &point)).flatten()
        };
        let (_, least) = self.tree.find_best(
            f32::MAX,
            |node, _| p.distance(p.clamp(node.mins(), node.maxs())),
            |leaf, _| nearest(leaf).map(|nearest| nearest.distance.abs()),
        )?;
        let reach = least * (1.0 + EQUAL) + p.abs().max_element() * f32::EPSILON;
        let equal: SmallVec<[Nearest; 8]> = self
            .tree
            .leaves(|node| p.distance(p.clamp(node.mins(), node.maxs())) <= reach)
            .filter_map(nearest)
            .filter(|nearest| nearest.distance.abs() <= reach)
            .collect();
        let order =
            |one: &&Nearest, other: &&Nearest| one.distance.abs().total_cmp(&other.distance.abs());
        let in_front = equal.iter().filter(|nearest| !nearest.is_behind());
        let found = in_front.min_by(order).or(equal.iter().min_by(order))?;
        let is_solid = self
            .shells
            .get(shell)
            .is_none_or(|it| it.sides == MeshSides::Solid);
        Some(if found.is_behind() && !is_solid {
            (-found.distance, -found.normal)
        } else {
            (found.distance, found.normal)
        })
    }

    /// The number of shells, with one for all lines and one for each solid: see [`Geometry::shell_of`].
    fn shell_count(&self) -> usize {
        self.shell_of(Part::Solid(self.solids.len()))
    }
}
