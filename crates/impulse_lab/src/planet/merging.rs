//! Merging: balls that touch become one.
//!
//! m = m₁ + m₂, m·x = m₁·x₁ + m₂·x₂, m·v = m₁·v₁ + m₂·v₂, r³ = r₁³ + r₂³
//!
//! Nothing overlaps and nothing boils. But the planet is not made of anything any more: a few large balls are left, then one. What the
//! two had of angular momentum about each other is gone, as no ball turns, and so is their energy.

use bevy::prelude::*;
use bevy_impulse_collide::{collision::BroadPhase, prelude::*};

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
    let h = bodies.substep();
    attract(bodies, &newton, false);
    drift(bodies, h);
    // From the components: a ball that an earlier substep has absorbed has none.
    let measures = bodies.iter().map(|body| match balls.get(body.entity()) {
        Ok((particle, mass)) => (mass.0, particle.radius),
        Err(_) => (0.0, 0.0),
    });
    let (mut masses, mut radii): (Vec<f32>, Vec<f32>) = measures.unzip();
    for (a, b) in pairs.pairs() {
        let (a, b) = (a as usize, b as usize);
        let is_left = |i: usize| bodies.get(i).is_dynamic() && masses[i] > 0.0;
        let apart = bodies.get(a).position() - bodies.get(b).position();
        if !(is_left(a) && is_left(b)) || apart.length() > radii[a] + radii[b] {
            continue;
        }
        let (heavy, light) = if masses[a] >= masses[b] {
            (a, b)
        } else {
            (b, a)
        };
        let absorbed = bodies.get(light);
        let (place, velocity) = (absorbed.position(), absorbed.velocity());
        let absorbed = absorbed.entity();
        let mut body = bodies.get_mut(heavy);
        let Ok((mut particle, mut mass)) = balls.get_mut(body.entity()) else {
            continue;
        };
        let total = masses[heavy] + masses[light];
        let share = masses[light] / total;
        body.set_position(body.position().lerp(place, share));
        body.set_velocity(body.velocity().lerp(velocity, share));
        radii[heavy] = (radii[a].powi(3) + radii[b].powi(3)).cbrt();
        // The absorbed ball pulls nothing any more.
        (masses[heavy], masses[light]) = (total, 0.0);
        (particle.radius, mass.0) = (radii[heavy], total);
        commands.entity(absorbed).try_despawn();
    }
}
