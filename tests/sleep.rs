//! Bodies at rest fall asleep, stay in place to the bit, and wake at every disturbance.

use bevy::prelude::*;
use bevy_impulse_collide::{collision::BroadPhase, prelude::*};
use laws::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A floor, and a triangle of balls in a gutter, three rows high: an island.
fn heap() -> (App, Entity, Vec<Entity>) {
    let mut app = app_with_gravity(60.0);
    let floor = app.world_mut().spawn(Plane::new(Vec3::Y)).id();
    for side in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
        let width = if side.x == 0.0 { 0.1 } else { 0.3 };
        app.world_mut()
            .spawn((Plane::new(side), Transform::from_translation(-side * width)));
    }
    let balls = (0..6)
        .map(|i| {
            let (row, place) = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 0)][i];
            let x = 0.2 * (place as f32 + 0.5 * row as f32) - 0.2;
            let y = 0.1 + 0.1733 * row as f32;
            app.world_mut()
                .spawn((Particle::new(0.1), Transform::from_xyz(x, y, 0.0)))
                .id()
        })
        .collect();
    (app, floor, balls)
}

fn asleep(app: &App, ball: Entity) -> bool {
    app.world().get::<Sleep>(ball).is_some_and(Sleep::is_asleep)
}

fn sleepers(app: &App, balls: &[Entity]) -> usize {
    balls.iter().filter(|&&ball| asleep(app, ball)).count()
}

fn sleeping_heap() -> (App, Entity, Vec<Entity>) {
    let (mut app, floor, balls) = heap();
    for _ in 0..1200 {
        app.update();
        if sleepers(&app, &balls) == balls.len() {
            return (app, floor, balls);
        }
    }
    panic!("{} of {} sleep", sleepers(&app, &balls), balls.len());
}

#[test]
fn a_heap_at_rest_sleeps_and_stays_to_the_bit() {
    let (mut app, _, balls) = sleeping_heap();
    let before = measure(&mut app);
    let contacts = app.world().resource::<Contacts>().len();
    steps(&mut app, 600);
    assert_eq!(sleepers(&app, &balls), balls.len());
    assert_eq!(measure(&mut app).state_hash, before.state_hash);
    assert_eq!(app.world().resource::<Contacts>().len(), contacts);
    assert!(messages::<CollisionEnded>(&app).is_empty());
}

#[test]
fn the_contacts_of_sleepers_carry_their_weight() {
    let (mut app, _, balls) = sleeping_heap();
    app.update();
    let weight = balls.len() as f32 * 9.81 / 60.0;
    // The walls' friction carries a part.
    let from_outside: Vec3 = app
        .world()
        .resource::<Contacts>()
        .iter()
        .map(
            |contact| match [contact.a, contact.b].map(|body| balls.contains(&body)) {
                [true, false] => contact.impulse,
                [false, true] => -contact.impulse,
                _ => Vec3::ZERO,
            },
        )
        .sum();
    assert_near("weight", (from_outside.y / weight).into(), 1.0, 1e-3);
}

/// A disturbance of a sleeping heap, all of which must wake.
type Disturbance = fn(&mut App, Entity, &[Entity]);

#[test]
fn whatever_happens_to_a_heap_wakes_it() {
    let cases: [(&str, Disturbance); 10] = [
        ("a push", |app, _, balls| {
            app.world_mut()
                .get_mut::<LinearVelocity>(balls[0])
                .unwrap()
                .x = 0.1;
        }),
        ("a twist", |app, _, balls| {
            app.world_mut()
                .get_mut::<AngularVelocity>(balls[0])
                .unwrap()
                .x = 1.0;
        }),
        ("a move", |app, _, balls| {
            app.world_mut()
                .get_mut::<Transform>(balls[5])
                .unwrap()
                .translation
                .y += 0.01;
        }),
        ("another mass", |app, _, balls| {
            app.world_mut().get_mut::<Mass>(balls[5]).unwrap().0 = 3.0;
        }),
        ("another radius", |app, _, balls| {
            app.world_mut()
                .get_mut::<Particle>(balls[0])
                .unwrap()
                .radius = 0.09;
        }),
        ("a force", |app, _, balls| {
            app.world_mut()
                .entity_mut(balls[1])
                .insert(ExternalForce(Vec3::X));
        }),
        ("gravity that turns", |app, _, _| {
            app.world_mut().resource_mut::<Gravity>().0 = Vec3::new(1.0, -9.8, 0.0);
        }),
        ("a floor that sinks", |app, floor, _| {
            app.world_mut()
                .get_mut::<Transform>(floor)
                .unwrap()
                .translation
                .y = -0.01;
        }),
        ("a floor that is gone", |app, floor, _| {
            app.world_mut().despawn(floor);
        }),
        ("a hit", |app, _, _| {
            let fall = LinearVelocity(Vec3::NEG_Y * 20.0);
            let above = Transform::from_xyz(0.0, 0.8, 0.0);
            app.world_mut().spawn((Particle::new(0.1), fall, above));
        }),
    ];
    for (name, disturb) in cases {
        let (mut app, floor, balls) = sleeping_heap();
        disturb(&mut app, floor, &balls);
        steps(&mut app, 2);
        assert_eq!(sleepers(&app, &balls), 0, "asleep after {name}");
    }
}

#[test]
fn a_ball_that_is_taken_away_wakes_those_that_leant_on_it() {
    let (mut app, _, balls) = sleeping_heap();
    app.world_mut().despawn(balls[0]);
    steps(&mut app, 2);
    assert_eq!(sleepers(&app, &balls[1..]), 0);
    steps(&mut app, 60);
    let sunk = balls[1..]
        .iter()
        .filter(|&&ball| position(&app, ball).y < 0.2)
        .count();
    assert!(sunk > 2, "nothing rolls into the gap");
}

#[test]
fn one_that_comes_to_lie_on_sleepers_wakes_them_gently() {
    let (mut app, _, balls) = sleeping_heap();
    let top = position(&app, balls[5]).y;
    let place = Transform::from_xyz(-0.1, top + 0.1, 0.0);
    let arrival = app.world_mut().spawn((Particle::new(0.1), place)).id();
    let awake = (0..60).any(|_| {
        app.update();
        sleepers(&app, &balls) == 0
    });
    assert!(awake);
    steps(&mut app, 600);
    assert!(position(&app, arrival).y > 0.09, "it is still on the heap");
    assert!(measure(&mut app).overlap_max < 0.01);
}

#[test]
fn sleep_can_be_switched_off_and_what_floats_never_sleeps() {
    let (mut app, _, balls) = heap();
    app.world_mut()
        .resource_mut::<CollisionConfig>()
        .sleep_speed = 0.0;
    steps(&mut app, 600);
    assert_eq!(sleepers(&app, &balls), 0);

    let mut app = laws::app(60.0);
    let slow = LinearVelocity(Vec3::X * 1e-3);
    let floating = app.world_mut().spawn((Particle::new(0.1), slow)).id();
    let beside = Transform::from_xyz(0.2, 0.0, 0.0);
    app.world_mut().spawn((Particle::new(0.1), slow, beside));
    app.world_mut().spawn((
        Particle::new(0.1),
        RigidBody::Static,
        Transform::from_xyz(5.0, 0.0, 0.0),
    ));
    steps(&mut app, 600);
    assert!(!asleep(&app, floating));
    assert_near("path", position(&app, floating).x.into(), 0.01, 1e-6);
}

/// Balls come to the floor one after the other, the last ones first, beside balls that lie there already.
#[test]
fn who_comes_late_sleeps_with_its_contacts() {
    let mut app = app_with_gravity(60.0);
    app.world_mut()
        .spawn((Plane::new(Vec3::Y), Restitution(0.0)));
    let balls: Vec<Entity> = (0..30)
        .map(|i| {
            let height = if i % 3 == 0 {
                0.0
            } else {
                0.1 * (30 - i) as f32
            };
            let place = Transform::from_xyz(i as f32, 0.1 + height, 0.0);
            app.world_mut()
                .spawn((Particle::new(0.1), Restitution(0.0), place))
                .id()
        })
        .collect();
    let mut touching = 0;
    for step in 0..600 {
        app.update();
        let ended = messages::<CollisionEnded>(&app);
        assert!(ended.is_empty(), "in step {step}: {ended:?}");
        touching += messages::<CollisionStarted>(&app).len();
    }
    assert_eq!(sleepers(&app, &balls), balls.len());
    assert_eq!(touching, balls.len());
    let contacts = app.world().resource::<Contacts>();
    assert_eq!(
        contacts.iter().filter(|c| c.is_touching).count(),
        balls.len()
    );
}

/// Steps until all bodies sleep. Returns the seconds that it took.
///
/// Nothing stops a ball that rolls on the bare floor: without rolling friction it may roll on for long. So one in five hundred,
/// that touches planes and nothing else, may do so.
fn seconds_to_sleep(app: &mut App, limit: f32) -> f32 {
    let mut all = app
        .world_mut()
        .query_filtered::<(Entity, &Sleep), Or<(With<Particle>, With<Capsule>)>>();
    let mut awake = Vec::new();
    for step in 1..=(limit * 60.0) as usize {
        app.update();
        let sleep = all.iter(app.world());
        awake = sleep
            .filter(|(_, sleep)| !sleep.is_asleep())
            .map(|(entity, _)| entity)
            .collect();
        if awake.is_empty() {
            return step as f32 / 60.0;
        }
    }
    let rolls_alone = |&ball: &Entity| {
        let contacts = app.world().resource::<Contacts>();
        let mut others = contacts.iter().filter_map(|contact| contact.other(ball));
        app.world().get::<Particle>(ball).is_some()
            && others.all(|other| app.world().get::<Plane>(other).is_some())
    };
    assert!(
        awake.iter().all(rolls_alone) && 500 * awake.len() <= all.iter(app.world()).count(),
        "{} are awake after {limit} s",
        awake.len()
    );
    limit
}

/// A floor, and four walls that leave a square with sides of `width` metres.
fn open_box(width: f32) -> App {
    let mut app = app_with_gravity(60.0);
    let material = (Friction(0.3), Restitution(0.2));
    app.world_mut().spawn((Plane::new(Vec3::Y), material));
    for side in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
        let place = Transform::from_translation(-side * 0.5 * width);
        app.world_mut().spawn((Plane::new(side), material, place));
    }
    app
}

/// Spawns `count` bodies in layers over a box of this `width`. No two rows are in line.
fn pour<B: Bundle>(app: &mut App, count: usize, width: f32, pitch: f32, body: impl Fn(usize) -> B) {
    let side = (width / pitch) as usize;
    for i in 0..count {
        let (x, z, y) = (i % side, i / side % side, i / (side * side));
        let shift = 0.01 * pitch * ((7 * i) % 11) as f32;
        let at = |k: usize| (k as f32 + 0.5) * pitch - 0.5 * width;
        let place = Vec3::new(at(x) + shift, (y as f32 + 1.0) * pitch, at(z) - shift);
        let tilt = Quat::from_scaled_axis(Vec3::new(i as f32, 0.3, 2.0 * i as f32));
        let place = Transform::from_translation(place).with_rotation(tilt);
        let material = (Friction(0.3), Restitution(0.2));
        app.world_mut().spawn((body(i), material, place));
    }
}

/// Spawns 2,000 balls with radii from 5 mm to 0.1 m, as many in each octave, each at random in a cell of its own.
fn pour_many_sizes(app: &mut App) {
    const PITCH: f32 = 0.22;
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for i in 0..2000 {
        let radius = 0.1 * 0.05f32.powf(rng.random());
        let cell = [i % 11, i / 121, i / 11 % 11].map(|k| k as f32 + 0.5);
        let corner = Vec3::new(-0.5 * 11.0, 0.0, -0.5 * 11.0) * PITCH;
        let room = 0.5 * PITCH - radius;
        let shift = Vec3::from([(); 3].map(|()| rng.random_range(-room..room)));
        let place = Transform::from_translation(corner + Vec3::from(cell) * PITCH + shift);
        let material = (Friction(0.3), Restitution(0.2));
        app.world_mut()
            .spawn((Particle::new(radius), Density(1000.0), material, place));
    }
}

#[test]
fn whatever_is_poured_sleeps_and_sleeps_again() {
    let mut balls = open_box(1.5);
    pour(&mut balls, 400, 1.5, 0.22, |_| {
        (Particle::new(0.1), Density(1000.0))
    });
    let mut capsules = open_box(1.5);
    pour(&mut capsules, 150, 1.5, 0.45, |_| {
        (Capsule::new(0.1, 0.2), Density(1000.0))
    });
    let mut sizes = open_box(1.5);
    pour(&mut sizes, 200, 1.5, 0.42, |i| {
        let radius = 0.2 * 0.5f32.powi(i as i32 % 3);
        (Particle::new(radius), Density(1000.0))
    });
    // A heavy ball may press a small one into a corner for good.
    let mut many_sizes = open_box(2.5);
    pour_many_sizes(&mut many_sizes);
    // Nothing has rolling friction: a ball may roll slowly from capsule to capsule for many seconds.
    for (mut app, again) in [
        (balls, 6.0),
        (capsules, 15.0),
        (sizes, 15.0),
        (many_sizes, 15.0),
    ] {
        let seconds = seconds_to_sleep(&mut app, 15.0);
        assert!(seconds > 1.0, "asleep after {seconds} s");
        let place = Transform::from_xyz(0.05, 4.0, 0.1);
        let ball = (Particle::new(0.1), Density(1000.0), place);
        app.world_mut()
            .spawn((ball, Friction(0.3), Restitution(0.2)));
        seconds_to_sleep(&mut app, again);
    }
}

/// A ball that spins about the normal of its contacts moves nothing: it sleeps, and goes on turning at its rate.
#[test]
fn a_ball_that_spins_on_the_spot_sleeps_and_turns_on() {
    let mut app = app_with_gravity(60.0);
    let spin = Vec3::Y * 2.0;
    app.world_mut().spawn(Plane::new(Vec3::Y));
    let at = |height| (Particle::new(0.1), Transform::from_xyz(0.0, height, 0.0));
    app.world_mut().spawn(at(0.3));
    let spinner = app.world_mut().spawn((at(0.1), AngularVelocity(spin))).id();
    seconds_to_sleep(&mut app, 5.0);

    let rotation = |app: &App| app.world().get::<Transform>(spinner).unwrap().rotation;
    let (before, centre) = (rotation(&app), measure(&mut app).center_of_mass);
    steps(&mut app, 30);
    let turned = rotation(&app) * before.inverse();
    let expected = Quat::from_scaled_axis(spin * 0.5);
    assert_near("angle", turned.angle_between(expected).into(), 0.0, 1e-3);
    assert_eq!(measure(&mut app).center_of_mass, centre);
    assert!(asleep(&app, spinner));

    // Awake, it still has its spin.
    app.world_mut().get_mut::<Sleep>(spinner).unwrap().wake();
    app.update();
    assert!(!asleep(&app, spinner));
    let spin_now = app.world().get::<AngularVelocity>(spinner).unwrap().0;
    assert_near("spin", spin_now.distance(spin).into(), 0.0, 1e-5);
}

/// A sleeper that spins is shown turning, however many bodies beside it are awake.
#[test]
fn a_sleeper_turns_on_beside_many_that_are_awake() {
    let mut app = app_with_gravity(60.0);
    let spin = Vec3::Y * 2.0;
    app.world_mut().spawn(Plane::new(Vec3::Y));
    let at = |i: usize, y| {
        let place = Transform::from_xyz((i % 16) as f32, y, (i / 16) as f32);
        (Particle::new(0.1), place)
    };
    let sleepers = (0..256).map(|i| {
        app.world_mut()
            .spawn((at(i, 0.1), AngularVelocity(spin)))
            .id()
    });
    let sleepers: Vec<_> = sleepers.collect();
    seconds_to_sleep(&mut app, 5.0);
    for i in 0..256 {
        app.world_mut().spawn(at(i, 100.0));
    }
    app.update();
    let rotation = |app: &App, ball| app.world().get::<Transform>(ball).unwrap().rotation;
    let before: Vec<_> = sleepers.iter().map(|&ball| rotation(&app, ball)).collect();
    steps(&mut app, 30);
    let expected = Quat::from_scaled_axis(spin * 0.5);
    for (&ball, before) in sleepers.iter().zip(before) {
        assert!(asleep(&app, ball));
        let turned = rotation(&app, ball) * before.inverse();
        assert_near("angle", turned.angle_between(expected).into(), 0.0, 1e-3);
    }
}

#[test]
fn no_pair_of_sleepers_takes_part_in_a_step() {
    let (mut app, _, _) = sleeping_heap();
    app.update();
    let pairs = |app: &App| -> Vec<_> {
        let broad_phase = app.world().resource::<BroadPhase>();
        broad_phase.pairs().collect()
    };
    assert_eq!(pairs(&app), []);
    // Behind the walls, another ball is awake.
    let place = Transform::from_xyz(-5.0, 10.0, 0.0);
    let ball = app.world_mut().spawn((Particle::new(0.1), place)).id();
    steps(&mut app, 20);
    let ball = app.world().resource::<Bodies>().index_of(ball).unwrap() as u32;
    let pairs = pairs(&app);
    assert!(!pairs.is_empty() && pairs.iter().all(|&(a, b)| a == ball || b == ball));
}

/// A system of a user between two stages may change a sleeping body too.
#[test]
fn what_a_system_in_the_step_writes_wakes_a_sleeper() {
    #[derive(Resource, Default)]
    struct Kick(Option<Entity>);
    let (mut app, _, balls) = sleeping_heap();
    app.init_resource::<Kick>().add_systems(
        ImpulseStep,
        (|mut bodies: ResMut<Bodies>, mut kick: ResMut<Kick>| {
            if let Some(i) = kick.0.take().and_then(|ball| bodies.index_of(ball)) {
                let mut body = bodies.get_mut(i);
                let velocity = body.velocity().with_y(2.0);
                body.set_velocity(velocity);
            }
        })
        .after(StepSystems::Integrate),
    );
    steps(&mut app, 10);
    assert_eq!(sleepers(&app, &balls), balls.len());
    let top = position(&app, balls[5]).y;
    app.world_mut().resource_mut::<Kick>().0 = Some(balls[5]);
    steps(&mut app, 6);
    assert!(position(&app, balls[5]).y > top + 0.1);
}

/// With a delay of zero a body sleeps as soon as it is at rest, and not before.
#[test]
fn without_a_delay_only_bodies_at_rest_sleep() {
    let mut app = app_with_gravity(60.0);
    app.world_mut()
        .resource_mut::<CollisionConfig>()
        .sleep_delay = 0.0;
    let world = app.world_mut();
    world.spawn(Plane::new(Vec3::Y));
    let tilted = Quat::from_rotation_z(0.5);
    let place = Transform::from_xyz(0.0, 0.35, 0.0).with_rotation(tilted);
    let capsule = world
        .spawn((Capsule::new(0.1, 1.0), Friction(1.0), place))
        .id();
    let mut fell = false;
    for _ in 0..600 {
        app.update();
        let moves = velocity(&app, capsule).length() > 0.1 || spin(&app, capsule).length() > 0.5;
        fell |= moves;
        assert!(!moves || !asleep(&app, capsule), "it sleeps while it falls");
    }
    assert!(fell && asleep(&app, capsule));
    // It lies: its core has no height over its radius.
    let axis = get::<Transform>(&app, capsule).rotation * Vec3::Y;
    assert!(axis.y.abs() < 0.02, "{axis}");
}

/// A teleport wakes what leant on the body, and what it meets, and gives neither a velocity.
#[test]
fn a_teleport_wakes_what_it_leaves_and_what_it_meets() {
    let mut app = app_with_gravity(60.0);
    let world = app.world_mut();
    world.spawn(Plane::new(Vec3::Y));
    let ball = |world: &mut World, x: f32, y: f32| {
        let place = Transform::from_xyz(x, y, 0.0);
        world
            .spawn((Particle::new(0.5), Restitution(0.0), place))
            .id()
    };
    let (lower, upper, other) = (
        ball(world, 0.0, 0.5),
        ball(world, 0.0, 1.5),
        ball(world, 10.0, 0.5),
    );
    let is_asleep = |app: &App, body: Entity| get::<Sleep>(app, body).is_asleep();
    steps(&mut app, 300);
    assert!(
        [lower, upper, other]
            .iter()
            .all(|&body| is_asleep(&app, body))
    );
    let teleport = TeleportTo::new(Vec3::new(10.9, 0.5, 0.0));
    app.world_mut().commands().entity(lower).queue(teleport);
    app.world_mut().flush();
    steps(&mut app, 1);
    assert!(!is_asleep(&app, upper) && !is_asleep(&app, other));
    // The upper one begins to fall; the others overlap, and are pushed apart slowly.
    assert!((-0.5..0.0).contains(&velocity(&app, upper).y));
    assert!(velocity(&app, lower).length() < 0.5 && velocity(&app, other).length() < 0.5);
    steps(&mut app, 60);
    assert_near("height", position(&app, upper).y.into(), 0.5, 2e-2);
    assert!(position(&app, other).distance(position(&app, lower)) > 0.99);
}

/// Balls in gutters that slope down to a stop, three in each: many islands.
fn gutters(app: &mut App, count: usize) -> Vec<[Entity; 3]> {
    let slope = Quat::from_rotation_z(0.1);
    let gutter = |k: usize| {
        let origin = Vec3::new(3.0 * (k % 20) as f32, 0.0, 1.0 * (k / 20) as f32);
        for z in [-0.08, 0.08] {
            let along = slope * Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
            let place = Transform::from_translation(origin + Vec3::Z * z).with_rotation(along);
            app.world_mut()
                .spawn((Capsule::new(0.05, 1.6), RigidBody::Static, place));
        }
        let at = |x: f32| Transform::from_translation(origin + slope * Vec3::new(x, 0.125, 0.0));
        app.world_mut()
            .spawn((Particle::new(0.1), RigidBody::Static, at(-0.6)));
        [0, 1, 2].map(|n| {
            let ball = (Particle::new(0.1), Friction(0.3), RollingFriction(0.01));
            let ball = (ball, at(-0.39 + 0.21 * n as f32));
            app.world_mut().spawn(ball).id()
        })
    };
    (0..count).map(gutter).collect()
}

#[test]
fn islands_wake_and_sleep_one_by_one_and_leave_the_others_as_they_are() {
    let mut app = app_with_gravity(60.0);
    let gutters = gutters(&mut app, 360);
    let all: Vec<Entity> = gutters.iter().flatten().copied().collect();
    let wait = |app: &mut App| {
        let asleep = (0..2400).any(|_| {
            app.update();
            sleepers(app, &all) == all.len()
        });
        assert!(asleep, "{} of {} sleep", sleepers(app, &all), all.len());
    };
    wait(&mut app);
    app.update();
    let places = |app: &App| {
        all.iter()
            .map(|&ball| position(app, ball))
            .collect::<Vec<_>>()
    };
    let (before, contacts) = (places(&app), contact_pairs(&app));
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let (mut pushed, mut most_awake) = (Vec::new(), 0);
    for step in 0..1200 {
        // Only in some of the gutters.
        if step % 5 == 0 {
            let k = random.random_range(0..gutters.len() / 2);
            pushed.push(k);
            let speed = random.random_range(0.05..0.4);
            let up = Quat::from_rotation_z(0.1) * Vec3::X * speed;
            app.world_mut()
                .entity_mut(gutters[k][random.random_range(0..3)])
                .insert(LinearVelocity(up));
        }
        app.update();
        most_awake = most_awake.max(all.len() - sleepers(&app, &all));
        let of_others = |a: Entity, b: Entity| {
            let mut others = gutters.iter().skip(gutters.len() / 2).flatten();
            others.any(|&ball| ball == a || ball == b)
        };
        for ended in messages::<CollisionEnded>(&app) {
            assert!(!of_others(ended.a, ended.b), "{ended:?} in step {step}");
        }
        for started in messages::<CollisionStarted>(&app) {
            assert!(
                !of_others(started.a, started.b),
                "{started:?} in step {step}"
            );
        }
    }
    assert!(
        most_awake > 30 && most_awake < all.len() / 2,
        "{most_awake}"
    );
    wait(&mut app);
    app.update();
    pushed.sort_unstable();
    for (k, (now, then)) in places(&app).iter().zip(&before).enumerate() {
        match pushed.binary_search(&(k / 3)) {
            Ok(_) => assert!(now.distance(*then) < 0.1, "ball {k} was {then}, is {now}"),
            Err(_) => assert_eq!(now, then),
        }
    }
    // They all lie against each other again, and press as they did.
    assert_eq!(contact_pairs(&app), contacts);
    for gutter in &gutters {
        let mut weight = 0.0;
        for contact in app.world().resource::<Contacts>().iter() {
            weight += match [contact.a, contact.b].map(|body| gutter.contains(&body)) {
                [true, false] => contact.impulse.y,
                [false, true] => -contact.impulse.y,
                _ => 0.0,
            };
        }
        let mass = get::<Mass>(&app, gutter[0]).0;
        assert_near(
            "weight",
            (weight / (3.0 * mass * 9.81 / 60.0)).into(),
            1.0,
            1e-2,
        );
    }
}

/// The pairs that touch, sorted.
fn contact_pairs(app: &App) -> Vec<(Entity, Entity)> {
    let contacts = app.world().resource::<Contacts>();
    let touching = contacts.iter().filter(|contact| contact.is_touching);
    let mut pairs: Vec<_> = touching.map(|contact| (contact.a, contact.b)).collect();
    pairs.sort_unstable();
    pairs
}
