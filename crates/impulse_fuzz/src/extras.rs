//! Layers, sensors, belts, compounds, joints, snapshots and bodies that never sleep: what some worlds have beside bodies and walls.

use std::ops::Range;

use bevy_impulse_collide::prelude::*;
use rand::{Rng, SeedableRng};

use crate::{
    dice::{Dice, direction, log_uniform, maybe},
    join,
    world::{Action, Body, Event, Kind, Round, World},
};

/// Worlds with smaller seeds have none of this: the known seeds still make the worlds that failed.
pub const FIRST_SEED: u64 = 1_000_000_000;

/// Worlds with smaller seeds have no compounds.
const FIRST_WITH_COMPOUNDS: u64 = 2_000_000_000;

/// The seeds of the worlds with joints: a billion of them, as greater ones were in use before.
const WITH_JOINTS: Range<u64> = 4_000_000_000..5_000_000_000;

/// The layers of the bodies. The walls have the one that bodies have if they name none.
const LAYERS: u32 = 3;

/// The last step before which a world is put back, and the most steps.
const LAST_STEP: u32 = 200;
const MOST_STEPS: u32 = 40;

/// Adds to a world what its seed says.
pub fn add(world: &mut World) {
    if world.seed < FIRST_SEED {
        return;
    }
    // A source of its own: the world without it is the same.
    let mut dice = Dice::seed_from_u64(!world.seed);
    let has_layers = dice.random_bool(0.4);
    let has_sensors = dice.random_bool(0.5);
    let spawned = world
        .events
        .iter_mut()
        .filter_map(|event| match &mut event.action {
            Action::Spawn(body) => Some(body),
            _ => None,
        });
    for body in world.bodies.iter_mut().chain(spawned) {
        if has_layers {
            body.layers = Some(layers(&mut dice));
        }
        body.is_sensor = has_sensors && body.motion.is_static() && dice.random_bool(0.7);
    }
    // A belt gives energy.
    if matches!(world.kind, Kind::Walls | Kind::Events | Kind::Chaos) && dice.random_bool(0.3) {
        for wall in world
            .walls
            .iter_mut()
            .filter(|wall| wall.motion.is_static())
        {
            let belt = maybe(&mut dice, 0.4, |dice| {
                direction(dice) * log_uniform(dice, 0.01, 30.0)
            });
            wall.belt = belt.unwrap_or_default();
        }
    }
    // Bad values are told once: they would be told again.
    if !matches!(world.kind, Kind::Events | Kind::Chaos) && dice.random_bool(0.4) {
        let step = dice.random_range(1..LAST_STEP);
        let action = Action::Rewind(dice.random_range(1..=MOST_STEPS));
        world.events.push(Event { step, action });
    }
    if dice.random_bool(0.2) {
        for body in &mut world.bodies {
            body.is_sleepless = dice.random_bool(0.1);
        }
    }
    if world.seed >= FIRST_WITH_COMPOUNDS && dice.random_bool(0.6) {
        for body in &mut world.bodies {
            // A dumbbell lies in the capsule of its length: where that has room, it has.
            if let (Round::Capsule(length), false) = (body.shape, body.is_sensor)
                && dice.random_bool(0.6)
            {
                body.shape = Round::Dumbbell(length);
            }
        }
    }
    if WITH_JOINTS.contains(&world.seed) && dice.random_bool(0.8) {
        join::add(&mut dice, world);
    }
}

/// A body is in at least one of the layers, and meets the walls and some of the layers.
fn layers(dice: &mut Dice) -> CollisionLayers {
    let own = LayerMask(dice.random_range(1..1 << LAYERS) << 1);
    let others = LayerMask(dice.random_range(0..1 << LAYERS) << 1);
    CollisionLayers::new(own, others | LayerMask::DEFAULT)
}

impl Body {
    /// Whether it can press on another body.
    pub fn can_meet(&self, other: &Self) -> bool {
        let [a, b] = [self, other].map(|body| body.layers.unwrap_or_default());
        !self.is_sensor && !other.is_sensor && a.interacts_with(b)
    }
}
