//! The contact solver: one store of contacts, one graph, one set of verbs.
//!
//! ```text
//! ContactSolver            the state between substeps
//!  └ ContactGraph          pairs → constraints; the place of each constraint
//!     └ ContactCell        the constraints that one thread works on
//!        ├ BallRows        eight pairs of balls, or balls on planes
//!        └ PointContacts   eight pairs of any shapes, one or two points each;
//!                          optional terms: couples (rolling and spinning friction), stretch (growth);
//!                          contacts with colliders are made anew in every substep
//! Constraints              kinds from outside, such as joints
//! ```
//!
//! Each kind of constraint is a type that implements [`Rows`]. In every substep it goes through the same verbs:
//!
//! | verb | what it does |
//! | --- | --- |
//! | prepare | finds points, normals and effective masses; takes the impulses of the last substep |
//! | warm start | gives these impulses to the bodies |
//! | solve | brings each contact closer to its law, with clamped impulses |
//! | accumulate | sums the impulses for each body, in f64 |
//!
//! A [`ContactMethod`](crate::config::ContactMethod) runs the verbs: [`sweeps`] contact by contact, [`global`] all contacts as one
//! system.

mod accumulator;
mod ball;
mod ball_rows;
mod carried;
mod cell;
mod class;
mod closest_points;
mod coloring;
mod constraints;
mod couple;
mod division;
mod energy_limit;
mod entry;
mod global;
mod graph;
mod handle;
mod heavy;
mod impact_split;
mod impulse_transfer;
mod kick;
mod method;
mod methods;
mod passing;
mod places;
mod point;
mod point_data;
mod point_prepare;
mod point_solve;
mod pose;
#[cfg(test)]
mod reference;
mod report;
mod result;
mod rows;
mod sleeping;
mod slide;
mod slip;
mod solver;
mod stretch;
mod substep;
mod surface;
mod surface_search;
mod sweeps;
mod switched;
mod touching;
mod velocity;
mod view;

pub(in crate::solver) use self::entry::BallGroup;
pub(crate) use self::{
    carried::{CarriedContacts, CarriedPair, CarriedSurface},
    division::Split,
    graph::ContactGraph,
};
pub use self::{
    constraints::Constraints,
    report::Contact,
    result::Contacts,
    rows::{HalfImpulse, PositionError, RowBody, RowInput, RowSums, RowVelocities, Rows, Wrench},
    solver::ContactSolver,
};
pub(crate) use self::{constraints::find_links, solver::end_switched_contacts};
