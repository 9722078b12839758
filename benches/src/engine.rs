//! The engines, each with its own defaults.

mod avian;
mod bevy_app;
#[cfg(feature = "box3d")]
mod box3d;
pub mod impulse;
mod rapier;

pub use bevy_app::{BevyEngine, minimal_app};

use serde::{Deserialize, Serialize};

use crate::scene::{Body, Scene};

/// As many threads as there are processors.
pub fn all_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A world that steps.
pub trait Engine {
    /// Takes one step of 1/60 s.
    fn step(&mut self);

    /// The bodies where they are now.
    ///
    /// # Errors
    /// If the world has lost one.
    fn bodies(&self) -> Result<Vec<Body>, String>;
}

/// An engine.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EngineName {
    /// `bevy_impulse_collide`
    Impulse,
    /// `rapier3d`
    Rapier,
    /// `rapier3d` with joints as multibodies
    RapierMultibody,
    /// `avian3d`
    Avian,
    /// `box3d`
    #[cfg(feature = "box3d")]
    Box3d,
}

impl EngineName {
    /// The crate's name and the version that this program is built with.
    pub fn title(self) -> &'static str {
        match self {
            Self::Impulse => "bevy_impulse_collide",
            Self::Rapier => "rapier3d 0.36",
            Self::RapierMultibody => "rapier3d 0.36, multibodies",
            Self::Avian => "avian3d 0.7",
            #[cfg(feature = "box3d")]
            Self::Box3d => "box3d 0.1",
        }
    }

    /// The engine's own means against bumps at the edges between a mesh's triangles, by the name that its documentation uses.
    pub fn edge_help(self) -> &'static str {
        match self {
            Self::Impulse => "vertex normals",
            Self::Rapier | Self::RapierMultibody | Self::Avian => "FIX_INTERNAL_EDGES",
            #[cfg(feature = "box3d")]
            Self::Box3d => "identifyEdges",
        }
    }

    /// The scene in a new world of this engine, on `threads` threads.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn spawn(self, scene: &Scene, threads: usize) -> Result<Box<dyn Engine>, String> {
        Ok(match self {
            Self::Impulse => Box::new(impulse::spawn(scene, threads)),
            Self::Rapier => Box::new(rapier::Rapier::spawn(scene, threads, false)?),
            Self::RapierMultibody => Box::new(rapier::Rapier::spawn(scene, threads, true)?),
            Self::Avian => Box::new(avian::spawn(scene, threads)),
            #[cfg(feature = "box3d")]
            Self::Box3d => Box::new(box3d::Box3d::spawn(scene, threads)),
        })
    }
}
