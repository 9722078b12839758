//! A body of several balls and capsules keeps the laws of a rigid body.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_impulse_collide::prelude::*;
use laws::*;
use proptest::prelude::*;

/// Spawns a compound with these parts.
fn spawn<P: Bundle>(
    app: &mut App,
    body: impl Bundle,
    parts: impl IntoIterator<Item = P>,
) -> Entity {
    let whole = app.world_mut().spawn((Compound, body)).id();
    for part in parts {
        app.world_mut().spawn((part, ChildOf(whole)));
    }
    whole
}

fn parts_of(app: &App, whole: Entity) -> Vec<Entity> {
    let children = app.world().get::<Children>(whole).expect("it has parts");
    children.iter().collect()
}

/// Two balls of 1 kg with a radius of 0.3 m, 2·`half` apart along X.
fn dumbbell(half: f32) -> [(Particle, Transform); 2] {
    [-half, half].map(|x| (Particle::new(0.3), Transform::from_xyz(x, 0.0, 0.0)))
}

/// Three capsules through one point.
fn jack() -> [(Capsule, Transform); 3] {
    [
        Quat::IDENTITY,
        Quat::from_rotation_x(std::f32::consts::FRAC_PI_2),
        Quat::from_rotation_z(std::f32::consts::FRAC_PI_2),
    ]
    .map(|turn| (Capsule::new(0.1, 0.8), Transform::from_rotation(turn)))
}

/// An L of two capsules and a ball: nothing about it is symmetric.
fn hook() -> [(Capsule, Mass, Transform); 3] {
    let lying = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    [
        (Capsule::new(0.1, 1.0), Mass(2.0), Transform::IDENTITY),
        (
            Capsule::new(0.15, 0.6),
            Mass(1.0),
            Transform::from_xyz(0.3, -0.5, 0.0).with_rotation(lying),
        ),
        (
            Capsule::new(0.2, 0.0),
            Mass(0.5),
            Transform::from_xyz(0.0, 0.5, 0.3),
        ),
    ]
}

/// A floor, and walls at this distance in m from the origin.
fn spawn_box(app: &mut App, half: f32, material: (Friction, Restitution)) {
    app.world_mut().spawn((Plane::new(Vec3::Y), material));
    for normal in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
        let at = Transform::from_translation(-half * normal);
        app.world_mut().spawn((Plane::new(normal), material, at));
    }
}

/// The ball is the only part, at the centre of mass: nothing that the step finds is other than for the ball alone.
#[test]
fn a_compound_of_one_ball_moves_as_the_ball_to_the_bit() {
    let run = |is_compound: bool| {
        let mut app = awake(60.0);
        let material = (Restitution(0.7), Friction(0.4));
        app.world_mut().spawn((Plane::new(Vec3::Y), material));
        app.world_mut().spawn((
            Plane::new(Vec3::NEG_X),
            material,
            Transform::from_xyz(3.0, 0.0, 0.0),
        ));
        let bodies: Vec<Entity> = (0..6)
            .map(|i| {
                let motion = (
                    LinearVelocity(Vec3::new(3.0, 0.0, 0.2 * i as f32)),
                    AngularVelocity(Vec3::new(1.0, 5.0, -2.0)),
                    Transform::from_xyz(-0.9 * i as f32, 1.0 + 0.1 * i as f32, 0.0),
                );
                let ball = (Particle::new(0.4), Mass(2.0), material);
                match is_compound {
                    true => spawn(&mut app, motion, [ball]),
                    false => app.world_mut().spawn((motion, ball)).id(),
                }
            })
            .collect();
        let mut seen = Vec::new();
        for _ in 0..600 {
            app.update();
            for &body in &bodies {
                let at = get::<Transform>(&app, body);
                seen.push((
                    at.translation,
                    at.rotation,
                    velocity(&app, body),
                    spin(&app, body),
                ));
            }
        }
        seen
    };
    let (ball, compound) = (run(false), run(true));
    let differs = ball
        .iter()
        .zip(&compound)
        .position(|(one, other)| one != other);
    assert_eq!(differs.map(|k| (k / 6, ball[k], compound[k])), None);
}

/// 2·(2/5·m·r² + m·d²) across the axis of a dumbbell, 2·2/5·m·r² about it.
#[test]
fn two_balls_turn_as_the_symmetric_top_of_their_tensor() {
    let (m, r, d) = (1.0, 0.3, 0.5);
    let about = 2.0 * 0.4 * m * r * r;
    let across = about + 2.0 * m * d * d;
    let start = (
        AngularVelocity(Vec3::new(2.0, 3.0, -1.0)),
        LinearVelocity(Vec3::X),
        Transform::from_rotation(Quat::from_rotation_y(0.4)),
    );
    let mut app = app(60.0);
    let whole = spawn(&mut app, start, dumbbell(d));
    let far = Transform::from_xyz(0.0, 50.0, 0.0).with_rotation(start.2.rotation);
    let top = app
        .world_mut()
        .spawn((
            Particle::new(r),
            Mass(2.0 * m),
            Inertia::new(Vec3::new(about, across, across)),
            start,
        ))
        .insert(far)
        .id();
    for _ in 0..600 {
        app.update();
        let (one, other) = (
            get::<Transform>(&app, whole).rotation,
            get::<Transform>(&app, top).rotation,
        );
        assert_near(
            "turn from the top in rad",
            one.angle_between(other).into(),
            0.0,
            2e-3,
        );
        let apart = (spin(&app, whole) - spin(&app, top)).length();
        assert_near("spin from the top's in rad/s", apart.into(), 0.0, 1e-3);
    }
    assert_near("mass in kg", get::<Mass>(&app, whole).0.into(), 2.0, 1e-6);
}

/// One ball of a slanted dumbbell hits the ground, at x beside the centre of mass: P = (1 + e)·v/(1/m + x²/I).
#[test]
fn a_dumbbell_bounces_off_one_ball_by_the_closed_form() {
    for (e, angle) in [(1.0, 0.6f32), (0.5, -0.9), (0.0, 0.3)] {
        let mut app = app(60.0);
        let material = (Restitution(e), Friction(0.0));
        app.world_mut().spawn((Plane::new(Vec3::Y), material));
        let (r, d, v) = (0.3, 0.5, 2.0);
        let start = (
            Transform::from_xyz(0.0, 2.0, 0.0).with_rotation(Quat::from_rotation_z(angle)),
            LinearVelocity(Vec3::NEG_Y * v),
        );
        let parts = dumbbell(d).map(|part| (part, material));
        let whole = spawn(&mut app, start, parts);
        let inertia = 2.0 * (0.4 * r * r + d * d);
        // The lower ball is on the side to which the turn leads down.
        let x = -d * angle.cos() * angle.signum();
        let p = (1.0 + e) * v / (0.5 + x * x / inertia);
        let mut has_hit = false;
        for _ in 0..60 {
            app.update();
            if let [impact] = messages::<Impact>(&app)[..] {
                let parts = parts_of(&app, whole);
                assert!(parts.contains(&impact.a) || parts.contains(&impact.b));
                assert_near(
                    "impulse in N·s",
                    impact.impulse.length().into(),
                    p.into(),
                    1e-4,
                );
                let now = velocity(&app, whole);
                assert_near("velocity in m/s", now.y.into(), (p / 2.0 - v).into(), 1e-4);
                let turn = spin(&app, whole).z;
                assert_near("spin in rad/s", turn.into(), (x * p / inertia).into(), 1e-4);
                has_hit = true;
                break;
            }
        }
        assert!(has_hit);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Two bodies meet in empty space.
    #[test]
    fn an_impact_of_two_compounds_keeps_the_momenta(
        turns in prop::array::uniform2(prop::array::uniform3(-3.0..3.0f32)),
        spins in prop::array::uniform2(prop::array::uniform3(-4.0..4.0f32)),
        beside in prop::array::uniform2(-0.3..0.3f32),
        speed in 1.0..20.0f32,
        e in prop_oneof![Just(1.0f32), 0.0..1.0f32],
        mu in prop_oneof![Just(0.0f32), 0.0..0.8f32],
        kinds in prop::array::uniform2(0..3),
    ) {
        let mut app = app(60.0);
        let material = (Restitution(e), Friction(mu));
        let mut wholes = Vec::new();
        for k in 0..2 {
            let side = if k == 0 { -1.0 } else { 1.0 };
            let place = match k {
                0 => Vec3::NEG_X * 2.0,
                _ => Vec3::new(2.0, beside[0], beside[1]),
            };
            let turn = Vec3::from(turns[k]);
            let start = (
                Transform::from_translation(place).with_rotation(Quat::from_scaled_axis(turn)),
                LinearVelocity(Vec3::NEG_X * side * speed),
                AngularVelocity(spins[k].into()),
            );
            wholes.push(match kinds[k] {
                0 => spawn(&mut app, start, dumbbell(0.5).map(|part| (part, material))),
                1 => spawn(&mut app, start, jack().map(|part| (part, material))),
                _ => spawn(&mut app, start, hook().map(|part| (part, material))),
            });
        }
        // The mass is found in the first step.
        app.update();
        let start = measure(&mut app);
        let scale = start.angular_momentum_scale + start.angular_momentum.length();
        let mut count = 0;
        for _ in 0..(60.0 * 5.0 / speed) as usize {
            app.update();
            count += messages::<Impact>(&app).len();
            let now = measure(&mut app);
            let p = (now.momentum - start.momentum).length();
            assert_near("momentum", p, 0.0, 1e-5 * f64::from(speed) * 7.0);
            let l = (now.angular_momentum - start.angular_momentum).length();
            assert_near("angular momentum", l, 0.0, 2e-5 * scale);
            let energy = now.kinetic_energy / start.kinetic_energy;
            prop_assert!(energy < 1.0 + 1e-4, "energy {energy}");
            if e == 1.0 && mu == 0.0 {
                assert_near("energy", energy, 1.0, 2e-3);
            }
            // They never pass each other.
            prop_assert!(now.overlap_max < 0.05, "overlap {} after {count}", now.overlap_max);
        }
        let [a, b] = [wholes[0], wholes[1]].map(|whole| position(&app, whole));
        prop_assert!(count > 0 || (a - b).length() > 0.5);
    }
}

/// Whatever lies on the ground comes to rest there, and sleeps.
#[test]
fn a_compound_comes_to_rest_and_sleeps() {
    for hz in [60.0, 120.0] {
        for kind in 0..3 {
            let mut app = app_with_gravity(hz);
            let material = (Friction(0.5), Restitution(0.2));
            app.world_mut().spawn((Plane::new(Vec3::Y), material));
            let start = Transform::from_xyz(0.0, 1.5, 0.0)
                .with_rotation(Quat::from_scaled_axis(Vec3::new(0.3, 0.2, 0.5)));
            let whole = match kind {
                0 => spawn(&mut app, start, dumbbell(0.5).map(|part| (part, material))),
                1 => spawn(&mut app, start, jack().map(|part| (part, material))),
                _ => spawn(&mut app, start, hook().map(|part| (part, material))),
            };
            steps(&mut app, (20.0 * hz) as usize);
            let now = measure(&mut app);
            assert_near(
                "speed in m/s",
                velocity(&app, whole).length().into(),
                0.0,
                1e-3,
            );
            assert_near("overlap in radii", now.overlap_max, 0.0, 0.02);
            assert!(get::<Sleep>(&app, whole).is_asleep(), "{kind} at {hz} Hz");
            let y = position(&app, whole).y;
            assert!((0.05..1.0).contains(&y), "{kind} at {hz} Hz: {y}");
            // A push wakes it.
            let asleep_at = position(&app, whole);
            app.world_mut()
                .entity_mut(whole)
                .insert(LinearVelocity(Vec3::new(1.0, 2.0, 0.0)));
            steps(&mut app, 10);
            assert!(position(&app, whole).distance(asleep_at) > 0.1);
        }
    }
}

/// A heap of all kinds in a box.
#[test]
fn a_heap_of_compounds_comes_to_rest() {
    let mut app = app_with_gravity(60.0);
    let material = (Friction(0.4), Restitution(0.1));
    spawn_box(&mut app, 2.0, material);
    for i in 0..45 {
        let (x, z) = ((i % 3) as f32 - 1.0, (i / 3 % 3) as f32 - 1.0);
        let start =
            Transform::from_xyz(x * 1.2, 1.0 + 1.5 * (i / 9) as f32, z * 1.2).with_rotation(
                Quat::from_scaled_axis(Vec3::new(i as f32, 0.3 * i as f32, 1.0)),
            );
        match i % 3 {
            0 => spawn(&mut app, start, dumbbell(0.4).map(|part| (part, material))),
            1 => spawn(&mut app, start, jack().map(|part| (part, material))),
            _ => spawn(&mut app, start, hook().map(|part| (part, material))),
        };
    }
    steps(&mut app, 60 * 30);
    let now = measure(&mut app);
    let mut wholes = app
        .world_mut()
        .query_filtered::<(&Transform, &LinearVelocity), With<Compound>>();
    for (at, v) in wholes.iter(app.world()) {
        assert!(v.0.length() < 0.02, "{v:?}");
        let x = at.translation;
        assert!(x.y > 0.0 && x.x.abs() < 2.0 && x.z.abs() < 2.0, "{x}");
    }
    assert!(now.overlap_max < 0.05, "{}", now.overlap_max);
}

/// A part that comes, goes or moves changes mass, centre and inertia; the momentum stays.
#[test]
fn parts_come_and_go() {
    let mut app = app(60.0);
    let whole = spawn(&mut app, LinearVelocity(Vec3::X), dumbbell(0.5));
    steps(&mut app, 10);
    assert_near("mass in kg", get::<Mass>(&app, whole).0.into(), 2.0, 1e-6);
    let third = (
        Particle::new(0.3),
        Mass(2.0),
        Transform::from_xyz(0.0, 1.0, 0.0),
    );
    let third = app.world_mut().spawn((third, ChildOf(whole))).id();
    steps(&mut app, 1);
    assert_near("mass in kg", get::<Mass>(&app, whole).0.into(), 4.0, 1e-6);
    let now = measure(&mut app);
    let at = position(&app, whole);
    let centre = now.center_of_mass.as_vec3() - at;
    assert!(centre.distance(Vec3::Y * 0.5) < 1e-5, "{centre}");
    app.world_mut().entity_mut(third).despawn();
    steps(&mut app, 1);
    assert_near("mass in kg", get::<Mass>(&app, whole).0.into(), 2.0, 1e-6);
    // A part alone is a body by itself again.
    let first = parts_of(&app, whole)[0];
    app.world_mut().entity_mut(first).remove::<ChildOf>();
    steps(&mut app, 60);
    assert_near("mass in kg", get::<Mass>(&app, whole).0.into(), 1.0, 1e-6);
    app.world_mut().entity_mut(whole).despawn();
    steps(&mut app, 2);
    assert_eq!(measure(&mut app).bodies, 1);
}

/// Static compounds hold, kinematic ones carry and push.
#[test]
fn held_compounds_hold_and_carry() {
    let mut app = app_with_gravity(60.0);
    let rails = |y: f32| {
        let lying = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
        [-0.3f32, 0.3].map(|x| {
            let at = Transform::from_xyz(x, y, 0.0).with_rotation(lying);
            (Capsule::new(0.1, 4.0), Friction(1.0), at)
        })
    };
    spawn(&mut app, RigidBody::Static, rails(0.0));
    let lift = (
        RigidBody::Kinematic,
        LinearVelocity(Vec3::Y * 0.5),
        Transform::from_xyz(5.0, 0.0, 0.0),
    );
    spawn(&mut app, lift, rails(0.0));
    let balls = [0.0, 5.0].map(|x| {
        let ball = (Particle::new(0.5), Restitution(0.0), Friction(1.0));
        app.world_mut()
            .spawn((ball, Transform::from_xyz(x, 0.6, 0.0)))
            .id()
    });
    steps(&mut app, 120);
    // The centre of the ball is over two circles: √(0.6² − 0.3²).
    let height = (0.6f32 * 0.6 - 0.09).sqrt();
    let [still, lifted] = balls.map(|ball| position(&app, ball));
    assert_near("height in m", still.y.into(), height.into(), 1e-3);
    assert_near("height in m", lifted.y.into(), (height + 1.0).into(), 2e-3);
}

/// A static compound under a kinematic body goes round with it.
#[test]
fn a_kinematic_body_carries_a_compound() {
    let mut app = app(60.0);
    let turntable = (
        Collider::cuboid(4.0, 0.2, 4.0),
        RigidBody::Kinematic,
        AngularVelocity(Vec3::Y * std::f32::consts::FRAC_PI_2),
    );
    let turntable = app.world_mut().spawn(turntable).id();
    let post = spawn(
        &mut app,
        (
            RigidBody::Static,
            Transform::from_xyz(1.0, 1.0, 0.0),
            ChildOf(turntable),
        ),
        [(Capsule::new(0.1, 1.0), Transform::from_xyz(0.5, 0.0, 0.0))],
    );
    // A ball where the post comes after a quarter turn.
    let at = Transform::from_xyz(0.0, 1.0, -1.4);
    let ball = app.world_mut().spawn((Particle::new(0.2), at)).id();
    steps(&mut app, 30);
    assert_eq!(velocity(&app, ball), Vec3::ZERO);
    steps(&mut app, 30);
    // It has been hit by what moves with ω·r.
    assert!(velocity(&app, ball).x < -1.0, "{}", velocity(&app, ball));
    assert_eq!(
        get::<Transform>(&app, post).translation,
        Vec3::new(1.0, 1.0, 0.0)
    );
}

/// A compound that listens hears of the impacts of its parts.
#[test]
fn a_compound_hears_what_its_parts_hit() {
    #[derive(Resource, Default)]
    struct Heard(Vec<(Entity, Entity, Vec3)>);
    let mut app = app_with_gravity(60.0);
    app.init_resource::<Heard>();
    app.add_observer(|hit: On<Impact>, mut heard: ResMut<Heard>| {
        heard.0.push((hit.a, hit.b, hit.normal));
    });
    let ground = app.world_mut().spawn(Plane::new(Vec3::Y)).id();
    let start = (CollisionEvents, Transform::from_xyz(0.0, 1.0, 0.0));
    let whole = spawn(&mut app, start, dumbbell(0.5));
    steps(&mut app, 60);
    let heard = &app.world().resource::<Heard>().0;
    assert!(heard.len() >= 2);
    for &(a, b, normal) in heard {
        assert_eq!((a, b), (whole, ground));
        assert!(normal.distance(Vec3::Y) < 1e-5, "{normal}");
    }
}

/// What counts on the compound alone is told on a part.
#[test]
fn what_a_part_cannot_have_is_told() {
    let mut app = app(60.0);
    let part = (Particle::new(0.3), LinearVelocity(Vec3::X), LockedRotation);
    let whole = spawn(&mut app, (), [part]);
    app.update();
    let part = parts_of(&app, whole)[0];
    let told = messages::<BadInput>(&app);
    let told: Vec<_> = told
        .iter()
        .map(|it| (it.entity, it.problem.component, it.problem.reason))
        .collect();
    assert_eq!(
        told,
        [
            (part, "LinearVelocity", ProblemReason::OnPart),
            (part, "LockedRotation", ProblemReason::OnPart),
        ]
    );
    steps(&mut app, 10);
    assert_eq!(position(&app, whole), Vec3::ZERO);
}

/// What cannot be used is told, once.
#[test]
fn a_compound_without_parts_is_told() {
    let mut app = app(60.0);
    let whole = app.world_mut().spawn(Compound).id();
    let mut told = Vec::new();
    for _ in 0..10 {
        app.update();
        told.extend(messages::<BadInput>(&app));
    }
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].entity, whole);
    assert_eq!(told[0].problem.reason, ProblemReason::WithoutParts);
}

/// In a world of many bodies, compounds that come and go, sleep and wake keep their parts, and the rest goes on.
#[test]
fn many_compounds_come_and_go() {
    let mut app = app_with_gravity(60.0);
    let material = (Friction(0.4), Restitution(0.1));
    spawn_box(&mut app, 6.0, material);
    let add = |app: &mut App, i: usize, height: f32| {
        let (x, z) = ((i % 9) as f32 - 4.0, (i / 9 % 9) as f32 - 4.0);
        let start = Transform::from_xyz(x * 1.2, height, z * 1.2).with_rotation(
            Quat::from_scaled_axis(Vec3::new(i as f32, 0.3 * i as f32, 1.0)),
        );
        match i % 3 {
            0 => spawn(app, start, dumbbell(0.4).map(|part| (part, material))),
            1 => spawn(app, start, jack().map(|part| (part, material))),
            _ => spawn(app, start, hook().map(|part| (part, material))),
        }
    };
    let mut wholes: Vec<Entity> = (0..450)
        .map(|i| add(&mut app, i, 1.0 + 1.4 * (i / 81) as f32))
        .collect();
    steps(&mut app, 300);
    for step in 0..240 {
        if step % 4 == 0 {
            let gone = wholes.swap_remove(step * 7 % wholes.len());
            app.world_mut().despawn(gone);
            wholes.push(add(&mut app, 3 * step + 1, 9.0));
        }
        app.update();
    }
    steps(&mut app, 60 * 15);
    let now = measure(&mut app);
    assert!(now.overlap_max < 0.1, "{}", now.overlap_max);
    let asleep = wholes
        .iter()
        .filter(|&&whole| get::<Sleep>(&app, whole).is_asleep())
        .count();
    for &whole in &wholes {
        let x = position(&app, whole);
        assert!(x.y > 0.0 && x.x.abs() < 6.0 && x.z.abs() < 6.0, "{x}");
        let v = velocity(&app, whole).length();
        assert!(v < 0.1, "{v}");
    }
    assert!(asleep > 0, "{asleep} of {} sleep", wholes.len());
    // Each part is where its compound has it.
    let world = app.world();
    for entry in world.resource::<Bodies>().iter() {
        let Some(child_of) = world.get::<ChildOf>(entry.entity()) else {
            continue;
        };
        let whole = world
            .get::<Transform>(child_of.parent())
            .expect("it is there");
        let own = world.get::<Transform>(entry.entity()).expect("it is there");
        let place = whole.transform_point(own.translation);
        assert!(place.distance(entry.position()) < 1e-5);
    }
}

/// A world that goes on after a snapshot, and the same world that goes back to it, end in the same bits.
#[test]
fn a_snapshot_holds_compounds() {
    let mut app = app_with_gravity(60.0);
    let material = (Friction(0.4), Restitution(0.3));
    app.world_mut().spawn((Plane::new(Vec3::Y), material));
    for i in 0..6 {
        let start = (
            Transform::from_xyz(0.3 * i as f32, 1.0 + 1.3 * i as f32, 0.0)
                .with_rotation(Quat::from_scaled_axis(Vec3::new(i as f32, 1.0, 0.5))),
            AngularVelocity(Vec3::new(1.0, 2.0, 3.0)),
        );
        match i % 3 {
            0 => spawn(&mut app, start, dumbbell(0.4).map(|part| (part, material))),
            1 => spawn(&mut app, start, jack().map(|part| (part, material))),
            _ => spawn(&mut app, start, hook().map(|part| (part, material))),
        };
    }
    for taken_at in [3, 40, 77, 200, 300] {
        steps(&mut app, taken_at);
        let snapshot = PhysicsSnapshot::take(app.world_mut());
        steps(&mut app, 50);
        let on = measure(&mut app).state_hash;
        assert!(snapshot.restore(app.world_mut()).is_exact());
        steps(&mut app, 50);
        assert_eq!(measure(&mut app).state_hash, on, "after {taken_at}");
    }
}

/// A ball with its mass below its middle stands up again. Near the upright it swings with T = 2π·√((I + m·(r − d)²)/(m·g·d)).
#[test]
fn a_toy_that_stands_up_swings_with_its_period() {
    for hz in [60.0, 240.0] {
        let (r, d, m) = (0.5, 0.2, 2.0);
        let mut app = awake(hz);
        let material = (Friction(1.0), Restitution(0.0));
        app.world_mut().spawn((Plane::new(Vec3::Y), material));
        let start = Transform::from_xyz(0.0, r, 0.0).with_rotation(Quat::from_rotation_z(0.1));
        let body = (start, CenterOfMass(Vec3::NEG_Y * d));
        let whole = spawn(&mut app, body, [(Particle::new(r), Mass(m), material)]);
        let (mut crossings, mut before) = (Vec::new(), 0.1);
        for step in 1.. {
            app.update();
            let now = get::<Transform>(&app, whole).rotation.to_scaled_axis().z;
            if now < 0.0 && before >= 0.0 {
                crossings.push((step as f32 - now / (now - before)) / hz as f32);
            }
            before = now;
            if crossings.len() == 6 {
                break;
            }
        }
        let inertia = 0.4 * m * r * r;
        let law =
            ((inertia + m * (r - d) * (r - d)) / (m * 9.81 * d)).sqrt() * std::f32::consts::TAU;
        let found = (crossings[5] - crossings[0]) / 5.0;
        assert_near("period over the law's", (found / law).into(), 1.0, 5e-3);
    }
}

/// A sensor sees the parts of a compound, each when it comes.
#[test]
fn a_sensor_sees_the_parts() {
    let mut app = app(60.0);
    let gate = (Collider::cuboid(0.2, 4.0, 4.0), Sensor);
    let gate = app.world_mut().spawn(gate).id();
    let start = (LinearVelocity(Vec3::X), Transform::from_xyz(-1.5, 0.0, 0.0));
    let whole = spawn(&mut app, start, dumbbell(0.5));
    let [back, front] = parts_of(&app, whole)[..] else {
        panic!("a dumbbell has two parts");
    };
    let mut seen = Vec::new();
    for step in 0..120 {
        app.update();
        let entered = messages::<SensorEntered>(&app);
        seen.extend(entered.iter().map(|it| (it.sensor, it.body, step)));
    }
    // The gate's face is at −0.1 m; the balls end 0.8 m and −0.2 m before the centre.
    assert_eq!(seen.len(), 2, "{seen:?}");
    assert_eq!((seen[0].0, seen[0].1), (gate, front));
    assert_eq!((seen[1].0, seen[1].1), (gate, back));
    assert_near("steps between", (seen[1].2 - seen[0].2).into(), 60.0, 1.0);
}

/// An impulse at a point: Δv = P/m, Δω = I⁻¹·(r × P), about the centre of mass.
#[test]
fn an_impulse_at_a_point_turns_a_compound() {
    let mut app = app(60.0);
    // The centre of mass is half a metre to the right of the origin.
    let half =
        dumbbell(0.5).map(|(ball, at)| (ball, at.with_translation(at.translation + 0.5 * Vec3::X)));
    let whole = spawn(&mut app, (), half);
    steps(&mut app, 1);
    let (impulse, point) = (Vec3::Y * 3.0, Vec3::new(1.2, 0.0, 0.0));
    let mut all = app.world_mut().query::<Forces>();
    let mut forces = all.get_mut(app.world_mut(), whole).expect("it has forces");
    forces.apply_linear_impulse_at_point(impulse, point);
    steps(&mut app, 1);
    let inertia = 2.0 * (0.4 * 0.09 + 0.25);
    assert_near("velocity in m/s", velocity(&app, whole).y.into(), 1.5, 1e-5);
    assert_near(
        "spin in rad/s",
        spin(&app, whole).z.into(),
        0.7 * 3.0 / inertia,
        1e-4,
    );
}

/// The layers are those of the parts: nothing holds a compound whose parts pass the floor.
#[test]
fn a_compound_falls_through_what_its_parts_do_not_meet() {
    let mut app = app_with_gravity(60.0);
    app.world_mut().spawn(Plane::new(Vec3::Y));
    let ghost = CollisionLayers::new(LayerMask(2), LayerMask(2));
    let start = Transform::from_xyz(0.0, 1.0, 0.0);
    let whole = spawn(&mut app, start, dumbbell(0.5).map(|part| (part, ghost)));
    steps(&mut app, 60);
    let fallen = 1.0 - position(&app, whole).y;
    assert_near("way in m", fallen.into(), 0.5 * 9.81, 1e-3);
}

/// In a world of many blocks, a sleeper that a user moves takes its parts along.
#[test]
fn a_sleeping_compound_is_thrown_with_its_parts() {
    let mut app = app_with_gravity(60.0);
    app.world_mut().spawn(Plane::new(Vec3::Y));
    // The compound and its parts are in two blocks of the store.
    for i in 0..62 {
        let at = Transform::from_xyz(i as f32, 0.3, 20.0);
        app.world_mut().spawn((Particle::new(0.3), at));
    }
    let start = Transform::from_xyz(0.0, 0.3, 0.0);
    let whole = spawn(&mut app, start, dumbbell(0.5));
    steps(&mut app, 300);
    assert!(get::<Sleep>(&app, whole).is_asleep());
    let wall = (
        Plane::new(Vec3::NEG_X),
        Restitution(1.0),
        Transform::from_xyz(3.0, 0.0, 0.0),
    );
    app.world_mut().spawn(wall);
    app.world_mut()
        .entity_mut(whole)
        .insert(LinearVelocity(Vec3::new(10.0, 1.0, 0.0)));
    steps(&mut app, 30);
    assert!(position(&app, whole).x < 2.25, "{}", position(&app, whole));
    assert!(velocity(&app, whole).x < 0.0);
}

/// A query sees a part move as its compound does: with v + ω × r, and with the compound's kind.
#[test]
fn a_query_sees_a_part_move_with_its_compound() {
    let mut app = app(60.0);
    let moving = (
        Transform::from_xyz(10.0, 0.0, 0.0),
        LinearVelocity(Vec3::NEG_X * 2.0),
    );
    let whole = spawn(&mut app, moving, dumbbell(0.5));
    let near = parts_of(&app, whole)[0];
    app.update();
    let query = |app: &mut App| {
        let look = |flights: FlightQuery| {
            let flight = Flight {
                position: Vec3::ZERO,
                velocity: Vec3::X * 3.0,
                acceleration: Vec3::ZERO,
            };
            flights.cast_ball(0.2, &flight, 10.0, &SpatialFilter::default())
        };
        app.world_mut().run_system_once(look).unwrap()
    };
    let gap = f64::from(position(&app, whole).x) - 0.5 - 0.3 - 0.2;
    let hit = query(&mut app).expect("they fly towards each other");
    assert_eq!(hit.entity, near);
    assert_near("time in s", hit.time.into(), gap / 5.0, 1e-5);
    // It turns about Z, and its centre goes up by what ω × r takes the near ball down: that ball still comes straight on.
    app.world_mut().entity_mut(whole).insert((
        AngularVelocity(Vec3::Z * 50.0),
        LinearVelocity(Vec3::new(-2.0, 25.0, 0.0)),
    ));
    let turning = query(&mut app).expect("the near ball comes straight on");
    assert_eq!(turning.entity, near);
    assert_near("time in s", turning.time.into(), gap / 5.0, 1e-5);
    // A static compound is found among static bodies, and not among dynamic ones.
    app.world_mut().entity_mut(whole).insert(RigidBody::Static);
    app.update();
    let found = |app: &mut App, kind: RigidBody| {
        let look = move |query: SpatialQuery| {
            let ray = Ray3d::new(Vec3::ZERO, Dir3::X);
            query.cast_ray(ray, 100.0, &SpatialFilter::of([kind]))
        };
        app.world_mut().run_system_once(look).unwrap()
    };
    assert!(found(&mut app, RigidBody::Dynamic).is_none());
    assert_eq!(
        found(&mut app, RigidBody::Static).map(|hit| hit.entity),
        Some(near)
    );
}

/// What a compound turns by after a unit of angular impulse about an axis: the inverse of its inertia there.
fn turn_of(app: &mut App, whole: Entity, axis: Vec3) -> Vec3 {
    app.world_mut()
        .entity_mut(whole)
        .insert((AngularVelocity::default(), LinearVelocity::default()));
    let mut all = app.world_mut().query::<Forces>();
    let mut forces = all.get_mut(app.world_mut(), whole).expect("it has forces");
    forces.apply_angular_impulse(axis);
    steps(app, 1);
    spin(app, whole)
}

/// Two balls of the density ρ with the radius r, d apart, share a lens of the height 2h = 2·(r − d/2): two caps with the volume
/// π·h²·(3r − h)/3.
#[test]
fn overlapping_balls_have_the_mass_of_their_union() {
    let (r, half, density) = (0.3f64, 0.2f64, 800.0f64);
    let balls = || {
        let ball = |x: f64| {
            let place = Transform::from_xyz(0.0, x as f32, 0.0);
            (Particle::new(r as f32), Density(density as f32), place)
        };
        [-half, half].map(ball)
    };
    let mut app = app(60.0);
    let one = spawn(&mut app, OverlapCountedOnce, balls());
    let sum = spawn(&mut app, Transform::from_xyz(5.0, 0.0, 0.0), balls());
    steps(&mut app, 1);
    let pi = std::f64::consts::PI;
    let ball = density * 4.0 / 3.0 * pi * r.powi(3);
    let h = r - half;
    let lens = density * 2.0 * pi * h * h * (3.0 * r - h) / 3.0;
    assert_near("the sum", get::<Mass>(&app, sum).0.into(), 2.0 * ball, 1e-4);
    let mass = 2.0 * ball - lens;
    assert_near("the union", get::<Mass>(&app, one).0.into(), mass, 1e-4);
    // About the axis, a cap has ρ·π/2·∫(r² − x²)²dx.
    let of = |x: f64| r.powi(4) * x - 2.0 / 3.0 * r * r * x.powi(3) + 0.2 * x.powi(5);
    let about = 2.0 * 0.4 * ball * r * r - density * pi * (of(r) - of(half));
    let turned = turn_of(&mut app, one, Vec3::Y);
    assert_near("about the axis", f64::from(turned.y) * about, 1.0, 1e-5);
    // Across it, both have half of what they have about it, and ∫x²dm more. That of a cap is ρ·π·∫(r² − x²)·(x − d/2)²dx.
    let beside = |x: f64, c: f64| {
        let squares = (x.powi(3) / 3.0) - c * x * x + c * c * x;
        let fourths = 0.2 * x.powi(5) - 0.5 * c * x.powi(4) + c * c * x.powi(3) / 3.0;
        r * r * squares - fourths
    };
    let along = 2.0 * ball * (0.2 * r * r + half * half)
        - 2.0 * density * pi * (beside(r, half) - beside(half, half));
    let across = 0.5 * about + along;
    let turned = turn_of(&mut app, one, Vec3::X);
    assert_near("across it", f64::from(turned.x) * across, 1.0, 1e-5);
}

#[test]
fn a_part_inside_another_counts_once_until_it_leaves() {
    let mut app = app(60.0);
    let ball = |r: f32, x: f32| {
        let place = Transform::from_xyz(x, 0.0, 0.0);
        (Particle::new(r), Density(1000.0), place)
    };
    let parts = [ball(0.5, 0.0), ball(0.2, 0.2)];
    let whole = spawn(&mut app, OverlapCountedOnce, parts);
    steps(&mut app, 1);
    let volume = |r: f32| Particle::new(r).volume();
    let mass = |app: &App| f64::from(get::<Mass>(app, whole).0);
    let outer = f64::from(1000.0 * volume(0.5));
    assert_near("inside", mass(&app), outer, 1e-5 * outer);
    let turned = turn_of(&mut app, whole, Vec3::X);
    let inertia = 0.4 * outer * 0.25;
    assert_near("its inertia", f64::from(turned.x) * inertia, 1.0, 1e-5);
    let parts = parts_of(&app, whole);
    // Lead in wood.
    app.world_mut().entity_mut(parts[1]).insert(Density(3000.0));
    steps(&mut app, 1);
    let lead = f64::from(2000.0 * volume(0.2));
    assert_near("denser", mass(&app), outer + lead, 1e-5 * outer);
    app.world_mut()
        .entity_mut(parts[1])
        .insert((Density(1000.0), Transform::from_xyz(2.0, 0.0, 0.0)));
    steps(&mut app, 1);
    let inner = f64::from(1000.0 * volume(0.2));
    assert_near("outside", mass(&app), outer + inner, 1e-5 * outer);
    // A part that comes, and one that goes.
    let third = app.world_mut().spawn((ball(0.2, 2.0), ChildOf(whole))).id();
    steps(&mut app, 1);
    assert_near("twice there", mass(&app), outer + inner, 1e-5 * outer);
    app.world_mut().despawn(parts[1]);
    steps(&mut app, 1);
    assert_near("one left", mass(&app), outer + inner, 1e-5 * outer);
    app.world_mut().despawn(third);
    steps(&mut app, 1);
    assert_near("alone", mass(&app), outer, 1e-5 * outer);
}

#[test]
fn parts_that_do_not_overlap_are_not_changed_by_counting_overlaps_once() {
    let run = |counts_once: bool| {
        let mut app = awake(60.0);
        app.world_mut().spawn(Plane::new(Vec3::Y));
        let body = (
            Transform::from_xyz(0.0, 1.0, 0.0),
            AngularVelocity(Vec3::new(1.0, 2.0, 3.0)),
        );
        let whole = spawn(&mut app, body, dumbbell(0.5));
        if counts_once {
            app.world_mut().entity_mut(whole).insert(OverlapCountedOnce);
        }
        steps(&mut app, 120);
        get::<Transform>(&app, whole)
    };
    assert_eq!(run(false), run(true));
}
