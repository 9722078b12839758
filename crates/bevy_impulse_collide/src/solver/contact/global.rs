//! All contacts as one linear system in the generalised momenta, with impulses that only push.
//!
//! A contact has a row N of the matrix of mass-weighted rows ([`Mobility::row`]): its product with the mass-weighted momenta q of
//! its two bodies, seven numbers each, is the velocity at which its surfaces part, and Nᵀ·λ is what its impulse λ changes of
//! them. That no surfaces close faster than they may, v + N·Δq ≥ 0, is held by impulses λ ≥ 0, which are zero where surfaces part.
//! For those that push, it is the system NᵀN·Δq = −Nᵀv with Δq = Nᵀλ. It is solved for λ, as
//!
//!   minimise ½·λᵀ(NNᵀ + ε)λ + vᵀλ with λ ≥ 0,
//!
//! so that whatever impulses the iterations have come to, they push, and act on two bodies alike: momentum is kept however few
//! iterations there are. The matrix is never made: a product with it is one with Nᵀ, body by body, and one with N.

mod minimiser;
mod system;

use self::{minimiser::Minimiser, system::System};
use super::row::Rows;
use crate::{body::Bodies, config::GlobalSolver};

/// What the global solver keeps from call to call so as not to allocate.
#[derive(Debug, Default)]
pub(super) struct Global {
    system: System,
    minimiser: Minimiser,
}

impl Global {
    /// Finds the impulses of the `rows`, from those that they come with; how many products with the matrix that took.
    pub fn solve(&mut self, bodies: &Bodies, config: &GlobalSolver, rows: &mut Rows) -> u32 {
        let Self { system, minimiser } = self;
        system.build(bodies, config, rows);
        let passes = if system.has_friction() {
            config.friction_passes
        } else {
            1
        };
        let mut iterations = 0;
        for _ in 0..passes {
            system.limit_friction();
            let left = config.iterations.saturating_sub(iterations);
            iterations += minimiser.minimise(system, config.tolerance, left);
        }
        system.write_impulses(rows);
        iterations
    }
}
