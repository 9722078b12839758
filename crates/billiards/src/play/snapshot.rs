//! All that makes the game, at a moment at which all balls lie still: to take a shot back, repeat it, try it elsewhere, or
//! write it to a file.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    leaving::{Falling, InTray, Returning, Tray, lay_at_rest},
    matches::Match,
    racking::rack_balls,
    state::{Game, Phase},
};
use crate::{
    rules::{Ball, Frame, Race},
    table::{balls::remove_body, bed::Table, rack::Rack},
};

/// A ball on the table.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
pub struct Lying {
    /// Which.
    pub ball: Ball,
    /// Its centre in m: the cloth is at y = 0, the table's middle at x = z = 0.
    pub at: [f32; 3],
    /// How it is turned: a quaternion's x, y, z, w.
    pub turned: [f32; 4],
}

/// The game between two shots.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// The balls that are played with.
    pub rack: Rack,
    /// The balls on the table.
    pub lying: Vec<Lying>,
    /// The balls off the table for good, in order.
    pub pocketed: Vec<Ball>,
    /// Where the balls lay before the last shot, while the rules may ask to put them back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before_shot: Vec<Lying>,
    /// Shots since the rack.
    pub shots: u32,
    /// State of the rules; none on a table without rules.
    pub frame: Option<Frame>,
    /// The score.
    pub race: Race,
}

/// The game since the last shot came to rest, for systems outside the fixed schedules: there, transforms are smoothed and off
/// by their last bits.
#[derive(Resource, Clone, Debug, Default)]
pub struct Present(pub Option<Snapshot>);

pub(super) fn keep_present(world: &mut World) {
    let present = Snapshot::take(world);
    world.resource_mut::<Present>().0 = Some(present);
}

impl Snapshot {
    /// Takes a snapshot of `world`. Call it in a fixed schedule, where transforms are exact.
    pub fn take(world: &mut World) -> Self {
        let mut balls = world.query_filtered::<(&Ball, &Transform), With<Particle>>();
        let mut lying: Vec<Lying> = balls
            .iter(world)
            .map(|(ball, place)| Lying {
                ball: *ball,
                at: place.translation.to_array(),
                turned: place.rotation.to_array(),
            })
            .collect();
        lying.sort_by_key(|lying| lying.ball.0);
        let (game, on) = (world.resource::<Game>(), world.resource::<Match>());
        Self {
            rack: game.rack,
            lying,
            pocketed: game.pocketed.clone(),
            before_shot: game.before_shot.clone(),
            shots: game.shots,
            frame: on.frame.clone(),
            race: on.race,
        }
    }

    /// Puts everything in `world` where it is here, at rest.
    pub fn put(&self, world: &mut World) {
        if world.resource::<Game>().rack != self.rack {
            world.resource_mut::<Game>().rack = self.rack;
            rack_balls(world);
        }
        let spec = world.resource::<Table>().spec;
        let mut balls = world.query::<(Entity, &Ball)>();
        let balls: Vec<(Entity, Ball)> = balls.iter(world).map(|(e, ball)| (e, *ball)).collect();
        for (entity, ball) in balls {
            let mut entity = world.entity_mut(entity);
            entity.remove::<(Falling, Returning)>();
            if let Some(lying) = self.lying.iter().find(|lying| lying.ball == ball) {
                let place = Transform::from_translation(lying.at.into())
                    .with_rotation(Quat::from_array(lying.turned));
                lay_at_rest(&mut entity, &spec.ball, place);
            } else if let Some(place) = self.pocketed.iter().position(|other| *other == ball) {
                if !entity.contains::<InTray>() {
                    let at = Tray::of(spec).place(place);
                    entity.insert((InTray, Transform::from_translation(at)));
                }
                let id = entity.id();
                remove_body(&mut world.commands().entity(id));
            }
        }
        world.flush();
        let mut game = world.resource_mut::<Game>();
        game.pocketed.clone_from(&self.pocketed);
        game.before_shot.clone_from(&self.before_shot);
        game.shots = self.shots;
        game.phase = Phase::Aim;
        game.note.clear();
        let mut on = world.resource_mut::<Match>();
        on.frame.clone_from(&self.frame);
        on.race = self.race;
    }

    /// Where `ball` lies on the bed.
    pub fn place(&self, ball: Ball) -> Option<Vec2> {
        let lying = self.lying.iter().find(|lying| lying.ball == ball)?;
        Some(Vec3::from(lying.at).xz())
    }

    /// The object balls on the bed.
    pub fn object_balls(&self) -> Vec<(Ball, Vec2)> {
        self.lying
            .iter()
            .filter(|lying| lying.ball != Ball::CUE)
            .map(|lying| (lying.ball, Vec3::from(lying.at).xz()))
            .collect()
    }

    /// Moves the cue ball to `at`.
    pub fn place_cue_ball(&mut self, at: Vec2) {
        for lying in &mut self.lying {
            if lying.ball == Ball::CUE {
                (lying.at[0], lying.at[2]) = (at.x, at.y);
            }
        }
    }
}
