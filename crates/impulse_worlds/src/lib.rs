//! Several physics worlds in one app: each with its own gravity, configuration and clock.
//!
//! A [`SubWorld`] is a value that you step yourself, on any thread: to try a shot, to look ahead. As a component of an entity it steps by
//! itself, beside the app's own physics, and entities of the app are in it:
//!
//! ```
//! use bevy::{prelude::*, time::TimePlugin};
//! use bevy_impulse_collide::prelude::*;
//! use bevy_impulse_worlds::{SubWorld, SubWorldsPlugin};
//!
//! let mut app = App::new();
//! app.add_plugins((TimePlugin, ImpulseCollidePlugin::default(), SubWorldsPlugin));
//! let world = app.world_mut();
//! let moon = world.spawn(SubWorld::new().with(Gravity(Vec3::NEG_Y * 1.62))).id();
//! // A stone on the moon, and a stone in the app's own world.
//! world.spawn((Particle::new(0.1), InWorld(moon)));
//! world.spawn(Particle::new(0.1));
//! app.update();
//! ```
//!
//! # Members
//!
//! - Whatever has [`InWorld`] is a member of that world: bodies, joints, and the children of members. The app's physics leaves them
//!   alone.
//! - What you do to a member's components goes into its world before the next step, as if it were a body of the app. Poses, velocities
//!   and all else that a step writes comes back after it, also the messages and entity events: they name the app's entities.
//! - A parent outside the world does not count there: a member's `Transform` is its place in the world, and the parent says where that
//!   world is drawn. So a world can stand on a table, or fly: let its members be children of the entity with the [`SubWorld`].
//! - To move a body to another world, insert another [`InWorld`]; to move it to the app's, remove it. It keeps its components.
//! - If the entity of the world is despawned, so are its members. If only its [`SubWorld`] is taken away, they stand still until there
//!   is one again.
//! - A joint is a member too, and its bodies must be in the same world. A body without such a world, a world inside a world, and a joint
//!   between two worlds are each told once as a `BadInput`.
//!
//! # Time
//!
//! The worlds step in [`StepSubWorlds`], a part of [`FixedPostUpdate`], between `ImpulseSystems::Gather` and
//! `ImpulseSystems::WriteBack`; all that are due step at once on the compute threads, and end in the bits of an app with the same
//! bodies, on any number of threads. The app's `StepControl` does not stop them: each has its own.
//!
//! A [`WorldClock`] may have other steps than the app, and another speed. Then a world makes each step at the start of its time, and the
//! transforms of its members show the time of its clock, between the last two steps: they are smooth in slow motion too. Velocities and
//! messages are those of the last step.
//!
//! # Why no `SubApp`
//!
//! Bevy's `SubApp`s, such as that of its renderer, run once in a frame, one after another, after the app's schedules, and are known
//! before the app runs. A physics world steps at a rate of its own, comes and goes while a game runs, and belongs to something in it. So
//! it is a component. From the renderer are the two entities of one thing (`main_entity`, `sub_entity`): a body has another entity in
//! its world than in the app, as each world gives out its own.
//!
//! # What is not covered
//!
//! - A `PhysicsSnapshot` of the app does not hold its sub-worlds: take one of [`SubWorld::world_mut`]. `PhysicsState` does not hold them
//!   either.
//! - A recording of the app (`bevy_impulse_recorder`) leaves members aside. A body that comes from a sub-world is recorded from then on.
//! - `SpatialQuery`, gizmos of contacts, and picking in the app see its own bodies alone; ask [`SubWorld::spatial_query`].
//! - Accretion, pair hooks and fields of your own belong to a world: add them to an app, and use [`SubWorld::from_app`].

mod between;
mod clock;
mod exchange;
mod homes;
mod kinds;
mod mail;
mod members;
mod sub_world;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

pub use bevy_impulse_collide::components::{InWorld, WorldBodies};
pub use clock::WorldClock;
pub use sub_world::SubWorld;

/// Steps the [`SubWorld`]s of an app.
#[derive(Clone, Copy, Debug, Default)]
pub struct SubWorldsPlugin;

/// The set in which all sub-worlds step, in [`FixedPostUpdate`].
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StepSubWorlds;

impl Plugin for SubWorldsPlugin {
    fn build(&self, app: &mut App) {
        mail::add_messages(app);
        homes::watch(app);
        exchange::start(app);
        app.configure_sets(
            FixedPostUpdate,
            StepSubWorlds
                .after(ImpulseSystems::Gather)
                .before(ImpulseSystems::WriteBack),
        )
        .add_systems(FixedPostUpdate, exchange::exchange.in_set(StepSubWorlds));
    }
}
