//! The rubber of the cushions: it takes more of a fast ball's speed than of a slow one's, and it gives way along the cushion.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::{bed::Table, spec::CushionSpec};

/// A piece of cushion.
#[derive(Component, Clone, Copy, Debug, Default)]
pub(crate) struct Rubber;

impl CushionSpec {
    /// Restitution at the speed of approach `speed` m/s: e·(v_y/v)^¼ above the yield speed v_y (K. L. Johnson, Contact Mechanics,
    /// 1985, section 11.5).
    pub fn restitution_at(&self, speed: f32) -> f32 {
        self.restitution * (self.yield_speed / speed).min(1.0).sqrt().sqrt()
    }
}

/// Gives every pair of a ball and a cushion the restitution of the speed at which they will meet. It belongs in [`PairHooks`].
pub(crate) fn give_way(
    mut pairs: ResMut<NearPairs>,
    cushions: Query<(), With<Rubber>>,
    table: Res<Table>,
) {
    let (ball, cushion) = (table.spec.ball, table.spec.cushion);
    for pair in pairs.iter_mut() {
        if !cushions.contains(pair.a) && !cushions.contains(pair.b) {
            continue;
        }
        let approach = -pair.velocity.dot(pair.normal);
        // Below the yield speed the materials say all.
        pair.restitution = (approach > cushion.yield_speed)
            .then(|| cushion.restitution_at(approach).min(ball.restitution));
        pair.tangential_restitution =
            (cushion.tangential_restitution > 0.0).then_some(cushion.tangential_restitution);
    }
}

#[cfg(test)]
mod tests {
    use crate::table::spec::SNOOKER;

    #[test]
    fn rubber_takes_more_of_a_fast_ball() {
        let cushion = SNOOKER.cushion;
        assert_eq!(cushion.restitution_at(0.0), cushion.restitution);
        assert_eq!(
            cushion.restitution_at(cushion.yield_speed),
            cushion.restitution
        );
        let fast = cushion.restitution_at(16.0 * cushion.yield_speed);
        assert!((fast - 0.5 * cushion.restitution).abs() < 1e-6, "{fast}");
    }
}
