//! Copies the components to the packed arrays, once per fixed step. `write_back` copies them back.

mod body_data;
mod context;
mod gathered;
mod kind;
mod mass;
mod meaningless;
mod placed_shape;
mod reader;
mod stored;
mod system;
mod watch;

pub(crate) use kind::forget_accelerations;
pub(crate) use mass::mass_from_density;
pub(crate) use meaningless::report_shapeless;
pub(crate) use placed_shape::{PlacedShape, ShapeData};
pub(crate) use reader::BodyReader;
pub(crate) use system::{find_changed, forget_mended, gather};
pub(crate) use watch::ticks;
