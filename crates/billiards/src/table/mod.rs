//! The table, its balls, and their places before the break.
//!
//! A point of the bed is a [`Vec2`](bevy::math::Vec2) of world x (along the table) and z (across it); the cloth is at height
//! 0. The constants are for the 9-foot pool table, which is drawn; the resource [`Table`](bed::Table) is the table in play.
//!
//! Measures, without an ECS:
//!
//! - [`spec`]: tables, balls and cues by their published measures
//! - [`cushion`]: the cushions' noses and ends, and the rails behind them
//! - [`pocket`]: the holes, and which ways of a ball lead into one
//! - [`rack`]: where the balls stand before the break
//!
//! Bodies:
//!
//! - [`bed`]: the cloth (a plane) and the cushions (capsules)
//! - [`balls`]: a ball as a component and as a body
//! - [`friction`]: friction between balls by their sliding speed
//! - [`rubber`]: cushions take more of a fast ball's speed, and give way along themselves
//! - [`materials`](mod@materials): the rules for restitution and friction where two surfaces meet

pub mod balls;
pub mod bed;
pub mod cushion;
pub mod friction;
pub mod materials;
pub mod pocket;
pub mod rack;
pub mod rubber;
pub mod spec;
