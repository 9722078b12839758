//! A suspension bridge: planks that hang on two cables, and a heavy ball that rolls over them.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::parts::{Stuff, Yard};

const PLANKS: usize = 32;

/// From one plank to the next one, the radius of a plank, and half the width of the bridge, in m.
const STEP: f32 = 0.4;
const PLANK: f32 = 0.13;
const HALF_WIDTH: f32 = 1.0;

/// Half the way between the banks in m.
const HALF_LENGTH: f32 = 0.5 * STEP * PLANKS as f32;

/// Heights in m of the deck, of the towers, and of the lowest points of the cables.
const DECK: f32 = 3.0;
const TOWER: f32 = 6.0;
const LOW: f32 = 3.6;

pub(super) fn set_up(yard: &mut Yard) {
    yard.floor();
    for side in [-1.0, 1.0] {
        let bank = Vec3::new(3.0, DECK, 4.0);
        let middle = side * (HALF_LENGTH + 0.5 * bank.x) * Vec3::X;
        yard.block(Stuff::Stone, bank, middle + 0.5 * DECK * Vec3::Y);
        for z in [-HALF_WIDTH - 0.3, HALF_WIDTH + 0.3] {
            let tower = Vec3::new(0.3, TOWER - DECK, 0.3);
            let at = Vec3::new(side * (HALF_LENGTH + 0.15), 0.5 * (TOWER + DECK), z);
            yard.block(Stuff::Stone, tower, at);
        }
    }
    let planks = deck(yard);
    for side in [-1.0, 1.0] {
        cable(yard, side, &planks);
    }
    let (radius, speed) = (0.5, 2.5);
    let start = Vec3::new(-HALF_LENGTH - 1.0, DECK + radius, 0.0);
    let ball = yard.ball(Stuff::Paint, start, radius, 400.0);
    yard.give(
        ball,
        (
            LinearVelocity(speed * Vec3::X),
            AngularVelocity(-speed / radius * Vec3::Z),
        ),
    );
}

/// The deck lies level, and both banks hold it.
fn deck(yard: &mut Yard) -> Vec<Entity> {
    let mut planks = Vec::new();
    for k in 0..=PLANKS {
        let x = STEP * k as f32 - HALF_LENGTH;
        let last = planks.last().copied();
        if k < PLANKS {
            let middle = Vec3::new(x + 0.5 * STEP, DECK - PLANK, 0.0);
            let half = HALF_WIDTH * Vec3::Z;
            let plank = yard.bar(Stuff::Wood, [middle - half, middle + half], PLANK, 600.0);
            yard.give(plank, Friction(0.6));
            planks.push(plank);
        }
        // The first joints and the last ones are those with the banks.
        let (a, b) = match k {
            0 | PLANKS => (None, planks[k.min(PLANKS - 1)]),
            _ => (last, planks[k]),
        };
        for z in [-0.8, 0.8] {
            yard.join(Joint::spherical(a, b).at(Vec3::new(x, DECK - PLANK, z)), ());
        }
    }
    planks
}

/// A cable of rods between the towers, and a rope from it to each plank.
fn cable(yard: &mut Yard, side: f32, planks: &[Entity]) {
    let z = side * HALF_WIDTH;
    // A cable that bears a level load hangs in a parabola.
    let height = |x: f32| LOW + (TOWER - LOW) * (x / HALF_LENGTH).powi(2);
    let tower = |side: f32| Vec3::new(side * HALF_LENGTH, TOWER, z);
    let mut last = None;
    for (k, &plank) in planks.iter().enumerate() {
        let x = STEP * (k as f32 + 0.5) - HALF_LENGTH;
        let knot = yard.ball(Stuff::Steel, Vec3::new(x, height(x), z), 0.05, 4.0);
        let rod = Joint::distance(last, knot);
        yard.join(
            if last.is_none() {
                rod.at(tower(-1.0))
            } else {
                rod
            },
            (),
        );
        // A plank lies along its own Y. A rope holds, and does not press.
        let rope = Joint::distance(knot, plank).between(Vec3::ZERO, z * Vec3::Y);
        let length = height(x) - (DECK - PLANK);
        yard.join(rope, JointLimits::new(0.0, length));
        last = Some(knot);
    }
    if let Some(knot) = last {
        yard.join(Joint::distance(None, knot).at(tower(1.0)), ());
    }
}
