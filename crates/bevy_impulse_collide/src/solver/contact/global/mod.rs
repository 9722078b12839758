//! All contacts as one linear system in the generalised momenta, with impulses that only push.
//!
//! Each contact has a mass-weighted row N ([`Mobility::row`](crate::kernel::Mobility::row)). Its product with the mass-weighted
//! momenta q of the two bodies, seven numbers each, is the velocity at which the surfaces part. An impulse λ of the contact changes
//! q by Nᵀ·λ. No surfaces may close faster than allowed, v + N·Δq ≥ 0. Impulses λ ≥ 0, which are zero where surfaces part, enforce
//! this. For the contacts that push, this is the system NᵀN·Δq = −Nᵀv with Δq = Nᵀλ. It is solved for λ, as
//!
//!   minimise ½·λᵀ(NNᵀ + ε)λ + vᵀλ with λ ≥ 0.
//!
//! After any number of iterations the impulses only push, and act equally and oppositely on two bodies: momentum is conserved. The
//! matrix is never built: a product with it is a product with Nᵀ, body by body, and one with N.

mod minimiser;
mod system;

use self::{minimiser::Minimiser, system::System};
use super::{
    entry::StoredImpulse,
    method::{ContactProblem, ContactSolve},
    rows::RowSums,
    view::ContactPoint,
};
use crate::config::{ContactMethod, GlobalSolver};

/// The global solver, with its memory.
#[derive(Debug, Default)]
pub(super) struct GlobalContacts {
    system: System,
    minimiser: Minimiser,
    /// All active contact points in the order of their pairs, each with the number of its cell.
    points: Vec<(usize, ContactPoint)>,
}

impl ContactSolve for GlobalContacts {
    fn solve(&mut self, problem: &mut ContactProblem) -> u32 {
        let ContactMethod::Global(config) = problem.config.contact_method else {
            return 0;
        };
        let Self {
            system,
            minimiser,
            points,
        } = self;
        let (graph, bodies, layout) = (&mut *problem.graph, problem.bodies, problem.layout);
        graph.collect_active_points(points);
        // This puts contacts of neighbours near each other: products with the matrix go through memory from end to end.
        points.sort_unstable_by_key(|(_, point)| (graph.pairs[point.pair as usize], point.feature));
        system.build(bodies, &config, &graph.poses, points);
        let iterations = minimise(system, minimiser, &config);
        system.write_impulses(points);
        for (cell, point) in points.iter() {
            let impulse = StoredImpulse {
                normal: point.normal_impulse,
                friction: point.friction_impulse,
                ..StoredImpulse::default()
            };
            graph.set_impulse(*cell, point, &impulse);
        }
        graph.begin_sums(bodies);
        let (touches, poses) = (&graph.touches, &graph.poses);
        layout.for_each_cell(&mut graph.cells, &mut graph.sums, |cell, _, sums| {
            cell.accumulate(&mut RowSums {
                poses,
                sums,
                touches,
                given: &mut Vec::new(),
            });
        });
        iterations
    }
}

/// Returns the number of products with the matrix.
fn minimise(system: &mut System, minimiser: &mut Minimiser, config: &GlobalSolver) -> u32 {
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
    iterations
}
