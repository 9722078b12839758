//! Forces, torques and impulses that a system applies with the query data `Forces`.

use bevy::{ecs::system::SystemState, prelude::*};
use bevy_impulse_collide::{components::ForcesItem, prelude::*};
use laws::*;
use proptest::prelude::*;

/// Pushes a body at once.
fn push(app: &mut App, body: Entity, apply: impl FnOnce(&mut ForcesItem)) {
    let mut state = SystemState::<Query<Forces>>::new(app.world_mut());
    let mut bodies = state
        .get_mut(app.world_mut())
        .expect("a query is always there");
    apply(&mut bodies.get_mut(body).expect("it is a ball or a capsule"));
}

fn capsule() -> impl Bundle {
    (
        Capsule::new(0.2, 1.0),
        Mass(3.0),
        Transform::from_xyz(1.0, 2.0, -1.0).with_rotation(Quat::from_rotation_z(0.7)),
    )
}

/// L = I·ω of the only body of a world.
fn spin_momentum(app: &mut App) -> Vec3 {
    measure(app).angular_momentum.as_vec3()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// An impulse p at a point changes the momentum by p and the angular momentum by r × p, at once, whatever fields act; then
    /// the body flies as a body with these velocities.
    #[test]
    fn an_impulse_changes_the_momenta_by_itself(
        hz in prop::sample::select(vec![30.0, 60.0, 240.0]),
        before in 0..5usize,
        p in prop::array::uniform3(-5.0..5.0f32),
        at in prop::array::uniform3(-1.0..1.0f32),
        has_gravity in any::<bool>(),
    ) {
        let mut app = app(hz);
        if has_gravity {
            app.insert_resource(Gravity::default());
        }
        let body = app.world_mut().spawn((capsule(), LinearVelocity(Vec3::X))).id();
        steps(&mut app, before);
        let (p, arm) = (Vec3::from(p), Vec3::from(at));
        let (x, v) = (position(&app, body), velocity(&app, body));
        let spin_before = spin_momentum(&mut app);
        push(&mut app, body, |forces| forces.apply_linear_impulse_at_point(p, x + arm));
        let dp = 3.0 * (velocity(&app, body) - v);
        prop_assert!(dp.abs_diff_eq(p, 1e-5), "{dp} is not {p}");
        let spin = spin_momentum(&mut app) - spin_before;
        let law = arm.cross(p);
        prop_assert!(spin.abs_diff_eq(law, 2e-5 * (1.0 + law.length())), "{spin} is not {law}");
        // x + v·t + g·t²/2
        let (v, n) = (velocity(&app, body), 12);
        steps(&mut app, n);
        let t = n as f32 / hz as f32;
        let g = if has_gravity { Vec3::NEG_Y * 9.81 } else { Vec3::ZERO };
        let law = x + v * t + 0.5 * g * t * t;
        prop_assert!(position(&app, body).abs_diff_eq(law, 1e-5 * (1.0 + law.length())));
        prop_assert!(velocity(&app, body).abs_diff_eq(v + g * t, 1e-5 * (1.0 + v.length() + 9.81 * t)));
    }

    /// A force acts through one fixed step: v grows by F·Δt/m, x by F·Δt²/(2·m), and then the body goes on without it.
    #[test]
    fn a_force_acts_through_one_step(
        hz in prop::sample::select(vec![30.0, 60.0, 240.0]),
        parts in 1..4u32,
        before in 0..4usize,
        f in prop::array::uniform3(-50.0..50.0f32),
        constant in prop::array::uniform3(-5.0..5.0f32),
    ) {
        let mut app = app(hz);
        app.world_mut().resource_mut::<CollisionConfig>().substeps = parts;
        let (f, constant) = (Vec3::from(f), Vec3::from(constant));
        let body = app.world_mut().spawn((capsule(), ExternalForce(constant))).id();
        steps(&mut app, before);
        let (x, v) = (position(&app, body), velocity(&app, body));
        push(&mut app, body, |forces| {
            forces.apply_force(0.25 * f);
            forces.apply_force(0.75 * f);
        });
        prop_assert_eq!(velocity(&app, body), v);
        steps(&mut app, 1);
        let dt = 1.0 / hz as f32;
        let a = (f + constant) / 3.0;
        prop_assert!(velocity(&app, body).abs_diff_eq(v + a * dt, 1e-5 * (1.0 + v.length())));
        prop_assert!(position(&app, body).abs_diff_eq(x + v * dt + 0.5 * a * dt * dt, 1e-5));
        prop_assert_eq!(get::<AppliedForces>(&app, body), AppliedForces::default());
        let v = velocity(&app, body);
        steps(&mut app, 5);
        let law = v + constant / 3.0 * (5.0 * dt);
        prop_assert!(velocity(&app, body).abs_diff_eq(law, 1e-5 * (1.0 + v.length())));
    }
}

/// A force beside the centre turns the body as its torque does, and local vectors turn with the body.
#[test]
fn a_force_at_a_point_is_a_force_and_a_torque() {
    let after = |apply: &dyn Fn(&mut ForcesItem)| {
        let mut app = app(60.0);
        let body = app.world_mut().spawn(capsule()).id();
        steps(&mut app, 1);
        push(&mut app, body, |forces| apply(forces));
        steps(&mut app, 1);
        (velocity(&app, body), spin(&app, body))
    };
    let (x, turned) = (Vec3::new(1.0, 2.0, -1.0), Quat::from_rotation_z(0.7));
    let (f, arm) = (Vec3::new(3.0, -1.0, 2.0), Vec3::new(0.2, 0.4, 0.1));
    let at_point = after(&|forces| forces.apply_force_at_point(f, x + arm));
    let apart = after(&|forces| {
        forces.apply_force(f);
        forces.apply_torque(arm.cross(f));
    });
    let local = after(&|forces| {
        forces.apply_local_force(turned.inverse() * f);
        forces.apply_local_torque(turned.inverse() * arm.cross(f));
    });
    for (v, w) in [apart, local] {
        assert!(v.abs_diff_eq(at_point.0, 1e-6), "{v}");
        assert!(w.abs_diff_eq(at_point.1, 1e-5), "{w}");
    }
    assert!(at_point.1.length() > 1e-2);
    // In one step, m·a·Δt is an impulse; I·α·Δt an angular one.
    let (a, alpha) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(-2.0, 1.0, 0.5));
    let (v, w) = after(&|forces| {
        forces.apply_linear_acceleration(a);
        forces.apply_angular_acceleration(alpha);
    });
    assert!(v.abs_diff_eq(a / 60.0, 1e-6), "{v}");
    assert!(w.abs_diff_eq(alpha / 60.0, 1e-5), "{w}");
}

/// A ball at rest that an impulse starts keeps the energy p²/(2·m) as it rolls on without friction.
#[test]
fn an_impulse_on_a_resting_ball_gives_its_energy_alone() {
    let mut app = awake(60.0);
    app.world_mut().spawn((Plane::new(Vec3::Y), Friction(0.0)));
    let ball = (
        Particle::new(0.3),
        Mass(2.0),
        Friction(0.0),
        Restitution(0.0),
        Transform::from_xyz(0.0, 0.3, 0.0),
    );
    let ball = app.world_mut().spawn(ball).id();
    steps(&mut app, 60);
    push(&mut app, ball, |forces| {
        forces.apply_linear_impulse(Vec3::X * 3.0)
    });
    for _ in 0..120 {
        steps(&mut app, 1);
        let v = velocity(&app, ball);
        assert!(v.abs_diff_eq(Vec3::X * 1.5, 1e-4), "{v}");
        assert_near("height", position(&app, ball).y.into(), 0.3, 1e-4);
    }
}

/// Each push wakes a body that sleeps; none of them leaves anything behind.
#[test]
fn every_push_wakes_a_sleeper() {
    let pushes: [fn(&mut ForcesItem); 4] = [
        |forces| forces.apply_force(Vec3::X * 1e-3),
        |forces| forces.apply_torque(Vec3::Y * 1e-3),
        |forces| forces.apply_linear_impulse(Vec3::X * 1e-3),
        |forces| forces.apply_angular_impulse(Vec3::Y * 1e-3),
    ];
    for push_it in pushes {
        let mut app = app_with_gravity(60.0);
        app.world_mut().spawn(Plane::new(Vec3::Y));
        let ball = (
            Particle::new(0.3),
            Restitution(0.0),
            Transform::from_xyz(0.0, 0.3, 0.0),
        );
        let ball = app.world_mut().spawn(ball).id();
        steps(&mut app, 240);
        assert!(get::<Sleep>(&app, ball).is_asleep());
        push(&mut app, ball, push_it);
        steps(&mut app, 1);
        assert!(!get::<Sleep>(&app, ball).is_asleep());
        let moved = velocity(&app, ball).length() + spin(&app, ball).length();
        assert!(moved > 1e-7);
    }
}

/// The first impulse on a body with a density counts with its mass.
#[test]
fn an_impulse_before_the_first_step_knows_the_density() {
    let mut app = app(60.0);
    let ball = app
        .world_mut()
        .spawn((
            Particle::new(0.5),
            Density(2.0),
            Transform::from_scale(Vec3::splat(2.0)),
        ))
        .id();
    push(&mut app, ball, |forces| {
        forces.apply_linear_impulse(Vec3::X)
    });
    steps(&mut app, 1);
    let mass = 2.0 * 4.0 / 3.0 * std::f32::consts::PI;
    assert!(velocity(&app, ball).abs_diff_eq(Vec3::X / mass, 1e-6));
}

/// A push on a held body, or one that is not finite, is told once as long as it goes on.
#[test]
fn a_push_without_effect_is_told_once() {
    let told = |body: RigidBody, apply: fn(&mut ForcesItem)| {
        let mut app = app(60.0);
        let ball = app.world_mut().spawn((Particle::new(0.3), body)).id();
        let mut told = Vec::new();
        for _ in 0..5 {
            push(&mut app, ball, apply);
            steps(&mut app, 1);
            told.extend(messages::<BadInput>(&app).iter().map(|bad| bad.problem));
        }
        assert_eq!(velocity(&app, ball), Vec3::ZERO);
        assert_eq!(told.len(), 1, "{told:?}");
        told[0]
    };
    for body in [RigidBody::Static, RigidBody::Kinematic] {
        for apply in [
            (|forces| forces.apply_force(Vec3::X)) as fn(&mut ForcesItem),
            |forces| forces.apply_linear_impulse(Vec3::X),
            |forces| forces.apply_torque(Vec3::X),
        ] {
            let expected = InputProblem::of::<AppliedForces>(ProblemReason::OnHeldBody, Vec3::X);
            assert_eq!(told(body, apply), expected);
        }
    }
    let problem = told(RigidBody::Dynamic, |forces| {
        forces.apply_linear_impulse(Vec3::X * f32::NAN);
    });
    let expected = InputProblem::of::<AppliedForces>(ProblemReason::NotFinite, Vec3::NAN);
    assert!(problem.is_like(&expected), "{problem:?}");
}
