//! Joints: constraints between two bodies that are solved all at once.
//!
//! ```text
//! Joints                   all joints of the world, as a kind of constraint
//!  └ Articulation          bodies that joints hold together
//!     ├ Node               one body in one substep
//!     ├ Link               one joint in one substep: its rows and its impulses
//!     │  ├ JointLaw        what it holds: its rows, and their values
//!     │  └ Drive           what acts along a freedom that it leaves: limits, a motor, a spring
//!     └ BlockMatrix        the equations of all rows, factored
//!        └ Block           six rows and six columns
//! ```
//!
//! The impulses λ of all rows, and the changes Δv of the velocities that they make, are the solution of
//!
//! ```text
//! [ M  −Jᵀ ] [ Δv ]   [ 0   ]
//! [ −J  −C ] [ λ  ] = [ e/h ]
//! ```
//!
//! with the masses M, the rows J, a compliance C, and the errors e that the places at the end of the substep would have. The places
//! depend on the velocities, so it is Newton's method; after each sweep over the contacts come steps of it.

mod articulation;
mod block;
mod block_matrix;
mod drive;
mod joints;
mod law;
mod link;
mod loops;
mod node;

pub(crate) use articulation::StruckFlight;
pub(crate) use drive::{Act, Drive, Stiffness};
pub(crate) use joints::{JointOf, Joints, KnownJoint};
pub(crate) use law::{Freedom, JointLaw, LocalFrame};
