//! Times each stage of a step of 10,000 balls that lie in a box, and the whole step.
//!
//! ```sh
//! cargo bench --manifest-path benches/Cargo.toml --bench stages
//! cargo bench --manifest-path benches/Cargo.toml --bench stages -- contact
//! ```
//!
//! The world steps on while the stages are timed, one after another; systems between the stages read the clock.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use benches::engine::{BevyEngine, Engine, impulse};
use bevy::{ecs::schedule::ScheduleCleanupPolicy, prelude::*};
use bevy_impulse_collide::{
    schedule::{ImpulseStep, ImpulseSystems, StepSystems},
    stages::impulse_jolt,
};
use criterion::{Criterion, SamplingMode, criterion_group, criterion_main};

const STAGES: [&str; 9] = [
    "gather",
    "gravity",
    "half_step_correction",
    "find_pairs",
    "impulse_jolt",
    "contact",
    "integrate",
    "projection",
    "write_back",
];

/// Time that each stage has taken since the sums were last cleared.
#[derive(Resource)]
struct Stopwatch {
    lap_began: Instant,
    sums: BTreeMap<&'static str, Duration>,
}

fn begin(mut watch: ResMut<Stopwatch>) {
    watch.lap_began = Instant::now();
}

/// A system that ends the lap of `stage` and begins the next.
fn end(stage: &'static str) -> impl FnMut(ResMut<Stopwatch>) {
    move |mut watch| {
        let now = Instant::now();
        let lap = now - watch.lap_began;
        *watch.sums.entry(stage).or_default() += lap;
        watch.lap_began = now;
    }
}

fn add_stopwatch(app: &mut App) -> Result<(), String> {
    // The pairs are found in the jolt's set. Moved out of it, the jolt can be timed by itself.
    let policy = ScheduleCleanupPolicy::RemoveSystemsOnly;
    app.remove_systems_in_set(ImpulseStep, impulse_jolt, policy)
        .map_err(|problem| format!("cannot move the jolt: {problem}"))?;
    let jolt = (end("find_pairs"), impulse_jolt, end("impulse_jolt")).chain();
    app.insert_resource(Stopwatch {
        lap_began: Instant::now(),
        sums: BTreeMap::new(),
    })
    .add_systems(
        FixedPostUpdate,
        (
            begin.before(ImpulseSystems::Gather),
            end("gather")
                .after(ImpulseSystems::Gather)
                .before(ImpulseSystems::Step),
            begin
                .after(ImpulseSystems::Step)
                .before(ImpulseSystems::WriteBack),
            end("write_back").after(ImpulseSystems::WriteBack),
        ),
    )
    .add_systems(
        ImpulseStep,
        (
            begin.before(StepSystems::Gravity),
            end("gravity")
                .after(StepSystems::Gravity)
                .before(StepSystems::HalfStepCorrection),
            end("half_step_correction")
                .after(StepSystems::HalfStepCorrection)
                .before(StepSystems::ImpulseJolt),
            jolt.after(StepSystems::ImpulseJolt)
                .before(StepSystems::Contact),
            end("contact")
                .after(StepSystems::Contact)
                .before(StepSystems::Integrate),
            end("integrate")
                .after(StepSystems::Integrate)
                .before(StepSystems::Projection),
            end("projection").after(StepSystems::Projection),
        ),
    );
    Ok(())
}

/// Time that `stage` takes in this many steps.
fn time(engine: &mut BevyEngine, stage: &str, steps: u64) -> Duration {
    let mut watch = engine.app.world_mut().resource_mut::<Stopwatch>();
    watch.sums.clear();
    for _ in 0..steps {
        engine.step();
    }
    let watch = engine.app.world().resource::<Stopwatch>();
    watch.sums.get(stage).copied().unwrap_or_default()
}

fn stages(criterion: &mut Criterion) {
    let mut engine = impulse::heap_at_rest();
    let mut group = criterion.benchmark_group("stages");
    group.sampling_mode(SamplingMode::Flat).sample_size(50);
    group.bench_function("whole_step", |bencher| bencher.iter(|| engine.step()));
    if let Err(problem) = add_stopwatch(&mut engine.app) {
        eprintln!("error: {problem}");
        std::process::exit(1);
    }
    for stage in STAGES {
        group.bench_function(stage, |bencher| {
            bencher.iter_custom(|steps| time(&mut engine, stage, steps));
        });
    }
    group.finish();
}

criterion_group!(all, stages);
criterion_main!(all);
