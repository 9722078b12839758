//! Flat worlds: by declaration, everything stays in the plane z = 0 and turns about Z.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_impulse_collide::prelude::*;
use laws::*;
use proptest::prelude::*;

fn flat(mut app: App) -> App {
    app.world_mut().resource_mut::<CollisionConfig>().flat = true;
    app
}

/// A field that pulls everything out of the plane.
fn pull_out(mut bodies: ResMut<Bodies>) {
    bodies.for_each(|mut body| body.accelerate(30.0 * Vec3::Z));
}

fn vector(range: f32) -> impl Strategy<Value = Vec3> {
    let one = move || -range..range;
    (one(), one(), one()).prop_map(Vec3::from)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..default() })]

    /// Whatever pushes: velocities, spins, forces and torques in all directions, a field along Z, walls that lean.
    #[test]
    fn nothing_leaves_the_plane(
        throws in prop::collection::vec((vector(3.0), vector(8.0), vector(8.0), vector(4.0), any::<bool>()), 1..20),
        lean in -0.6..0.6f32,
        substeps in 1..3u32,
    ) {
        let mut app = flat(app_with_gravity(60.0));
        app.world_mut().resource_mut::<CollisionConfig>().substeps = substeps;
        app.add_systems(ImpulseStep, pull_out.in_set(StepSystems::Fields));
        let world = app.world_mut();
        world.spawn((Plane::new(Vec3::Y), Transform::from_xyz(0.0, -3.0, 5.0)));
        // The surface of a cone leans out of the plane, and so does that of a mesh.
        world.spawn((Collider::cone(1.5, 2.0), Transform::from_xyz(0.0, -2.0, 0.3)));
        let corners = [(-3.0, -9.0), (3.0, -9.0), (3.0, 9.0), (-3.0, 9.0)];
        let corners = corners.map(|(x, z)| Vec3::new(x, z * lean, z));
        world.spawn((
            Collider::trimesh(corners, [[0, 3, 2], [0, 2, 1]], MeshSides::One),
            Transform::from_xyz(0.0, -2.5, 0.0),
        ));
        let bodies: Vec<(Entity, f32)> = throws
            .into_iter()
            .map(|(x, v, w, f, is_ball)| {
                let motion = (
                    Transform::from_translation(x),
                    LinearVelocity(v),
                    AngularVelocity(w),
                    ExternalForce(f),
                    ExternalTorque(0.01 * f),
                );
                let body = match is_ball {
                    true => world.spawn((Particle::new(0.2), motion)).id(),
                    false => world.spawn((Capsule::new(0.15, 0.3), motion)).id(),
                };
                (body, x.z)
            })
            .collect();
        for _ in 0..30 {
            steps(&mut app, 4);
            for &(body, z) in &bodies {
                let rotation = get::<Transform>(&app, body).rotation;
                prop_assert_eq!(position(&app, body).z, z);
                prop_assert_eq!(velocity(&app, body).z, 0.0);
                prop_assert_eq!(spin(&app, body).truncate(), Vec2::ZERO);
                prop_assert_eq!(rotation.xyz().truncate(), Vec2::ZERO);
            }
        }
    }
}

/// A scene of balls and half-spaces is flat by itself, and ends in the same numbers. A capsule's arms and a collider's edges are rounded
/// out of the plane.
#[test]
fn what_is_flat_already_does_not_change() {
    let run = |is_flat: bool| {
        let mut app = app_with_gravity(60.0);
        app.world_mut().resource_mut::<CollisionConfig>().flat = is_flat;
        let world = app.world_mut();
        world.spawn(Plane::new(Vec3::Y));
        world.spawn(Plane::new(Vec3::new(1.0, 0.5, 0.0)));
        let bodies: Vec<Entity> = (0..60)
            .map(|k| {
                let k = k as f32;
                let place = Transform::from_xyz(1.0 + 0.4 * (k % 7.0), 0.3 + 0.2 * k, 0.0);
                let ball = (Particle::new(0.15), AngularVelocity(Vec3::Z), place);
                world.spawn(ball).id()
            })
            .collect();
        steps(&mut app, 400);
        let motion = |&body: &Entity| {
            let place = get::<Transform>(&app, body);
            (place, velocity(&app, body), spin(&app, body))
        };
        bodies.iter().map(motion).collect::<Vec<_>>()
    };
    assert_eq!(run(true), run(false));
}

/// A half-space that its rotation turns into the plane is a floor.
#[test]
fn a_turned_half_space_is_a_floor() {
    let mut app = flat(app_with_gravity(60.0));
    let turned = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
    app.world_mut()
        .spawn((Plane::new(Vec3::Z), Transform::from_rotation(turned)));
    let place = Transform::from_xyz(0.0, 1.0, 3.0);
    let ball = app.world_mut().spawn((Particle::new(0.1), place)).id();
    steps(&mut app, 300);
    assert_near(
        "height at rest",
        f64::from(position(&app, ball).y),
        0.1,
        1e-3,
    );
}

/// The z of a transform says what is drawn over what. Bodies at different z meet.
#[test]
fn the_depth_of_a_transform_has_no_effect() {
    let mut app = flat(app(60.0));
    let mut ball = |x: f32, z: f32, v: f32| {
        let motion = (Transform::from_xyz(x, 0.0, z), LinearVelocity(Vec3::X * v));
        let material = (Restitution(1.0), Friction(0.0));
        let ball = (Particle::new(0.1), material, motion);
        app.world_mut().spawn(ball).id()
    };
    let (one, other) = (ball(-1.0, 7.0, 2.0), ball(0.0, -3.0, 0.0));
    steps(&mut app, 60);
    assert_eq!((velocity(&app, one).x, velocity(&app, other).x), (0.0, 2.0));
    assert_eq!(
        (position(&app, one).z, position(&app, other).z),
        (7.0, -3.0)
    );
}

/// Queries see a flat world too.
#[test]
fn a_ray_in_the_plane_meets_a_body_at_any_depth() {
    let mut app = flat(app(60.0));
    let place = Transform::from_xyz(3.0, 0.0, 50.0);
    let ball = app.world_mut().spawn((Particle::new(0.5), place)).id();
    let cast = |query: SpatialQuery| {
        let ray = Ray3d::new(Vec3::ZERO, Dir3::X);
        query.cast_ray(ray, 9.0, &SpatialFilter::default())
    };
    let hit = app.world_mut().run_system_once(cast).expect("it runs");
    let hit = hit.expect("the ball is there");
    assert_eq!((hit.entity, hit.distance), (ball, 2.5));
}

/// What cannot lie in the plane is told, with its value.
#[test]
fn what_is_out_of_the_plane_is_told() {
    let mut app = flat(app(60.0));
    let normal = Vec3::Z;
    let plane = app.world_mut().spawn(Plane::new(normal)).id();
    let rotation = Quat::from_rotation_x(0.5);
    let place = Transform::from_rotation(rotation);
    let pill = app.world_mut().spawn((Capsule::new(0.1, 0.2), place)).id();
    steps(&mut app, 1);
    let told = messages::<BadInput>(&app);
    let expected = [
        (
            plane,
            InputProblem::of_field::<Plane>("normal", ProblemReason::OutOfPlane, normal),
        ),
        (
            pill,
            InputProblem::of_field::<Transform>("rotation", ProblemReason::OutOfPlane, rotation),
        ),
    ];
    for (entity, problem) in expected {
        assert!(told.contains(&BadInput { entity, problem }), "{told:?}");
    }
    assert_eq!(get::<Transform>(&app, pill).rotation, Quat::IDENTITY);
    steps(&mut app, 5);
    let told = messages::<BadInput>(&app);
    assert!(told.is_empty(), "once is enough: {told:?}");
}
