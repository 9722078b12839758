//! The map: every system in its set, every type registered.

use bevy::{
    ecs::schedule::{ScheduleLabel, SingleThreadedExecutor},
    prelude::*,
};

#[cfg(feature = "mesh")]
use crate::ecs::mesh_collider::{MeshCollider, make_colliders};
use crate::{
    accretion::{Accretion, accrete},
    body::Bodies,
    collision::{BroadPhase, find_pairs, find_seams},
    components::{InWorld, WorldBodies},
    config::{CollisionConfig, StepControl, clamp_config},
    division::divide,
    ecs::{
        applied_forces::take_applied_forces,
        bad_input::Reports,
        compounds::{Compounds, find_compounds},
        events::trigger_events,
        followers::{list_followers, write_followers},
        gather::{
            find_changed, forget_accelerations, forget_mended, gather, mass_from_density,
            report_shapeless,
        },
        hierarchy::{Hierarchy, carry_children, find_children, write_children},
        joints::{gather_joints, write_joints},
        messages::{TouchingPairs, write_messages},
        step_now::{count_own_systems, run_gather, run_substeps, run_write_back, tell_after_step},
        write_back::{write_back, write_growth},
    },
    field::{Gravity, GravityMethod, SelfGravity},
    flat::{flatten_fields, flatten_motions},
    messages::{
        BadInput, CollisionEnded, CollisionStarted, Divided, Impact, JointBroken, Merged,
        SensorEntered, SensorLeft,
    },
    pairs::{NearPairs, apply_rules, find_near_pairs, run_pair_hooks},
    query::LastSnapshot,
    schedule::{Gather, ImpulseStep, ImpulseSystems, PairHooks, StepSystems, WriteBack},
    sensing::{SensedWays, Sensors, find_crossings, note_poses, write_crossings},
    snapshot::{PhysicsState, resume_from_saved},
    solver::{
        contact::{
            Constraints, Contact, ContactSolver, Contacts, end_switched_contacts, find_links,
        },
        impact::Impacts,
        islands::{Islands, put_to_sleep, wake_disturbed, wake_touched},
        partition::Partition,
        report::SolverReport,
    },
    stages::{
        clear_fields_of_held_bodies, contact, first_half_kick, gravity, half_step_correction,
        impulse_jolt, integrate, projection, second_half_kick,
    },
};

/// Adds the physics to an app. It steps in [`FixedPostUpdate`], at the rate of `Time<Fixed>`.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_impulse_collide::prelude::*;
/// # use bevy::time::TimePlugin;
/// let mut app = App::new();
/// app.add_plugins((TimePlugin, ImpulseCollidePlugin { interpolate: false }))
///     .insert_resource(Time::<Fixed>::from_hz(120.0));
/// app.world_mut().spawn(Particle::new(0.5));
/// app.update();
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ImpulseCollidePlugin {
    /// Whether `bevy_transform_interpolation` smooths all transforms between fixed steps. Default: true. If it is true, its
    /// plugin is added, unless the app has it already.
    ///
    /// A smoothed transform is exact in the fixed schedules. In [`Update`] it lags up to one step behind, unless the body is
    /// extrapolated: see the module `smoothing`.
    pub interpolate: bool,
}

impl Default for ImpulseCollidePlugin {
    fn default() -> Self {
        Self { interpolate: true }
    }
}

impl Plugin for ImpulseCollidePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<CollisionConfig>()
            .init_resource::<StepControl>()
            .init_resource::<Gravity>()
            .init_resource::<Bodies>()
            .init_resource::<BroadPhase>()
            .init_resource::<Impacts>()
            .init_resource::<Partition>()
            .init_resource::<Constraints>()
            .init_resource::<ContactSolver>()
            .init_resource::<Contacts>()
            .init_resource::<TouchingPairs>()
            .init_resource::<Islands>()
            .init_resource::<SolverReport>()
            .init_resource::<Reports>()
            .init_resource::<LastSnapshot>()
            .init_resource::<NearPairs>()
            .init_resource::<Sensors>()
            .init_resource::<SensedWays>()
            .init_resource::<Hierarchy>()
            .init_resource::<Compounds>()
            .add_message::<CollisionStarted>()
            .add_message::<CollisionEnded>()
            .add_message::<Impact>()
            .add_message::<SensorEntered>()
            .add_message::<SensorLeft>()
            .add_message::<Merged>()
            .add_message::<Divided>()
            .add_message::<JointBroken>()
            .add_message::<BadInput>();

        macro_rules! register {
            ($($component:ty,)*) => { $(app.register_type::<$component>();)* };
        }
        all_components!(register);
        app.register_type::<(InWorld, WorldBodies, PhysicsState)>()
            .register_type::<(
                CollisionConfig,
                StepControl,
                Gravity,
                SelfGravity,
                GravityMethod,
                Accretion,
            )>()
            .register_type::<(
                CollisionStarted,
                CollisionEnded,
                Impact,
                SensorEntered,
                SensorLeft,
                Merged,
                Divided,
                JointBroken,
                BadInput,
                Contact,
                SolverReport,
            )>();

        app.configure_sets(
            FixedPostUpdate,
            (
                ImpulseSystems::Gather,
                ImpulseSystems::Step,
                ImpulseSystems::WriteBack,
            )
                .chain()
                .run_if(StepControl::may_step),
        )
        .add_systems(
            FixedPostUpdate,
            (
                run_gather.in_set(ImpulseSystems::Gather),
                run_substeps.in_set(ImpulseSystems::Step),
                run_write_back.in_set(ImpulseSystems::WriteBack),
            ),
        );
        #[cfg(feature = "mesh")]
        app.register_type::<MeshCollider>().add_systems(
            FixedPostUpdate,
            make_colliders.before(ImpulseSystems::Gather),
        );
        init_serial_schedule(app, Gather).add_systems(
            Gather,
            (
                (find_compounds, resume_from_saved)
                    .chain()
                    .run_if(resource_exists::<PhysicsState>),
                clamp_config,
                find_changed,
                find_compounds,
                find_children,
                list_followers,
                mass_from_density,
                report_shapeless,
                forget_accelerations,
                take_applied_forces,
                gather,
                carry_children,
                gather_joints,
                forget_mended,
            )
                .chain(),
        );
        init_serial_schedule(app, WriteBack).add_systems(
            WriteBack,
            (
                write_messages,
                write_crossings,
                accrete.run_if(resource_exists::<Accretion>),
                divide,
                put_to_sleep,
                write_growth,
                write_joints,
                write_followers,
                write_back,
                write_children,
                tell_after_step,
                trigger_events,
                StepControl::count_step,
            )
                .chain(),
        );

        init_serial_schedule(app, PairHooks);
        init_serial_schedule(app, ImpulseStep)
            .configure_sets(
                ImpulseStep,
                (
                    StepSystems::Gravity,
                    StepSystems::HalfStepCorrection,
                    StepSystems::ImpulseJolt,
                    StepSystems::Contact,
                    StepSystems::Integrate,
                    StepSystems::Projection,
                )
                    .chain(),
            )
            .configure_sets(
                ImpulseStep,
                StepSystems::Fields
                    .in_set(StepSystems::Gravity)
                    .run_if(|config: Res<CollisionConfig>| config.stages.gravity),
            )
            .add_systems(
                ImpulseStep,
                (
                    gravity
                        .in_set(StepSystems::Gravity)
                        .before(StepSystems::Fields),
                    (clear_fields_of_held_bodies, flatten_fields)
                        .chain()
                        .in_set(StepSystems::Gravity)
                        .after(StepSystems::Fields),
                    (
                        find_seams,
                        find_near_pairs,
                        run_pair_hooks,
                        apply_rules,
                        find_links,
                        end_switched_contacts,
                        wake_disturbed,
                        half_step_correction,
                    )
                        .chain()
                        .in_set(StepSystems::HalfStepCorrection),
                    (find_pairs, impulse_jolt, wake_touched, first_half_kick)
                        .chain()
                        .in_set(StepSystems::ImpulseJolt),
                    contact.in_set(StepSystems::Contact),
                    (note_poses, integrate)
                        .chain()
                        .in_set(StepSystems::Integrate),
                    (
                        projection,
                        second_half_kick,
                        flatten_motions,
                        find_crossings,
                    )
                        .chain()
                        .in_set(StepSystems::Projection),
                ),
            );

        count_own_systems(app);

        #[cfg(feature = "interpolation")]
        if self.interpolate {
            crate::smoothing::add_smoothing(app);
        }
    }
}

/// Makes a schedule whose systems run one after another on the main thread. Each system shares its work out to all threads.
///
/// The multi-threaded executor would run each system on a thread of the pool. To wake that thread takes time, and the main thread
/// would wait.
fn init_serial_schedule(app: &mut App, label: impl ScheduleLabel + Clone) -> &mut App {
    app.init_schedule(label.clone())
        .edit_schedule(label, |schedule| {
            schedule.set_executor(SingleThreadedExecutor::new());
        })
}
