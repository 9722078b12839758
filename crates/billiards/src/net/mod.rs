//! Billiards for two over the network, peer to peer, with [GGRS](https://docs.rs/ggrs).
//!
//! A table ends in the same bits on both machines if both get the same requests in the same steps. So nothing of the table is sent:
//! GGRS brings the requests of both players, and the cues in their hands, to both machines, step by step. A step waits until the
//! requests of both players for it are there (GGRS calls this lockstep: no step is ever taken back). A request acts
//! [`INPUT_DELAY`](link::INPUT_DELAY) steps after the player makes it, so packets have that time to arrive.
//!
//! - [`wire`]: the data that goes over the network
//! - [`link`]: the session with the other player
//! - [`meeting`]: how the two find each other
//! - [`exchange`](mod@exchange): routes the requests of both players to the game

pub mod exchange;
pub mod link;
pub mod meeting;
pub mod wire;

use bevy::prelude::*;

use self::link::Link;
use crate::play::snapshot::Present;

/// The game takes requests from a [`Link`], if there is one.
pub struct NetPlugin;

impl Plugin for NetPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Present>()
            .add_systems(
                FixedPreUpdate,
                exchange::exchange.run_if(resource_exists::<Link>),
            )
            .add_systems(
                FixedLast,
                exchange::end_wait.run_if(resource_exists::<Link>),
            )
            .add_systems(
                Update,
                meeting::meet.run_if(resource_exists::<meeting::Waiting>),
            );
    }
}
