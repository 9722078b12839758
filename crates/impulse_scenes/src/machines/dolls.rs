//! Ragdolls that fall down stairs.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;

use super::parts::{Stuff, Yard};

const STAIRS: usize = 12;
const STAIR: Vec3 = Vec3::new(0.5, 0.3, 6.0);

const DOLLS: usize = 4;

/// In kg/m³.
const DENSITY: f32 = 950.0;

pub(super) fn set_up(yard: &mut Yard) {
    yard.floor();
    for k in 0..STAIRS {
        let height = STAIR.y * (STAIRS - k) as f32;
        let size = Vec3::new(STAIR.x, height, STAIR.z);
        let x = STAIR.x * (k as f32 - 0.5 * STAIRS as f32);
        yard.block(Stuff::Stone, size, Vec3::new(x, 0.5 * height, 0.0));
    }
    let top = Vec3::new(
        -0.5 * STAIR.x * STAIRS as f32 - 0.2,
        STAIR.y * STAIRS as f32 + 1.3,
        0.0,
    );
    for k in 0..DOLLS {
        let at = top + Vec3::new(0.0, 2.2 * k as f32, 1.2 * (k % 3) as f32 - 1.2);
        doll(yard, at, Vec3::new(2.5, 0.0, 0.3 * (k % 2) as f32));
    }
}

/// What slows its limbs.
const FLESH: JointDamping = JointDamping(20.0);

/// A doll whose pelvis is at a place, with a velocity.
fn doll(yard: &mut Yard, at: Vec3, velocity: Vec3) {
    let p = |x: f32, y: f32, z: f32| at + Vec3::new(z, y, x);
    let mut limb = |stuff: Stuff, from: Vec3, to: Vec3, radius: f32| {
        let limb = yard.bar(stuff, [from, to], radius, DENSITY);
        yard.give(limb, (Friction(0.6), LinearVelocity(velocity)));
        limb
    };
    let pelvis = limb(Stuff::Cloth, p(-0.17, 0.0, 0.0), p(0.17, 0.0, 0.0), 0.1);
    let chest = limb(Stuff::Paint, p(0.0, 0.12, 0.0), p(0.0, 0.6, 0.0), 0.14);
    let arms = [-1.0, 1.0].map(|s| {
        let arm = limb(
            Stuff::Paint,
            p(0.16 * s, 0.52, 0.0),
            p(0.5 * s, 0.52, 0.0),
            0.055,
        );
        let hand = limb(
            Stuff::Skin,
            p(0.46 * s, 0.52, 0.0),
            p(0.82 * s, 0.52, 0.0),
            0.045,
        );
        (s, arm, hand)
    });
    let legs = [-1.0, 1.0].map(|s| {
        let thigh = limb(
            Stuff::Cloth,
            p(0.1 * s, -0.02, 0.0),
            p(0.1 * s, -0.5, 0.0),
            0.075,
        );
        let shin = limb(
            Stuff::Cloth,
            p(0.1 * s, -0.45, 0.0),
            p(0.1 * s, -0.95, 0.0),
            0.06,
        );
        let foot = limb(
            Stuff::Rubber,
            p(0.1 * s, -0.96, -0.05),
            p(0.1 * s, -0.96, 0.2),
            0.05,
        );
        (s, thigh, shin, foot)
    });
    let head = yard.ball(Stuff::Skin, p(0.0, 0.8, 0.0), 0.13, 5.0);
    yard.give(head, (Friction(0.6), LinearVelocity(velocity)));

    let mut ball_joint = |a, b, at, axis: Vec3, swing: f32, twist: f32| {
        let limits = (SwingLimit(swing), JointLimits::new(-twist, twist));
        yard.join(Joint::spherical(a, b).at(at).along(axis), (limits, FLESH));
    };
    ball_joint(pelvis, chest, p(0.0, 0.12, 0.0), Vec3::Y, 0.5, 0.4);
    ball_joint(chest, head, p(0.0, 0.66, 0.0), Vec3::Y, 0.6, 0.8);
    for (s, arm, _) in arms {
        ball_joint(chest, arm, p(0.17 * s, 0.52, 0.0), s * Vec3::Z, 1.3, 0.8);
    }
    for (s, thigh, shin, foot) in legs {
        ball_joint(pelvis, thigh, p(0.1 * s, -0.02, 0.0), Vec3::NEG_Y, 1.0, 0.5);
        ball_joint(shin, foot, p(0.1 * s, -0.94, 0.0), Vec3::X, 0.4, 0.2);
    }
    for (s, arm, hand) in arms {
        let elbow = Joint::revolute(arm, hand, Vec3::Y).at(p(0.48 * s, 0.52, 0.0));
        let (min, max) = if s > 0.0 { (0.0, 2.3) } else { (-2.3, 0.0) };
        yard.join(elbow, (JointLimits::new(min, max), FLESH));
    }
    for (s, thigh, shin, _) in legs {
        let knee = Joint::revolute(thigh, shin, Vec3::Z).at(p(0.1 * s, -0.48, 0.0));
        yard.join(knee, (JointLimits::new(-2.3, 0.0), FLESH));
    }
}
