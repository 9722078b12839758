//! Impulses: overlapping balls that approach get the velocity of a constraint.
//!
//! n·v = −e·n·v₀ + β/h·(r₁ + r₂ − |d|), with the impulse P ≥ 0 of each pair accumulated over the iterations and clamped
//!
//! Impulses stop an approach, not an overlap. Without β the planet sinks into itself. With a small β it is a sponge; with a large one
//! each correction is a kick, and the planet boils. Many iterations bring the sponge to rest, and take the elasticity e away.
//!
//! Source: E. Catto, "Iterative dynamics with temporal coherence" (GDC 2005); J. Baumgarte, Comput. Methods Appl. Mech. Eng. 1 (1972) 1.

use bevy::prelude::*;
use bevy_impulse_collide::{collision::BroadPhase, prelude::*};

use super::attraction::{Newton, add_newton, attract};
use crate::{
    contact::find_contacts,
    replace::{drift, replace_step},
};

/// Sequential impulses with Baumgarte's stabilisation.
#[derive(Resource, Reflect, Clone, Copy, Debug)]
#[reflect(Resource)]
pub struct Impulses {
    /// β, the fraction of an overlap that one step takes out, 0 to 1. Default: 0.
    pub bias: f32,
    /// Sweeps over all pairs, at least 1. Default: 1.
    pub iterations: u32,
    /// e, the part of its speed that an approach gives back, 0 to 1. Default: 0.
    pub elasticity: f32,
}

impl Default for Impulses {
    fn default() -> Self {
        Self {
            bias: 0.0,
            iterations: 1,
            elasticity: 0.0,
        }
    }
}

impl Plugin for Impulses {
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
    method: Res<Impulses>,
) {
    let bodies = &mut *bodies;
    let h = bodies.substep();
    attract(bodies, &newton, false);
    let points = find_contacts(bodies, &pairs, &config);
    // Target speed, effective mass, impulse so far.
    let mut rows: Vec<(f32, f32, f32)> = points
        .iter()
        .map(|point| {
            let speed = point.velocity(bodies).dot(point.normal);
            let bounce = method.elasticity * (-speed).max(0.0);
            let bias = method.bias / h * point.depth.max(0.0);
            let mass = point.effective_mass(bodies, point.normal);
            (bounce + bias, mass, 0.0)
        })
        .collect();
    for _ in 0..method.iterations {
        for (point, (target, mass, impulse)) in points.iter().zip(&mut rows) {
            let speed = point.velocity(bodies).dot(point.normal);
            let before = *impulse;
            *impulse = (before + (*target - speed) * *mass).max(0.0);
            point.push(bodies, (*impulse - before) * point.normal);
        }
    }
    drift(bodies, h);
}
