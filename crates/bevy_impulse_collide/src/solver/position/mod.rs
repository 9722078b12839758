//! The projection of overlaps: positions are corrected, momentum and angular momentum stay.
//!
//! Balls are pushed apart several pairs at a time (`balls`), pairs with a capsule, a part or a collider from
//! the points at which they overlap (`capsules`), all other pairs from their manifold (`pair`). No centre is pushed behind a static plane (`static_planes`). No energy comes
//! from pushes (`energy_limit`).

mod balls;
mod capsules;
mod cell;
mod energy_limit;
mod pair;
mod position_change;
mod projector;
mod rotation_change;
mod row_errors;
mod static_planes;

pub use projector::Projector;
pub(crate) use static_planes::{PoseBefore, StaticPlanes};
