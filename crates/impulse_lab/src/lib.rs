//! Other methods to step balls and capsules, each a plugin in place of the six stages of
//! [`bevy_impulse_collide`]: to compare them, and to teach how they fail.
//!
//! A method is a type with its parameters. It is a [`Plugin`](bevy::app::Plugin), and a resource that a user may edit while the world
//! runs. Add it after [`ImpulseCollidePlugin`](bevy_impulse_collide::ImpulseCollidePlugin):
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_impulse_collide::prelude::*;
//! use impulse_lab::stepper::Springs;
//!
//! let mut app = App::new();
//! app.add_plugins(ImpulseCollidePlugin { interpolate: false })
//!     .add_plugins(Springs { stiffness: 2e4, ..default() });
//! ```
//!
//! - [`stepper`]: how a ball on a plane is stepped, after a lecture on contacts; here in 3D, for many bodies.
//! - [`planet`]: how a planet of balls is held together, after an essay on collisions.
//! - [`solver`]: how many contacts are solved at once.
//! - [`replace`]: how a method takes the place of the stages.
//! - [`contact`]: the contact points of a substep, and impulses at them.
//!
//! Every method uses public items of the physics crate only.

pub mod contact;
pub mod planet;
pub mod replace;
pub mod solver;
pub mod stepper;
