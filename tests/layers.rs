//! Collision layers: bodies collide if each is in a layer that the other one collides with.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;
use proptest::prelude::*;

#[derive(PhysicsLayer, Clone, Copy)]
enum Layer {
    Ground,
    Player,
    Ghost,
}

#[derive(PhysicsLayer, Clone, Copy, Default)]
enum WithDefault {
    Player,
    #[default]
    Ground,
    Ghost,
}

#[test]
fn the_default_variant_is_the_layer_of_bodies_without_layers() {
    let all = [WithDefault::Ground, WithDefault::Player, WithDefault::Ghost];
    assert_eq!(
        all.map(LayerMask::from),
        [0b001, 0b010, 0b100].map(LayerMask)
    );
    assert_eq!(WithDefault::default().to_bits(), LayerMask::DEFAULT.0);
}

#[test]
fn a_mask_is_a_set_of_layers() {
    let mut mask = LayerMask::from(Layer::Player) | Layer::Ghost;
    assert_eq!(mask, LayerMask::from(0b110));
    assert!(mask.has_all([Layer::Player, Layer::Ghost]) && !mask.has_all(LayerMask::ALL));
    mask.remove(Layer::Player);
    mask.add([LayerMask::DEFAULT]);
    assert_eq!(mask, LayerMask(0b101));
    assert_eq!(!mask & 0b111, LayerMask(0b010));
}

/// Without `#[default]`, it is the first one.
#[test]
fn the_first_variant_is_the_layer_of_bodies_without_layers() {
    assert_eq!(LayerMask::from(Layer::Ground), LayerMask::DEFAULT);
    assert_eq!(
        LayerMask::from([Layer::Player, Layer::Ghost]),
        LayerMask(0b110)
    );
    assert_eq!(
        CollisionLayers::default(),
        CollisionLayers::new(Layer::Ground, LayerMask::ALL)
    );
}

/// The four shapes. The surface of each is at the origin, for a ball of radius 0.1 m that comes along X.
fn shape(world: &mut World, kind: usize, layers: CollisionLayers) -> Entity {
    let at = |x: f32| Transform::from_xyz(x, 0.0, 0.0);
    let wall = (layers, Restitution(1.0), Friction(0.0));
    match kind {
        0 => world.spawn((Particle::new(0.5), RigidBody::Static, wall, at(0.5))),
        1 => world.spawn((Capsule::new(0.5, 1.0), RigidBody::Static, wall, at(0.5))),
        2 => world.spawn((Plane::new(Vec3::NEG_X), wall)),
        _ => world.spawn((Collider::cuboid(1.0, 1.0, 1.0), wall, at(0.5))),
    }
    .id()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..default() })]

    /// A ball bounces off a shape whose layers match, and flies through another as if it were not there. It does so at any speed,
    /// in the first step and later.
    #[test]
    fn a_ball_meets_only_what_its_layers_let_it_meet(
        (in_1, with_1, in_2, with_2) in (0..8u32, 0..8u32, 0..8u32, 0..8u32),
        kind in 0..4usize,
        speed in 1.0..300.0f32,
        start in 0.2..5.0f32,
    ) {
        let mut app = app(60.0);
        let layers = |memberships, filters| CollisionLayers::new(LayerMask(memberships), LayerMask(filters));
        let (one, other) = (layers(in_1, with_1), layers(in_2, with_2));
        shape(app.world_mut(), kind, other);
        let ball = app.world_mut().spawn((
            Particle::new(0.1),
            one,
            Restitution(1.0),
            Friction(0.0),
            Transform::from_xyz(-start, 0.0, 0.0),
            LinearVelocity(Vec3::X * speed),
        ));
        let ball = ball.id();
        let n = (6.0 / speed * 60.0).ceil() as usize + 2;
        steps(&mut app, n);
        let meets = in_1 & with_2 != 0 && in_2 & with_1 != 0;
        let expected = if meets { -speed } else { speed };
        prop_assert!((velocity(&app, ball).x - expected).abs() < 1e-4 * speed);
        prop_assert_eq!(one.interacts_with(other), meets);
        prop_assert_eq!(other.interacts_with(one), meets);
    }
}

/// So does a world in which heavy bodies may squeeze light ones, where a last check keeps centres in front of static planes.
#[test]
fn a_ball_falls_through_a_plane_that_is_not_in_its_layers() {
    let mut app = app_with_gravity(60.0);
    let ghost = CollisionLayers::new(Layer::Ghost, Layer::Ghost);
    app.world_mut().spawn((Plane::new(Vec3::Y), ghost));
    let place = |x: f32| Transform::from_xyz(x, 1.0, 0.0);
    let light = app.world_mut().spawn((Particle::new(0.1), place(0.0))).id();
    app.world_mut()
        .spawn((Particle::new(0.1), Mass(1e4), place(1.0)));
    steps(&mut app, 60);
    let fallen = f64::from(position(&app, light).y);
    assert_near("free fall", fallen, 1.0 - 0.5 * 9.81, 1e-3);
}

/// A heap that sleeps on a floor falls through it when the floor leaves its layer.
#[test]
fn layers_change_while_bodies_sleep() {
    let mut app = app_with_gravity(60.0);
    let floor = app.world_mut().spawn(Plane::new(Vec3::Y)).id();
    let balls: Vec<Entity> = (0..3)
        .map(|k| {
            let place = Transform::from_xyz(0.0, 0.1 + 0.2 * k as f32, 0.0);
            app.world_mut().spawn((Particle::new(0.1), place)).id()
        })
        .collect();
    steps(&mut app, 120);
    assert!(
        balls
            .iter()
            .all(|&ball| get::<Sleep>(&app, ball).is_asleep())
    );
    app.world_mut()
        .entity_mut(floor)
        .insert(CollisionLayers::new(Layer::Ghost, Layer::Ghost));
    steps(&mut app, 60);
    for &ball in &balls {
        assert!(position(&app, ball).y < -4.0, "{}", position(&app, ball));
    }
    // A floor below that has just come into their layer stops them.
    let below = app.world_mut().spawn((
        Plane::new(Vec3::Y),
        CollisionLayers::new(Layer::Player, Layer::Player),
        Transform::from_xyz(0.0, -20.0, 0.0),
    ));
    let below = below.id();
    steps(&mut app, 1);
    app.world_mut()
        .entity_mut(below)
        .remove::<CollisionLayers>();
    steps(&mut app, 300);
    for &ball in &balls {
        assert!(position(&app, ball).y > -20.0);
    }
}

/// A ball that sleeps is woken by a wall that comes into its layers where the ball lies, and by one that leaves them.
#[test]
fn a_sleeper_notices_a_wall_that_comes_or_goes() {
    let mut app = app_with_gravity(60.0);
    let nowhere = CollisionLayers::NONE;
    app.world_mut().spawn(Plane::new(Vec3::Y));
    // The first wall is inside the ball, the second one touches it.
    let walls = [
        (Vec3::X, -0.09, nowhere),
        (Vec3::NEG_X, 0.1, CollisionLayers::DEFAULT),
    ]
    .map(|(normal, x, layers)| {
        let wall = (Plane::new(normal), layers, Transform::from_xyz(x, 0.0, 0.0));
        app.world_mut().spawn(wall).id()
    });
    let place = Transform::from_xyz(0.0, 0.1, 0.0);
    let ball = app.world_mut().spawn((Particle::new(0.1), place)).id();
    steps(&mut app, 120);
    assert!(get::<Sleep>(&app, ball).is_asleep());
    app.world_mut().entity_mut(walls[1]).insert(nowhere);
    let mut ended = 0;
    for _ in 0..2 {
        app.update();
        ended += messages::<CollisionEnded>(&app).len();
    }
    assert_eq!(ended, 1, "the second wall has let go");
    steps(&mut app, 120);
    assert!(get::<Sleep>(&app, ball).is_asleep());
    app.world_mut()
        .entity_mut(walls[0])
        .remove::<CollisionLayers>();
    steps(&mut app, 120);
    let x = position(&app, ball).x;
    assert!(x > 0.0095, "the first wall has pushed it to {x}");
}

/// In a heap of many layers, only bodies whose layers match touch: no impact, contact or message tells of another pair.
#[test]
fn only_matching_layers_touch() {
    let mut app = app_with_gravity(60.0);
    let world = app.world_mut();
    world.spawn((Plane::new(Vec3::Y), CollisionLayers::ALL));
    for k in 0..120u32 {
        let layers = CollisionLayers::new(LayerMask(1 << (k % 3)), LayerMask(0b11 << (k % 2)));
        let place = Transform::from_xyz(
            0.05 * (k % 5) as f32,
            0.2 + 0.05 * k as f32,
            0.04 * (k % 4) as f32,
        );
        if k % 4 == 0 {
            world.spawn((Capsule::new(0.1, 0.2), layers, place));
        } else {
            world.spawn((Particle::new(0.1), layers, place));
        }
    }
    let mut touched = [0; 2];
    for _ in 0..240 {
        app.update();
        let world = app.world();
        let contacts = world
            .resource::<Contacts>()
            .iter()
            .map(|contact| (contact.a, contact.b));
        let impacts = messages::<Impact>(&app)
            .into_iter()
            .map(|impact| (impact.a, impact.b));
        let started = messages::<CollisionStarted>(&app)
            .into_iter()
            .map(|it| (it.a, it.b));
        for (a, b) in contacts.chain(impacts).chain(started) {
            let [one, other] = [a, b].map(|body| get::<CollisionLayers>(&app, body));
            assert!(one.interacts_with(other), "{one:?} {other:?}");
            let is_floor = [a, b]
                .iter()
                .any(|&body| world.get::<Plane>(body).is_some());
            touched[usize::from(is_floor)] += 1;
        }
    }
    assert!(touched.iter().all(|&count| count > 100), "{touched:?}");
}
