//! Friction between two balls: the faster they slide on each other, the less.

use bevy::prelude::*;
use bevy_impulse_collide::{kernel::sphere_impact_time, prelude::*};

use super::{
    bed::Table,
    spec::{BallFriction, BallSpec},
};
use crate::rules::Ball;

impl BallFriction {
    /// The same coefficient at all speeds.
    pub const fn constant(coefficient: f32) -> Self {
        Self {
            lasting: coefficient,
            vanishing: 0.0,
            fading: 0.0,
        }
    }

    /// Coefficient at the sliding speed `speed` m/s.
    pub fn at(&self, speed: f32) -> f32 {
        self.lasting + self.vanishing * libm::expf(-self.fading * speed)
    }

    /// Whether it is the same at all speeds.
    pub fn is_constant(&self) -> bool {
        self.vanishing == 0.0 || self.fading == 0.0
    }
}

/// Gives every pair of balls the friction of the speed at which they will slide when they meet. It belongs in [`PairHooks`].
pub(crate) fn rub_balls(
    mut pairs: ResMut<NearPairs>,
    balls: Query<(&Transform, &LinearVelocity, &AngularVelocity), With<Ball>>,
    table: Res<Table>,
    time: Res<Time>,
) {
    let step = time.delta_secs();
    let BallSpec {
        radius, friction, ..
    } = table.spec.ball;
    if friction.is_constant() {
        return;
    }
    for pair in pairs.iter_mut() {
        let Ok([a, b]) = balls.get_many([pair.a, pair.b]) else {
            continue;
        };
        let (apart, velocity) = (a.0.translation - b.0.translation, a.1.0 - b.1.0);
        // A fast ball is some way off at the start of the step, and the line of centres turns until they meet.
        let meet = sphere_impact_time(apart, velocity, Vec3::ZERO, 2.0 * radius, step);
        let normal = (apart + velocity * meet.unwrap_or(0.0)).normalize_or(pair.normal);
        let surface = velocity - radius * (a.2.0 + b.2.0).cross(normal);
        let sliding = surface.reject_from_normalized(normal);
        pair.friction = Some(friction.at(sliding.length()));
    }
}

#[cfg(test)]
mod tests {
    use crate::table::spec::POOL_9;

    #[test]
    fn friction_falls_with_the_sliding_speed_as_measured() {
        let friction = POOL_9.ball.friction;
        // Alciatore, technical proof A.14: about 0.11 at rest, 0.05 at 0.9 m/s and 0.01 beyond a few m/s.
        for (speed, measured) in [(0.0, 0.118), (0.1, 0.107), (1.0, 0.046), (5.0, 0.0104)] {
            let off = friction.at(speed) / measured - 1.0;
            assert!(off.abs() < 0.02, "{speed} m/s: {}", friction.at(speed));
        }
        assert!(!friction.is_constant());
    }
}
