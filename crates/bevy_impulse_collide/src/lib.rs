//! Exact, fast collisions of balls and capsules with each other, and with half-spaces, boxes, meshes and terrain, for
//! [Bevy](https://bevyengine.org).
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
//! # A tour
//!
//! **Spawn.** A body is an entity with a shape. [`Particle`](components::Particle) and [`Capsule`](components::Capsule) move freely,
//! and so does a [`Compound`](components::Compound) of these. A [`Plane`](components::Plane) and a
//! [`Collider`](components::Collider) stand still, or you move them. All other components have defaults.
//!
//! **Step.** The physics runs in [`FixedPostUpdate`](bevy::prelude::FixedPostUpdate), at the rate of Bevy's `Time<Fixed>`. Then
//! [`Transform`](bevy::prelude::Transform) and [`LinearVelocity`](components::LinearVelocity) hold the new state, both of the same time.
//! Write velocities and forces in [`FixedUpdate`](bevy::prelude::FixedUpdate).
//!
//! **Hear.** [`Impact`](messages::Impact) tells of each hit, [`SensorEntered`](messages::SensorEntered) of each body in a goal, and
//! [`BadInput`](messages::BadInput) of each value that cannot be used. [`messages`] has them all.
//!
//! **Ask.** [`SpatialQuery`](query::SpatialQuery) casts rays and shapes, [`FlightQuery`](query::FlightQuery) foretells a flight, and
//! [`Measure`](diagnostics::Measure) gives energy and momenta.
//!
//! **Go back.** [`PhysicsSnapshot`](snapshot::PhysicsSnapshot) puts a world back. It then has the same future, to the bit.
//!
//! ```
//! use bevy::{prelude::*, time::TimeUpdateStrategy};
//! use bevy_impulse_collide::prelude::*;
//!
//! // A world without a window: each update is a step of 1/60 s.
//! let mut app = App::new();
//! app.add_plugins((MinimalPlugins, ImpulseCollidePlugin { interpolate: false }))
//!     .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
//!     .insert_resource(Time::<Fixed>::from_hz(60.0));
//! app.update(); // No time passes in the first update.
//!
//! app.world_mut().spawn(Plane::new(Vec3::Y));
//! let ball = (Particle::new(0.5), Restitution(0.0), Transform::from_xyz(0.0, 3.0, 0.0));
//! let ball = app.world_mut().spawn(ball).id();
//! for _ in 0..60 {
//!     app.update();
//! }
//! // It has fallen on the floor, and lies there.
//! let height = app.world().get::<Transform>(ball).unwrap().translation.y;
//! assert!((height - 0.5).abs() < 1e-3);
//! ```
//!
//! # Components by task
//!
//! | you say | with |
//! | --- | --- |
//! | what shape moves freely | [`Particle`](components::Particle), [`Capsule`](components::Capsule), [`Compound`](components::Compound) |
//! | what shape stands, or is moved by you | [`Plane`](components::Plane), [`Collider`](components::Collider); with the feature `mesh`, `MeshCollider` |
//! | what moves it | [`RigidBody`](components::RigidBody), [`MovedByTransform`](components::MovedByTransform), [`Pivot`](components::Pivot), [`SurfaceVelocity`](components::SurfaceVelocity), [`LockedRotation`](components::LockedRotation) |
//! | how it moves now | [`LinearVelocity`](components::LinearVelocity), [`AngularVelocity`](components::AngularVelocity), Bevy's `Transform` |
//! | what pushes it | [`Forces`](components::Forces) in a query, [`ExternalForce`](components::ExternalForce), [`ExternalTorque`](components::ExternalTorque), [`GravityScale`](components::GravityScale), [`LinearDamping`](components::LinearDamping), [`AngularDamping`](components::AngularDamping) |
//! | how heavy it is | [`Mass`](components::Mass), [`Density`](components::Density), [`Inertia`](components::Inertia), [`CenterOfMass`](components::CenterOfMass), [`OverlapCountedOnce`](components::OverlapCountedOnce) |
//! | how it bounces and rubs | [`Restitution`](components::Restitution), [`Friction`](components::Friction), [`RollingFriction`](components::RollingFriction), [`SpinningFriction`](components::SpinningFriction) |
//! | what holds two together | [`Joint`](components::Joint), [`JointLimits`](components::JointLimits), [`SwingLimit`](components::SwingLimit), [`JointMotor`](components::JointMotor), [`JointSpring`](components::JointSpring), [`JointDamping`](components::JointDamping), [`JointStrength`](components::JointStrength), [`JointDisabled`](components::JointDisabled) |
//! | who meets whom | [`CollisionLayers`](components::CollisionLayers), [`Sensor`](components::Sensor), [`CollisionHooks`](components::CollisionHooks) |
//! | who is told | [`CollisionEvents`](components::CollisionEvents), for observers; messages need none |
//! | what stays awake | [`SleepingDisabled`](components::SleepingDisabled) |
//! | how a cell grows | [`Growth`](components::Growth), [`Division`](components::Division), [`RodInertia`](components::RodInertia) |
//! | in which order bodies come, on all machines | [`BodyOrder`](components::BodyOrder) |
//! | in which world it is, if not in the app's | [`InWorld`](components::InWorld), with the crate `bevy_impulse_worlds` |
//!
//! The step writes [`Sleep`](components::Sleep), [`Acceleration`](components::Acceleration) and [`JointForce`](components::JointForce).
//!
//! # How a step works
//!
//! Six stages run in this order, [`CollisionConfig::substeps`](config::CollisionConfig) times in each fixed step. Each stage is
//! a system in a set of its own ([`StepSystems`](schedule::StepSystems)) and a file of its own in [`stages`].
//!
//! ```text
//!   t      ┌─────────────┐  ┌────────────────────────┐  ┌──────────────────┐
//!  ───────►│  1 gravity  ├─►│ 2 half-step correction ├─►│  3 impulse jolt  ├──┐
//!          └─────────────┘  └────────────────────────┘  └──────────────────┘  │
//!               a(t)                  v(t)                    v(t+h/2)        │
//!   ┌─────────────────────────────────────────────────────────────────────────┘
//!   │      ┌─────────────┐  ┌────────────────────────┐  ┌──────────────────┐   t+h
//!   └─────►│  4 contact  ├─►│      5 integrate       ├─►│   6 projection   ├──────►
//!          └─────────────┘  └────────────────────────┘  └──────────────────┘
//!             v(t+h/2)               x(t+h)                x(t+h), v(t+h)
//! ```
//!
//! | stage | what it does to x(t), v(t) |
//! | --- | --- |
//! | gravity | finds a(t) from every field: uniform gravity, self-gravity, external forces, fields of your own |
//! | half-step correction | v(t) = v(t) + (a(t) − a(t−h))·h/2: the last half kick was made with a(t−h) |
//! | impulse jolt | resolves the impacts inside this step, each at its own time, in order; then v(t+h/2) |
//! | contact | finds the impulses of resting and rolling contacts: warm-started, clamped, with Coulomb friction |
//! | integrate | x(t+h) = x(t) + h·v(t+h/2), the free rotation, and the growth |
//! | projection | pushes the remaining overlap out by the factor k_p; momentum and angular momentum stay; then v(t+h) |
//!
//! A step gathers the components once into packed arrays ([`Bodies`]), works there, and writes them back once.
//!
//! # Fields of your own
//!
//! A field is a system in [`StepSystems::Fields`](schedule::StepSystems::Fields) that adds to the accelerations. All stages
//! treat it as they treat gravity: impacts, resting contacts and sleep.
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_impulse_collide::prelude::*;
//!
//! /// a = −ω²·x: a spring pulls every body to the origin.
//! fn spring(mut bodies: ResMut<Bodies>) {
//!     bodies.for_each(|mut body| body.accelerate(-4.0 * body.position()));
//! }
//!
//! /// a = −k·v: drag.
//! fn drag(mut bodies: ResMut<Bodies>) {
//!     bodies.for_each(|mut body| body.accelerate(-0.1 * body.velocity()));
//! }
//!
//! # let mut app = App::new();
//! app.add_systems(ImpulseStep, (spring, drag).chain().in_set(StepSystems::Fields));
//! ```
//!
//! - The set runs after the crate's own fields.
//! - In another schedule (`FixedUpdate`, …) such a system has no effect; that is a [`BadInput`](messages::BadInput).
//! - Two systems in it need an order, as here. A sum in another order rounds to other bits, and two runs would differ.
//! - An acceleration that is added to a plane, a static body or a kinematic body has no effect.
//! - Positions are x(t), and velocities are v(t). A field keeps the second order of the step.
//! - A field counts as sampled: see [below](#what-is-sampled-and-what-is-switched).
//! - [`Measure`](diagnostics::Measure) counts the motion, but not the potential energy of your field.
//!
//! # What is sampled, and what is switched
//!
//! A force that comes from the motion, such as a spring's, is *sampled*: each step takes its value at one time, and the step is
//! symmetric about that time. So an oscillator keeps its amplitude. A force that somebody turns on or off is *switched*: it acts
//! from t on, and what it replaces has acted until t. The crate tells them apart:
//!
//! | what you write | it counts as |
//! | --- | --- |
//! | a field in [`StepSystems::Fields`](schedule::StepSystems::Fields), [`SelfGravity`](field::SelfGravity) | sampled |
//! | [`ExternalForce`](components::ExternalForce) and [`ExternalTorque`](components::ExternalTorque), written before every step | sampled |
//! | the same, written now and then | switched |
//! | [`Forces`](components::Forces): forces, torques, impulses | switched |
//! | [`Gravity`](field::Gravity), set anew; in every step it is sampled | switched |
//! | a velocity, a `Transform`, a mass, a shape, a material, layers, a rule for a pair | switched |
//! | a body that comes or goes, and with it its contacts | switched |
//!
//! "Written" means that a system had mutable access, be it for the same value. The first value counts as switched. If the next
//! steps write too, and the value changes, the step gives the half that the first change is owed. So either way, a force that has
//! come and gone has given the sum of its F·h.
//!
//! A body with impacts flies on a parabola that the field at the start of the step bends. Where the field changes much along it, as
//! that of a stiff spring does, each impact may add or take energy, up to about h²·|∂a/∂x|/6 of it. If such a body must keep its energy
//! over thousands of impacts, give the field as two changes of its [`LinearVelocity`](components::LinearVelocity), a·h/2 in
//! `FixedUpdate` and a·h/2 in `FixedLast`. The flight between them is straight, and the energy stays. The scene `cradle` does so.
//!
//! # Where things are
//!
//! - [`components`]: the components that you spawn. [`Particle`](components::Particle), [`Plane`](components::Plane),
//!   [`Capsule`](components::Capsule) and the components for mass, growth, velocity, material and forces
//! - [`config`]: every parameter, and pause
//! - [`field`]: uniform gravity and self-gravity
//! - [`accretion`]: balls that merge when they touch
//! - [`messages`]: messages for your game code
//! - [`pairs`]: pairs of bodies under your own rules
//! - [`sensing`]: which bodies are in which sensors
//! - [`query`]: rays, moving balls and capsules, nearest points, overlaps; what a flight will hit
//! - [`diagnostics`]: energy, momenta, overlap, state hash; times and counts of each step
//! - `gizmos`, with the feature of this name: draws bodies, contacts, islands and joints
//! - `picking`, with the feature of this name: Bevy's pointer events on bodies
//! - `smoothing`, with the feature `interpolation`: smooth transforms between steps
//! - [`schedule`]: the sets between which your own systems can run
//! - [`kernel`]: the formulas, with their equations
//! - [`shape`]: the shapes of bodies
//! - [`snapshot`]: to go back and on again, and to save a world
//! - [`collision`]: broad phase, contact sets and times of impact
//! - [`solver`]: impacts, contacts, sleep and projection; [`Rows`](solver::Rows), kinds of constraints of your own
//! - [`stages`]: the six systems of a step
//! - [`teleport`]: to put a body somewhere else at once, or under another parent
//!
//! # Good to know
//!
//! - A body may have parents. Dynamic bodies, and kinematic ones, move in the world by themselves: a parent that moves does not
//!   drag them, and each step writes their `Transform`s anew. A static child of a kinematic body is a part of it: it moves with
//!   it, and hits with the velocity of its point. Any other static child stands where its parents put it; to give it the velocity
//!   of their motion, add [`MovedByTransform`](components::MovedByTransform). To take a body from its parent, or to give it one,
//!   where it is, use [`LeaveParent`](teleport::LeaveParent) and [`JoinParent`](teleport::JoinParent): Bevy's
//!   `remove_parent_in_place` and `set_parent_in_place` take the places of the last frame, up to a step back.
//! - A 2D game sets [`CollisionConfig::flat`](config::CollisionConfig): nothing leaves the plane z = 0, and the z of a `Transform`
//!   is free for the order in which bodies are drawn. A `Particle` is a circle and a `Capsule` a pill; a ball still has the
//!   inertia of a ball, 2/5·m·r², where a disc would have 1/2·m·r². Walls are planes, and boxes with some depth.
//! - A body with Bevy's `Disabled` leaves the physics: nothing meets it, and no query finds it. What slept on it wakes. Without
//!   `Disabled` it goes on with the components that it has. Its children are bodies of their own, and stay where they are: disable
//!   them too, with `insert_recursive::<Children>(Disabled)`.
//! - A bad value (NaN, a radius of zero, …) is reported once, as a warning and as a message [`BadInput`](messages::BadInput).
//!   The body takes no part until the value is good again. The rest of the world goes on. A component without effect where it
//!   is (a `Growth` on a ball, a force on a static body) is reported in the same way, and the body takes part.

pub mod accretion;
mod body;
pub mod collision;
#[macro_use]
pub mod components;
pub mod config;
pub mod diagnostics;
mod division;
mod ecs;
pub mod field;
mod flat;
#[cfg(feature = "gizmos")]
pub mod gizmos;
pub mod kernel;
pub mod messages;
pub mod pairs;
mod parallel;
#[cfg(feature = "picking")]
pub mod picking;
mod plugin;
pub mod query;
pub mod schedule;
pub mod sensing;
pub mod shape;
#[cfg(feature = "interpolation")]
pub mod smoothing;
pub mod snapshot;
pub mod solver;
pub mod stages;
pub mod teleport;

pub use body::{Bodies, BodyMut, BodyRef, BodyView, Material};
#[cfg(feature = "mesh")]
pub use ecs::mesh_collider::MeshCollider;
pub use ecs::step_now::{runs_users_systems, step};
pub use messages::{InputProblem, ProblemReason, ProblemValue};
pub use plugin::ImpulseCollidePlugin;
pub use shape::{ColliderProblem, MeshSides, Shape, smaller_radius};
pub use snapshot::forget_past;

/// The README's code compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The names that most apps need.
pub mod prelude {
    #[cfg(feature = "mesh")]
    pub use crate::ecs::mesh_collider::MeshCollider;
    #[cfg(feature = "gizmos")]
    pub use crate::gizmos::{ImpulseGizmos, ImpulseGizmosPlugin};
    #[cfg(feature = "picking")]
    pub use crate::picking::{
        ImpulsePickingCamera, ImpulsePickingFilter, ImpulsePickingPlugin, ImpulsePickingSettings,
    };
    pub use crate::{
        Bodies, BodyMut, BodyRef, ImpulseCollidePlugin, InputProblem, ProblemReason, ProblemValue,
        accretion::Accretion,
        components::{
            Acceleration, AngularDamping, AngularVelocity, AppliedForces, BodyOrder, Capsule,
            CenterOfMass, Collider, CollisionEvents, CollisionHooks, CollisionLayers, CombineRule,
            Compound, Density, Division, ExternalForce, ExternalTorque, Forces, Friction,
            GravityScale, Growth, InWorld, Inertia, Joint, JointDamping, JointDisabled, JointForce,
            JointFrame, JointKind, JointLimits, JointMotor, JointPlace, JointSpring, JointStrength,
            LayerMask, LinearDamping, LinearVelocity, LockedRotation, Mass, MotorTarget,
            MovedByTransform, OverlapCountedOnce, Particle, PhysicsLayer, Pivot, Plane,
            Restitution, RigidBody, RodInertia, RollingFriction, Sensor, Sleep, SleepingDisabled,
            SpinningFriction, SurfaceVelocity, SwingLimit, WorldBodies,
        },
        config::{
            CollisionConfig, ContactMethod, GlobalSolver, MaterialRule, ProjectionLaw,
            ProjectionStrength, Stages, StepControl,
        },
        diagnostics::{ImpulseDiagnosticsPlugin, Measure, Measurement},
        field::{ForceError, Gravity, GravityMethod, SelfGravity},
        kernel::ImpactLaw,
        messages::{
            BadInput, CollisionEnded, CollisionStarted, Divided, Impact, JointBroken, Merged,
            SensorEntered, SensorLeft,
        },
        pairs::{NearPair, NearPairs},
        query::{
            CastHit, Flight, FlightHit, FlightQuery, NearestPoint, RayHit, SpatialFilter,
            SpatialQuery,
        },
        schedule::{ImpulseStep, ImpulseSystems, PairHooks, StepSystems},
        sensing::Sensors,
        shape::MeshSides,
        snapshot::PhysicsSnapshot,
        solver::{Contact, Contacts, SolverReport},
        teleport::{JoinParent, LeaveParent, TeleportTo},
    };
}
