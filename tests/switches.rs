//! What is switched acts from then on: a force, a field, a contact, a rule. What is sampled in every step acts as a field does.

use std::f64::consts::TAU;

use bevy::{ecs::entity_disabling::Disabled, prelude::*};
use bevy_impulse_collide::prelude::*;
use laws::*;

const G: f32 = 9.81;

/// How a support is taken away.
#[derive(Clone, Copy, Debug)]
enum End {
    Despawned,
    Disabled,
    OtherLayers,
    Sensor,
    PutElsewhere,
    Shrunk,
    LayersOfTheBody,
}

const ENDS: [End; 7] = [
    End::Despawned,
    End::Disabled,
    End::OtherLayers,
    End::Sensor,
    End::PutElsewhere,
    End::Shrunk,
    End::LayersOfTheBody,
];

fn end(app: &mut App, how: End, support: Entity, bodies: &[Entity]) {
    let nothing = CollisionLayers::NONE;
    let world = app.world_mut();
    match how {
        End::Despawned => assert!(world.despawn(support)),
        End::Disabled => _ = world.entity_mut(support).insert(Disabled),
        End::OtherLayers => _ = world.entity_mut(support).insert(nothing),
        End::Sensor => _ = world.entity_mut(support).insert(Sensor),
        End::PutElsewhere => {
            let mut transform = world.get_mut::<Transform>(support).unwrap();
            transform.translation -= Vec3::Y * 50.0;
        }
        // A plane has no size, so it sinks. The mesh shrinks about a point of its surface, so it sinks a little, too.
        End::Shrunk => {
            let mut transform = world.get_mut::<Transform>(support).unwrap();
            transform.scale = Vec3::splat(0.5);
            transform.translation.y -= 5.0;
        }
        End::LayersOfTheBody => {
            for &body in bodies {
                world.entity_mut(body).insert(nothing);
            }
        }
    }
}

/// A support whose top is at y = 0.
fn supports() -> [(&'static str, fn(&mut App) -> Entity); 4] {
    [
        ("plane", |app| {
            app.world_mut().spawn(Plane::new(Vec3::Y)).id()
        }),
        ("cuboid", |app| {
            let place = Transform::from_xyz(0.0, -0.5, 0.0);
            let solid = (Collider::cuboid(8.0, 1.0, 8.0), place);
            app.world_mut().spawn(solid).id()
        }),
        ("ball", |app| {
            let ball = (Particle::new(3.0), RigidBody::Static);
            let place = Transform::from_xyz(0.0, -3.0, 0.0);
            app.world_mut().spawn((ball, place)).id()
        }),
        ("mesh", |app| {
            let corners = [
                Vec3::new(-4.0, 0.0, -4.0),
                Vec3::new(4.0, 0.0, -4.0),
                Vec3::new(4.0, 0.0, 4.0),
                Vec3::new(-4.0, 0.0, 4.0),
            ];
            let triangles = [[0, 2, 1], [0, 3, 2]];
            let mesh = Collider::trimesh(corners, triangles, MeshSides::Two);
            app.world_mut().spawn(mesh).id()
        }),
    ]
}

fn bodies() -> [(
    &'static str,
    f32,
    fn() -> Box<dyn FnOnce(&mut EntityWorldMut)>,
); 2] {
    [
        ("ball", 0.5, || {
            Box::new(|body| _ = body.insert(Particle::new(0.5)))
        }),
        ("capsule", 0.8, || {
            Box::new(|body| {
                // It stands.
                body.insert((Capsule::new(0.3, 1.0), RollingFriction(0.0)));
            })
        }),
    ]
}

/// Free fall from rest begins when the support goes: v = −g·t and y = −g·t²/2, for all bodies, supports, rates and causes.
#[test]
fn a_body_whose_support_goes_falls_freely_from_then_on() {
    for hz in [30.0, 60.0, 240.0] {
        for (support_name, support) in supports() {
            for (body_name, height, body) in bodies() {
                for how in ENDS {
                    for sleeps in [false, true] {
                        let mut app = app_with_gravity(hz);
                        let ground = support(&mut app);
                        let place = Transform::from_xyz(0.0, height, 0.0);
                        let mut falling = app.world_mut().spawn(place);
                        body()(&mut falling);
                        let falling = falling.id();
                        let seconds = if sleeps { 2.0 } else { 0.25 };
                        steps(&mut app, (seconds * hz) as usize);
                        let what = format!(
                            "{body_name} on {support_name}, {how:?}, {hz} Hz, asleep: {sleeps}"
                        );
                        let (x, v) = (position(&app, falling), velocity(&app, falling));
                        assert!(v.length() < 2e-3, "{what}: it rests, {v}");
                        end(&mut app, how, ground, &[falling]);
                        let h = 1.0 / hz as f32;
                        for step in [1, (0.5 * hz) as usize] {
                            let done = if step == 1 { 0 } else { 1 };
                            steps(&mut app, step - done);
                            let t = step as f32 * h;
                            let fell = position(&app, falling) - x;
                            let v = velocity(&app, falling);
                            assert!(
                                (v.y + G * t).abs() < 2e-3 + 1e-5 * G * t,
                                "{what}: v = {} g·t after {step} steps",
                                v.y / (G * t)
                            );
                            assert!(
                                (fell.y + 0.5 * G * t * t).abs() < 2e-3 * t + 1e-5,
                                "{what}: fell {} g·t²/2 after {step} steps",
                                fell.y / (0.5 * G * t * t)
                            );
                        }
                    }
                }
            }
        }
    }
}

/// The centre of mass of a column falls freely when the floor goes: what the balls give each other is no force from outside.
#[test]
fn a_column_falls_freely() {
    for hz in [30.0, 60.0] {
        for sleeps in [false, true] {
            let mut app = if sleeps {
                app_with_gravity(hz)
            } else {
                awake(hz)
            };
            let floor = app.world_mut().spawn(Plane::new(Vec3::Y)).id();
            let column: Vec<Entity> = (0..5)
                .map(|k| {
                    let place = Transform::from_xyz(0.0, 0.5 + k as f32, 0.0);
                    app.world_mut().spawn((Particle::new(0.5), place)).id()
                })
                .collect();
            steps(&mut app, 3 * hz as usize);
            app.world_mut().despawn(floor);
            app.update();
            let fall = -G / hz as f32;
            let v = column.iter().map(|&ball| velocity(&app, ball).y);
            let v = v.sum::<f32>() / column.len() as f32;
            // The sweeps have not yet found that nothing presses any more.
            assert!(
                (v / fall - 1.0).abs() < 1e-2,
                "{hz} Hz, asleep: {sleeps}: {} g·h",
                v / fall
            );
        }
    }
}

/// Gravity that is set anew acts from then on, on bodies that fly and on bodies that rest.
#[test]
fn other_gravity_acts_from_then_on() {
    for hz in [10.0, 60.0] {
        for substeps in [1, 3] {
            for rests in [true, false] {
                for (before, after) in [(-10.0, 20.0), (-10.0, -30.0), (-10.0, 0.0), (0.0, 10.0)] {
                    let mut app = app(hz);
                    app.insert_resource(Gravity(Vec3::Y * before));
                    app.world_mut().resource_mut::<CollisionConfig>().substeps = substeps;
                    if rests {
                        app.world_mut().spawn(Plane::new(Vec3::Y));
                    }
                    let start = Transform::from_xyz(0.0, 0.5, 0.0);
                    let ball = app.world_mut().spawn((Particle::new(0.5), start)).id();
                    steps(&mut app, 10);
                    let (x, v) = (position(&app, ball), velocity(&app, ball));
                    app.insert_resource(Gravity(Vec3::Y * after));
                    app.update();
                    let h = 1.0 / hz as f32;
                    let a = if rests { f32::max(after, 0.0) } else { after };
                    let what =
                        format!("{before} → {after}, {hz} Hz, {substeps} substeps, rests: {rests}");
                    let dv = velocity(&app, ball).y - v.y;
                    assert!((dv - a * h).abs() < 1e-3, "{what}: {dv} m/s");
                    let dx = position(&app, ball).y - x.y;
                    let law = v.y * h + 0.5 * a * h * h;
                    assert!((dx - law).abs() < 1e-3, "{what}: {dx} m, not {law}");
                }
            }
        }
    }
}

/// Friction that held a body on a slope, and is gone, has no share in what follows.
#[test]
fn without_its_friction_a_body_slides_from_then_on() {
    let angle = 0.2f32;
    let normal = Vec3::new(angle.sin(), angle.cos(), 0.0);
    let down = G * angle.sin();
    for hz in [30.0, 60.0, 240.0] {
        for sleeps in [false, true] {
            for on_support in [true, false] {
                let mut app = app_with_gravity(hz);
                let support = (Plane::new(normal), Friction(1.0));
                let support = app.world_mut().spawn(support).id();
                // It lies along the horizontal line of the slope's plane that leads across: it cannot roll down if it lies downhill.
                let along = Vec3::new(angle.cos(), -angle.sin(), 0.0);
                let turn = Quat::from_rotation_arc(Vec3::Y, along);
                let place = Transform::from_translation(normal * 0.3).with_rotation(turn);
                let body = (Capsule::new(0.3, 1.0), Friction(1.0), place);
                let body = app.world_mut().spawn(body).id();
                steps(
                    &mut app,
                    if sleeps {
                        3 * hz as usize
                    } else {
                        hz as usize / 4
                    },
                );
                assert!(velocity(&app, body).length() < 2e-3);
                // The greater of the two holds, so it ends with the last one.
                let of = if on_support {
                    [body, support]
                } else {
                    [support, body]
                };
                let end = |app: &mut App, of: Entity| {
                    _ = app.world_mut().entity_mut(of).insert(Friction(0.0))
                };
                end(&mut app, of[0]);
                end(&mut app, of[1]);
                app.update();
                let v = velocity(&app, body).dot(along);
                let law = down / hz as f32;
                assert!(
                    (v - law).abs() < 0.01 * law,
                    "{hz} Hz, asleep: {sleeps}: {} of g·sin·h",
                    v / law
                );
            }
        }
    }
}

/// Rolling friction that held a ball on a slope, and is gone: the ball rolls with 5/7·g·sin.
#[test]
fn without_its_rolling_friction_a_ball_rolls_from_then_on() {
    let angle = 0.1f32;
    let normal = Vec3::new(angle.sin(), angle.cos(), 0.0);
    let along = Vec3::new(angle.cos(), -angle.sin(), 0.0);
    for hz in [30.0, 60.0, 240.0] {
        let mut app = app_with_gravity(hz);
        app.world_mut()
            .spawn((Plane::new(normal), Friction(1.0), RollingFriction(0.3)));
        let place = Transform::from_translation(normal * 0.3);
        let body = (
            Particle::new(0.3),
            Friction(1.0),
            RollingFriction(0.3),
            place,
        );
        let body = app.world_mut().spawn(body).id();
        steps(&mut app, hz as usize / 4);
        assert!(velocity(&app, body).length() < 2e-3);
        app.world_mut()
            .entity_mut(body)
            .insert(RollingFriction(0.0));
        let mut all = app.world_mut().query::<&mut RollingFriction>();
        for mut mu in all.iter_mut(app.world_mut()) {
            mu.0 = 0.0;
        }
        let n = hz as usize / 10;
        steps(&mut app, n);
        let law = 5.0 / 7.0 * G * angle.sin() * n as f32 / hz as f32;
        let v = velocity(&app, body).dot(along);
        assert!(
            (v / law - 1.0).abs() < 0.02,
            "{hz} Hz: {} of the law",
            v / law
        );
    }
}

/// Two balls that press each other in free space, whatever is changed on one of them: momentum stays.
#[test]
fn a_change_on_one_of_two_pressed_balls_keeps_momentum() {
    let changes: [fn(&mut EntityWorldMut); 5] = [
        |ball| _ = ball.insert(Friction(0.1)),
        |ball| _ = ball.insert(Restitution(0.9)),
        |ball| _ = ball.insert(Sensor),
        |ball| _ = ball.insert(CollisionLayers::NONE),
        |ball| _ = ball.insert(Particle::new(0.4)),
    ];
    for (k, change) in changes.into_iter().enumerate() {
        let mut app = app(60.0);
        let [one, _, _] = [-1.0, 0.0, 1.0].map(|x| {
            let place = Transform::from_xyz(x, 0.0, 0.0);
            let force = ExternalForce(Vec3::X * (-5.0 * x));
            app.world_mut()
                .spawn((Particle::new(0.5), force, place))
                .id()
        });
        steps(&mut app, 30);
        change(&mut app.world_mut().entity_mut(one));
        for _ in 0..5 {
            app.update();
            let p = measure(&mut app).momentum;
            assert!(p.length() < 1e-5, "change {k}: {p}");
        }
    }
}

/// An external force that is written once is switched: it acts from then on, with all of its strength.
#[test]
fn a_force_that_is_set_once_acts_from_then_on() {
    for hz in [30.0, 60.0] {
        for substeps in [1, 4] {
            for wait in [0, 1, 2, 10] {
                let mut app = app(hz);
                app.world_mut().resource_mut::<CollisionConfig>().substeps = substeps;
                let ball = app
                    .world_mut()
                    .spawn((Particle::new(0.5), ExternalForce::default()));
                let ball = ball.id();
                steps(&mut app, wait);
                let h = 1.0 / hz as f32;
                for (n, force) in [(1, 6.0), (3, 0.0), (2, -2.0), (5, 0.0)] {
                    let before = velocity(&app, ball).x;
                    app.world_mut().get_mut::<ExternalForce>(ball).unwrap().0 = Vec3::X * force;
                    steps(&mut app, n.max(2));
                    let dv = velocity(&app, ball).x - before;
                    let law = force * n.max(2) as f32 * h;
                    assert!((dv - law).abs() < 1e-5, "{force} N: {dv} is not {law}");
                }
            }
        }
    }
}

#[derive(Component)]
struct Spring(f32);

/// F = −k·x, written before every step.
fn pull(mut balls: Query<(&Transform, &Spring, &mut ExternalForce)>) {
    for (x, spring, mut force) in &mut balls {
        force.0 = -spring.0 * x.translation;
    }
}

/// An oscillator by `ExternalForce` keeps its amplitude for 10,000 periods, at 20 steps a period.
#[test]
fn a_spring_by_external_force_keeps_its_amplitude() {
    for substeps in [1, 2] {
        let hz = 60.0;
        let omega = TAU * hz / 20.0;
        let mut app = app(hz);
        app.world_mut().resource_mut::<CollisionConfig>().substeps = substeps;
        app.add_systems(FixedUpdate, pull);
        let spring = Spring((omega * omega) as f32);
        let start = Transform::from_xyz(1.0, 0.0, 0.0);
        let ball = (Particle::new(0.1), ExternalForce::default(), spring, start);
        let ball = app.world_mut().spawn(ball).id();
        let amplitude = |app: &mut App| {
            (0..200).fold(0f32, |most, _| {
                app.update();
                most.max(position(app, ball).x.abs())
            })
        };
        let first = amplitude(&mut app);
        steps(&mut app, 20 * 9_980);
        let last = amplitude(&mut app);
        assert!(
            (last / first - 1.0).abs() < 1e-3,
            "{substeps} substeps: {first} m, {last} m"
        );
    }
}

/// A spring that only pushes: a ball bounces between two of them, and gains and loses nothing.
#[test]
fn a_ball_between_two_one_sided_springs_keeps_its_speed() {
    fn push(mut balls: Query<(&Transform, &mut ExternalForce)>) {
        for (x, mut force) in &mut balls {
            let x = x.translation.x;
            force.0 = Vec3::X * -2000.0 * (x - x.clamp(-1.0, 1.0));
        }
    }
    let mut app = app(240.0);
    app.add_systems(FixedUpdate, push);
    let ball = (
        Particle::new(0.1),
        ExternalForce::default(),
        LinearVelocity(Vec3::X),
    );
    let ball = app.world_mut().spawn(ball).id();
    let mut free = Vec::new();
    for _ in 0..240 * 600 {
        app.update();
        if position(&app, ball).x.abs() < 0.5 {
            free.push(velocity(&app, ball).x.abs());
        }
    }
    let (first, last) = (free[0], free[free.len() - 1]);
    assert!((last / first - 1.0).abs() < 0.02, "{first} m/s, {last} m/s");
}

/// A Kepler orbit by `ExternalForce` closes, and does so after many rounds.
#[test]
fn a_kepler_orbit_by_external_force_closes() {
    fn attract(mut balls: Query<(&Transform, &mut ExternalForce)>) {
        for (x, mut force) in &mut balls {
            let x = x.translation;
            force.0 = -x / x.length().powi(3);
        }
    }
    let steps_a_round = 400;
    let hz = f64::from(steps_a_round) / TAU;
    let mut app = app(hz);
    app.add_systems(FixedUpdate, attract);
    let place = Transform::from_xyz(1.0, 0.0, 0.0);
    let ball = (
        Particle::new(0.01),
        ExternalForce::default(),
        LinearVelocity(Vec3::Y),
        place,
    );
    let ball = app.world_mut().spawn(ball).id();
    let mut radii = (f32::INFINITY, 0f32);
    for round in 1..=100 {
        for _ in 0..steps_a_round {
            app.update();
            let r = position(&app, ball).length();
            radii = (radii.0.min(r), radii.1.max(r));
        }
        if round == 1 {
            let gap = position(&app, ball).distance(Vec3::X);
            assert!(gap < 1e-3, "after a round it is {gap} m beside its start");
        }
    }
    assert!(radii.0 > 0.999 && radii.1 < 1.001, "{radii:?}");
}

/// Drag alone: v = v₀·e^(−d·t) at the time of the position, for both velocities.
#[test]
fn the_velocity_under_drag_is_that_of_its_time() {
    for hz in [30.0, 60.0, 240.0] {
        for d in [0.5, 5.0] {
            let mut app = app(hz);
            let ball = (
                Particle::new(0.5),
                LinearDamping(d),
                AngularDamping(2.0 * d),
                LinearVelocity(Vec3::X),
                AngularVelocity(Vec3::Z),
            );
            let ball = app.world_mut().spawn(ball).id();
            for n in 1..=10 {
                app.update();
                let t = n as f32 / hz as f32;
                let (v, w) = (velocity(&app, ball).x, spin(&app, ball).z);
                assert!(
                    (v / (-d * t).exp() - 1.0).abs() < 1e-5,
                    "{hz} Hz, {d}/s: {v}"
                );
                assert!((w / (-2.0 * d * t).exp() - 1.0).abs() < 1e-5);
            }
        }
    }
}
