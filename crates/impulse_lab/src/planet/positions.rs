//! Positions: overlapping balls that approach are moved apart, each by the other's share of the mass.
//!
//! x₁ = x₁ + n·δ·m₂/(m₁ + m₂), x₂ = x₂ − n·δ·m₁/(m₁ + m₂), δ = r₁ + r₂ − |d|;
//! then, with impulses, n·v = −e·n·v₀
//!
//! Without impulses velocities know nothing of the collision, and grow. With impulses and many iterations the planet is stiff and calm,
//! but it turns faster and faster: a displacement moves mass around the centre without a velocity, so angular momentum is not
//! conserved.

use bevy::prelude::*;
use bevy_impulse_collide::{collision::BroadPhase, prelude::*};

use super::attraction::{Newton, add_newton, attract};
use crate::{
    contact::find_contacts,
    replace::{drift, replace_step},
};

/// Displacements, and impulses if asked.
#[derive(Resource, Reflect, Clone, Copy, Debug)]
#[reflect(Resource)]
pub struct Positions {
    /// Whether an approach also gets an impulse. Default: true.
    pub with_impulses: bool,
    /// Sweeps over all pairs, at least 1. Default: 1.
    pub iterations: u32,
    /// e, 0 to 1. Default: 0.25, as in the essay.
    pub elasticity: f32,
}

impl Default for Positions {
    fn default() -> Self {
        Self {
            with_impulses: true,
            iterations: 1,
            elasticity: 0.25,
        }
    }
}

impl Plugin for Positions {
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
    method: Res<Positions>,
) {
    let bodies = &mut *bodies;
    let h = bodies.substep();
    attract(bodies, &newton, false);
    drift(bodies, h);
    for _ in 0..method.iterations {
        for point in find_contacts(bodies, &pairs, &config) {
            let depth = point.depth_now(bodies);
            let speed = point.velocity(bodies).dot(point.normal);
            if depth > 0.0 && speed < 0.0 {
                point.move_apart(bodies, depth);
                if method.with_impulses {
                    let mass = point.effective_mass(bodies, point.normal);
                    let impulse = -(1.0 + method.elasticity) * speed * mass;
                    point.push(bodies, impulse * point.normal);
                }
            }
        }
    }
}
