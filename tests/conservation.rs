//! Linear and angular momentum hold through collisions, overlaps and rotation; energy holds without friction.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;
use proptest::{
    prelude::*,
    test_runner::{RngAlgorithm, TestRng},
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Numbers in −1..1, the same in every run.
fn numbers(seed: u8) -> impl FnMut() -> f32 {
    let mut rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    move || rng.random_range(-1.0..1.0)
}

/// Balls and capsules thrown into a heap so small that most overlap, spinning and moving, under their own gravity.
fn cluster(seed: u8, balls: usize, capsules: usize) -> App {
    let mut app = app(60.0);
    app.insert_resource(SelfGravity {
        constant: 1.0,
        ..default()
    });
    let mut next = numbers(seed);
    let mut vec = |size: f32| Vec3::new(next(), next(), next()) * size;
    for i in 0..balls + capsules {
        let mass = 1.0 + vec(0.9).x;
        let size = 0.3 + vec(0.15).x;
        let body = (
            Mass(mass),
            Friction(0.5),
            Restitution(0.5),
            Transform::from_translation(vec(2.0)).with_rotation(Quat::from_scaled_axis(vec(3.0))),
            LinearVelocity(vec(1.0)),
            AngularVelocity(vec(3.0)),
        );
        if i < balls {
            app.world_mut().spawn((Particle::new(size), body));
        } else {
            app.world_mut()
                .spawn((Capsule::new(0.6 * size, 3.0 * size), body));
        }
    }
    app
}

fn total_mass(app: &mut App) -> f64 {
    let mut masses = app.world_mut().query::<&Mass>();
    masses.iter(app.world()).map(|mass| f64::from(mass.0)).sum()
}

#[test]
fn a_free_cluster_keeps_linear_and_angular_momentum() {
    // Momenta are measured against √(2·E·M), the momentum of the whole mass with that energy.
    for (seed, balls, capsules) in [(1, 40, 0), (2, 0, 30), (3, 30, 15)] {
        let mut app = cluster(seed, balls, capsules);
        let start = measure(&mut app);
        assert!(
            start.overlap_max > 0.5,
            "the cluster should overlap at first"
        );
        let mut scale = start.angular_momentum_scale;
        let mut momentum_scale = 0.0f64;
        let mass = total_mass(&mut app);
        let mut touching = 0;
        for _ in 0..100 {
            steps(&mut app, 100);
            let now = measure(&mut app);
            scale = scale.max(now.angular_momentum_scale);
            momentum_scale = momentum_scale.max((2.0 * now.kinetic_energy * mass).sqrt());
            touching += now.touching;
        }
        assert!(
            touching > 1000,
            "the cluster should collide and rest: {touching} contacts"
        );
        let end = measure(&mut app);
        let case = format!("{balls} balls and {capsules} capsules");
        let off = (end.momentum - start.momentum).length();
        assert_near(
            &format!("momentum of {case}"),
            off / momentum_scale,
            0.0,
            1e-5,
        );
        let off = (end.angular_momentum - start.angular_momentum).length();
        assert_near(
            &format!("angular momentum of {case}"),
            off / scale,
            0.0,
            1e-5,
        );
    }
}

#[test]
fn projection_does_not_spin_a_turning_heap_up() {
    // Overlapping balls that turn as one, and nothing but projection to part them.
    let mut app = app(60.0);
    app.world_mut()
        .resource_mut::<CollisionConfig>()
        .stages
        .contact = false;
    app.world_mut()
        .resource_mut::<CollisionConfig>()
        .stages
        .impulse_jolt = false;
    let mut next = numbers(7);
    for _ in 0..60 {
        let x = Vec3::new(next(), next(), next()) * 1.5;
        app.world_mut().spawn((
            Particle::new(0.5),
            Transform::from_translation(x),
            LinearVelocity(Vec3::Y.cross(x) * 0.5),
        ));
    }
    let start = measure(&mut app);
    steps(&mut app, 200);
    let end = measure(&mut app);
    assert!(
        end.overlap_max < 0.1 * start.overlap_max,
        "projection parts the balls"
    );
    let off = (end.angular_momentum - start.angular_momentum).length();
    assert_near(
        "angular momentum",
        off / start.angular_momentum_scale,
        0.0,
        1e-5,
    );
}

#[test]
fn a_break_keeps_its_momentum_along_the_cloth() {
    let mut app = app_with_gravity(60.0);
    let radius = 0.028575;
    app.world_mut().resource_mut::<CollisionConfig>().friction =
        MaterialRule::new(CombineRule::Min, 0.0);
    app.world_mut().spawn((Plane::new(Vec3::Y), Friction(0.0)));
    let ball = |x: f32, z: f32, v: f32| {
        (
            Particle::new(radius),
            Mass(0.17),
            Restitution(0.95),
            Friction(0.05),
            Transform::from_xyz(x, radius, z),
            LinearVelocity(Vec3::X * v),
        )
    };
    for row in 0..5 {
        for place in 0..=row {
            let x = row as f32 * radius * 3f32.sqrt();
            let z = (2 * place - row) as f32 * radius;
            app.world_mut().spawn(ball(x, z, 0.0));
        }
    }
    app.world_mut().spawn(ball(-0.5, 0.003, 10.0));
    let start = measure(&mut app);
    steps(&mut app, 60);
    let end = measure(&mut app);
    let scattered = app.world_mut().query::<(&Particle, &LinearVelocity)>();
    let moving = { scattered }
        .iter(app.world())
        .filter(|(_, v)| v.length() > 0.05)
        .count();
    assert!(moving > 10, "the break sets {moving} balls moving");
    let off = (end.momentum - start.momentum) / start.momentum.length();
    assert_near("momentum along x", off.x, 0.0, 1e-5);
    assert_near("momentum along z", off.z, 0.0, 1e-5);
}

#[test]
fn an_elastic_gas_keeps_its_energy() {
    let mut app = app(60.0);
    for side in [
        Vec3::X,
        Vec3::Y,
        Vec3::Z,
        Vec3::NEG_X,
        Vec3::NEG_Y,
        Vec3::NEG_Z,
    ] {
        app.world_mut().spawn((
            Plane::new(side),
            Restitution(1.0),
            Friction(0.0),
            Transform::from_translation(-side * 2.0),
        ));
    }
    let mut next = numbers(11);
    for i in 0..216 {
        let cell = Vec3::new((i % 6) as f32, (i / 6 % 6) as f32, (i / 36) as f32);
        app.world_mut().spawn((
            Particle::new(0.1),
            Restitution(1.0),
            Friction(0.0),
            Transform::from_translation((cell - 2.5) * 0.6),
            LinearVelocity(Vec3::new(next(), next(), next()) * 3.0),
        ));
    }
    let start = measure(&mut app);
    let mut impacts = 0;
    for _ in 0..600 {
        app.update();
        impacts += messages::<Impact>(&app).len();
    }
    let end = measure(&mut app);
    assert!(impacts > 1000, "{impacts} impacts");
    assert_near("energy", end.energy() / start.energy(), 1.0, 1e-4);
}

#[test]
fn a_free_capsule_tumbles_with_its_momentum_and_energy() {
    let mut app = app(60.0);
    let capsule = app
        .world_mut()
        .spawn((
            Capsule::new(0.1, 0.8),
            AngularVelocity(Vec3::new(3.0, 5.0, -2.0)),
            Transform::from_rotation(Quat::from_rotation_x(0.4)),
        ))
        .id();
    let start = measure(&mut app);
    let spin_at_start = spin(&app, capsule);
    steps(&mut app, 1_000);
    let end = measure(&mut app);
    let off = (end.angular_momentum - start.angular_momentum).length();
    assert_near(
        "angular momentum",
        off / start.angular_momentum.length(),
        0.0,
        1e-5,
    );
    assert_near("energy", end.energy() / start.energy(), 1.0, 1e-5);
    assert!(
        spin(&app, capsule).distance(spin_at_start) > 0.1,
        "a tumbling body's spin wanders"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..default() })]

    /// Any two free bodies, spinning, rough and colliding off-centre: one body gains the momentum that the other body loses.
    #[test]
    fn any_pair_keeps_both_momenta_and_gains_no_energy(
        seed in 0u8..255,
        mass in 0.001..1000.0f32,
        e in 0.0..=1.0f32,
        friction in 0.0..2.0f32,
        shapes in 0..3,
    ) {
        let mut app = app(60.0);
        let mut next = numbers(seed);
        let mut vec = |size: f32| Vec3::new(next(), next(), next()) * size;
        for (i, m) in [1.0, mass].into_iter().enumerate() {
            let side = 2.0 * i as f32 - 1.0;
            let body = (
                Mass(m),
                Restitution(e),
                Friction(friction),
                Transform::from_translation(Vec3::X * side * 1.5 + vec(0.2))
                    .with_rotation(Quat::from_scaled_axis(vec(3.0))),
                LinearVelocity(Vec3::NEG_X * side * 4.0 + vec(0.5)),
                AngularVelocity(vec(5.0)),
            );
            if (shapes, i) == (0, 0) || (shapes, i) == (0, 1) || (shapes, i) == (1, 0) {
                app.world_mut().spawn((Particle::new(0.5), body));
            } else {
                app.world_mut().spawn((Capsule::new(0.3, 0.8), body));
            }
        }
        let start = measure(&mut app);
        steps(&mut app, 60);
        let end = measure(&mut app);
        let momentum_scale = (2.0 * start.kinetic_energy * f64::from(1.0 + mass)).sqrt();
        let off = (end.momentum - start.momentum).length() / momentum_scale;
        prop_assert!(off < 1e-5, "momentum off by {off}");
        let scale = start.angular_momentum_scale + start.angular_momentum.length();
        let off = (end.angular_momentum - start.angular_momentum).length() / scale;
        prop_assert!(off < 2e-5, "angular momentum off by {off}");
        prop_assert!(
            end.kinetic_energy <= start.kinetic_energy * (1.0 + 1e-5),
            "energy went from {} to {}", start.kinetic_energy, end.kinetic_energy
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..default() })]

    /// Spinning bodies that overlap deeply are pushed apart. Pushes turn capsules and give angular momentum to the spins, but no
    /// energy.
    #[test]
    fn pushes_out_of_deep_overlaps_create_no_energy(
        seed in 0u8..255,
        bodies in 2usize..6,
        spread in 0.05..0.25f32,
        ratio in 1.0..100.0f32,
    ) {
        let mut app = app(60.0);
        let mut next = numbers(seed);
        let mut vec = |size: f32| Vec3::new(next(), next(), next()) * size;
        for k in 0..bodies {
            app.world_mut().spawn((
                Capsule::new(0.2, 0.4 + 0.3 * k as f32),
                Mass(if k % 2 == 0 { 1.0 } else { ratio }),
                Restitution(0.3),
                Friction(0.5),
                Transform::from_translation(vec(spread))
                    .with_rotation(Quat::from_scaled_axis(vec(3.0))),
                LinearVelocity(vec(1.0)),
                AngularVelocity(vec(20.0)),
            ));
        }
        let start = measure(&mut app);
        prop_assume!(start.overlap_max > 0.05);
        let scale = (2.0 * start.kinetic_energy * total_mass(&mut app)).sqrt();
        for step in 0..60 {
            app.update();
            let now = measure(&mut app);
            let ratio = now.kinetic_energy / start.kinetic_energy;
            prop_assert!(ratio < 1.0 + 1e-4, "step {step}: {ratio} times the energy");
            let off = (now.momentum - start.momentum).length() / scale;
            prop_assert!(off < 1e-5, "momentum off by {off}");
        }
    }
}

/// A light, long rod is jammed between heavy bodies that it overlaps, with high friction: sweeps over its contacts diverge.
#[test]
fn a_jammed_rod_creates_no_energy() {
    let mut app = app(60.0);
    let mut config = app.world_mut().resource_mut::<CollisionConfig>();
    config.substeps = 2;
    config.contact_iterations = 21;
    let at = |x, y, z| Transform::from_xyz(x, y, z);
    let turned = |x, y, z, w| Quat::from_xyzw(x, y, z, w).normalize();
    let world = app.world_mut();
    world.spawn((Particle::new(0.0038), Mass(1.0), at(0.0565, 0.07, -0.0733)));
    world.spawn((
        Capsule::new(0.04, 0.77),
        Mass(0.016),
        Friction(10.0),
        at(-0.0604, 0.0118, 0.0562).with_rotation(turned(0.5763, 0.4238, 0.0452, -0.6973)),
    ));
    world.spawn((
        Capsule::new(0.075, 0.77),
        Mass(47.0),
        LinearVelocity(Vec3::new(8.8, 52.0, -6.0)),
        at(0.0859, 0.0194, -0.0786).with_rotation(turned(0.105, 0.401, -0.9053, 0.0926)),
    ));
    world.spawn((
        Capsule::new(0.014, 0.29),
        Mass(1.0),
        LinearVelocity(Vec3::new(46.0, -53.0, -39.0)),
        at(-0.0461, 0.0595, -0.0167),
    ));
    world.spawn((
        Particle::new(0.0025),
        Mass(1.0),
        LinearVelocity(Vec3::new(13.0, 44.0, -27.0)),
        at(-0.011, -0.00718, -0.0437),
    ));
    let start = measure(&mut app);
    for step in 0..60 {
        app.update();
        let ratio = measure(&mut app).kinetic_energy / start.kinetic_energy;
        assert!(ratio < 1.0 + 1e-4, "step {step}: {ratio} times the energy");
    }
    let end = measure(&mut app);
    let off = (end.momentum - start.momentum).length() / start.momentum.length();
    assert_near("momentum", off, 0.0, 1e-5);
}

/// Columns of balls whose masses differ by 8,000 fall on a floor, all at once. In no step does a column gain more kinetic energy
/// than its weight gives it on its way, m·g·(v·h + g·h²), and 2 % of the energy of its fall: one that loses energy hides nothing.
#[test]
fn no_column_gains_energy_while_others_lose_theirs() {
    const G: f64 = 9.81;
    const H: f64 = 1.0 / 60.0;
    let mut app = app_with_gravity(60.0);
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let world = app.world_mut();
    let material = (Friction(0.3), Restitution(0.2), Density(1000.0));
    world.spawn((Plane::new(Vec3::Y), material));
    let columns: Vec<Vec<Entity>> = (0..64)
        .map(|k| {
            let ball = |y: u32| {
                let radius = 0.1 * 0.05f32.powf(rng.random());
                let [x, z] = [k % 8, k / 8].map(|n| n as f32);
                let place = Transform::from_xyz(x, 0.21 * (y + 1) as f32, z);
                world.spawn((Particle::new(radius), material, place)).id()
            };
            (0..12).map(ball).collect()
        })
        .collect();
    let sum = |app: &App, of: &dyn Fn(f64, Vec3, f64) -> f64| -> Vec<f64> {
        let of_ball = |&ball: &Entity| {
            let m = f64::from(get::<Mass>(app, ball).0);
            of(m, position(app, ball), velocity(app, ball).length().into())
        };
        let of_column = |column: &Vec<Entity>| column.iter().map(of_ball).sum();
        columns.iter().map(of_column).collect()
    };
    let kinetic = |app: &App| sum(app, &|m, _, v| 0.5 * m * v * v);
    steps(&mut app, 1);
    let falls = sum(&app, &|m, x, _| m * G * f64::from(x.y));
    for step in 1..90 {
        let work = sum(&app, &|m, _, v| m * G * (v * H + G * H * H));
        let before = kinetic(&app);
        steps(&mut app, 1);
        for (k, e) in kinetic(&app).into_iter().enumerate() {
            let most = before[k] + 1.2 * work[k] + 0.02 * falls[k];
            assert!(
                e < most,
                "step {step}, column {k}: from {} J to {e} J",
                before[k]
            );
        }
    }
}
