//! Lane, pins and ball. It needs no window and knows no rules.
//!
//! - [`measures`]: how large everything is, and where
//! - [`lane`]: the lane with its oil, the gutters and the pit
//! - [`pin`]: the pins
//! - [`ball`]: the ball, and the ways to throw it

pub mod ball;
pub mod lane;
pub mod measures;
pub mod pin;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

/// A lane without pins.
pub struct WorldPlugin;

impl Plugin for WorldPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(sweeps())
            .add_systems(Startup, lane::spawn_lane)
            .add_systems(PairHooks, lane::oil_the_lane)
            .add_systems(FixedFirst, empty_the_pit);
    }
}

/// A pin stands on ten feet close together, far under its centre. The impulses of such contacts need many sweeps: with the twelve that
/// heaps need, a pin trembles by some mm/s, creeps, and never sleeps.
fn sweeps() -> CollisionConfig {
    CollisionConfig {
        contact_iterations: 100,
        contact_relaxation: 1.0,
        ..default()
    }
}

/// A belt at the bottom of the pit takes pins and ball away.
fn empty_the_pit(
    mut commands: Commands,
    bodies: Query<(Entity, &Transform), Or<(With<pin::Pin>, With<ball::Ball>)>>,
) {
    for (body, at) in &bodies {
        if at.translation.y < measures::TAKEN {
            commands.entity(body).despawn();
        }
    }
}
