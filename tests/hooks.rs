//! Hooks for single pairs: a user's system lets pairs pass, or gives them another material.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;
use proptest::prelude::*;

/// A body that others may enter from below, and not from above.
#[derive(Component)]
struct OneWay;

fn one_way(mut pairs: ResMut<NearPairs>, platforms: Query<(), With<OneWay>>) {
    for pair in pairs.iter_mut() {
        let platform = if platforms.contains(pair.a) {
            pair.a
        } else {
            pair.b
        };
        let comes_from_below = pair.normal_on(platform).is_some_and(|n| n.y > -0.5);
        if platforms.contains(platform) && pair.gap > 0.0 {
            pair.is_ignored = comes_from_below;
        }
    }
}

/// A platform with its top at y = 0.
fn platform(kind: usize) -> impl Bundle {
    let at = |y: f32| Transform::from_xyz(0.0, y, 0.0);
    let square = [(-5.0, -5.0), (5.0, -5.0), (5.0, 5.0), (-5.0, 5.0)];
    let (collider, place) = match kind {
        0 => (Collider::cuboid(10.0, 0.1, 10.0), at(-0.05)),
        1 => (Collider::cuboid(10.0, 2.0, 10.0), at(-1.0)),
        2 => (Collider::cylinder(5.0, 1.0), at(-0.5)),
        _ => (
            Collider::trimesh(
                square.map(|(x, z)| Vec3::new(x, 0.0, z)),
                [[0, 1, 2], [0, 2, 3]],
                MeshSides::Two,
            ),
            at(0.0),
        ),
    };
    (CollisionHooks, OneWay, collider, place)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..default() })]

    /// A ball that is thrown up through the platform keeps its parabola, and lies on the platform at the end.
    #[test]
    fn a_ball_comes_up_through_a_one_way_platform_and_lies_on_it(
        kind in 0..4usize,
        rise in 0.3..8.0f32,
        hz in 30.0..240.0f64,
        is_capsule in any::<bool>(),
    ) {
        let mut app = app_with_gravity(hz);
        app.add_systems(PairHooks, one_way);
        app.world_mut().spawn(platform(kind));
        let (r, start) = (0.1, -3.0);
        // It rises to this height over the platform.
        let speed = (2.0f32 * 9.81 * (rise - start)).sqrt();
        let motion = (LinearVelocity(Vec3::Y * speed), Transform::from_xyz(0.3, start, 0.2));
        let body = if is_capsule {
            app.world_mut().spawn((Capsule::new(r, 0.3), motion)).id()
        } else {
            app.world_mut().spawn((Particle::new(r), motion)).id()
        };
        let to_top = f64::from(speed) / 9.81;
        steps(&mut app, (to_top * hz) as usize);
        let t = (to_top * hz).floor() / hz;
        let expected = f64::from(start) + f64::from(speed) * t - 0.5 * 9.81 * t * t;
        assert_near("height on the parabola", f64::from(position(&app, body).y), expected, 1e-3);
        steps(&mut app, (20.0 * hz) as usize);
        let lowest = position(&app, body).y - r;
        let half = get::<Transform>(&app, body).rotation.mul_vec3(Vec3::Y * 0.15).y.abs();
        let lowest = if is_capsule { lowest - half } else { lowest };
        prop_assert!(lowest.abs() < 0.02 * r, "it lies {lowest} m over the platform");
    }

    /// What a hook ignores is not there, at any speed.
    #[test]
    fn an_ignored_pair_does_not_meet(speed in 1.0..1000.0f32, is_ball_hooked in any::<bool>(), kind in 0..3usize) {
        fn ignore(mut pairs: ResMut<NearPairs>) {
            pairs.iter_mut().for_each(|pair| pair.is_ignored = true);
        }
        let mut app = app(60.0);
        app.add_systems(PairHooks, ignore);
        let wall = match kind {
            0 => app.world_mut().spawn(Plane::new(Vec3::NEG_X)).id(),
            1 => app.world_mut().spawn((Particle::new(0.5), RigidBody::Static)).id(),
            _ => app.world_mut().spawn(Collider::cuboid(0.1, 3.0, 3.0)).id(),
        };
        let ball = app.world_mut().spawn((Particle::new(0.1), LinearVelocity(Vec3::X * speed), Transform::from_xyz(-3.0, 0.0, 0.0))).id();
        app.world_mut().entity_mut(if is_ball_hooked { ball } else { wall }).insert(CollisionHooks);
        steps(&mut app, (6.0 / speed * 60.0).ceil() as usize + 2);
        prop_assert_eq!(velocity(&app, ball), Vec3::X * speed);
    }
}

/// Two equal balls fall on one floor without bounce. The hook gives one pair the restitution 1: its ball comes back.
#[test]
fn a_hook_gives_one_pair_its_own_restitution() {
    #[derive(Component)]
    struct Bouncy;
    fn bounce(mut pairs: ResMut<NearPairs>, bouncy: Query<(), With<Bouncy>>) {
        for pair in pairs.iter_mut() {
            if bouncy.contains(pair.a) || bouncy.contains(pair.b) {
                pair.restitution = Some(1.0);
            }
        }
    }
    let mut app = app_with_gravity(120.0);
    app.add_systems(PairHooks, bounce);
    app.world_mut()
        .spawn((Plane::new(Vec3::Y), CollisionHooks, Restitution(0.0)));
    let mut ball = |x: f32| {
        let place = Transform::from_xyz(x, 1.1, 0.0);
        let ball = (Particle::new(0.1), Restitution(0.0), place);
        app.world_mut().spawn(ball).id()
    };
    let (bouncy, dead) = (ball(0.0), ball(1.0));
    app.world_mut().entity_mut(bouncy).insert(Bouncy);
    // Twice the time of the fall.
    let time = 2.0 * (2.0f64 / 9.81).sqrt();
    steps(&mut app, (time * 120.0).round() as usize);
    let height = |ball| f64::from(position(&app, ball).y);
    assert_near("it bounces back", height(bouncy), 1.1, 1e-3);
    assert_near("it lies", height(dead), 0.1, 1e-3);
}

/// A ball slides on a floor with friction. The hook takes the friction of its pair away at x > 1 m: from there on its speed stays.
#[test]
fn a_hook_changes_the_friction_of_a_pair_that_touches() {
    fn ice(mut pairs: ResMut<NearPairs>) {
        for pair in pairs.iter_mut() {
            pair.friction = (pair.point.x > 1.0).then_some(0.0);
        }
    }
    let mut app = app_with_gravity(120.0);
    app.add_systems(PairHooks, ice);
    app.world_mut()
        .spawn((Plane::new(Vec3::Y), CollisionHooks, Friction(0.2)));
    let ball = (
        Particle::new(0.1),
        Friction(0.2),
        Restitution(0.0),
        LinearVelocity(Vec3::X * 5.0),
        Transform::from_xyz(0.0, 0.1, 0.0),
    );
    let ball = app.world_mut().spawn(ball).id();
    let mut on_ice = None;
    for _ in 0..120 {
        steps(&mut app, 1);
        let (x, v) = (position(&app, ball).x, velocity(&app, ball).x);
        if x > 1.05 {
            let first = *on_ice.get_or_insert(v);
            assert_near("speed on ice", f64::from(v), f64::from(first), 1e-5);
        }
    }
    // v² = v₀² − 2·μ·g·s
    let expected = (25.0f64 - 2.0 * 0.2 * 9.81).sqrt();
    let first = on_ice.expect("it comes to the ice");
    assert_near(
        "speed at the edge of the ice",
        f64::from(first),
        expected,
        0.02,
    );
}

/// A ball sleeps on a platform. The platform lets it go: it wakes, and falls.
#[test]
fn a_sleeper_falls_when_its_pair_is_ignored() {
    #[derive(Resource, Default)]
    struct LetGo(bool);
    fn let_go(mut pairs: ResMut<NearPairs>, go: Res<LetGo>) {
        pairs.iter_mut().for_each(|pair| pair.is_ignored = go.0);
    }
    let mut app = app_with_gravity(60.0);
    app.init_resource::<LetGo>().add_systems(PairHooks, let_go);
    app.world_mut()
        .spawn((Collider::cuboid(1.0, 1.0, 1.0), CollisionHooks));
    let place = Transform::from_xyz(0.0, 0.6, 0.0);
    let ball = app.world_mut().spawn((Particle::new(0.1), place)).id();
    steps(&mut app, 120);
    assert!(get::<Sleep>(&app, ball).is_asleep());
    app.world_mut().resource_mut::<LetGo>().0 = true;
    steps(&mut app, 60);
    // The contact ends with the last step: half a step earlier, or later, than the rule. That is g·(h/2)·t in 1 s.
    let half_step = 9.81 / 120.0;
    let height = f64::from(position(&app, ball).y);
    assert_near("free fall", height, 0.6 - 0.5 * 9.81, 1.1 * half_step);
}

/// Gives all pairs the tangential restitution `rebound` and a coefficient of friction; they lose no speed along the normal.
fn spring_back(rebound: f32, friction: f32) -> impl FnMut(ResMut<NearPairs>) {
    move |mut pairs| {
        for pair in pairs.iter_mut() {
            pair.tangential_restitution = Some(rebound);
            pair.restitution = Some(1.0);
            pair.friction = Some(friction);
        }
    }
}

/// Rebounds of a ball of radius 0.1 that falls on a floor at 2 m/s, with sliding and spin.
fn superball(rebound: f32, friction: f32, (v_x, spin): (f32, f32)) -> (Vec3, Vec3) {
    let mut app = app(120.0);
    app.add_systems(PairHooks, spring_back(rebound, friction));
    app.world_mut().spawn((Plane::new(Vec3::Y), CollisionHooks));
    let ball = app.world_mut().spawn((
        Particle::new(0.1),
        LinearVelocity(Vec3::new(v_x, -2.0, 0.0)),
        AngularVelocity(Vec3::Z * spin),
        Transform::from_xyz(0.0, 0.3, 0.0),
    ));
    let ball = ball.id();
    steps(&mut app, 24);
    (velocity(&app, ball), get::<AngularVelocity>(&app, ball).0)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..default() })]

    /// Rough enough surfaces turn the sliding v_t round to −β·v_t, and the energy that is lost is (1 − β²)·m_t·v_t²/2 with
    /// m_t = 2/7·m. Friction is limited by Coulomb's law.
    #[test]
    fn tangential_restitution_turns_the_sliding_round(
        rebound in 0.0..=1.0f32,
        friction in prop_oneof![Just(100.0f32), 0.0..0.3f32],
        v_x in -3.0..3.0f32,
        spin in -30.0..30.0f32,
    ) {
        let (v, w) = superball(rebound, friction, (v_x, spin));
        let sliding = v_x + 0.1 * spin;
        let after = v.x + 0.1 * w.z;
        // The impulse 4·m·m/s of the bounce allows friction to change v_x by 4·μ.
        let change = (2.0 / 7.0 * (1.0 + rebound) * sliding).clamp(-4.0 * friction, 4.0 * friction);
        assert_near("sliding after", f64::from(after), f64::from(sliding - 3.5 * change), 1e-4);
        assert_near("v_x", f64::from(v.x), f64::from(v_x - change), 1e-4);
        assert_near("v_y", f64::from(v.y), 2.0, 1e-5);
        let energy = |v: f32, w: f32| 0.5 * v * v + 0.2 * 0.01 * w * w;
        prop_assert!(energy(v.x, w.z) <= energy(v_x, spin) + 1e-4);
    }
}

/// A ball between two walls, as rough as a superball, comes back along the walls after a few bounces. Between rigid walls it never
/// does: friction only stops its sliding.
#[test]
fn a_superball_between_two_walls_comes_back() {
    let runs_back = |rebound: f32| {
        let mut app = app(240.0);
        app.add_systems(PairHooks, spring_back(rebound, 100.0));
        for (normal, y) in [(Vec3::Y, 0.0), (Vec3::NEG_Y, 1.0)] {
            app.world_mut().spawn((
                Plane::new(normal),
                CollisionHooks,
                Transform::from_xyz(0.0, y, 0.0),
            ));
        }
        let ball = app.world_mut().spawn((
            Particle::new(0.1),
            LinearVelocity(Vec3::new(1.0, -2.0, 0.0)),
            Transform::from_xyz(0.0, 0.5, 0.0),
        ));
        let ball = ball.id();
        let mut slowest = f32::MAX;
        for _ in 0..480 {
            steps(&mut app, 1);
            slowest = slowest.min(velocity(&app, ball).x);
        }
        slowest < -0.1
    };
    assert!(runs_back(0.8));
    assert!(!runs_back(0.0));
}
