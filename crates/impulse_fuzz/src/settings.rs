//! Random configurations, and the configurations under which the laws of a box must hold.

use bevy_impulse_collide::prelude::*;
use rand::{Rng, seq::IndexedRandom};

use crate::dice::{Dice, log_uniform, maybe};

/// A configuration with every field anywhere in its range. About half of the fields have their default.
///
/// `has_extremes` allows infinitely large values and stages that are off.
pub fn any_config(dice: &mut Dice, has_extremes: bool) -> CollisionConfig {
    let mut config = CollisionConfig::default();
    macro_rules! roll {
        ($($field:ident = $value:expr;)*) => {
            $(if let Some(value) = maybe(dice, 0.5, $value) {
                config.$field = value;
            })*
        };
    }
    let most = |dice: &mut Dice, low: f32, high: f32| {
        if has_extremes && dice.random_bool(0.05) {
            f32::MAX
        } else if dice.random_bool(0.1) {
            0.0
        } else {
            log_uniform(dice, low, high)
        }
    };
    let coefficient = |dice: &mut Dice, high: f32| {
        MaterialRule::new(any_rule(dice), dice.random_range(0.0..=high))
    };
    roll! {
        substeps = |dice| if dice.random_bool(0.2) { dice.random_range(1..=64) } else { dice.random_range(1..=8) };
        resting_speed = |dice| most(dice, 1e-6, 10.0);
        contact_margin = |dice| dice.random_range(0.0..=0.5);
        impacts_per_body = |dice| log_uniform(dice, 1.0, 1e3) as u32;
        least_impacts = |dice| log_uniform(dice, 0.1, 1e4) as u32;
        impacts_per_substep = |dice| most(dice, 1e-3, 10.0);
        impact_law = |dice| *[ImpactLaw::Newton, ImpactLaw::Poisson, ImpactLaw::Stronge].choose(dice).unwrap_or(&ImpactLaw::Stronge);
        contact_method = any_method;
        contact_iterations = |dice| log_uniform(dice, 0.5, 100.0) as u32;
        contact_relaxation = |dice| dice.random_range(0.1..=1.9);
        warm_start = |dice| dice.random_range(0.0..=1.0);
        friction_warm_start = |dice| dice.random_range(0.0..=1.0);
        projection_iterations = |dice| log_uniform(dice, 0.5, 100.0) as u32;
        projection = |dice| any_strength(dice, has_extremes);
        projection_law = |dice| if dice.random() { ProjectionLaw::Naive } else { ProjectionLaw::Conserving };
        overlap_slop = |dice| dice.random_range(0.0..=0.1);
        sleep_speed = |dice| most(dice, 1e-4, 1.0);
        sleep_delay = |dice| most(dice, 1e-3, 1.0);
        restitution = |dice| coefficient(dice, 1.0);
        friction = |dice| coefficient(dice, 2.0);
        rolling_friction = |dice| coefficient(dice, 0.5);
        spinning_friction = |dice| coefficient(dice, 0.5);
    }
    if has_extremes && dice.random_bool(0.3) {
        let mut on = || dice.random_bool(0.7);
        config.stages = Stages {
            gravity: on(),
            half_step_correction: on(),
            impulse_jolt: on(),
            contact: on(),
            integrate: on(),
            projection: on(),
        };
    }
    config
}

/// A configuration as `any_config` gives it, with a solver that is strong enough to hold bodies in a box.
pub fn sound_config(dice: &mut Dice) -> CollisionConfig {
    let mut config = any_config(dice, false);
    let default = CollisionConfig::default();
    if !is_sound(&config) {
        config.contact_iterations = config.contact_iterations.max(default.contact_iterations);
        config.projection_iterations =
            (config.projection_iterations).max(default.projection_iterations);
        config.projection = default.projection;
        if let ContactMethod::Global(solver) = &mut config.contact_method {
            *solver = GlobalSolver {
                friction_passes: solver.friction_passes,
                ..GlobalSolver::default()
            };
        }
    }
    config
}

/// Whether all stages run and both solvers are strong enough to hold bodies in a box.
pub fn is_sound(config: &CollisionConfig) -> bool {
    let has_strong_contacts = match config.contact_method {
        ContactMethod::Sweeps => config.contact_iterations >= 8,
        ContactMethod::Global(solver) => {
            solver.iterations >= 200
                && solver.tolerance <= 1e-3
                && solver.regularisation <= 1e-4
                && solver.stabilisation == 0.0
        }
    };
    let has_strong_projection =
        matches!(config.projection, ProjectionStrength::Factor(k_p) if k_p >= 0.3);
    has_strong_contacts
        && has_strong_projection
        && config.projection_iterations >= 4
        && config.stages == Stages::default()
}

/// Whether no impact may add energy: `CollisionConfig` says it of Stronge's law alone.
pub fn cannot_add_energy(config: &CollisionConfig) -> bool {
    is_sound(config) && config.impact_law == ImpactLaw::Stronge
}

fn any_rule(dice: &mut Dice) -> CombineRule {
    let rules = [
        CombineRule::GeometricMean,
        CombineRule::Average,
        CombineRule::Min,
        CombineRule::Max,
        CombineRule::Multiply,
    ];
    rules.choose(dice).copied().unwrap_or_default()
}

fn any_method(dice: &mut Dice) -> ContactMethod {
    if dice.random_bool(0.6) {
        return ContactMethod::Sweeps;
    }
    ContactMethod::Global(GlobalSolver {
        iterations: log_uniform(dice, 1.0, 1000.0) as u32,
        tolerance: log_uniform(dice, 1e-6, 1.0),
        regularisation: log_uniform(dice, 1e-8, 1.0),
        friction_passes: dice.random_range(1..=5),
        stabilisation: maybe(dice, 0.3, |dice| dice.random_range(0.0..=1.0)).unwrap_or_default(),
    })
}

fn any_strength(dice: &mut Dice, has_extremes: bool) -> ProjectionStrength {
    if dice.random_bool(0.7) {
        ProjectionStrength::Factor(dice.random_range(0.0..=1.0))
    } else if has_extremes && dice.random_bool(0.1) {
        ProjectionStrength::Stiffness(f32::MAX)
    } else {
        ProjectionStrength::Stiffness(log_uniform(dice, 1e-3, 1e9))
    }
}
