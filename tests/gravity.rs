//! Self-gravity: Newton's law pair by pair, the tree against the direct sum, and orbits.

use bevy::{
    math::{DQuat, DVec3},
    prelude::*,
    tasks::TaskPoolBuilder,
};
use bevy_impulse_collide::{field::GravitySolver, prelude::*};
use laws::*;
use proptest::{
    prelude::RngExt,
    test_runner::{RngAlgorithm, TestRng},
};

const DIRECT: GravityMethod = GravityMethod::Direct;
const TREE: GravityMethod = GravityMethod::Tree { opening_angle: 0.5 };

#[derive(Clone, Default)]
struct Balls {
    position: Vec<Vec3>,
    mass: Vec<f32>,
    radius: Vec<f32>,
}

impl Balls {
    fn push(&mut self, position: Vec3, mass: f32, radius: f32) {
        self.position.push(position);
        self.mass.push(mass);
        self.radius.push(radius);
    }

    fn solve_on(&self, field: SelfGravity, threads: usize) -> Vec<DVec3> {
        let pool = TaskPoolBuilder::new().num_threads(threads).build();
        let position: Vec<DVec3> = self.position.iter().map(|x| x.as_dvec3()).collect();
        let mut solver = GravitySolver::default();
        // The second sum overwrites the results of the first.
        for _ in 0..2 {
            solver.solve(&field, &position, &self.mass, &self.radius, &pool);
        }
        solver.accelerations
    }

    fn solve(&self, method: GravityMethod) -> Vec<DVec3> {
        let field = SelfGravity {
            method,
            ..default()
        };
        self.solve_on(field, 1)
    }

    /// Median and 99th percentile of the tree's error.
    fn error(&self, opening_angle: f32) -> (f64, f64) {
        let tree = self.solve(GravityMethod::Tree { opening_angle });
        let direct = self.solve(DIRECT);
        let mut errors: Vec<f64> = tree
            .iter()
            .zip(&direct)
            .map(|(a, b)| a.distance(*b) / b.length())
            .collect();
        errors.sort_by(f64::total_cmp);
        let last = errors.len() - 1;
        (errors[last / 2], errors[last * 99 / 100])
    }

    /// Net force over the sum of all forces, and the same for the torque about the centre of mass.
    fn net(&self, accelerations: &[DVec3]) -> (f64, f64) {
        let bodies = || {
            let places = self.position.iter().map(|x| x.as_dvec3());
            self.mass.iter().map(|&m| f64::from(m)).zip(places)
        };
        let mass: f64 = bodies().map(|(m, _)| m).sum();
        let center = bodies().map(|(m, x)| m * x).sum::<DVec3>() / mass;
        let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
        let (mut forces, mut torques) = (0.0, 0.0);
        for ((m, x), a) in bodies().zip(accelerations) {
            force += m * a;
            forces += m * a.length();
            torque += m * (x - center).cross(*a);
            torques += m * (x - center).length() * a.length();
        }
        (force.length() / forces, torque.length() / torques)
    }
}

fn random(seed: u8) -> impl FnMut() -> f32 {
    let mut rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    move || rng.random_range(-1.0..1.0)
}

/// Balls of radius 0.5 to 2 and mass r³, all through a large ball that they fill to 0.6.
fn heap(count: usize) -> Balls {
    let mut next = random(1);
    let reach = (count as f32 * 2.66 / 0.6).cbrt();
    let mut balls = Balls::default();
    while balls.mass.len() < count {
        let x = Vec3::new(next(), next(), next());
        if x.length() < 1.0 {
            let r = 1.25 + 0.75 * next();
            balls.push(x * reach, r.powi(3), r);
        }
    }
    balls
}

/// Clumps of any mass, each a millionth to a tenth of the scene, and each denser towards its middle.
fn clumps(count: usize) -> Balls {
    let mut next = random(2);
    let mut balls = Balls::default();
    for clump in 0..10 {
        let center = Vec3::new(next(), next(), next()) * 5e3;
        let size = 10f32.powf(2.0 - 0.5 * clump as f32);
        let mass = 10f32.powf(3.0 * next());
        for _ in 0..count / 10 {
            let x = Vec3::new(next(), next(), next());
            let offset = x * x.length_squared() * size;
            balls.push(center + offset, mass * (1.1 + next()), 1e-3);
        }
    }
    balls
}

/// A round sheet in the plane z = 0.
fn sheet(count: usize) -> Balls {
    let mut balls = heap(count);
    balls.position.iter_mut().for_each(|x| x.z = 0.0);
    balls
}

#[test]
fn two_balls_attract_by_newtons_law() {
    let field = SelfGravity {
        constant: 3.0,
        ..default()
    };
    for method in [DIRECT, TREE] {
        // G, masses, and 1/s³ by the law, for distance, softening and the bound at contact.
        for (d, softening, clamp_at_contact, cube) in [
            (5.0, 0.0, true, 125.0),
            (1.5, 0.0, true, 3.375),
            (0.5, 0.0, true, 1.0),
            (0.5, 0.0, false, 0.125),
            (5.0, 12.0, true, 2197.0),
            (0.6, 0.8, false, 1.0),
            (0.0, 0.0, false, 1.0),
        ] {
            let mut balls = Balls::default();
            let along = Vec3::new(0.6, 0.0, 0.8);
            balls.push(Vec3::ONE, 2.0, 0.25);
            balls.push(Vec3::ONE + d * along, 7.0, 0.75);
            let field = SelfGravity {
                softening,
                clamp_at_contact,
                method,
                ..field
            };
            let a = balls.solve_on(field, 1);
            let expected = 3.0 * f64::from(d) / cube * along.as_dvec3();
            let tolerance = 1e-6 * (expected.length() * 7.0 + 1e-30);
            let case = format!("{method:?} at {d}, softening {softening}, {clamp_at_contact}");
            assert_near(&case, a[0].distance(7.0 * expected), 0.0, tolerance);
            assert_near(&case, a[1].distance(-2.0 * expected), 0.0, tolerance);
        }
    }
}

#[test]
fn the_force_is_the_gradient_of_the_pair_energy() {
    for (softening, clamp_at_contact) in [(0.0, true), (0.3, true), (0.3, false)] {
        let field = SelfGravity {
            constant: 2.0,
            softening,
            clamp_at_contact,
            method: DIRECT,
        };
        for d in [0.2f32, 0.9, 1.1, 4.0] {
            let mut balls = Balls::default();
            balls.push(Vec3::ZERO, 3.0, 0.4);
            balls.push(Vec3::X * d, 5.0, 0.6);
            let energy = |d: f64| field.pair_energy(3.0, 5.0, DVec3::X * d, 1.0);
            let (d, step) = (f64::from(d), 1e-5);
            let force = (energy(d + step) - energy(d - step)) / (2.0 * step);
            let found = 3.0 * balls.solve_on(field, 1)[0].x;
            assert_near("force", found / force, 1.0, 1e-6);
        }
    }
}

#[test]
fn a_shell_pulls_as_a_point_outside_and_not_inside() {
    // Newton's shell theorem; 20,000 points stand for the homogeneous shell.
    let narrow = GravityMethod::Tree { opening_angle: 0.3 };
    let count = 20_000;
    let shell = |i: usize| {
        let z = 1.0 - (2.0 * i as f32 + 1.0) / count as f32;
        let turn = i as f32 * 2.399_963_2;
        let r = (1.0 - z * z).sqrt();
        Vec3::new(r * turn.cos(), r * turn.sin(), z) * 10.0
    };
    for method in [DIRECT, narrow] {
        for (x, expected) in [
            (Vec3::new(3.0, -4.0, 2.0), 0.0),
            (Vec3::new(0.0, 12.0, -16.0), 1.0 / 400.0),
        ] {
            let mut balls = Balls::default();
            (0..count).for_each(|i| balls.push(shell(i), 1.0 / count as f32, 1e-3));
            balls.push(x, 1e-9, 1e-3);
            let a = balls.solve(method)[count];
            let expected = -expected * x.as_dvec3().normalize();
            let case = format!("{method:?} at {x}");
            // Against the pull at the shell, 1/100.
            assert_near(&case, a.distance(expected) / 0.01, 0.0, 1e-3);
        }
    }
}

#[test]
fn the_tree_is_near_the_direct_sum_wherever_the_bodies_are() {
    for (name, balls) in [
        ("heap", heap(6_000)),
        ("clumps", clumps(6_000)),
        ("sheet", sheet(6_000)),
    ] {
        let (median, percentile_99) = balls.error(0.5);
        assert!(
            percentile_99 > 1e-6,
            "{name}: the tree should be at work: {percentile_99}"
        );
        assert!(median < 1e-3, "{name}: median error {median}");
        assert!(
            percentile_99 < 2e-2,
            "{name}: 99th percentile {percentile_99}"
        );
    }
}

#[test]
fn the_error_falls_with_the_opening_angle() {
    let balls = heap(6_000);
    let [wide, middle, narrow] = [0.8, 0.5, 0.3].map(|angle| balls.error(angle).0);
    // As the angle to the fourth: 0.5⁴/0.8⁴ is 0.15, 0.3⁴/0.5⁴ is 0.13.
    assert!(middle < 0.3 * wide, "{middle} after {wide}");
    assert!(narrow < 0.3 * middle, "{narrow} after {middle}");
    let none = balls.error(0.0).0;
    assert!(none < 1e-6, "with an angle of zero, all is direct: {none}");
}

#[test]
fn two_groups_pull_each_other_within_the_stated_bound() {
    let mut next = random(3);
    let mut worst = 0.0f64;
    for distance in [4.0, 5.0, 8.0, 16.0] {
        for _ in 0..20 {
            // Two leaves of the tree.
            let mut balls = Balls::default();
            for group in [Vec3::ZERO, Vec3::X * distance] {
                for _ in 0..16 {
                    let x = Vec3::new(next(), next(), next());
                    balls.push(group + x, 1.1 + next(), 1e-3);
                }
            }
            let part = |from: usize| {
                let places = balls.position[from..from + 16].iter().map(|x| x.as_dvec3());
                let masses = balls.mass[from..from + 16].iter().map(|&m| f64::from(m));
                let mass: f64 = masses.clone().sum();
                let center = places
                    .clone()
                    .zip(masses)
                    .map(|(x, m)| m * x)
                    .sum::<DVec3>()
                    / mass;
                let radius = places.map(|x| x.distance(center)).fold(0.0, f64::max);
                (mass, center, radius)
            };
            let ((mass_a, a, radius_a), (mass_b, b, radius_b)) = (part(0), part(16));
            let angle = (radius_a + radius_b) / a.distance(b);
            if angle > 0.89 {
                continue;
            }
            let tree = balls.solve(GravityMethod::Tree { opening_angle: 0.9 });
            let direct = balls.solve(DIRECT);
            let share = angle.powi(4) * (5.0 - 4.0 * angle) / (1.0 - angle).powi(2);
            for i in 0..32 {
                let mass = if i < 16 { mass_b } else { mass_a };
                // The balance of the forces adds to an error no more than the largest error of each of the two groups.
                let bound = 3.0 * mass_a.max(mass_b) / mass * share * mass / a.distance_squared(b);
                let error = tree[i].distance(direct[i]);
                worst = worst.max(error / bound);
                assert!(
                    error <= bound + 1e-6,
                    "off by {error}, bound {bound}, angle {angle}"
                );
            }
        }
    }
    assert!(
        worst > 1e-3,
        "the expansions should have been at work: {worst}"
    );
}

#[test]
fn no_method_leaves_a_net_force_or_torque() {
    let mut line = Balls::default();
    (0..100).for_each(|i| line.push(Vec3::new(3.0, 1.0, 2.0) * i as f32, 1.0 + i as f32, 0.1));
    let mut heavy = heap(3_000);
    heavy.mass[17] = 1e9;
    for (name, balls) in [
        ("heap", heap(3_000)),
        ("clumps", clumps(3_000)),
        ("sheet", sheet(3_000)),
        ("line", line),
        ("one heavy ball", heavy),
    ] {
        for method in [DIRECT, TREE, GravityMethod::Tree { opening_angle: 0.9 }] {
            let (force, torque) = balls.net(&balls.solve(method));
            assert_near(&format!("force, {name}, {method:?}"), force, 0.0, 1e-14);
            assert_near(&format!("torque, {name}, {method:?}"), torque, 0.0, 1e-14);
        }
    }
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    for method in [DIRECT, TREE] {
        let field = SelfGravity {
            method,
            ..default()
        };
        for balls in [heap(5_000), clumps(5_000)] {
            let bits = |threads| {
                let a = balls.solve_on(field, threads);
                let bits = |a: DVec3| a.to_array().map(f64::to_bits);
                a.into_iter().map(bits).collect::<Vec<_>>()
            };
            let one = bits(1);
            assert!(one == bits(2) && one == bits(4), "{method:?}");
        }
    }
}

#[test]
fn a_flat_scene_stays_flat() {
    for method in [DIRECT, TREE] {
        let a = sheet(4_000).solve(method);
        assert!(a.iter().all(|a| a.z == 0.0 && a.x != 0.0), "{method:?}");
        let mut upright = sheet(4_000);
        upright.position.iter_mut().for_each(|x| *x = x.zxy());
        let a = upright.solve(method);
        assert!(a.iter().all(|a| a.x == 0.0 && a.y != 0.0), "{method:?}");
    }
}

#[test]
fn units_and_place_do_not_matter() {
    let mut balls = heap(3_000);
    // On a grid that f32 can still tell far away.
    for x in &mut balls.position {
        *x = (*x * 64.0).round() / 64.0;
    }
    for method in [DIRECT, TREE] {
        let here = balls.solve(method);
        let mut far = balls.clone();
        for x in &mut far.position {
            *x += Vec3::new(65536.0, -32768.0, 1024.0);
        }
        let mut large = balls.clone();
        let scale = 2f32.powi(60);
        large.position.iter_mut().for_each(|x| *x *= scale);
        large.radius.iter_mut().for_each(|r| *r *= scale);
        large.mass.iter_mut().for_each(|m| *m *= scale);
        for ((here, far), large) in here.iter().zip(far.solve(method)).zip(large.solve(method)) {
            let tolerance = 1e-5 * here.length();
            assert_near("far away", here.distance(far), 0.0, tolerance);
            let large = large * f64::from(scale);
            assert_near("large", here.distance(large) / here.length(), 0.0, 1e-12);
        }
    }
}

#[test]
fn balls_at_one_place_do_no_harm() {
    let mut balls = heap(500);
    (0..500).for_each(|_| balls.push(Vec3::new(1.0, 2.0, 3.0), 0.1, 0.2));
    let mut all_at_one = Balls::default();
    (0..500).for_each(|_| all_at_one.push(Vec3::new(1.0, 2.0, 3.0), 0.1, 0.2));
    let field = SelfGravity {
        clamp_at_contact: false,
        method: TREE,
        ..default()
    };
    for clamp_at_contact in [true, false] {
        let field = SelfGravity {
            clamp_at_contact,
            ..field
        };
        let tree = balls.solve_on(field, 1);
        let direct = balls.solve_on(
            SelfGravity {
                method: DIRECT,
                ..field
            },
            1,
        );
        for (tree, direct) in tree.iter().zip(&direct) {
            assert_near("tree", tree.distance(*direct) / direct.length(), 0.0, 0.05);
        }
        let none = all_at_one.solve_on(field, 1);
        assert!(none.iter().all(|a| *a == DVec3::ZERO), "nothing pulls");
    }
}

#[test]
fn few_bodies_and_none() {
    for method in [DIRECT, TREE] {
        assert_eq!(Balls::default().solve(method), []);
        let mut balls = Balls::default();
        balls.push(Vec3::ONE, 2.0, 1.0);
        assert_eq!(balls.solve(method), [DVec3::ZERO]);
        // Bodies without mass, such as planes, take no part.
        balls.push(Vec3::ZERO, 0.0, 0.0);
        assert_eq!(balls.solve(method), [DVec3::ZERO; 2]);
    }
}

#[test]
fn a_scene_tells_its_own_error_and_energy() {
    let balls = heap(1_500);
    let mut app = app(60.0);
    app.insert_resource(SelfGravity::default());
    for i in 0..balls.mass.len() {
        app.world_mut().spawn((
            Particle::new(balls.radius[i]),
            Mass(balls.mass[i]),
            Transform::from_translation(balls.position[i]),
        ));
    }
    let mut state = bevy::ecs::system::SystemState::<Measure>::new(app.world_mut());
    let measure = state.get(app.world()).expect("the plugin is there");
    let error = measure.force_error().expect("bodies are pulled");
    let (median, percentile_99) = balls.error(0.5);
    // The sums round differently if the bodies are in another order.
    assert_near("median", error.median / median, 1.0, 0.01);
    assert_near("99th", error.percentile_99 / percentile_99, 1.0, 0.01);
    let field = SelfGravity::default();
    let mut energy = 0.0;
    for i in 0..balls.mass.len() {
        for j in 0..i {
            energy += field.pair_energy(
                balls.mass[i].into(),
                balls.mass[j].into(),
                balls.position[i].as_dvec3() - balls.position[j].as_dvec3(),
                f64::from(balls.radius[i]) + f64::from(balls.radius[j]),
            );
        }
    }
    let measured = measure.measure().potential_energy;
    assert_near("energy", measured / energy, 1.0, 1e-12);
}

/// Two balls of equal mass on an orbit with eccentricity 0.5, semi-major axis 1 and period 2π, about their centre of mass,
/// at their greatest distance.
struct Orbit {
    app: App,
    balls: [Entity; 2],
}

impl Orbit {
    fn new(steps_per_period: f64) -> Self {
        let mut app = app(steps_per_period / std::f64::consts::TAU);
        app.insert_resource(SelfGravity::default());
        let apart = 1.5;
        let speed = (0.5f32 / 1.5).sqrt();
        let mut ball = |side: f32| {
            app.world_mut()
                .spawn((
                    Particle::new(0.001),
                    Mass(0.5),
                    Transform::from_xyz(0.5 * side * apart, 0.0, 0.0),
                    LinearVelocity(Vec3::Y * 0.5 * side * speed),
                ))
                .id()
        };
        let balls = [ball(1.0), ball(-1.0)];
        Self { app, balls }
    }

    /// Energy over the reduced mass, and the vector to the nearest point, as long as the eccentricity: v×(x×v) − x/|x|.
    fn elements(&self) -> (f64, DVec3) {
        let [a, b] = self.balls;
        let x = position(&self.app, a).as_dvec3() - position(&self.app, b).as_dvec3();
        let v = velocity(&self.app, a).as_dvec3() - velocity(&self.app, b).as_dvec3();
        let energy = 0.5 * v.length_squared() - 1.0 / x.length();
        (energy, v.cross(x.cross(v)) - x.normalize())
    }
}

#[test]
fn an_orbit_keeps_its_energy_and_shape_for_a_thousand_periods() {
    // Kepler's orbit closes on itself; leapfrog's turns by a fixed angle a period, which falls with the square of the step.
    let turn = |steps_per_period: usize, periods: usize| {
        let mut orbit = Orbit::new(steps_per_period as f64);
        let (energy, nearest) = orbit.elements();
        let mut off = 0.0f64;
        for _ in 0..periods {
            steps(&mut orbit.app, steps_per_period);
            off = off.max((orbit.elements().0 / energy - 1.0).abs());
        }
        let end = orbit.elements().1;
        assert_near("eccentricity", end.length(), nearest.length(), 1e-4);
        (
            off,
            DQuat::from_rotation_arc(nearest.normalize(), end.normalize())
                .to_scaled_axis()
                .z,
        )
    };
    // Positions in f32 are rounded in each step, here 300,000 times.
    let (off, angle) = turn(300, 1_000);
    assert_near("energy", off, 0.0, 1e-4);
    let coarse = angle / 1_000.0;
    assert_near("turn at 300 steps a period", coarse, -1.7330e-3, 2e-6);
    let (_, angle) = turn(600, 100);
    assert_near(
        "turn at 600 steps a period",
        100.0 * coarse / angle,
        4.0,
        0.02,
    );
}
