//! Joints hold what they say, and keep the laws.

use std::f64::consts::PI;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;
use proptest::prelude::*;

const G: f64 = 9.81;

/// A static ball of 0.1 m, that touches nothing.
fn hook(app: &mut App, at: Vec3) -> Entity {
    let hook = (
        Particle::new(0.1),
        Sensor,
        RigidBody::Static,
        Transform::from_translation(at),
    );
    app.world_mut().spawn(hook).id()
}

fn ball(app: &mut App, at: Vec3, mass: f32) -> Entity {
    let ball = (
        Particle::new(0.1),
        Mass(mass),
        Transform::from_translation(at),
    );
    app.world_mut().spawn(ball).id()
}

/// A body's point in the world.
fn point(app: &App, entity: Entity, local: Vec3) -> Vec3 {
    get::<Transform>(app, entity).transform_point(local)
}

/// Swings of a pendulum with the length l, at the angle θ₀: T = 2π·√(l/g) / M(1, cos(θ₀/2)), with the arithmetic-geometric mean.
fn period(length: f64, angle: f64) -> f64 {
    let (mut a, mut b) = (1.0, (0.5 * angle).cos());
    for _ in 0..20 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    2.0 * PI * (length / G).sqrt() / a
}

#[test]
fn a_pendulum_has_its_period_and_keeps_its_energy() {
    let (angle, length) = (1.2f64, 1.0f64);
    let mut app = app_with_gravity(60.0);
    let hook = hook(&mut app, Vec3::ZERO);
    let start = Vec3::new(angle.sin() as f32, -angle.cos() as f32, 0.0);
    let bob = (
        Particle::new(0.1),
        LockedRotation,
        Mass(3.0),
        SleepingDisabled,
        Transform::from_translation(start),
    );
    let bob = app.world_mut().spawn(bob).id();
    app.world_mut().spawn(Joint::distance(hook, bob));
    let before = measure(&mut app).energy();
    let scale = 3.0 * G * length * (1.0 - angle.cos());
    let (mut crossings, mut x_before, mut worst, mut stretch) = (Vec::new(), start.x, 0f64, 0f32);
    for step in 0..60 * 60 {
        app.update();
        let x = position(&app, bob);
        if x.x < 0.0 && x_before >= 0.0 {
            crossings.push(f64::from(step) + f64::from(x_before / (x_before - x.x)));
        }
        x_before = x.x;
        worst = worst.max((measure(&mut app).energy() - before).abs());
        stretch = stretch.max((x.length() - 1.0).abs());
    }
    let swings = (crossings.len() - 1) as f64;
    let found = (crossings[crossings.len() - 1] - crossings[0]) / 60.0 / swings;
    let wanted = period(length, angle);
    println!(
        "period {found} of {wanted}, energy {} of {scale} J, stretch {stretch}",
        worst
    );
    assert!(
        (found / wanted - 1.0).abs() < 2e-3,
        "{found} s, not {wanted} s"
    );
    assert!(worst < 5e-3 * scale, "{worst} J of {scale} J");
    assert!(stretch < 1e-5, "{stretch} m");
}

/// A pendulum and a double one swing far for 1,000 s. In the middle of a swing the energy is off by an error of second order; that does
/// not grow.
#[test]
fn pendulums_keep_their_energy_for_a_thousand_seconds() {
    // The double one whirls: its rod turns by up to 15 rad/s.
    for (count, angle, substeps) in [(1, 1.2f32, 4), (2, 2.0, 16)] {
        let mut app = app_with_gravity(60.0);
        app.insert_resource(CollisionConfig {
            substeps,
            ..default()
        });
        let way = Vec3::new(angle.sin(), -angle.cos(), 0.0);
        let mut last = hook(&mut app, Vec3::ZERO);
        for k in 1..=count {
            let bob = ball(&mut app, way * k as f32, 1.0);
            app.world_mut().entity_mut(bob).insert(SleepingDisabled);
            app.world_mut().spawn(Joint::distance(last, bob));
            last = bob;
        }
        let before = measure(&mut app).energy();
        // From there to where all hang down.
        let scale: f64 = (1..=count)
            .map(|k| G * f64::from(k) * (1.0 - f64::from(angle).cos()))
            .sum();
        let mut worst = 0f64;
        for _ in 0..60_000 {
            app.update();
            worst = worst.max((measure(&mut app).energy() - before).abs());
        }
        let after = measure(&mut app).energy() - before;
        println!(
            "{count}: off by {:.1e} at most, {:.1e} at the end, of its energy",
            worst / scale,
            after / scale
        );
        assert!(worst < 1e-4 * scale, "{worst} J of {scale} J");
    }
}

#[test]
fn a_chain_with_a_heavy_ball_does_not_stretch() {
    let mut app = app_with_gravity(60.0);
    let links = 50;
    let mut before = hook(&mut app, Vec3::ZERO);
    let mut bodies = vec![before];
    for k in 1..=links {
        let mass = if k == links { 50_000.0 } else { 1.0 };
        let next = ball(&mut app, Vec3::X * (0.25 * k as f32), mass);
        app.world_mut().entity_mut(next).insert(Sensor);
        app.world_mut().spawn(Joint::distance(before, next));
        bodies.push(next);
        before = next;
    }
    let mut worst = 0f32;
    for step in 0..600 {
        app.update();
        if worst > 1e-3 {
            println!("{step} {worst}");
            break;
        }
        let places: Vec<Vec3> = bodies.iter().map(|&body| position(&app, body)).collect();
        for pair in places.windows(2) {
            worst = worst.max((pair[0].distance(pair[1]) / 0.25 - 1.0).abs());
        }
    }
    println!("stretch {worst}");
    assert!(worst < 1e-3, "stretched by {worst}");
}

/// Each kind holds its freedoms, in a world of two bodies without gravity.
fn kinds() -> impl Strategy<Value = u8> {
    0..5u8
}

fn joint(kind: u8, a: Entity, b: Entity, axis: Vec3) -> Joint {
    match kind {
        0 => Joint::fixed(a, b),
        1 => Joint::spherical(a, b),
        2 => Joint::revolute(a, b, axis),
        3 => Joint::prismatic(a, b, axis),
        _ => Joint::distance(a, b),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Momentum, angular momentum and energy stay, and so does what the joint holds.
    #[test]
    fn two_joined_bodies_keep_the_laws(
        kind in kinds(),
        axis in prop::array::uniform3(-1.0..1.0f32),
        masses in (0.1..10.0f32, 0.1..10.0f32),
        v in prop::array::uniform2(prop::array::uniform3(-2.0..2.0f32)),
        w in prop::array::uniform2(prop::array::uniform3(-3.0..3.0f32)),
        is_round in any::<[bool; 2]>(),
    ) {
        let axis = Vec3::from(axis).normalize_or(Vec3::Z);
        let mut app = app(120.0);
        let places = [Vec3::ZERO, Vec3::new(0.9, 0.3, -0.2)];
        let bodies = [0, 1].map(|k| {
            let mass = if k == 0 { masses.0 } else { masses.1 };
            let motion = (
                Mass(mass),
                Transform::from_translation(places[k]),
                LinearVelocity(v[k].into()),
                AngularVelocity(w[k].into()),
            );
            match is_round[k] {
                true => app.world_mut().spawn((Particle::new(0.2), motion)).id(),
                false => app.world_mut().spawn((Capsule::new(0.1, 0.6), motion)).id(),
            }
        });
        let [a, b] = bodies;
        app.world_mut().spawn(joint(kind, a, b, axis));
        // The first step takes away what the joint does not allow.
        steps(&mut app, 2);
        let before = measure(&mut app);
        let places = bodies.map(|body| get::<Transform>(&app, body));
        steps(&mut app, 600);
        let after = measure(&mut app);
        let now = bodies.map(|body| get::<Transform>(&app, body));
        let speed = (2.0 * before.kinetic_energy * f64::from(masses.0 + masses.1)).sqrt();
        let change = after.momentum - before.momentum;
        // Joined bodies keep the digits of their velocities between two steps.
        prop_assert!(change.length() < 1e-6 * speed, "momentum changes by {change}");
        let change = after.angular_momentum - before.angular_momentum;
        let reach = 5.0 * speed / f64::from(masses.0 + masses.1);
        prop_assert!(change.length() < 1e-5 * speed * (1.0 + reach), "L changes by {change}");
        let change = after.kinetic_energy / before.kinetic_energy - 1.0;
        prop_assert!(change.abs() < 0.02, "energy changes by {change}");
        let between = |places: [Transform; 2]| {
            let back = places[0].rotation.inverse();
            (back * (places[1].translation - places[0].translation), back * places[1].rotation)
        };
        let ((x, q), (x_now, q_now)) = (between(places), between(now));
        let turned = |axis: Vec3| (q.inverse() * axis).distance(q_now.inverse() * axis);
        let off = match kind {
            0 => x.distance(x_now) + turned(Vec3::X) + turned(Vec3::Y),
            1 => x.distance(x_now),
            2 => x.distance(x_now),
            3 => turned(Vec3::X) + turned(Vec3::Y) + (x - x_now).reject_from(axis).length(),
            _ => (x.length() - x_now.length()).abs(),
        };
        prop_assert!(off < 3e-5, "off by {off}: {x} {q}, now {x_now} {q_now}");
    }
}

#[test]
fn a_hinge_leaves_the_turn_about_its_axis_alone() {
    let mut app = app(120.0);
    let post = hook(&mut app, Vec3::ZERO);
    let axis = Vec3::new(1.0, 2.0, 3.0).normalize();
    let across = axis.any_orthonormal_vector();
    let rate = 2.0f32;
    let arm = across;
    let door = (
        Capsule::new(0.1, 0.5),
        Transform::from_translation(arm),
        AngularVelocity(axis * rate),
        LinearVelocity((axis * rate).cross(arm)),
    );
    let door = app.world_mut().spawn(door).id();
    app.world_mut()
        .spawn(Joint::revolute(post, door, axis).at(Vec3::ZERO));
    for step in 1..=1200 {
        app.update();
        let turned = Quat::from_axis_angle(axis, rate * step as f32 / 120.0);
        let off = position(&app, door).distance(turned * arm);
        assert!(off < 2e-3, "off by {off} in step {step}");
        let tilt = position(&app, door).dot(axis).abs();
        assert!(tilt < 1e-5, "{tilt}");
    }
    assert!((rate - laws::spin(&app, door).dot(axis)).abs() < 1e-3);
}

#[test]
fn a_slider_falls_along_its_axis() {
    let mut app = app_with_gravity(60.0);
    let post = hook(&mut app, Vec3::ZERO);
    let axis = Vec3::new(1.0, -1.0, 0.0).normalize();
    let start = Vec3::new(0.5, 0.0, 0.0);
    let bead = ball(&mut app, start, 2.0);
    app.world_mut().spawn(Joint::prismatic(post, bead, axis));
    steps(&mut app, 60);
    let fallen = position(&app, bead) - start;
    let wanted = axis * (0.5 * G as f32 * 0.5f32.sqrt());
    assert!(fallen.distance(wanted) < 1e-4, "{fallen}, not {wanted}");
}

#[test]
fn a_hanging_chain_is_a_catenary() {
    // Its links sag as a catenary of many short links: y = c·cosh(x/c).
    let mut app = app_with_gravity(60.0);
    let (links, span, length) = (40usize, 4.0f64, 5.0f64);
    let link = length / links as f64;
    let ends = [-0.5 * span, 0.5 * span].map(|x| hook(&mut app, Vec3::X * x as f32));
    let mut before = ends[0];
    let mut bodies = Vec::new();
    for k in 1..links {
        // A zigzag of the right length, on which it falls into its shape.
        let x = span * (k as f64 / links as f64 - 0.5);
        let depth = (link * link - (span / links as f64).powi(2)).sqrt();
        let y = if k % 2 == 1 { -depth } else { 0.0 };
        let damped = (
            Particle::new(0.02),
            Sensor,
            RigidBody::Dynamic,
            Mass(0.1),
            LinearDamping(1.0),
            SleepingDisabled,
            Transform::from_xyz(x as f32, y as f32, 0.0),
        );
        let next = app.world_mut().spawn(damped).id();
        app.world_mut().spawn(Joint::distance(before, next));
        bodies.push(next);
        before = next;
    }
    app.world_mut().spawn(Joint::distance(before, ends[1]));
    steps(&mut app, 60 * 60);
    // A chain of masses at the joints hangs in closed form too: the tangents of its links' angles grow in equal steps, as each mass
    // adds its weight to the same horizontal pull.
    let of = |pull: f64| (0..links).map(move |k| (k as f64 - 0.5 * (links - 1) as f64) / pull);
    let (mut low, mut high) = (1e-3, 1e6);
    for _ in 0..200 {
        let pull: f64 = 0.5 * (low + high);
        let width: f64 = of(pull).map(|t| link / (1.0 + t * t).sqrt()).sum();
        if width > span {
            high = pull
        } else {
            low = pull
        }
    }
    let (mut x, mut y, mut worst) = (-0.5 * span, 0.0, 0f64);
    for (t, &body) in of(low).zip(&bodies) {
        let cos = 1.0 / (1.0 + t * t).sqrt();
        (x, y) = (x + link * cos, y + link * t * cos);
        let at = position(&app, body);
        let off = ((f64::from(at.x) - x).powi(2) + (f64::from(at.y) - y).powi(2)).sqrt();
        worst = worst.max(off);
    }
    println!("catenary off by {worst}");
    assert!(worst < 1e-4, "off by {worst} m");
}

#[test]
fn joined_bodies_do_not_collide_unless_they_are_to() {
    for collide in [false, true] {
        let mut app = app_with_gravity(60.0);
        let hook = hook(&mut app, Vec3::Y * 2.0);
        let a = ball(&mut app, Vec3::new(0.0, 1.0, 0.0), 1.0);
        let b = ball(&mut app, Vec3::new(0.15, 1.0, 0.0), 1.0);
        app.world_mut().spawn(Joint::fixed(hook, a));
        let joint = Joint::spherical(a, b);
        let joint = if collide {
            joint.with_collisions()
        } else {
            joint
        };
        app.world_mut().spawn(joint);
        let before = position(&app, b);
        steps(&mut app, 5);
        let moved = position(&app, b).distance(before);
        assert_eq!(moved > 1e-3, collide, "{moved}");
    }
}

#[test]
fn a_bad_joint_is_told_once_and_the_rest_goes_on() {
    let mut app = app_with_gravity(60.0);
    let a = ball(&mut app, Vec3::ZERO, 1.0);
    let b = ball(&mut app, Vec3::X, 1.0);
    let nobody = app.world_mut().spawn_empty().id();
    let bad = [
        Joint::fixed(a, nobody),
        Joint::fixed(a, a),
        Joint::revolute(a, b, Vec3::ZERO),
        Joint::spherical(a, b).at(Vec3::NAN),
        Joint::new(JointKind::Distance(Some(-1.0)), a, b),
    ];
    let bad = bad.map(|joint| app.world_mut().spawn(joint).id());
    let mut told = Vec::new();
    for _ in 0..5 {
        app.update();
        told.extend(messages::<BadInput>(&app).into_iter().map(|it| it.entity));
    }
    for entity in bad {
        assert_eq!(
            told.iter().filter(|&&it| it == entity).count(),
            1,
            "{told:?}"
        );
    }
    assert!(position(&app, b).y < -0.01);
    // One that is mended holds.
    app.world_mut().despawn(bad[1]);
    *app.world_mut().get_mut::<Joint>(bad[0]).unwrap() = Joint::fixed(a, b);
    let of_b = |app: &App| {
        let [a, b] = [a, b].map(|body| get::<Transform>(app, body));
        a.rotation.inverse() * (b.translation - a.translation)
    };
    let before = of_b(&app);
    app.world_mut()
        .entity_mut(a)
        .insert(LinearVelocity(Vec3::X));
    steps(&mut app, 30);
    let off = of_b(&app).distance(before);
    assert!(off < 1e-4, "{off}");
}

/// A lift that carries a lamp, while bodies that came before both go, and balls hit the lamp.
#[test]
fn bodies_may_come_and_go_beside_a_joint_to_a_kinematic_body() {
    let mut app = app_with_gravity(60.0);
    let others: Vec<Entity> = (0..20)
        .map(|k| ball(&mut app, Vec3::new(5.0, 0.5 * k as f32, 0.0), 1.0))
        .collect();
    let lamp = ball(&mut app, Vec3::new(0.0, 4.0, 0.0), 1.0);
    for k in 0..20 {
        let shot = ball(&mut app, Vec3::new(-2.0 - k as f32, 4.2, 0.0), 0.1);
        let mut shot = app.world_mut().entity_mut(shot);
        shot.insert((LinearVelocity(Vec3::X * 6.0), GravityScale(0.0)));
    }
    let lift = (
        Particle::new(0.1),
        Sensor,
        RigidBody::Kinematic,
        LinearVelocity(Vec3::Y * 0.1),
        Transform::from_xyz(0.0, 5.0, 0.0),
    );
    let lift = app.world_mut().spawn(lift).id();
    app.world_mut().spawn(Joint::distance(lift, lamp));
    for step in 0..200 {
        if step % 10 == 9 {
            app.world_mut().despawn(others[step / 10]);
        }
        app.update();
        let length = position(&app, lamp).distance(position(&app, lift));
        assert!((length - 1.0).abs() < 2e-3, "{step}: {length}");
    }
}

#[test]
fn a_lamp_on_two_ropes_wakes_when_one_is_cut() {
    let mut app = app_with_gravity(60.0);
    let lamp = ball(&mut app, Vec3::ZERO, 1.0);
    let ropes = [-1.0, 1.0].map(|x| {
        let rope = Joint::distance(None, lamp).at(Vec3::new(x, 1.0, 0.0));
        app.world_mut().spawn(rope).id()
    });
    steps(&mut app, 600);
    assert!(get::<Sleep>(&app, lamp).is_asleep());
    let force = get::<JointForce>(&app, ropes[0]).force.length();
    let wanted = G as f32 / 2f32.sqrt();
    assert!((force - wanted).abs() < 1e-3, "a sleeper shows {force} N");
    app.world_mut().despawn(ropes[1]);
    steps(&mut app, 30);
    assert!(position(&app, lamp).x < -0.1, "it swings to the other rope");
}

#[test]
fn a_chain_that_hangs_sleeps_and_wakes() {
    let mut app = app_with_gravity(60.0);
    let hook = hook(&mut app, Vec3::ZERO);
    let (a, b) = (
        ball(&mut app, Vec3::NEG_Y, 1.0),
        ball(&mut app, Vec3::NEG_Y * 2.0, 1.0),
    );
    app.world_mut()
        .spawn(Joint::spherical(hook, a).at(Vec3::ZERO));
    let lower = app
        .world_mut()
        .spawn(Joint::spherical(a, b).at(Vec3::NEG_Y))
        .id();
    steps(&mut app, 600);
    let is_asleep = |app: &App, of: Entity| get::<Sleep>(app, of).is_asleep();
    assert!(is_asleep(&app, a) && is_asleep(&app, b));
    app.world_mut().entity_mut(lower).despawn();
    steps(&mut app, 30);
    let fallen = -2.0 - position(&app, b).y;
    let wanted = 0.5 * G as f32 * 0.25;
    assert!((fallen - wanted).abs() < 1e-3, "{fallen}, not {wanted}");
    assert!((position(&app, a).y + 1.0).abs() < 1e-4);
}

#[test]
fn a_loop_of_hinges_that_say_more_than_needed_moves_as_one_freedom() {
    // A parallelogram of four bars: its hinges take 20 freedoms of 18.
    let mut app = app_with_gravity(120.0);
    let posts = [hook(&mut app, Vec3::ZERO), hook(&mut app, Vec3::X)];
    let down = Vec3::NEG_Y;
    let bars: Vec<Entity> = [0.5 * down, Vec3::X + 0.5 * down, 0.5 * Vec3::X + down]
        .into_iter()
        .map(|at| ball(&mut app, at, 1.0))
        .collect();
    for (a, b, at) in [
        (posts[0], bars[0], Vec3::ZERO),
        (posts[1], bars[1], Vec3::X),
        (bars[0], bars[2], down),
        (bars[1], bars[2], Vec3::X + down),
    ] {
        app.world_mut().spawn(Joint::revolute(a, b, Vec3::Z).at(at));
    }
    app.world_mut()
        .entity_mut(bars[2])
        .insert(LinearVelocity(Vec3::X));
    steps(&mut app, 1);
    for _ in 0..600 {
        app.update();
        let corners = [
            point(&app, bars[0], 0.5 * down),
            point(&app, bars[1], 0.5 * down),
        ];
        let off = (corners[1] - corners[0]).distance(Vec3::X);
        assert!(off < 1e-4, "off by {off}");
        assert!(corners.iter().all(|corner| (corner.y.powi(2)).is_finite()));
        let sides = [corners[0].length(), corners[1].distance(Vec3::X)];
        for side in sides {
            assert!((side - 1.0).abs() < 1e-4, "{side}");
        }
    }
}

/// Dolls that fall on each other from up to 7 m come to rest, and sleep. No joint comes apart but for a moment of the fall, and nothing
/// gains energy, beyond what the projection lifts.
///
/// A limb turns by 3 rad and more in a step there. In a part of a step that is less than 1 rad; in a whole step the joints only hold
/// their velocities then, and what an impact throws apart comes together in the next ones.
#[test]
fn a_pile_of_dolls_comes_to_rest() {
    for (substeps, most_gained, most_apart) in [(1, 0.02, 0.3), (4, 0.01, 0.1)] {
        let mut app = app_with_gravity(60.0);
        app.insert_resource(CollisionConfig {
            substeps,
            ..default()
        });
        app.world_mut().spawn((Plane::new(Vec3::Y), Friction(0.6)));
        for side in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
            let at = Transform::from_translation(-1.2 * side);
            app.world_mut().spawn((Plane::new(side), at));
        }
        let dolls = (0..6).map(|k| {
            let x = 0.3 * (k % 3) as f32 - 0.3;
            let at = Vec3::new(x, 1.5 + 1.2 * k as f32, 0.3 * (k % 2) as f32);
            spawn_ragdoll(app.world_mut(), at)
        });
        let (bodies, joints): (Vec<_>, Vec<_>) = dolls.collect::<Vec<_>>().into_iter().unzip();
        let (bodies, joints) = (bodies.concat(), joints.concat());
        let apart = |app: &App| {
            let of = joints.iter().map(|&joint| {
                let Joint {
                    a: Some(a),
                    b,
                    place: JointPlace::Local { a: on_a, b: on_b },
                    ..
                } = get::<Joint>(app, joint)
                else {
                    panic!("a joint of two bodies, in their frames");
                };
                point(app, a, on_a.point).distance(point(app, b, on_b.point))
            });
            of.fold(0.0, f32::max)
        };
        app.update();
        let first = measure(&mut app).energy();
        let (mut worst, mut before) = (0f32, first);
        for step in 0..1800 {
            app.update();
            let energy = measure(&mut app).energy();
            let gained = (energy - before) / first;
            assert!(
                gained < most_gained,
                "{substeps}, {step}: {gained} of {first} J"
            );
            before = energy;
            worst = worst.max(apart(&app));
        }
        assert!(worst < most_apart, "{substeps}: apart by {worst} m");
        let end = apart(&app);
        assert!(end < 2e-3, "{substeps}: at rest, apart by {end} m");
        let is_awake = |body: &&Entity| !get::<Sleep>(&app, **body).is_asleep();
        let awake = bodies.iter().filter(is_awake).count();
        assert_eq!(awake, 0, "{substeps}: awake of {}", bodies.len());
    }
}

/// A ball hits one of two halves that a joint holds together: what comes of it is what comes of a hit on one body of these parts.
#[test]
fn an_impact_passes_through_a_joint_at_once() {
    for (e, friction, along) in [(1.0, 0.0, 0.4), (0.5, 0.0, 0.1), (0.8, 0.4, 0.5)] {
        let half = |k: f32| {
            let place = Transform::from_xyz(0.35 * k, 0.0, 0.0);
            let material = (Restitution(e), Friction(friction), Density(500.0));
            (
                Capsule::new(0.1, 0.5),
                material,
                place.with_rotation(Quat::from_rotation_z(0.5 * PI as f32)),
            )
        };
        let ball = |app: &mut App| {
            let v = LinearVelocity(Vec3::new(0.7, -4.0, 0.0));
            let place = Transform::from_xyz(along, 1.0, 0.0);
            let material = (Restitution(e), Friction(friction));
            let ball = (Particle::new(0.15), Mass(5.0), v, material, place);
            app.world_mut().spawn(ball).id()
        };
        let mut one = app(60.0);
        let struck = one.world_mut().spawn(Compound).id();
        for k in [-1.0, 1.0] {
            one.world_mut().spawn((half(k), ChildOf(struck)));
        }
        let ball_of_one = ball(&mut one);
        let mut two = app(60.0);
        let halves = [-1.0, 1.0].map(|k| two.world_mut().spawn(half(k)).id());
        two.world_mut().spawn(Joint::fixed(halves[0], halves[1]));
        let ball_of_two = ball(&mut two);
        steps(&mut two, 1);
        let before = measure(&mut two);
        for app in [&mut one, &mut two] {
            steps(app, 40);
        }
        steps(&mut one, 1);
        let (v, wanted) = (velocity(&two, ball_of_two), velocity(&one, ball_of_one));
        println!("e {e}, friction {friction}: {v}, {wanted}");
        assert!(v.distance(wanted) < 2e-3, "{v}, not {wanted}");
        let (w, wanted) = (laws::spin(&two, halves[0]), laws::spin(&one, struck));
        assert!(w.distance(wanted) < 5e-3, "{w}, not {wanted}");
        let after = measure(&mut two);
        assert!((after.momentum - before.momentum).length() < 1e-4);
        let change = after.angular_momentum - before.angular_momentum;
        assert!(
            change.length() < 1e-3 * before.angular_momentum.length().max(1.0),
            "{change}"
        );
        if e == 1.0 {
            let change = after.kinetic_energy / before.kinetic_energy - 1.0;
            assert!(change.abs() < 2e-3, "{change}");
        }
    }
}

/// A bridge of planks, each with two ball joints to the next one, between two banks. Its arc starts with this angle in rad.
fn bridge(app: &mut App, count: usize, slope: f32) -> Vec<Entity> {
    let angle = |k: usize| slope * (2.0 * (k as f32 + 0.5) / count as f32 - 1.0);
    let (mut at, mut last, mut planks) = (Vec3::ZERO, None, Vec::new());
    for k in 0..=count {
        let (sin, cos) = angle(k).sin_cos();
        let next = at + 0.3 * Vec3::new(cos, sin, 0.0);
        let plank = (k < count).then(|| {
            let turned = Quat::from_rotation_z(angle(k)) * Quat::from_rotation_x(0.5 * PI as f32);
            let place = Transform::from_translation(0.5 * (at + next)).with_rotation(turned);
            let plank = (Capsule::new(0.12, 2.76), Density(1000.0), place);
            app.world_mut().spawn(plank).id()
        });
        for side in [Vec3::Z, Vec3::NEG_Z] {
            let joint = match (last, plank) {
                (Some(a), Some(b)) => Joint::spherical(Some(a), b),
                (None, Some(b)) | (Some(b), None) => Joint::spherical(None, b),
                (None, None) => continue,
            };
            app.world_mut().spawn(joint.at(at + side));
        }
        (at, last) = (next, plank);
        planks.extend(plank);
    }
    planks
}

/// A bridge with slack hangs as deep as its arc. A level one without slack cannot hang at all: its joints give way by as little as
/// they can.
#[test]
fn a_bridge_hangs_no_deeper_than_its_planks_let_it() {
    for (count, slope) in [(20, 0.3), (60, 0.1), (60, 0.0), (200, 0.1), (200, 0.0)] {
        let mut app = app_with_gravity(60.0);
        let planks = bridge(&mut app, count, slope);
        let lowest = |app: &App| {
            let heights = planks.iter().map(|&plank| position(app, plank).y);
            heights.fold(0.0, f32::min)
        };
        let arc = -lowest(&app);
        let mut most = 0f32;
        for _ in 0..600 {
            app.update();
            most = most.max(-lowest(&app));
        }
        let energy = measure(&mut app).kinetic_energy / count as f64;
        println!(
            "{count}, {slope}: an arc of {arc} m hangs {most} m at most, with {energy} J in a plank"
        );
        // A catenary of the same length is deeper by less than that. Without slack: a part of its length.
        let span = 0.3 * count as f32;
        let deeper = if slope == 0.0 {
            0.015 * span
        } else {
            0.03 * arc
        };
        assert!(
            most < arc + deeper,
            "{count}, {slope}: {most} m, not {arc} m"
        );
        assert!(energy < 5.0, "{count}, {slope}: {energy} J in a plank");
    }
}

/// A square net of balls, held at its corners, without slack: many loops that hold nearly the same.
#[test]
fn a_net_holds_together() {
    const SIDE: usize = 12;
    let mut app = app_with_gravity(60.0);
    let mut balls: Vec<Entity> = Vec::new();
    for k in 0..SIDE * SIDE {
        let (row, column) = (k / SIDE, k % SIDE);
        let at = 0.3 * Vec3::new(column as f32, 0.0, row as f32);
        let ball = (Particle::new(0.1), Transform::from_translation(at));
        let ball = app.world_mut().spawn(ball).id();
        let mut join = |other: Option<Entity>, at: Vec3| {
            app.world_mut().spawn(Joint::spherical(other, ball).at(at));
        };
        if column > 0 {
            join(Some(balls[k - 1]), at - 0.15 * Vec3::X);
        }
        if row > 0 {
            join(Some(balls[k - SIDE]), at - 0.15 * Vec3::Z);
        }
        let is_end = |k: usize| k == 0 || k == SIDE - 1;
        if is_end(row) && is_end(column) {
            join(None, at);
        }
        balls.push(ball);
    }
    steps(&mut app, 300);
    let mut joints = app.world_mut().query::<&Joint>();
    let joints: Vec<Joint> = joints.iter(app.world()).copied().collect();
    let gap = joints.iter().map(|joint| {
        let a = joint.a.map(|a| get::<Transform>(&app, a));
        let b = get::<Transform>(&app, joint.b);
        let [on_a, on_b] = joint.frames(a.as_ref(), &b).expect("it has been seen");
        on_a.translation.distance(on_b.translation)
    });
    let gap = gap.fold(0.0, f32::max);
    let lowest = balls.iter().map(|&ball| position(&app, ball).y);
    let lowest = lowest.fold(0.0, f32::min);
    println!("apart by {gap} m at most, {lowest} m deep");
    assert!(gap < 1e-4, "apart by {gap} m");
    assert!((-0.1..-1e-4).contains(&lowest), "{lowest} m deep");
}

/// Fifty links swing with 50,000 times the mass of one at their end: 10 s, past the bottom and back.
#[test]
fn a_pendulum_of_links_does_not_stretch_under_a_heavy_ball() {
    let mut app = app_with_gravity(60.0);
    let turned = Quat::from_rotation_z(-0.5 * PI as f32);
    let mut last = None;
    for k in 0..=50 {
        let at = Vec3::X * (0.2 * k as f32);
        let body = match k < 50 {
            true => {
                let place = Transform::from_translation(at + 0.1 * Vec3::X).with_rotation(turned);
                let link = (Capsule::new(0.03, 0.14), Density(1000.0), place);
                app.world_mut().spawn(link).id()
            }
            false => {
                let place = Transform::from_translation(at + 0.5 * Vec3::X);
                let ball = (Particle::new(0.5), Mass(25_000.0), place);
                app.world_mut().spawn(ball).id()
            }
        };
        app.world_mut().spawn(Joint::spherical(last, body).at(at));
        last = Some(body);
    }
    let ball = last.expect("the ball is the last one");
    let (mut most, mut low) = (0f32, 0f32);
    for _ in 0..600 {
        app.update();
        let end = point(&app, ball, Vec3::NEG_X * 0.5);
        most = most.max(end.length() / 10.0 - 1.0);
        low = low.min(end.y);
    }
    println!("stretched by {most} at most");
    assert!(low < -9.9, "it swings through the bottom: {low} m");
    assert!(most < 1e-4, "stretched by {most}");
}

#[test]
fn a_ball_that_rolls_over_a_taut_bridge_gains_no_energy() {
    // Planks that two ball joints each hold in a straight line: nearly nothing but the tension bears the ball, which is many times the
    // load. Each case: steps a second, mass of the ball in kg, its speed in m/s, its restitution.
    let cases = [
        (120.0, 400.0, 2.5, 0.5),
        (60.0, 400.0, 2.5, 0.5),
        (120.0, 4000.0, 8.0, 0.5),
        (120.0, 50.0, 8.0, 0.9),
    ];
    for (hz, mass, speed, restitution) in cases {
        let mut app = app_with_gravity(hz);
        let (planks, step) = (32, 0.4f32);
        let end = 0.5 * step * planks as f32;
        let (mut deck, mut last) = (Vec::new(), None);
        for k in 0..=planks {
            let x = step * k as f32 - end;
            let plank = (k < planks).then(|| {
                let lying = Quat::from_rotation_x(0.5 * std::f32::consts::PI);
                let place = Transform::from_xyz(x + 0.5 * step, -0.13, 0.0).with_rotation(lying);
                let plank = (
                    Capsule::new(0.13, 1.0),
                    Density(600.0),
                    Friction(0.6),
                    place,
                );
                app.world_mut().spawn(plank).id()
            });
            for z in [-0.8, 0.8] {
                let joint = match (last, plank) {
                    (Some(a), Some(b)) => Joint::spherical(Some(a), b),
                    (None, Some(b)) | (Some(b), None) => Joint::spherical(None, b),
                    (None, None) => unreachable!(),
                };
                app.world_mut().spawn(joint.at(Vec3::new(x, -0.13, z)));
            }
            last = plank;
            deck.extend(plank);
        }
        let ball = (
            Particle::new(0.5),
            Mass(mass),
            Restitution(restitution),
            Friction(0.6),
            Transform::from_xyz(-4.0, 0.55, 0.0),
            LinearVelocity(speed * Vec3::X),
            AngularVelocity(-2.0 * speed * Vec3::Z),
        );
        deck.push(app.world_mut().spawn(ball).id());
        let energy = |app: &mut App| {
            let height = |&body: &Entity| {
                f64::from(get::<Mass>(app, body).0) * G * f64::from(position(app, body).y)
            };
            let potential: f64 = deck.iter().map(height).sum();
            measure(app).kinetic_energy + potential
        };
        let before = energy(&mut app);
        let scale = f64::from(mass) * (0.5 * f64::from(speed).powi(2) + G);
        let mut most = before;
        for _ in 0..(5.0 * hz) as usize {
            app.update();
            most = most.max(energy(&mut app));
        }
        println!("{mass} kg at {speed} m/s, {hz} Hz: {before} J, {most} J at most");
        assert!(most - before < 0.05 * scale, "{before} J become {most} J");
    }
}
