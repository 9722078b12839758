//! What the sweeps change of a body: its motion, packed so that one cache line holds two of them.

use bevy::prelude::*;
use wide::f32x4;

use crate::{
    bodies::{Bodies, Growing},
    step::vector::{LANES, Vector, beside, load, vector_of},
};

/// Velocity of a body with its ease 1/m in the fourth lane; angular velocity, beside it 1/I across the axis. What grows has lanes
/// nowhere, and needs no 1/I here: beside its angular velocity is the speed of its growth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motion {
    pub linear: f32x4,
    pub angular: f32x4,
}

impl Motion {
    /// Of everything that nothing moves.
    pub const GROUND: Self = Self {
        linear: f32x4::ZERO,
        angular: f32x4::ZERO,
    };

    pub fn of(bodies: &Bodies, i: usize) -> Self {
        Self {
            linear: beside(bodies.velocity[i], bodies.inverse_mass[i]),
            angular: beside(
                bodies.angular_velocity[i],
                match bodies.growth[i] {
                    Growing::NONE => bodies.inverse_inertia[i].transverse,
                    growth => growth.speed,
                },
            ),
        }
    }

    pub fn velocity(&self) -> Vec3 {
        vector_of(self.linear)
    }

    pub fn angular_velocity(&self) -> Vec3 {
        vector_of(self.angular)
    }

    pub fn inverse_mass(&self) -> f32 {
        self.linear.to_array()[3]
    }

    /// How fast it grows, in m/s, if it does.
    pub fn growth_speed(&self) -> f32 {
        self.angular.to_array()[3]
    }

    pub fn add_growth(&mut self, change: f32) {
        self.angular += f32x4::new([0.0, 0.0, 0.0, change]);
    }

    pub fn add(&mut self, dv: Vec3, dw: Vec3) {
        self.linear += beside(dv, 0.0);
        self.angular += beside(dw, 0.0);
    }
}

/// The motions of `a` and `b`, to change both. Of two that are the same, the ground's, the changes are nothing.
pub(super) fn change_both(
    motions: &mut [Motion],
    (a, b): (u32, u32),
    change: impl FnOnce(&mut Motion, &mut Motion),
) {
    let (mut motion_a, mut motion_b) = (motions[a as usize], motions[b as usize]);
    change(&mut motion_a, &mut motion_b);
    motions[a as usize] = motion_a;
    motions[b as usize] = motion_b;
}

/// Several motions, by component.
#[derive(Clone, Copy)]
pub(super) struct Motions {
    pub v: Vector,
    pub inverse_mass: f32x4,
    pub w: Vector,
    pub inverse_inertia: f32x4,
}

impl Motions {
    pub const NONE: Self = Self {
        v: Vector::ZERO,
        inverse_mass: f32x4::ZERO,
        w: Vector::ZERO,
        inverse_inertia: f32x4::ZERO,
    };

    #[inline(always)]
    pub fn load(motions: &[Motion], bodies: &[u32; LANES]) -> Self {
        let (v, inverse_mass) = load(|i| motions[i].linear, bodies);
        let (w, inverse_inertia) = load(|i| motions[i].angular, bodies);
        Self {
            v,
            inverse_mass,
            w,
            inverse_inertia,
        }
    }

    #[inline(always)]
    pub fn store(self, motions: &mut [Motion], bodies: &[u32; LANES]) {
        let Self { v, w, .. } = self;
        let linear = f32x4::transpose([v.x, v.y, v.z, self.inverse_mass]);
        let angular = f32x4::transpose([w.x, w.y, w.z, self.inverse_inertia]);
        for lane in 0..LANES {
            motions[bodies[lane] as usize] = Motion {
                linear: linear[lane],
                angular: angular[lane],
            };
        }
    }
}
