//! Bad input is named once and clearly, and the rest of the world goes on.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;

/// Spawns a sound ball and `bad`, steps, and returns the problems reported for `bad`.
fn problems(bad: impl Bundle) -> Vec<InputProblem> {
    let mut app = app(60.0);
    let sound = app
        .world_mut()
        .spawn((
            Particle::new(0.5),
            Transform::from_xyz(50.0, 0.0, 0.0),
            LinearVelocity(Vec3::X),
        ))
        .id();
    let bad = app.world_mut().spawn(bad).id();
    let mut told = Vec::new();
    for _ in 0..60 {
        app.update();
        for message in messages::<BadInput>(&app) {
            assert_eq!(message.entity, bad, "the message names the entity");
            told.push(message.problem);
        }
    }
    assert_near(
        "the sound ball goes on",
        position(&app, sound).x.into(),
        51.0,
        1e-3,
    );
    told
}

#[test]
fn what_flies_off_to_infinity_is_told_once() {
    // The force and the mass are finite, but the velocity that they give is not.
    let told = problems((Particle::new(1.0), Mass(0.1), ExternalForce(Vec3::X * 3e38)));
    assert_eq!(told.len(), 1, "told once: {told:?}");
    let problem = (told[0].component, told[0].field, told[0].reason);
    let expected = ("Transform", "translation", ProblemReason::NotFinite);
    assert_eq!(problem, expected, "{told:?}");
}

#[test]
fn every_bad_value_is_told_once() {
    use ProblemReason as R;
    let ball = Particle::new(1.0);
    let at = Transform::from_xyz;
    let scaled = |x, y, z| Transform::from_scale(Vec3::new(x, y, z));
    let is = |told: Vec<InputProblem>, expected: (&str, &str, R), value: &str| {
        assert_eq!(told.len(), 1, "told once: {told:?}");
        let problem = (told[0].component, told[0].field, told[0].reason);
        assert_eq!(problem, expected, "{told:?}");
        let text = told[0].to_string();
        assert!(text.contains(value), "{text} should name {value}");
    };
    is(
        problems((Plane::new(Vec3::Y), SurfaceVelocity(Vec3::NAN))),
        ("SurfaceVelocity", "", R::NotFinite),
        "NaN",
    );
    is(
        problems((ball, at(f32::NAN, 0.0, 0.0))),
        ("Transform", "translation", R::NotFinite),
        "NaN",
    );
    is(
        problems((ball, at(0.0, f32::INFINITY, 0.0))),
        ("Transform", "translation", R::NotFinite),
        "inf",
    );
    is(
        problems((
            ball,
            Transform::from_rotation(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)),
        )),
        ("Transform", "rotation", R::NoRotation),
        "[0, 0, 0, 0]",
    );
    is(
        problems((ball, scaled(1.0, 2.0, 1.0))),
        ("Transform", "scale", R::UnevenScale),
        "[1, 2, 1]",
    );
    is(
        problems((ball, scaled(-1.0, -1.0, -1.0))),
        ("Transform", "scale", R::UnevenScale),
        "[-1, -1, -1]",
    );
    is(
        problems(Particle::new(0.0)),
        ("Particle", "radius", R::NotPositive),
        " 0 m",
    );
    is(
        problems(Particle::new(-2.5)),
        ("Particle", "radius", R::NotPositive),
        "-2.5",
    );
    is(
        problems(Particle::new(f32::NAN)),
        ("Particle", "radius", R::NotPositive),
        "NaN",
    );
    is(
        problems(Capsule::new(0.0, 1.0)),
        ("Capsule", "radius", R::NotPositive),
        " 0 m",
    );
    is(
        problems(Capsule::new(1.0, -1.0)),
        ("Capsule", "length", R::Negative),
        "-1",
    );
    is(
        problems((ball, Mass(0.0))),
        ("Mass", "", R::NotPositive),
        " 0 kg",
    );
    is(
        problems((ball, Mass(-3.0))),
        ("Mass", "", R::NotPositive),
        "-3",
    );
    is(
        problems((ball, Density(f32::NAN))),
        ("Density", "", R::NotPositive),
        "NaN",
    );
    is(
        problems(Plane::new(Vec3::ZERO)),
        ("Plane", "normal", R::NoDirection),
        "[0, 0, 0]",
    );
    is(
        problems(Plane::new(Vec3::splat(f32::NAN))),
        ("Plane", "normal", R::NoDirection),
        "NaN",
    );
    is(
        problems((ball, LinearVelocity(Vec3::NAN))),
        ("LinearVelocity", "", R::NotFinite),
        "NaN",
    );
    is(
        problems((ball, AngularVelocity(Vec3::INFINITY))),
        ("AngularVelocity", "", R::NotFinite),
        "inf",
    );
    is(
        problems((ball, ExternalForce(Vec3::NAN))),
        ("ExternalForce", "", R::NotFinite),
        "NaN",
    );
    is(
        problems((ball, ExternalTorque(Vec3::NAN))),
        ("ExternalTorque", "", R::NotFinite),
        "NaN",
    );
    is(
        problems((ball, GravityScale(f32::NAN))),
        ("GravityScale", "", R::NotFinite),
        "NaN",
    );
    is(
        problems((ball, Restitution(1.5))),
        ("Restitution", "", R::OutOfRange),
        "1.5",
    );
    is(
        problems((ball, Restitution(-0.1))),
        ("Restitution", "", R::OutOfRange),
        "-0.1",
    );
    is(
        problems((ball, Friction(-0.1))),
        ("Friction", "", R::Negative),
        "-0.1",
    );
    is(
        problems((ball, RollingFriction(-1.0))),
        ("RollingFriction", "", R::Negative),
        "-1",
    );
    is(
        problems((ball, SpinningFriction(f32::NAN))),
        ("SpinningFriction", "", R::Negative),
        "NaN",
    );
    let growing = |growth: Growth| problems((Capsule::new(1.0, 1.0), growth));
    is(
        growing(Growth::new(f32::INFINITY, 1.0)),
        ("Growth", "rate", R::NotFinite),
        "inf m/s",
    );
    is(
        growing(Growth::new(0.1, 1.0).with_inertia(0.0)),
        ("Growth", "inertia", R::NotPositive),
        " 0 kg",
    );
    is(
        growing(Growth::new(0.1, 1.0).with_uptake(-2.0)),
        ("Growth", "uptake", R::Negative),
        "-2 kg/m",
    );
    let dividing = |division: Division| problems((Capsule::new(1.0, 1.0), division));
    is(
        dividing(Division::new(-7.0)),
        ("Division", "length", R::Negative),
        "-7 m",
    );
    is(
        dividing(Division {
            share: 1.5,
            ..Division::new(7.0)
        }),
        ("Division", "share", R::OutOfRange),
        "1.5",
    );
    is(
        dividing(Division {
            bend: f32::NAN,
            ..Division::new(7.0)
        }),
        ("Division", "bend", R::NotFinite),
        "NaN rad",
    );
    is(
        problems((ball, LinearDamping(-0.5))),
        ("LinearDamping", "", R::Negative),
        "-0.5",
    );
    is(
        problems((ball, AngularDamping(f32::INFINITY))),
        ("AngularDamping", "", R::Negative),
        "inf",
    );
    is(
        problems((ball, Capsule::new(1.0, 1.0))),
        ("Particle", "", R::SeveralShapes),
        "Capsule",
    );
    is(
        problems((ball, Plane::new(Vec3::Y), Capsule::new(1.0, 1.0))),
        ("Particle", "", R::SeveralShapes),
        "Plane",
    );
}

#[test]
fn every_component_without_effect_is_told_once() {
    use InputProblem as P;
    use ProblemReason as R;
    use ProblemValue::Nothing;
    let (ball, plane, capsule) = (
        Particle::new(1.0),
        (Plane::new(Vec3::Y), Transform::from_xyz(0.0, -9.0, 0.0)),
        Capsule::new(1.0, 1.0),
    );
    let is = |told: Vec<InputProblem>, expected: InputProblem, value: &str| {
        assert_eq!(told, [expected]);
        let text = told[0].to_string();
        assert!(text.contains(value), "{text} should name {value}");
    };
    is(
        problems((plane, RigidBody::Dynamic)),
        P::of::<RigidBody>(R::OnPlaneOrCollider, Nothing),
        "Dynamic",
    );
    is(
        problems((ball, RigidBody::Static, LinearVelocity(Vec3::Y))),
        P::of::<LinearVelocity>(R::OnStaticBody, Vec3::Y),
        "[0, 1, 0]",
    );
    is(
        problems((plane, LinearVelocity(Vec3::Y))),
        P::of::<LinearVelocity>(R::OnStaticBody, Vec3::Y),
        "LinearVelocity",
    );
    is(
        problems((capsule, RigidBody::Static, AngularVelocity(Vec3::X))),
        P::of::<AngularVelocity>(R::OnStaticBody, Vec3::X),
        "[1, 0, 0]",
    );
    for kind in [RigidBody::Static, RigidBody::Kinematic] {
        is(
            problems((ball, kind, ExternalForce(Vec3::X))),
            P::of::<ExternalForce>(R::OnHeldBody, Vec3::X),
            "[1, 0, 0]",
        );
        is(
            problems((plane, kind, ExternalTorque(Vec3::X))),
            P::of::<ExternalTorque>(R::OnHeldBody, Vec3::X),
            "[1, 0, 0]",
        );
        is(
            problems((capsule, kind, Growth::new(0.5, 1.0))),
            P::of_field::<Growth>("rate", R::OnHeldBody, 0.5),
            "0.5 m/s",
        );
        is(
            problems((capsule, kind, Division::new(7.0))),
            P::of_field::<Division>("length", R::OnHeldBody, 7.0),
            "7 m",
        );
    }
    is(
        problems((ball, SurfaceVelocity(Vec3::X))),
        P::of::<SurfaceVelocity>(R::OnDynamicBody, Vec3::X),
        "[1, 0, 0]",
    );
    is(
        problems((ball, MovedByTransform::default())),
        P::of::<MovedByTransform>(R::OnDynamicBody, Nothing),
        "Dynamic",
    );
    is(
        problems((ball, Growth::new(0.5, 1.0))),
        P::of_field::<Growth>("rate", R::WithoutCapsule, 0.5),
        "0.5 m/s",
    );
    is(
        problems((plane, Division::new(7.0))),
        P::of_field::<Division>("length", R::WithoutCapsule, 7.0),
        "7 m",
    );
    is(
        problems((ball, RodInertia)),
        P::of::<RodInertia>(R::WithoutCapsule, Nothing),
        "RodInertia",
    );
    is(
        problems((plane, Mass(2.0))),
        P::of::<Mass>(R::OnPlaneOrCollider, 2.0),
        "2 kg",
    );
    is(
        problems((plane, Density(3.0))),
        P::of::<Density>(R::OnPlaneOrCollider, 3.0),
        "3 kg/m³",
    );
    is(
        problems((plane, GravityScale(0.5))),
        P::of::<GravityScale>(R::OnPlaneOrCollider, 0.5),
        "0.5",
    );
    is(
        problems((plane, LinearDamping(0.5))),
        P::of::<LinearDamping>(R::OnPlaneOrCollider, 0.5),
        "0.5",
    );
    is(
        problems((plane, AngularDamping(0.5))),
        P::of::<AngularDamping>(R::OnPlaneOrCollider, 0.5),
        "0.5",
    );
    is(
        problems(Friction(0.5)),
        P::of::<Friction>(R::WithoutShape, Nothing),
        "Friction",
    );
    is(
        problems((RigidBody::Static, Restitution(0.5))),
        P::of::<RigidBody>(R::WithoutShape, Nothing),
        "RigidBody",
    );
}

/// No problem: material properties on a body that is no longer dynamic, a velocity of a kinematic body, components of an entity
/// that was a body.
#[test]
fn a_change_of_kind_is_not_told() {
    let matter = (
        Mass(2.0),
        GravityScale(0.5),
        LinearDamping(0.1),
        AngularDamping(0.1),
        Friction(0.2),
    );
    let at = Transform::from_xyz(0.0, 20.0, 0.0);
    for kind in [RigidBody::Static, RigidBody::Kinematic] {
        let none = (ExternalForce::default(), ExternalTorque::default());
        assert_eq!(problems((Particle::new(1.0), kind, matter, none, at)), []);
        assert_eq!(
            problems((
                Capsule::new(1.0, 1.0),
                kind,
                matter,
                RodInertia,
                Density(2.0),
                at
            )),
            []
        );
        assert_eq!(problems((Plane::new(Vec3::Y), kind, GravityScale(1.0))), []);
    }
    let turning = (LinearVelocity(Vec3::Y), AngularVelocity(Vec3::X));
    assert_eq!(
        problems((Particle::new(1.0), RigidBody::Kinematic, turning, at)),
        []
    );
    let mut app = app(60.0);
    let ball = app.world_mut().spawn((Particle::new(1.0), matter)).id();
    steps(&mut app, 2);
    app.world_mut().entity_mut(ball).remove::<Particle>();
    for _ in 0..5 {
        steps(&mut app, 1);
        assert_eq!(messages::<BadInput>(&app), []);
    }
}

/// A static body with a velocity, and a plane that would be dynamic, stay where they are and hold others.
#[test]
fn what_is_taken_as_static_is_static() {
    let mut app = app_with_gravity(60.0);
    let ground = [
        app.world_mut()
            .spawn((Plane::new(Vec3::Y), RigidBody::Dynamic))
            .id(),
        app.world_mut()
            .spawn((
                Particle::new(0.5),
                RigidBody::Static,
                LinearVelocity(Vec3::X),
                AngularVelocity(Vec3::Y),
                Transform::from_xyz(5.0, 0.5, 0.0),
            ))
            .id(),
    ];
    let places = ground.map(|body| get::<Transform>(&app, body));
    let ball = (Particle::new(0.5), Transform::from_xyz(0.0, 0.5, 0.0));
    let ball = app.world_mut().spawn(ball).id();
    let on_top = (Particle::new(0.5), Transform::from_xyz(5.0, 1.5, 0.0));
    let on_top = app.world_mut().spawn(on_top).id();
    steps(&mut app, 60);
    assert_eq!(ground.map(|body| get::<Transform>(&app, body)), places);
    assert_near("held", position(&app, ball).y.into(), 0.5, 1e-3);
    assert_near("not thrown", position(&app, on_top).x.into(), 5.0, 1e-3);
}

#[test]
fn sound_values_are_not_told() {
    assert_eq!(
        problems((Particle::new(1.0), Transform::from_scale(Vec3::splat(2.0)))),
        []
    );
    assert_eq!(
        problems((Capsule::new(1.0, 0.0), Restitution(1.0), Friction(0.0))),
        []
    );
    let endless = Growth::new(0.1, 1.0).with_inertia(f32::INFINITY);
    assert_eq!(
        problems((
            Capsule::new(1.0, 1.0),
            endless,
            Division::new(f32::INFINITY)
        )),
        []
    );
    assert_eq!(
        problems((
            Plane::new(Vec3::Y * 3.0),
            Transform::from_scale(Vec3::new(9.0, 1.0, 9.0)).with_translation(Vec3::NEG_Y * 9.0)
        )),
        []
    );
}

#[test]
fn a_mended_body_joins_in_and_a_new_mistake_is_told_again() {
    let mut app = app_with_gravity(60.0);
    let ball = app
        .world_mut()
        .spawn((Particle::new(-1.0), Name::new("Bert")))
        .id();
    let mut told = 0;
    let mut run = |app: &mut App, n: usize| {
        for _ in 0..n {
            app.update();
            told += messages::<BadInput>(app).len();
        }
        told
    };
    assert_eq!(run(&mut app, 30), 1);
    assert_eq!(
        position(&app, ball),
        Vec3::ZERO,
        "left out, it does not fall"
    );
    app.world_mut().get_mut::<Particle>(ball).unwrap().radius = 1.0;
    assert_eq!(run(&mut app, 30), 1);
    assert!(position(&app, ball).y < -1.0, "mended, it falls");
    app.world_mut().get_mut::<Particle>(ball).unwrap().radius = f32::NAN;
    assert_eq!(run(&mut app, 30), 2);
}

#[test]
fn restitution_out_of_range_is_used_as_its_end() {
    let mut app = app(60.0);
    app.world_mut().spawn(Plane::new(Vec3::Y));
    let ball = app
        .world_mut()
        .spawn((
            Particle::new(0.5),
            Restitution(7.0),
            Transform::from_xyz(0.0, 0.6, 0.0),
            LinearVelocity(Vec3::NEG_Y * 10.0),
        ))
        .id();
    steps(&mut app, 5);
    assert_near("speed after", velocity(&app, ball).y.into(), 10.0, 1e-4);
}

#[test]
fn bodies_may_vanish_between_two_stages() {
    #[derive(Component)]
    struct Doomed;
    let mut app = app_with_gravity(60.0);
    app.add_systems(
        ImpulseStep,
        (|mut commands: Commands, doomed: Query<Entity, With<Doomed>>| {
            doomed
                .iter()
                .for_each(|entity| commands.entity(entity).despawn());
        })
        .after(StepSystems::Contact)
        .before(StepSystems::Integrate),
    );
    app.world_mut().spawn(Plane::new(Vec3::Y));
    app.world_mut().spawn((
        Particle::new(0.5),
        Doomed,
        Transform::from_xyz(0.0, 0.5, 0.0),
    ));
    let other = app
        .world_mut()
        .spawn((Particle::new(0.5), Transform::from_xyz(0.0, 1.5, 0.0)))
        .id();
    steps(&mut app, 300);
    assert_near(
        "the other comes down",
        position(&app, other).y.into(),
        0.5,
        1e-3,
    );
}

#[test]
fn an_empty_world_and_a_world_of_static_bodies_run() {
    let mut app = app_with_gravity(60.0);
    steps(&mut app, 10);
    assert_eq!(
        measure(&mut app),
        Measurement {
            state_hash: measure(&mut app).state_hash,
            ..default()
        }
    );
    app.world_mut().spawn(Plane::new(Vec3::Y));
    app.world_mut()
        .spawn((Particle::new(1.0), RigidBody::Static));
    app.world_mut()
        .spawn((Capsule::new(1.0, 1.0), RigidBody::Static));
    steps(&mut app, 10);
    assert_eq!(measure(&mut app).bodies, 3);
}

#[test]
fn concentric_bodies_come_apart() {
    let mut app = app(60.0);
    let balls = [(); 2].map(|()| app.world_mut().spawn(Particle::new(0.5)).id());
    let capsules = [(); 2].map(|()| {
        let place = Transform::from_xyz(9.0, 0.0, 0.0);
        app.world_mut().spawn((Capsule::new(0.5, 1.0), place)).id()
    });
    steps(&mut app, 120);
    for [a, b] in [balls, capsules] {
        let apart = position(&app, a).distance(position(&app, b));
        assert!(apart > 0.99, "they are {apart} m apart");
    }
}

#[test]
fn a_configuration_out_of_range_is_mended() {
    let mut app = app(60.0);
    app.insert_resource(CollisionConfig {
        substeps: 0,
        projection: ProjectionStrength::Factor(7.0),
        resting_speed: f32::NAN,
        warm_start: -1.0,
        ..default()
    });
    steps(&mut app, 1);
    let config = app.world().resource::<CollisionConfig>();
    assert_eq!(config.substeps, 1);
    assert_eq!(config.projection, ProjectionStrength::Factor(1.0));
    assert_eq!(
        config.resting_speed,
        CollisionConfig::default().resting_speed
    );
    assert_eq!(config.warm_start, 0.0);
}
