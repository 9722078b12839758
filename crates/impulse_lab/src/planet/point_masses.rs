//! Point masses: no collisions at all.
//!
//! a = Σ G·m·d/|d|³
//!
//! Two balls come as near to each other as the step lets them. There the force has no bound, and one step of it throws both out:
//! energy is created out of nothing.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::attraction::{Newton, add_newton, attract};
use crate::replace::{drift, replace_step};

/// Newton's attraction, and nothing else.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default)]
#[reflect(Resource)]
pub struct PointMasses;

impl Plugin for PointMasses {
    fn build(&self, app: &mut App) {
        app.insert_resource(*self).register_type::<Self>();
        add_newton(app);
        replace_step(app, step);
    }
}

fn step(mut bodies: ResMut<Bodies>, newton: Res<Newton>) {
    let h = bodies.substep();
    attract(&mut bodies, &newton, false);
    drift(&mut bodies, h);
}
