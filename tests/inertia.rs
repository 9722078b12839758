//! Bodies whose mass is not spread evenly turn as Euler's equations say.

use std::f64::consts::PI;

use bevy::prelude::*;
use bevy_impulse_collide::{kernel::capsule_inertia, prelude::*};
use glam::DVec3;
use laws::*;
use proptest::prelude::*;

/// Half of the period in s with which a free body turns about its middle axis back and forth: 2·K(k²)/τ′, with the complete elliptic
/// integral K by the arithmetic-geometric mean (L. Landau and E. Lifshitz, Mechanics, §37). The moments are sorted.
fn time_between_flips(moments: DVec3, spin: DVec3) -> f64 {
    let l = moments * spin;
    let (square, energy_2) = (l.length_squared(), l.dot(spin));
    let [i_1, i_2, i_3] = moments.to_array();
    // For L² < 2·E·I₂ the outer axes change their parts.
    let (i_1, i_3) = if square > energy_2 * i_2 {
        (i_1, i_3)
    } else {
        (i_3, i_1)
    };
    let rate = ((i_3 - i_2) * (square - energy_2 * i_1) / (i_1 * i_2 * i_3)).sqrt();
    let k_squared =
        (i_2 - i_1) * (energy_2 * i_3 - square) / ((i_3 - i_2) * (square - energy_2 * i_1));
    let (mut a, mut b) = (1.0, (1.0 - k_squared).sqrt());
    while a - b > 1e-15 * a {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    PI / a / rate
}

#[test]
fn a_t_handle_flips_with_its_period() {
    let moments = Vec3::new(1.0, 2.0, 3.0);
    for (speed, hz) in [(0.5, 60.0), (6.0, 60.0), (6.0, 240.0), (20.0, 60.0)] {
        for is_capsule in [false, true] {
            let mut app = app(hz);
            let start = Vec3::new(0.01, 1.0, 0.01) * speed;
            let motion = (Inertia::new(moments), AngularVelocity(start));
            let body = match is_capsule {
                true => app.world_mut().spawn((Capsule::new(0.2, 1.0), motion)).id(),
                false => app.world_mut().spawn((Particle::new(0.2), motion)).id(),
            };
            let (mut flips, mut before) = (Vec::new(), start.y);
            for step in 1.. {
                app.update();
                let turned = get::<Transform>(&app, body).rotation;
                let now = (turned.inverse() * spin(&app, body)).y;
                if now * before < 0.0 {
                    flips.push((f64::from(step) - f64::from(now / (now - before))) / hz);
                }
                before = now;
                if flips.len() == 11 {
                    break;
                }
            }
            let found = (flips[10] - flips[0]) / 10.0;
            let law = time_between_flips(moments.as_dvec3(), start.as_dvec3());
            let of = format!("{speed} rad/s at {hz} Hz, {is_capsule}: time between flips in s");
            assert_near(&of, found / law, 1.0, 1e-3);
        }
    }
}

#[test]
fn a_free_body_keeps_its_energy_and_its_angular_momentum_for_an_hour() {
    for moments in [Vec3::new(1.0, 2.0, 3.0), Vec3::new(2.0, 2.0, 0.5)] {
        let mut app = app(60.0);
        let motion = AngularVelocity(Vec3::new(2.0, -3.0, 4.0));
        let frame = Quat::from_rotation_x(0.3) * Quat::from_rotation_y(1.0);
        let inertia = Inertia::new(moments).with_frame(frame);
        app.world_mut()
            .spawn((Capsule::new(0.2, 1.0), inertia, motion));
        let start = measure(&mut app);
        for _ in 0..60 {
            steps(&mut app, 3600);
            let now = measure(&mut app);
            assert_near("energy", now.energy() / start.energy(), 1.0, 1e-6);
            let l = now.angular_momentum.length() / start.angular_momentum.length();
            assert_near("|L|", l, 1.0, 1e-6);
            // The direction has the rounding of the rotation.
            let turned = now.angular_momentum.angle_between(start.angular_momentum);
            assert_near("direction of L", turned, 0.0, 1e-3);
        }
    }
}

/// Stated as a component, the inertia of a solid shape gives the same bits as the shape itself.
#[test]
fn the_inertia_of_the_solid_shape_changes_nothing() {
    let run = |states: bool| {
        let mut app = app_with_gravity(60.0);
        let world = app.world_mut();
        world.spawn(Plane::new(Vec3::Y));
        for i in 0..8 {
            let place = Transform::from_xyz(0.1 * i as f32, 1.0 + 0.6 * i as f32, 0.0)
                .with_rotation(Quat::from_rotation_z(0.3 * i as f32));
            let (axial, across) = capsule_inertia(1.0, 0.2, 0.5);
            let (body, moments) = match i % 2 {
                0 => (
                    world.spawn((Capsule::new(0.2, 0.5), place)).id(),
                    Vec3::new(across, axial, across),
                ),
                _ => (
                    world.spawn((Particle::new(0.25), place)).id(),
                    Vec3::splat(0.4 * 0.25 * 0.25),
                ),
            };
            if states {
                world.entity_mut(body).insert(Inertia::new(moments));
            }
        }
        steps(&mut app, 400);
        measure(&mut app).state_hash
    };
    assert_eq!(run(true), run(false));
}

/// A thin ring has twice the moment about its axis than across it: it does not matter which axis that is.
#[test]
fn the_order_of_the_principal_axes_does_not_matter() {
    let run = |moments: Vec3, frame: Quat| {
        let mut app = app(60.0);
        let inertia = Inertia::new(moments).with_frame(frame);
        let motion = AngularVelocity(Vec3::new(1.0, 2.0, 3.0));
        let body = app
            .world_mut()
            .spawn((Particle::new(0.2), inertia, motion))
            .id();
        steps(&mut app, 100);
        spin(&app, body)
    };
    let about_y = run(Vec3::new(1.0, 2.0, 1.0), Quat::IDENTITY);
    let quarter = std::f32::consts::FRAC_PI_2;
    for (moments, frame) in [
        (Vec3::new(2.0, 1.0, 1.0), Quat::from_rotation_z(quarter)),
        (Vec3::new(1.0, 1.0, 2.0), Quat::from_rotation_x(-quarter)),
        (Vec3::new(1.0, 2.0, 1.0), Quat::from_rotation_y(0.7)),
        (Vec3::new(1.0, 2.0, 1.000001), Quat::IDENTITY),
    ] {
        let found = run(moments, frame);
        assert!(
            found.distance(about_y) < 1e-3,
            "{moments}: {found}, not {about_y}"
        );
    }
}

fn moments() -> impl Strategy<Value = Vec3> {
    (0.5..1.0f32, 0.5..1.0f32, 0.5..1.0f32).prop_map(Vec3::from)
}

fn rotation() -> impl Strategy<Value = Quat> {
    (-3.0..3.0f32, -3.0..3.0f32, -3.0..3.0f32)
        .prop_map(|(x, y, z)| Quat::from_scaled_axis(Vec3::new(x, y, z)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Two capsules, or a ball and a capsule, that hit each other off their centres keep momentum and angular momentum, with friction
    /// and without; without friction and with e = 1 they keep the energy too.
    #[test]
    fn impacts_keep_what_they_must(
        of_a in moments(), of_b in moments(), frame in rotation(), turned in rotation(),
        offset in (-0.4..0.4f32, -0.4..0.4f32), mu in 0.0..0.8f32, has_friction in any::<bool>(), is_ball in any::<bool>(),
    ) {
        let mut app = app(60.0);
        let material = (Restitution(1.0), Friction(if has_friction { mu } else { 0.0 }));
        let world = app.world_mut();
        let place = Transform::from_xyz(-2.0, offset.0, offset.1).with_rotation(turned);
        let a = (Inertia::new(of_a).with_frame(frame), LinearVelocity(Vec3::X * 4.0), material, place);
        match is_ball {
            true => world.spawn((Particle::new(0.5), a)),
            false => world.spawn((Capsule::new(0.3, 1.0), a)),
        };
        let motion = AngularVelocity(Vec3::new(0.5, 1.0, -0.7));
        world.spawn((Capsule::new(0.4, 1.2), Inertia::new(of_b), Mass(2.0), motion, material));
        let start = measure(&mut app);
        let mut impacts = 0;
        for _ in 0..60 {
            app.update();
            impacts += messages::<Impact>(&app).len();
        }
        let end = measure(&mut app);
        prop_assume!(impacts > 0);
        prop_assert!(end.momentum.distance(start.momentum) < 1e-5 * start.momentum.length());
        let off = end.angular_momentum.distance(start.angular_momentum);
        prop_assert!(off < 1e-4 * start.angular_momentum_scale.max(start.angular_momentum.length()), "{}", off);
        let gained = end.energy() / start.energy() - 1.0;
        prop_assert!(gained < 1e-4, "gains {}", gained);
        if !has_friction {
            prop_assert!(gained.abs() < 1e-3, "loses {}", gained);
        }
    }

    /// A body that lies on a floor, or falls on it, comes to rest, whatever its inertia.
    #[test]
    fn bodies_come_to_rest(of in moments(), frame in rotation(), turned in rotation(), is_ball in any::<bool>()) {
        let mut app = app_with_gravity(60.0);
        let world = app.world_mut();
        world.spawn((Plane::new(Vec3::Y), Friction(0.5)));
        let inertia = Inertia::new(0.1 * of).with_frame(frame);
        let body = (inertia, RollingFriction(0.05), Transform::from_xyz(0.0, 1.5, 0.0).with_rotation(turned));
        let body = match is_ball {
            true => world.spawn((Particle::new(0.3), body)).id(),
            false => world.spawn((Capsule::new(0.3, 0.8), body)).id(),
        };
        steps(&mut app, 1200);
        let height = position(&app, body).y;
        prop_assert!((height - 0.3).abs() < 2e-3, "{}", height);
        prop_assert!(velocity(&app, body).length() < 1e-3 && spin(&app, body).length() < 1e-2);
    }
}

#[test]
fn a_wrong_inertia_is_told_once_and_that_of_the_shape_is_used() {
    let told = |inertia: Inertia, insert: &dyn Fn(&mut EntityWorldMut)| {
        let mut app = app(60.0);
        let motion = AngularVelocity(Vec3::new(1.0, 2.0, 3.0));
        let mut body = app.world_mut().spawn((Particle::new(0.5), inertia, motion));
        insert(&mut body);
        let body = body.id();
        let mut told = Vec::new();
        for _ in 0..5 {
            app.update();
            told.extend(messages::<BadInput>(&app).iter().map(|bad| bad.problem));
        }
        assert!(spin(&app, body).is_finite());
        told
    };
    let problem = InputProblem::of::<Inertia>;
    for wrong in [
        Vec3::new(1.0, 1.0, 2.5),
        Vec3::new(-1.0, 1.0, 1.0),
        Vec3::new(0.0, 1.0, 1.0),
        Vec3::new(f32::INFINITY, 1.0, 1.0),
    ] {
        assert_eq!(
            told(Inertia::new(wrong), &|_| {}),
            [problem(ProblemReason::Impossible, wrong)]
        );
    }
    let right = Vec3::new(1.0, 2.0, 3.0);
    assert_eq!(told(Inertia::new(right), &|_| {}), []);
    let held = |body: &mut EntityWorldMut| {
        body.insert(RigidBody::Kinematic);
    };
    assert_eq!(
        told(Inertia::new(right), &held),
        [problem(ProblemReason::OnHeldBody, right)]
    );
    let grows = |body: &mut EntityWorldMut| {
        body.remove::<Particle>()
            .insert((Capsule::new(0.2, 0.5), Growth::new(0.1, 1.0)));
    };
    assert_eq!(
        told(Inertia::new(right), &grows),
        [problem(ProblemReason::OnGrowingBody, right)]
    );
}
