//! A kind of constraint that somebody adds from outside of the solver keeps the laws: a weld makes one body of two balls.

#[path = "rows/weld.rs"]
mod weld;

use bevy::prelude::*;
use bevy_impulse_collide::{prelude::*, solver::Constraints};
use laws::*;
use proptest::prelude::*;
use weld::{Weld, Welds};

const RADIUS: f32 = 0.5;

/// Two balls whose centres are 2·`half` apart along X, and are one body.
fn pair(app: &mut App, half: f32, middle: Vec3, v: Vec3, w: Vec3) -> [Entity; 2] {
    let balls = [-half, half].map(|x| {
        let arm = Vec3::X * x;
        let transform = Transform::from_translation(middle + arm);
        let motion = (LinearVelocity(v + w.cross(arm)), AngularVelocity(w));
        let ball = (
            Particle::new(RADIUS),
            Mass(1.0),
            Friction(0.5),
            transform,
            motion,
        );
        app.world_mut().spawn(ball).id()
    });
    weld(app, balls);
    balls
}

/// Holds two bodies as they are.
fn weld(app: &mut App, [a, b]: [Entity; 2]) {
    let [at_a, at_b] = [a, b].map(|entity| get::<Transform>(app, entity));
    let weld = Weld::new((a, at_a), (b, at_b));
    let mut constraints = app.world_mut().resource_mut::<Constraints>();
    if constraints.get::<Welds>().is_none() {
        constraints.add(Welds::default());
    }
    let welds = constraints.get_mut::<Welds>().expect("it is there");
    welds.welds.push(weld);
}

fn end_welds(app: &mut App) {
    let mut constraints = app.world_mut().resource_mut::<Constraints>();
    let welds = constraints.get_mut::<Welds>().expect("it is there");
    welds.welds.clear();
}

fn is_asleep(app: &App, entity: Entity) -> bool {
    get::<Sleep>(app, entity).is_asleep()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// The two balls turn about their common centre as a dumbbell does: a symmetric top with I = 2·(2/5·m·r² + m·d²) across its axis.
    #[test]
    fn two_welded_balls_are_a_free_symmetric_top(
        half in 0.51..1.5f32,
        v in prop::array::uniform3(-3.0..3.0f32),
        w in prop::array::uniform3(-4.0..4.0f32),
        hz in prop::sample::select(vec![60.0, 120.0]),
    ) {
        let (v, w) = (Vec3::from(v), Vec3::from(w));
        let mut app = app(hz);
        let balls = pair(&mut app, half, Vec3::ZERO, v, w);
        let before = measure(&mut app);
        let seconds = 10.0;
        steps(&mut app, (seconds * hz) as usize);
        let after = measure(&mut app);
        let [a, b] = balls.map(|ball| position(&app, ball));
        prop_assert!((a.distance(b) - 2.0 * half).abs() < 2e-5, "{} apart", a.distance(b));
        // The components round the velocity of each ball.
        let speed = f64::from(v.length() + w.length() * half);
        prop_assert!(after.momentum.distance(before.momentum) < 2e-6 * (1.0 + speed));
        // Places far from the origin are rounded more.
        let scale = 1.0 + before.angular_momentum.length() + before.momentum.length() * seconds * f64::from(v.length());
        let change = after.angular_momentum - before.angular_momentum;
        prop_assert!(change.length() < 5e-6 * scale, "L {} changes by {change}", before.angular_momentum);
        // The velocity that a body shows has the half kick of the substep before: it is longer by up to (ω·h)²/2.
        let turn = f64::from(w.length()) / hz;
        let gain = after.kinetic_energy - before.kinetic_energy;
        let most = (turn * turn + 1e-5) * before.kinetic_energy;
        prop_assert!(gain.abs() <= most, "energy {} + {gain}", before.kinetic_energy);
        // Its axis goes round L at L/I.
        let inertia = 0.4 * RADIUS * RADIUS;
        let across = 2.0 * (inertia + half * half);
        let turning = Vec3::new(2.0 * inertia * w.x, across * w.y, across * w.z) / across;
        let expected = Quat::from_scaled_axis(turning * seconds as f32) * Vec3::X;
        let axis = (b - a).normalize();
        // The rate of the turning is right to second order.
        let most = 0.2 * turn * turn * f64::from(w.length()) * seconds + 1e-3;
        let off = f64::from(axis.distance(expected));
        prop_assert!(off < most, "{off} of {most}: {axis} instead of {expected}");
    }
}

#[test]
fn what_hangs_on_a_weld_stays_and_falls_when_it_ends() {
    for hz in [60.0, 120.0, 240.0] {
        let mut app = app_with_gravity(hz);
        let post = (
            Particle::new(0.1),
            RigidBody::Static,
            Transform::from_xyz(0.0, 5.0, 0.0),
        );
        let post = app.world_mut().spawn(post).id();
        let ball = (Particle::new(0.3), Transform::from_xyz(0.7, 5.0, 0.2));
        let ball = app.world_mut().spawn(ball).id();
        weld(&mut app, [post, ball]);
        let start = position(&app, ball);
        steps(&mut app, 20);
        assert!(position(&app, ball).distance(start) < 1e-5);
        assert!(velocity(&app, ball).length() < 1e-4);
        for sleeps in [false, true] {
            if sleeps {
                weld(&mut app, [post, ball]);
                steps(&mut app, 20 * hz as usize);
            }
            assert_eq!(is_asleep(&app, ball), sleeps, "{hz} Hz");
            let start = position(&app, ball);
            end_welds(&mut app);
            steps(&mut app, hz as usize / 2);
            let fallen = start - position(&app, ball);
            let (g, t) = (9.81, 0.5);
            assert!(
                (fallen.y - g * t * t / 2.0).abs() < 2e-4,
                "{fallen} at {hz} Hz, {sleeps}"
            );
            assert!((velocity(&app, ball).y + g * t).abs() < 1e-3);
            // It is held where it is now.
            app.world_mut()
                .entity_mut(ball)
                .insert(LinearVelocity(Vec3::ZERO));
        }
    }
}

#[test]
fn a_welded_pair_comes_to_rest_and_sleeps_and_wakes_as_one() {
    let mut app = app_with_gravity(60.0);
    app.world_mut().spawn((Plane::new(Vec3::Y), Friction(0.5)));
    let [a, b] = pair(
        &mut app,
        0.55,
        Vec3::Y * 1.5,
        Vec3::ZERO,
        Vec3::new(0.3, 0.0, 1.0),
    );
    steps(&mut app, 1200);
    assert!(is_asleep(&app, a) && is_asleep(&app, b));
    for ball in [a, b] {
        let y = position(&app, ball).y;
        assert!((y - RADIUS).abs() < 1e-3, "{y}");
    }
    assert!((position(&app, a).distance(position(&app, b)) - 1.1).abs() < 1e-4);
    app.world_mut()
        .entity_mut(a)
        .insert(LinearVelocity(Vec3::Y * 2.0));
    steps(&mut app, 2);
    assert!(!is_asleep(&app, a) && !is_asleep(&app, b));
    let (v_a, v_b) = (velocity(&app, a), velocity(&app, b));
    assert!(v_b.length() > 0.01, "{v_a} {v_b}");
}

#[test]
fn a_despawned_body_leaves_the_other_one_free() {
    let mut app = app(60.0);
    let w = Vec3::Z * 3.0;
    let [a, b] = pair(&mut app, 1.0, Vec3::ZERO, Vec3::ZERO, w);
    steps(&mut app, 30);
    app.world_mut().despawn(a);
    let (x, v) = (position(&app, b), velocity(&app, b));
    steps(&mut app, 60);
    let off = position(&app, b) - (x + v);
    assert!(off.length() < 1e-4, "{v}: off by {off}");
    let turn: f32 = 3.0 / 60.0;
    assert!((v.length() / 3.0 - 1.0).abs() < turn * turn, "{v}");
}

#[test]
fn a_row_of_welded_balls_on_a_slope_ends_in_the_same_bits_every_time() {
    let run = || {
        let mut app = app_with_gravity(60.0);
        app.world_mut().spawn(Plane::new(Vec3::new(0.2, 1.0, 0.1)));
        for k in 0..20 {
            let middle = Vec3::new(0.1 * k as f32, 1.0 + 1.2 * k as f32, 0.05 * k as f32);
            pair(&mut app, 0.55, middle, Vec3::X, Vec3::Y);
        }
        steps(&mut app, 300);
        measure(&mut app).state_hash
    };
    assert_eq!(run(), run());
}
