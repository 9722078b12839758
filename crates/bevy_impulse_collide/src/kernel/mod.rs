//! The formulas, as pure functions on glam types: each with its equation and where it comes from. Nothing here knows of
//! entities or schedules.
//!
//! Conventions: SI units; `a` and `b` are the two bodies; the normal `n` is a unit vector from `b` to `a`; a relative
//! velocity is that of `a` less that of `b`, so it is negative along `n` while they approach. An immovable body has inverse
//! mass zero. *ICM* is the Impulse Collision Method, a scheme for particles in contact: overlap, jolt, clipped friction,
//! projection.

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
mod reduced_mass;
mod rotation;
mod segment;
mod supported_impact;

pub use contact_class::{ContactClass, contact_class};
pub use friction::{clipped_friction, tangential_velocity};
pub use generalised::Mobility;
pub use growth::{rod_growth_inertia, stretch};
pub use impact::{EffectiveMass, FollowedImpact, ImpactLaw, follow_impact, impact_impulse};
pub use impact_time::{parabola_impact_time, sphere_impact_time};
pub use inertia::{InverseInertia, capsule_inertia, sphere_inertia};
pub use jolt::{normal_impulse, normal_jolt};
pub use overlap::{overlap_pair, overlap_plane};
pub use projection::{projection_factor, projection_shift, projection_velocity_change};
pub use reduced_mass::{reduced_mass, reduced_mass_ratio};
pub use rotation::{free_rotation, turn};
pub use segment::{closest_on_segment, closest_segment_points};
pub use supported_impact::{Support, coupling, supported_impact_impulses};
