//! What a user writes is taken as written: at rest and in flight, asleep and awake, at any rate.

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;
use proptest::prelude::*;

const G: f64 = 9.81;

/// A world with a floor, and a ball that has lain on it for so many seconds.
fn resting_ball(hz: f64, substeps: u32, seconds: f64) -> (App, Entity) {
    let mut app = app_with_gravity(hz);
    app.world_mut().resource_mut::<CollisionConfig>().substeps = substeps;
    app.world_mut().spawn(Plane::new(Vec3::Y));
    let ball = spawn_ball(&mut app, Vec3::Y * 0.1, Vec3::ZERO, Vec3::ZERO);
    steps(&mut app, (seconds * hz) as usize);
    (app, ball)
}

fn spawn_ball(app: &mut App, position: Vec3, velocity: Vec3, spin: Vec3) -> Entity {
    let ball = (
        Particle::new(0.1),
        Transform::from_translation(position),
        LinearVelocity(velocity),
        AngularVelocity(spin),
        Friction(0.4),
        Restitution(0.5),
    );
    app.world_mut().spawn(ball).id()
}

fn write<C: Component<Mutability = bevy::ecs::component::Mutable>>(
    app: &mut App,
    entity: Entity,
    change: impl FnOnce(&mut C),
) {
    let mut component = app.world_mut().get_mut::<C>(entity).expect("it has one");
    change(&mut component);
}

/// y = r + v·t − g·t²/2 from the moment of the jump.
#[test]
fn a_jump_from_rest_reaches_its_height_at_every_rate() {
    for hz in [30.0, 60.0, 240.0] {
        for substeps in [1, 8] {
            // After four seconds the ball sleeps.
            for seconds in [0.0, 0.5, 4.0] {
                let (mut app, ball) = resting_ball(hz, substeps, seconds);
                write(&mut app, ball, |v: &mut LinearVelocity| v.0.y = 5.0);
                let count = (0.5 * hz) as usize;
                steps(&mut app, count);
                let t = count as f64 / hz;
                let expected = 0.1 + 5.0 * t - 0.5 * G * t * t;
                assert_near("height", position(&app, ball).y.into(), expected, 1e-4);
                assert_near("speed", velocity(&app, ball).y.into(), 5.0 - G * t, 1e-4);
            }
        }
    }
}

#[test]
fn what_is_lifted_from_rest_falls_as_from_a_new_spawn() {
    for hz in [30.0, 60.0, 240.0] {
        for seconds in [0.5, 4.0] {
            let (mut app, ball) = resting_ball(hz, 1, seconds);
            write(&mut app, ball, |place: &mut Transform| {
                place.translation.y = 3.0
            });
            let count = (0.5 * hz) as usize;
            steps(&mut app, count);
            let t = count as f64 / hz;
            assert_near(
                "height",
                position(&app, ball).y.into(),
                3.0 - 0.5 * G * t * t,
                1e-4,
            );
            assert_near("speed", velocity(&app, ball).y.into(), -G * t, 1e-4);
        }
    }
}

/// A constant force for some steps: x = F·t²/2m while it acts, and the velocity F·t/m is shown at once.
#[test]
fn a_force_shows_the_velocity_that_it_has_given() {
    for hz in [30.0, 60.0, 240.0] {
        for (steps_before, count) in [(0, 1), (5, 1), (5, 7)] {
            let mut app = app(hz);
            let ball = spawn_ball(&mut app, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
            app.world_mut()
                .entity_mut(ball)
                .insert((Mass(2.0), ExternalForce(Vec3::ZERO)));
            steps(&mut app, steps_before);
            write(&mut app, ball, |force: &mut ExternalForce| {
                force.0 = Vec3::X * 6.0
            });
            steps(&mut app, count);
            let t = count as f64 / hz;
            assert_near("speed", velocity(&app, ball).x.into(), 3.0 * t, 1e-6);
            assert_near("way", position(&app, ball).x.into(), 1.5 * t * t, 1e-6);
            write(&mut app, ball, |force: &mut ExternalForce| {
                force.0 = Vec3::ZERO
            });
            steps(&mut app, 10);
            assert_near("speed after", velocity(&app, ball).x.into(), 3.0 * t, 1e-6);
        }
    }
}

fn vector(size: f32) -> impl Strategy<Value = Vec3> {
    let axis = move || -size..size;
    (axis(), axis(), axis()).prop_map(Vec3::from)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A ball that lies, or sleeps, and is given a motion has the future of a ball that is spawned with it.
    #[test]
    fn an_edit_has_the_future_of_a_spawn(
        place in vector(2.0),
        motion in (vector(5.0), vector(20.0)),
        hz in prop::sample::select(vec![30.0, 60.0, 240.0]),
        seconds in prop::sample::select(vec![0.2, 4.0]),
    ) {
        let place = Vec3::new(place.x, 0.1 + place.y.abs(), place.z);
        let (mut edited, ball) = resting_ball(hz, 1, seconds);
        write(&mut edited, ball, |t: &mut Transform| t.translation = place);
        write(&mut edited, ball, |v: &mut LinearVelocity| v.0 = motion.0);
        write(&mut edited, ball, |w: &mut AngularVelocity| w.0 = motion.1);
        let (mut fresh, old) = resting_ball(hz, 1, 0.0);
        fresh.world_mut().despawn(old);
        let spawned = spawn_ball(&mut fresh, place, motion.0, motion.1);
        for _ in 0..30 {
            steps(&mut edited, 1);
            steps(&mut fresh, 1);
            let apart = position(&edited, ball).distance(position(&fresh, spawned));
            prop_assert!(apart < 1e-5, "apart by {apart}");
        }
    }
}
