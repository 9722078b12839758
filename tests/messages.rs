//! Game code hears of collisions: when they start, when they end, and how hard they were.

use std::collections::BTreeSet;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;
use proptest::prelude::*;

#[test]
fn an_impact_tells_its_impulse_point_normal_and_speed() {
    let mut app = app(60.0);
    let plane = app
        .world_mut()
        .spawn((Plane::new(Vec3::Y), Restitution(0.5)))
        .id();
    let ball = app
        .world_mut()
        .spawn((
            Particle::new(0.5),
            Mass(3.0),
            Restitution(0.5),
            Friction(0.0),
            Transform::from_xyz(2.0, 0.6, 0.0),
            LinearVelocity(Vec3::new(0.0, -12.0, 0.0)),
        ))
        .id();
    app.update();
    let impacts = messages::<Impact>(&app);
    let [impact] = impacts[..] else {
        panic!("one impact, not {impacts:?}")
    };
    let sign = if impact.a == ball { 1.0 } else { -1.0 };
    assert_eq!(
        {
            let mut pair = [impact.a, impact.b];
            pair.sort();
            pair
        },
        {
            let mut pair = [plane, ball];
            pair.sort();
            pair
        }
    );
    // j = (1 + e)·m·v, 0.1 m above the plane at 12 m/s.
    assert_near(
        "impulse",
        (sign * impact.impulse.y).into(),
        1.5 * 3.0 * 12.0,
        1e-3,
    );
    assert_near("normal", (sign * impact.normal.y).into(), 1.0, 1e-6);
    assert_near("approach speed", impact.approach_speed.into(), 12.0, 1e-4);
    assert_near("time", impact.time.into(), 0.1 / 12.0, 1e-5);
    assert_near(
        "point",
        impact.point.distance(Vec3::X * 2.0).into(),
        0.0,
        1e-4,
    );
}

#[test]
fn a_touch_starts_once_and_ends_once() {
    let mut app = app_with_gravity(60.0);
    app.world_mut()
        .spawn((Plane::new(Vec3::Y), Restitution(0.0)));
    let ball = app
        .world_mut()
        .spawn((Particle::new(0.5), Transform::from_xyz(0.0, 0.7, 0.0)))
        .id();
    let (mut started, mut ended) = (0, 0);
    for step in 0..240 {
        app.update();
        started += messages::<CollisionStarted>(&app).len();
        ended += messages::<CollisionEnded>(&app).len();
        if step == 119 {
            assert_eq!((started, ended), (1, 0), "after two seconds it rests");
            app.world_mut().get_mut::<LinearVelocity>(ball).unwrap().0 = Vec3::Y * 5.0;
        }
        if step == 130 {
            assert_eq!((started, ended), (1, 1), "thrown up, it touches no longer");
        }
    }
    assert_eq!((started, ended), (2, 1), "and comes down again");
}

#[test]
fn despawning_ends_a_touch() {
    let mut app = app_with_gravity(60.0);
    app.world_mut().spawn(Plane::new(Vec3::Y));
    let ball = app
        .world_mut()
        .spawn((Particle::new(0.5), Transform::from_xyz(0.0, 0.5, 0.0)))
        .id();
    steps(&mut app, 10);
    app.world_mut().despawn(ball);
    app.update();
    assert_eq!(messages::<CollisionEnded>(&app).len(), 1);
}

/// What observers were told of one body: each event with its partner, in their order.
#[derive(Resource, Default)]
struct Told(Vec<(Entity, Event)>);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Event {
    Impact(Impact),
    Started(Entity),
    Ended(Entity, bool),
}

fn listen(app: &mut App, body: Entity) {
    app.init_resource::<Told>();
    let mut body = app.world_mut().entity_mut(body);
    body.insert(CollisionEvents)
        .observe(|event: On<Impact>, mut told: ResMut<Told>| {
            told.0.push((event.a, Event::Impact(*event)));
        })
        .observe(|event: On<CollisionStarted>, mut told: ResMut<Told>| {
            told.0.push((event.a, Event::Started(event.b)));
        })
        .observe(|event: On<CollisionEnded>, mut told: ResMut<Told>| {
            told.0
                .push((event.a, Event::Ended(event.b, event.by_despawn)));
        });
}

#[test]
fn an_event_is_seen_from_its_body() {
    let mut app = app(60.0);
    let ball = |app: &mut App, x: f32, v: f32| {
        let (place, v) = (
            Transform::from_xyz(x, 0.0, 0.0),
            LinearVelocity(Vec3::X * v),
        );
        let ball = (Particle::new(0.5), Restitution(1.0), place, v);
        app.world_mut().spawn(ball).id()
    };
    let (left, right) = (ball(&mut app, 0.0, 2.0), ball(&mut app, 1.01, 0.0));
    listen(&mut app, left);
    listen(&mut app, right);
    app.update();
    let impact = messages::<Impact>(&app)[0];
    for (body, sign) in [(left, -1.0), (right, 1.0)] {
        let told = &app.world().resource::<Told>().0;
        let events: Vec<Event> = told
            .iter()
            .filter(|(of, _)| *of == body)
            .map(|(_, it)| *it)
            .collect();
        let Event::Impact(event) = events[0] else {
            panic!("{events:?}");
        };
        assert_eq!(Some(event.b), impact.other(body));
        assert_eq!(Some(event.normal), impact.normal_on(body));
        assert_eq!(Some(event.impulse), impact.impulse_on(body));
        assert!(
            event.normal.x * sign > 0.99 && event.impulse.x * sign > 1.9,
            "{event:?}"
        );
        assert_eq!(events[1], Event::Started(event.b));
    }
    assert_eq!(impact.other(Entity::PLACEHOLDER), None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..default() })]

    /// Bodies fall, sleep, are teleported and despawned at random. For each pair, starts and ends take turns. After each step, the
    /// pairs that have started and not ended are the pairs that touch. An end by despawn comes if, and only if, a body is gone.
    /// Observers are told the same, in the same order, of the bodies that ask for it.
    #[test]
    fn no_touch_is_lost_or_doubled(
        edits in prop::collection::vec((0..40usize, 0..20usize, 0..3u8), 30),
        listeners in prop::collection::vec(any::<bool>(), 20),
    ) {
        let mut app = app_with_gravity(60.0);
        app.init_resource::<Told>();
        app.world_mut().spawn(Plane::new(Vec3::Y));
        let mut bodies = Vec::new();
        for (k, &listens) in listeners.iter().enumerate() {
            let place = Transform::from_xyz(0.05 * (k % 4) as f32, 0.2 + 0.21 * k as f32, 0.03 * (k % 3) as f32);
            let body = if k % 3 == 0 {
                app.world_mut().spawn((Capsule::new(0.1, 0.2), place)).id()
            } else {
                app.world_mut().spawn((Particle::new(0.1), place)).id()
            };
            if listens {
                listen(&mut app, body);
            }
            bodies.push(body);
        }
        let mut touching = BTreeSet::new();
        for step in 0..400usize {
            for &(_, which, what) in edits.iter().filter(|(at, ..)| at * 10 == step) {
                let Ok(mut body) = app.world_mut().get_entity_mut(bodies[which]) else {
                    continue;
                };
                match what {
                    0 => body.despawn(),
                    1 => body.get_mut::<Transform>().unwrap().translation.y += 1.0,
                    _ => body.get_mut::<LinearVelocity>().unwrap().0 = Vec3::new(3.0, 4.0, 0.0),
                }
            }
            app.world_mut().resource_mut::<Told>().0.clear();
            app.update();
            let world = app.world();
            let exists = |body: Entity| world.get_entity(body).is_ok();
            let mut expected = Vec::new();
            let mut expect = |body: Entity, event: Event| {
                if world.get::<CollisionEvents>(body).is_some() {
                    expected.push((body, event));
                }
            };
            for impact in messages::<Impact>(&app) {
                for body in [impact.a, impact.b] {
                    expect(body, Event::Impact(Impact {
                        a: body,
                        b: impact.other(body).unwrap(),
                        normal: impact.normal_on(body).unwrap(),
                        impulse: impact.impulse_on(body).unwrap(),
                        ..impact
                    }));
                }
            }
            for CollisionStarted { a, b } in messages::<CollisionStarted>(&app) {
                prop_assert!(touching.insert((a, b)), "a second start of {a} and {b}");
                expect(a, Event::Started(b));
                expect(b, Event::Started(a));
            }
            for CollisionEnded { a, b, by_despawn } in messages::<CollisionEnded>(&app) {
                prop_assert!(touching.remove(&(a, b)), "an end without a start of {a} and {b}");
                prop_assert_eq!(by_despawn, !(exists(a) && exists(b)));
                expect(a, Event::Ended(b, by_despawn));
                expect(b, Event::Ended(a, by_despawn));
            }
            prop_assert_eq!(&world.resource::<Told>().0, &expected);
            prop_assert!(touching.iter().all(|&(a, b)| exists(a) && exists(b)));
            let contacts = world.resource::<Contacts>().iter();
            let contacts = contacts.filter(|contact| contact.is_touching);
            let contacts: BTreeSet<_> = contacts.map(|contact| (contact.a, contact.b)).collect();
            let hits = messages::<Impact>(&app).into_iter().map(|hit| (hit.a, hit.b));
            let hits: BTreeSet<_> = hits.collect();
            prop_assert!(contacts.is_subset(&touching), "without a start: {:?}", &contacts - &touching);
            let touched = &contacts | &hits;
            prop_assert!(touching.is_subset(&touched), "without an end: {:?}", &touching - &touched);
        }
    }
}

/// The first of two impacts in one step breaks a glass ball: it gets no other event.
#[test]
fn a_body_that_an_observer_despawns_gets_no_more_events() {
    let mut app = app(60.0);
    let glass = (Particle::new(0.5), CollisionEvents, Restitution(1.0));
    let glass = app.world_mut().spawn(glass).id();
    for side in [-1.0, 1.0] {
        let place = Transform::from_xyz(1.01 * side, 0.0, 0.0);
        let v = LinearVelocity(Vec3::NEG_X * side * (2.0 + side));
        app.world_mut()
            .spawn((Particle::new(0.5), Restitution(1.0), place, v));
    }
    app.init_resource::<Told>().add_observer(
        |hit: On<Impact>, mut told: ResMut<Told>, mut commands: Commands| {
            told.0.push((hit.a, Event::Impact(*hit)));
            commands.entity(hit.a).despawn();
        },
    );
    app.update();
    assert!(messages::<Impact>(&app).len() > 1);
    let told = &app.world().resource::<Told>().0;
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0].0, glass);
}
