//! The step's schedule and its six sets, in order.

use bevy::{ecs::schedule::ScheduleLabel, prelude::*};

/// The schedule of one substep: the six [`StepSystems`] in order. It runs `substeps` times in each fixed step, inside
/// [`FixedPostUpdate`].
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub struct ImpulseStep;

/// The six stages, chained in this order in the [`ImpulseStep`] schedule. A system of your own stands between two of them
/// with `.after(StepSystems::Contact).before(StepSystems::Integrate)`; there it works on [`Bodies`](crate::Bodies). A field of
/// your own has a set in stage 1: [`Fields`](Self::Fields).
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepSystems {
    /// Stage 1: a(t) from every field.
    Gravity,
    /// The part of stage 1 that is yours: a system in this set adds to [`Bodies::acceleration`](crate::Bodies), which holds
    /// the crate's own fields by then.
    Fields,
    /// Stage 2: v(t) = v(t−h/2) + a·h/2.
    HalfStepCorrection,
    /// Stage 3: impacts inside the step in time order, then the second half kick to v(t+h/2).
    ImpulseJolt,
    /// Stage 4: resting and rolling contacts.
    Contact,
    /// Stage 5: x(t+h) = x(t) + h·v(t+h/2), and rotations.
    Integrate,
    /// Stage 6: left-over overlap pushed out.
    Projection,
}

/// What happens around the substeps, in [`FixedPostUpdate`], in this order.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImpulseSystems {
    /// Components are checked and gathered into [`Bodies`](crate::Bodies).
    Gather,
    /// The substeps run.
    Step,
    /// Messages are written, balls merge under [`Accretion`](crate::accretion::Accretion), and results go back to the
    /// components.
    WriteBack,
}
