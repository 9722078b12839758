//! The resource that holds every parameter of the step, and the resource that pauses it.

use bevy::prelude::*;

use crate::{
    components::CombineRule,
    kernel::{self, ImpactLaw},
};

/// Every parameter of the step, with unit, range and default. Bevy's [`Time<Fixed>`] sets the rate of the steps.
///
/// A value outside its range becomes the nearest end of the range.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// # let mut app = App::new();
/// app.insert_resource(CollisionConfig {
///     substeps: 4,
///     friction: MaterialRule::new(CombineRule::Multiply, 0.5),
///     ..default()
/// });
/// ```
#[derive(Resource, Reflect, Clone, Debug, PartialEq)]
#[reflect(Resource, Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct CollisionConfig {
    /// Number of equal parts of a fixed step. Each part runs all six stages. 1 to 64; default 1.
    pub substeps: u32,
    /// Which stages run. Default: all.
    pub stages: Stages,
    /// Whether the world is flat: everything moves in the plane z = 0 and turns about Z, whatever acts on it. The z of a
    /// `Transform` has no effect, and stays: a 2D game draws by it. Default: false.
    pub flat: bool,
    /// Approach speed in m/s under which touching bodies rest on each other and do not bounce. The speed that the fields give
    /// the pair in a substep is added to it. 0 or more; default 1e-3.
    pub resting_speed: f32,
    /// Gap, as a fraction of the smaller radius, within which two bodies count as touching. 0 to 0.5; default 0.01.
    pub contact_margin: f32,
    /// Largest number of impacts of one body in a substep. In the remaining impacts, nothing bounces and nothing passes: the
    /// contact stage stops the approach. A fast body stays where it meets the other body until the next substep. In a dense flow of
    /// bodies that lose speed when they bounce, contacts stop what comes after the first few impacts of a body, too. 1 or more;
    /// default 64.
    pub impacts_per_body: u32,
    /// Number of impacts in a substep that are resolved in any scene, however few bodies it has. Default 1000.
    pub least_impacts: u32,
    /// Largest number of impacts in a substep, as a multiple of the number of bodies. It counts where it is above
    /// `least_impacts`. The remaining impacts are treated as above. Impacts are resolved one after another on one thread, so a
    /// limit keeps the step short where thousands of bodies fall on each other. 0 or more; default 0.05.
    pub impacts_per_substep: f32,
    /// The law of restitution for impacts with friction off-centre. Default: Stronge's law, which cannot create energy.
    pub impact_law: ImpactLaw,
    /// The method by which the contact stage finds its impulses. Default: sweeps.
    pub contact_method: ContactMethod,
    /// Number of sweeps over all contacts. 0 to 1000; default 12.
    pub contact_iterations: u32,
    /// Factor of successive over-relaxation: a sweep changes a normal impulse by this multiple of the change that satisfies the
    /// contact alone. So a sweep carries a load further through a heap. The last two sweeps (the last one of an odd number)
    /// have the factor 1. 0.1 to 1.9; default 1.85.
    pub contact_relaxation: f32,
    /// Part of the last substep's contact impulses with which a substep starts. 0 to 1; default 1.
    pub warm_start: f32,
    /// The same for friction and couples, times `warm_start`. 0 to 1; default 1.
    ///
    /// With 1, steep piles stand. But a planet that gravity has drawn together keeps the friction of its formation, and creeps
    /// under it for minutes. With 0.5 the planet loses this friction and finds its figure.
    pub friction_warm_start: f32,
    /// Number of sweeps of the projection stage over all overlaps. With 8, heaps of balls settle sooner, in a tenth more time.
    /// 0 to 1000; default 4.
    pub projection_iterations: u32,
    /// Part of an overlap that one sweep of the projection removes.
    pub projection: ProjectionStrength,
    /// The effect of a projection on the velocities. Default: it conserves momentum and angular momentum.
    pub projection_law: ProjectionLaw,
    /// Overlap, as a fraction of the smaller radius, that the projection leaves. So resting bodies stay in touch. 0 to 0.1;
    /// default 1e-4.
    pub overlap_slop: f32,
    /// Speed in m/s under which a body is quiet, now and after another `sleep_delay` at its present acceleration. It counts for the
    /// centre of a ball, and for the centre and the rim of a capsule or a compound. Bodies fall asleep when they rest on a static body and touch
    /// quiet bodies only. A body that presses on no other one that moves must be quiet in ten seconds, too, at its acceleration: a ball
    /// that starts to roll on a gentle slope does not fall asleep. 0 (nothing sleeps) or more; default 0.05.
    pub sleep_speed: f32,
    /// Time in seconds for which a body must be quiet before it falls asleep. 0 or more; default 0.5.
    pub sleep_delay: f32,
    /// Restitution of a pair. Default: geometric mean, 0.5 if no body states a value.
    pub restitution: MaterialRule,
    /// Sliding friction of a pair. Default: geometric mean, 0.3 if no body states a value.
    pub friction: MaterialRule,
    /// Rolling friction of a pair. Default: geometric mean, 0 if no body states a value.
    pub rolling_friction: MaterialRule,
    /// Spinning friction of a pair. Default: geometric mean, 0 if no body states a value.
    pub spinning_friction: MaterialRule,
}

impl Default for CollisionConfig {
    fn default() -> Self {
        Self {
            substeps: 1,
            stages: Stages::default(),
            flat: false,
            resting_speed: 1e-3,
            contact_margin: 0.01,
            impacts_per_body: 64,
            least_impacts: 1000,
            impacts_per_substep: 0.05,
            impact_law: ImpactLaw::default(),
            contact_method: ContactMethod::default(),
            contact_iterations: 12,
            contact_relaxation: 1.85,
            warm_start: 1.0,
            friction_warm_start: 1.0,
            projection_iterations: 4,
            projection: ProjectionStrength::default(),
            projection_law: ProjectionLaw::default(),
            overlap_slop: 1e-4,
            sleep_speed: 0.05,
            sleep_delay: 0.5,
            restitution: MaterialRule::new(CombineRule::GeometricMean, 0.5),
            friction: MaterialRule::new(CombineRule::GeometricMean, 0.3),
            rolling_friction: MaterialRule::new(CombineRule::GeometricMean, 0.0),
            spinning_friction: MaterialRule::new(CombineRule::GeometricMean, 0.0),
        }
    }
}

/// The method by which the contact stage finds its impulses.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// # let mut config = CollisionConfig::default();
/// config.contact_method = ContactMethod::Global(GlobalSolver {
///     iterations: 200,
///     ..default()
/// });
/// ```
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub enum ContactMethod {
    /// Sequential impulses: contact by contact, [`contact_iterations`](CollisionConfig::contact_iterations) times. It is fast for
    /// heaps. An impulse moves one contact further in a sweep.
    #[default]
    Sweeps,
    /// All contacts as one linear system, with impulses that only push. It is for many bodies that press on each other, such as
    /// growing cells.
    Global(GlobalSolver),
}

/// Parameters of the global contact solver: see [`ContactMethod::Global`].
///
/// It finds the impulses λ ≥ 0 with which no contact closes faster than it may. They are the minimum of a quadratic function.
/// Conjugate gradients find it; each step is brought back to impulses that push.
///
/// The limits μ·N of friction come from the normal impulses of the pass before. That is enough on a slope, but a heap that
/// stands by friction creeps. Such heaps, and rolling and spinning friction, need [`ContactMethod::Sweeps`].
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct GlobalSolver {
    /// Largest number of products with the system's matrix in a substep. 1 to 100,000; default 500.
    pub iterations: u32,
    /// The solver ends when the remaining approach over all contacts is at most this part of the approach without impulses. 0 to 1;
    /// default 1e-3.
    pub tolerance: f32,
    /// Softness of the contacts: the part of its own inverse effective mass, K = n·(1/m)·n…, that is added to each contact. A
    /// system with redundant contacts needs it. 0 to 1; default 1e-5.
    pub regularisation: f32,
    /// Number of passes. Each pass sets the limits μ·N of friction from the normal impulses. 1 to 100; default 3. Without
    /// friction there is one pass.
    pub friction_passes: u32,
    /// Part of an overlap that velocities remove in a substep, for all overlaps at once. The
    /// [projection](CollisionConfig::projection) acts in addition, pair by pair. 0 to 1; default 0.
    ///
    /// Such velocities add energy. Use it with strong damping, which removes them at once: then it keeps thousands of bodies
    /// apart that press on each other.
    pub stabilisation: f32,
}

impl Default for GlobalSolver {
    fn default() -> Self {
        Self {
            iterations: 500,
            tolerance: 1e-3,
            regularisation: 1e-5,
            friction_passes: 3,
            stabilisation: 0.0,
        }
    }
}

/// The rule and the default by which a pair gets a coefficient.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// let rule = MaterialRule::new(CombineRule::Max, 0.3);
/// assert_eq!(rule.combine(Some(0.5), Some(0.25)), 0.5);
/// assert_eq!(rule.combine(None, None), 0.3);
/// ```
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct MaterialRule {
    /// Joins two values. If one body alone states a value, the pair gets that value.
    pub rule: CombineRule,
    /// The coefficient if no body states one: 0 to 1 for restitution, 0 or more for friction.
    pub default: f32,
}

impl MaterialRule {
    /// `rule` joins two stated values; `default` applies if no body states a value.
    pub const fn new(rule: CombineRule, default: f32) -> Self {
        Self { rule, default }
    }

    /// The coefficient of a contact between bodies that state `a` and `b`.
    pub fn combine(&self, a: Option<f32>, b: Option<f32>) -> f32 {
        self.rule.combine(a, b, self.default)
    }
}

/// Which of the six stages run. A stage that is off does not change the bodies.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// fn without_contacts(mut config: ResMut<CollisionConfig>) {
///     config.stages.contact = false;
/// }
/// # bevy::ecs::system::assert_is_system(without_contacts);
/// ```
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct Stages {
    /// Stage 1: accelerations from every field.
    pub gravity: bool,
    /// Stage 2: v(t) is corrected by what the fields have become, and drag acts.
    pub half_step_correction: bool,
    /// Stage 3: impacts.
    pub impulse_jolt: bool,
    /// Stage 4: resting and rolling contacts.
    pub contact: bool,
    /// Stage 5: positions and rotations.
    pub integrate: bool,
    /// Stage 6: the remaining overlap.
    pub projection: bool,
}

impl Default for Stages {
    fn default() -> Self {
        Self {
            gravity: true,
            half_step_correction: true,
            impulse_jolt: true,
            contact: true,
            integrate: true,
            projection: true,
        }
    }
}

/// The projection factor k_p, given as a factor or as the stiffness of a spring that pushes as strong in one substep.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub enum ProjectionStrength {
    /// k_p: the part of the overlap that a sweep removes. 0 (off) to 1 (all); default 0.5. Up to 0.5, a spring of the same
    /// stiffness is stable. Near 1, heaps boil.
    Factor(f32),
    /// k_s in N/m: k_p = k_s·h²/m_ab with the pair's reduced mass m_ab, at most 1.
    Stiffness(f32),
}

impl Default for ProjectionStrength {
    fn default() -> Self {
        Self::Factor(Self::DEFAULT_FACTOR)
    }
}

impl ProjectionStrength {
    const DEFAULT_FACTOR: f32 = 0.5;

    /// k_p for a pair whose inverse masses add up to `inverse_mass` (1/kg), in a substep of `h` seconds.
    pub fn factor(self, inverse_mass: f32, h: f32) -> f32 {
        let k_p = match self {
            Self::Factor(k_p) => k_p,
            Self::Stiffness(k_s) => kernel::projection_factor(k_s, inverse_mass, h),
        };
        if k_p.is_nan() {
            0.0
        } else {
            k_p.clamp(0.0, 1.0)
        }
    }
}

/// The effect of a projection on the velocities of the pair that it pushes apart.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub enum ProjectionLaw {
    /// The velocities change as in a free flight over the same distance. The pair's angular momentum stays.
    #[default]
    Conserving,
    /// The velocities stay. So every push adds to the rotation, and a heap that turns spins itself apart. This law is here to
    /// show that.
    Naive,
}

/// Pause and single steps of the physics. Bevy's clocks and the rest of the app run on.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// /// After five seconds: one step in each update.
/// fn control(time: Res<Time>, mut control: ResMut<StepControl>) {
///     if time.elapsed_secs() > 5.0 {
///         control.paused = true;
///         control.pending_steps = 1;
///     }
/// }
/// # bevy::ecs::system::assert_is_system(control);
/// ```
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Resource, Debug, PartialEq, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct StepControl {
    /// While true, the physics makes pending steps only.
    pub paused: bool,
    /// Number of steps to make while paused. Each step subtracts one.
    pub pending_steps: u32,
}

impl StepControl {
    /// Run condition of the whole step.
    pub(crate) fn may_step(control: Res<Self>) -> bool {
        !control.paused || control.pending_steps > 0
    }

    pub(crate) fn count_step(mut control: ResMut<Self>) {
        if control.paused {
            control.pending_steps -= 1;
        }
    }
}

impl CollisionConfig {
    /// This configuration with every value in its range. A value outside becomes the nearest end, NaN becomes the default.
    pub fn clamped(&self) -> Self {
        let default = Self::default();
        let coefficient = |rule: MaterialRule, default: MaterialRule, high: f32| MaterialRule {
            default: within(rule.default, default.default, 0.0, high),
            ..rule
        };
        Self {
            substeps: self.substeps.clamp(1, 64),
            resting_speed: within(self.resting_speed, default.resting_speed, 0.0, f32::MAX),
            contact_margin: within(self.contact_margin, default.contact_margin, 0.0, 0.5),
            impacts_per_body: self.impacts_per_body.max(1),
            impacts_per_substep: within(
                self.impacts_per_substep,
                default.impacts_per_substep,
                0.0,
                f32::MAX,
            ),
            least_impacts: self.least_impacts,
            contact_method: match self.contact_method {
                ContactMethod::Sweeps => ContactMethod::Sweeps,
                ContactMethod::Global(solver) => ContactMethod::Global(solver.clamped()),
            },
            contact_iterations: self.contact_iterations.min(1000),
            contact_relaxation: within(
                self.contact_relaxation,
                default.contact_relaxation,
                0.1,
                1.9,
            ),
            warm_start: within(self.warm_start, default.warm_start, 0.0, 1.0),
            friction_warm_start: within(
                self.friction_warm_start,
                default.friction_warm_start,
                0.0,
                1.0,
            ),
            projection_iterations: self.projection_iterations.min(1000),
            projection: match self.projection {
                ProjectionStrength::Factor(k_p) => {
                    let default = ProjectionStrength::DEFAULT_FACTOR;
                    ProjectionStrength::Factor(within(k_p, default, 0.0, 1.0))
                }
                ProjectionStrength::Stiffness(k_s) => {
                    ProjectionStrength::Stiffness(within(k_s, 0.0, 0.0, f32::MAX))
                }
            },
            projection_law: self.projection_law,
            overlap_slop: within(self.overlap_slop, default.overlap_slop, 0.0, 0.1),
            sleep_speed: within(self.sleep_speed, default.sleep_speed, 0.0, f32::MAX),
            sleep_delay: within(self.sleep_delay, default.sleep_delay, 0.0, f32::MAX),
            restitution: coefficient(self.restitution, default.restitution, 1.0),
            friction: coefficient(self.friction, default.friction, f32::MAX),
            rolling_friction: coefficient(
                self.rolling_friction,
                default.rolling_friction,
                f32::MAX,
            ),
            spinning_friction: coefficient(
                self.spinning_friction,
                default.spinning_friction,
                f32::MAX,
            ),
            flat: self.flat,
            stages: self.stages,
            impact_law: self.impact_law,
        }
    }
}

impl GlobalSolver {
    fn clamped(&self) -> Self {
        let default = Self::default();
        Self {
            iterations: self.iterations.clamp(1, 100_000),
            tolerance: within(self.tolerance, default.tolerance, 0.0, 1.0),
            regularisation: within(self.regularisation, default.regularisation, 0.0, 1.0),
            friction_passes: self.friction_passes.clamp(1, 100),
            stabilisation: within(self.stabilisation, default.stabilisation, 0.0, 1.0),
        }
    }
}

/// The value, or the nearest end of its range. NaN becomes the default.
fn within(value: f32, default: f32, low: f32, high: f32) -> f32 {
    if value.is_nan() {
        default
    } else {
        value.clamp(low, high)
    }
}

/// Brings the configuration into its ranges before a step, and warns if it changed a value.
pub(crate) fn clamp_config(mut config: ResMut<CollisionConfig>) {
    if !config.is_changed() {
        return;
    }
    let clamped = config.clamped();
    if *config != clamped {
        warn!(
            "CollisionConfig had values out of range: {:?} became {clamped:?}",
            *config
        );
        *config = clamped;
    }
}
