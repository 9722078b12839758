//! Springs, with cooling.
//!
//! F = K·(r₁ + r₂ − |d|) while two balls overlap; then v = c·v for all balls
//!
//! A force needs time. Until it has acted, two balls are so near to each other that gravity throws them out. A harder spring
//! throws them out by itself: see [`Springs`](crate::stepper::Springs). With cooling, c < 1, the planet boils for a while and then settles;
//! everything that moves freely is braked too.

use bevy::prelude::*;
use bevy_impulse_collide::{collision::BroadPhase, prelude::*};

use super::attraction::{Newton, add_newton, attract};
use crate::{
    contact::find_contacts,
    replace::{drift, replace_step},
};

/// A spring in each contact, and a brake on every ball.
#[derive(Resource, Reflect, Clone, Copy, Debug)]
#[reflect(Resource)]
pub struct CooledSprings {
    /// K in N/m. Default: 10,000, as in the essay.
    pub stiffness: f32,
    /// c, the factor of all velocities in each step, 0 to 1. Default: 1, no cooling; the essay cools with 0.99.
    pub cooling: f32,
}

impl Default for CooledSprings {
    fn default() -> Self {
        Self {
            stiffness: 1e4,
            cooling: 1.0,
        }
    }
}

impl Plugin for CooledSprings {
    fn build(&self, app: &mut App) {
        app.insert_resource(*self).register_type::<Self>();
        add_newton(app);
        replace_step(app, step);
    }
}

fn step(
    mut bodies: ResMut<Bodies>,
    pairs: Res<BroadPhase>,
    config: Res<CollisionConfig>,
    newton: Res<Newton>,
    springs: Res<CooledSprings>,
) {
    let bodies = &mut *bodies;
    let h = bodies.substep();
    attract(bodies, &newton, false);
    for point in find_contacts(bodies, &pairs, &config) {
        let force = springs.stiffness * point.depth.max(0.0);
        point.push(bodies, h * force * point.normal);
    }
    bodies.for_each(|mut body| body.set_velocity(body.velocity() * springs.cooling));
    drift(bodies, h);
}
