//! Sleepers feel what would move them: what appears in them, and what gives their contacts other forces.

use bevy::{ecs::entity_disabling::Disabled, prelude::*};
use bevy_impulse_collide::prelude::*;
use laws::*;

const G: f32 = 9.81;

/// Speed in m/s that a fall gains in half a step: what rests on something until it falls has the half kick of its contact.
const HALF_KICK: f32 = 0.5 * G / 60.0;

/// Overlap in m that may remain when a body of radius 0.5 m falls asleep again.
const OVERLAP: f32 = 0.0125;

fn asleep(app: &App, body: Entity) -> bool {
    get::<Sleep>(app, body).is_asleep()
}

/// Steps until a body sleeps.
fn rest(app: &mut App, body: Entity) {
    for _ in 0..600 {
        if asleep(app, body) {
            return;
        }
        app.update();
    }
    panic!("it does not sleep");
}

/// A ball or a capsule of radius 0.5 that sleeps on a floor at the origin.
fn sleeper(is_ball: bool) -> (App, Entity) {
    let mut app = app_with_gravity(60.0);
    app.world_mut().spawn(Plane::new(Vec3::Y));
    // Along Z.
    let lying = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    let place = Transform::from_xyz(0.0, 0.5, 0.0).with_rotation(lying);
    let body = app.world_mut().spawn(place).id();
    let mut it = app.world_mut().entity_mut(body);
    match is_ball {
        true => it.insert(Particle::new(0.5)),
        false => it.insert(Capsule::new(0.5, 1.0)),
    };
    rest(&mut app, body);
    (app, body)
}

/// The sides of a box about the origin as a mesh.
fn box_mesh(size: Vec3) -> Collider {
    let corners =
        (0..8).map(|k: u32| Vec3::new((k & 1) as f32, (k >> 1 & 1) as f32, (k >> 2) as f32));
    let vertices = corners.map(|x| (x - 0.5) * size);
    let triangles = [
        [0, 2, 1],
        [1, 2, 3],
        [4, 5, 6],
        [5, 7, 6],
        [0, 1, 4],
        [1, 5, 4],
        [2, 6, 3],
        [3, 6, 7],
        [0, 4, 2],
        [2, 4, 6],
        [1, 3, 5],
        [3, 7, 5],
    ];
    Collider::trimesh(vertices, triangles, MeshSides::One)
}

type Spawn = fn(&mut App) -> Entity;

/// Bodies whose surface is at x = 0.4 beside a sleeper.
fn intruders() -> Vec<(&'static str, Spawn)> {
    fn at(x: f32) -> Transform {
        Transform::from_xyz(x, 1.0, 0.0)
    }
    fn spawn(app: &mut App, bundle: impl Bundle) -> Entity {
        app.world_mut().spawn(bundle).id()
    }
    vec![
        ("cuboid", |app| {
            spawn(app, (Collider::cuboid(1.0, 2.0, 2.0), at(0.9)))
        }),
        ("mesh", |app| {
            spawn(app, (box_mesh(Vec3::new(1.0, 2.0, 2.0)), at(0.9)))
        }),
        ("hull", |app| {
            let corners = (0..8)
                .map(|k: u32| Vec3::new((k & 1) as f32, (k >> 1 & 1) as f32, (k >> 2) as f32));
            let hull = Collider::convex_hull(corners.map(|x| (x - 0.5) * Vec3::new(1.0, 2.0, 2.0)));
            spawn(app, (hull, at(0.9)))
        }),
        ("cylinder", |app| {
            spawn(app, (Collider::cylinder(1.0, 2.0), at(1.4)))
        }),
        ("plane", |app| {
            spawn(app, (Plane::new(Vec3::NEG_X), at(0.4)))
        }),
        ("ball", |app| {
            let place = Transform::from_xyz(0.9, 0.5, 0.0);
            spawn(app, (Particle::new(0.5), RigidBody::Static, place))
        }),
        ("capsule", |app| {
            let place = Transform::from_xyz(0.9, 0.5, 0.0);
            spawn(app, (Capsule::new(0.5, 2.0), RigidBody::Static, place))
        }),
        ("kinematic box", |app| {
            spawn(
                app,
                (
                    Collider::cuboid(1.0, 2.0, 2.0),
                    RigidBody::Kinematic,
                    at(0.9),
                ),
            )
        }),
        ("compound", |app| {
            let part = Collider::cuboid(1.0, 2.0, 1.0);
            let parts = [-0.5, 0.5].map(|z| (Isometry3d::from_translation(Vec3::Z * z), &part));
            spawn(app, (Collider::compound(parts), at(0.9)))
        }),
    ]
}

/// A way in which a body comes into the physics: what it has before, and what is done then.
type Way = (&'static str, fn(EntityWorldMut), fn(EntityWorldMut));

fn ways() -> Vec<Way> {
    let nothing = |_: EntityWorldMut| {};
    vec![
        ("spawned", nothing, nothing),
        (
            "enabled",
            |mut it| {
                it.insert(Disabled);
            },
            |mut it| {
                it.remove::<Disabled>();
            },
        ),
        (
            "no sensor any more",
            |mut it| {
                it.insert(Sensor);
            },
            |mut it| {
                it.remove::<Sensor>();
            },
        ),
        (
            "in another layer",
            |mut it| {
                it.insert(CollisionLayers::new(LayerMask(2), LayerMask(2)));
            },
            |mut it| {
                it.insert(CollisionLayers::default());
            },
        ),
    ]
}

/// Whatever appears in a sleeper pushes it out by the overlap, and the collision is told.
#[test]
fn what_appears_in_a_sleeper_pushes_it_out() {
    for is_ball in [true, false] {
        for (name, spawn) in intruders() {
            for (way, before, then) in ways() {
                let (mut app, body) = sleeper(is_ball);
                let entity = spawn(&mut app);
                before(app.world_mut().entity_mut(entity));
                if way != "spawned" {
                    steps(&mut app, 60);
                    assert_eq!(position(&app, body).x, 0.0, "{name}, before it is {way}");
                    assert!(asleep(&app, body), "{name}, before it is {way}");
                    then(app.world_mut().entity_mut(entity));
                }
                let mut starts = 0;
                for _ in 0..60 {
                    app.update();
                    starts += messages::<CollisionStarted>(&app).len();
                }
                let law = format!("{name} {way}, ball: {is_ball}");
                assert_near(&law, position(&app, body).x.into(), -0.1, OVERLAP.into());
                assert_eq!(starts, 1, "{law}");
                let contacts = app.world().resource::<Contacts>();
                assert!(
                    contacts.iter().any(|c| c.a == entity || c.b == entity),
                    "{law}"
                );
            }
        }
    }
}

/// However deep it stands in the sleeper: this one moves as a body that is awake, and its collision is told as often.
#[test]
fn a_sleeper_is_pushed_as_one_that_is_awake() {
    for (name, spawn) in intruders() {
        for deeper in [-0.08, 0.3, 0.8] {
            let pushed = [true, false].map(|sleeps| {
                let (mut app, body) = sleeper(true);
                if !sleeps {
                    app.world_mut().entity_mut(body).insert(SleepingDisabled);
                    app.update();
                }
                let entity = spawn(&mut app);
                let mut place = app.world_mut().get_mut::<Transform>(entity).unwrap();
                place.translation.x -= deeper;
                let mut starts = 0;
                for _ in 0..60 {
                    app.update();
                    starts += messages::<CollisionStarted>(&app).len();
                }
                (position(&app, body), starts)
            });
            let [(asleep, told), (awake, told_awake)] = pushed;
            let law = format!("{name}, {deeper} m deeper");
            assert_near(&law, asleep.distance(awake).into(), 0.0, OVERLAP.into());
            assert_eq!(told, told_awake, "{law}");
        }
    }
}

/// Bodies that appear elsewhere, or that do not collide with a sleeper, let it sleep.
#[test]
fn what_appears_elsewhere_wakes_nobody() {
    for (name, spawn) in intruders() {
        let (mut app, body) = sleeper(true);
        let entity = spawn(&mut app);
        app.world_mut()
            .get_mut::<Transform>(entity)
            .unwrap()
            .translation
            .x += 0.2;
        app.update();
        assert!(asleep(&app, body), "{name} beside it");
        for k in 0..20 {
            let at = |z: f32| Transform::from_xyz(-5.0 - k as f32, 1.0, z);
            app.world_mut().spawn((Particle::new(0.4), at(3.0)));
            app.world_mut()
                .spawn((Particle::new(0.4), RigidBody::Static, at(0.0)));
            app.update();
            assert!(asleep(&app, body), "after another body");
        }
        for (_, before, _) in &ways()[1..] {
            let entity = spawn(&mut app);
            before(app.world_mut().entity_mut(entity));
            app.update();
            assert!(asleep(&app, body), "{name} does not collide");
        }
    }
}

/// A sleeper that was disabled while its floor was taken away falls when it is back. One whose floor is there lies.
#[test]
fn a_sleeper_that_comes_back_feels_what_has_gone() {
    for has_floor in [true, false] {
        let (mut app, body) = sleeper(true);
        let place = Transform::from_xyz(5.0, 0.5, 0.0);
        app.world_mut()
            .spawn((Particle::new(0.5), place, RigidBody::Static));
        app.world_mut().entity_mut(body).insert(Disabled);
        app.update();
        if !has_floor {
            let floor = app
                .world_mut()
                .query_filtered::<Entity, With<Plane>>()
                .single(app.world())
                .unwrap();
            app.world_mut().despawn(floor);
        }
        steps(&mut app, 60);
        assert_eq!(get::<Transform>(&app, body).translation.y, 0.5);
        app.world_mut().entity_mut(body).remove::<Disabled>();
        steps(&mut app, 60);
        let y = position(&app, body).y;
        let fallen = if has_floor { 0.0 } else { 0.5 * G };
        let most = if has_floor { 0.0 } else { 1.01 * HALF_KICK };
        assert_near("fall", y.into(), (0.5 - fallen).into(), most.into());
    }
}

/// A slope of ten degrees, with a body at rest that states no coefficient.
fn on_slope(config: CollisionConfig, body: impl Bundle, ground: impl Bundle) -> (App, Entity) {
    let mut app = app_with_gravity(60.0);
    app.insert_resource(config);
    let angle = 10f32.to_radians();
    let normal = Vec3::new(angle.sin(), angle.cos(), 0.0);
    let down = Vec3::new(angle.cos(), -angle.sin(), 0.0);
    app.world_mut().spawn((Plane::new(normal), ground));
    let place = Transform::from_translation(normal * 0.1)
        .with_rotation(Quat::from_rotation_arc(Vec3::Y, down));
    let body = app.world_mut().spawn((body, place)).id();
    rest(&mut app, body);
    (app, body)
}

fn config(change: impl FnOnce(&mut CollisionConfig)) -> CollisionConfig {
    let mut config = CollisionConfig::default();
    change(&mut config);
    config
}

fn rule(rule: CombineRule, default: f32) -> MaterialRule {
    MaterialRule::new(rule, default)
}

/// After a second, what no friction holds slides with g·sin α, and a ball rolls with 5/7 of it.
#[test]
fn another_configuration_moves_sleepers() {
    let pull = G * 10f32.to_radians().sin();
    let capsule = || Capsule::new(0.1, 0.4);
    let smooth = config(|config| config.friction.default = 0.0);
    let rough = config(|config| config.friction.default = 1.0);
    let speed_after = |(mut app, body): (App, Entity), now: CollisionConfig| {
        steps(&mut app, 60);
        assert!(asleep(&app, body), "nothing has changed");
        // The same values wake nobody.
        let same = app.world().resource::<CollisionConfig>().clone();
        *app.world_mut().resource_mut::<CollisionConfig>() = same;
        steps(&mut app, 2);
        assert!(asleep(&app, body), "the same values");
        *app.world_mut().resource_mut::<CollisionConfig>() = now;
        steps(&mut app, 60);
        velocity(&app, body).length()
    };
    let slides = speed_after(on_slope(rough.clone(), capsule(), ()), smooth.clone());
    let most = f64::from(1.01 * HALF_KICK * 10f32.to_radians().sin());
    assert_near("friction", slides.into(), pull.into(), most);

    let holds =
        config(|config| (config.friction.default, config.rolling_friction.default) = (1.0, 0.5));
    let rolls = speed_after(on_slope(holds, Particle::new(0.1), ()), rough.clone());
    assert_near(
        "rolling friction",
        rolls.into(),
        (pull * 5.0 / 7.0).into(),
        most,
    );

    let greater = config(|config| config.friction = rule(CombineRule::Max, 0.3));
    let least = config(|config| config.friction = rule(CombineRule::Min, 0.3));
    let slides = speed_after(
        on_slope(greater, (capsule(), Friction(1.0)), Friction(0.0)),
        least,
    );
    assert_near("rule", slides.into(), pull.into(), most);

    // What all bodies state is not the configuration's.
    let stated = on_slope(rough, (capsule(), Friction(1.0)), Friction(1.0));
    assert_eq!(speed_after(stated, smooth), 0.0, "stated");
}

/// Gravity that leans by an angle that gives the sleep speed in ten seconds moves a ball that sleeps on level ground.
#[test]
fn gravity_that_leans_a_little_moves_a_sleeper() {
    for degrees in [0.045f32, 0.1, 1.0] {
        let (mut app, body) = sleeper(true);
        let leaning = Quat::from_rotation_z(degrees.to_radians()) * Vec3::NEG_Y * G;
        app.world_mut().resource_mut::<Gravity>().0 = leaning;
        steps(&mut app, 480);
        let expected = 0.5 * 5.0 / 7.0 * leaning.x * 8.0 * 8.0;
        let law = format!("{degrees}°");
        let x = position(&app, body).x;
        assert_near(&law, x.into(), expected.into(), (0.02 * expected).into());
    }
}

#[test]
fn spinning_friction_stops_a_sleeper_that_spins() {
    let mut app = app_with_gravity(60.0);
    app.world_mut().spawn(Plane::new(Vec3::Y));
    let place = Transform::from_xyz(0.0, 0.1, 0.0);
    let spin_of = AngularVelocity(Vec3::Y * 2.0);
    let ball = app
        .world_mut()
        .spawn((Particle::new(0.1), spin_of, place))
        .id();
    rest(&mut app, ball);
    steps(&mut app, 60);
    assert_near("spin", spin(&app, ball).y.into(), 2.0, 1e-4);
    app.world_mut()
        .resource_mut::<CollisionConfig>()
        .spinning_friction
        .default = 0.1;
    steps(&mut app, 60);
    assert_near("spin", spin(&app, ball).y.into(), 0.0, 1e-4);
}

/// A hook that takes the friction away, as one that lets a pair pass, wakes the pair. What it says again wakes nobody.
#[test]
fn what_a_hook_says_moves_sleepers() {
    #[derive(Resource, Clone, Copy)]
    struct Say(Option<f32>, bool);
    fn say(mut pairs: ResMut<NearPairs>, say: Res<Say>) {
        for pair in pairs.iter_mut() {
            (pair.friction, pair.is_ignored) = (say.0, say.1);
        }
    }
    let down = 10f32.to_radians().sin();
    for (now, v) in [(Say(Some(0.0), false), G * down), (Say(Some(1.0), true), G)] {
        let mut app = app_with_gravity(60.0);
        app.insert_resource(Say(Some(1.0), false))
            .add_systems(PairHooks, say);
        let angle = 10f32.to_radians();
        let normal = Vec3::new(angle.sin(), angle.cos(), 0.0);
        let axis = Vec3::new(angle.cos(), -angle.sin(), 0.0);
        app.world_mut().spawn((Plane::new(normal), CollisionHooks));
        let place = Transform::from_translation(normal * 0.1)
            .with_rotation(Quat::from_rotation_arc(Vec3::Y, axis));
        let body = app.world_mut().spawn((Capsule::new(0.1, 0.4), place)).id();
        rest(&mut app, body);
        steps(&mut app, 60);
        assert!(asleep(&app, body), "the same rule");
        app.insert_resource(now);
        steps(&mut app, 60);
        let most = 1.01 * HALF_KICK * v / G;
        assert_near(
            "speed",
            velocity(&app, body).length().into(),
            v.into(),
            most.into(),
        );
    }
}

/// A body that may not sleep, and all that presses on it, stays awake; others sleep.
#[test]
fn who_may_not_sleep_keeps_its_island_awake() {
    let mut app = app_with_gravity(60.0);
    let world = app.world_mut();
    world.spawn((Plane::new(Vec3::Y), Friction(1.0)));
    let at = |x: f32, y: f32| {
        (
            Particle::new(0.1),
            Friction(1.0),
            RollingFriction(0.5),
            Transform::from_xyz(x, y, 0.0),
        )
    };
    let low = world.spawn((at(0.0, 0.1), SleepingDisabled)).id();
    let high = world.spawn(at(0.0, 0.3)).id();
    let other = world.spawn(at(0.25, 0.1)).id();
    let capsule = (
        Capsule::new(0.1, 0.4),
        Transform::from_xyz(2.0, 0.3, 0.0),
        SleepingDisabled,
    );
    let capsule = world.spawn(capsule).id();
    for step in 0..600 {
        app.update();
        for body in [low, high, capsule] {
            assert!(!asleep(&app, body), "asleep in step {step}");
        }
    }
    assert!(asleep(&app, other));
    // Without it they sleep, and with it they wake.
    app.world_mut().entity_mut(low).remove::<SleepingDisabled>();
    steps(&mut app, 60);
    assert!(asleep(&app, low) && asleep(&app, high));
    app.world_mut().entity_mut(high).insert(SleepingDisabled);
    steps(&mut app, 2);
    assert!(!asleep(&app, low) && !asleep(&app, high));
    assert!(asleep(&app, other));
}
