//! The component of joints: what holds two bodies together.

use bevy::{
    ecs::{entity::MapEntities, reflect::ReflectMapEntities},
    prelude::*,
};

use super::joint_drives::JointForce;

/// A joint between two bodies: it takes some of their freedoms of motion relative to each other, and leaves the others.
///
/// | constructor | what it holds | what stays free |
/// | --- | --- | --- |
/// | [`fixed`](Self::fixed) | place and rotation | nothing |
/// | [`spherical`](Self::spherical) | one point | every rotation |
/// | [`revolute`](Self::revolute) | one point, and one axis | the rotation about the axis |
/// | [`prismatic`](Self::prismatic) | the rotation, and a line | the way along the line |
/// | [`distance`](Self::distance) | the distance between two points: a rod | all else |
/// | [`wheel`](Self::wheel) | a line for the hub, and the plane of the axle | the way along the line, and the rotation about the axle |
///
/// A joint is an entity of its own, and there may be any number of them. It joins `b` to the body `a`, or to the world. One of the
/// two is dynamic; a kinematic body carries the other one. A part of a compound is held with its compound.
///
/// Other components on the same entity act along the freedoms that it leaves: [`JointLimits`](super::JointLimits),
/// [`SwingLimit`](super::SwingLimit), [`JointMotor`](super::JointMotor) and [`JointSpring`](super::JointSpring).
/// [`JointDamping`](super::JointDamping) slows the turning of its bodies about each other. [`JointForce`]
/// shows what it bears, and with [`JointStrength`](super::JointStrength) it breaks under too much. With
/// [`JointDisabled`](super::JointDisabled) it does nothing.
///
/// The joints of a tree are solved all at once, without iterations: a chain does not stretch, however heavy what hangs on it is.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn pendulum(mut commands: Commands) {
///     let bob = commands.spawn((Particle::new(0.3), Transform::from_xyz(2.0, 3.0, 0.0))).id();
///     commands.spawn(Joint::distance(None, bob).at(Vec3::Y * 3.0));
///     // A door on its hinge, that opens by a right angle and closes by itself.
///     let door = commands.spawn((Capsule::new(0.1, 1.0), Transform::from_xyz(0.6, 1.0, 0.0))).id();
///     let hinge = Joint::revolute(None, door, Vec3::Y).at(Vec3::Y);
///     commands.spawn((hinge, JointLimits::new(0.0, 1.57), JointSpring::frequency(0.5, 1.0)));
/// }
/// # bevy::ecs::system::assert_is_system(pendulum);
/// ```
///
/// # Fast limbs
///
/// A limb that turns by more than about 1 rad in a part of a step, as in a ragdoll that falls from a roof, has no way that the joints can
/// find: they only hold its velocity then, and it comes back in the next steps. For such scenes, set
/// [`CollisionConfig::substeps`](crate::config::CollisionConfig::substeps) to 4.
///
/// # Its axes
///
/// A joint has axes of its own, on each of its two bodies. X is *the axis*: that of [`along`](Self::along), of a hinge, of a slider's way,
/// and of a wheel's suspension. Where nothing turns or moves, the axes on `a` and those on `b` lie on each other.
///
/// ```text
///  revolute: b turns     prismatic: b moves     spherical: b swings      wheel: the hub moves along X,
///  about X               along X                away from X and turns    the wheel turns about Y, the axle,
///                                               about it                 which the steering turns about X
///         X                     X                      X                        X  suspension
///         ↑                     ↑                      ↑  ╱ X of b              ↑
///     ↺   │   ⟍ b           ┌───┼───┐ b                │ ╱ swing                │
///   ┌─────┼────────┐        │   │   │                  │╱                       │     axle
///   │     ●        │        └───┼───┘                  ●───→ Y              ────●────────→ Y
///   └─────┼────────┘            │                      │                      ( │ ) b
///         │                     │                      │                        ↻
/// ```
///
/// The angle of a hinge is that of the Y of `b` from the Y of `a`, counted about X by the right hand. A way is that of the point of `b` along the X
/// of `a`. Limits, motors and springs count both from zero.
///
/// # Where it holds them
///
/// A new joint holds its bodies as they are in the first step that sees it: at the point that [`at`](Self::at) gives, or else at the
/// origin of `b`. The step then writes what this is in the axes of each body into [`place`](Self::place). To give the points in
/// the bodies' own axes, call [`between`](Self::between).
#[derive(Component, Reflect, MapEntities, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, MapEntities, Debug, PartialEq, Clone)]
#[require(JointForce)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct Joint {
    /// One body; `None` for the world.
    #[entities]
    pub a: Option<Entity>,
    /// The other body.
    #[entities]
    pub b: Entity,
    /// What it holds.
    pub kind: JointKind,
    /// Where it holds them.
    pub place: JointPlace,
    /// Whether the two bodies collide with each other. Default: no.
    pub bodies_collide: bool,
}

/// What a joint holds.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub enum JointKind {
    /// Place and rotation: both bodies are one.
    Fixed,
    /// One point of each: a ball in its socket.
    Spherical,
    /// One point of each, and the axis: a hinge.
    Revolute,
    /// The rotation, and one point of `b` on a line of `a` along the axis: a slider.
    Prismatic,
    /// The distance between one point of each, in m: a rod. `None` for the distance in the first step.
    Distance(Option<f32>),
    /// The hub of `b` on a line of `a` along the axis, the suspension, and the axle. The axle is the Y of the joint's axes. On `a` it
    /// is turned about the axis by the steering, in rad.
    Wheel {
        /// In rad. Change it to steer.
        steering: f32,
    },
}

/// Where a joint holds its bodies.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub enum JointPlace {
    /// As they are in the next step.
    World {
        /// In m. `None` for the origin of `b`; for the distance between the two origins, if that is what the joint holds.
        point: Option<Vec3>,
        /// A vector along the axis about which, or along which, `b` moves.
        axis: Vec3,
        /// A vector along the Y of the joint's axes, as far as it is across the axis; zero for any.
        across: Vec3,
    },
    /// In the axes of each body.
    Local {
        /// In the frame of the `Transform` of `a`, or of the world.
        a: JointFrame,
        /// In the frame of the `Transform` of `b`.
        b: JointFrame,
    },
}

/// A point of a body, and axes there.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct JointFrame {
    /// In the frame of the body's `Transform`, in m before its scale.
    pub point: Vec3,
    /// From the joint's axes to the body's. The joint's axis is its X.
    pub rotation: Quat,
}

impl JointFrame {
    /// A point, with the axes of the body.
    pub fn at(point: Vec3) -> Self {
        Self {
            point,
            rotation: Quat::IDENTITY,
        }
    }

    /// The same point, with an axis in the body's axes.
    pub fn with_axis(self, axis: Vec3) -> Self {
        Self {
            rotation: rotation_to(axis),
            ..self
        }
    }

    /// The point and the axes in the world, where this `Transform` has the body.
    pub fn in_world(self, body: &Transform) -> Isometry3d {
        Isometry3d::new(
            body.transform_point(self.point),
            body.rotation * self.rotation,
        )
    }
}

/// A rotation that takes X to an axis.
fn rotation_to(axis: Vec3) -> Quat {
    axes_along(axis, Vec3::ZERO)
}

/// A rotation that takes X to an axis, and Y as near as it can to another one.
pub(crate) fn axes_along(axis: Vec3, across: Vec3) -> Quat {
    let Some(x) = axis.try_normalize() else {
        return Quat::IDENTITY;
    };
    match across.reject_from_normalized(x).try_normalize() {
        Some(y) => Quat::from_mat3(&Mat3::from_cols(x, y, x.cross(y))),
        None => Quat::from_rotation_arc(Vec3::X, x),
    }
}

impl Joint {
    /// A joint of a kind that holds the bodies as they are in the next step. The axis is X.
    pub fn new(kind: JointKind, a: impl Into<Option<Entity>>, b: Entity) -> Self {
        let place = JointPlace::World {
            point: None,
            axis: Vec3::X,
            across: Vec3::ZERO,
        };
        Self {
            a: a.into(),
            b,
            kind,
            place,
            bodies_collide: false,
        }
    }

    /// Makes one body of two.
    pub fn fixed(a: impl Into<Option<Entity>>, b: Entity) -> Self {
        Self::new(JointKind::Fixed, a, b)
    }

    /// A ball in its socket: one point of each body stays at one place.
    pub fn spherical(a: impl Into<Option<Entity>>, b: Entity) -> Self {
        Self::new(JointKind::Spherical, a, b)
    }

    /// A hinge: the bodies turn relative to each other about one axis, which is given in the world.
    pub fn revolute(a: impl Into<Option<Entity>>, b: Entity, axis: Vec3) -> Self {
        Self::new(JointKind::Revolute, a, b).along(axis)
    }

    /// A slider: `b` moves along an axis of `a`, which is given in the world, and does not turn.
    pub fn prismatic(a: impl Into<Option<Entity>>, b: Entity, axis: Vec3) -> Self {
        Self::new(JointKind::Prismatic, a, b).along(axis)
    }

    /// A rod without mass: the distance between the bodies' origins stays as it is in the next step.
    pub fn distance(a: impl Into<Option<Entity>>, b: Entity) -> Self {
        Self::new(JointKind::Distance(None), a, b)
    }

    /// A wheel: its hub moves along the suspension, and it turns about the axle. Both are given in the world.
    ///
    /// [`JointSpring`](super::JointSpring) and [`JointLimits`](super::JointLimits) act along the suspension, from where the wheel
    /// is when the joint begins, and [`JointMotor`](super::JointMotor) about the axle.
    pub fn wheel(a: impl Into<Option<Entity>>, b: Entity, suspension: Vec3, axle: Vec3) -> Self {
        let mut joint = Self::new(JointKind::Wheel { steering: 0.0 }, a, b).along(suspension);
        if let JointPlace::World { across, .. } = &mut joint.place {
            *across = axle;
        }
        joint
    }

    /// With its axis along a vector of the world. A spherical joint limits the swing of this axis, and the twist about it.
    pub fn along(mut self, new: Vec3) -> Self {
        if let JointPlace::World { axis, .. } = &mut self.place {
            *axis = new;
        }
        self
    }

    /// Holds the bodies at a point of the world.
    pub fn at(mut self, place: Vec3) -> Self {
        if let JointPlace::World { point, .. } = &mut self.place {
            *point = Some(place);
        }
        self
    }

    /// Holds these points of the bodies, which are in the frames of their `Transform`s, at one place, with their axes as they are there.
    /// For the axis of a hinge or a slider, see [`in_frames`](Self::in_frames).
    pub fn between(self, on_a: Vec3, on_b: Vec3) -> Self {
        self.in_frames(JointFrame::at(on_a), JointFrame::at(on_b))
    }

    /// Brings a point and axes of one body to those of the other one.
    pub fn in_frames(self, a: JointFrame, b: JointFrame) -> Self {
        Self {
            place: JointPlace::Local { a, b },
            ..self
        }
    }

    /// Its point and axes on `a` and on `b`, in the world, where these `Transform`s have the bodies: none of `a` for the world. `None`
    /// before the first step that sees the joint.
    pub fn frames(&self, a: Option<&Transform>, b: &Transform) -> Option<[Isometry3d; 2]> {
        let JointPlace::Local { a: on_a, b: on_b } = self.place else {
            return None;
        };
        let a = a.copied().unwrap_or_default();
        Some([on_a.in_world(&a), on_b.in_world(b)])
    }

    /// The same, with the two bodies colliding with each other.
    pub fn with_collisions(self) -> Self {
        Self {
            bodies_collide: true,
            ..self
        }
    }
}
