//! A crane with a wrecking ball on a chain, and a stack of logs that it hits.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::parts::{Stuff, Yard};

/// Of the chain, and the length of one in m.
const LINKS: usize = 24;
const LINK: f32 = 0.25;

/// Radius in m and mass in kg of the wrecking ball: some 2,000 times a link's.
const BALL: (f32, f32) = (0.6, 2500.0);

/// The end of the boom.
const BOOM: Vec3 = Vec3::new(-1.0, 7.5, 0.0);

/// Radius and length of a log in m, and logs in the lowest row.
const LOG: (f32, f32) = (0.2, 2.4);
const LOGS: usize = 6;

pub(super) fn set_up(yard: &mut Yard) {
    yard.floor();
    let mast = Vec3::new(-7.0, 0.0, -2.5);
    yard.block(Stuff::Paint, Vec3::new(0.6, 9.0, 0.6), mast + 4.5 * Vec3::Y);
    yard.block(
        Stuff::Paint,
        Vec3::new(9.0, 0.4, 0.4),
        Vec3::new(-3.0, 8.2, -2.5),
    );
    yard.block(
        Stuff::Paint,
        Vec3::new(0.4, 0.4, 3.0),
        BOOM + Vec3::new(0.0, 0.7, -1.2),
    );
    // The chain is drawn aside, in a straight line.
    let aside = Vec3::new(-0.82, -0.57, 0.0).normalize();
    let mut above = None;
    for k in 0..LINKS {
        let [from, to] = [k, k + 1].map(|k| BOOM + aside * (LINK * k as f32));
        let link = yard.bar(Stuff::Steel, [from, to], 0.04, 7800.0);
        yard.join(Joint::spherical(above, link).at(from), ());
        above = Some(link);
    }
    let (radius, mass) = BALL;
    let hook = BOOM + aside * (LINK * LINKS as f32);
    let ball = yard.ball(Stuff::Steel, hook + aside * radius, radius, mass);
    yard.join(Joint::spherical(above, ball).at(hook), ());
    stack(yard, Vec3::new(0.2, 0.0, 0.0));
}

/// Logs that lie in each other's gaps, between two stakes.
fn stack(yard: &mut Yard, at: Vec3) {
    let (radius, length) = LOG;
    let half = 0.5 * length * Vec3::Z;
    for row in 0..LOGS {
        let y = radius * (1.0 + row as f32 * 3.0_f32.sqrt());
        for k in 0..LOGS - row {
            let x = radius * (2 * k + row) as f32;
            let middle = at + Vec3::new(x, y, 0.0);
            let log = yard.bar(
                Stuff::Wood,
                [middle - half, middle + half],
                0.995 * radius,
                600.0,
            );
            yard.give(log, Friction(0.6));
        }
    }
    let stake = Vec3::new(0.1, 0.3, length);
    let ends = [-radius - 0.05, radius * (2 * LOGS - 1) as f32 + 0.05];
    for x in ends {
        yard.block(Stuff::Stone, stake, at + Vec3::new(x, 0.15, 0.0));
    }
}
