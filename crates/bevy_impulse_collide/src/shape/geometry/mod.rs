//! The geometry of colliders: surfaces of triangles, lines and solids of revolution.
//!
//! - `surface`: the data, in a tree of bounding boxes of the library `parry3d`.
//! - `topology`: the normal cones of edges and vertices. A contact counts only in its cone.
//! - `seam`: the same where solids lie flush beside each other.
//! - `part`: the points at which a core is nearest to one triangle, line or solid.
//! - `patch`: the curved surface of a triangle with normals.
//! - `revolved`: cylinders and cones.
//! - `contacts`: the contacts of a body with a whole surface.
//! - `ray`: rays against a surface.
//! - `edges`: the lines that show a surface.
//! - `course`: the way of a body that does not turn, straight or a parabola.
//! - `sweep`: bodies that move on such a way against a surface.
//! - `distance`: the distance of a point, negative inside a solid.
//! - `overlap`: capsules and boxes that overlap a surface.
//! - `box_entry`: a straight way through a tree of boxes.
//! - `build`: surfaces from arrays.
//! - `saved`: surfaces in files.

mod box_entry;
mod build;
mod contacts;
mod core;
mod course;
mod distance;
mod edges;
mod handle;
mod overlap;
mod part;
mod patch;
mod ray;
mod revolved;
#[cfg(feature = "serde")]
pub(crate) mod saved;
mod seam;
mod surface;
mod sweep;
#[cfg(test)]
mod tests;
mod topology;
mod triangle;

pub(crate) use self::{
    box_entry::BoxEntry,
    build::{Builder, grid_points, grid_triangles},
    contacts::{SurfaceContact, SurfaceContacts, SurfacePoint, is_same_normal},
    core::Core,
    course::{Course, closing_time},
    overlap::BoxInFrame,
    revolved::Revolved,
    seam::Foot,
    surface::Part,
    sweep::Touch,
};
pub use self::{
    build::ColliderProblem,
    handle::SharedGeometry,
    surface::{Geometry, MeshSides},
};
