//! How hard its neighbours press a ball.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

/// Sum of the forces of a ball's contacts along their normals in N, smoothed so that it does not flicker.
///
/// The mean stress of a ball is this over its surface (Love and Weber).
#[derive(Component, Clone, Default)]
pub struct Press {
    force: f32,
    sum: f32,
}

impl Press {
    /// The smoothed force in N.
    pub fn force(&self) -> f32 {
        self.force
    }
}

/// Brings every [`Press`] up to date.
pub fn press(
    mut balls: Query<&mut Press>,
    contacts: Res<Contacts>,
    config: Res<CollisionConfig>,
    (time, fixed): (Res<Time>, Res<Time<Fixed>>),
) {
    /// Seconds over which it is averaged.
    const AVERAGED: f32 = 0.04;
    let substep = fixed.timestep().as_secs_f32() / config.substeps.max(1) as f32;
    for contact in contacts.iter() {
        let force = contact.impulse.dot(contact.normal).abs() / substep;
        for ball in [contact.a, contact.b] {
            if let Ok(mut press) = balls.get_mut(ball) {
                press.sum += force;
            }
        }
    }
    let kept = (-time.delta_secs() / AVERAGED).exp();
    for mut press in &mut balls {
        let now = std::mem::take(&mut press.sum);
        press.force = now.lerp(press.force, kept);
    }
}
