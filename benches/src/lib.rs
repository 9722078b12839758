//! Shared by the programs of this folder: the scenes, the engines that run them, and the measurements.

pub mod engine;
pub mod exit;
pub mod joined;
pub mod pipe;
pub mod run;
pub mod scene;
pub mod state;
pub mod table;
pub mod times;
pub mod worlds;
