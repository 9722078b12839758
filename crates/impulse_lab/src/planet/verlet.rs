//! Positions with Verlet's integration: a velocity is the difference of two positions, so a displacement is a velocity.
//!
//! x(t+h) = x(t) + (x(t) − x(t−h)) + a·h²; overlapping balls are moved apart
//!
//! With many iterations the planet is stiff, calm and beautiful, and turns faster and faster.
//!
//! Source: T. Jakobsen, "Advanced character physics" (GDC 2001).

use bevy::prelude::*;
use bevy_impulse_collide::{collision::BroadPhase, prelude::*};

use super::attraction::{Newton, add_newton, attract};
use crate::{
    contact::find_contacts,
    replace::{drift, replace_step},
};

/// Displacements that are velocities.
#[derive(Resource, Reflect, Clone, Copy, Debug)]
#[reflect(Resource)]
pub struct Verlet {
    /// Sweeps over all pairs, at least 1. Default: 16, as in the essay.
    pub iterations: u32,
}

impl Default for Verlet {
    fn default() -> Self {
        Self { iterations: 16 }
    }
}

impl Plugin for Verlet {
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
    method: Res<Verlet>,
    mut before: Local<Vec<Vec3>>,
) {
    let bodies = &mut *bodies;
    let h = bodies.substep();
    before.clear();
    before.extend(bodies.iter().map(|body| body.position()));
    attract(bodies, &newton, false);
    drift(bodies, h);
    for _ in 0..method.iterations {
        for point in find_contacts(bodies, &pairs, &config) {
            let depth = point.depth_now(bodies);
            if depth > 0.0 {
                point.move_apart(bodies, depth);
            }
        }
    }
    bodies.for_each(|mut body| body.set_velocity((body.position() - before[body.index()]) / h));
}
