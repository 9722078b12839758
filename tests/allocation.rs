//! A steady step allocates nothing for any number of bodies: it keeps its memory from step to step.

use std::f32::consts::FRAC_PI_2;

use allocation_counter::measure as count;
use bevy::{
    ecs::schedule::{Schedules, SingleThreadedExecutor},
    prelude::*,
};
use bevy_impulse_collide::prelude::*;
use laws::*;

/// Bytes that the main thread allocates in a step of a heap that has come to rest, but does not sleep.
fn in_steady_steps(bodies: usize, on_mesh: bool) -> u64 {
    let mut app = app_with_gravity(60.0);
    app.world_mut()
        .resource_mut::<CollisionConfig>()
        .sleep_speed = 0.0;
    if on_mesh {
        let floor = Collider::height_field(&[0.0; 200 * 200], 200, Vec2::splat(140.0));
        app.world_mut().spawn(floor);
    } else {
        app.world_mut().spawn(Plane::new(Vec3::Y));
    }
    for i in 0..bodies {
        let place = Vec3::new((i % 50) as f32, 0.1, (i / 50) as f32);
        let place = Transform::from_translation(place);
        if i % 3 == 0 {
            let lies = Quat::from_rotation_x(FRAC_PI_2);
            let capsule = Capsule::new(0.1, 0.3);
            app.world_mut().spawn((capsule, place.with_rotation(lies)));
        } else {
            app.world_mut().spawn((Particle::new(0.1), place));
        }
    }
    // Only this thread is counted: all systems run on it.
    for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
    steps(&mut app, 300);
    // A call for a worker thread allocates if the worker has left; on a busy machine that is in most steps. Memory for the bodies
    // would be allocated in every step.
    let each = (0..200).map(|_| count(|| steps(&mut app, 1)).bytes_total);
    each.min().unwrap_or_default()
}

#[test]
fn a_steady_step_allocates_nothing_for_its_bodies() {
    // Bevy allocates a little in every frame, and for every task.
    let bevys = in_steady_steps(1, false);
    for (bodies, on_mesh) in [(100, false), (3000, false), (100, true), (3000, true)] {
        let heaps = in_steady_steps(bodies, on_mesh);
        let more = heaps.saturating_sub(bevys);
        assert!(
            more < 2048,
            "{more} bytes in a step with {bodies} bodies, mesh: {on_mesh}"
        );
    }
}
