//! The component of surfaces of any shape.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use bevy::{
    math::primitives::{Cone, Cuboid, Cylinder, Segment3d, Triangle3d},
    prelude::*,
};
use glam::Mat3;

use super::{
    rigid_body::RigidBody,
    velocity::{AngularVelocity, LinearVelocity},
};
use crate::shape::{
    ColliderProblem, Geometry, MeshSides,
    geometry::{Builder, Revolved, grid_points, grid_triangles},
};

/// A surface of any shape that balls and capsules collide with: a box, a cylinder, a cone, a convex hull, a mesh, a height field,
/// lines, or several of these.
///
/// The [`Transform`] places and turns the surface, and scales it on each axis. A collider is [`RigidBody::Static`] unless you say
/// otherwise. With [`RigidBody::Kinematic`] it moves with its [`LinearVelocity`] and turns about its origin with its
/// [`AngularVelocity`]: a flipper, a mixer, a drum. With a [`Pivot`](super::Pivot) it turns about another point. It cannot be
/// dynamic.
///
/// A static collider that is a child of a kinematic body is a part of it, and moves with it. It must not be the child of a dynamic
/// body.
///
/// A clone shares its data: spawn a thousand trees from one collider. In a saved world each has its own data.
///
/// No impact leads through a surface, at any speed. A heavy body that presses a light one against a surface may squeeze it through:
/// only a static [`Plane`](super::Plane) stops that.
///
/// ```
/// use bevy::{prelude::*, time::TimeUpdateStrategy};
/// use bevy_impulse_collide::prelude::*;
///
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, ImpulseCollidePlugin { interpolate: false }))
///     .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
/// app.update(); // No time passes in the first update.
///
/// // A ball falls on a table of 2 m × 0.1 m × 2 m.
/// app.world_mut().spawn(Collider::cuboid(2.0, 0.1, 2.0));
/// let ball = app
///     .world_mut()
///     .spawn((Particle::new(0.2), Restitution(0.0), Transform::from_xyz(0.0, 1.0, 0.0)))
///     .id();
/// for _ in 0..60 {
///     app.update();
/// }
/// let height = app.world().get::<Transform>(ball).unwrap().translation.y;
/// assert!((height - 0.25).abs() < 1e-3);
/// ```
#[derive(Component, Reflect, Clone, Debug, PartialEq)]
#[reflect(opaque)]
#[reflect(Component, Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
#[require(
    Transform,
    RigidBody = RigidBody::Static,
    LinearVelocity,
    AngularVelocity
)]
pub struct Collider(Arc<Source>);

/// The data that clones of a collider share.
#[derive(Debug)]
struct Source {
    geometry: Option<Arc<Geometry>>,
    problems: Vec<ColliderProblem>,
    /// The geometries at other scales than 1, or shifted, that bodies have.
    scaled: Mutex<Vec<Scaled>>,
}

/// The geometry at a scale and then shifted, and the problems of the scale.
#[derive(Debug)]
struct Scaled {
    scale: Vec3,
    shift: Vec3,
    geometry: Weak<Geometry>,
    problems: Vec<ColliderProblem>,
}

impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Collider {
    fn built(builder: Builder) -> Self {
        let (geometry, problems) = builder.build();
        Self::new(geometry, problems)
    }

    pub(crate) fn new(geometry: Option<Geometry>, problems: Vec<ColliderProblem>) -> Self {
        Self(Arc::new(Source {
            geometry: geometry.map(Arc::new),
            problems,
            scaled: Mutex::default(),
        }))
    }

    /// A collider without data, and why.
    #[cfg(feature = "mesh")]
    pub(crate) fn with_problem(problem: ColliderProblem) -> Self {
        let mut builder = Builder::default();
        builder.tell(problem);
        Self::built(builder)
    }

    /// A solid box, with its edges along the axes and these lengths in m.
    pub fn cuboid(x: f32, y: f32, z: f32) -> Self {
        let half = 0.5 * Vec3::new(x, y, z);
        let mut builder = Builder::default();
        if !(half.is_finite() && half.min_element() > 0.0) {
            builder.tell(ColliderProblem::Measure);
            return Self::built(builder);
        }
        let corners = (0..8).map(|k| {
            let sign = |bit: u32| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
            half * Vec3::new(sign(0), sign(1), sign(2))
        });
        builder.mesh(corners, CUBOID, MeshSides::Solid);
        Self::built(builder)
    }

    /// A solid cylinder along Y, with this radius and height in m. It is round, not made of triangles.
    pub fn cylinder(radius: f32, height: f32) -> Self {
        Self::revolved([radius, height], Revolved::cylinder)
    }

    /// A solid cone along Y with its tip up, and with this radius and height in m. Its middle height is at the origin.
    pub fn cone(radius: f32, height: f32) -> Self {
        Self::revolved([radius, height], Revolved::cone)
    }

    fn revolved([radius, height]: [f32; 2], solid: impl FnOnce(f32, f32) -> Revolved) -> Self {
        let mut builder = Builder::default();
        if radius.is_finite() && height.is_finite() && radius.min(height) > 0.0 {
            builder.solid(solid(radius, 0.5 * height));
        } else {
            builder.tell(ColliderProblem::Measure);
        }
        Self::built(builder)
    }

    /// A solid: the convex hull of points in m.
    pub fn convex_hull(points: impl IntoIterator<Item = Vec3>) -> Self {
        let mut builder = Builder::default();
        builder.hull(points);
        Self::built(builder)
    }

    /// A mesh of triangles, by the indices of their corners among the vertices in m. Vertices at one place count as one.
    ///
    /// Data that cannot be used (NaN, an index without a vertex, a triangle without area) are left out, and told as
    /// [`BadInput`](crate::messages::BadInput) once the collider takes part.
    pub fn trimesh(
        vertices: impl IntoIterator<Item = Vec3>,
        triangles: impl IntoIterator<Item = [u32; 3]>,
        sides: MeshSides,
    ) -> Self {
        let mut builder = Builder::default();
        builder.mesh(vertices, triangles, sides);
        Self::built(builder)
    }

    /// A mesh of curved triangles: with the normal of each vertex, of any length above zero. The surface leads through the
    /// vertices with these normals, without a crease, so a ball rolls on it as on the smooth surface that the mesh stands for.
    ///
    /// A vertex with another normal at the same place makes a crease. Each triangle is the patch of D. J. Walton and D. S. Meek, A
    /// triangular G1 patch from boundary curves (1996).
    pub fn smooth_trimesh(
        vertices: impl IntoIterator<Item = (Vec3, Vec3)>,
        triangles: impl IntoIterator<Item = [u32; 3]>,
        sides: MeshSides,
    ) -> Self {
        let (vertices, normals): (Vec<Vec3>, Vec<Vec3>) = vertices.into_iter().unzip();
        let normal = |i: u32| normals.get(i as usize).copied().unwrap_or(Vec3::ZERO);
        let triangles = triangles
            .into_iter()
            .map(|triangle| (triangle, Some(triangle.map(normal))));
        let mut builder = Builder::default();
        builder.curved_mesh(vertices, triangles, sides);
        Self::built(builder)
    }

    /// A terrain: `heights` in m over a grid with this number of points along X, row after row along Z, on a rectangle of `size` m
    /// around the origin. Bodies collide with its upper side.
    pub fn height_field(heights: &[f32], columns: u32, size: Vec2) -> Self {
        let mut builder = Builder::default();
        let rows = heights.len() as u32 / columns.max(1);
        if columns < 2 || rows < 2 || !(size.is_finite() && size.min_element() > 0.0) {
            builder.tell(ColliderProblem::Measure);
            return Self::built(builder);
        }
        let heights = &heights[..(rows * columns) as usize];
        builder.mesh(
            grid_points(heights, columns as usize, size),
            grid_triangles(columns, rows),
            MeshSides::One,
        );
        Self::built(builder)
    }

    /// A thin line through points in m. In a flat scene it is a floor, a wall, a slide.
    pub fn polyline(points: impl IntoIterator<Item = Vec3>) -> Self {
        let points: Vec<Vec3> = points.into_iter().collect();
        let lines = 1..points.len().max(1) as u32;
        let mut builder = Builder::default();
        builder.lines(points, lines.map(|end| [end - 1, end]));
        Self::built(builder)
    }

    /// A thin line between two points in m.
    pub fn segment(a: Vec3, b: Vec3) -> Self {
        Self::polyline([a, b])
    }

    /// Several colliders as one, each at its place.
    pub fn compound<'a>(parts: impl IntoIterator<Item = (Isometry3d, &'a Self)>) -> Self {
        let mut builder = Builder::default();
        for (place, part) in parts {
            builder.problems.extend(&part.0.problems);
            if let Some(geometry) = &part.0.geometry {
                let linear = Mat3::from_quat(place.rotation);
                builder.moved(geometry, linear, place.translation.into());
            }
        }
        Self::built(builder)
    }

    /// The surface, if its data could be used.
    pub fn geometry(&self) -> Option<&Geometry> {
        self.0.geometry.as_deref()
    }

    /// What could not be used of its data.
    pub fn problems(&self) -> &[ColliderProblem] {
        &self.0.problems
    }

    /// The distance along a ray at which it meets the surface of a body that is at `place`: see [`Geometry::cast_ray`]. Ray and
    /// distance are in world coordinates, in m.
    pub fn cast_ray(&self, place: &GlobalTransform, ray: Ray3d) -> Option<f32> {
        let inverse = place.affine().inverse();
        let direction = inverse.transform_vector3(*ray.direction);
        let local = Ray3d::new(
            inverse.transform_point3(ray.origin),
            Dir3::new(direction).ok()?,
        );
        let distance = self.geometry()?.cast_ray(local)?;
        Some(distance / direction.length())
    }

    /// The surface with a scale and then a shift, and the problems of the data at this scale.
    pub(crate) fn scaled(
        &self,
        scale: Vec3,
        shift: Vec3,
    ) -> (Option<Arc<Geometry>>, Vec<ColliderProblem>) {
        let Source {
            geometry, problems, ..
        } = &*self.0;
        let Some(geometry) = geometry else {
            return (None, problems.clone());
        };
        if scale == Vec3::ONE && shift == Vec3::ZERO {
            return (Some(Arc::clone(geometry)), problems.clone());
        }
        let scaled = &self.0.scaled;
        let mut known = scaled.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|scaled| scaled.geometry.strong_count() > 0);
        let found = known
            .iter()
            .find(|scaled| scaled.scale == scale && scaled.shift == shift);
        if let Some(Scaled {
            geometry, problems, ..
        }) = found
        {
            return (geometry.upgrade(), problems.clone());
        }
        let mut builder = Builder::default();
        builder.moved(geometry, Mat3::from_diagonal(scale), shift);
        builder.problems.splice(..0, problems.iter().copied());
        let (geometry, problems) = builder.build();
        let geometry = geometry.map(Arc::new);
        known.push(Scaled {
            scale,
            shift,
            geometry: geometry.as_ref().map(Arc::downgrade).unwrap_or_default(),
            problems: problems.clone(),
        });
        (geometry, problems)
    }
}

/// The triangles of a box. Bit 0 of a corner's index is its side along X, bit 1 along Y, bit 2 along Z.
const CUBOID: [[u32; 3]; 12] = [
    [0, 4, 6],
    [0, 6, 2],
    [1, 3, 7],
    [1, 7, 5],
    [0, 1, 5],
    [0, 5, 4],
    [2, 6, 7],
    [2, 7, 3],
    [0, 2, 3],
    [0, 3, 1],
    [4, 5, 7],
    [4, 7, 6],
];

impl From<Cuboid> for Collider {
    fn from(cuboid: Cuboid) -> Self {
        let Vec3 { x, y, z } = 2.0 * cuboid.half_size;
        Self::cuboid(x, y, z)
    }
}

impl From<Cylinder> for Collider {
    fn from(cylinder: Cylinder) -> Self {
        Self::cylinder(cylinder.radius, 2.0 * cylinder.half_height)
    }
}

impl From<Cone> for Collider {
    fn from(cone: Cone) -> Self {
        Self::cone(cone.radius, cone.height)
    }
}

impl From<Segment3d> for Collider {
    fn from(segment: Segment3d) -> Self {
        let [a, b] = segment.vertices;
        Self::segment(a, b)
    }
}

impl From<Triangle3d> for Collider {
    fn from(triangle: Triangle3d) -> Self {
        Self::trimesh(triangle.vertices, [[0, 1, 2]], MeshSides::Two)
    }
}
