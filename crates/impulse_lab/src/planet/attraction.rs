//! The attraction that all methods of this folder share.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

/// Newton's constant of the methods of this folder. They take no notice of [`SelfGravity`], the field of the physics crate.
#[derive(Resource, Reflect, Clone, Copy, Debug)]
#[reflect(Resource)]
pub struct Newton {
    /// G in m³/(kg·s²). Default: 500, as in the essay.
    pub constant: f32,
}

impl Default for Newton {
    fn default() -> Self {
        Self { constant: 500.0 }
    }
}

/// Adds the resource [`Newton`], unless it is there.
pub(super) fn add_newton(app: &mut App) {
    app.init_resource::<Newton>().register_type::<Newton>();
}

/// v = v + h·Σ G·m·d/|d|³ over all pairs. With `bounded`, the distance in the denominator is at least the sum of the radii.
pub(super) fn attract(bodies: &mut Bodies, newton: &Newton, bounded: bool) {
    let h = bodies.substep();
    for i in 0..bodies.len() {
        let mut pull = Vec3::ZERO;
        for j in i + 1..bodies.len() {
            let (one, other) = (bodies.get(i), bodies.get(j));
            let apart = other.position() - one.position();
            let mut distance = apart.length();
            if bounded {
                distance = distance.max(one.shape().radius() + other.shape().radius());
            }
            // Balls at the same point pull in no direction.
            if distance == 0.0 {
                continue;
            }
            let per_mass = apart * (newton.constant / (distance * distance * distance));
            pull += per_mass * other.mass();
            let back = per_mass * (one.mass() * h);
            bodies.get_mut(j).add_velocity(-back);
        }
        bodies.get_mut(i).add_velocity(pull * h);
    }
}
