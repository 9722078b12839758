//! A user's own field is a system, and moves bodies as the crate's own fields do.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;

fn app_with_field<M>(hz: f64, field: impl IntoSystem<(), (), M>) -> App {
    let mut app = app(hz);
    let field = IntoSystem::into_system(field);
    app.add_systems(ImpulseStep, field.in_set(StepSystems::Fields));
    app
}

/// ω² of the springs below, in 1/s².
const STIFFNESS: f64 = 9.0;

fn spring(mut bodies: ResMut<Bodies>) {
    bodies.for_each(|mut body| body.accelerate(-STIFFNESS * body.position().as_dvec3()));
}

#[test]
fn a_spring_swings_as_its_closed_form_says() {
    let h = 1.0 / 60.0;
    let mut app = app_with_field(1.0 / h, spring);
    let start = Vec3::new(1.0, -2.0, 0.5);
    let ball = (Particle::new(0.1), Transform::from_translation(start));
    let ball = app.world_mut().spawn(ball).id();
    // Leapfrog's own solution: x_n = x_0·cos(n·θ) with cos θ = 1 − (ω·h)²/2. It is ω·t but for the second order in h.
    let theta = (1.0 - 0.5 * STIFFNESS * h * h).acos();
    let omega = STIFFNESS.sqrt();
    for n in 1..=600 {
        app.update();
        let x = position(&app, ball).as_dvec3();
        let expected = start.as_dvec3() * (f64::from(n) * theta).cos();
        assert_near("leapfrog's swing", x.distance(expected), 0.0, 2e-5);
        let phase_error = f64::from(n) * (theta - omega * h);
        let expected = start.as_dvec3() * (omega * h * f64::from(n)).cos();
        let bound = start.as_dvec3().length() * phase_error + 2e-5;
        assert_near("a spring's swing", x.distance(expected), 0.0, bound);
    }
}

/// k of the drags below, in 1/s.
const DRAG: f64 = 0.8;

/// a = −k·v(t).
fn drag(mut bodies: ResMut<Bodies>) {
    bodies.for_each(|mut body| body.accelerate(body.velocity().as_dvec3() * -DRAG));
}

#[test]
fn a_drag_slows_as_its_closed_form_says_at_its_order() {
    // Thrown up under gravity: v = (v_0 − u)·e^(−k·t) + u with the terminal velocity u = g/k.
    let seconds = 2;
    let (start, gravity) = (5.0, -2.0);
    let terminal = gravity / DRAG;
    let decay = (-DRAG * f64::from(seconds)).exp();
    let height = terminal * f64::from(seconds) + (start - terminal) * (1.0 - decay) / DRAG;
    fn error<M>(hz: i32, field: impl IntoSystem<(), (), M>, exact: (i32, f64, f64, f64)) -> f64 {
        let (seconds, start, gravity, height) = exact;
        let mut app = app_with_field(hz.into(), field);
        app.insert_resource(Gravity(Vec3::Y * gravity as f32));
        let ball = (Particle::new(0.1), LinearVelocity(Vec3::Y * start as f32));
        let ball = app.world_mut().spawn(ball).id();
        steps(&mut app, (seconds * hz) as usize);
        f64::from(position(&app, ball).y) - height
    }
    let exact = (seconds, start, gravity, height);
    let errors = [16, 32].map(|hz| error(hz, drag, exact));
    let ratio = errors[0] / errors[1];
    assert_near(&format!("second order: {errors:?}"), ratio, 4.0, 0.4);
    assert!(errors[1].abs() < 0.02, "{errors:?}");
}

#[test]
fn a_field_does_all_that_gravity_does() {
    // To the bit: falling, bouncing, rolling and resting, once under the crate's gravity and once under an equal field of a user.
    let run = |mut app: App| {
        app.world_mut()
            .spawn((Plane::new(Vec3::new(0.1, 1.0, 0.0)), RollingFriction(0.05)));
        for i in 0..12 {
            let place = Transform::from_xyz(0.2 * i as f32, 1.0 + 0.5 * i as f32, 0.0);
            if i % 3 == 0 {
                app.world_mut().spawn((Capsule::new(0.2, 0.4), place));
            } else {
                app.world_mut().spawn((Particle::new(0.3), place));
            }
        }
        steps(&mut app, 400);
        let end = measure(&mut app);
        assert!(end.touching > 5, "{} touch", end.touching);
        end.state_hash
    };
    let field = app_with_field(60.0, |mut bodies: ResMut<Bodies>| {
        let gravity = Gravity::default().as_dvec3();
        bodies.for_each(|mut body| body.accelerate(gravity));
    });
    assert_eq!(run(field), run(app_with_gravity(60.0)));
}

#[test]
fn a_field_turns_bodies() {
    let alpha = Vec3::new(0.3, -0.2, 0.5);
    let mut app = app_with_field(60.0, move |mut bodies: ResMut<Bodies>| {
        bodies.for_each(|mut body| body.accelerate_rotation(alpha));
    });
    let ball = app.world_mut().spawn(Particle::new(0.1)).id();
    steps(&mut app, 60);
    let off = spin(&app, ball).distance(alpha);
    assert_near("spin after 1 s", off.into(), 0.0, 1e-5);
}

#[test]
fn a_field_comes_after_the_crates_own_and_before_the_second_stage() {
    #[derive(Resource, Default)]
    struct Seen(Vec<&'static str>);

    let mut app = app_with_gravity(60.0);
    app.init_resource::<Seen>();
    app.add_systems(
        ImpulseStep,
        (
            (|mut seen: ResMut<Seen>, mut bodies: ResMut<Bodies>| {
                let own = Gravity::default().0;
                assert_eq!(
                    bodies.get(0).acceleration(),
                    own,
                    "gravity is there already"
                );
                bodies.get_mut(0).accelerate(-own);
                seen.0.push("field");
            })
            .in_set(StepSystems::Fields),
            (|mut seen: ResMut<Seen>| seen.0.push("after gravity"))
                .after(StepSystems::Gravity)
                .before(StepSystems::HalfStepCorrection),
        ),
    );
    let ball = app.world_mut().spawn(Particle::new(0.5)).id();
    steps(&mut app, 2);
    assert_eq!(
        app.world().resource::<Seen>().0,
        ["field", "after gravity"].repeat(2)
    );
    assert_eq!(velocity(&app, ball), Vec3::ZERO, "the field undid gravity");
}

#[test]
fn a_field_leaves_what_is_fixed_in_its_place() {
    let mut app = app_with_field(60.0, |mut bodies: ResMut<Bodies>| {
        bodies.for_each(|mut body| {
            body.accelerate(-9.81 * Vec3::Y);
            body.accelerate_rotation(3.0 * Vec3::X);
        });
    });
    let plane = app.world_mut().spawn(Plane::new(Vec3::Y)).id();
    let post = (
        Particle::new(0.5),
        RigidBody::Static,
        Transform::from_xyz(0.0, 2.0, 0.0),
    );
    let post = app.world_mut().spawn(post).id();
    let ball = (Particle::new(0.5), Transform::from_xyz(3.0, 0.5, 0.0));
    let ball = app.world_mut().spawn(ball).id();
    let on_post = (
        Particle::new(0.5),
        Restitution(0.0),
        AngularVelocity(Vec3::ZERO),
        Transform::from_xyz(0.0, 3.0, 0.0),
    );
    let on_post = app.world_mut().spawn(on_post).id();
    steps(&mut app, 10);
    assert_eq!(position(&app, plane), Vec3::ZERO);
    assert_eq!(position(&app, post), Vec3::Y * 2.0);
    assert_eq!(velocity(&app, post), Vec3::ZERO);
    assert_eq!(spin(&app, post), Vec3::ZERO);
    // If the field moved a floor or a post in the solver, it would not bear the ball on it.
    for (body, height) in [(ball, 0.5), (on_post, 3.0)] {
        assert_near("height", position(&app, body).y.into(), height, 5e-3);
        assert_near("speed", velocity(&app, body).y.into(), 0.0, 0.05);
    }
}

#[test]
fn with_the_gravity_stage_off_no_field_acts() {
    let mut app = app_with_field(60.0, spring);
    app.world_mut()
        .resource_mut::<CollisionConfig>()
        .stages
        .gravity = false;
    let ball = (Particle::new(0.1), Transform::from_xyz(1.0, 0.0, 0.0));
    let ball = app.world_mut().spawn(ball).id();
    steps(&mut app, 60);
    assert_eq!(position(&app, ball), Vec3::X);
}

/// A field that a system adds outside of the step is lost. It is told once; a system that only reads there is not.
#[test]
fn a_field_outside_of_the_step_is_told() {
    fn lost(mut bodies: ResMut<Bodies>) {
        bodies.for_each(|mut body| body.accelerate(2.0 * Vec3::X));
    }
    fn looks(mut bodies: ResMut<Bodies>) {
        let _ = &mut *bodies;
    }
    fn sound(mut bodies: ResMut<Bodies>) {
        bodies.for_each(|mut body| body.accelerate(Vec3::Y));
    }
    let told = |is_lost: bool| {
        let mut app = app_with_gravity(60.0);
        app.add_systems(ImpulseStep, sound.in_set(StepSystems::Fields));
        match is_lost {
            true => app.add_systems(FixedUpdate, lost),
            false => app.add_systems(FixedUpdate, looks),
        };
        let world = app.world_mut();
        let ball = world.spawn(Particle::new(0.5)).id();
        world.spawn((Plane::new(Vec3::Y), Transform::from_xyz(0.0, -1.0, 0.0)));
        let mut told = Vec::new();
        for _ in 0..60 {
            steps(&mut app, 1);
            told.extend(messages::<BadInput>(&app).iter().map(|bad| bad.problem));
        }
        assert_eq!(velocity(&app, ball).x, 0.0);
        told
    };
    let expected =
        InputProblem::of::<Acceleration>(ProblemReason::OutsideStep, ProblemValue::Nothing);
    assert_eq!(told(true), [expected]);
    assert_eq!(told(false), []);
}
