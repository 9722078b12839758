//! Bodies come and go, and change, in a world of many. The others do not notice.

use std::collections::BTreeSet;

use bevy::prelude::*;
use bevy_impulse_collide::prelude::*;
use laws::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The radius of the balls in m.
const RADIUS: f32 = 0.08;

/// Half the width in m of the box that the balls lie in.
const HALF_WIDTH: f32 = 1.0;

/// A box in which so many balls have come to rest that changes are followed one by one.
struct Heap {
    app: App,
    balls: Vec<Entity>,
    random: ChaCha8Rng,
}

impl Heap {
    fn at_rest(config: CollisionConfig) -> Self {
        let mut heap = Self::falling(config);
        steps(&mut heap.app, 300);
        heap
    }

    fn falling(config: CollisionConfig) -> Self {
        let mut app = app_with_gravity(60.0);
        app.insert_resource(config);
        let world = app.world_mut();
        world.spawn(Plane::new(Vec3::Y));
        for side in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
            let place = Transform::from_translation(-side * HALF_WIDTH);
            world.spawn((Plane::new(side), place));
        }
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let mut balls = Vec::new();
        for layer in 0..13 {
            for k in 0..121 {
                let spread = |k: i32| 0.17 * (k - 5) as f32;
                let shift = random.random_range(-0.04..0.04);
                let x = Vec3::new(spread(k % 11) + shift, 0.1, spread(k / 11) - shift);
                let place = Transform::from_translation(x + 0.17 * layer as f32 * Vec3::Y);
                balls.push(world.spawn((Particle::new(RADIUS), place)).id());
            }
        }
        Self { app, balls, random }
    }

    /// Takes balls out, and lets others fall from above.
    fn exchange(&mut self, gone: usize, new: usize) {
        for _ in 0..gone {
            let k = self.random.random_range(0..self.balls.len());
            let ball = self.balls.swap_remove(k);
            self.app.world_mut().despawn(ball);
        }
        for _ in 0..new {
            let side = -0.8..0.8f32;
            let (x, z) = (
                self.random.random_range(side.clone()),
                self.random.random_range(side),
            );
            let place = Transform::from_xyz(x, self.random.random_range(2.6..3.2), z);
            let ball = (Particle::new(RADIUS), Restitution(0.0), place);
            self.balls.push(self.app.world_mut().spawn(ball).id());
        }
    }

    /// The number of balls that are faster than a centimetre a second.
    fn moving(&self) -> usize {
        let speeds = self.balls.iter().map(|&ball| velocity(&self.app, ball));
        speeds.filter(|v| v.length() > 0.01).count()
    }

    fn is_inside(&self, ball: Entity) -> bool {
        let x = position(&self.app, ball);
        let room = HALF_WIDTH - 0.9 * RADIUS;
        x.is_finite() && x.y > 0.9 * RADIUS && x.x.abs() < room && x.z.abs() < room
    }
}

fn without_sleep() -> CollisionConfig {
    CollisionConfig {
        sleep_speed: 0.0,
        ..default()
    }
}

#[test]
fn nothing_falls_through_while_bodies_come_and_go() {
    for config in [without_sleep(), CollisionConfig::default()] {
        let mut heap = Heap::at_rest(config);
        for step in 0..240 {
            // More go than come, as many, and fewer.
            let (gone, new) = [(4, 1), (3, 3), (1, 4)][step / 80];
            heap.exchange(gone, new);
            heap.app.update();
            assert!(heap.balls.iter().all(|&ball| heap.is_inside(ball)));
        }
        steps(&mut heap.app, 240);
        let measured = measure(&mut heap.app);
        assert!(
            measured.overlap_max < 0.05,
            "overlap {}",
            measured.overlap_max
        );
        // A ball may still find a deeper place, and move its neighbours for a moment.
        let mut kinetic: Vec<f64> = (0..9)
            .map(|_| {
                steps(&mut heap.app, 30);
                measure(&mut heap.app).kinetic_energy / heap.balls.len() as f64
            })
            .collect();
        kinetic.sort_by(f64::total_cmp);
        assert!(kinetic[4] < 2e-6, "{kinetic:?} J a ball");
    }
}

/// The same on any number of threads: that is what `determinism` looks at.
#[test]
fn two_runs_give_the_same_bits() {
    let run = || {
        let mut heap = Heap::at_rest(CollisionConfig::default());
        for step in 0..90 {
            let (gone, new) = [(4, 1), (3, 3), (1, 4)][step / 30];
            heap.exchange(gone, new);
            heap.app.update();
        }
        measure(&mut heap.app).state_hash
    };
    assert_eq!(run(), run());
}

/// Each pair starts to touch before it ceases, and a pair with a body that is gone ceases once.
#[test]
fn messages_tell_who_touches_while_bodies_come_and_go() {
    let mut heap = Heap::falling(CollisionConfig::default());
    let (mut touching, mut ended_by_despawn) = (BTreeSet::new(), 0);
    for step in 0..400 {
        // At first all come to rest, and some fall asleep.
        if step >= 250 {
            let (gone, new) = [(4, 1), (3, 3), (1, 4)][(step - 250) / 50];
            heap.exchange(gone, new);
        }
        heap.app.update();
        for CollisionStarted { a, b } in messages(&heap.app) {
            assert!(touching.insert((a, b)), "{a} and {b} touch already");
        }
        for CollisionEnded { a, b, by_despawn } in messages(&heap.app) {
            assert!(touching.remove(&(a, b)), "{a} and {b} did not touch");
            let is_gone = [a, b]
                .iter()
                .any(|&body| heap.app.world().get_entity(body).is_err());
            assert_eq!(by_despawn, is_gone);
            ended_by_despawn += usize::from(by_despawn);
        }
    }
    assert!(ended_by_despawn > 500, "{ended_by_despawn} pairs");
    let world = heap.app.world();
    let are_there =
        |&(a, b): &(Entity, Entity)| world.get_entity(a).is_ok() && world.get_entity(b).is_ok();
    assert!(touching.iter().all(are_there));
}

/// A heap at rest stays at rest while masses, materials and layers of single balls change.
#[test]
fn a_heap_stays_at_rest_while_constants_change() {
    let mut heap = Heap::at_rest(without_sleep());
    let before = measure(&mut heap.app);
    // Some may still roll on top.
    let moving_before = heap.moving();
    for _ in 0..120 {
        for _ in 0..3 {
            let k = heap.random.random_range(0..heap.balls.len());
            let change = heap.random.random_range(0.99..1.01);
            let mut ball = heap.app.world_mut().entity_mut(heap.balls[k]);
            ball.get_mut::<Mass>().unwrap().0 *= change;
            ball.insert((Friction(0.5 * change), Restitution(0.1 * change)));
        }
        heap.app.update();
    }
    steps(&mut heap.app, 30);
    let after = measure(&mut heap.app);
    let moving = heap.moving();
    assert!(
        moving <= moving_before + heap.balls.len() / 100,
        "{moving} of them move"
    );
    assert!(
        after.overlap_max < before.overlap_max + 0.005,
        "from {} to {}",
        before.overlap_max,
        after.overlap_max
    );
    let moved = (after.center_of_mass - before.center_of_mass).length();
    // A heap of 1.7 m settles by a hundredth, as where friction changes.
    assert!(moved < 0.017, "{moved} m");
}

/// Balls of which each rests on a static one, far from all others.
fn columns(app: &mut App) -> (Vec<Entity>, Vec<Entity>) {
    let world = app.world_mut();
    let column = |k: i32| {
        let x = Vec3::new((k % 40) as f32, 0.0, (k / 40) as f32);
        let support = (Particle::new(0.2), RigidBody::Static);
        let support = world.spawn((support, Transform::from_translation(x))).id();
        let place = Transform::from_translation(x + 0.4 * Vec3::Y);
        (support, world.spawn((Particle::new(0.2), place)).id())
    };
    (0..1200).map(column).unzip()
}

/// A support that is taken away pushes no more, from then on: v = −g·t. All others stay to the bit.
#[test]
fn what_loses_its_support_falls_from_then_on() {
    let mut app = awake(60.0);
    let (supports, balls) = columns(&mut app);
    steps(&mut app, 60);
    let at_rest: Vec<Vec3> = balls.iter().map(|&ball| position(&app, ball)).collect();
    // Some are despawned, and some are moved away.
    for step in 0..20 {
        for k in [3 * step, 3 * step + 1] {
            if k % 2 == 0 {
                app.world_mut().despawn(supports[k]);
            } else {
                let mut support = app.world_mut().entity_mut(supports[k]);
                support.get_mut::<Transform>().unwrap().translation.y = -50.0;
            }
        }
        app.update();
        for (k, &ball) in balls.iter().enumerate().take(3 * 20) {
            let falls_for = match k % 3 {
                2 => 0,
                _ => (step + 1).saturating_sub(k / 3),
            };
            let expected = -9.81 * falls_for as f64 / 60.0;
            let v = velocity(&app, ball).as_dvec3();
            assert_near("velocity", v.y, expected, 1e-4 * expected.abs().max(1e-2));
        }
    }
    for (&ball, &before) in balls.iter().zip(&at_rest).skip(3 * 20) {
        assert_eq!(position(&app, ball), before);
    }
}

/// A support that comes back holds again, and an impact on it is one impact.
#[test]
fn what_comes_back_is_met_again() {
    let mut app = awake(60.0);
    let (supports, balls) = columns(&mut app);
    steps(&mut app, 60);
    let height = |app: &App, k: usize| position(app, balls[k]).y;
    let before = height(&app, 7);
    let put = |app: &mut App, y: f32| {
        let mut support = app.world_mut().entity_mut(supports[7]);
        support.get_mut::<Transform>().unwrap().translation.y = y;
    };
    put(&mut app, -5.0);
    steps(&mut app, 6);
    assert!(height(&app, 7) < before - 0.01);
    put(&mut app, -0.5);
    steps(&mut app, 120);
    assert_near(
        "height",
        height(&app, 7).into(),
        f64::from(before) - 0.5,
        2e-3,
    );
    // A new ball meets the one that is there.
    let place = Transform::from_translation(position(&app, balls[7]) + Vec3::Y);
    let new = app
        .world_mut()
        .spawn((Particle::new(0.2), Restitution(0.0), place))
        .id();
    steps(&mut app, 25);
    assert!(position(&app, new).y > height(&app, 7) + 0.35);
}

/// So many equal balls at rest on a plane, each alone, that changes are followed one by one.
fn row(app: &mut App) -> Vec<Entity> {
    let world = app.world_mut();
    world.spawn(Plane::new(Vec3::Y));
    let ball = |k: i32| {
        let place = Transform::from_xyz((k % 40) as f32, 0.2, (k / 40) as f32);
        world.spawn((Particle::new(0.2), place)).id()
    };
    (0..1200).map(ball).collect()
}

/// In a world of equal balls, the first heavy one is carried as in a small world, also if it was light before.
#[test]
fn the_first_heavy_ball_of_a_world_is_carried() {
    let mut many = awake(60.0);
    let balls = row(&mut many);
    let mut few = awake(60.0);
    few.world_mut().spawn(Plane::new(Vec3::Y));
    let light = |k: usize| {
        let place = Transform::from_translation(position_of(k) + 0.2 * Vec3::Y);
        (Particle::new(0.2), place)
    };
    let alone = [5, 50].map(|k| few.world_mut().spawn(light(k)).id());
    let in_many = lowest_under_heavy(&mut many, [balls[5], balls[50]]);
    let in_few = lowest_under_heavy(&mut few, alone);
    for (many, few) in in_many.into_iter().zip(in_few) {
        assert_near("height", many.into(), few.into(), 1e-3);
    }
}

/// The lowest heights in m of two balls of which one gets a heavy ball on it, and a ball that becomes heavy falls on the other.
fn lowest_under_heavy(app: &mut App, balls: [Entity; 2]) -> [f32; 2] {
    steps(app, 30);
    let above = |k: usize, y: f32| Transform::from_translation(position_of(k) + y * Vec3::Y);
    let world = app.world_mut();
    world.spawn((Particle::new(0.2), Mass(500.0), above(5, 0.6)));
    let falling = world.spawn((Particle::new(0.2), above(50, 3.0))).id();
    app.update();
    // It has no pair yet.
    app.world_mut().get_mut::<Mass>(falling).unwrap().0 = 500.0;
    let mut lowest = [f32::INFINITY; 2];
    for _ in 0..120 {
        app.update();
        for (lowest, ball) in lowest.iter_mut().zip(balls) {
            *lowest = lowest.min(position(app, ball).y);
        }
    }
    lowest
}

/// Where a ball of [`row`] lies, on the plane.
fn position_of(k: usize) -> Vec3 {
    Vec3::new((k % 40) as f32, 0.0, (k / 40) as f32)
}

/// The first ball with rolling friction of a world stops as it would in a small world: after v²/(2·a), a = 5/7·(c/r)·g.
#[test]
fn the_first_ball_with_rolling_friction_stops() {
    let mut app = awake(60.0);
    row(&mut app);
    steps(&mut app, 30);
    let (radius, v, arm) = (0.2, 1.0, 0.01);
    let rolls = (
        Particle::new(radius),
        Friction(0.8),
        LinearVelocity(Vec3::NEG_X * v),
        AngularVelocity(Vec3::Z * (v / radius)),
        Transform::from_xyz(-2.0, radius, 0.5),
    );
    let ball = app.world_mut().spawn(rolls).id();
    steps(&mut app, 6);
    app.world_mut()
        .entity_mut(ball)
        .insert(RollingFriction(arm));
    let start = velocity(&app, ball).x;
    app.update();
    steps(&mut app, 29);
    let braking = f64::from(velocity(&app, ball).x - start) * 2.0;
    let expected = braking_by_rolling(&mut awake(60.0));
    assert_near("braking", braking, expected, 0.02 * expected);
}

/// The braking in m/s² of the same ball alone in its world.
fn braking_by_rolling(app: &mut App) -> f64 {
    let world = app.world_mut();
    world.spawn(Plane::new(Vec3::Y));
    let rolls = (
        Particle::new(0.2),
        Friction(0.8),
        RollingFriction(0.01),
        LinearVelocity(Vec3::NEG_X),
        AngularVelocity(Vec3::Z * 5.0),
        Transform::from_xyz(-2.0, 0.2, 0.5),
    );
    let ball = world.spawn(rolls).id();
    steps(app, 1);
    let start = velocity(app, ball).x;
    steps(app, 30);
    f64::from(velocity(app, ball).x - start) * 2.0
}

/// A pair that a rule keeps apart loses a body, and its other body gets another index.
#[test]
fn pairs_kept_apart_come_and_go() {
    let mut app = awake(60.0);
    app.add_systems(PairHooks, |mut pairs: ResMut<NearPairs>| {
        pairs.iter_mut().for_each(|pair| pair.is_ignored = true);
    });
    let mut balls = row(&mut app);
    // The last bodies are those that move where one has gone.
    let ghost = |k: usize| {
        let place = Transform::from_translation(position_of(k) + 0.9 * Vec3::Y);
        (
            Particle::new(0.2),
            CollisionHooks,
            RigidBody::Kinematic,
            place,
        )
    };
    let ghosts: Vec<Entity> = (0..10)
        .map(|k| app.world_mut().spawn(ghost(k)).id())
        .collect();
    for &ghost in &ghosts {
        let down = LinearVelocity(Vec3::NEG_Y * 0.5);
        app.world_mut().entity_mut(ghost).insert(down);
    }
    for step in 0..90 {
        if step > 20 {
            let ball = balls.swap_remove(100 + step);
            app.world_mut().despawn(ball);
        }
        if step % 30 == 29 {
            app.world_mut().despawn(ghosts[step / 30]);
        }
        app.update();
    }
    // No ghost has pushed a ball.
    for &ball in &balls {
        assert!(velocity(&app, ball).length() < 1e-3);
    }
}

/// A ball that spins on the spot sleeps, and goes on to spin after it has got another index.
#[test]
fn a_spinner_that_sleeps_spins_on_while_others_go() {
    let mut app = app_with_gravity(60.0);
    let balls = row(&mut app);
    let spins = (
        Particle::new(0.2),
        Friction(0.0),
        AngularVelocity(Vec3::Y),
        Transform::from_xyz(-2.0, 0.2, 0.0),
    );
    let spinner = app.world_mut().spawn(spins).id();
    steps(&mut app, 240);
    assert!(get::<Sleep>(&app, spinner).is_asleep());
    let turned = |app: &App| get::<Transform>(app, spinner).rotation;
    for &ball in balls.iter().take(60) {
        let before = turned(&app);
        app.world_mut().despawn(ball);
        app.update();
        assert_near(
            "turn",
            before.angle_between(turned(&app)).into(),
            1.0 / 60.0,
            1e-4,
        );
    }
}
