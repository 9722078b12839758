//! Checks of the values that components hold. Each problem is reported once.

use std::mem::{Discriminant, discriminant};

use bevy::{ecs::entity::EntityHashMap, prelude::*};

use crate::{
    body::Growing,
    components::{Division, Growth},
    messages::{BadInput, InputProblem},
    shape::ColliderProblem,
};

/// One positive scale for all axes, or the problem.
pub(crate) fn checked_scale(scale: Vec3) -> Result<f32, InputProblem> {
    let uniform = (scale - Vec3::splat(scale.x)).abs().max_element() <= 1e-4 * scale.x;
    if scale.is_finite() && scale.x > 0.0 && uniform {
        Ok(scale.x)
    } else {
        Err(InputProblem::Scale(scale))
    }
}

/// The coefficient brought into 0..=`range_end`, and the problem if it was not there. NaN becomes 0.
pub(crate) fn checked_material(
    value: Option<f32>,
    range_end: f32,
    problem: fn(f32) -> InputProblem,
) -> (Option<f32>, Option<InputProblem>) {
    match value {
        Some(value) if !(0.0..=range_end).contains(&value) => {
            (Some(value.max(0.0).min(range_end)), Some(problem(value)))
        }
        _ => (value, None),
    }
}

/// The growth of a capsule with `scale`, in world measures, or the problem.
pub(crate) fn checked_growth(growth: &Growth, scale: f32) -> Result<Growing, InputProblem> {
    if !growth.rate.is_finite() {
        return Err(InputProblem::GrowthRate(growth.rate));
    }
    if growth.inertia.is_nan() || growth.inertia <= 0.0 {
        return Err(InputProblem::GrowthInertia(growth.inertia));
    }
    if !(growth.uptake.is_finite() && growth.uptake >= 0.0) {
        return Err(InputProblem::GrowthUptake(growth.uptake));
    }
    Ok(Growing {
        rate: growth.rate * scale,
        speed: growth.rate * scale,
        inverse_inertia: growth.inertia.recip(),
        uptake: growth.uptake / scale,
    })
}

/// The problem of a division, if it has one.
pub(crate) fn problem_of_division(division: &Division) -> Option<InputProblem> {
    let Division {
        length,
        share,
        bend,
    } = *division;
    if length.is_nan() || length < 0.0 {
        Some(InputProblem::DivisionLength(length))
    } else if !(0.0..=1.0).contains(&share) {
        Some(InputProblem::DivisionShare(share))
    } else if !bend.is_finite() {
        Some(InputProblem::DivisionBend(bend))
    } else {
        None
    }
}

/// Problems of one kind are reported once.
type ProblemKind = (
    Discriminant<InputProblem>,
    Option<Discriminant<ColliderProblem>>,
);

fn kind_of(problem: &InputProblem) -> ProblemKind {
    let of_collider = match problem {
        InputProblem::Collider(problem) => Some(discriminant(problem)),
        _ => None,
    };
    (discriminant(problem), of_collider)
}

/// The problems that have been reported already.
#[derive(Resource, Debug, Default)]
pub(crate) struct Reports {
    /// Reported problems, and the round in which each was last seen.
    told: EntityHashMap<Vec<(ProblemKind, u64)>>,
    round: u64,
}

impl Reports {
    /// Starts a round in which every problem that still stands is reported again.
    pub fn begin(&mut self) {
        self.round += 1;
    }

    /// Logs and writes the problem, unless it was reported before and has stood ever since.
    pub fn report(
        &mut self,
        entity: Entity,
        problem: InputProblem,
        names: &Query<NameOrEntity>,
        messages: &mut MessageWriter<BadInput>,
    ) {
        let told = self.told.entry(entity).or_default();
        let kind = kind_of(&problem);
        match told.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, round)) => *round = self.round,
            None => {
                told.push((kind, self.round));
                match names.get(entity) {
                    Ok(name) => warn!("body {name} ({entity}): {problem}"),
                    Err(_) => warn!("body {entity}: {problem}"),
                }
                messages.write(BadInput { entity, problem });
            }
        }
    }

    /// Forgets the problems that were not seen in this round, so that they are reported again if they come back.
    pub fn forget_mended(&mut self) {
        let round = self.round;
        self.told.retain(|_, told| {
            told.retain(|(_, seen)| *seen == round);
            !told.is_empty()
        });
    }
}
