//! The shapes of bodies: ball, capsule and half-space, and colliders of any shape.
//!
//! A shape's own mathematics is in the shape's own file. [`Shape`] joins them: it asks the shape's file, by a match without a
//! wildcard. The geometry of a pair of shapes is in [`collision`](crate::collision).

pub(crate) mod ball;
pub(crate) mod capsule;
mod dispatch;
pub(crate) mod geometry;
mod half_space;
mod placed;

pub use dispatch::{Shape, smaller_radius};
pub use geometry::{ColliderProblem, Geometry, MeshSides, SharedGeometry};
pub use placed::Placed;
