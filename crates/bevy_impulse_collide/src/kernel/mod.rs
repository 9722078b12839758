//! The formulas, as pure functions on glam types. Each has its equation and its source. They use no entities and no schedules.
//!
//! Conventions:
//!
//! - All quantities have SI units.
//! - `a` and `b` are the two bodies. The normal `n` is a unit vector from `b` to `a`.
//! - A relative velocity is v_a − v_b. Along `n` it is negative while the bodies approach.
//! - An immovable body has the inverse mass zero.
//! - *ICM* is the Impulse Collision Method, a scheme for particles in contact: overlap, jolt, clipped friction, projection.
//!
//! ```
//! use bevy_impulse_collide::kernel::{normal_impulse, reduced_mass};
//!
//! // Balls of 2 kg and 1 kg approach at 3 m/s, with e = 0.5.
//! let j = normal_impulse(0.5, reduced_mass(1.0 / 2.0, 1.0), -3.0);
//! assert!((j - 3.0).abs() < 1e-5);
//! ```

mod contact_class;
mod friction;
mod generalised;
mod growth;
mod impact;
mod impact_time;
mod inertia;
mod jolt;
mod overlap;
mod projection;
mod quaternion;
mod reduced_mass;
mod rotation;
mod segment;
mod shared_mass;
mod supported_impact;

pub use contact_class::{ContactClass, contact_class};
pub use friction::{clipped_friction, tangential_velocity, with_tangential_restitution};
pub use generalised::Mobility;
pub use growth::{rod_growth_inertia, stretch};
pub use impact::{EffectiveMass, FollowedImpact, ImpactLaw, follow_impact, impact_impulse};
pub use impact_time::{parabola_impact_time, sphere_impact_time};
pub(crate) use inertia::{IMMOVABLE, principal_moments};
pub use inertia::{InverseInertia, capsule_inertia, sphere_inertia};
pub use jolt::{normal_impulse, normal_jolt};
pub use overlap::{overlap_pair, overlap_plane};
pub use projection::{projection_factor, projection_shift, projection_velocity_change};
pub use quaternion::{compose, unit};
pub use reduced_mass::{inertia_share, reduced_mass, reduced_mass_ratio};
pub use rotation::{free_rotation, precession, rotation_vector, turn};
pub use segment::{closest_on_segment, closest_segment_points};
pub(crate) use shared_mass::{MassMoments, Solid, shared_mass};
pub use supported_impact::{Support, coupling, supported_impact_impulses};
