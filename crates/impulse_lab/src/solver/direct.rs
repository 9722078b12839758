//! A direct solve: all contacts at once, by pivoting and a sparse factorisation. See `contact_system`.
//!
//! Which contacts push, which stick and which slide is guessed for all of them, the linear system of the guess is factorised, and its
//! solution tells the next guess, until nothing changes. A load goes through any number of bodies at once: a tall column and a heavy
//! ball on a light one are as exact as a single contact. Far from the solution, the limit of friction, μ·P, is of the round before.
//! Near it, it is of the same solution.
//!
//! The time grows faster than the number of contacts, because a factor has more entries than its matrix. While a heap collapses, the
//! guesses of hundreds of contacts change many times, and a step takes seconds.

use bevy::prelude::*;

use super::{contact_system::ContactSystem, sweep_step::SweepStep};
use crate::replace::replace_step;

/// All rows at once.
#[derive(Resource, Reflect, Clone, Copy, Debug)]
#[reflect(Resource)]
pub struct Direct {
    /// Most rounds for the limits of friction and for what rounding has left. Default: 60.
    pub rounds: u32,
    /// The greatest speed in m/s that may be wrong in the end. Default: 1e-8, less than velocities in f32 can tell.
    pub tolerance: f64,
    /// β, the fraction of an overlap that a substep takes out, 0 to 1. Default: 0.1.
    pub bias: f32,
    /// The fraction of the last substep's impulses to start from, 0 to 1. Default: 1.
    pub warm_start: f32,
    /// How far the last substep was from the laws of contact, in m/s: the greatest speed that is wrong.
    pub residual: f64,
    /// Contacts of the last substep.
    pub contacts: usize,
    /// Matrices that were factorised in the last substep.
    pub factorized: u32,
}

impl Default for Direct {
    fn default() -> Self {
        Self {
            rounds: 60,
            tolerance: 1e-8,
            bias: 0.1,
            warm_start: 1.0,
            residual: 0.0,
            contacts: 0,
            factorized: 0,
        }
    }
}

impl Plugin for Direct {
    fn build(&self, app: &mut App) {
        app.insert_resource(*self).register_type::<Self>();
        replace_step(app, step);
    }
}

fn step(step: SweepStep, mut method: ResMut<Direct>) {
    step.run(method.bias, method.warm_start, |bodies, rows| {
        let Some(mut system) = ContactSystem::new(bodies, rows) else {
            return;
        };
        system.solve(method.rounds, method.tolerance);
        method.residual = system.residual();
        (method.contacts, method.factorized) = (rows.len(), system.factorized);
        system.finish(bodies, rows);
    });
}
