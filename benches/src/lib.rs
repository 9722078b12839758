//! Shared by the programs of this folder: one scene, three engines that run it, and the measurements.

pub mod engine;
pub mod run;
pub mod scene;
pub mod state;
pub mod table;
