//! Checks of the values that components hold. Each problem is reported once.

use std::ops::Deref;

use bevy::{
    ecs::{entity::EntityHashMap, system::SystemParam},
    prelude::*,
    reflect::TypePath,
};

use crate::{
    body::Growing,
    components::{Division, Growth},
    flat::OUT_OF_PLANE,
    messages::{
        BadInput, InputProblem,
        ProblemReason::{self, *},
        ProblemValue::{self, *},
        UnloggedBadInput,
    },
};

/// What is sound, or the problem with it.
pub(crate) type Checked<T> = Result<T, InputProblem>;

/// Problems of a component, and checks of its values: a check gives the value, or the problem if the reason holds for it.
pub(crate) trait Check: TypePath + Sized {
    /// A problem of a component that is one value, or is wrong as a whole.
    fn problem(reason: ProblemReason, value: impl Into<ProblemValue>) -> InputProblem {
        InputProblem::of::<Self>(reason, value)
    }

    /// A problem of a field.
    fn problem_of(
        field: &'static str,
        reason: ProblemReason,
        value: impl Into<ProblemValue>,
    ) -> InputProblem {
        InputProblem::of_field::<Self>(field, reason, value)
    }

    /// Checks the value of a component that is one value.
    fn check<T: Value>(reason: ProblemReason, value: T) -> Checked<T> {
        Self::check_field("", reason, value)
    }

    /// Checks the value of a field.
    fn check_field<T: Value>(field: &'static str, reason: ProblemReason, value: T) -> Checked<T> {
        match holds(reason, value.into()) {
            true => Err(Self::problem_of(field, reason, value)),
            false => Ok(value),
        }
    }
}

impl<C: TypePath> Check for C {}

/// A value that can be checked.
pub(crate) trait Value: Into<ProblemValue> + Copy {}

impl<T: Into<ProblemValue> + Copy> Value for T {}

/// Whether a reason holds for a value. A reason that is no matter of one value does not.
fn holds(reason: ProblemReason, value: ProblemValue) -> bool {
    match (reason, value) {
        (NotFinite, Number(x)) => !x.is_finite(),
        (NotFinite, Vector(v)) => !v.is_finite(),
        (NotPositive, Number(x)) => !(x.is_finite() && x > 0.0),
        (Negative, Number(x)) => !(x.is_finite() && x >= 0.0),
        (OutOfRange, Number(x)) => !(0.0..=1.0).contains(&x),
        (NoRotation, Rotation(q)) => !q.is_finite() || q.length_squared() < 1e-6,
        (NoScale, Vector(s)) => !(s.is_finite() && s.abs().min_element() > 0.0),
        (UnevenScale, Vector(s)) => {
            let is_even = (s - Vec3::splat(s.x)).abs().max_element() <= 1e-4 * s.x;
            !(s.is_finite() && s.x > 0.0 && is_even)
        }
        (NoDirection, Vector(n)) => n.try_normalize().is_none(),
        (OutOfPlane, Vector(n)) => n.z.abs() > OUT_OF_PLANE,
        (OutOfPlane, Rotation(q)) => q.xyz().truncate().length() > OUT_OF_PLANE * q.length(),
        _ => false,
    }
}

/// The value, or `instead` with the problem told.
pub(crate) fn or_instead<T>(
    checked: Checked<T>,
    instead: T,
    tell: &mut impl FnMut(InputProblem),
) -> T {
    checked.unwrap_or_else(|problem| {
        tell(problem);
        instead
    })
}

/// The coefficient brought into the range that `reason` names; NaN becomes 0.
pub(crate) fn coefficient<C: Check + Deref<Target = f32>>(
    component: Option<&C>,
    reason: ProblemReason,
    tell: &mut impl FnMut(InputProblem),
) -> Option<f32> {
    let value = **component?;
    let range_end = if reason == OutOfRange { 1.0 } else { f32::MAX };
    let nearest = value.max(0.0).min(range_end);
    Some(or_instead(C::check(reason, value), nearest, tell))
}

/// The growth of a capsule with `scale`, in world measures, or the problem.
pub(crate) fn checked_growth(growth: &Growth, scale: f32) -> Checked<Growing> {
    let rate = Growth::check_field("rate", NotFinite, growth.rate)? * scale;
    if growth.inertia != f32::INFINITY {
        Growth::check_field("inertia", NotPositive, growth.inertia)?;
    }
    Ok(Growing {
        rate,
        speed: rate,
        inverse_inertia: growth.inertia.recip(),
        uptake: Growth::check_field("uptake", Negative, growth.uptake)? / scale,
    })
}

/// Whether a division can be used, or its problem.
pub(crate) fn check_division(division: &Division) -> Checked<()> {
    if division.length != f32::INFINITY {
        Division::check_field("length", Negative, division.length)?;
    }
    Division::check_field("share", OutOfRange, division.share)?;
    Division::check_field("bend", NotFinite, division.bend)?;
    Ok(())
}

/// Reports problems that have not been reported yet.
#[derive(SystemParam)]
pub(crate) struct Reporter<'w, 's> {
    reports: ResMut<'w, Reports>,
    names: Query<'w, 's, NameOrEntity>,
    messages: MessageWriter<'w, BadInput>,
    is_unlogged: Option<Res<'w, UnloggedBadInput>>,
}

/// The problems that have been reported already.
#[derive(Resource, Debug, Default)]
pub(crate) struct Reports {
    /// Reported problems, and the round in which each was last seen.
    told: EntityHashMap<Vec<(InputProblem, u64)>>,
    round: u64,
}

impl Reporter<'_, '_> {
    /// Starts a round in which every problem that still stands is reported again.
    pub fn begin(&mut self) {
        self.reports.round += 1;
    }

    /// Logs and writes the problem, unless it was reported before and has stood ever since, be it with another value.
    pub fn report(&mut self, entity: Entity, problem: InputProblem) {
        let Reports { told, round } = &mut *self.reports;
        let told = told.entry(entity).or_default();
        match told.iter_mut().find(|(known, _)| known.is_like(&problem)) {
            Some((_, seen)) => *seen = *round,
            None => {
                told.push((problem, *round));
                let bad_input = BadInput { entity, problem };
                if self.is_unlogged.is_none() {
                    bad_input.log(self.names.get(entity).ok().and_then(|it| it.name));
                }
                self.messages.write(bad_input);
            }
        }
    }

    /// Forgets the problems that were not seen in this round, so that they are reported again if they come back.
    pub fn forget_mended(&mut self) {
        let Reports { told, round } = &mut *self.reports;
        told.retain(|_, told| {
            told.retain(|(_, seen)| seen == round);
            !told.is_empty()
        });
    }
}
