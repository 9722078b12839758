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
use super::{
    entry::StoredImpulse,
    method::{ContactProblem, ContactSolve},
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
        points.clear();
        for (number, cell) in graph.cells.iter().enumerate() {
            points.extend(cell.active_points().map(|point| (number, point)));
        }
        // Contacts of neighbours are near each other then: products with the matrix go through memory from end to end.
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
            let cell = graph.cells.get_mut(*cell);
            cell.set_impulse(point.at, point.feature, &impulse);
        }
        graph.begin_sums();
        let (touches, poses) = (&graph.touches, &graph.poses);
        layout.for_each_cell(&mut graph.cells, &mut graph.sums, |cell, _, sums| {
            cell.accumulate(poses, sums, touches);
        });
        iterations
    }
}

/// How many products with the matrix that took.
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
