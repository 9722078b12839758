//! The distance of a point from a surface.

use glam::{DVec3, Vec3};
use parry3d::partitioning::BvhNode;
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

    /// The distance in m of a core from the surface, zero or less if it is inside a solid. It changes no faster than the core
    /// moves.
    pub(crate) fn core_distance(&self, core: &Core) -> f32 {
        if core.is_ball() {
            let distance = self.signed_distance(core.x);
            return distance.map_or(f32::INFINITY, |(distance, _)| distance);
        }
        let is_inside = |x: DVec3| {
            let distance = self.signed_distance(x);
            distance.is_some_and(|(distance, _)| distance <= 0.0)
        };
        if [-1.0, 1.0].map(|t| core.at(t)).into_iter().any(is_inside) || self.is_pierced_by(core) {
            return 0.0;
        }
        let line = Core {
            radius: POINT,
            ..*core
        };
        let (low, high) = line.bounds(0.0);
        let to_box = |node: &BvhNode| {
            let apart = (node.mins() - high).max(low - node.maxs());
            apart.max(Vec3::ZERO).length()
        };
        let found = self.tree.find_best(
            f32::MAX,
            |node, _| to_box(node),
            |leaf, _| {
                let nearest = self.nearest_point(self.part(leaf), &line)?;
                Some(nearest.distance.abs())
            },
        );
        found.map_or(f32::INFINITY, |(_, distance)| distance)
    }

    /// The number of shells, with one for all lines and one for each solid: see [`Geometry::shell_of`].
    fn shell_count(&self) -> usize {
        self.shell_of(Part::Solid(self.solids.len()))
    }
}
