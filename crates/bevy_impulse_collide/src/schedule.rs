//! The schedule of a step, and its sets in the order in which they run.

use bevy::{ecs::schedule::ScheduleLabel, prelude::*};

/// The schedule of one substep: the six stages of [`StepSystems`] in order. It runs `substeps` times in each fixed step, inside
/// [`FixedPostUpdate`].
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// /// Runs between two stages, and works on the packed arrays.
/// fn limit_speed(mut bodies: ResMut<Bodies>) {
///     bodies.for_each(|mut body| body.set_velocity(body.velocity().clamp_length_max(100.0)));
/// }
///
/// # let mut app = App::new();
/// app.add_systems(
///     ImpulseStep,
///     limit_speed.after(StepSystems::Contact).before(StepSystems::Integrate),
/// );
/// ```
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub struct ImpulseStep;

/// The schedule of the systems that have a say in single pairs: see [`NearPairs`](crate::pairs::NearPairs). It runs at the start of
/// each substep in which there are such pairs.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub struct PairHooks;

/// The six stages, chained in this order in the schedule [`ImpulseStep`].
///
/// A system of your own runs between two of them with `.after(StepSystems::Contact).before(StepSystems::Integrate)`. It works on
/// [`Bodies`](crate::Bodies). A field of your own runs in the set [`Fields`](Self::Fields), a part of stage 1.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepSystems {
    /// Stage 1: a(t) from every field.
    Gravity,
    /// The part of stage 1 for your fields. A system in this set adds to the acceleration of each body with
    /// [`BodyMut::accelerate`](crate::BodyView::accelerate). By then a body has the accelerations of the crate's own fields.
    Fields,
    /// Stage 2: v(t) is corrected by what the fields have become at x(t).
    HalfStepCorrection,
    /// Stage 3: impacts inside the step in time order, then the first half kick to v(t+h/2).
    ImpulseJolt,
    /// Stage 4: resting and rolling contacts.
    Contact,
    /// Stage 5: x(t+h) = x(t) + h·v(t+h/2), and rotations.
    Integrate,
    /// Stage 6: pushes the remaining overlap out, then the second half kick to v(t+h).
    Projection,
}

/// The sets around the substeps in [`FixedPostUpdate`], in this order.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn steer(mut balls: Query<&mut LinearVelocity, With<Particle>>) {
///     for mut velocity in &mut balls {
///         velocity.x += 0.1;
///     }
/// }
///
/// # let mut app = App::new();
/// app.add_systems(FixedPostUpdate, steer.before(ImpulseSystems::Gather));
/// ```
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImpulseSystems {
    /// Checks the components and gathers them into [`Bodies`](crate::Bodies).
    Gather,
    /// Runs the substeps.
    Step,
    /// Writes the messages, merges balls under [`Accretion`](crate::accretion::Accretion), divides capsules, and writes the
    /// results to the components.
    WriteBack,
}

/// The schedule for a tool that watches what goes into the steps, such as a recorder. It runs right before a step reads the
/// components, whoever has asked for the step: the fixed schedule or [`step`](crate::step). Change nothing in it that a game should see.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub struct BeforeStep;

/// The schedule for a tool that watches what comes out of the steps. It runs when a step has written the components and all its
/// commands are applied, and before the observers of its messages run: these may change the world, and that belongs to the next step.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub struct AfterStep;

/// The schedule that runs in [`ImpulseSystems::Gather`].
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Gather;

/// The schedule that runs in [`ImpulseSystems::WriteBack`].
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct WriteBack;
