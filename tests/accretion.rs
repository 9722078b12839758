//! Balls that touch become one, and nothing is lost but energy.

use std::f64::consts::PI;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use glam::DVec3;
use laws::*;
use proptest::{
    prelude::RngExt,
    test_runner::{RngAlgorithm, TestRng},
};

fn ball(radius: f32, mass: f32, x: Vec3, v: Vec3) -> impl Bundle {
    (
        Particle::new(radius),
        Mass(mass),
        Transform::from_translation(x),
        LinearVelocity(v),
    )
}

fn accreting(accretion: Accretion) -> App {
    let mut app = app(60.0);
    app.insert_resource(accretion);
    app
}

fn balls_left(app: &mut App) -> Vec<Entity> {
    let mut balls = app
        .world_mut()
        .query_filtered::<Entity, With<Particle>>()
        .iter(app.world())
        .collect::<Vec<_>>();
    balls.sort_unstable();
    balls
}

/// Mass, and volume in world measures.
fn mass_and_volume(app: &mut App) -> (f64, f64) {
    let mut balls = app.world_mut().query::<(&Mass, &Particle, &Transform)>();
    balls
        .iter(app.world())
        .map(|(mass, particle, transform)| {
            let radius = f64::from(particle.radius) * f64::from(transform.scale.x);
            (f64::from(mass.0), 4.0 / 3.0 * PI * radius.powi(3))
        })
        .fold((0.0, 0.0), |(m, v), (mass, volume)| (m + mass, v + volume))
}

#[track_caller]
fn assert_near_vec(law: &str, actual: Vec3, expected: Vec3, tolerance: f64) {
    assert_near(law, actual.distance(expected).into(), 0.0, tolerance);
}

#[test]
fn two_balls_head_on_become_one() {
    let mut app = accreting(Accretion::Always);
    let light = ball(0.5, 1.0, Vec3::NEG_X, Vec3::X * 3.0);
    let light = app.world_mut().spawn(light).id();
    let heavy = app.world_mut().spawn(ball(1.0, 5.0, Vec3::X, Vec3::ZERO));
    let heavy = heavy.id();
    let mut merged = Vec::new();
    for _ in 0..30 {
        app.update();
        merged.extend(messages::<Merged>(&app));
    }
    assert_eq!(balls_left(&mut app), [heavy], "the heavier stays");
    let [merged] = merged[..] else {
        panic!("one message, not {merged:?}")
    };
    assert_eq!((merged.survivor, merged.absorbed), (heavy, light));
    assert_eq!((merged.absorbed_mass, merged.mass), (1.0, 6.0));
    let radius = (0.125f32 + 1.0).cbrt();
    assert_near(
        "radius",
        get::<Particle>(&app, heavy).radius.into(),
        radius.into(),
        1e-6,
    );
    assert_eq!(merged.radius, get::<Particle>(&app, heavy).radius);
    assert_eq!(get::<Mass>(&app, heavy).0, 6.0);
    assert_near_vec("momentum", velocity(&app, heavy), Vec3::X * 0.5, 1e-6);
    // The centre of mass was at (5 − 1)/6, and went on at 3/6 for half a second.
    let expected = Vec3::X * (4.0 / 6.0 + 0.5 * 0.5);
    assert_near_vec("centre of mass", position(&app, heavy), expected, 1e-5);
    assert_eq!(spin(&app, heavy), Vec3::ZERO);
}

#[test]
fn of_equals_the_first_stays() {
    let mut app = accreting(Accretion::Always);
    let mut spawn = |x: Vec3| app.world_mut().spawn(ball(0.5, 1.0, x, -x)).id();
    let mut both = [spawn(Vec3::X * 0.51), spawn(Vec3::NEG_X * 0.51)];
    both.sort_unstable();
    steps(&mut app, 10);
    assert_eq!(balls_left(&mut app), both[..1]);
}

#[test]
fn off_centre_the_spin_takes_the_angular_momentum() {
    let mut app = accreting(Accretion::Always);
    let (x, v, w) = (
        Vec3::new(1.0, 0.3, -0.1),
        Vec3::new(-2.0, 0.0, 0.5),
        Vec3::new(1.0, 2.0, 3.0),
    );
    app.world_mut()
        .spawn((ball(0.5, 2.0, x, v), AngularVelocity(w)));
    app.world_mut().spawn(ball(0.4, 1.0, -x, -v));
    steps(&mut app, 40);
    let left = balls_left(&mut app);
    assert_eq!(left.len(), 1);
    // Orbit: m_ab·x_ab × v_ab; spin: 2/5·m·r²·ω.
    let l = (2.0 / 3.0) * (2.0 * x).cross(2.0 * v) + 0.4 * 2.0 * 0.25 * w;
    let radius = (0.125f32 + 0.064).cbrt();
    let expected = l / (0.4 * 3.0 * radius * radius);
    assert_near_vec("spin", spin(&app, left[0]), expected, 1e-5 * 20.0);
    assert_near_vec("momentum", velocity(&app, left[0]), v / 3.0, 1e-6);
}

/// Balls of all sizes, spinning, under their own gravity.
fn cloud(substeps: u32) -> App {
    let mut app = accreting(Accretion::Always);
    app.world_mut().resource_mut::<CollisionConfig>().substeps = substeps;
    app.insert_resource(SelfGravity {
        constant: 1.0,
        ..default()
    });
    let mut rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[5; 32]);
    let mut next = || rng.random_range(-1.0..1.0f32);
    let mut vec = |size: f32| Vec3::new(next(), next(), next()) * size;
    for _ in 0..50 {
        let x = vec(3.0);
        let v = vec(1.0) + Vec3::new(-x.y, x.x, 0.0) * 0.3;
        app.world_mut().spawn((
            ball(0.2 + vec(0.1).x, 1.0 + vec(0.9).x, x, v),
            AngularVelocity(vec(3.0)),
            Friction(0.5),
        ));
    }
    app
}

#[test]
fn a_collapsing_cloud_keeps_mass_volume_and_momenta() {
    for substeps in [1, 3] {
        let mut app = cloud(substeps);
        let start = measure(&mut app);
        let (mass, volume) = mass_and_volume(&mut app);
        let momentum_scale = (2.0 * start.kinetic_energy * mass).sqrt();
        let (mut gone, mut updates) = (0, 0);
        while start.bodies - gone > 4 {
            app.update();
            updates += 1;
            assert!(updates < 20_000, "the cloud should collapse: {gone} merged");
            let merged = messages::<Merged>(&app);
            if merged.is_empty() {
                continue;
            }
            gone += merged.len();
            let now = measure(&mut app);
            assert_eq!(
                now.bodies,
                start.bodies - gone,
                "a message for each one gone"
            );
            let (mass_now, volume_now) = mass_and_volume(&mut app);
            assert_near("mass", mass_now / mass, 1.0, 1e-6);
            assert_near("volume", volume_now / volume, 1.0, 2e-6);
            let off = (now.momentum - start.momentum).length() / momentum_scale;
            assert_near("momentum", off, 0.0, 3e-6);
            let off = (now.angular_momentum - start.angular_momentum).length();
            let scale = start.angular_momentum_scale;
            assert_near("angular momentum", off / scale, 0.0, 3e-6);
            for merged in merged {
                assert!(app.world().get_entity(merged.absorbed).is_err());
            }
        }
    }
}

#[test]
fn a_merger_in_mid_torque_keeps_the_half_kick() {
    // Under torques, the spins at the middle and the end of a step differ by half a kick. The spin shown is the sum of both balls'
    // spins.
    let mut app = accreting(Accretion::Always);
    let torque = Vec3::new(0.0, 0.0, 3.0);
    for side in [-1.0, 1.0] {
        let v = Vec3::NEG_X * side;
        app.world_mut().spawn((
            ball(0.5, 1.0, Vec3::X * side * 0.505, v),
            ExternalTorque(torque),
        ));
    }
    app.update();
    let left = balls_left(&mut app);
    assert_eq!(left.len(), 1);
    let inertia = 0.4 * 2.0 * 0.25f32.powf(2.0 / 3.0);
    let expected = 2.0 * torque / 60.0 / inertia;
    assert_near_vec("spin", spin(&app, left[0]), expected, 1e-6);
}

#[test]
fn a_chain_becomes_one_in_one_step_in_any_order() {
    for order in [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ] {
        let mut app = accreting(Accretion::Always);
        let mut chain = [Entity::PLACEHOLDER; 3];
        for i in order {
            let mass = [1.0, 2.0, 4.0][i];
            let x = Vec3::new(i as f32, 0.1 * (i % 2) as f32, 0.0) * 0.99;
            let v = Vec3::new(1.0 - i as f32, i as f32, 0.5);
            chain[i] = app.world_mut().spawn(ball(0.5, mass, x, v)).id();
        }
        let start = measure(&mut app);
        app.update();
        assert_eq!(balls_left(&mut app), [chain[2]], "order {order:?}");
        let merged = messages::<Merged>(&app);
        assert_eq!(merged.len(), 2);
        assert!(
            merged
                .iter()
                .all(|m| m.survivor == chain[2] && m.mass == 7.0)
        );
        let end = measure(&mut app);
        assert_near("momentum", end.momentum.distance(start.momentum), 0.0, 1e-5);
        let off = end.angular_momentum.distance(start.angular_momentum);
        assert_near("angular momentum", off, 0.0, 1e-5);
        let expected = start.center_of_mass + start.momentum / 7.0 / 60.0;
        let off = end.center_of_mass.distance(expected);
        assert_near("centre of mass", off, 0.0, 1e-6);
    }
}

#[test]
fn a_density_is_that_of_mass_over_volume() {
    let mut app = accreting(Accretion::Always);
    let mut spawn = |radius: f32, density: f32, scale: f32, x: f32| {
        app.world_mut().spawn((
            Particle::new(radius),
            Density(density),
            Transform::from_xyz(x, 0.0, 0.0).with_scale(Vec3::splat(scale)),
            LinearVelocity(Vec3::NEG_X * x),
        ));
    };
    spawn(0.25, 1000.0, 2.0, -0.51);
    spawn(0.5, 3000.0, 1.0, 0.51);
    steps(&mut app, 10);
    let left = balls_left(&mut app);
    assert_eq!(left.len(), 1);
    let density = f64::from(get::<Density>(&app, left[0]).0);
    assert_near("density", density, 2000.0, 1e-2);
    // The mass is kept at density times volume, and so stays the sum.
    let (mass, volume) = mass_and_volume(&mut app);
    let ball_volume = PI / 6.0;
    assert_near("volume", volume, 2.0 * ball_volume, 1e-6);
    assert_near("mass", mass / (4000.0 * ball_volume), 1.0, 1e-6);
}

#[test]
fn a_scaled_ball_keeps_its_scale_and_gets_the_volume_in_world_measures() {
    let mut app = accreting(Accretion::Always);
    let scaled = (
        Particle::new(1.0),
        Mass(2.0),
        Transform::from_xyz(0.26, 0.0, 0.0).with_scale(Vec3::splat(0.25)),
    );
    let scaled = app.world_mut().spawn(scaled).id();
    app.world_mut()
        .spawn(ball(0.25, 1.0, Vec3::X * -0.26, Vec3::X * 2.0));
    steps(&mut app, 10);
    assert_eq!(balls_left(&mut app), [scaled]);
    assert_eq!(get::<Transform>(&app, scaled).scale, Vec3::splat(0.25));
    let radius = get::<Particle>(&app, scaled).radius;
    assert_near("radius", radius.into(), 2f64.cbrt(), 1e-6);
}

#[test]
fn only_slow_pairs_merge_below_a_speed() {
    for (e, left) in [(0.4, 1), (0.6, 2)] {
        let mut app = accreting(Accretion::SlowerThan(1.0));
        for side in [-1.0, 1.0] {
            app.world_mut().spawn((
                ball(0.5, 1.0, Vec3::X * side, Vec3::NEG_X * side),
                Restitution(e),
            ));
        }
        steps(&mut app, 60);
        // They meet at 2 m/s and part at 2·e.
        assert_eq!(balls_left(&mut app).len(), left, "restitution {e}");
    }
}

#[test]
fn only_what_gravity_holds_merges_when_bound() {
    // Two balls of 1 kg and 0.5 m touch: their escape speed is √(2·G·(1 + 1)/1) = 2 m/s.
    for (constant, speed, left) in [(1.0, 1.8, 1), (1.0, 2.2, 2), (0.0, 0.1, 2)] {
        let mut app = accreting(Accretion::Bound);
        app.insert_resource(Time::<Fixed>::from_hz(1000.0));
        if constant > 0.0 {
            app.insert_resource(SelfGravity {
                constant,
                ..default()
            });
        }
        for side in [-1.0, 1.0] {
            app.world_mut().spawn((
                ball(
                    0.5,
                    1.0,
                    Vec3::X * side * 0.5005,
                    Vec3::NEG_X * side * 0.5 * speed,
                ),
                Restitution(1.0),
            ));
        }
        steps(&mut app, 50);
        assert_eq!(balls_left(&mut app).len(), left, "at {speed} m/s");
    }
}

#[test]
fn planes_capsules_and_fixed_balls_do_not_merge() {
    let mut app = accreting(Accretion::Always);
    app.insert_resource(Gravity::default());
    app.world_mut().spawn(Plane::new(Vec3::Y));
    for x in [-4.0, 0.0, 4.0] {
        app.world_mut()
            .spawn(ball(0.3, 1.0, Vec3::new(x, 2.0, 0.0), Vec3::ZERO));
    }
    app.world_mut().spawn((
        Particle::new(0.5),
        RigidBody::Static,
        Transform::from_xyz(0.0, 0.5, 0.0),
    ));
    app.world_mut()
        .spawn((Capsule::new(0.5, 1.0), Transform::from_xyz(4.0, 1.0, 0.0)));
    let mut started = 0;
    for _ in 0..120 {
        app.update();
        started += messages::<CollisionStarted>(&app).len();
        assert_eq!(messages::<Merged>(&app), []);
    }
    assert!(started >= 4, "they touch: {started} times");
    assert_eq!(measure(&mut app).bodies, 6);
}

#[test]
fn a_merger_on_a_floor_keeps_what_the_floor_gives() {
    // Two balls rest on a floor and drift together. The floor bears the weight of each, in the step of the merger too.
    let mut app = app_with_gravity(60.0);
    app.world_mut()
        .spawn((Plane::new(Vec3::Y), Friction(0.0), Restitution(0.0)));
    for side in [-1.0, 1.0] {
        let (x, v) = (Vec3::new(side, 0.5, 0.0), Vec3::NEG_X * side);
        app.world_mut()
            .spawn((ball(0.5, 3.0, x, v), Friction(0.0), Restitution(0.0)));
    }
    steps(&mut app, 20);
    app.insert_resource(Accretion::Always);
    let floor_pairs = |app: &App| messages::<CollisionStarted>(app).len();
    while messages::<Merged>(&app).is_empty() {
        app.update();
        let momentum = measure(&mut app).momentum;
        assert_near("momentum", momentum.distance(DVec3::ZERO), 0.0, 1e-5);
    }
    assert_eq!(floor_pairs(&app), 1, "the two balls met");
    let contacts = app.world().resource::<Contacts>();
    let contacts: Vec<_> = contacts.iter().collect();
    let left = app.world().get_entity(contacts[0].a).is_ok();
    assert!(left, "contacts are those of the survivor");
    app.update();
    // The two balls no longer touch, and the absorbed ball no longer touches the floor.
    assert_eq!(messages::<CollisionEnded>(&app).len(), 2);
    steps(&mut app, 600);
    let left = balls_left(&mut app);
    let radius = 0.5 * 2f64.cbrt();
    assert_near(
        "it rests on the floor",
        position(&app, left[0]).y.into(),
        radius,
        1e-3,
    );
}

/// Σm·v and Σ(m·x × v + 2/5·m·r²·ω) about the origin, as the components show them.
fn shown_momenta(app: &mut App) -> (DVec3, DVec3) {
    let mut balls = app.world_mut().query::<(
        &Mass,
        &Particle,
        &Transform,
        &LinearVelocity,
        &AngularVelocity,
    )>();
    let (mut p, mut l) = (DVec3::ZERO, DVec3::ZERO);
    for (mass, particle, transform, v, w) in balls.iter(app.world()) {
        let m = f64::from(mass.0);
        let inertia = 0.4 * m * f64::from(particle.radius).powi(2);
        let (x, v, w) = (transform.translation.as_dvec3(), v.as_dvec3(), w.as_dvec3());
        p += m * v;
        l += m * x.cross(v) + inertia * w;
    }
    (p, l)
}

#[test]
fn what_is_shown_of_momentum_is_the_sum_of_both_balls() {
    // The floor holds one ball, the other falls on its side: at the merger they are accelerated differently.
    let scene = || {
        let mut app = app_with_gravity(60.0);
        app.world_mut().spawn(Plane::new(Vec3::Y));
        app.world_mut()
            .spawn((ball(0.5, 3.0, Vec3::Y * 0.5, Vec3::ZERO), Friction(0.5)));
        let v = Vec3::new(-2.0, 0.0, 0.3);
        app.world_mut()
            .spawn((ball(0.3, 1.0, Vec3::new(1.5, 1.2, 0.0), v), Friction(0.5)));
        app
    };
    let (mut apart, mut merging) = (scene(), scene());
    merging.insert_resource(Accretion::Always);
    for _ in 0..60 {
        apart.update();
        merging.update();
        if !messages::<Merged>(&merging).is_empty() {
            let (p, l) = shown_momenta(&mut apart);
            let (p_merged, l_merged) = shown_momenta(&mut merging);
            assert_near("momentum", p.distance(p_merged), 0.0, 1e-5);
            assert_near("angular momentum", l.distance(l_merged), 0.0, 1e-5);
            return;
        }
    }
    panic!("they should meet");
}

#[test]
fn two_runs_give_the_same_bits() {
    let run = || {
        let mut app = cloud(1);
        steps(&mut app, 600);
        let end = measure(&mut app);
        assert!(
            end.bodies < 40,
            "some should merge: {} are left",
            end.bodies
        );
        (end.bodies, end.state_hash)
    };
    assert_eq!(run(), run());
}

#[test]
fn nothing_merges_unless_asked() {
    let mut app = cloud(1);
    app.world_mut().remove_resource::<Accretion>();
    let mut impacts = 0;
    for _ in 0..300 {
        app.update();
        impacts += messages::<Impact>(&app).len();
    }
    assert!(impacts > 10, "{impacts} impacts");
    assert_eq!(measure(&mut app).bodies, 50);
    assert_eq!(messages::<Merged>(&app), []);
}
