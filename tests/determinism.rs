//! The same world gives the same bits, run after run.

mod common;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use common::*;

fn heap_hash() -> u64 {
    let mut app = app_with_gravity(60.0);
    app.world_mut().spawn(Plane::new(Vec3::Y));
    for side in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
        app.world_mut()
            .spawn((Plane::new(side), Transform::from_translation(-side)));
    }
    for i in 0..120 {
        let turn = i as f32 * 2.4;
        let place = Transform::from_xyz(0.6 * turn.cos(), 0.3 + 0.1 * i as f32, 0.6 * turn.sin());
        if i % 3 == 0 {
            let place = place.with_rotation(Quat::from_rotation_x(turn));
            app.world_mut().spawn((Capsule::new(0.1, 0.3), place));
        } else {
            app.world_mut().spawn((Particle::new(0.15), place));
        }
    }
    steps(&mut app, 400);
    measure(&mut app).state_hash
}

#[test]
fn two_runs_give_the_same_bits() {
    assert_eq!(heap_hash(), heap_hash());
}

#[test]
fn a_flat_scene_stays_flat() {
    let mut app = app_with_gravity(60.0);
    app.world_mut().spawn(Plane::new(Vec3::Y));
    let balls: Vec<_> = (0..20)
        .map(|i| {
            let place = Transform::from_xyz(0.3 * (i % 5) as f32, 0.2 + 0.45 * i as f32, 0.0);
            app.world_mut().spawn((Particle::new(0.2), place)).id()
        })
        .collect();
    steps(&mut app, 600);
    for ball in balls {
        assert_eq!(position(&app, ball).z, 0.0);
        assert_eq!(velocity(&app, ball).z, 0.0);
    }
}
