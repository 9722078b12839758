//! A bridge of planks that hangs between two banks, and a heavy ball that rolls over it.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::parts::{Stuff, Yard};

const PLANKS: usize = 40;

/// Half the way between the banks, and half the width of the bridge, in m.
const HALF_LENGTH: f32 = 6.4;
const HALF_WIDTH: f32 = 1.0;

/// Height of the banks, and how deep the bridge hangs, in m.
const BANK: f32 = 3.0;
const SAG: f32 = 1.1;

/// Radius of a plank in m.
const PLANK: f32 = 0.13;

pub(super) fn set_up(yard: &mut Yard) {
    yard.floor();
    for side in [-1.0, 1.0] {
        let bank = Vec3::new(3.0, BANK, 4.0);
        let middle = side * (HALF_LENGTH + 0.5 * bank.x) * Vec3::X;
        yard.block(Stuff::Stone, bank, middle + 0.5 * BANK * Vec3::Y);
        for z in [-HALF_WIDTH - 0.2, HALF_WIDTH + 0.2] {
            let post = Vec3::new(0.25, 1.0, 0.25);
            let at = Vec3::new(side * (HALF_LENGTH + 0.2), BANK + 0.5, z);
            yard.block(Stuff::Wood, post, at);
        }
    }
    deck(yard);
    let start = Vec3::new(-HALF_LENGTH - 1.0, BANK + 0.4, 0.0);
    let ball = yard.ball(Stuff::Paint, start, 0.4, 150.0);
    let speed = 1.0;
    yard.give(
        ball,
        (
            LinearVelocity(speed * Vec3::X),
            AngularVelocity(-speed / 0.4 * Vec3::Z),
        ),
    );
}

/// The planks hang in a parabola, which is nearly the catenary that they will find.
fn deck(yard: &mut Yard) {
    let joint = |k: usize| {
        let x = 2.0 * k as f32 / PLANKS as f32 - 1.0;
        Vec3::new(HALF_LENGTH * x, BANK - PLANK - SAG * (1.0 - x * x), 0.0)
    };
    let mut last = None;
    for k in 0..=PLANKS {
        let plank = (k < PLANKS).then(|| {
            let middle = 0.5 * (joint(k) + joint(k + 1));
            let half = HALF_WIDTH * Vec3::Z;
            let plank = yard.bar(Stuff::Wood, [middle - half, middle + half], PLANK, 600.0);
            yard.give(plank, Friction(0.6));
            plank
        });
        // The last joints are those of the last plank and the bank.
        let Some(b) = plank.or(last) else {
            continue;
        };
        let a = last.filter(|_| plank.is_some());
        for z in [-0.8, 0.8] {
            yard.join(Joint::spherical(a, b).at(joint(k) + z * Vec3::Z), ());
        }
        last = plank.or(last);
    }
}
