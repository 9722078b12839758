//! The kernel's formulas, each against its equation or an independent computation.

#![allow(missing_docs)]

use approx::{assert_abs_diff_eq, assert_relative_eq};
use bevy_impulse_collide::{Shape, collision::manifold, kernel::*, shape::Placed};
use glam::{DVec3, Quat, Vec3};
use proptest::prelude::*;

#[track_caller]
fn assert_vec_near(actual: Vec3, expected: Vec3, epsilon: f32) {
    assert_abs_diff_eq!(
        actual.to_array()[..],
        expected.to_array()[..],
        epsilon = epsilon
    );
}

#[test]
fn overlap_keeps_its_sign() {
    assert_relative_eq!(overlap_pair(Vec3::X * 1.5, 1.0, 1.0), 0.5);
    assert_relative_eq!(overlap_pair(Vec3::X * 2.5, 1.0, 1.0), -0.5);
    assert_relative_eq!(overlap_plane(Vec3::new(9.0, 0.25, 3.0), Vec3::Y, 1.0), 0.75);
    // On the wrong side the depth goes on growing.
    assert_relative_eq!(overlap_plane(Vec3::NEG_Y * 10.0, Vec3::Y, 1.0), 11.0);
}

#[test]
fn contacts_are_classified_with_a_tolerance() {
    assert_eq!(contact_class(-0.2, 0.1), ContactClass::Impacting);
    assert_eq!(contact_class(-0.05, 0.1), ContactClass::Resting);
    assert_eq!(contact_class(0.0, 0.0), ContactClass::Resting);
    assert_eq!(contact_class(0.2, 0.1), ContactClass::Separating);
}

#[test]
fn reduced_masses_and_jolts() {
    assert_relative_eq!(reduced_mass(1.0 / 2.0, 1.0 / 6.0), 1.5);
    assert_relative_eq!(reduced_mass_ratio(1.0 / 2.0, 1.0 / 6.0), 0.75);
    assert_relative_eq!(reduced_mass_ratio(1.0 / 2.0, 0.0), 1.0);
    assert_eq!(reduced_mass(0.0, 0.0), 0.0);
    // The jolt is the impulse over the mass.
    let jolt = normal_jolt(0.6, 0.75, -4.0);
    assert_relative_eq!(jolt, normal_impulse(0.6, 1.5, -4.0) / 2.0);
    assert_relative_eq!(jolt, 4.8);
}

#[test]
fn friction_is_coulombs_until_it_would_reverse_the_sliding() {
    let v_t = Vec3::new(3.0, 0.0, -4.0);
    assert_vec_near(clipped_friction(v_t, 0.5, 2.0, 10.0), -v_t / 5.0, 1e-6);
    assert_vec_near(clipped_friction(v_t, 0.5, 1e6, 2.0), -v_t * 2.0, 1e-6);
    assert_eq!(clipped_friction(Vec3::ZERO, 0.5, 1.0, 1.0), Vec3::ZERO);
}

/// ∫ρ·(distance from the axis)² over the shape, by summing over a fine lattice.
fn lattice_inertia(radius: f32, length: f32) -> (f64, f64) {
    let n = 60;
    let top = f64::from(0.5 * length + radius);
    let (mut axial, mut transverse, mut count) = (0.0, 0.0, 0.0);
    let at = |i: i32, size: f64| (f64::from(i) + 0.5) / f64::from(n) * size;
    for i in -n..n {
        for j in -n..n {
            for k in -n..n {
                let (x, y, z) = (at(i, radius.into()), at(j, top), at(k, radius.into()));
                let beyond = (y.abs() - f64::from(0.5 * length)).max(0.0);
                if x * x + z * z + beyond * beyond <= f64::from(radius * radius) {
                    axial += x * x + z * z;
                    transverse += x * x + y * y;
                    count += 1.0;
                }
            }
        }
    }
    (axial / count, transverse / count)
}

#[test]
fn inertia_is_that_of_the_solid() {
    for (radius, length) in [(0.3, 0.0), (0.3, 1.0), (0.5, 0.2)] {
        let (axial, transverse) = capsule_inertia(1.0, radius, length);
        let (lattice_axial, lattice_transverse) = lattice_inertia(radius, length);
        assert_relative_eq!(f64::from(axial), lattice_axial, max_relative = 5e-3);
        assert_relative_eq!(
            f64::from(transverse),
            lattice_transverse,
            max_relative = 5e-3
        );
    }
    assert_relative_eq!(
        capsule_inertia(2.0, 0.3, 0.0).0,
        sphere_inertia(2.0, 0.3),
        max_relative = 1e-6
    );
}

#[test]
fn times_of_impact_solve_their_parabola() {
    // From 1 m at rest under 10 m/s²: √(2/10).
    assert_relative_eq!(
        parabola_impact_time(1.0, 0.0, -10.0, 1.0).unwrap(),
        0.2f32.sqrt()
    );
    // Up from the surface at 1 m/s and back: 2·v/g.
    assert_relative_eq!(parabola_impact_time(0.0, 1.0, -10.0, 1.0).unwrap(), 0.2);
    assert_eq!(parabola_impact_time(-0.5, -1.0, 0.0, 1.0), Some(0.0));
    assert_eq!(parabola_impact_time(1.0, 1.0, 0.0, 1.0), None);
    assert_eq!(
        parabola_impact_time(1.0, -0.5, 0.0, 1.0),
        None,
        "later than the step"
    );
    assert_eq!(
        parabola_impact_time(1.0, -1.0, 10.0, 9.0),
        None,
        "it turns before"
    );
}

/// The rotation of a capsule that lies along a unit vector.
fn along(axis: Vec3) -> Quat {
    Quat::from_rotation_arc(Vec3::Y, axis)
}

/// A capsule on a ball that meet off their centres.
fn off_centre(arm_a: Vec3, arm_b: Vec3) -> EffectiveMass {
    EffectiveMass::new(
        (
            1.0,
            InverseInertia::capsule(1.0, 0.2, 1.0),
            along(Vec3::X),
            arm_a,
        ),
        (0.5, InverseInertia::sphere(2.0, 0.4), Quat::IDENTITY, arm_b),
    )
}

/// Largest energy that an impact creates, and that its normal force alone creates, over the energy that compression takes without
/// friction. A slender capsule's end hits a plane with e = 1, in many ways.
fn greatest_gains(law: ImpactLaw) -> (f32, f32) {
    let (mut total, mut normal) = (f32::NEG_INFINITY, f32::NEG_INFINITY);
    for i in 0..20_000u32 {
        // Numbers that cover 0..1 evenly in every dimension (Weyl sequences).
        let u = |k: u32| (f64::from(i) * f64::from(k).sqrt()).fract() as f32;
        let angle = u(2) * std::f32::consts::FRAC_PI_2;
        let axis = Vec3::new(angle.cos(), angle.sin(), 0.0);
        let mass = EffectiveMass::new(
            (
                1.0,
                InverseInertia::capsule(1.0, 0.02, 1.0),
                along(axis),
                -0.5 * axis,
            ),
            (0.0, InverseInertia::ZERO, Quat::IDENTITY, Vec3::ZERO),
        );
        let velocity = Vec3::new(4.0 * u(3) - 2.0, -1.0, 2.0 * u(5) - 1.0);
        let impact = follow_impact(law, mass, Vec3::Y, velocity, 1.0, 1.5 * u(11));
        let p = impact.impulse;
        let work = p.dot(velocity) + 0.5 * p.dot(mass.k * p);
        let before = 0.5 * velocity.y * velocity.y / mass.inverse_along(Vec3::Y);
        total = total.max(work / before);
        normal = normal.max((impact.restitution_work + impact.compression_work) / before);
    }
    (total, normal)
}

#[test]
fn only_stronges_law_never_creates_energy() {
    let (total, _) = greatest_gains(ImpactLaw::Newton);
    assert!(total > 0.1, "Newton's: {total}");
    let (_, normal) = greatest_gains(ImpactLaw::Poisson);
    assert!(normal > 0.1, "Poisson's, by the normal force: {normal}");
    let (total, normal) = greatest_gains(ImpactLaw::Stronge);
    assert!(
        total < 1e-3 && normal < 1e-3,
        "Stronge's: {total}, by the normal force {normal}"
    );
}

/// A ball of 1 kg and 1 m on a floor runs with velocity `v` and angular velocity `w` into a wall, which it hits at a point `height`
/// above its centre. Returns both velocities after the impact, and the impulses of wall and floor.
fn press_on_floor(
    (v, w): (Vec3, Vec3),
    height: f32,
    (restitution, friction): (f32, f32),
    floor_friction: f32,
) -> ((Vec3, Vec3), (Vec3, Vec3)) {
    let n = -Vec3::new((1.0 - height * height).sqrt(), height, 0.0);
    let (arm, foot) = (-n, Vec3::NEG_Y);
    let inertia = InverseInertia::sphere(1.0, 1.0);
    let fixed = (0.0, InverseInertia::ZERO, Quat::IDENTITY, Vec3::ZERO);
    let mass = |arm| EffectiveMass::new((1.0, inertia, Quat::IDENTITY, arm), fixed);
    let support = Support {
        mass: mass(foot),
        coupling: coupling(1.0, inertia.across(), arm, foot),
        normal: Vec3::Y,
        velocity: v + w.cross(foot),
        friction: floor_friction,
    };
    let at_wall = v + w.cross(arm);
    let (wall, floor) = supported_impact_impulses(
        ImpactLaw::Stronge,
        mass(arm),
        n,
        at_wall,
        (restitution, friction),
        &support,
    );
    let turned = inertia.mul(Quat::IDENTITY, arm.cross(wall) + foot.cross(floor));
    ((v + wall + floor, w + turned), (wall, floor))
}

#[test]
fn a_smooth_wall_returns_a_ball_on_a_floor_by_its_restitution_at_any_height() {
    for height in [0.0, 0.2, 0.5] {
        for restitution in [0.0, 0.6, 1.0] {
            let before = (Vec3::new(2.0, 0.0, 0.7), Vec3::new(1.0, -3.0, 2.0));
            let ((v, w), (wall, floor)) = press_on_floor(before, height, (restitution, 0.0), 0.0);
            assert_vec_near(v, Vec3::new(-2.0 * restitution, 0.0, 0.7), 2e-3);
            assert_vec_near(w, before.1, 1e-5);
            assert_vec_near(floor, Vec3::Y * -wall.y, 1e-4);
        }
    }
}

proptest! {
    #[test]
    fn a_ball_pressed_on_a_floor_stays_on_it_within_coulombs_cones_and_gains_no_energy(
        (v_x, v_z) in (0.2..3.0f32, -3.0..3.0f32),
        w in vec3(8.0),
        height in 0.05..0.6f32,
        (restitution, friction, floor_friction) in (0.0..1.0f32, 0.0..1.0f32, 0.0..1.0f32),
    ) {
        let before = (Vec3::new(v_x, 0.0, v_z), w);
        let (after, (wall, floor)) =
            press_on_floor(before, height, (restitution, friction), floor_friction);
        let energy = |(v, w): (Vec3, Vec3)| 0.5 * v.length_squared() + 0.2 * w.length_squared();
        let scale = energy(before);
        prop_assert!(after.0.y > -1e-3 * scale.sqrt(), "into the floor: {}", after.0.y);
        prop_assert!(energy(after) < scale * (1.0 + 1e-4));
        let n = -Vec3::new((1.0 - height * height).sqrt(), height, 0.0);
        for (impulse, normal, limit) in [(wall, n, friction), (floor, Vec3::Y, floor_friction)] {
            let along = impulse.dot(normal);
            prop_assert!(along >= 0.0);
            let across = (impulse - normal * along).length();
            prop_assert!(across <= limit * along + 1e-4 * scale.sqrt());
        }
    }
}

fn vec3(size: f32) -> impl Strategy<Value = Vec3> {
    let one = move || -size..size;
    (one(), one(), one()).prop_map(Vec3::from)
}

fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        (0.1..1.0f32).prop_map(|radius| Shape::Particle { radius }),
        (0.1..1.0f32, 0.0..2.0f32).prop_map(|(radius, half_length)| Shape::Capsule {
            radius,
            half_length
        }),
        Just(Shape::Plane),
    ]
}

/// Point of the body's core (centre or segment) number `i` of `n`.
fn core(body: &Placed, i: usize, n: usize) -> Vec3 {
    match body.shape {
        Shape::Capsule { half_length, .. } => {
            body.x + body.axis * half_length * (2.0 * i as f32 / (n - 1) as f32 - 1.0)
        }
        _ => body.x,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn balls_meet_when_their_distance_says(
        d in vec3(10.0), v in vec3(50.0), a in vec3(10.0), reach in 0.1..2.0f32,
    ) {
        let until = 0.5;
        let gap = |s: f32| (d + v * s + a * (0.5 * s * s)).length() - reach;
        match sphere_impact_time(d, v, a, reach, until) {
            Some(s) => {
                prop_assert!((0.0..=until).contains(&s));
                prop_assert!(gap(0.0) <= 0.0 || gap(s).abs() < 1e-3, "gap {} at {s}", gap(s));
                let before = (1..20).map(|i| gap(s * i as f32 / 20.0)).fold(f32::INFINITY, f32::min);
                prop_assert!(gap(0.0) <= 0.0 || before > -1e-3, "it met before: {before}");
            }
            // Seen only at the end of the step, a miss is a miss.
            None => prop_assert!(gap(until) > -1e-3 || gap(0.0) <= 0.0),
        }
    }

    #[test]
    fn tangential_velocity_is_across_the_normal(v in vec3(10.0), n in vec3(1.0)) {
        prop_assume!(n.length() > 0.1);
        let n = n.normalize();
        let v_t = tangential_velocity(v, n);
        prop_assert!(v_t.dot(n).abs() < 1e-4);
        prop_assert!((v_t + n * n.dot(v)).distance(v) < 1e-4);
    }

    #[test]
    fn projection_keeps_the_angular_momentum_that_velocities_can_take(
        x_ab in vec3(1.0), v_ab in vec3(5.0), n in vec3(1.0), push in 0.0..0.2f32,
    ) {
        prop_assume!(n.length() > 0.1);
        let push = n.normalize() * push;
        prop_assume!((x_ab + push).length() > 4.0 * push.length());
        let v_after = v_ab + projection_velocity_change(x_ab, v_ab, push);
        let lack = x_ab.cross(v_ab) - (x_ab + push).cross(v_after);
        let along = (x_ab + push).normalize();
        prop_assert!((lack - along * along.dot(lack)).length() < 1e-5, "{lack}");
    }

    /// For balls, d·v_t stays: all of the angular momentum.
    #[test]
    fn projection_of_balls_scales_the_tangential_velocity(
        d in 0.1..2.0f32, v_ab in vec3(5.0), n in vec3(1.0), push in 0.0..0.02f32,
    ) {
        prop_assume!(n.length() > 0.1);
        let n = n.normalize();
        let v_after = v_ab + projection_velocity_change(n * d, v_ab, n * push);
        let expected = tangential_velocity(v_ab, n) * d / (d + push) + n * n.dot(v_ab);
        prop_assert!(v_after.distance(expected) < 1e-5, "{v_after} is not {expected}");
    }

    #[test]
    fn free_rotation_keeps_angular_momentum_and_goes_back(
        turn in vec3(3.0), w in vec3(20.0), s in -1.0..1.0f32,
    ) {
        let start = Quat::from_scaled_axis(turn);
        let w = w.as_dvec3();
        let symmetric = InverseInertia::capsule(1.0, 0.2, 1.0);
        let asymmetric = InverseInertia::of_moments(Vec3::new(0.3, 0.8, 1.0), Quat::from_rotation_x(0.4));
        // About its middle axis an asymmetric body is unstable: over a second at these speeds the rounding of the rotation, in f32,
        // grows by some e^20. So it goes back over the time of a step alone.
        for (inertia, back_over) in [(symmetric, s), (asymmetric, 0.05 * s)] {
            let l = |q: Quat, w: DVec3| inertia.precise_momentum(q, w);
            for s in [s, back_over] {
                let (rotation, w_after) = free_rotation(start, w, &inertia, s);
                prop_assert!(l(start, w).distance(l(rotation, w_after)) < 1e-4 * (1.0 + l(start, w).length()));
            }
            let (rotation, w_after) = free_rotation(start, w, &inertia, back_over);
            let (back, w_back) = free_rotation(rotation, w_after, &inertia, -back_over);
            prop_assert!(back.angle_between(start) < 2e-3);
            prop_assert!(w_back.distance(w) < 1e-3 * (1.0 + w.length()));
        }
    }

    /// Each law's own relation, Coulomb's cone, and for Stronge's no energy out of nothing, for any pair of lever arms.
    #[test]
    fn impacts_obey_their_laws(
        arm_a in vec3(0.5), arm_b in vec3(0.5), velocity in vec3(10.0), e in 0.0..=1.0f32, mu in 0.0..2.0f32,
    ) {
        let n = Vec3::Y;
        prop_assume!(velocity.y < -0.1);
        let mass = off_centre(arm_a, arm_b);
        for law in [ImpactLaw::Newton, ImpactLaw::Poisson, ImpactLaw::Stronge] {
            let p = impact_impulse(law, mass, n, velocity, e, mu);
            let after = velocity + mass.k * p;
            prop_assert!((p - n * p.y).length() <= mu * p.y * (1.0 + 1e-3) + 1e-5, "Coulomb: {p}");
            prop_assert!(after.y > -1e-3 * velocity.length(), "{law:?} lets them approach: {after}");
            if law == ImpactLaw::Newton {
                prop_assert!((after.y + e * velocity.y).abs() < 1e-3 * velocity.length(), "Newton: {after}");
            }
            if law == ImpactLaw::Stronge {
                let work = p.dot(velocity) + 0.5 * p.dot(mass.k * p);
                prop_assert!(work <= 1e-4 * velocity.length_squared(), "energy gained: {work}");
            }
        }
    }

    /// Through the centres, as for balls, the three laws are one.
    #[test]
    fn the_laws_agree_for_balls(velocity in vec3(10.0), e in 0.0..=1.0f32, mu in 0.0..2.0f32) {
        let n = Vec3::Y;
        prop_assume!(velocity.y < -0.1);
        let ball = InverseInertia::sphere(1.0, 0.5);
        let mass = EffectiveMass::new(
            (1.0, ball, Quat::IDENTITY, n * -0.5),
            (1.0, ball, Quat::IDENTITY, n * 0.5),
        );
        let impulse = |law| impact_impulse(law, mass, n, velocity, e, mu);
        prop_assert_eq!(impulse(ImpactLaw::Newton), impulse(ImpactLaw::Stronge));
        prop_assert_eq!(impulse(ImpactLaw::Poisson), impulse(ImpactLaw::Stronge));
        prop_assert!((impulse(ImpactLaw::Stronge).y + (1.0 + e) * velocity.y / 2.0).abs() < 1e-5);
    }

    /// The deepest point of a contact set is as deep as the cores are near, sampled; and it does not matter who is first.
    #[test]
    fn contact_sets_find_the_nearest_points(
        shape_a in shape(), shape_b in shape(), x_a in vec3(2.0), x_b in vec3(2.0), axis_a in vec3(1.0), axis_b in vec3(1.0),
    ) {
        prop_assume!(axis_a.length() > 0.1 && axis_b.length() > 0.1);
        let a = Placed::new(shape_a, x_a, axis_a.normalize());
        let b = Placed::new(shape_b, x_b, axis_b.normalize());
        let points = manifold(&a, &b, f32::INFINITY);
        if let (Shape::Plane, Shape::Plane) = (shape_a, shape_b) {
            prop_assert!(points.is_empty());
            return Ok(());
        }
        let deepest = points.iter().map(|p| p.depth).fold(f32::NEG_INFINITY, f32::max);
        let n = 101;
        let mut nearest = f32::INFINITY;
        for i in 0..n {
            for j in 0..n {
                let gap = match (shape_a, shape_b) {
                    (Shape::Plane, _) => (core(&b, j, n) - a.x).dot(a.axis),
                    (_, Shape::Plane) => (core(&a, i, n) - b.x).dot(b.axis),
                    _ => core(&a, i, n).distance(core(&b, j, n)),
                } - shape_a.radius() - shape_b.radius();
                nearest = nearest.min(gap);
            }
        }
        prop_assert!((deepest + nearest).abs() < 2e-2, "depth {deepest}, sampled gap {nearest}");
        for (p, q) in points.iter().zip(&manifold(&b, &a, f32::INFINITY)) {
            prop_assert!((p.normal.length() - 1.0).abs() < 1e-5);
            if points.len() == 1 {
                prop_assert!(p.normal.distance(-q.normal) < 1e-3 || p.depth > shape_a.radius() + shape_b.radius() - 1e-3);
            }
        }
    }
}

#[test]
fn a_capsule_along_another_or_on_a_plane_touches_at_two_points() {
    let capsule = |x: Vec3, axis: Vec3| {
        let shape = Shape::Capsule {
            radius: 0.2,
            half_length: 1.0,
        };
        Placed::new(shape, x, axis)
    };
    let lower = capsule(Vec3::ZERO, Vec3::X);
    let upper = capsule(Vec3::new(0.5, 0.39, 0.0), Vec3::X);
    let points = manifold(&upper, &lower, f32::INFINITY);
    assert_eq!(points.len(), 2);
    for (point, x) in points.iter().zip([-0.5, 1.0]) {
        assert_vec_near(point.point, Vec3::new(x, 0.195, 0.0), 1e-5);
        assert_vec_near(point.normal, Vec3::Y, 1e-5);
        assert_abs_diff_eq!(point.depth, 0.01, epsilon = 1e-5);
    }
    assert_eq!(
        manifold(&capsule(Vec3::Y * 0.39, Vec3::Z), &lower, f32::INFINITY).len(),
        1,
        "across"
    );
    assert_eq!(
        manifold(&capsule(Vec3::X * 2.3, Vec3::X), &lower, f32::INFINITY).len(),
        1,
        "end to end"
    );
    let ground = Placed::new(Shape::Plane, Vec3::NEG_Y * 0.2, Vec3::Y);
    assert_eq!(manifold(&lower, &ground, f32::INFINITY).len(), 2);
}
