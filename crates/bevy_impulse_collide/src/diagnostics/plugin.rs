//! Times and counts of each step, in Bevy's `DiagnosticsStore`.

use bevy::{
    diagnostic::{Diagnostic, DiagnosticPath, Diagnostics, RegisterDiagnostic},
    prelude::*,
};

use super::step_times::{PARTS, StepTimes, end_part, end_step, start_part, start_step};
use crate::{
    body::Bodies,
    collision::BroadPhase,
    config::{StepControl, clamp_config},
    ecs::{gather::gather, messages::write_messages, step_now::add_own_system},
    schedule::{Gather, StepSystems, WriteBack},
    solver::{contact::Contacts, impact::Impacts},
};

/// Measures each fixed step: how long its parts take, and how much there is. The numbers are in Bevy's
/// [`DiagnosticsStore`](bevy::diagnostic::DiagnosticsStore). `LogDiagnosticsPlugin` prints them.
///
/// Without this plugin nothing is measured. With it, a step takes some microseconds more.
///
/// With several substeps, the time of a stage is the sum over the step. A system of yours in one of the
/// [`StepSystems`](crate::schedule::StepSystems) counts in the time of its stage. A system between two stages counts in one of
/// them.
///
/// ```
/// use bevy::{diagnostic::DiagnosticsStore, prelude::*, time::TimeUpdateStrategy};
/// use bevy_impulse_collide::prelude::*;
///
/// let mut app = App::new();
/// app.add_plugins((MinimalPlugins, ImpulseCollidePlugin { interpolate: false }, ImpulseDiagnosticsPlugin))
///     .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
/// app.world_mut().spawn(Particle::new(0.5));
/// app.update(); // No time passes in the first update.
/// app.update();
///
/// let store = app.world().resource::<DiagnosticsStore>();
/// let value = |path| store.get(&path).and_then(|diagnostic| diagnostic.value()).unwrap();
/// assert_eq!(value(ImpulseDiagnosticsPlugin::BODIES), 1.0);
/// assert!(value(ImpulseDiagnosticsPlugin::CONTACT) < value(ImpulseDiagnosticsPlugin::STEP));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ImpulseDiagnosticsPlugin;

impl ImpulseDiagnosticsPlugin {
    /// The whole step, from the start of gather to the end of write back, in ms.
    pub const STEP: DiagnosticPath = DiagnosticPath::const_new("impulse/step");
    /// [`ImpulseSystems::Gather`](crate::schedule::ImpulseSystems::Gather), in ms.
    pub const GATHER: DiagnosticPath = DiagnosticPath::const_new("impulse/gather");
    /// Stage 1, in ms.
    pub const GRAVITY: DiagnosticPath = DiagnosticPath::const_new("impulse/stage/gravity");
    /// Stage 2, in ms.
    pub const HALF_STEP_CORRECTION: DiagnosticPath =
        DiagnosticPath::const_new("impulse/stage/half_step_correction");
    /// Stage 3, with the broad phase, in ms.
    pub const IMPULSE_JOLT: DiagnosticPath =
        DiagnosticPath::const_new("impulse/stage/impulse_jolt");
    /// Stage 4, in ms.
    pub const CONTACT: DiagnosticPath = DiagnosticPath::const_new("impulse/stage/contact");
    /// Stage 5, in ms.
    pub const INTEGRATE: DiagnosticPath = DiagnosticPath::const_new("impulse/stage/integrate");
    /// Stage 6, in ms.
    pub const PROJECTION: DiagnosticPath = DiagnosticPath::const_new("impulse/stage/projection");
    /// [`ImpulseSystems::WriteBack`](crate::schedule::ImpulseSystems::WriteBack), in ms.
    pub const WRITE_BACK: DiagnosticPath = DiagnosticPath::const_new("impulse/write_back");

    /// Number of all bodies that take part, with planes, colliders and static bodies.
    pub const BODIES: DiagnosticPath = DiagnosticPath::const_new("impulse/count/bodies");
    /// Number of bodies that sleep.
    pub const SLEEPING: DiagnosticPath = DiagnosticPath::const_new("impulse/count/sleeping");
    /// Number of pairs of the broad phase that are awake, in the last substep.
    pub const PAIRS: DiagnosticPath = DiagnosticPath::const_new("impulse/count/pairs");
    /// Number of contacts in the last substep, those of sleeping bodies included.
    pub const CONTACTS: DiagnosticPath = DiagnosticPath::const_new("impulse/count/contacts");
    /// Number of impacts in all substeps.
    pub const IMPACTS: DiagnosticPath = DiagnosticPath::const_new("impulse/count/impacts");
}

/// The paths of the parts, in the order in which they run.
static PART_PATHS: [DiagnosticPath; PARTS] = [
    ImpulseDiagnosticsPlugin::GATHER,
    ImpulseDiagnosticsPlugin::GRAVITY,
    ImpulseDiagnosticsPlugin::HALF_STEP_CORRECTION,
    ImpulseDiagnosticsPlugin::IMPULSE_JOLT,
    ImpulseDiagnosticsPlugin::CONTACT,
    ImpulseDiagnosticsPlugin::INTEGRATE,
    ImpulseDiagnosticsPlugin::PROJECTION,
    ImpulseDiagnosticsPlugin::WRITE_BACK,
];
const GATHER: usize = 0;
const FIRST_STAGE: usize = 1;
const WRITE_BACK: usize = 7;

static COUNT_PATHS: [DiagnosticPath; 5] = [
    ImpulseDiagnosticsPlugin::BODIES,
    ImpulseDiagnosticsPlugin::SLEEPING,
    ImpulseDiagnosticsPlugin::PAIRS,
    ImpulseDiagnosticsPlugin::CONTACTS,
    ImpulseDiagnosticsPlugin::IMPACTS,
];

impl Plugin for ImpulseDiagnosticsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<StepTimes>();
        for path in [Self::STEP].iter().chain(&PART_PATHS) {
            app.register_diagnostic(Diagnostic::new(path.clone()).with_suffix(" ms"));
        }
        for path in &COUNT_PATHS {
            app.register_diagnostic(Diagnostic::new(path.clone()));
        }

        app.add_systems(
            Gather,
            (
                start_step.before(clamp_config),
                end_part(GATHER).after(gather),
            ),
        )
        .add_systems(
            WriteBack,
            (
                start_part.before(write_messages),
                (end_part(WRITE_BACK), end_step, record)
                    .chain()
                    .after(StepControl::count_step),
            ),
        );
        let stages = [
            StepSystems::Gravity,
            StepSystems::HalfStepCorrection,
            StepSystems::ImpulseJolt,
            StepSystems::Contact,
            StepSystems::Integrate,
            StepSystems::Projection,
        ];
        add_own_system(app, start_part.before(stages[0]));
        for (k, stage) in stages.into_iter().enumerate() {
            let end = end_part(FIRST_STAGE + k).after(stage);
            match stages.get(k + 1) {
                Some(&next) => add_own_system(app, end.before(next)),
                None => add_own_system(app, end),
            }
        }
    }
}

fn record(
    times: Res<StepTimes>,
    bodies: Res<Bodies>,
    broad_phase: Res<BroadPhase>,
    contacts: Res<Contacts>,
    impacts: Res<Impacts>,
    mut diagnostics: Diagnostics,
) {
    let measured = times.parts.iter().zip(&PART_PATHS);
    for (time, path) in measured.chain([(&times.step, &ImpulseDiagnosticsPlugin::STEP)]) {
        diagnostics.add_measurement(path, || 1e3 * time.as_secs_f64());
    }
    let mut count = |path: DiagnosticPath, count: &dyn Fn() -> usize| {
        diagnostics.add_measurement(&path, || count() as f64);
    };
    count(ImpulseDiagnosticsPlugin::BODIES, &|| bodies.len());
    count(ImpulseDiagnosticsPlugin::SLEEPING, &|| {
        (0..bodies.len()).filter(|&i| bodies.is_asleep(i)).count()
    });
    count(ImpulseDiagnosticsPlugin::PAIRS, &|| {
        broad_phase.pairs().count()
    });
    count(ImpulseDiagnosticsPlugin::CONTACTS, &|| contacts.len());
    count(ImpulseDiagnosticsPlugin::IMPACTS, &|| {
        impacts.resolved.len()
    });
}
