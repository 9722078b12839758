//! Random worlds for the physics: each one comes from a seed, runs with checks after every step, and shrinks where a law breaks.
//!
//! ```sh
//! cargo run -p impulse_fuzz -- --worlds 1000 --shrink
//! cargo run -p impulse_fuzz -- --replay 42 --shrink
//! ```

pub mod check;
pub mod components;
pub mod dice;
pub mod extras;
pub mod failure;
pub mod fuzz;
pub mod gap;
pub mod generate;
pub mod join;
pub mod motion;
pub mod print;
pub mod print_ties;
pub mod report;
pub mod run;
pub mod seeds;
pub mod settings;
pub mod shrink;
pub mod simulation;
pub mod tie;
pub mod world;
