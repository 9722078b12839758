//! What the contact stage reports: its work and its error.

use bevy::prelude::*;

/// The work and the error of the contact stage in the last substep.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn watch(mut report: ResMut<SolverReport>) {
///     report.measures_residual = true;
///     info!("{} iterations, {} m/s", report.iterations, report.residual);
/// }
/// # bevy::ecs::system::assert_is_system(watch);
/// ```
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Resource, Debug, PartialEq, Clone, Default)]
pub struct SolverReport {
    /// Whether to measure `residual`. It takes as long as one or two sweeps. Default: false.
    pub measures_residual: bool,
    /// Number of sweeps, or of products with the matrix of the global system.
    pub iterations: u32,
    /// Greatest excess in m/s of a contact's closing speed over its allowed closing speed. Zero while it is not measured.
    pub residual: f32,
}
