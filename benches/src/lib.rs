//! What the programs of this folder share: one scene, three engines that run it, and what is measured.

pub mod engine;
pub mod run;
pub mod scene;
pub mod state;
pub mod table;
