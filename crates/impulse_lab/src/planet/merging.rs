//! Merging: balls that touch become one.
//!
//! m = m₁ + m₂, m·x = m₁·x₁ + m₂·x₂, m·v = m₁·v₁ + m₂·v₂, r³ = r₁³ + r₂³
//!
//! Nothing overlaps and nothing boils. But the planet is not made of anything any more: a few large balls are left, then one. What the
//! two had of angular momentum about each other is gone, as no ball turns, and so is their energy.

use bevy::prelude::*;
use bevy_impulse_collide::{Shape, collision::BroadPhase, prelude::*};

use super::attraction::{Newton, add_newton, attract};
use crate::replace::{drift, replace_step};

/// Newton's attraction; balls that touch merge.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default)]
#[reflect(Resource)]
pub struct Merging;

impl Plugin for Merging {
    fn build(&self, app: &mut App) {
        app.insert_resource(*self).register_type::<Self>();
        add_newton(app);
        replace_step(app, step);
    }
}

fn step(
    mut bodies: ResMut<Bodies>,
    pairs: Res<BroadPhase>,
    newton: Res<Newton>,
    mut balls: Query<(&mut Particle, &mut Mass)>,
    mut commands: Commands,
) {
    let bodies = &mut *bodies;
    attract(bodies, &newton, false);
    drift(bodies);
    for &(a, b) in &pairs.pairs {
        let (a, b) = (a as usize, b as usize);
        let is_left = |i: usize| bodies.is_pushed(i) && bodies.mass[i] > 0.0;
        let (r_a, r_b) = (bodies.shape[a].radius(), bodies.shape[b].radius());
        let apart = bodies.position[a] - bodies.position[b];
        if !(is_left(a) && is_left(b)) || apart.length() > r_a + r_b {
            continue;
        }
        let (heavy, light) = if bodies.mass[a] >= bodies.mass[b] {
            (a, b)
        } else {
            (b, a)
        };
        let Ok((mut particle, mut mass)) = balls.get_mut(bodies.entity[heavy]) else {
            continue;
        };
        let total = bodies.mass[heavy] + bodies.mass[light];
        let share = bodies.mass[light] / total;
        for of in [&mut bodies.position, &mut bodies.velocity] {
            of[heavy] = of[heavy].lerp(of[light], share);
        }
        let radius = (r_a.powi(3) + r_b.powi(3)).cbrt();
        bodies.shape[heavy] = Shape::Particle { radius };
        // The absorbed ball pulls nothing any more.
        (bodies.mass[heavy], bodies.mass[light]) = (total, 0.0);
        (particle.radius, mass.0) = (radius, total);
        commands.entity(bodies.entity[light]).try_despawn();
    }
}
