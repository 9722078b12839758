//! The scenes that show one law or one phenomenon each. The game of billiards is a crate of its own.
//!
//! - [`bounce`]: one ball on a plane, stepped in four ways beside each other
//! - [`bowling`]: ten-pin bowling, with oil on the lane
//! - [`colony`]: cells that grow, divide and push each other apart
//! - [`cradle`]: Newton's cradle
//! - [`gas`]: elastic balls in a box, and the statistics of their motion
//! - [`lab`]: one world, stepped by many methods side by side
//! - [`machines`]: joints at work: a crane, a bridge, ragdolls, a car
//! - [`marbles`]: a marble run
//! - [`pi`]: two balls and a wall that count the digits of π
//! - [`pile`]: balls poured into a box, or into a drum that turns
//! - [`pinball`]: a pinball table for two keys
//! - [`planet`]: a cloud of balls that falls together under its own gravity
//! - [`rubble`]: a cloud of boulders that does, and becomes a pile
//! - `replay`: plays a recording of any of these; not on a page, which has no files
//!
//! A scene is a folder here and an example of the same name in the workspace's `examples/`. Its plugin spawns the world and
//! runs in any app; in an app with a window it also adds its `view`. Its options are a part of the command line. Everything
//! that all scenes share is in `scene_kit`; `gathering` is what planet and rubble share.

pub mod bounce;
pub mod bowling;
pub mod colony;
pub mod cradle;
pub mod gas;
mod gathering;
pub mod lab;
pub mod machines;
pub mod marbles;
pub mod pi;
pub mod pile;
pub mod pinball;
pub mod planet;
#[cfg(not(target_arch = "wasm32"))]
pub mod replay;
pub mod rubble;
