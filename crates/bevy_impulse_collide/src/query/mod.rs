//! Questions about the world: which body does a ray meet, which one does a moving ball touch, which one is near?
//!
//! [`SpatialQuery`] is a system parameter. It sees the world as its components are at that moment: also a body that was spawned
//! or moved in this frame, before any step. It sees the bodies whose shape and [`Transform`](bevy::prelude::Transform) are good;
//! a body with a bad value is not there. In `Update`, transforms may be smoothed between two steps, and it sees the smoothed
//! ones.
//!
//! ```
//! use bevy::{ecs::system::RunSystemOnce, prelude::*};
//! use bevy_impulse_collide::prelude::*;
//!
//! let mut app = App::new();
//! app.add_plugins(ImpulseCollidePlugin { interpolate: false });
//! app.world_mut().spawn(Plane::new(Vec3::Y));
//! let ball = app.world_mut().spawn((Particle::new(0.5), Transform::from_xyz(0.0, 2.0, 0.0))).id();
//!
//! let look_down = |query: SpatialQuery| {
//!     let ray = Ray3d::new(Vec3::Y * 10.0, Dir3::NEG_Y);
//!     query.cast_ray(ray, 100.0, &SpatialFilter::default())
//! };
//! let hit = app.world_mut().run_system_once(look_down).unwrap().unwrap();
//! assert_eq!((hit.entity, hit.distance, hit.normal), (ball, 7.5, Vec3::Y));
//! ```
//!
//! Where a closed form exists, it is used: rays, moving balls and moving capsules against balls, capsules and half-spaces.
//! Colliders are met by free steps that end at a gap of 1e-6 of the moving radius, up to the rounding of their parts. A bad value
//! (NaN, a negative radius) finds nothing.
//!
//! A compound counts as the last step has seen it: before its first step, its parts are bodies of their own.
//!
//! The first query after a change finds the boxes of all bodies. A few queries look at every box. When there have been many, the next
//! one makes a tree. All systems share boxes and tree. An app that asks nothing pays nothing.

mod body;
mod filter;
mod flight;
mod flight_cast;
mod flight_query;
mod hit;
mod line;
mod measure;
mod meet;
mod moment;
mod overlap;
mod round;
mod snapshot;
mod spatial_query;

pub(crate) use moment::LastSnapshot;

pub use {
    filter::SpatialFilter,
    flight::{Flight, FlightHit},
    flight_query::FlightQuery,
    hit::{CastHit, NearestPoint, RayHit},
    spatial_query::SpatialQuery,
};
