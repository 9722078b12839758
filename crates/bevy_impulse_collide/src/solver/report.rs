use bevy::prelude::*;

/// What the contact stage of the last substep has taken and left.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Resource, Debug, PartialEq, Clone, Default)]
pub struct SolverReport {
    /// Whether to measure `residual`: that takes as long as a sweep or two. Default: false.
    pub measures_residual: bool,
    /// Sweeps, or products with the global system's matrix.
    pub iterations: u32,
    /// Greatest speed in m/s at which a contact still closes faster than it may; zero while it is not measured.
    pub residual: f32,
}
