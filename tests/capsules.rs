//! Capsules as rigid bodies: they stand, fall, roll, tumble and bounce as their inertia says.

use std::f32::consts::{FRAC_PI_2, TAU};

use bevy::prelude::*;
use bevy_impulse_collide::{
    kernel::{capsule_inertia, turn},
    prelude::*,
};
use laws::*;
use proptest::prelude::*;

/// Along z.
fn lying() -> Quat {
    Quat::from_rotation_x(FRAC_PI_2)
}

fn without_sleep(mut app: App) -> App {
    let mut config = app.world_mut().resource_mut::<CollisionConfig>();
    config.sleep_speed = 0.0;
    app
}

/// Logs along z on a floor between two kerbs, `rows` rows, each in the grooves of the row below.
fn pyramid(rows: usize) -> (App, Vec<(Entity, Vec3)>) {
    let mut app = without_sleep(app_with_gravity(60.0));
    let (radius, length) = (0.1, 1.0);
    let rough = (Friction(0.5), Restitution(0.0));
    let log = |x: f32, y: f32| {
        let place = Transform::from_xyz(x, y, 0.0).with_rotation(lying());
        (Capsule::new(radius, length), rough, place)
    };
    let world = app.world_mut();
    world.spawn((Plane::new(Vec3::Y), rough));
    let kerb = (rows + 1) as f32 * radius;
    for x in [-kerb, kerb] {
        world.spawn((log(x, radius), RigidBody::Static));
    }
    let mut logs = Vec::new();
    for row in 0..rows {
        let in_row = rows - row;
        for i in 0..in_row {
            let x = (2 * i + 1) as f32 - in_row as f32;
            let y = 1.0 + row as f32 * 3f32.sqrt();
            let bundle = log(x * radius, y * radius);
            let start = bundle.2.translation;
            logs.push((world.spawn(bundle).id(), start));
        }
    }
    (app, logs)
}

#[test]
fn a_pyramid_of_logs_stands() {
    let (mut app, logs) = pyramid(20);
    app.world_mut().resource_mut::<CollisionConfig>().substeps = 4;
    steps(&mut app, 3600);
    for (log, start) in logs {
        let moved = position(&app, log).distance(start) / 0.1;
        assert_near("moved", moved.into(), 0.0, 0.05);
        assert_near("speed", velocity(&app, log).length().into(), 0.0, 1e-3);
    }
}

/// A capsule of radius r and half length l rolls with its end on a static ball of radius R, tilted by θ. Its foot's centre goes
/// round the ball by φ = r·θ/(R + r); so its centre has the speed (r + l)·θ̇, it falls by (l + r²/(R + r))·θ²/2, and
/// θ̈ = λ²·θ with λ² = g·(l + r²/(R + r))/((l + r)² + I/m).
fn balanced(tilt: f32) -> (App, Entity, f64) {
    let mut app = without_sleep(app_with_gravity(60.0));
    let (r, l, ball) = (0.1f32, 0.5f32, 0.3f32);
    let rough = (Friction(1.0), Restitution(0.0));
    app.world_mut()
        .spawn((Particle::new(ball), RigidBody::Static, rough));
    let around = tilt * r / (ball + r);
    let foot = Vec3::new(around.sin(), around.cos(), 0.0) * (ball + r);
    let place = Transform::from_translation(foot + Vec3::new(tilt.sin(), tilt.cos(), 0.0) * l)
        .with_rotation(Quat::from_rotation_z(-tilt));
    let shape = Capsule::new(r, 2.0 * l);
    let capsule = app.world_mut().spawn((shape, Mass(1.0), rough, place)).id();
    let (_, inertia) = capsule_inertia(1.0, r, 2.0 * l);
    let rate = 9.81 * (l + r * r / (ball + r)) / ((l + r).powi(2) + inertia);
    (app, capsule, f64::from(rate).sqrt())
}

fn tilt(app: &App, capsule: Entity) -> f64 {
    let up = get::<Transform>(app, capsule).rotation * Vec3::Y;
    f64::from(up.x).atan2(up.y.into())
}

#[test]
fn a_capsule_on_its_end_falls_at_the_inverted_pendulums_rate() {
    let (mut app, capsule, _) = balanced(0.0);
    steps(&mut app, 120);
    assert_near("upright", tilt(&app, capsule), 0.0, 1e-3);

    let start = 1e-3;
    let (mut app, capsule, rate) = balanced(start);
    for part in 1..=4 {
        steps(&mut app, 12);
        let time = f64::from(12 * part) / 60.0;
        let grown = tilt(&app, capsule) / f64::from(start);
        let expected = (rate * time).cosh();
        assert_near("growth of the tilt", grown / expected, 1.0, 0.03);
    }
}

#[test]
fn a_capsule_rolls_down_a_slope_with_its_inertia() {
    for length in [0.0001, 0.3, 2.0] {
        let mut app = without_sleep(app_with_gravity(60.0));
        let (slope, radius) = (0.3f32, 0.1);
        let normal = Vec3::new(slope.sin(), slope.cos(), 0.0);
        let rough = (Friction(0.8), Restitution(0.0));
        app.world_mut().spawn((Plane::new(normal), rough));
        let place = Transform::from_translation(normal * radius).with_rotation(lying());
        let shape = Capsule::new(radius, length);
        let capsule = app.world_mut().spawn((shape, Mass(1.0), rough, place)).id();
        steps(&mut app, 60);
        let (axial, _) = capsule_inertia(1.0, radius, length);
        let expected = 9.81 * slope.sin() / (1.0 + axial / (radius * radius));
        let v = velocity(&app, capsule);
        let speed = v.dot(Vec3::new(slope.cos(), -slope.sin(), 0.0));
        assert_near("speed", (speed / expected).into(), 1.0, 2e-3);
        assert_near(
            "rolling",
            (spin(&app, capsule).z * radius / -speed).into(),
            1.0,
            2e-3,
        );
        assert_near("aside", v.dot(normal).into(), 0.0, 1e-3);
    }
}

#[test]
fn a_free_capsule_keeps_its_energy_over_a_thousand_turns() {
    let mut app = app(60.0);
    let w = Vec3::new(12.0, 9.0, -4.0);
    app.world_mut()
        .spawn((Capsule::new(0.1, 0.8), AngularVelocity(w)));
    let start = measure(&mut app);
    steps(&mut app, (60.0 * 1000.0 * TAU / w.length()) as usize);
    let end = measure(&mut app);
    assert_near("energy", end.energy() / start.energy(), 1.0, 1e-5);
    let off = (end.angular_momentum - start.angular_momentum).length();
    let scale = start.angular_momentum.length();
    assert_near("angular momentum", off / scale, 0.0, 1e-3);
}

/// Impulses of a body's contacts that touch, as the body feels them.
fn support(app: &App, body: Entity) -> Vec<Vec3> {
    let contacts = app.world().resource::<Contacts>().iter();
    contacts
        .filter(|contact| contact.is_touching && (contact.a == body || contact.b == body))
        .map(|contact| contact.impulse * if contact.a == body { 1.0 } else { -1.0 })
        .collect()
}

#[test]
fn what_lies_along_rests_on_two_points_each() {
    let mut app = without_sleep(app_with_gravity(60.0));
    let shape = Capsule::new(0.1, 1.0);
    let log = |x, y| {
        let place = Transform::from_xyz(x, y, 0.0).with_rotation(lying());
        (shape, Mass(1.0), Friction(0.5), Restitution(0.0), place)
    };
    let world = app.world_mut();
    world.spawn((Plane::new(Vec3::Y), Friction(0.5)));
    let on_floor = world.spawn(log(0.0, 0.1)).id();
    for x in [2.9, 3.1] {
        world.spawn((log(x, 2.0), RigidBody::Static));
    }
    let in_groove = world.spawn(log(3.0, 2.0 + 0.1 * 3f32.sqrt())).id();
    steps(&mut app, 120);
    let weight = 9.81 / 60.0;
    for (body, points) in [(on_floor, 2), (in_groove, 4)] {
        let impulses = support(&app, body);
        assert_eq!(impulses.len(), points);
        let sum: Vec3 = impulses.iter().sum();
        assert_near("weight", sum.distance(Vec3::Y * weight).into(), 0.0, 1e-4);
        for impulse in impulses {
            let share = impulse.y / weight * points as f32;
            assert_near("share", share.into(), 1.0, 0.1);
        }
    }
}

fn vector() -> impl Strategy<Value = Vec3> {
    let axis = || -1.0..1.0f32;
    (axis(), axis(), axis()).prop_map(Vec3::from)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..default() })]

    /// Two capsules that spin and meet anywhere, smooth and elastic.
    #[test]
    fn elastic_capsules_keep_energy_and_both_momenta(
        (turn_a, turn_b, spin_a, spin_b) in (vector(), vector(), vector(), vector()),
        aside in vector(),
        mass in 0.01..100f32,
    ) {
        let mut app = app(60.0);
        let common = (Restitution(1.0), Friction(0.0));
        for (side, m, at, w) in [(-1.0, 1.0, turn_a, spin_a), (1.0, mass, turn_b, spin_b)] {
            app.world_mut().spawn((
                Capsule::new(0.2, 0.8),
                Mass(m),
                common,
                Transform::from_translation(Vec3::X * side + 0.2 * aside * side)
                    .with_rotation(turn(3.0 * at, 1.0)),
                LinearVelocity(Vec3::NEG_X * side * 3.0),
                AngularVelocity(6.0 * w),
            ));
        }
        let start = measure(&mut app);
        steps(&mut app, 60);
        let end = measure(&mut app);
        let energy = end.kinetic_energy / start.kinetic_energy;
        prop_assert!((energy - 1.0).abs() < 2e-5, "energy {energy}");
        let scale = (2.0 * start.kinetic_energy * f64::from(1.0 + mass)).sqrt();
        let off = (end.momentum - start.momentum).length() / scale;
        prop_assert!(off < 1e-5, "momentum off by {off}");
        let scale = start.angular_momentum_scale + start.angular_momentum.length();
        let off = (end.angular_momentum - start.angular_momentum).length() / scale;
        prop_assert!(off < 2e-5, "angular momentum off by {off}");
    }
}
