//! A steady step allocates nothing, however many bodies there are: what it needs, it keeps from step to step.

mod common;

use allocation_counter::measure as count;
use bevy::{
    ecs::schedule::{Schedules, SingleThreadedExecutor},
    prelude::*,
};
use bevy_impulse_collide::prelude::*;
use common::*;

/// What the main thread allocates in 20 steps of a heap that has come to rest, but does not sleep.
fn in_steady_steps(balls: usize) -> u64 {
    let mut app = app_with_gravity(60.0);
    app.world_mut()
        .resource_mut::<CollisionConfig>()
        .sleep_speed = 0.0;
    app.world_mut().spawn(Plane::new(Vec3::Y));
    for i in 0..balls {
        let place = Vec3::new((i % 50) as f32, 0.1, (i / 50) as f32);
        app.world_mut()
            .spawn((Particle::new(0.1), Transform::from_translation(place)));
    }
    // Only this thread is counted: all systems run on it.
    for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
    steps(&mut app, 300);
    // What the threads hand each other allocates now and then, as they happen to meet; a step that does, does every time.
    let runs = (0..10).map(|_| count(|| steps(&mut app, 20)).bytes_total);
    runs.min().unwrap_or_default()
}

#[test]
fn a_steady_step_allocates_nothing_for_its_bodies() {
    // Bevy allocates a little in every frame, and for every task.
    let bevys = in_steady_steps(1);
    for balls in [100, 3000] {
        let heaps = in_steady_steps(balls);
        let more = heaps.saturating_sub(bevys) / 20;
        assert!(more < 2048, "{more} bytes in a step with {balls} balls");
    }
}
