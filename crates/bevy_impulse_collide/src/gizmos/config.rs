//! What the gizmos draw, and in which colours.

use bevy::{color::palettes::tailwind, prelude::*};

use crate::components::RigidBody;

/// The group of the physics' gizmos: which parts are drawn, and their colours. Width and depth of the lines are in the group's
/// [`GizmoConfig`].
#[derive(Reflect, GizmoConfigGroup, Clone, Debug)]
pub struct ImpulseGizmos {
    /// Balls, capsules and planes, in the colour of their kind. Default: true.
    pub bodies: bool,
    /// Colliders, in the colour of their kind: their edges. Curved meshes show all their triangles. Default: true.
    pub colliders: bool,
    /// Contact points, and normals one radius of the smaller body long. Default: true.
    pub contacts: bool,
    /// The impulse on the first body of each contact. Two radii long is the impulse that carries the lighter body's weight for one
    /// substep. Default: false.
    pub impulses: bool,
    /// Velocities. Default: false.
    pub velocities: bool,
    /// A velocity ends where the body would be after this many seconds. Default: 0.1.
    pub velocity_seconds: f32,
    /// The boxes of the broad phase: the box that a body sweeps in a substep, and a margin about it. Default: false.
    pub bounds: bool,
    /// Lines between the bodies of each island, which press on each other. Each island has a colour of its own. One that sleeps has
    /// `asleep_color`. Default: false.
    pub islands: bool,
    /// Joints: their points and axes, the ways to the bodies, and their limits. A red line is a gap in a joint. Default: true.
    pub joints: bool,
    /// A body or a joint that is outlined. Default: none.
    pub selected: Option<Entity>,
    /// Draws contacts, impulses and velocities of the selected body only: a dense heap stays legible. Default: false.
    pub selected_only: bool,
    /// Of dynamic bodies that are awake.
    pub dynamic_color: Color,
    /// Of bodies that sleep.
    pub asleep_color: Color,
    /// Of kinematic bodies.
    pub kinematic_color: Color,
    /// Of static bodies.
    pub static_color: Color,
    /// Of sensors of any kind.
    pub sensor_color: Color,
    /// Of `contacts`.
    pub contact_color: Color,
    /// Of `impulses`.
    pub impulse_color: Color,
    /// Of `velocities`.
    pub velocity_color: Color,
    /// Of `bounds`.
    pub bounds_color: Color,
    /// Of `joints` that bear nothing, or that never break.
    pub joint_color: Color,
    /// Of joints that are about to break, and of gaps.
    pub strained_color: Color,
    /// Of joints that are disabled or broken.
    pub disabled_color: Color,
    /// Of the outline of what is selected.
    pub selected_color: Color,
}

impl Default for ImpulseGizmos {
    fn default() -> Self {
        Self {
            bodies: true,
            colliders: true,
            contacts: true,
            impulses: false,
            velocities: false,
            velocity_seconds: 0.1,
            bounds: false,
            islands: false,
            joints: true,
            selected: None,
            selected_only: false,
            dynamic_color: tailwind::ORANGE_300.into(),
            asleep_color: tailwind::SLATE_400.into(),
            kinematic_color: tailwind::VIOLET_300.into(),
            static_color: tailwind::EMERALD_300.into(),
            sensor_color: tailwind::YELLOW_200.into(),
            contact_color: tailwind::CYAN_300.into(),
            impulse_color: tailwind::FUCHSIA_400.into(),
            velocity_color: tailwind::LIME_400.into(),
            bounds_color: tailwind::SKY_600.into(),
            joint_color: tailwind::TEAL_300.into(),
            strained_color: tailwind::RED_500.into(),
            disabled_color: tailwind::GRAY_500.into(),
            selected_color: tailwind::AMBER_300.into(),
        }
    }
}

impl ImpulseGizmos {
    /// Whether contacts, impulses and velocities of a body are drawn.
    pub(super) fn shows(&self, body: Entity) -> bool {
        !self.selected_only || self.selected == Some(body)
    }

    pub(super) fn color_of(&self, kind: RigidBody, asleep: bool) -> Color {
        match kind {
            RigidBody::Dynamic if asleep => self.asleep_color,
            RigidBody::Dynamic => self.dynamic_color,
            RigidBody::Kinematic => self.kinematic_color,
            RigidBody::Static => self.static_color,
        }
    }
}
