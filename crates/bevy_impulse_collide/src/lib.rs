//! Exact, fast collisions of balls, half-spaces and capsules for [Bevy](https://bevyengine.org).
//!
//! # Quick start
//!
//! ```no_run
//! use bevy::prelude::*;
//! use bevy_impulse_collide::prelude::*;
//!
//! App::new()
//!     .add_plugins((DefaultPlugins, ImpulseCollidePlugin::default()))
//!     .insert_resource(Gravity(Vec3::NEG_Y * 9.81))
//!     .add_systems(Startup, |mut commands: Commands| {
//!         commands.spawn(Plane::new(Vec3::Y));
//!         commands.spawn((Particle::new(0.5), Restitution(0.9), Friction(0.2), Transform::from_xyz(0.0, 3.0, 0.0)));
//!         commands.spawn((Capsule::new(0.2, 1.0), LinearVelocity(Vec3::X), Transform::from_xyz(2.0, 3.0, 0.0)));
//!     })
//!     .run();
//! ```
//!
//! # How a step works
//!
//! Six stages run in this order, [`CollisionConfig::substeps`](config::CollisionConfig) times in each fixed step; each is a
//! system in a set of its own ([`StepSystems`](schedule::StepSystems)) and a file of its own in [`step`].
//!
//! | stage | what it does to x(t), v(t−h/2) |
//! | --- | --- |
//! | gravity | a(t) from every field: uniform gravity, self-gravity, external forces |
//! | half-step correction | v(t) = v(t−h/2) + a·h/2, so that an impact sees the velocity at its own time |
//! | impulse jolt | impacts inside this step, each at its own time, in order; then v(t+h/2) |
//! | contact | resting and rolling contacts: iterated, warm-started, clamped impulses with Coulomb friction |
//! | integrate | x(t+h) = x(t) + h·v(t+h/2), and the free rotation |
//! | projection | overlap that is left, pushed out with factor k_p, without touching momentum or angular momentum |
//!
//! Components always show positions and velocities of the same moment. A step gathers them into packed arrays
//! ([`Bodies`]) once, works there, and writes back once.
//!
//! # Where things are
//!
//! - [`body`]: what you spawn. [`Particle`](body::Particle), [`Plane`](body::Plane), [`Capsule`](body::Capsule) and the
//!   components for mass, velocity, material and forces
//! - [`config`]: every parameter, and pause
//! - [`field`]: uniform gravity and self-gravity
//! - [`events`]: messages for your game code
//! - [`diagnostics`]: energy, momenta, overlap, state hash
//! - [`schedule`]: where your own systems can stand
//! - [`kernel`]: the formulas, with their equations
//! - [`find`]: broad phase and contact sets
//!
//! # Good to know
//!
//! - A `Transform` of a body is in world coordinates: do not make a body the child of an entity that moves.
//! - A 2D scene is a scene with z = 0: every normal then has z = 0 exactly, and it stays flat.
//! - Bad values (NaN, a radius of zero, …) are told once, as a warning and as a [`BadInput`](events::BadInput) message;
//!   the body is left out until they are mended, and the rest of the world goes on.

mod bodies;
pub mod body;
mod check;
pub mod config;
pub mod diagnostics;
pub mod events;
pub mod field;
pub mod find;
mod gather;
pub mod kernel;
mod parallel;
mod plugin;
pub mod schedule;
pub mod step;

pub use bodies::{Bodies, Material, Shape, smaller_radius};
pub use body::Fixed;
pub use check::InputProblem;
pub use plugin::ImpulseCollidePlugin;

/// The README's code compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// What most apps need. [`Fixed`] is not here: Bevy's own prelude has a `Fixed` too, for `Time<Fixed>`.
pub mod prelude {
    pub use crate::{
        Bodies, ImpulseCollidePlugin, InputProblem,
        body::{
            Acceleration, AngularVelocity, Capsule, CombineRule, Density, ExternalForce,
            ExternalTorque, Friction, GravityScale, LinearVelocity, Mass, Particle, Plane,
            Restitution, RollingFriction, SpinningFriction,
        },
        config::{
            CollisionConfig, MaterialRule, ProjectionLaw, ProjectionStrength, Stages, StepControl,
        },
        diagnostics::{Measure, Measurement},
        events::{BadInput, CollisionEnded, CollisionStarted, Impact},
        field::{Gravity, SelfGravity},
        find::{Contact, Contacts},
        kernel::ImpactLaw,
        schedule::{ImpulseStep, ImpulseSystems, StepSystems},
    };
}
