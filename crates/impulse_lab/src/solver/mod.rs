//! Ways to solve many contacts at once: with friction, and with the restitution of each pair.
//!
//! All start from the same rows ([`rows`]): v = v + g·h, and at each contact the wanted normal speed, the normal impulse P ≥ 0 and the
//! tangential impulse within Coulomb's cone, |F| ≤ μ·P. They differ in how they look for the impulses that fulfil all rows at once.
//! A new method by sweeps is a file like `gauss_seidel`: it hands its sweeps to `sweep_step`.

mod conjugate_gradient;
mod contact_system;
mod direct;
mod gauss_seidel;
mod hybrid;
mod jacobi;
pub mod rows;
mod small_steps;
mod soft;
mod sweep_step;
mod vertex_block;
mod xpbd;

pub use self::{
    conjugate_gradient::ConjugateGradient, direct::Direct, gauss_seidel::GaussSeidel,
    hybrid::Hybrid, jacobi::Jacobi, soft::SoftSteps, vertex_block::VertexBlockDescent, xpbd::Xpbd,
};
