//! Times a snapshot of 10,000 balls that lie in a box: to take it, to restore it, and a step with and without
//! taking one before.
//!
//! ```sh
//! cargo bench --manifest-path benches/Cargo.toml --bench snapshot
//! ```
//!
//! It prints the memory of the snapshot first.

use benches::engine::{Engine, impulse};
use bevy_impulse_collide::snapshot::PhysicsSnapshot;
use criterion::{Criterion, criterion_group, criterion_main};

fn snapshot(criterion: &mut Criterion) {
    let mut engine = impulse::heap_at_rest();
    let snapshot = PhysicsSnapshot::take(engine.app.world_mut());
    println!("{} bytes a body", snapshot.bytes() / snapshot.len());

    let mut group = criterion.benchmark_group("snapshot");
    group.bench_function("step", |bencher| bencher.iter(|| engine.step()));
    group.bench_function("take", |bencher| {
        bencher.iter(|| PhysicsSnapshot::take(engine.app.world_mut()));
    });
    group.bench_function("restore", |bencher| {
        bencher.iter(|| snapshot.restore(engine.app.world_mut()));
    });
    // Pairs are found anew after each.
    group.bench_function("take_and_step", |bencher| {
        bencher.iter(|| {
            let taken = PhysicsSnapshot::take(engine.app.world_mut());
            engine.step();
            taken
        });
    });
    group.finish();
}

criterion_group!(all, snapshot);
criterion_main!(all);
