//! A suspension bridge: planks that hang on two cables, and a heavy ball that rolls over them.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::parts::{Stuff, Yard};

const PLANKS: usize = 32;

/// From one plank to the next one, and half the width of the bridge, in m.
const STEP: f32 = 0.4;
const HALF_WIDTH: f32 = 1.0;

/// Heights in m of the deck, of the towers, and of the lowest point of the cables.
const DECK: f32 = 3.0;
const TOWER: f32 = 6.0;
const LOW: f32 = 3.5;

pub(super) fn set_up(yard: &mut Yard) {
    yard.floor();
    let end = 0.5 * STEP * PLANKS as f32;
    for side in [-1.0, 1.0] {
        let bank = Vec3::new(3.0, DECK, 4.0);
        let middle = side * (end + 0.5 * bank.x) * Vec3::X;
        yard.block(Stuff::Stone, bank, middle + 0.5 * DECK * Vec3::Y);
        for z in [-HALF_WIDTH - 0.3, HALF_WIDTH + 0.3] {
            let tower = Vec3::new(0.3, TOWER - DECK, 0.3);
            let at = Vec3::new(side * (end + 0.15), 0.5 * (TOWER + DECK), z);
            yard.block(Stuff::Stone, tower, at);
        }
    }
    let planks = deck(yard, end);
    for side in [-1.0, 1.0] {
        cable(yard, end, side, &planks);
    }
    let ball = yard.ball(
        Stuff::Paint,
        Vec3::new(-end - 1.0, DECK + 0.5, 0.0),
        0.5,
        400.0,
    );
    yard.give(
        ball,
        (
            LinearVelocity(2.5 * Vec3::X),
            AngularVelocity(-5.0 * Vec3::Z),
        ),
    );
}

fn deck(yard: &mut Yard, end: f32) -> Vec<Entity> {
    let mut planks = Vec::new();
    for k in 0..=PLANKS {
        let x = STEP * k as f32 - end;
        let before = planks.last().copied();
        if k < PLANKS {
            let middle = Vec3::new(x + 0.5 * STEP, DECK - 0.13, 0.0);
            let half = HALF_WIDTH * Vec3::Z;
            let plank = yard.bar(Stuff::Wood, [middle - half, middle + half], 0.13, 600.0);
            yard.give(plank, Friction(0.6));
            planks.push(plank);
        }
        let (a, b) = match k {
            0 => (None, planks[0]),
            PLANKS => (None, planks[k - 1]),
            _ => (before, planks[k]),
        };
        for z in [-0.8, 0.8] {
            let at = Vec3::new(x, DECK - 0.13, z);
            yard.join(Joint::spherical(a, b).at(at), ());
        }
    }
    planks
}

/// A cable of rods between the towers, and a rope to each plank.
fn cable(yard: &mut Yard, end: f32, side: f32, planks: &[Entity]) {
    let z = side * HALF_WIDTH;
    // A cable that bears a level load hangs in a parabola.
    let height = |x: f32| LOW + (TOWER - LOW) * (x / end).powi(2);
    let mut last: Option<Entity> = None;
    for (k, &plank) in planks.iter().enumerate() {
        let x = STEP * (k as f32 + 0.5) - end;
        let at = Vec3::new(x, height(x), z);
        let knot = yard.ball(Stuff::Steel, at, 0.05, 4.0);
        match last {
            Some(last) => yard.join(Joint::distance(last, knot), ()),
            None => yard.join(
                Joint::distance(None, knot).at(Vec3::new(-end, TOWER, z)),
                (),
            ),
        };
        let ear = Vec3::new(x, DECK - 0.13, z);
        // A plank lies along its own Y.
        let rope = Joint::distance(knot, plank).between(Vec3::ZERO, side * HALF_WIDTH * Vec3::Y);
        yard.join(rope, JointLimits::new(0.0, at.distance(ear)));
        last = Some(knot);
    }
    if let Some(last) = last {
        let top = Vec3::new(end, TOWER, z);
        yard.join(Joint::distance(None, last).at(top), ());
    }
}
