//! Restitution and friction where two surfaces meet.

use bevy_impulse_collide::prelude::*;

/// Of two bodies the deader bounce and the rougher surface count; so each surface states its own values.
pub(crate) fn materials() -> CollisionConfig {
    let standard = CollisionConfig::default();
    CollisionConfig {
        restitution: MaterialRule::new(CombineRule::Min, standard.restitution.default),
        friction: MaterialRule::new(CombineRule::Max, standard.friction.default),
        // Balls lie side by side on a table, not on each other: a few sweeps find all there is to find.
        contact_iterations: 4,
        // Here the game says when balls rest. The physics' own sleep would make a shot depend on the shots before it.
        sleep_speed: 0.0,
        ..standard
    }
}
