//! The one resource that holds every parameter of the step.

use bevy::prelude::*;

use crate::{
    components::CombineRule,
    kernel::{self, ImpactLaw},
};

/// Every parameter of the step, with unit, range and default. The step's rate is Bevy's own: [`Time<Fixed>`].
///
/// A value out of its range is brought to the nearest end of it.
#[derive(Resource, Reflect, Clone, Debug, PartialEq)]
#[reflect(Resource, Debug, PartialEq, Clone, Default)]
pub struct CollisionConfig {
    /// Equal parts that a fixed step is cut into, each with all six stages. 1 to 64; default 1.
    pub substeps: u32,
    /// Which stages run. Default: all.
    pub stages: Stages,
    /// Approach speed in m/s under which touching bodies rest on each other instead of bouncing. To this is added what
    /// gravity and other forces give the pair in a substep. 0 or more; default 1e-3.
    pub resting_speed: f32,
    /// Gap, as a fraction of the smaller radius, within which two bodies count as touching. 0 to 0.5; default 0.01.
    pub contact_margin: f32,
    /// Impacts that one body may have in a substep. What is left then goes to the contact stage, which stops approaching
    /// surfaces where they meet: nothing passes through, but nothing bounces. 1 or more; default 64.
    pub impacts_per_body: u32,
    /// Impacts in a substep that are resolved however few bodies there are. Default 1000.
    pub least_impacts: u32,
    /// Impacts in a substep, as a multiple of the number of bodies, after which the rest goes to the contact stage, as above,
    /// if they are more than `least_impacts`. Impacts come one after another, on one thread: where thousands of bodies fall on
    /// each other, a fraction keeps the step short. 0 or more; default 0.05.
    pub impacts_per_substep: f32,
    /// What the coefficient of restitution means where friction acts off-centre. Default: Stronge's, which cannot create
    /// energy.
    pub impact_law: ImpactLaw,
    /// How the contact stage finds its impulses. Default: by sweeps.
    pub contact_method: ContactMethod,
    /// Sweeps over all contacts. 0 to 1000; default 12.
    pub contact_iterations: u32,
    /// How far a sweep goes with what keeps bodies apart, as a multiple of what would just do for the contact by itself:
    /// successive over-relaxation, which carries loads through a heap in fewer sweeps. The last two sweeps (of an odd number, the
    /// last one) go no further than just does, nor do any over contacts with rolling or spinning friction or of what grows.
    /// 0.1 to 1.9; default 1.85.
    pub contact_relaxation: f32,
    /// Part of the last substep's contact impulses that starts the next one's. 0 to 1; default 1.
    pub warm_start: f32,
    /// The same for friction and couples, times `warm_start`. 0 to 1; default 1, which keeps steep piles standing. A body that
    /// gravity has drawn together keeps friction from its formation locked in with 1, and creeps for minutes under it; with
    /// 0.5 it forgets, and finds its figure.
    pub friction_warm_start: f32,
    /// Sweeps of the projection stage over all overlaps. With 8, heaps of balls settle sooner, for a tenth more time. 0 to 1000;
    /// default 4.
    pub projection_iterations: u32,
    /// How much of an overlap one sweep of the projection takes away.
    pub projection: ProjectionStrength,
    /// What a projection does to the velocities. Default: it conserves momentum and angular momentum.
    pub projection_law: ProjectionLaw,
    /// Overlap, as a fraction of the smaller radius, that projection leaves, so that resting bodies go on touching.
    /// 0 to 0.1; default 1e-4.
    pub overlap_slop: f32,
    /// Speed in m/s, of the centre and of the rim of a turning body, under which a body is quiet. Bodies that rest on
    /// something fixed, and touch only others that are quiet too, fall asleep. 0 (nothing sleeps) or more; default 0.005.
    pub sleep_speed: f32,
    /// Seconds for which a body must be quiet before it falls asleep. 0 or more; default 0.5.
    pub sleep_delay: f32,
    /// Restitution of a pair. Default: geometric mean, 0.5 where none is stated.
    pub restitution: MaterialRule,
    /// Sliding friction of a pair. Default: geometric mean, 0.3 where none is stated.
    pub friction: MaterialRule,
    /// Rolling friction of a pair. Default: geometric mean, 0 where none is stated.
    pub rolling_friction: MaterialRule,
    /// Spinning friction of a pair. Default: geometric mean, 0 where none is stated.
    pub spinning_friction: MaterialRule,
}

impl Default for CollisionConfig {
    fn default() -> Self {
        Self {
            substeps: 1,
            stages: Stages::default(),
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
            sleep_speed: 0.005,
            sleep_delay: 0.5,
            restitution: MaterialRule::new(CombineRule::GeometricMean, 0.5),
            friction: MaterialRule::new(CombineRule::GeometricMean, 0.3),
            rolling_friction: MaterialRule::new(CombineRule::GeometricMean, 0.0),
            spinning_friction: MaterialRule::new(CombineRule::GeometricMean, 0.0),
        }
    }
}

/// How the contact stage finds its impulses.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq)]
#[reflect(Debug, PartialEq, Clone, Default)]
pub enum ContactMethod {
    /// Sequential impulses: contact by contact, [`contact_iterations`](CollisionConfig::contact_iterations) times over. Fast
    /// for heaps; an impulse gets one contact further in a sweep.
    #[default]
    Sweeps,
    /// All contacts as one linear system, with impulses that only push.
    Global(GlobalSolver),
}

/// Parameters of the global contact solver: see [`ContactMethod::Global`].
///
/// It finds the impulses λ ≥ 0 with which no contact closes faster than it may, as the minimum of a quadratic function:
/// conjugate gradients, each step brought back to impulses that push.
/// Friction is held within μ·N of the pass before: on a slope that does, but a heap that stands by friction creeps.
/// Such heaps, and rolling and spinning friction, are for [`ContactMethod::Sweeps`].
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone, Default)]
pub struct GlobalSolver {
    /// Products with the system's matrix that a substep may take. 1 to 100,000; default 500.
    pub iterations: u32,
    /// It ends when the approach that is left, over all contacts, is this part of what there was. 0 to 1; default 1e-3.
    pub tolerance: f32,
    /// Softness of the contacts, which a system with more contacts than it needs has to have: the part of its own inverse effective
    /// mass, K = n·(1/m)·n…, that is added to each contact. 0 to 1; default 1e-5.
    pub regularisation: f32,
    /// How often the friction's limits μ·N are set anew from the normal impulses. 1 to 100; default 3. Without friction, once.
    pub friction_passes: u32,
    /// Part of an overlap that the bodies' velocities take away in a substep, all overlaps at once, beside what the
    /// [projection](CollisionConfig::projection) takes away pair by pair. 0 to 1; default 0, as such velocities are energy from nothing.
    /// Where damping is so strong that bodies forget them at once, it is the way to keep thousands of bodies that press on each other
    /// apart.
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

/// How a coefficient of two bodies becomes that of their contact.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone)]
pub struct MaterialRule {
    /// Joins the two values when both bodies state one; if only one does, its value holds.
    pub rule: CombineRule,
    /// The coefficient when neither body states one: 0 to 1 for restitution, 0 or more for frictions.
    pub default: f32,
}

impl MaterialRule {
    /// `rule` for two stated values, `default` for none.
    pub const fn new(rule: CombineRule, default: f32) -> Self {
        Self { rule, default }
    }

    /// The coefficient of a contact between bodies that state `a` and `b`.
    pub fn combine(&self, a: Option<f32>, b: Option<f32>) -> f32 {
        self.rule.combine(a, b, self.default)
    }
}

/// Which of the six stages run. A stage that is off leaves the bodies as it found them.
#[derive(Reflect, Clone, Copy, Debug, PartialEq, Eq)]
#[reflect(Debug, PartialEq, Clone, Default)]
pub struct Stages {
    /// Stage 1: accelerations from every field.
    pub gravity: bool,
    /// Stage 2: v(t−h/2) becomes v(t).
    pub half_step_correction: bool,
    /// Stage 3: impacts.
    pub impulse_jolt: bool,
    /// Stage 4: resting and rolling contacts.
    pub contact: bool,
    /// Stage 5: positions and rotations.
    pub integrate: bool,
    /// Stage 6: left-over overlap.
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

/// The projection factor k_p, given as itself or as the spring that pushes as hard in one substep.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Debug, PartialEq, Clone, Default)]
pub enum ProjectionStrength {
    /// k_p: the part of the overlap that a sweep takes away. 0 (off) to 1 (all); default 0.5.
    /// Up to 0.5 a spring of the same stiffness would be stable; near 1, heaps boil.
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

/// What a projection does to the velocities of the pair that it pushes apart.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Debug, PartialEq, Clone, Default)]
pub enum ProjectionLaw {
    /// The change that free flight over the same distance would have made: the pair's angular momentum stays.
    #[default]
    Conserving,
    /// None. Every push then adds to whatever rotation there is, and a heap that turns spins itself apart: this law is here to
    /// show that.
    Naive,
}

/// Pause and single steps, apart from Bevy's clocks so that the rest of an app runs on.
#[derive(Resource, Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Resource, Debug, PartialEq, Clone, Default)]
pub struct StepControl {
    /// While true, the world stands still, but for the steps asked for below.
    pub paused: bool,
    /// Steps still to make while paused; each one made takes one off.
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
    /// This configuration with every value brought into its range; NaN becomes the default.
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

/// The value brought into its range; NaN becomes the default.
fn within(value: f32, default: f32, low: f32, high: f32) -> f32 {
    if value.is_nan() {
        default
    } else {
        value.clamp(low, high)
    }
}

/// Brings the configuration into its ranges before a step, and says so.
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
