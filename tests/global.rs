//! The global contact solver: the same laws as the sweeps, in one system.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;

fn global(tolerance: f32) -> ContactMethod {
    ContactMethod::Global(GlobalSolver {
        tolerance,
        ..default()
    })
}

fn app_with(method: ContactMethod) -> App {
    let mut app = app_with_gravity(60.0);
    let mut config = app.world_mut().resource_mut::<CollisionConfig>();
    config.contact_method = method;
    config.sleep_speed = 0.0;
    app
}

/// The floor carries the bodies on it, ball by ball and in a tower: every contact bears the weight above it.
#[test]
fn a_tower_weighs_what_its_balls_weigh() {
    let mut app = app_with(global(1e-6));
    app.world_mut().spawn(Plane::new(Vec3::Y));
    let balls: Vec<Entity> = (0..10)
        .map(|i| {
            let place = Transform::from_xyz(0.0, 0.5 + i as f32, 0.0);
            let ball = (Particle::new(0.5), Mass(2.0), Friction(0.0), place);
            app.world_mut().spawn(ball).id()
        })
        .collect();
    steps(&mut app, 60);
    for contact in app.world().resource::<Contacts>().iter() {
        let upper = [contact.a, contact.b]
            .into_iter()
            .filter_map(|entity| balls.iter().position(|&ball| ball == entity))
            .max()
            .expect("a ball");
        let carried = 2.0 * (10 - upper) as f64 * 9.81 / 60.0;
        assert_near(
            "P = m·g·h",
            contact.impulse.length().into(),
            carried,
            1e-3 * carried,
        );
    }
    assert_near("height", position(&app, balls[9]).y.into(), 9.5, 1e-3);
}

/// Nothing sticks: bodies that part are not held back.
#[test]
fn contacts_only_push() {
    let mut app = app(60.0);
    app.world_mut()
        .resource_mut::<CollisionConfig>()
        .contact_method = global(1e-4);
    for (x, v) in [(-0.5, -1.0), (0.5, 1.0)] {
        app.world_mut().spawn((
            Particle::new(0.5),
            LinearVelocity(Vec3::X * v),
            Transform::from_xyz(x, 0.0, 0.0),
        ));
    }
    steps(&mut app, 30);
    let before = measure(&mut app);
    assert_near("E", before.kinetic_energy, 1.0, 1e-6);
}

/// A ball on a slope slides at g·(sin α − μ·cos α) if friction is too small, and else rolls at 5/7·g·sin α.
#[test]
fn friction_is_coulombs() {
    for (friction, expected) in [
        (0.05, 9.81 * (0.3f64.sin() - 0.05 * 0.3f64.cos())),
        (0.8, 5.0 / 7.0 * 9.81 * 0.3f64.sin()),
    ] {
        let mut app = app_with(global(1e-6));
        let slope = Quat::from_rotation_z(0.3);
        app.world_mut().spawn((
            Plane::new(Vec3::Y),
            Friction(friction),
            Transform::from_rotation(slope),
        ));
        let ball = (
            Particle::new(0.5),
            Friction(friction),
            Transform::from_translation(slope * Vec3::Y * 0.5),
        );
        let ball = app.world_mut().spawn(ball).id();
        steps(&mut app, 61);
        let speed = velocity(&app, ball).length();
        assert_near(
            "v = a·t",
            speed.into(),
            expected * 61.0 / 60.0,
            0.03 * expected,
        );
    }
}

/// The floor carries the weight of a heap of balls and capsules, in any arrangement.
#[test]
fn a_heap_weighs_the_same_both_ways() {
    let sweeps = ContactMethod::Sweeps;
    for method in [sweeps, global(1e-4)] {
        let mut app = app_with(method);
        let mut config = app.world_mut().resource_mut::<CollisionConfig>();
        // A bounce is no contact.
        config.restitution.default = 0.0;
        config.friction.default = 0.0;
        let floor = app.world_mut().spawn(Plane::new(Vec3::Y)).id();
        for side in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
            let wall = Transform::from_translation(-side);
            app.world_mut()
                .spawn((Plane::new(side), Friction(0.0), wall));
        }
        for i in 0..60 {
            let turn = i as f32 * 2.4;
            let place =
                Transform::from_xyz(0.6 * turn.cos(), 0.3 + 0.1 * i as f32, 0.6 * turn.sin());
            if i % 3 == 0 {
                let place = place.with_rotation(Quat::from_rotation_x(turn));
                app.world_mut().spawn((Capsule::new(0.15, 0.3), place));
            } else {
                app.world_mut().spawn((Particle::new(0.2), place));
            }
        }
        steps(&mut app, 900);
        let mut carried = 0.0;
        for _ in 0..30 {
            steps(&mut app, 1);
            let contacts = app.world().resource::<Contacts>();
            let on_floor = contacts.iter().filter(|c| c.a == floor || c.b == floor);
            carried += on_floor.map(|c| f64::from(c.impulse.y.abs())).sum::<f64>();
        }
        let weight = 60.0 * 9.81 / 60.0;
        assert_near("weight", carried / 30.0, weight, 0.03 * weight);
        let m = measure(&mut app);
        assert!(m.overlap_mean < 0.01, "{method:?}: {m:?}");
    }
}

/// A plain sweep passes an impulse on by about one contact; the system's solution reaches from end to end. In a long row of balls
/// that is pushed, both methods converge, the system with less work.
#[test]
fn the_residual_falls_with_the_work() {
    let residual = |method: ContactMethod, sweeps: u32| {
        let mut app = app(60.0);
        let mut config = app.world_mut().resource_mut::<CollisionConfig>();
        config.contact_method = method;
        config.contact_iterations = sweeps;
        config.contact_relaxation = 1.0;
        config.stages.impulse_jolt = false;
        app.world_mut()
            .resource_mut::<SolverReport>()
            .measures_residual = true;
        for i in 0..40 {
            let push = if i == 0 { 1.0 } else { 0.0 };
            app.world_mut().spawn((
                Particle::new(0.5),
                Friction(0.0),
                LinearVelocity(Vec3::X * push),
                Transform::from_xyz(i as f32, 0.0, 0.0),
            ));
        }
        steps(&mut app, 1);
        app.world().resource::<SolverReport>().residual
    };
    let by_system = |iterations: u32| {
        let solver = GlobalSolver {
            iterations,
            tolerance: 0.0,
            ..default()
        };
        residual(ContactMethod::Global(solver), 0)
    };
    let by_sweeps = |sweeps: u32| residual(ContactMethod::Sweeps, sweeps);
    assert!(by_system(200) < 1e-4);
    assert!(by_sweeps(400) < 0.1 * by_sweeps(10));
    assert!(by_system(100) < 0.1 * by_sweeps(100));
}
