pub use crate::solver::contact::contact;
