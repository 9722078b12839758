//! Limits, motors, springs and wheels of joints do what they say.

use std::f32::consts::PI;

use bevy::prelude::*;
use bevy_impulse_collide::{prelude::*, snapshot::PhysicsSnapshot};
use laws::*;
use proptest::prelude::*;

const G: f32 = 9.81;

/// A ball of 0.1 m and 2 kg that touches nothing and does not turn.
fn bob(app: &mut App, at: Vec3) -> Entity {
    let ball = (
        Particle::new(0.1),
        Sensor,
        RigidBody::Dynamic,
        Mass(2.0),
        LockedRotation,
        SleepingDisabled,
        Transform::from_translation(at),
    );
    app.world_mut().spawn(ball).id()
}

/// A ball of 0.1 m and 2 kg that turns.
fn ball(app: &mut App, at: Vec3) -> Entity {
    let ball = (
        Particle::new(0.1),
        Sensor,
        RigidBody::Dynamic,
        Mass(2.0),
        Transform::from_translation(at),
    );
    app.world_mut().spawn(ball).id()
}

fn force(app: &App, joint: Entity) -> JointForce {
    get::<JointForce>(app, joint)
}

/// q and q̇ of q̈ + 2ζω·q̇ + ω²·q = 0 after a time.
fn oscillation(w: f64, ratio: f64, q: f64, v: f64, t: f64) -> f64 {
    let a = ratio * w;
    let b = (w * w - a * a).sqrt();
    (-a * t).exp() * (q * (b * t).cos() + (v + a * q) / b * (b * t).sin())
}

#[test]
fn a_ball_on_a_spring_follows_the_closed_form() {
    for frequency in [0.5, 3.0, 12.0, 18.0] {
        for ratio in [0.0, 0.2] {
            let mut app = app_with_gravity(60.0);
            let bob = bob(&mut app, Vec3::NEG_Y);
            app.world_mut().spawn((
                Joint::distance(None, bob).at(Vec3::ZERO),
                JointSpring::frequency(frequency, ratio),
            ));
            let w = f64::from(2.0 * PI * frequency);
            let sag = f64::from(G) / (w * w);
            let mut worst = 0f64;
            for step in 1..=300 {
                app.update();
                let t = f64::from(step) / 60.0;
                let wanted = -1.0 - sag + oscillation(w, f64::from(ratio), sag, 0.0, t);
                worst = worst.max((f64::from(position(&app, bob).y) - wanted).abs());
            }
            println!("{frequency} Hz, {ratio}: off by {worst} m, with a sag of {sag} m");
            assert!(
                worst < 1e-3 * sag + 1e-6,
                "{frequency} Hz, {ratio}: off by {worst}"
            );
        }
    }
}

/// Springs that are too stiff for the rate of the steps: they hang where they should, and lose what swings.
#[test]
fn a_spring_may_be_as_stiff_as_it_likes() {
    for frequency in [26.0, 100.0, 5000.0] {
        let mut app = app_with_gravity(60.0);
        let bob = bob(&mut app, Vec3::NEG_Y);
        let spring = JointSpring::frequency(frequency, 0.0);
        app.world_mut()
            .spawn((Joint::distance(None, bob).at(Vec3::ZERO), spring));
        let w = f64::from(2.0 * PI * frequency);
        let sag = f64::from(G) / (w * w);
        let off = |app: &mut App| {
            steps(app, 1);
            (f64::from(position(app, bob).y) + 1.0 + sag).abs()
        };
        let worst = (0..1200).map(|_| off(&mut app)).fold(0.0, f64::max);
        let last = off(&mut app);
        println!(
            "{frequency} Hz: at most {worst} m from where it hangs at {sag} m, {last} m after 20 s"
        );
        assert!(worst < 1.01 * sag + 1e-6 && last < 0.05 * sag + 1e-6);
    }
}

/// Springs that give nothing, or next to nothing, leave the fall as it is.
#[test]
fn a_spring_may_be_as_weak_as_it_likes() {
    let springs = [
        JointSpring::stiffness(0.0, 0.0),
        JointSpring::stiffness(0.0, 1e-6),
        JointSpring::stiffness(1e-12, 0.0),
        JointSpring::frequency(1e-6, 1.0),
    ];
    for spring in springs {
        let mut app = app_with_gravity(60.0);
        let bob = bob(&mut app, Vec3::NEG_Y);
        let joint = Joint::distance(None, bob).at(Vec3::ZERO);
        app.world_mut().spawn((joint, spring));
        steps(&mut app, 60);
        let fallen = -1.0 - position(&app, bob).y;
        assert!((fallen - 0.5 * G).abs() < 1e-3, "{spring:?}: {fallen} m");
    }
}

#[test]
fn two_bodies_on_a_spring_swing_with_their_reduced_mass() {
    let mut app = app(60.0);
    let a = bob(&mut app, Vec3::ZERO);
    let b = bob(&mut app, Vec3::X);
    app.world_mut()
        .entity_mut(b)
        .insert((Mass(6.0), LinearVelocity(Vec3::X)));
    app.world_mut()
        .entity_mut(a)
        .insert(LinearVelocity(-3.0 * Vec3::X));
    // 2 kg and 6 kg: 1.5 kg.
    let stiffness = 600.0;
    app.world_mut().spawn((
        Joint::distance(a, b),
        JointSpring::stiffness(stiffness, 0.0),
    ));
    let w = (f64::from(stiffness) / 1.5).sqrt();
    for step in 1..=600 {
        app.update();
        let t = f64::from(step) / 60.0;
        let length = position(&app, b).distance(position(&app, a));
        let wanted = 1.0 + oscillation(w, 0.0, 0.0, 4.0, t);
        assert!(
            (f64::from(length) - wanted).abs() < 1e-4,
            "{length}, not {wanted}"
        );
    }
}

/// Two balls on a spring fly to and fro between two walls, and hit them in the middle of substeps. However stiff the spring is, it makes no
/// energy of that.
#[test]
fn an_impact_gives_a_spring_no_energy() {
    for stiffness in [1e1, 1e2, 3e2, 1e3, 1e4, 1e5, 1e6] {
        for (restitution, throws) in [(0.0, 4), (0.8, 20)] {
            for throw in 0..throws {
                let energy = most_energy_between_walls(stiffness, restitution, throw);
                assert!(
                    energy < 1.001,
                    "{stiffness} N/m, e = {restitution}, throw {throw}: {energy} times the energy"
                );
            }
        }
    }
}

/// The most energy of motion of a throw, over that at its start.
fn most_energy_between_walls(stiffness: f32, restitution: f32, throw: usize) -> f64 {
    let mut app = app(60.0);
    for (normal, at) in [(Vec3::Y, Vec3::ZERO), (Vec3::NEG_Y, 2.5 * Vec3::Y)] {
        let wall = (Plane::new(normal), Friction(0.0), Restitution(1.0));
        app.world_mut()
            .spawn((wall, Transform::from_translation(at)));
    }
    let mut ball = |mass: f32, at: Vec3| {
        let ball = (
            Particle::new(0.1),
            Mass(mass),
            Restitution(restitution * restitution),
            Transform::from_translation(at),
            LinearVelocity(Vec3::new(1.0, -4.0 - 0.3 * throw as f32, 0.5)),
        );
        app.world_mut().spawn(ball).id()
    };
    let heavy = ball(1.0, Vec3::new(0.0, 0.6, 0.0));
    let light = ball(0.01, Vec3::new(0.3, 1.3, 0.2));
    app.world_mut().spawn((
        Joint::distance(heavy, light),
        JointSpring::stiffness(stiffness, 0.0),
    ));
    let before = measure(&mut app).kinetic_energy;
    let (mut most, mut impacts) = (0f64, 0);
    for _ in 0..240 {
        app.update();
        impacts += messages::<Impact>(&app).len();
        most = most.max(measure(&mut app).kinetic_energy / before);
    }
    assert!(impacts > 0);
    most
}

/// Two bars, end to end, turn about each other: along them, and across. What they turn by less and less is e^(−d·t), whatever the rate
/// of steps, and their angular momentum stays.
#[test]
fn damping_of_a_joint_is_that_of_its_closed_form() {
    for (hz, damping) in [(30.0, 0.5), (60.0, 3.0), (120.0, 20.0)] {
        let mut app = app(hz);
        let bars = [-1.0, 1.0].map(|side: f32| {
            let bar = (
                Capsule::new(0.1, 0.5),
                Mass(if side > 0.0 { 2.0 } else { 1.0 }),
                Transform::from_xyz(0.0, 0.35 * side, 0.0),
                AngularVelocity(Vec3::Y * if side > 0.0 { 3.0 } else { -1.0 }),
            );
            app.world_mut().spawn(bar).id()
        });
        app.world_mut().spawn((
            Joint::spherical(bars[0], bars[1]).at(Vec3::ZERO),
            JointDamping(damping),
        ));
        let before = measure(&mut app).angular_momentum;
        let time = (1.0 / damping).min(1.0);
        let count = (time * hz as f32).round();
        steps(&mut app, count as usize);
        let spins = bars.map(|bar| spin(&app, bar));
        let wanted = 4.0 * (-damping * count / hz as f32).exp();
        let apart = (spins[1] - spins[0]).y;
        assert!(
            (apart - wanted).abs() < 1e-4 * wanted,
            "{damping}/s at {hz} Hz: {apart} rad/s, not {wanted}"
        );
        let after = measure(&mut app).angular_momentum;
        assert!(
            (after - before).length() < 1e-5 * before.length(),
            "{before}, then {after}"
        );
    }
}

#[test]
fn a_spring_in_a_hinge_swings_the_door_with_its_inertia_about_the_hinge() {
    let mut app = app(60.0);
    let door = ball(&mut app, Vec3::X);
    app.world_mut()
        .entity_mut(door)
        .insert(AngularVelocity(Vec3::Y));
    app.world_mut()
        .entity_mut(door)
        .insert(LinearVelocity(Vec3::NEG_Z));
    app.world_mut().spawn((
        Joint::revolute(None, door, Vec3::Y).at(Vec3::ZERO),
        JointSpring::stiffness(100.0, 0.0),
    ));
    let inertia = 2.0 * (1.0 + 0.4 * 0.01);
    let w = (100.0f64 / inertia).sqrt();
    let mut worst = 0f64;
    for step in 1..=300 {
        app.update();
        let at = position(&app, door);
        let wanted = oscillation(w, 0.0, 0.0, 1.0, f64::from(step) / 60.0);
        worst = worst.max((f64::from((-at.z).atan2(at.x)) - wanted).abs());
    }
    println!("off by {worst} rad of {}", 1.0 / w);
    assert!(worst < 2e-3, "off by {worst}");
}

#[test]
fn a_rope_lets_a_ball_fall_and_holds_it_at_its_length() {
    let mut app = app_with_gravity(60.0);
    let bob = bob(&mut app, Vec3::new(0.3, 0.0, 0.0));
    let rope = (
        Joint::distance(None, bob).at(Vec3::ZERO),
        JointLimits::new(0.0, 1.5),
    );
    let rope = app.world_mut().spawn(rope).id();
    steps(&mut app, 24);
    let fallen = 0.5 * G * 0.4 * 0.4;
    assert!((position(&app, bob).y + fallen).abs() < 1e-4);
    assert_eq!(force(&app, rope), JointForce::default());
    let before = measure(&mut app).energy();
    for _ in 0..600 {
        app.update();
        let length = position(&app, bob).length();
        assert!(length < 1.5 + 1e-5, "{length}");
    }
    assert!(measure(&mut app).energy() < before);
    let x = position(&app, bob);
    assert!(x.y < -1.3, "{x}");
}

#[test]
fn a_hinge_stops_at_its_limits() {
    let mut app = app_with_gravity(120.0);
    let arm = ball(&mut app, Vec3::X);
    app.world_mut().entity_mut(arm).insert(SleepingDisabled);
    let hinge = (
        Joint::revolute(None, arm, Vec3::Z).at(Vec3::ZERO),
        JointLimits::new(-0.5, 0.25),
    );
    let hinge = app.world_mut().spawn(hinge).id();
    for step in 0..600 {
        if step == 300 {
            app.world_mut()
                .entity_mut(arm)
                .insert(LinearVelocity(8.0 * Vec3::Y));
        }
        app.update();
        let at = position(&app, arm);
        let angle = at.y.atan2(at.x);
        assert!(
            (-0.5 - 1e-5..0.25 + 1e-5).contains(&angle),
            "{angle} in step {step}"
        );
    }
    let at = position(&app, arm);
    assert!((at.y.atan2(at.x) + 0.5).abs() < 1e-5, "{at}");
    // At the limit, the hinge bears the weight and the torque.
    let JointForce { force, torque } = force(&app, hinge);
    assert!(force.distance(2.0 * G * Vec3::Y) < 1e-2, "{force}");
    let wanted = 2.0 * G * 0.5f32.cos() * Vec3::Z;
    assert!(torque.distance(wanted) < 2e-2, "{torque}, not {wanted}");
}

#[test]
fn a_slider_stops_at_its_limits_and_is_driven() {
    let mut app = app_with_gravity(60.0);
    let lift = ball(&mut app, Vec3::ZERO);
    let joint = (
        Joint::prismatic(None, lift, Vec3::Y),
        JointLimits::new(-1.0, 2.0),
    );
    let joint = app.world_mut().spawn(joint).id();
    steps(&mut app, 120);
    assert!((position(&app, lift).y + 1.0).abs() < 1e-5);
    // A motor that is too weak, and one that is not.
    let motor = JointMotor::velocity(1.0).with_max_force(0.5 * 2.0 * G);
    app.world_mut().entity_mut(joint).insert(motor);
    steps(&mut app, 60);
    assert!((position(&app, lift).y + 1.0).abs() < 1e-5);
    let motor = JointMotor::velocity(1.0).with_max_force(1.5 * 2.0 * G);
    app.world_mut().entity_mut(joint).insert(motor);
    // With half of its weight left, it takes 2/G s to 1 m/s.
    steps(&mut app, 6);
    let t = 0.1;
    let wanted = -1.0 + 0.25 * G * t * t;
    let y = position(&app, lift).y;
    assert!((y - wanted).abs() < 1e-3, "{y}, not {wanted}");
    steps(&mut app, 30);
    let v = velocity(&app, lift);
    assert!(v.distance(Vec3::Y) < 1e-4, "{v}");
    steps(&mut app, 300);
    assert!((position(&app, lift).y - 2.0).abs() < 1e-5);
}

#[test]
fn a_motor_speeds_a_wheel_up_by_its_torque_and_holds_its_speed() {
    let mut app = app(60.0);
    let wheel = ball(&mut app, Vec3::ZERO);
    let inertia = 0.4 * 2.0 * 0.01;
    let motor = JointMotor::velocity(20.0).with_max_force(0.05);
    app.world_mut()
        .spawn((Joint::revolute(None, wheel, Vec3::Z), motor));
    steps(&mut app, 60);
    let wanted = 0.05 / inertia;
    let w = spin(&app, wheel);
    assert!(
        w.distance(wanted * Vec3::Z) < 1e-3 * wanted,
        "{w}, not {wanted}"
    );
    steps(&mut app, 180);
    let w = spin(&app, wheel);
    assert!(w.distance(20.0 * Vec3::Z) < 1e-3, "{w}");
}

#[test]
fn a_motor_turns_a_hinge_to_an_angle() {
    let mut app = app_with_gravity(60.0);
    let arm = ball(&mut app, Vec3::X);
    let motor = JointMotor::position(1.0, JointSpring::frequency(2.0, 1.0));
    let joint = app
        .world_mut()
        .spawn((Joint::revolute(None, arm, Vec3::Y).at(Vec3::ZERO), motor))
        .id();
    steps(&mut app, 180);
    let at = position(&app, arm);
    assert!(((-at.z).atan2(at.x) - 1.0).abs() < 1e-4, "{at}");
    // With little torque it gets there later.
    let motor = JointMotor::position(-1.0, JointSpring::frequency(2.0, 1.0)).with_max_force(20.0);
    app.world_mut().entity_mut(joint).insert(motor);
    steps(&mut app, 6);
    let at = position(&app, arm);
    let wanted = 1.0 - 0.5 * 20.0 / (2.0 * 1.004) * 0.01;
    let angle = (-at.z).atan2(at.x);
    assert!((angle - wanted).abs() < 2e-3, "{angle}, not {wanted}");
    steps(&mut app, 600);
    let at = position(&app, arm);
    assert!(((-at.z).atan2(at.x) + 1.0).abs() < 1e-3, "{at}");
}

#[test]
fn a_shoulder_swings_in_its_cone_and_twists_within_limits() {
    let mut app = app_with_gravity(120.0);
    let arm = (
        Capsule::new(0.1, 0.5),
        Sensor,
        RigidBody::Dynamic,
        SleepingDisabled,
        Transform::from_xyz(0.5, 0.0, 0.0).with_rotation(Quat::from_rotation_z(0.5 * PI)),
        AngularVelocity(Vec3::new(5.0, 0.0, 0.0)),
    );
    let arm = app.world_mut().spawn(arm).id();
    let shoulder = (
        Joint::spherical(None, arm).at(Vec3::ZERO),
        SwingLimit(0.4),
        JointLimits::new(-0.3, 0.3),
    );
    app.world_mut().spawn(shoulder);
    let (mut most_swing, mut most_twist) = (0f32, 0f32);
    for _ in 0..600 {
        app.update();
        let q = get::<Transform>(&app, arm).rotation * Quat::from_rotation_z(0.5 * PI).inverse();
        most_swing = most_swing.max((q * Vec3::X).angle_between(Vec3::X));
        most_twist = most_twist.max((2.0 * q.x.atan2(q.w)).abs());
    }
    println!("swing {most_swing}, twist {most_twist}");
    assert!((most_swing - 0.4).abs() < 1e-3, "{most_swing}");
    assert!((most_twist - 0.3).abs() < 1e-3, "{most_twist}");
}

#[test]
fn a_wheel_turns_steers_and_sinks_on_its_spring() {
    let mut app = app_with_gravity(60.0);
    let wheel = ball(&mut app, Vec3::ZERO);
    let joint = (
        Joint::wheel(None, wheel, Vec3::Y, Vec3::X),
        JointSpring::frequency(2.0, 0.7),
        JointMotor::velocity(10.0),
    );
    let joint = app.world_mut().spawn(joint).id();
    steps(&mut app, 300);
    let sag = G / (4.0 * PI).powi(2);
    let at = position(&app, wheel);
    assert!(at.distance(-sag * Vec3::Y) < 1e-4, "{at}");
    assert!(spin(&app, wheel).distance(10.0 * Vec3::X) < 1e-3);
    let steering = 0.5;
    let mut changed = get::<Joint>(&app, joint);
    changed.kind = JointKind::Wheel { steering };
    app.world_mut().entity_mut(joint).insert(changed);
    steps(&mut app, 60);
    let axle = Quat::from_rotation_y(steering) * Vec3::X;
    let w = spin(&app, wheel);
    assert!(w.distance(10.0 * axle) < 1e-2, "{w}, not along {axle}");
}

/// On the way down from level, the string comes to bear 3·m·g.
#[test]
fn a_snapshot_undoes_a_break() {
    let mut app = app_with_gravity(60.0);
    let bob = bob(&mut app, Vec3::X);
    let joint = (
        Joint::distance(None, bob).at(Vec3::ZERO),
        JointStrength::force(40.0),
    );
    let joint = app.world_mut().spawn(joint).id();
    steps(&mut app, 5);
    let before = PhysicsSnapshot::take(app.world_mut());
    let is_broken = |app: &App| app.world().get::<JointDisabled>(joint).is_some();
    let futures = [0, 1].map(|_| {
        assert!(!is_broken(&app));
        steps(&mut app, 60);
        assert!(is_broken(&app));
        let future = PhysicsSnapshot::take(app.world_mut()).checksum();
        before.restore(app.world_mut());
        future
    });
    assert_eq!(futures[0], futures[1]);
}

/// A joint breaks, or a user changes it, after a step. A world that is put back to that moment goes on as the first time: the bodies wake.
#[test]
fn a_world_put_back_sees_what_its_joints_have_become() {
    type Change = fn(&mut App, Entity);
    let changes: [Change; 4] = [
        |app, joint| {
            app.world_mut().entity_mut(joint).insert(JointDisabled);
        },
        |app, joint| {
            let motor = JointMotor::velocity(1.0).with_max_force(5.0);
            app.world_mut().entity_mut(joint).insert(motor);
        },
        |app, joint| {
            let mut shown = get::<Joint>(app, joint);
            shown.bodies_collide = true;
            app.world_mut().entity_mut(joint).insert(shown);
        },
        |_, _| {},
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut app = app_with_gravity(60.0);
        app.world_mut().spawn((Plane::new(Vec3::Y), Friction(0.5)));
        let bars = [-0.3, 0.3].map(|x| {
            let turned = Quat::from_rotation_z(0.5 * PI);
            let place = Transform::from_xyz(x, 0.1, 0.0).with_rotation(turned);
            app.world_mut().spawn((Capsule::new(0.1, 0.38), place)).id()
        });
        let hinge = Joint::revolute(bars[0], bars[1], Vec3::Z).at(0.1 * Vec3::Y);
        let joint = app.world_mut().spawn(hinge).id();
        steps(&mut app, 300);
        let sleeps = |app: &App| get::<Sleep>(app, bars[0]).is_asleep();
        assert!(sleeps(&app), "before change {number}");
        change(&mut app, joint);
        let before = PhysicsSnapshot::take(app.world_mut());
        let futures = [0, 1].map(|_| {
            steps(&mut app, 2);
            let wakes = !sleeps(&app);
            steps(&mut app, 28);
            let future = PhysicsSnapshot::take(app.world_mut()).checksum();
            before.restore(app.world_mut());
            (wakes, future)
        });
        assert_eq!(futures[0], futures[1], "change {number}");
        assert_eq!(futures[0].0, number < 3, "what wakes, of change {number}");
    }
}

#[test]
fn a_joint_shows_its_force_and_breaks_under_too_much() {
    let mut app = app_with_gravity(60.0);
    let bob = bob(&mut app, Vec3::NEG_Y);
    let joint = (
        Joint::distance(None, bob).at(Vec3::ZERO),
        JointStrength::force(30.0),
    );
    let joint = app.world_mut().spawn(joint).id();
    steps(&mut app, 10);
    let JointForce { force, torque } = force(&app, joint);
    assert!(force.distance(2.0 * G * Vec3::Y) < 1e-3, "{force}");
    assert_eq!(torque, Vec3::ZERO);
    // Centripetal: m·(g + v²/r) = 37.6 N.
    app.world_mut()
        .entity_mut(bob)
        .insert(LinearVelocity(3.0 * Vec3::X));
    let mut broken = Vec::new();
    for _ in 0..3 {
        app.update();
        broken.extend(messages::<JointBroken>(&app));
    }
    let [message] = broken[..] else {
        panic!("{broken:?}");
    };
    assert_eq!((message.joint, message.a, message.b), (joint, None, bob));
    assert!((message.force - 37.6).abs() < 0.5, "{message:?}");
    // Then it flies.
    let before = velocity(&app, bob);
    steps(&mut app, 30);
    let wanted = before - Vec3::Y * G * 0.5;
    let after = velocity(&app, bob);
    assert!(after.distance(wanted) < 1e-3, "{after}, not {wanted}");
    // Mended, it holds what is there.
    app.world_mut()
        .entity_mut(joint)
        .remove::<(JointDisabled, JointStrength)>();
    app.world_mut()
        .entity_mut(joint)
        .insert(Joint::distance(None, bob).at(Vec3::ZERO));
    app.update();
    let length = position(&app, bob).length();
    steps(&mut app, 10);
    assert!((position(&app, bob).length() - length).abs() < 2e-3);
}

#[test]
fn drives_that_a_joint_has_no_freedom_for_are_told() {
    let mut app = app(60.0);
    let a = ball(&mut app, Vec3::ZERO);
    let b = ball(&mut app, Vec3::X);
    let bad = [
        app.world_mut()
            .spawn((Joint::fixed(a, b), JointMotor::velocity(1.0)))
            .id(),
        app.world_mut()
            .spawn((Joint::spherical(a, b), JointLimits::new(1.0, 0.0)))
            .id(),
        app.world_mut()
            .spawn((Joint::revolute(a, b, Vec3::X), SwingLimit(1.0)))
            .id(),
        app.world_mut()
            .spawn((Joint::distance(a, b), JointSpring::frequency(0.0, 1.0)))
            .id(),
        app.world_mut()
            .spawn((Joint::distance(a, b), JointMotor::velocity(f32::NAN)))
            .id(),
    ];
    let mut told = Vec::new();
    for _ in 0..3 {
        app.update();
        told.extend(messages::<BadInput>(&app));
    }
    for entity in bad {
        let of = told.iter().filter(|it| it.entity == entity).count();
        assert_eq!(of, 1, "{entity}: {told:?}");
    }
    println!("{}", told[0].problem);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Whatever springs without damping and limits do, momentum stays, and no energy comes from nowhere.
    #[test]
    fn drives_keep_the_momentum_and_make_no_energy(
        kind in 0..4u8,
        frequency in 0.2..100.0f32,
        limits in (-1.0..0.0f32, 0.0..1.0f32),
        is_narrow in any::<bool>(),
        has_spring in any::<bool>(),
        masses in (0.1..10.0f32, 0.1..10.0f32),
        v in prop::array::uniform2(prop::array::uniform3(-1.0..1.0f32)),
        w in prop::array::uniform2(prop::array::uniform3(-2.0..2.0f32)),
    ) {
        let by = if is_narrow { 0.03 } else { 1.0 };
        let limits = (by * limits.0, by * limits.1);
        let mut app = app(120.0);
        let bodies = [0, 1].map(|k| {
            let body = (
                Capsule::new(0.1, 0.4),
                Mass(if k == 0 { masses.0 } else { masses.1 }),
                Transform::from_xyz(0.8 * k as f32, 0.3 * k as f32, 0.0),
                LinearVelocity(v[k].into()),
                AngularVelocity(w[k].into()),
            );
            app.world_mut().spawn(body).id()
        });
        steps(&mut app, 1);
        let before = measure(&mut app);
        let [a, b] = bodies;
        let joint = match kind {
            0 => Joint::distance(a, b),
            1 => Joint::revolute(a, b, Vec3::Y),
            2 => Joint::prismatic(a, b, Vec3::X),
            _ => Joint::spherical(a, b),
        };
        let mut entity = app.world_mut().spawn(joint);
        match kind {
            0 => entity.insert(JointLimits::new(0.7 + 0.2 * limits.0, 1.0 + limits.1)),
            3 => entity.insert((JointLimits::new(limits.0, limits.1), SwingLimit(limits.1))),
            _ => entity.insert(JointLimits::new(limits.0, limits.1)),
        };
        if has_spring {
            entity.insert(JointSpring::frequency(frequency, 0.0));
        }
        let speed = (2.0 * before.kinetic_energy * f64::from(masses.0 + masses.1)).sqrt();
        let mut most = 0f64;
        for _ in 0..600 {
            app.update();
            most = most.max(measure(&mut app).kinetic_energy);
        }
        let after = measure(&mut app);
        let change = after.momentum - before.momentum;
        prop_assert!(change.length() < 4e-6 * (speed + 0.1), "momentum changes by {change}");
        let change = after.angular_momentum - before.angular_momentum;
        prop_assert!(change.length() < 2e-5 * (speed + 0.1) * (1.0 + speed), "L changes by {change}");
        prop_assert!(most < 1.02 * before.kinetic_energy + 1e-6, "{most} J of {}", before.kinetic_energy);
    }
}
