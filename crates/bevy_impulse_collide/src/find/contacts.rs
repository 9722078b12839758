use bevy::prelude::*;

/// One point of contact, as the contact stage left it.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
pub struct Contact {
    /// The body whose entity sorts first.
    pub a: Entity,
    /// The other body.
    pub b: Entity,
    /// Which point of the pair's contact set: 0 or 1.
    pub feature: u32,
    /// Where both bodies feel the impulse, in world coordinates.
    pub point: Vec3,
    /// Unit vector from `b` to `a`.
    pub normal: Vec3,
    /// Overlap at the start of the substep in m; negative across a gap.
    pub depth: f32,
    /// Whether the surfaces touch: something presses them together, or they are within a thousandth of the smaller radius.
    pub is_touching: bool,
    /// Impulse on `a` in the last substep in N·s, friction included; `b` gets the opposite.
    pub impulse: Vec3,
}

/// The contacts of the last substep, sorted by entities.
#[derive(Resource, Reflect, Clone, Debug, Default, Deref)]
#[reflect(Resource, Debug, Clone, Default)]
pub struct Contacts(pub(crate) Vec<Contact>);
