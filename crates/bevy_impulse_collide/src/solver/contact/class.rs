//! The kind of constraint that a pair gets.

use bevy::prelude::*;

use crate::{
    body::{Bodies, Growing, Material},
    collision::manifold,
    config::{CollisionConfig, MaterialRule},
    shape::{Shape, smaller_radius},
};

/// Gap, as a fraction of the smaller radius, within which two bodies touch although no impulse presses them together.
pub(super) const TOUCH: f32 = 1e-3;

/// The kind of constraint that a pair needs. Each class has wide constraints of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PairClass {
    /// One of the bodies is a capsule, or a ball with another inertia about each axis.
    pub has_capsule: bool,
    /// One of the bodies is a plane or a collider.
    pub on_plane: bool,
    /// There is rolling or spinning friction, one of the bodies grows, the plane or collider moves, or a surface moves along
    /// itself.
    pub is_extended: bool,
}

impl PairClass {
    /// In the order in which a sweep solves them. Extended classes have the same order of shapes as plain ones.
    pub const ALL: [Self; 8] = [
        Self::new(true, false, false),
        Self::new(true, true, false),
        Self::new(true, false, true),
        Self::new(true, true, true),
        Self::new(false, false, true),
        Self::new(false, true, true),
        Self::new(false, false, false),
        Self::new(false, true, false),
    ];

    const fn new(has_capsule: bool, on_plane: bool, is_extended: bool) -> Self {
        Self {
            has_capsule,
            on_plane,
            is_extended,
        }
    }

    pub fn of(bodies: &Bodies, a: usize, b: usize, is_extended: bool) -> Self {
        // The kernel for balls knows one number of the inertia.
        let needs_tensor = |i: usize| match bodies.shape[i] {
            Shape::Capsule { .. } => true,
            Shape::Particle { .. } => !bodies.is_plain_ball(i),
            Shape::Plane | Shape::Collider | Shape::Compound { .. } => false,
        };
        Self {
            has_capsule: needs_tensor(a) || needs_tensor(b),
            on_plane: bodies.has_ground(a, b),
            is_extended,
        }
    }

    /// The class's index in [`ALL`](Self::ALL).
    pub fn index(self) -> usize {
        match (self.has_capsule, self.is_extended) {
            (true, false) => usize::from(self.on_plane),
            (true, true) => 2 + usize::from(self.on_plane),
            (false, true) => 4 + usize::from(self.on_plane),
            (false, false) => 6 + usize::from(self.on_plane),
        }
    }

    /// Whether the kernel for balls is enough.
    pub fn is_plain_ball(self) -> bool {
        !self.has_capsule && !self.is_extended
    }
}

/// Whether a body is a plane or a collider. A constraint has it second.
pub(super) fn is_ground(bodies: &Bodies, i: usize) -> bool {
    !bodies.shape[i].is_round()
}

/// Whether the surface of one of the bodies moves along itself, or one of them is a kinematic plane or collider, or a kinematic body
/// that turns. Where it turns, the place on it matters, and the kernel for balls knows no place.
pub(super) fn has_moving_surface(bodies: &Bodies, a: usize, b: usize) -> bool {
    if !bodies.have_kinematic && !bodies.have_belts {
        return false;
    }
    let is_kinematic = |i: usize| !bodies.is_static(i) && !bodies.is_dynamic(i);
    let turns =
        |i: usize| is_ground(bodies, i) || bodies.angular_velocity[i].as_vec3() != Vec3::ZERO;
    let moves = |i: usize| bodies.is_belt(i) || (is_kinematic(i) && turns(i));
    moves(a) || moves(b)
}

/// How near the bodies of a pair are. Pairs of equal nearness share a group, so that its lanes have work at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nearness {
    TouchTwice,
    Touch,
    Apart,
}

impl Nearness {
    pub const COUNT: usize = Self::Apart as usize + 1;

    pub fn of(bodies: &Bodies, class: PairClass, a: usize, b: usize) -> Self {
        let (one, other) = (&bodies.shape[a], &bodies.shape[b]);
        if class.on_plane {
            return Self::Touch;
        }
        if !class.has_capsule {
            let reach = (one.radius() + other.radius()) * (1.0 + TOUCH);
            let d_squared = bodies.position[a]
                .as_vec3()
                .distance_squared(bodies.position[b].as_vec3());
            return if d_squared < reach * reach {
                Self::Touch
            } else {
                Self::Apart
            };
        }
        let least = -TOUCH * smaller_radius(one, other);
        let points = manifold(&bodies.placed(a), &bodies.placed(b), -least);
        match points.iter().filter(|point| point.depth > least).count() {
            0 => Self::Apart,
            1 => Self::Touch,
            _ => Self::TouchTwice,
        }
    }
}

/// The optional terms of the contacts: rolling friction, spinning friction, growth.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extensions {
    /// Whether any pair can have an optional term. In most worlds no pair can.
    can_be: bool,
}

impl Extensions {
    pub fn of(bodies: &Bodies, config: &CollisionConfig) -> Self {
        let rubs = |rule: MaterialRule, of: fn(&Material) -> Option<f32>| {
            rule.default > 0.0
                || bodies
                    .material
                    .iter()
                    .any(|material| of(material) > Some(0.0))
        };
        let can_be = bodies.growth.iter().any(|&growth| growth != Growing::NONE)
            || rubs(config.rolling_friction, |material| {
                material.rolling_friction
            })
            || rubs(config.spinning_friction, |material| {
                material.spinning_friction
            });
        Self { can_be }
    }

    pub fn can_be(&self) -> bool {
        self.can_be
    }

    /// Coefficients of rolling and spinning friction of a pair, and whether one of the bodies grows.
    pub fn of_pair(
        &self,
        bodies: &Bodies,
        config: &CollisionConfig,
        a: usize,
        b: usize,
    ) -> (f32, f32, bool) {
        if !self.can_be {
            return (0.0, 0.0, false);
        }
        let (one, other) = (&bodies.material[a], &bodies.material[b]);
        let rolling = config
            .rolling_friction
            .combine(one.rolling_friction, other.rolling_friction);
        let spinning = config
            .spinning_friction
            .combine(one.spinning_friction, other.spinning_friction);
        let grows = [a, b].iter().any(|&i| bodies.growth[i] != Growing::NONE);
        (rolling, spinning, grows)
    }
}
