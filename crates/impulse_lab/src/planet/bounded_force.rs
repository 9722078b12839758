//! Bounded force: no collisions, but an attraction that grows no more once two balls touch.
//!
//! a = Σ G·m·d/max(|d|, r₁ + r₂)³
//!
//! Nothing is thrown out. Nothing keeps the balls apart either: they remain a swarm.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::attraction::{Newton, add_newton, attract};
use crate::replace::{drift, replace_step};

/// Newton's attraction, bounded inside the sum of the radii.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default)]
#[reflect(Resource)]
pub struct BoundedForce;

impl Plugin for BoundedForce {
    fn build(&self, app: &mut App) {
        app.insert_resource(*self).register_type::<Self>();
        add_newton(app);
        replace_step(app, step);
    }
}

fn step(mut bodies: ResMut<Bodies>, newton: Res<Newton>) {
    let h = bodies.substep();
    attract(&mut bodies, &newton, true);
    drift(&mut bodies, h);
}
