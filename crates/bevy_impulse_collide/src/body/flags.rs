//! What a body is, and in which state: one bit for each question.

use bitflags::bitflags;

use super::{columns::Columns, store::Bodies};

bitflags! {
    /// What a body is, and in which state.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub(crate) struct BodyFlags: u16 {
        /// Forces, impacts and contacts move it.
        const DYNAMIC = 1;
        /// It moves with its own velocity, and nothing changes that. A body that is neither dynamic nor kinematic is static.
        const KINEMATIC = 1 << 1;
        /// It collides with nothing.
        const SENSOR = 1 << 2;
        /// A user's systems have a say in its pairs.
        const HOOKS = 1 << 3;
        /// A capsule with the inertia of a rod.
        const ROD_INERTIA = 1 << 4;
        /// It never turns.
        const LOCKED_ROTATION = 1 << 5;
        /// A user keeps it awake.
        const NEVER_SLEEPS = 1 << 6;
        /// It sleeps.
        const ASLEEP = 1 << 7;
        /// Since the last step, anything that a step treats as constant has changed, or a sleeping body was moved.
        const DISTURBED = 1 << 8;
        /// Since the last step, a user has changed something that decides the forces on the body, or its motion: what its contacts
        /// gave has ended at t.
        const SWITCHED = 1 << 9;
        /// It was no body in the last step: until the sleepers that it stands in are awake.
        const APPEARED = 1 << 10;
        /// It must be read from its components again.
        const CHANGED = 1 << 11;
        /// It has taken no substep since it came, or since a user changed what moves it: neither the fields nor the contacts of a
        /// last substep have a share in its velocity.
        const FRESH = 1 << 12;

        /// What the components say, and no step changes.
        const GIVEN = Self::DYNAMIC.bits()
            | Self::KINEMATIC.bits()
            | Self::SENSOR.bits()
            | Self::HOOKS.bits()
            | Self::ROD_INERTIA.bits()
            | Self::LOCKED_ROTATION.bits()
            | Self::NEVER_SLEEPS.bits();
    }
}

/// Defines the questions on one body for the store and for a run of it.
macro_rules! questions {
    ($($(#[$doc:meta])* $name:ident: $flag:ident),* $(,)?) => {
        // The store and a run answer the same questions, asked or not.
        #[allow(dead_code)]
        impl Columns<'_> {
            $($(#[$doc])*
            #[inline]
            pub fn $name(&self, i: usize) -> bool {
                self.flags[i].contains(BodyFlags::$flag)
            })*
        }

        impl Bodies {
            $($(#[$doc])*
            #[inline]
            pub(crate) fn $name(&self, i: usize) -> bool {
                self.flags[i].contains(BodyFlags::$flag)
            })*
        }
    };
}

questions! {
    /// Whether forces, impacts and contacts move the body.
    is_dynamic: DYNAMIC,
    /// Whether the body moves with its own velocity, and nothing changes that.
    is_kinematic: KINEMATIC,
    /// Whether the body collides with nothing.
    is_sensor: SENSOR,
    /// Whether a user's systems have a say in the body's pairs.
    has_hooks: HOOKS,
    /// Whether a capsule has the inertia of a rod.
    has_rod_inertia: ROD_INERTIA,
    /// Whether the body never turns.
    has_locked_rotation: LOCKED_ROTATION,
    /// Whether a user keeps the body awake.
    never_sleeps: NEVER_SLEEPS,
    /// Whether the body sleeps.
    is_asleep: ASLEEP,
    /// Whether a constant of the body has changed since the last step.
    is_disturbed: DISTURBED,
    /// Whether a user has changed what moves the body since the last step.
    is_switched: SWITCHED,
    /// Whether the body was none in the last step.
    has_appeared: APPEARED,
    /// Whether the body has taken no substep since it came, or since a user changed what moves it.
    is_fresh: FRESH,
    /// Whether the body must be read from its components again.
    must_be_read: CHANGED,
}

impl Columns<'_> {
    /// Whether the body never moves.
    #[inline]
    pub fn is_static(&self, i: usize) -> bool {
        is_static(self.flags[i])
    }

    /// Whether an impulse changes the body's motion in this substep: it is dynamic and awake.
    #[inline]
    pub fn responds(&self, i: usize) -> bool {
        responds(self.flags[i])
    }
}

impl Bodies {
    /// Whether the body never moves.
    #[inline]
    pub(crate) fn is_static(&self, i: usize) -> bool {
        is_static(self.flags[i])
    }

    /// Whether an impulse changes the body's motion in this substep: it is dynamic and awake.
    #[inline]
    pub(crate) fn responds(&self, i: usize) -> bool {
        responds(self.flags[i])
    }

    /// Whether the body moves in this substep: it is kinematic, or dynamic and awake.
    #[inline]
    pub(crate) fn moves(&self, i: usize) -> bool {
        !self.is_static(i) && !self.is_asleep(i)
    }

    /// Whether any body has one of these flags.
    pub(crate) fn any(&self, flags: BodyFlags) -> bool {
        self.flags.iter().any(|of| of.intersects(flags))
    }

    /// Gives every body these flags.
    pub(crate) fn mark_all(&mut self, flags: BodyFlags) {
        self.flags.iter_mut().for_each(|of| of.insert(flags));
    }

    /// Takes these flags from every body.
    pub(crate) fn clear(&mut self, flags: BodyFlags) {
        self.flags.iter_mut().for_each(|of| of.remove(flags));
    }
}

#[inline]
fn is_static(flags: BodyFlags) -> bool {
    !flags.intersects(BodyFlags::DYNAMIC.union(BodyFlags::KINEMATIC))
}

#[inline]
fn responds(flags: BodyFlags) -> bool {
    let of_both = BodyFlags::DYNAMIC.union(BodyFlags::ASLEEP);
    flags.intersection(of_both) == BodyFlags::DYNAMIC
}
