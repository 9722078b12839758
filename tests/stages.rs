//! The six stages run in order, can be switched off one by one, and leave room for a user's system between any two.

use std::time::Duration;

use bevy::{
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_impulse_collide::prelude::*;
use laws::*;

fn falling_ball(change: impl FnOnce(&mut Stages)) -> (App, Entity) {
    let mut app = app_with_gravity(60.0);
    change(&mut app.world_mut().resource_mut::<CollisionConfig>().stages);
    app.world_mut()
        .spawn((Plane::new(Vec3::Y), Restitution(1.0)));
    let ball = app
        .world_mut()
        .spawn((
            Particle::new(0.5),
            Restitution(1.0),
            Transform::from_xyz(0.0, 1.5, 0.0),
        ))
        .id();
    (app, ball)
}

#[test]
fn each_stage_can_be_switched_off() {
    let (mut app, ball) = falling_ball(|stages| stages.gravity = false);
    steps(&mut app, 60);
    assert_eq!(position(&app, ball).y, 1.5, "without gravity nothing falls");

    let (mut app, ball) = falling_ball(|stages| stages.integrate = false);
    steps(&mut app, 30);
    assert_eq!(
        position(&app, ball).y,
        1.5,
        "without integrate nothing moves"
    );
    assert_near(
        "but falls faster",
        velocity(&app, ball).y.into(),
        -0.5 * 9.81,
        1e-3,
    );

    let (mut app, ball) = falling_ball(|stages| stages.impulse_jolt = false);
    steps(&mut app, 120);
    assert_near(
        "without jolts it lands dead",
        position(&app, ball).y.into(),
        0.5,
        5e-3,
    );

    let (mut app, ball) = falling_ball(|stages| {
        stages.impulse_jolt = false;
        stages.contact = false;
        stages.projection = false;
    });
    steps(&mut app, 60);
    assert_near(
        "with neither, it falls freely",
        position(&app, ball).y.into(),
        1.5 - 0.5 * 9.81,
        1e-2,
    );

    let (mut app, ball) = falling_ball(|stages| stages.half_step_correction = false);
    let mut apex = 0f32;
    for _ in 0..600 {
        app.update();
        apex = apex.max(position(&app, ball).y);
        assert!(
            position(&app, ball).y > 0.45,
            "uncorrected impacts still keep it up"
        );
    }
    assert!(velocity(&app, ball).is_finite());
}

#[test]
fn contacts_can_be_switched_off_and_on_again() {
    let mut app = app_with_gravity(60.0);
    app.world_mut().spawn(Plane::new(Vec3::Y));
    let ball = (Particle::new(0.5), Transform::from_xyz(0.0, 0.5, 0.0));
    let ball = app.world_mut().spawn(ball).id();
    for stays in [true, false, true] {
        app.world_mut()
            .resource_mut::<CollisionConfig>()
            .stages
            .contact = stays;
        steps(&mut app, 3);
        let contacts = app.world().resource::<Contacts>().len();
        assert_eq!(contacts, usize::from(stays));
    }
    steps(&mut app, 120);
    assert_near("it lies", position(&app, ball).y.into(), 0.5, 5e-3);
}

#[test]
fn users_systems_stand_between_any_two_stages() {
    #[derive(Resource, Default)]
    struct Seen(Vec<usize>);

    let mut app = app(60.0);
    app.init_resource::<Seen>();
    let sets = [
        StepSystems::Gravity,
        StepSystems::HalfStepCorrection,
        StepSystems::ImpulseJolt,
        StepSystems::Contact,
        StepSystems::Integrate,
        StepSystems::Projection,
    ];
    for (i, pair) in sets.windows(2).enumerate() {
        app.add_systems(
            ImpulseStep,
            (move |mut seen: ResMut<Seen>| seen.0.push(i))
                .after(pair[0])
                .before(pair[1]),
        );
    }
    // A wind, between contact and integrate.
    app.add_systems(
        ImpulseStep,
        (|mut bodies: ResMut<Bodies>| {
            let h = bodies.substep();
            bodies.for_each(|mut body| body.add_velocity(2.0 * h * Vec3::X));
        })
        .after(StepSystems::Contact)
        .before(StepSystems::Integrate),
    );
    let ball = app.world_mut().spawn(Particle::new(0.5)).id();
    steps(&mut app, 60);
    assert_eq!(app.world().resource::<Seen>().0, [0, 1, 2, 3, 4].repeat(60));
    assert_near("the wind blew", velocity(&app, ball).x.into(), 2.0, 1e-4);
}

#[test]
fn substeps_share_the_step() {
    let mut app = app_with_gravity(60.0);
    app.world_mut().resource_mut::<CollisionConfig>().substeps = 4;
    let ball = app.world_mut().spawn(Particle::new(0.5)).id();
    steps(&mut app, 60);
    assert_near(
        "fall in 1 s",
        position(&app, ball).y.into(),
        -0.5 * 9.81,
        1e-3,
    );
    assert_near(
        "speed after 1 s",
        velocity(&app, ball).y.into(),
        -9.81,
        1e-3,
    );
}

#[test]
fn pause_and_single_steps() {
    let mut app = app(60.0);
    let ball = app
        .world_mut()
        .spawn((Particle::new(0.5), LinearVelocity(Vec3::X)))
        .id();
    app.world_mut().resource_mut::<StepControl>().paused = true;
    steps(&mut app, 10);
    assert_eq!(position(&app, ball).x, 0.0);
    app.world_mut().resource_mut::<StepControl>().pending_steps = 3;
    steps(&mut app, 10);
    assert_near(
        "three steps",
        position(&app, ball).x.into(),
        3.0 / 60.0,
        1e-6,
    );
}

#[test]
fn velocities_may_be_set_and_changed_at_any_time() {
    // Thrown up at 5 m/s after a second of free fall: heights follow the parabola of the new throw exactly.
    let mut app = app_with_gravity(60.0);
    let ball = app.world_mut().spawn(Particle::new(0.5)).id();
    steps(&mut app, 60);
    let from = f64::from(position(&app, ball).y);
    app.world_mut().get_mut::<LinearVelocity>(ball).unwrap().0 = Vec3::Y * 5.0;
    steps(&mut app, 30);
    assert_near(
        "height",
        position(&app, ball).y.into(),
        from + 5.0 * 0.5 - 0.5 * 9.81 * 0.25,
        1e-4,
    );
}

#[test]
fn density_gives_the_mass() {
    let mut app = app(60.0);
    let ball = app
        .world_mut()
        .spawn((Particle::new(0.5), Density(1000.0)))
        .id();
    let scaled = Transform::from_scale(Vec3::splat(2.0)).with_translation(Vec3::X * 9.0);
    let capsule = app
        .world_mut()
        .spawn((Capsule::new(0.5, 1.0), Density(10.0), scaled))
        .id();
    app.update();
    let pi = std::f64::consts::PI;
    assert_near(
        "ball",
        get::<Mass>(&app, ball).0.into(),
        1000.0 * pi / 6.0,
        0.01,
    );
    // Radius 1, length 2 after scaling: 10·(2π + 4/3·π).
    assert_near(
        "capsule",
        get::<Mass>(&app, capsule).0.into(),
        10.0 * pi * (2.0 + 4.0 / 3.0),
        0.01,
    );
}

#[test]
fn external_forces_and_torques_act() {
    let mut app = app(60.0);
    let ball = app
        .world_mut()
        .spawn((
            Particle::new(0.5),
            Mass(2.0),
            ExternalForce(Vec3::X * 6.0),
            ExternalTorque(Vec3::Z),
        ))
        .id();
    steps(&mut app, 60);
    assert_near("v = F/m·t", velocity(&app, ball).x.into(), 3.0, 1e-4);
    assert_near("x = F/m·t²/2", position(&app, ball).x.into(), 1.5, 1e-4);
    assert_near(
        "ω = τ/I·t",
        spin(&app, ball).z.into(),
        1.0 / (0.4 * 2.0 * 0.25),
        1e-3,
    );
}

#[test]
fn a_stiffness_stands_for_a_factor() {
    let config = ProjectionStrength::Stiffness(1000.0);
    // k_p = k_s·(1/m_a + 1/m_b)·h²
    let k_p = config.factor(1.0 / 2.0 + 1.0 / 2.0, 0.01);
    assert_near("k_p", k_p.into(), 0.1, 1e-6);
    assert_eq!(ProjectionStrength::Stiffness(1e9).factor(1.0, 0.01), 1.0);
}

#[test]
fn a_smoothed_transform_may_be_set_at_any_time() {
    let mut app = App::new();
    app.add_plugins((TimePlugin, ImpulseCollidePlugin::default()))
        .insert_resource(Gravity::ZERO)
        // Frames that now hold a step and now do not.
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(
            11,
        )));
    app.finish();
    app.cleanup();
    let ball = app.world_mut().spawn(Particle::new(0.5)).id();
    for i in 1..50 {
        steps(&mut app, 3);
        app.world_mut()
            .get_mut::<Transform>(ball)
            .unwrap()
            .translation = Vec3::Y * i as f32;
        steps(&mut app, 4);
        let off = position(&app, ball).distance(Vec3::Y * i as f32);
        assert_near("it stays where it was put", off.into(), 0.0, 1e-4);
    }
}

/// No user changes a value here: the ball's components come and go.
#[test]
fn components_may_be_added_and_taken_away_at_any_time() {
    let mut app = app_with_gravity(60.0);
    let ball = app.world_mut().spawn(Particle::new(0.1)).id();
    // A velocity is that between two half steps: the first one under another law is half of the old one.
    let gained = |app: &mut App| {
        app.update();
        let before = velocity(app, ball);
        app.update();
        (velocity(app, ball) - before).length()
    };
    let falling = gained(&mut app);
    assert!(falling > 0.1);
    app.world_mut().entity_mut(ball).insert(GravityScale(0.0));
    assert_eq!(gained(&mut app), 0.0);
    app.world_mut().entity_mut(ball).remove::<GravityScale>();
    assert_near(
        "falling again",
        gained(&mut app).into(),
        falling.into(),
        1e-5,
    );
    app.world_mut().entity_mut(ball).insert(RigidBody::Static);
    assert_eq!(gained(&mut app), 0.0);
    app.world_mut().entity_mut(ball).insert(RigidBody::Dynamic);
    assert_near(
        "falling again",
        gained(&mut app).into(),
        falling.into(),
        1e-5,
    );
}
