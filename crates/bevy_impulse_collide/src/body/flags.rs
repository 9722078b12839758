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
        /// It is a part of a compound, which moves it.
        const PART = 1 << 13;
        /// It is a part whose centre is not the compound's centre of mass.
        const ASIDE = 1 << 14;
        /// It is a compound of one ball about its centre of mass.
        const BALL = 1 << 15;
    }
}

/// Defines the questions on one body for the store and for a run of it.
macro_rules! questions {
    ($($(#[$doc:meta])* $name:ident: |$of:ident| $answer:expr),* $(,)?) => {
        // The store and a run answer the same questions, asked or not.
        #[allow(dead_code)]
        impl Columns<'_> {
            $($(#[$doc])*
            #[inline]
            pub fn $name(&self, i: usize) -> bool {
                let $of = self.flags[i];
                $answer
            })*
        }

        impl Bodies {
            $($(#[$doc])*
            #[inline]
            pub(crate) fn $name(&self, i: usize) -> bool {
                let $of = self.flags[i];
                $answer
            })*
        }
    };
}

questions! {
    /// Whether forces, impacts and contacts move the body.
    is_dynamic: |of| of.contains(BodyFlags::DYNAMIC),
    /// Whether the body moves with its own velocity, and nothing changes that.
    is_kinematic: |of| of.contains(BodyFlags::KINEMATIC),
    /// Whether the body collides with nothing.
    is_sensor: |of| of.contains(BodyFlags::SENSOR),
    /// Whether a user's systems have a say in the body's pairs.
    has_hooks: |of| of.contains(BodyFlags::HOOKS),
    /// Whether a capsule has the inertia of a rod.
    has_rod_inertia: |of| of.contains(BodyFlags::ROD_INERTIA),
    /// Whether the body never turns.
    has_locked_rotation: |of| of.contains(BodyFlags::LOCKED_ROTATION),
    /// Whether a user keeps the body awake.
    never_sleeps: |of| of.contains(BodyFlags::NEVER_SLEEPS),
    /// Whether the body sleeps.
    is_asleep: |of| of.contains(BodyFlags::ASLEEP),
    /// Whether a constant of the body has changed since the last step.
    is_disturbed: |of| of.contains(BodyFlags::DISTURBED),
    /// Whether a user has changed what moves the body since the last step.
    is_switched: |of| of.contains(BodyFlags::SWITCHED),
    /// Whether the body was none in the last step.
    has_appeared: |of| of.contains(BodyFlags::APPEARED),
    /// Whether the body has taken no substep since it came, or since a user changed what moves it.
    is_fresh: |of| of.contains(BodyFlags::FRESH),
    /// Whether the body must be read from its components again.
    must_be_read: |of| of.contains(BodyFlags::CHANGED),
    /// Whether the body is a part of a compound, which moves it.
    is_part: |of| of.contains(BodyFlags::PART),
    /// Whether the body is a part whose centre is not the compound's centre of mass.
    is_aside: |of| of.contains(BodyFlags::ASIDE),
    /// Whether the body is a compound of one ball about its centre of mass.
    is_one_ball: |of| of.contains(BodyFlags::BALL),
    /// Whether the body never moves.
    is_static: |of| !of.intersects(BodyFlags::DYNAMIC.union(BodyFlags::KINEMATIC)),
    /// Whether an impulse changes the body's motion in this substep: it is dynamic and awake.
    responds: |of| of.contains(BodyFlags::DYNAMIC) && !of.contains(BodyFlags::ASLEEP),
    /// Whether the body moves in this substep: it is kinematic, or dynamic and awake.
    moves: |of| {
        of.intersects(BodyFlags::DYNAMIC.union(BodyFlags::KINEMATIC))
            && !of.contains(BodyFlags::ASLEEP)
    },
}

impl Bodies {
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
