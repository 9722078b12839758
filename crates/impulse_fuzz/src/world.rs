//! A world as plain data: everything that a run needs, before any app exists.

use bevy::prelude::*;
use bevy_impulse_collide::{kernel::closest_segment_points, prelude::*};
use clap::ValueEnum;

use crate::tie::{BadTie, Tie};

/// The law that a world is made for. It decides which things the world has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// A closed box of static walls, with dynamic and static bodies: nothing gets out.
    Walls,
    /// Dynamic bodies alone, without walls or fields: the momentum stays.
    Bodies,
    /// A closed box without fields: the energy never grows.
    Energy,
    /// As `Walls`, but bodies come, go, jump and get bad values during the run.
    Events,
    /// As `Events`, with kinematic bodies, moving walls and every configuration.
    Chaos,
}

/// How the bodies lie at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Start {
    /// No body touches another body or a wall.
    Clear,
    /// Bodies may overlap each other and the walls, but every centre is inside.
    Overlapping,
}

/// One world, made from one seed.
#[derive(Clone, Debug)]
pub struct World {
    /// The seed that the world comes from.
    pub seed: u64,
    /// The law that it is made for.
    pub kind: Kind,
    /// How its bodies lie at the start.
    pub start: Start,
    /// Fixed steps in a second.
    pub hz: f64,
    /// Uniform gravity in m/s².
    pub gravity: Vec3,
    /// The parameters of the step.
    pub config: CollisionConfig,
    /// The half-spaces. Each wall faces the origin.
    pub walls: Vec<Wall>,
    /// The bodies at the start.
    pub bodies: Vec<Body>,
    /// The joints at the start.
    pub ties: Vec<Tie>,
    /// What happens to the bodies and the joints, in the order of the steps.
    pub events: Vec<Event>,
}

/// The material components of a body. `None` means that the body lacks the component.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Material {
    /// The value of `Restitution`.
    pub restitution: Option<f32>,
    /// The value of `Friction`.
    pub friction: Option<f32>,
    /// The value of `RollingFriction`.
    pub rolling: Option<f32>,
    /// The value of `SpinningFriction`.
    pub spinning: Option<f32>,
}

/// A half-space.
#[derive(Clone, Debug, PartialEq)]
pub struct Wall {
    /// Unit vector out of the solid side.
    pub normal: Vec3,
    /// A point of the surface.
    pub point: Vec3,
    /// `Static` or `Kinematic`.
    pub motion: RigidBody,
    /// Velocity of a kinematic wall in m/s.
    pub velocity: Vec3,
    /// Angular velocity of a kinematic wall in rad/s.
    pub spin: Vec3,
    /// Its material.
    pub material: Material,
    /// Velocity of its surface in m/s: it is a belt.
    pub belt: Vec3,
}

/// The shape of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Round {
    /// A ball.
    Ball,
    /// A capsule with the length of its cylinder in m.
    Capsule(f32),
    /// A compound of two balls, so far apart in m: it fits into a capsule of this length.
    Dumbbell(f32),
}

/// A ball or a capsule.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// The name of the body. It stays the same while a world shrinks.
    pub id: u32,
    /// Ball or capsule.
    pub shape: Round,
    /// Radius in m.
    pub radius: f32,
    /// Dynamic, kinematic or static.
    pub motion: RigidBody,
    /// Mass in kg.
    pub mass: f32,
    /// Centre in m.
    pub position: Vec3,
    /// Rotation. A capsule lies along its turned Y.
    pub rotation: Quat,
    /// Velocity in m/s.
    pub velocity: Vec3,
    /// Angular velocity in rad/s.
    pub spin: Vec3,
    /// Its material.
    pub material: Material,
    /// Its layers, if it names any.
    pub layers: Option<CollisionLayers>,
    /// Whether it is a sensor.
    pub is_sensor: bool,
    /// Whether it never sleeps.
    pub is_sleepless: bool,
}

/// Something that happens before a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The step before which it happens, counted from zero.
    pub step: u32,
    /// What happens.
    pub action: Action,
}

/// What an event does. An action on a body that is not there does nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// A body comes.
    Spawn(Body),
    /// The body with this id goes.
    Despawn(u32),
    /// The body with this id jumps to a position and gets a velocity.
    Teleport(u32, Vec3, Vec3),
    /// The body with this id gets a bad value.
    Spoil(u32, BadValue),
    /// The body with this id is as at its start again.
    Mend(u32),
    /// A plane with a normal of zero comes.
    SpawnBadPlane,
    /// A joint comes, if its bodies are there.
    SpawnTie(Tie),
    /// The joint with this id goes.
    DespawnTie(u32),
    /// The joint with this id is switched on or off.
    SwitchTie(u32, bool),
    /// The joint with this id gets a bad value.
    SpoilTie(u32, BadTie),
    /// The joint with this id is as at its start again, with its bodies where they are.
    MendTie(u32),
    /// The world goes on for so many steps, is put back to a snapshot, and goes on again: to the same bits.
    Rewind(u32),
}

/// A value that the physics must refuse, and tell once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BadValue {
    /// A NaN in the position.
    NanPosition,
    /// A rotation of zero.
    ZeroRotation,
    /// A scale that differs from axis to axis.
    UnevenScale,
    /// A NaN in the velocity.
    NanVelocity,
    /// An infinite angular velocity.
    InfiniteSpin,
    /// A negative radius.
    NegativeRadius,
    /// A mass of zero.
    ZeroMass,
    /// A restitution above one. The body takes part.
    HighRestitution,
    /// A negative friction. The body takes part.
    NegativeFriction,
}

impl BadValue {
    /// Whether the physics leaves a body with this value out.
    pub fn leaves_out(self) -> bool {
        !matches!(self, Self::HighRestitution | Self::NegativeFriction)
    }

    /// The problem of a body that the physics must tell; its value has no meaning.
    pub fn problem(self, body: &Body) -> InputProblem {
        use InputProblem as P;
        use ProblemReason as R;
        match self {
            Self::NanPosition => P::of_field::<Transform>("translation", R::NotFinite, Vec3::NAN),
            Self::ZeroRotation => {
                P::of_field::<Transform>("rotation", R::NoRotation, Quat::IDENTITY)
            }
            Self::UnevenScale => P::of_field::<Transform>("scale", R::UnevenScale, Vec3::ONE),
            Self::NanVelocity => P::of::<LinearVelocity>(R::NotFinite, Vec3::NAN),
            Self::InfiniteSpin => P::of::<AngularVelocity>(R::NotFinite, Vec3::INFINITY),
            Self::NegativeRadius => match body.shape {
                Round::Ball => P::of_field::<Particle>("radius", R::NotPositive, -1.0),
                Round::Capsule(_) | Round::Dumbbell(_) => {
                    P::of_field::<Capsule>("radius", R::NotPositive, -1.0)
                }
            },
            Self::ZeroMass => P::of::<Mass>(R::NotPositive, 0.0),
            Self::HighRestitution => P::of::<Restitution>(R::OutOfRange, 1.5),
            Self::NegativeFriction => P::of::<Friction>(R::Negative, -1.0),
        }
    }
}

impl Body {
    /// Vector from the centre to an end of the core segment; zero for a ball.
    pub fn half(&self) -> Vec3 {
        match self.shape {
            Round::Ball => Vec3::ZERO,
            Round::Capsule(length) | Round::Dumbbell(length) => {
                self.rotation * Vec3::Y * (0.5 * length)
            }
        }
    }

    /// The ends of the core segment.
    pub fn ends(&self) -> [Vec3; 2] {
        [self.position - self.half(), self.position + self.half()]
    }

    /// Distance in m between the surfaces of two bodies; negative where they overlap.
    pub fn gap(&self, other: &Self) -> f32 {
        let (a, b) = (self.half(), other.half());
        let (s, t) = closest_segment_points(self.position, a, other.position, b);
        let between = (self.position + a * s).distance(other.position + b * t);
        between - self.radius - other.radius
    }

    /// Whether it can get this bad value: a compound has no radius, no mass and no material of its own.
    pub fn takes(&self, bad: BadValue) -> bool {
        let is_of_parts = matches!(
            bad,
            BadValue::NegativeRadius
                | BadValue::ZeroMass
                | BadValue::HighRestitution
                | BadValue::NegativeFriction
        );
        !(matches!(self.shape, Round::Dumbbell(_)) && is_of_parts)
    }

    /// Whether both ends lie over every wall by at least this multiple of the radius.
    pub fn is_over(&self, walls: &[Wall], radii: f32) -> bool {
        let lowest = |wall: &Wall| {
            let [a, b] = self.ends().map(|end| wall.height(end));
            a.min(b)
        };
        walls.iter().all(|wall| lowest(wall) >= radii * self.radius)
    }

    /// Volume in m³.
    pub fn volume(&self) -> f32 {
        match self.shape {
            Round::Ball => Particle::new(self.radius).volume(),
            Round::Capsule(length) => Capsule::new(self.radius, length).volume(),
            Round::Dumbbell(_) => 2.0 * Particle::new(self.radius).volume(),
        }
    }
}

impl Wall {
    /// Height in m of a point over the surface.
    pub fn height(&self, point: Vec3) -> f32 {
        self.normal.dot(point - self.point)
    }
}

impl World {
    /// Whether no body touches another body or a wall at the start.
    pub fn is_clear(&self) -> bool {
        let mut pairs = self.bodies.iter().enumerate();
        pairs.all(|(i, a)| {
            a.is_over(&self.walls, 1.0) && self.bodies[..i].iter().all(|b| a.gap(b) > 0.0)
        })
    }

    /// The greatest distance of a wall's point from the origin, in m.
    pub fn size(&self) -> f64 {
        let distances = self.walls.iter().map(|wall| f64::from(wall.point.length()));
        distances.fold(0.0, f64::max)
    }

    /// Whether a wall is a belt.
    pub fn has_belts(&self) -> bool {
        self.walls.iter().any(|wall| wall.belt != Vec3::ZERO)
    }

    /// All joints that it ever has.
    pub fn all_ties(&self) -> impl Iterator<Item = &Tie> {
        let spawned = self.events.iter().filter_map(|event| match &event.action {
            Action::SpawnTie(tie) => Some(tie),
            _ => None,
        });
        self.ties.iter().chain(spawned)
    }

    /// Whether a motor or a steered wheel gives energy.
    pub fn has_motors(&self) -> bool {
        self.all_ties().any(Tie::is_driven)
    }

    /// Whether something kinematic moves in the world: it may push without limit.
    pub fn has_moving_parts(&self) -> bool {
        let is_kinematic = |motion: RigidBody| motion.is_kinematic();
        self.walls.iter().any(|wall| is_kinematic(wall.motion))
            || self.bodies.iter().any(|body| is_kinematic(body.motion))
    }
}
